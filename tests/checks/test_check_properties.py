"""What holds of every kind of check over any evidence: an outcome, within bounds, no secret."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reporter.checks.authoring import check_faults, identity
from reporter.checks.evaluate import EVALUATORS, evaluate
from reporter.checks.evidence import evidence_of_wire
from reporter.checks.outcome import row_of
from reporter.checks.text import REASON_CAP

Json = dict[str, Any]
ANY = st.text(st.characters(), max_size=12)
"""Any Unicode: astral, bidirectional, combining, lone surrogates, controls."""
NAMES = st.one_of(
    st.sampled_from(["find", "find\u200b", "FIND", "\ufb01nd", "\u641c\u7d22", "\U0001f50e"]),
    ANY.filter(bool),
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ANY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY, inner, max_size=3),
    max_leaves=6,
)
CALLS = st.fixed_dictionaries(
    {"toolName": NAMES, "arguments": st.dictionaries(ANY, VALUES, max_size=3)},
    optional={"toolCallId": ANY},
)
RESULTS = st.fixed_dictionaries(
    {"toolName": NAMES},
    optional={
        "text": ANY,
        "structuredContent": VALUES,
        "json": VALUES,
        "truncated": st.booleans(),
        "toolCallId": ANY,
        "size": st.fixed_dictionaries(
            {"bytes": st.integers(0, 99), "basis": st.just("raw_result"), "complete": st.booleans()}
        ),
    },
)
TOOLS = st.fixed_dictionaries(
    {"name": NAMES},
    optional={
        "description": VALUES,
        "inputSchema": VALUES,
        "outputSchema": VALUES,
        "annotations": st.dictionaries(
            st.sampled_from(["readOnlyHint", "destructiveHint"]), VALUES, max_size=2
        ),
        "serverKey": ANY,
    },
)
CHANNELS = ("toolResults", "toolCallTimings", "toolInventory", "toolDeclarations")
STATES = st.sampled_from(["complete", "partial", "absent"])
EVIDENCE = st.fixed_dictionaries(
    {
        "toolCalls": st.lists(CALLS, max_size=4),
        "toolErrors": st.lists(
            st.fixed_dictionaries(
                {"kind": st.just("content-error")}, optional={"toolName": NAMES, "message": ANY}
            ),
            max_size=3,
        ),
        "toolResults": st.lists(RESULTS, max_size=4),
        "toolCallTimings": st.lists(
            st.fixed_dictionaries({"toolName": NAMES, "durationMs": st.integers(0, 9)}), max_size=3
        ),
        "toolInventory": st.lists(TOOLS, max_size=3),
        "toolDeclarations": st.lists(TOOLS, max_size=3),
        "capture": st.fixed_dictionaries(
            dict.fromkeys(
                ("toolResults", "toolCallTimings", "toolInventory", "toolDeclarations"), STATES
            )
        ),
    },
    optional={"finalAssistantMessage": ANY, "turnCount": st.integers(0, 5)},
)


def fields(tool: str, text: str) -> dict[str, Json]:
    """One check of every kind, about a tool and a text."""
    return {
        **{kind: {"role": "advisory"} for kind in EVALUATORS},
        "toolCalledWith": {"toolName": tool, "args": {"args": {text: text}}},
        "toolCalledAtLeastOnce": {"toolName": tool},
        "toolNeverCalled": {"toolName": tool},
        "onlyToolsCalled": {"toolNames": [f"x{tool}"]},
        "firstToolWas": {"toolName": tool},
        "toolCallCountUnder": {"count": 2, "toolName": tool},
        "toolCalledBefore": {"toolName": tool, "beforeToolName": f"x{tool}"},
        "argumentsMatchToolSchema": {"toolName": tool},
        "toolInputMatches": {"toolName": tool, "patterns": ["^[a-z]+$"]},
        "toolLatencyUnder": {"ms": 5, "toolName": tool},
        "toolResultContains": {"needle": text, "toolName": tool},
        "toolResultMatches": {"toolName": tool, "patterns": ["^.$"]},
        "toolResultMatchesSchema": {"schema": {"const": text}, "toolName": tool},
        "toolResultSizeUnder": {"maxBytes": 50, "toolName": tool},
        "responseContains": {"needle": text},
        "responseMatches": {"pattern": "^.$"},
        "responseCloseTo": {"reference": f"x{text}", "maxDistance": 0.5},
        "tokenBudgetUnder": {"tokens": 5},
        "turnCountUnder": {"turns": 3},
        "widgetRenderLatencyUnder": {"ms": 5},
    }


@pytest.mark.parametrize("kind", EVALUATORS)
@settings(max_examples=25, deadline=None)
@given(raw=EVIDENCE, tool=NAMES, text=ANY.filter(bool))
def test_whatever_was_recorded_a_check_comes_to_one_of_three_words(
    kind: str, raw: Json, tool: str, text: str
) -> None:
    check = {"type": kind, **fields(tool, text)[kind]}
    outcome = evaluate(check, evidence_of_wire(raw))
    assert outcome.state in {"pass", "fail", "error"}
    assert not outcome.reason.startswith("The check is malformed"), outcome.reason
    row = row_of(check, outcome)
    assert len(row["reason"].encode("utf-16-le", "surrogatepass")) // 2 <= REASON_CAP + 20
    # Same evidence, same answer; role and severity are not looked at.
    assert evaluate({**check, "role": "required"}, evidence_of_wire(raw)) == outcome


@settings(max_examples=60, deadline=None)
@given(tool=NAMES, text=ANY.filter(bool))
def test_identifiers_of_any_unicode_are_told_apart_to_the_letter(tool: str, text: str) -> None:
    raw = {"toolCalls": [{"toolName": tool, "arguments": {}}]}
    evidence = evidence_of_wire(raw)
    called = {"type": "toolCalledAtLeastOnce", "toolName": tool}
    assert check_faults(called) == []
    assert evaluate(called, evidence).state == "pass"
    other = f"{tool}{text}"
    assert evaluate({**called, "toolName": other}, evidence).state == "fail"
    assert identity(called) != identity({**called, "toolName": other})


CANARY = "canary8861f2c4"
LEAKS: list[Json] = [
    {"api_key": CANARY},
    {"nested": {"password": CANARY}},
    {"note": f"token={CANARY}"},
    {"note": f"Authorization: Bearer {CANARY}"},
    {"note": f"sk-{CANARY}"},
]


@pytest.mark.parametrize("kind", EVALUATORS)
@pytest.mark.parametrize("leak", range(len(LEAKS)))
def test_no_secret_of_a_session_stands_in_a_reason(kind: str, leak: int) -> None:
    held = LEAKS[leak]
    text = json.dumps(held) if "note" not in held else str(held["note"])
    rows = [
        {
            "toolName": "find",
            "text": text,
            "structuredContent": held,
            "size": {"bytes": 99, "basis": "raw_result", "complete": True},
        }
    ]
    calls = [{"toolName": "find", "arguments": held}] * 2
    evidence = evidence_of_wire(
        {
            "toolCalls": calls,
            "toolErrors": [{"kind": "content-error", "toolName": "find", "message": text}],
            "toolResults": rows,
            "toolCallTimings": [{"toolName": "find", "durationMs": 9}],
            "toolInventory": [{"name": "find", "inputSchema": {"required": ["q"]}}],
            "toolDeclarations": [{"name": "find", "description": text}],
            "finalAssistantMessage": f"{text}?",
            "renderObservations": [
                {"toolName": "find", "status": "rendered", "elapsedMs": 9, "consoleErrors": [text]}
            ],
            "capture": dict.fromkeys(CHANNELS, "complete"),
        }
    )
    outcome = evaluate({"type": kind, **fields("find", "zzz")[kind]}, evidence)
    assert CANARY not in outcome.reason
