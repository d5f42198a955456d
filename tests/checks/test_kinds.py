# ruff: noqa: E501  a case of a table is one line
"""Every kind of check where it holds, where it does not, and where nobody can tell."""

import re
import socket
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.checks.authoring import OBSERVATIONS, check_faults
from reporter.checks.close_to import response_close_to
from reporter.checks.evaluate import EVALUATORS, evaluate
from reporter.checks.evidence import Evidence, evidence_of_wire
from reporter.checks.patterns import compile_ecmascript, compile_re2

Json = dict[str, Any]

WHOLE = {
    "toolResults": "complete",
    "toolCallTimings": "complete",
    "toolInventory": "complete",
    "toolDeclarations": "complete",
}
HOLD = {
    "name": "place_hold",
    "description": "Places a hold on a book that is out.",
    "inputSchema": {
        "type": "object",
        "properties": {"isbn": {"type": "string", "description": "The book."}},
        "required": ["isbn"],
        "additionalProperties": False,
    },
    "annotations": {"readOnlyHint": False, "destructiveHint": False},
    "outputSchema": {"type": "object"},
    "serverKey": "desk",
}
FIND = {
    "name": "find_book",
    "description": "Finds books by their title or author.",
    "inputSchema": {
        "type": "object",
        "properties": {"title": {"type": "string", "description": "Part of it."}},
    },
    "annotations": {"readOnlyHint": True},
    "outputSchema": {"type": "object"},
    "serverKey": "desk",
}
SIZE = {"bytes": 40, "basis": "raw_result", "complete": True}
DESK: Json = {
    "toolCalls": [
        {"toolName": "find_book", "arguments": {"title": "Emma", "limit": 2}, "toolCallId": "c1"},
        {"toolName": "place_hold", "arguments": {"isbn": "978"}, "toolCallId": "c2"},
    ],
    "toolErrors": [],
    "finalAssistantMessage": "Your hold on Emma is placed.",
    "usage": {"inputTokens": 70, "outputTokens": 20},
    "turnCount": 2,
    "renderObservations": [
        {"toolName": "find_book", "status": "rendered", "elapsedMs": 80, "consoleErrors": []}
    ],
    "toolResults": [
        {
            "toolName": "find_book",
            "structuredContent": {"books": ["a", "b"], "nextCursor": None},
            "size": SIZE,
            "toolCallId": "c1",
        },
        {"toolName": "place_hold", "text": "Held until May.", "size": SIZE, "toolCallId": "c2"},
    ],
    "toolCallTimings": [
        {"toolName": "find_book", "durationMs": 30, "provenance": "span", "toolCallId": "c1"},
        {"toolName": "place_hold", "durationMs": 90, "provenance": "span", "toolCallId": "c2"},
    ],
    "toolInventory": [FIND, HOLD],
    "toolDeclarations": [FIND, HOLD],
    "capture": WHOLE,
}
NOTHING: Json = {"toolCalls": DESK["toolCalls"], "capture": {}}
"""The same calls, and nobody looked at anything else."""


def desk(**more: Any) -> Evidence:
    return evidence_of_wire({**DESK, **more})


def declared(**more: Any) -> Json:
    return {"toolDeclarations": [FIND, {**HOLD, **more}]}


def shown(**more: Any) -> Json:
    return {"toolInventory": [FIND, {**HOLD, **more}]}


def call(name: str, /, **arguments: Any) -> Json:
    return {"toolName": name, "arguments": arguments}


def failed(message: str | None, **more: Any) -> Json:
    return {"toolErrors": [{"kind": "content-error", "message": message, **more}]}


REPEAT = [call("find_book", title="Emma"), call("find_book", title="Emma")]
PAGE = {"toolName": "find_book", "structuredContent": {"books": ["a", "b"]}, "toolCallId": "c1"}

# Check, what makes it fail (changes of the desk), what no evidence makes of it.
KINDS: list[tuple[Json, Json, str]] = [
    (
        {"type": "toolCalledWith", "toolName": "place_hold", "args": {"args": {"isbn": "978"}}},
        {"toolCalls": []},
        "pass",
    ),
    ({"type": "toolCalledAtLeastOnce", "toolName": "place_hold"}, {"toolCalls": []}, "pass"),
    (
        {"type": "toolNeverCalled", "toolName": "pay_fine"},
        {"toolCalls": [call("pay_fine")]},
        "pass",
    ),
    (
        {"type": "onlyToolsCalled", "toolNames": ["find_book", "place_hold"]},
        {"toolCalls": [call("pay_fine")]},
        "pass",
    ),
    (
        {"type": "firstToolWas", "toolName": "find_book"},
        {"toolCalls": [call("place_hold")]},
        "pass",
    ),
    ({"type": "toolCallCountUnder", "count": 3}, {"toolCalls": [call("x")] * 3}, "pass"),
    (
        {"type": "toolCalledBefore", "toolName": "find_book", "beforeToolName": "place_hold"},
        {"toolCalls": [call("place_hold"), call("find_book")]},
        "pass",
    ),
    (
        {"type": "noDeprecatedToolCalled"},
        shown(description="Deprecated: use find_book instead."),
        "error",
    ),
    ({"type": "noDestructiveToolCalled"}, shown(annotations={"readOnlyHint": False}), "error"),
    ({"type": "argumentsMatchToolSchema"}, {"toolCalls": [call("place_hold", isbn=9)]}, "error"),
    ({"type": "noRepeatedIdenticalCall"}, {"toolCalls": REPEAT}, "pass"),
    (
        {
            "type": "toolInputMatches",
            "toolName": "place_hold",
            "path": "/isbn",
            "patterns": ["^97"],
        },
        {"toolCalls": [call("place_hold", isbn="1")]},
        "pass",
    ),
    ({"type": "noToolErrors"}, failed("No such book."), "pass"),
    (
        {"type": "toolLatencyUnder", "ms": 91},
        {"toolCallTimings": [{"toolName": "find_book", "durationMs": 91}]},
        "error",
    ),
    ({"type": "toolResultContains", "needle": "HELD"}, {"toolResults": [PAGE]}, "error"),
    ({"type": "toolResultMatches", "patterns": ["until \\w+"]}, {"toolResults": [PAGE]}, "error"),
    (
        {"type": "toolResultMatchesSchema", "toolName": "find_book", "schema": {"type": "object"}},
        {"toolResults": [{"toolName": "find_book", "json": [1]}]},
        "error",
    ),
    (
        {"type": "toolResultSizeUnder", "maxBytes": 41},
        {"toolResults": [{**PAGE, "size": {**SIZE, "bytes": 41}}]},
        "error",
    ),
    ({"type": "toolErrorNamesInput"}, failed("It broke.", toolName="find_book"), "pass"),
    ({"type": "fullPageHasContinuation"}, {"toolResults": [PAGE]}, "error"),
    ({"type": "responseContains", "needle": "emma"}, {"finalAssistantMessage": "Done."}, "fail"),
    (
        {"type": "responseMatches", "pattern": "placed\\.$"},
        {"finalAssistantMessage": "placed.\n"},
        "fail",
    ),
    (
        {
            "type": "responseCloseTo",
            "reference": "Your hold on Anna is placed.",
            "maxDistance": 0.2,
        },
        {"finalAssistantMessage": "No."},
        "error",
    ),
    ({"type": "finalAssistantMessageNonEmpty"}, {"finalAssistantMessage": " \ufeff\n"}, "fail"),
    ({"type": "tokenBudgetUnder", "tokens": 91}, {"usage": {"inputTokens": 91}}, "fail"),
    ({"type": "turnCountUnder", "turns": 3}, {"turnCount": 3}, "fail"),
    ({"type": "noEndingQuestion"}, {"finalAssistantMessage": "Placed.\nMore?  \n"}, "pass"),
    (
        {"type": "widgetRendered"},
        {"renderObservations": [{"toolName": "x", "status": "mount_failed", "elapsedMs": 1}]},
        "fail",
    ),
    (
        {"type": "widgetRenderLatencyUnder", "ms": 81},
        {"renderObservations": [{"toolName": "x", "status": "rendered", "elapsedMs": 81}]},
        "fail",
    ),
    (
        {"type": "widgetNoConsoleErrors"},
        {
            "renderObservations": [
                {"toolName": "x", "status": "rendered", "elapsedMs": 1, "consoleErrors": ["no"]}
            ]
        },
        "fail",
    ),
    (
        {"type": "toolDescriptionsPresent"},
        declared(description="  Short.  \ufeff           "),
        "error",
    ),
    ({"type": "toolAnnotationsPresent"}, declared(annotations=None), "error"),
    ({"type": "toolNamesUnique"}, {"toolDeclarations": [HOLD, FIND, HOLD]}, "error"),
    (
        {"type": "noDeprecatedToolExposed"},
        declared(description="[deprecated] Places a hold."),
        "error",
    ),
    (
        {"type": "toolInputSchemasWellFormed"},
        declared(inputSchema={"type": "object", "properties": {"a": True}}),
        "error",
    ),
    ({"type": "toolOutputSchemasPresent"}, declared(outputSchema=None), "error"),
]
NAMES = [check["type"] for check, _, _ in KINDS]


def test_every_kind_is_in_the_table() -> None:
    assert sorted(NAMES) == sorted(EVALUATORS)


@pytest.mark.parametrize(("check", "change", "unseen"), KINDS, ids=NAMES)
def test_a_kind_holds_breaks_and_says_what_it_cannot_tell(
    check: Json, change: Json, unseen: str
) -> None:
    role = {"role": "advisory"} if check["type"] in OBSERVATIONS else {}
    assert check_faults({**check, **role}) == []
    assert evaluate(check, desk()).state == "pass"
    broken = evaluate(check, desk(**change))
    assert (broken.state, bool(broken.reason)) == ("fail", True)
    assert evaluate(check, evidence_of_wire(NOTHING)).state == unseen


@pytest.mark.parametrize("check", [check for check, _, _ in KINDS], ids=NAMES)
def test_a_role_changes_nothing_of_what_is_seen(check: Json) -> None:
    advisory = {**check, "role": "advisory", "severity": "warn"}
    assert evaluate(advisory, desk()) == evaluate(check, desk())


CASES: list[tuple[Json, Json, str]] = [
    # Modes and placeholders of expected arguments.
    ({"type": "toolCalledWith", "toolName": "a", "args": {"args": {"n": " Number "}}}, {"toolCalls": [call("a", n=1.5)]}, "pass"),
    ({"type": "toolCalledWith", "toolName": "a", "args": {"args": {"n": "number"}}}, {"toolCalls": [call("a", n=True)]}, "fail"),
    ({"type": "toolCalledWith", "toolName": "a", "args": {"args": {"n": "any"}}}, {"toolCalls": [call("a", n=None)]}, "pass"),
    ({"type": "toolCalledWith", "toolName": "a", "args": {"args": {"n": {"x": "any"}}}}, {"toolCalls": [call("a", n={"x": 1})]}, "fail"),
    ({"type": "toolCalledWith", "toolName": "a", "args": {"args": {"n": 1}}}, {"toolCalls": [call("a", n=1.0, m=2)]}, "pass"),
    ({"type": "toolCalledWith", "toolName": "a", "args": {"args": {"n": 1}, "argumentMatching": "exact"}}, {"toolCalls": [call("a", n=1, m=2)]}, "fail"),
    ({"type": "toolCalledWith", "toolName": "a", "args": {"args": {"n": 1}, "argumentMatching": "ignore"}, "minCount": 2}, {"toolCalls": [call("a")]}, "fail"),
    # Nothing to violate, and a call that is its own prerequisite.
    ({"type": "toolCalledBefore", "toolName": "a", "beforeToolName": "b"}, {"toolCalls": []}, "pass"),
    ({"type": "toolCalledBefore", "toolName": "a", "beforeToolName": "a"}, {"toolCalls": [call("a")]}, "pass"),
    ({"type": "onlyToolsCalled", "toolNames": []}, {"toolCalls": []}, "pass"),
    ({"type": "onlyToolsCalled", "toolNames": ["a"]}, {"toolCalls": [call(" ")]}, "fail"),
    # Hints that are absent, tools that are not described.
    ({"type": "noDestructiveToolCalled"}, shown(annotations={"readOnlyHint": True}), "pass"),
    ({"type": "noDestructiveToolCalled"}, shown(annotations=None), "error"),
    ({"type": "noDestructiveToolCalled"}, {"toolInventory": [{"name": "place_hold"}]}, "error"),
    ({"type": "noDeprecatedToolCalled"}, {"toolInventory": [FIND]}, "error"),
    ({"type": "noDeprecatedToolCalled"}, shown(description="Replaces the deprecated `hold` tool."), "pass"),
    # Schemas that cannot be used end the evaluation, also behind a violation.
    ({"type": "argumentsMatchToolSchema"}, {"toolCalls": [call("place_hold", isbn=9), call("x")]}, "error"),
    ({"type": "argumentsMatchToolSchema"}, shown(inputSchema={"$schema": "urn:other"}), "error"),
    ({"type": "argumentsMatchToolSchema"}, shown(inputSchema=3), "error"),
    ({"type": "argumentsMatchToolSchema"}, shown(inputSchema={"$ref": "http://localhost:9/x"}), "error"),
    ({"type": "argumentsMatchToolSchema"}, {"toolCalls": []}, "pass"),
    # Partial channels: what was found counts, what was not found is open.
    ({"type": "toolLatencyUnder", "ms": 50}, {"capture": {**WHOLE, "toolCallTimings": "partial"}}, "fail"),
    ({"type": "toolLatencyUnder", "ms": 500}, {"capture": {**WHOLE, "toolCallTimings": "partial"}}, "error"),
    ({"type": "toolLatencyUnder", "ms": 500}, {"toolCallTimings": DESK["toolCallTimings"][:1]}, "error"),
    ({"type": "toolLatencyUnder", "ms": 500, "toolName": "x"}, {}, "pass"),
    ({"type": "toolResultContains", "needle": "held"}, {"capture": {**WHOLE, "toolResults": "partial"}}, "pass"),
    ({"type": "toolResultContains", "needle": "gone"}, {"capture": {**WHOLE, "toolResults": "partial"}}, "error"),
    ({"type": "toolResultContains", "needle": "gone", "toolName": "x"}, {}, "fail"),
    ({"type": "toolResultContains", "needle": "held", "caseSensitive": True}, {}, "fail"),
    ({"type": "toolResultMatchesSchema", "schema": True}, {}, "fail"),
    ({"type": "toolResultMatchesSchema", "schema": {"$schema": "urn:x"}, "toolName": "find_book"}, {}, "error"),
    ({"type": "toolResultMatchesSchema", "schema": True, "toolName": "x"}, {}, "fail"),
    ({"type": "toolResultSizeUnder", "maxBytes": 41}, {"toolResults": [{**PAGE, "size": {**SIZE, "complete": False}}]}, "error"),
    ({"type": "toolResultSizeUnder", "maxBytes": 1, "toolName": "x"}, {}, "pass"),
    # Errors that name a parameter, a value that was sent, or nothing.
    ({"type": "toolErrorNamesInput"}, failed("Bad TITLE.", toolName="find_book"), "pass"),
    ({"type": "toolErrorNamesInput"}, failed("No emma here.", toolName="place_hold", toolCallId="c1"), "pass"),
    ({"type": "toolErrorNamesInput"}, failed("No emma here."), "error"),
    ({"type": "toolErrorNamesInput"}, failed(None, toolName="find_book"), "fail"),
    # Budgets that were not counted.
    ({"type": "tokenBudgetUnder", "tokens": 200}, {"usage": {"inputTokens": 10, "totalTokens": 200}}, "fail"),
    ({"type": "turnCountUnder", "turns": 3}, {"turnCount": 1.5}, "fail"),
    # ECMAScript, not Python.
    ({"type": "responseMatches", "pattern": "^a.b$"}, {"finalAssistantMessage": "a\u2028b"}, "fail"),
    ({"type": "responseMatches", "pattern": "\\d"}, {"finalAssistantMessage": "\u0663"}, "fail"),
    ({"type": "responseMatches", "pattern": "(?<y>[0-9]{4})"}, {"finalAssistantMessage": "in 2026"}, "pass"),
    ({"type": "responseMatches", "pattern": "a[]|b"}, {"finalAssistantMessage": "a]"}, "fail"),
    ({"type": "responseMatches", "pattern": "\\u0041\\/\\_"}, {"finalAssistantMessage": "A/_"}, "pass"),
    ({"type": "responseMatches", "pattern": "(a+)+$"}, {"finalAssistantMessage": "a"}, "fail"),
    ({"type": "responseMatches", "pattern": "(?<x>a)\\k<x>"}, {"finalAssistantMessage": "aa"}, "fail"),
    ({"type": "responseMatches", "pattern": "a(?=b)"}, {"finalAssistantMessage": "ab"}, "fail"),
    ({"type": "responseMatches", "pattern": "a"}, {"finalAssistantMessage": "a" * 100_001}, "fail"),
    # Counting by patterns.
    ({"type": "toolInputMatches", "toolName": "place_hold", "patterns": ["978"], "min": 0, "max": 0}, {}, "fail"),
    ({"type": "toolInputMatches", "toolName": "x", "patterns": ["978"], "min": 0, "max": 0}, {}, "pass"),
    ({"type": "toolInputMatches", "toolName": "x", "patterns": ["978"]}, {}, "fail"),
    ({"type": "toolInputMatches", "toolName": "place_hold", "patterns": ["978", "zzz"]}, {}, "fail"),
    ({"type": "toolInputMatches", "toolName": "place_hold", "patterns": ["("]}, {}, "error"),
    ({"type": "toolResultMatches", "patterns": ["gone"]}, {"capture": {**WHOLE, "toolResults": "partial"}}, "error"),
    ({"type": "toolResultMatches", "patterns": ["Held"], "max": 1}, {"capture": {**WHOLE, "toolResults": "partial"}}, "error"),
    ({"type": "toolResultMatches", "patterns": ["Held"], "min": 0, "max": 0}, {"capture": {**WHOLE, "toolResults": "partial"}}, "fail"),
    ({"type": "toolResultMatches", "patterns": ["a"], "path": "/books"}, {}, "pass"),
    # The catalog, whatever the model did.
    ({"type": "toolNamesUnique"}, {"toolDeclarations": [HOLD, {**HOLD, "serverKey": "other"}]}, "pass"),
    ({"type": "toolNamesUnique"}, {"toolDeclarations": []}, "pass"),
    ({"type": "toolAnnotationsPresent", "require": ["destructiveHint"]}, {}, "fail"),
    ({"type": "toolDescriptionsPresent", "minLength": 0}, {}, "error"),
    # What no author could have written.
    ({"type": "toolCalledWith", "toolName": "a", "args": {"args": {}}, "minCount": 0}, {}, "fail"),
    ({"type": "toolCalledWith"}, {}, "fail"),
    ({"type": "noSuchKind"}, {}, "fail"),
    ({"type": ["x"]}, {}, "fail"),
    ({"type": "toolLatencyUnder", "ms": True}, {}, "fail"),
    ({"type": "responseCloseTo", "reference": " ", "normalizeWhitespace": True, "maxDistance": 1}, {}, "error"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "change", "state"), CASES)
def test_a_case_of_the_contract(check: Json, change: Json, state: str) -> None:
    found = evaluate(check, desk(**change))
    assert found.state == state, found.reason


def test_no_schema_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(socket.socket, "connect", lambda _, to: asked.append(to))
    schema = {"$ref": "http://localhost:9/schema.json"}
    check = {"type": "toolResultMatchesSchema", "schema": schema, "toolName": "find_book"}
    assert evaluate(check, desk()).state == "error"
    assert asked == []


LONG = "a" * 50_000 + "!"


def doubling(depth: int) -> Json:
    steps = {f"s{at}": {"allOf": [{"$ref": f"#/$defs/s{at + 1}"}] * 2} for at in range(depth)}
    return {"$ref": "#/$defs/s0", "$defs": {**steps, f"s{depth}": True}}


def hostile() -> Evidence:
    rows = [{"toolName": "x", "json": {LONG: LONG}}, {"toolName": "x", "json": LONG}]
    return desk(finalAssistantMessage=LONG, toolResults=rows)


@pytest.mark.parametrize(
    ("check", "patterns"),
    [
        ({"type": "responseMatches", "pattern": "^(a|a)*$"}, {"^(a|a)*$"}),
        ({"type": "responseMatches", "pattern": "(a*)*b"}, {"(a*)*b"}),
        ({"type": "responseMatches", "pattern": "a*a*a*a*a*a*a*a*b$"}, {"a*a*a*a*a*a*a*a*b$"}),
        ({"type": "toolResultMatches", "patterns": ["(a|aa)+$", "(?:a?){500}b"]}, {"(a|aa)+$", "(?:a?){500}b"}),
        ({"type": "toolInputMatches", "toolName": "find_book", "patterns": ["(a|aa)+$"]}, {"(a|aa)+$"}),
        ({"type": "toolResultMatchesSchema", "schema": {"pattern": "^(a+)+$"}}, {"^(a+)+$"}),
        ({"type": "toolResultMatchesSchema", "schema": {"patternProperties": {"^(a+)+$": False}}}, {"^(a+)+$"}),
        ({"type": "toolResultMatchesSchema", "schema": {"patternProperties": {"^(a+)+$": True}, "unevaluatedProperties": False}}, {"^(a+)+$"}),
    ],
)  # fmt: skip
def test_no_pattern_of_an_author_or_a_server_reaches_an_engine_that_can_hang(
    monkeypatch: pytest.MonkeyPatch, check: Json, patterns: set[str]
) -> None:
    seen: list[object] = []
    compiled = re._compile  # type: ignore[attr-defined]  # what every function of re goes through

    def spy(pattern: object, flags: int) -> object:
        seen.append(pattern)
        return compiled(pattern, flags)

    monkeypatch.setattr(re, "_compile", spy)
    re.search("heard", "heard")
    assert evaluate(check, hostile()).reason
    assert "heard" in seen
    assert not [one for one in seen if isinstance(one, str) and any(two in one for two in patterns)]


def test_users_patterns_are_compiled_by_the_engine_that_is_linear_in_the_text() -> None:
    for compiled in (compile_ecmascript("^(a|a)*$"), compile_re2("(a|aa)+$", "i")):
        assert type(compiled).__module__ == "re2"


@pytest.mark.parametrize("schema", [doubling(40), {"$ref": "#"}])
def test_a_schema_that_multiplies_itself_is_given_up_after_so_many_steps(schema: Json) -> None:
    check = {"type": "toolResultMatchesSchema", "schema": schema}
    outcome = evaluate(check, hostile())
    assert (outcome.state, outcome.reason) == (
        "error",
        "The authored schema: unusable schema.",
    )


def test_a_schema_within_its_steps_is_used() -> None:
    check = {"type": "toolResultMatchesSchema", "schema": doubling(8)}
    assert evaluate(check, hostile()).state == "pass"


@pytest.mark.parametrize(
    ("reference", "state"), [("ab" * 40, "fail"), ("b" * 79, "fail"), ("b" * 50_000, "error")]
)
def test_a_distance_is_given_up_beyond_so_many_cells(reference: str, state: str) -> None:
    check = {"type": "responseCloseTo", "reference": reference, "maxDistance": 0.5}
    assert evaluate(check, hostile()).state == state


def slow_distance(left: str, right: str) -> int:
    row = list(range(len(right) + 1))
    for at, char in enumerate(left, start=1):
        above = row
        row = [at]
        for to, other in enumerate(right, start=1):
            row.append(min(above[to] + 1, row[-1] + 1, above[to - 1] + (char != other)))
    return row[-1]


@given(st.text("abé😀", max_size=12), st.text("abé😀", min_size=1, max_size=12))
def test_the_distance_is_levenshteins(left: str, right: str) -> None:
    most = slow_distance(left, right) / max(len(left), len(right))
    evidence = desk(finalAssistantMessage=left)
    check = {"reference": right, "maxDistance": most, "caseSensitive": True}
    assert response_close_to(check, evidence).state == "pass"
    if most:
        assert response_close_to({**check, "maxDistance": most - 1e-9}, evidence).state == "fail"


TEXT = st.text(st.characters(codec=None), max_size=30)
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)


@given(TEXT, VALUE, st.dictionaries(TEXT, VALUE, max_size=3))
def test_no_text_and_no_value_ever_raises(text: str, value: Any, arguments: Json) -> None:
    wire = {
        "toolCalls": [{"toolName": text, "arguments": arguments, "toolCallId": text}] * 2,
        "toolErrors": [{"kind": text, "toolName": text, "message": text, "toolCallId": text}],
        "finalAssistantMessage": text,
        "toolResults": [{"toolName": text, "text": text, "json": value, "size": SIZE}],
        "toolInventory": [{**FIND, "name": text, "description": value, "inputSchema": value}],
        "toolDeclarations": [{**FIND, "description": value, "inputSchema": value}],
        "renderObservations": [
            {"toolName": text, "status": text, "elapsedMs": 1, "consoleErrors": [text]}
        ],
        "capture": WHOLE,
    }
    evidence = evidence_of_wire(wire)
    for check, _, _ in KINDS:
        found = evaluate(check, evidence)
        assert "malformed" not in found.reason
        for key in ("needle", "pattern", "reference", "toolName"):
            if key in check:
                evaluate({**check, key: text}, evidence)
