"""Patterns of calls: the worked examples, each rule as a table, and what never leaves."""

import json
import math
import string
from collections.abc import Sequence
from typing import Any

import pytest
from builders import call, result, user
from hypothesis import given
from hypothesis import strategies as st
from session_cases import facts_of

from reporter.canonical import canonical_json
from reporter.derive.facts_json import facts_line
from reporter.derive.friction_signals.calls import (
    PAGINATION_KEYS,
    Call,
    call_of_wire,
    results_of_messages,
)
from reporter.derive.friction_signals.derive import derive_friction, friction_of_wire
from reporter.derive.friction_signals.document import (
    condition_faults,
    condition_projection,
    friction_faults,
    friction_projection,
    stored_condition,
)
from reporter.derive.friction_signals.identifiers import (
    candidates,
    candidates_of_text,
    is_id_shaped,
    is_used,
    names_identifier,
)
from reporter.models.friction import FrictionDocument, Surfaced
from reporter.vocabulary import (
    FrictionNotMeasuredReason,
    FrictionOrdering,
    FrictionSignal,
    FrictionState,
    SuspectedCondition,
    SuspectedConditionConfidence,
    SuspectedConditionSkipReason,
    SuspectedConditionStatus,
)

HIT = {"structuredContent": {"results": [{"id": "PROJ-1"}, {"id": "PROJ-2"}]}}
OK: dict[str, Any] = {"structuredContent": {}}
ERROR = {"isError": True, "content": []}
NOTHING: Any = object()
Row = tuple[str, Any, Any] | tuple[str, Any, Any, tuple[float, float]]


def document(*rows: Row, hole: FrictionNotMeasuredReason | None = None) -> FrictionDocument:
    """A document over calls given as tool, arguments, result and, where known, times."""
    calls, results = [], {}
    for index, (tool, arguments, raw, *times) in enumerate(rows):
        calls.append({"toolName": tool, "toolCallId": f"c{index}", "arguments": arguments})
        if raw is not NOTHING:
            entry: dict[str, Any] = {"raw": raw}
            if times:
                entry["startedAtMs"], entry["settledAtMs"] = times[0]
            results[f"c{index}"] = entry
    made = friction_of_wire(calls, results, hole)
    assert friction_faults(made.to_wire()) == []
    return made


def said(made: FrictionDocument) -> list[tuple[str, int, int]]:
    return [(signal.kind.value, signal.since, signal.at) for signal in made.signals]


UNUSED, REPEATED = "identifierSurfacedUnused", "searchRepeatedAfterIdentifier"
SAME, CHANGED, PAGED = "identicalRetry", "changedRetry", "paginationContinuation"

EXAMPLES: list[tuple[str, list[Row], list[tuple[str, int, int]], str | None]] = [
    (
        "an answer that nobody used, asked again twice",
        [("S", {"q": "a"}, HIT), ("S", {"q": "b"}, OK), ("L", {}, OK), ("S", {"q": "c"}, OK)],
        [(CHANGED, 0, 1), (UNUSED, 0, 3), (REPEATED, 0, 3)],
        None,
    ),
    (
        "one use clears both",
        [("S", {"q": "a"}, HIT), ("G", {"id": "PROJ-1"}, OK), ("S", {"q": "b"}, OK)],
        [],
        None,
    ),
    (
        "neighbours need no results",
        [
            ("S", {"q": "a"}, NOTHING),
            ("S", {"q": "a"}, NOTHING),
            ("S", {"q": "a", "cursor": "x"}, NOTHING),
        ],
        [(SAME, 0, 1), (PAGED, 1, 2)],
        "resultsUnavailable",
    ),
    (
        "a page more is no repeat",
        [("S", {"q": "a", "limit": 10}, HIT), ("S", {"q": "a", "limit": 20}, OK)],
        [(PAGED, 0, 1)],
        None,
    ),
    (
        "a single later call can repeat and not leave unused",
        [("S", {"q": "a"}, HIT), ("S", {"q": "b"}, OK)],
        [(REPEATED, 0, 1), (CHANGED, 0, 1)],
        None,
    ),
    (
        "again after an error",
        [("S", {"q": "a"}, ERROR), ("S", {"q": "a"}, OK)],
        [(SAME, 0, 1)],
        None,
    ),
    (
        "calls that overlap prove nothing",
        [("S", {"q": "a"}, HIT, (100, 200)), ("S", {"q": "b"}, OK, (150, 250))],
        [(CHANGED, 0, 1)],
        None,
    ),
    (
        "half of the calls timed",
        [("S", {"q": "a"}, HIT, (100, 200)), ("S", {"q": "b"}, OK)],
        [(CHANGED, 0, 1)],
        "orderingUnknown",
    ),
    (
        "later in time and earlier in place",
        [("S", {"q": "b"}, OK, (300, 400)), ("S", {"q": "a"}, HIT, (100, 200))],
        [(CHANGED, 0, 1)],
        None,
    ),
]


@pytest.mark.parametrize(
    ("rows", "signals", "identifiers"),
    [example[1:] for example in EXAMPLES],
    ids=[example[0] for example in EXAMPLES],
)
def test_worked_examples(
    rows: list[Row], signals: list[tuple[str, int, int]], identifiers: str | None
) -> None:
    made = document(*rows)
    assert said(made) == signals
    reason = made.identifiers_not_measured
    assert (reason.value if reason else None) == identifiers


def test_the_first_example_in_wire_form() -> None:
    made = document(*EXAMPLES[0][1]).to_wire()
    assert json.loads(json.dumps(made)) == {
        "version": 1,
        "state": "measured",
        "callCount": 4,
        "resultAvailableCount": 4,
        "timedCallCount": 0,
        "identifierSignals": {"state": "measured"},
        "signals": [
            {
                "kind": "changedRetry",
                "callIndex": 1,
                "priorCallIndex": 0,
                "toolName": "S",
                "afterError": False,
            },
            {
                "kind": "identifierSurfacedUnused",
                "informationCallIndex": 0,
                "observedAtCallIndex": 3,
                "toolName": "S",
                "toolCallId": "c0",
                "identifierKeyPaths": ["results[].id"],
                "identifierCount": 2,
                "laterCallCount": 3,
            },
            {
                "kind": "searchRepeatedAfterIdentifier",
                "informationCallIndex": 0,
                "observedAtCallIndex": 3,
                "toolName": "S",
                "toolCallId": "c0",
                "repeatCallIndexes": [1, 3],
                "identifierKeyPaths": ["results[].id"],
                "identifierCount": 2,
            },
        ],
    }
    assert list(made) == [
        "version",
        "state",
        "callCount",
        "resultAvailableCount",
        "timedCallCount",
        "identifierSignals",
        "signals",
    ]


def test_the_example_of_a_text_with_identifiers() -> None:
    text = '[{"ids":["ab1","ab2"],"slug":"well-known","name":"front-end"}]'
    found = Call(0, "S", None, {}, raw=text, has_result=True).identifiers
    assert sorted({value for value, _ in found}) == ["ab1", "ab2", "front-end", "well-known"]
    assert sorted({path for _, path in found}) == ["[].ids[]", "[].name", "[].slug"]


@pytest.mark.parametrize(
    ("key", "named"),
    [
        *(
            (key, True)
            for key in ("id", "ID", "issue_id", "external_key", "issueId", "Ref", "a_IDS")
        ),
        *((key, False) for key in ("grid", "keys", "issueID", "issue-id", "", "id ", "\u0131d")),
    ],
)
def test_which_keys_name_an_identifier(key: str, *, named: bool) -> None:
    assert names_identifier(key) is named


@pytest.mark.parametrize(
    ("text", "shaped"),
    [
        ("PROJ-1", True),
        ("front-end", True),
        ("a-", False),
        ("abcdefghijklm-1", False),
        ("proj-" + "1" * 32, True),
        ("proj-" + "1" * 33, False),
        ("6ba7b810-9dad-11d1-80b4-00c04fd430c8", True),
        ("6ba7b810-9dad-61d1-80b4-00c04fd430c8", False),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", True),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAI", False),
        ("deadbeef", True),
        ("deadbee", False),
        ("12345678", True),
        ("1234567", False),
        ("PROJ-1\n", False),
        ("PROJ-é", False),
    ],
)
def test_which_texts_have_the_shape_of_an_identifier(text: str, *, shaped: bool) -> None:
    assert is_id_shaped(text) is shaped


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ({"item_id": {"value": "ab1"}}, []),
        ({"id": " ab1 "}, [("ab1", "id")]),
        ({"name": "\ufeffPROJ-1\n"}, [("PROJ-1", "name")]),
        ({"name": "PROJ-1\x1f"}, []),
        ({"id": "\ufeffab1"}, [("ab1", "id")]),
        ({"id": "\x1fa"}, []),
        ({"id": "\x85ab"}, [("\x85ab", "id")]),
        ({"id": 12}, []),
        ({"id": 123}, [("123", "id")]),
        ({"id": 1.5}, [("1.5", "id")]),
        ({"id": True}, []),
        ({"id": None}, []),
        ({"id": 1e21}, [("1e+21", "id")]),
        ({"n": 12345678}, [("12345678", "n")]),
        ({"n": 12345678.0}, [("12345678", "n")]),
        ({"n": 1234567}, []),
        ({"id": "\U0001f600a"}, [("\U0001f600a", "id")]),
        ({"id": "ab"}, []),
        ("PROJ-1", [("PROJ-1", "$")]),
        ([["PROJ-1"]], [("PROJ-1", "[][]")]),
        ([[[[[[["PROJ-1"]]]]]]], []),
        ([[[[[["PROJ-1"]]]]]], [("PROJ-1", "[][][][][][]")]),
        ({"b": "PROJ-2", "a": "PROJ-1"}, [("PROJ-1", "a"), ("PROJ-2", "b")]),
    ],
)
def test_where_identifiers_stand(content: Any, found: list[tuple[str, str]]) -> None:
    assert candidates(content) == found


def test_the_walk_is_bounded() -> None:
    assert len(candidates([f"PROJ-{n}" for n in range(90)])) == 50
    wide = {f"k{n:03}": [f"PROJ-{n}"] * 50 for n in range(9)}
    assert len(candidates(wide)) == 200
    narrow = {key: items[:25] for key, items in wide.items() if key < "k006"}
    parts = [{"type": "text", "text": json.dumps(part)} for part in (narrow, narrow)]
    both = Call(0, "S", None, {}, raw={"content": parts}, has_result=True).identifiers
    assert both == (candidates(narrow) * 2)[:200]
    assert len(both) == 200


@pytest.mark.parametrize("used", [None, 0, 199, 200, 299])
def test_a_use_counts_of_the_identifiers_that_are_looked_at(used: int | None) -> None:
    # Of 300 identifiers 200 are looked at.
    content = {f"k{k:03}": [f"PROJ-{k * 50 + n}" for n in range(50)] for k in range(6)}
    first = Call(0, "S", None, {}, raw={"structuredContent": content}, has_result=True)
    arguments = {} if used is None else {"id": f"PROJ-{used}"}
    later = [Call(at, "T", None, arguments, raw="", has_result=True) for at in (1, 2)]
    signals = derive_friction([first, *later]).signals
    found = [one for one in signals if isinstance(one, Surfaced)]
    is_any_used = used is not None and used < 200
    assert [one.identifier_count for one in found] == ([] if is_any_used else [200])


@pytest.mark.parametrize("length", [9_990, 10_010])
def test_a_text_is_read_alike_whether_it_is_remembered_or_not(length: int) -> None:
    text = json.dumps({"id": "abc", "text": "x" * length})
    for _ in range(2):
        assert [*candidates_of_text(text)] == [("abc", "id")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"id": "ab\ud800"}', ["ab\ud800"]),
        ('{"id": "ab\\ud800"}', ["ab\ud800"]),
        (f'{{"id": 1{"0" * 5_000}}}', []),
        ('{"id": NaN}', []),
        ("[" * 5_000 + "]" * 5_000, []),
    ],
)
def test_texts_that_readers_of_json_differ_in(text: str, found: list[str]) -> None:
    assert [value for value, _ in candidates_of_text(text)] == found


def test_keys_are_walked_by_code_unit() -> None:
    # U+FFFD stands behind the surrogates that spell the emoji, though its code point is lower.
    content = {"\ufffd_id": "aaa", "\U0001f600_id": "bbb"}
    assert [value for value, _ in candidates(content)] == ["bbb", "aaa"]


@pytest.mark.parametrize(
    ("identifier", "arguments", "used"),
    [
        ("123", {"id": "1234"}, False),
        ("123", {"id": "item_123"}, False),
        ("123", {"id": "item-123"}, True),
        ("123", {"n": 123}, True),
        ("abc", {"abc": 1}, True),
        ("abc", {"x": "abcabc abc"}, True),
        ("aba", {"x": "xababa"}, False),
        ("abc", {}, False),
    ],
)
def test_when_a_call_uses_an_identifier(identifier: str, arguments: Any, *, used: bool) -> None:
    assert is_used(identifier, canonical_json(arguments)) is used


@pytest.mark.parametrize(
    ("raw", "values"),
    [
        ({"result": {"structuredContent": None, "content": [{"text": '{"id":"abc"}'}]}}, []),
        ({"result": {"content": [{"text": '{"id":"abc"}'}]}}, ["abc"]),
        ({"result": {"content": [{"type": "image", "text": '{"id":"abc"}'}]}}, []),
        ({"output": {"value": {"structuredContent": {"id": "abc"}}}}, ["abc"]),
        ({"output": {"type": "text"}, "structuredContent": {"id": "abc"}}, ["abc"]),
        ('  {"id":"abc"}  ', ["abc"]),
        ('{"id":"abc"} and more', []),
        ('{"id": NaN, "key": "abc"}', []),
        ("PROJ-1", []),
        (None, []),
        ({"content": "text"}, []),
    ],
)
def test_how_a_stored_result_is_read(raw: Any, values: list[str]) -> None:
    found = Call(0, "S", None, {}, raw=raw, has_result=True).identifiers
    assert [value for value, _ in found] == values


@pytest.mark.parametrize(
    ("raw", "is_error"),
    [
        ({"isError": True}, True),
        ({"isError": 1}, False),
        ({"result": {"isError": True}}, True),
        ({"output": {"value": {"isError": True}}}, True),
        ({"output": {"isError": True}}, False),
        ("Error", False),
    ],
)
def test_when_a_result_is_an_error(raw: Any, *, is_error: bool) -> None:
    assert Call(0, "S", None, {}, raw=raw, has_result=True).is_error is is_error
    assert not Call(0, "S", None, {}, raw=raw, has_result=False).is_error


@pytest.mark.parametrize(
    ("raw", "name", "call_id"),
    [
        ({"toolName": "a", "tool": "b", "toolCallId": "x"}, "a", "x"),
        ({"toolName": "", "tool": "b", "toolCallId": ""}, "b", None),
        ({"toolName": 3, "name": "c"}, "c", None),
        ({}, "", None),
        ("text", "", None),
    ],
)
def test_how_a_graded_call_is_read(raw: Any, name: str, call_id: str | None) -> None:
    made = call_of_wire(0, raw, {})
    assert (made.name, made.call_id, made.ordering) == (name, call_id, FrictionOrdering.UNKNOWN)


def test_results_are_gathered_from_tool_messages() -> None:
    item = {"type": "tool-result", "toolCallId": "c0", "result": 1}
    messages = [
        {"role": "assistant", "content": [item]},
        {"role": "tool", "content": "text"},
        {"role": "tool", "content": [item, item | {"result": 2}, item | {"toolCallId": ""}]},
        {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "c1", "output": 3}]},
        "no message",
    ]
    assert results_of_messages(messages) == {"c0": {"raw": item | {"result": 2}}}


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ({"q": 1}, {"q": 1.0}, SAME),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, SAME),
        (None, {}, CHANGED),
        ([1], [1], SAME),
        ({"q": 1, "page": 1}, {"q": 1, "page": 2}, PAGED),
        ({"q": 1}, {"q": 1, "cursor": None}, PAGED),
        ({"q": 1, "page": 1}, {"q": 2, "page": 2}, CHANGED),
        ({"q": {"limit": 1}}, {"q": {"limit": 2}}, CHANGED),
        ({"Page": 1}, {"Page": 2}, CHANGED),
    ],
)
def test_which_neighbours_repeat(first: Any, second: Any, kind: str) -> None:
    assert [name for name, _, _ in said(document(("S", first, OK), ("S", second, OK)))] == [kind]


def test_paging_keys_are_named_in_contract_order_and_bounded() -> None:
    everything = dict.fromkeys(reversed(PAGINATION_KEYS), 1)
    (signal,) = document(("S", {}, OK), ("S", everything, OK)).signals
    assert signal.to_wire()["paginationKeys"] == list(PAGINATION_KEYS[:4])


def test_tools_without_a_name_form_no_pattern() -> None:
    assert said(document(("", {}, HIT), ("", {}, OK), ("", {"q": 1}, OK))) == []


def test_after_an_error_is_about_the_call_before() -> None:
    (signal,) = document(("S", {"q": 1}, OK), ("S", {"q": 2}, ERROR)).signals
    assert signal.to_wire()["afterError"] is False


@pytest.mark.parametrize(
    ("rows", "hole", "reason"),
    [
        ([], None, "noToolCalls"),
        ([], FrictionNotMeasuredReason.EVIDENCE_INCOMPLETE, "evidenceIncomplete"),
        ([("S", {}, OK)] * 201, None, "truncated"),
        ([("S", {"x": math.inf}, OK)], None, "evidenceIncomplete"),
        ([("S", {}, OK)], FrictionNotMeasuredReason.TRUNCATED, "truncated"),
    ],
)
def test_what_is_not_measured_finds_nothing(
    rows: list[Row], hole: FrictionNotMeasuredReason | None, reason: str
) -> None:
    made = document(*rows, hole=hole)
    assert made.state is FrictionState.NOT_MEASURED
    assert made.to_wire()["notMeasuredReason"] == reason
    assert made.to_wire()["identifierSignals"] == {"state": "notMeasured", "reason": reason}
    assert made.signals == ()
    assert made.call_count == len(rows)


def test_only_the_first_signals_are_kept() -> None:
    rows: list[Row] = [("S", {"q": n}, OK) for n in range(60)]
    assert len(document(*rows).signals) == 24


def test_more_repeats_than_are_named_still_observe_the_last() -> None:
    rows: list[Row] = [("S", {"q": 0}, HIT), ("L", {}, OK)]
    for n in range(1, 11):
        rows += [("S", {"q": n}, OK), ("L", {"n": n}, OK)]
    (repeat,) = [signal for signal in document(*rows).signals if signal.kind == REPEATED]
    wire = repeat.to_wire()
    assert wire["repeatCallIndexes"] == [2, 4, 6, 8, 10, 12, 14, 16]
    assert wire["observedAtCallIndex"] == 20


def test_a_pattern_that_ends_before_it_begins_is_left_out() -> None:
    rows: list[Row] = [
        ("S", {"q": 1}, OK, (300, 400)),
        ("L", {}, OK, (500, 600)),
        ("S", {"q": 0}, HIT, (100, 200)),
    ]
    assert said(document(*rows)) == []


# Sessions of a recording.

CANARY = "CANARY-7781"


def friction_of(*raw: dict[str, Any]) -> FrictionDocument:
    made = facts_of(*raw).friction_signals
    assert made is not None
    return made


def asked(call_id: str, tool: str, args: dict[str, Any], value: Any, **more: Any) -> list[Any]:
    return [call(call_id, tool, args=args), result(call_id, value, **more)]


def test_a_recorded_session_is_looked_at_by_message_order() -> None:
    made = friction_of(
        user(),
        *asked("c1", "search", {"q": "a"}, HIT),
        *asked("c2", "search", {"q": "b"}, OK),
    )
    assert [name for name, _, _ in said(made)] == [REPEATED, CHANGED]


def test_no_identifier_leaves_the_deriver() -> None:
    facts = facts_of(
        user(),
        *asked("c1", "search", {"q": "a"}, {"structuredContent": {"id": CANARY}}),
        *asked("c2", "search", {"q": "b"}, OK),
        *asked("c3", "search", {"q": "c"}, OK),
    )
    assert facts.friction_signals is not None
    assert facts.friction_signals.signals
    assert CANARY not in facts_line(facts)
    assert CANARY not in repr(facts.friction_signals)


def test_the_persona_s_calls_stand_in_no_pattern() -> None:
    made = friction_of(
        user(),
        call("c1", "look", caller="persona"),
        result("c1", OK),
        call("c2", "look", caller="persona"),
        result("c2", OK),
    )
    assert made.to_wire()["notMeasuredReason"] == "noToolCalls"


def test_a_call_without_a_result_keeps_identifiers_unmeasured() -> None:
    made = friction_of(user(), *asked("c1", "s", {"q": 1}, HIT), call("c2", "s", args={"q": 2}))
    assert made.identifiers_not_measured is FrictionNotMeasuredReason.RESULTS_UNAVAILABLE
    assert [name for name, _, _ in said(made)] == [CHANGED]


def test_calls_that_ran_side_by_side_are_told_apart_by_their_times() -> None:
    rows = [
        call("c1", "s", args={"q": 1}, at=100),
        call("c2", "s", args={"q": 2}, at=101),
        result("c1", HIT, at=200),
        result("c2", OK, at=201),
    ]
    made = friction_of(user(at=1), *rows)
    assert made.timed_call_count == 2
    assert [name for name, _, _ in said(made)] == [CHANGED]


def test_an_error_mark_of_a_recorded_result_is_one_here() -> None:
    made = friction_of(
        user(),
        *asked("c1", "s", {"q": 1}, "no", isError=True),
        *asked("c2", "s", {"q": 1}, "yes"),
    )
    assert made.signals[0].to_wire()["afterError"] is True


# Suspected conditions.


def condition(status: str, **more: Any) -> dict[str, Any]:
    own: dict[str, dict[str, Any]] = {
        "scored": {"condition": "unclear", "confidence": "low"},
        "skipped": {"reason": "cap"},
        "error": {},
    }
    return {
        "status": status,
        "gradingKey": "case#1",
        "signalKind": "identicalRetry",
        "informationCallIndex": 0,
        "observedAtCallIndex": 1,
        "judgeTemplateVersion": 1,
        "judgeTemplateHash": "h",
        "model": "m",
        "generatedAt": 5,
        **own[status],
        **more,
    }


def test_every_word_of_a_suspicion_is_accepted() -> None:
    for status in SuspectedConditionStatus:
        assert condition_faults(condition(status.value)) == []
    for word in SuspectedCondition:
        assert condition_faults(condition("scored", condition=word.value)) == []
    for sure in SuspectedConditionConfidence:
        assert condition_faults(condition("scored", confidence=sure.value)) == []
    for reason in SuspectedConditionSkipReason:
        assert condition_faults(condition("skipped", reason=reason.value)) == []
    for kind in FrictionSignal:
        assert condition_faults(condition("error", signalKind=kind.value)) == []


@pytest.mark.parametrize(
    "raw",
    [
        None,
        {},
        condition("scored", reason="cap"),
        condition("skipped", condition="unclear"),
        condition("error", extra=1),
        condition("scored", remediation=""),
        condition("scored", remediation="x" * 301),
        condition("scored", remediation=None),
        condition("scored", evidence={"callIndex": -1, "toolName": "t"}),
        condition("scored", evidence={"callIndex": 1, "toolName": "t", "fieldPath": "x" * 121}),
        condition("scored", judgeTemplateVersion=0),
        condition("scored", confidence="sure"),
        condition("scored", gradingKey="case"),
    ],
)
def test_a_suspicion_that_is_refused(raw: Any) -> None:
    assert condition_faults(raw) != []
    assert condition_projection({"suspectedConditionVerdict": raw}) == {
        "suspectedConditionUnverified": True
    }


def test_a_guess_is_kept_as_no_attribution() -> None:
    word = SuspectedCondition.MISSING_UNITS
    low, high = SuspectedConditionConfidence.LOW, SuspectedConditionConfidence.HIGH
    assert stored_condition(word, low) is SuspectedCondition.UNCLEAR
    assert stored_condition(word, high) is word


def test_projections_say_nothing_of_what_is_not_there() -> None:
    assert friction_projection({}) == {}
    assert friction_projection({"frictionSignals": None}) == {"frictionSignalsUnverified": True}
    assert condition_projection({}) == {}
    kept = condition("error")
    assert condition_projection({"suspectedConditionVerdict": kept}) == {
        "suspectedConditionVerdict": kept
    }


# What must hold for any calls.

texts = st.text(max_size=5) | st.sampled_from(["PROJ-1", "deadbeef", "abc"])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(texts | st.sampled_from(["id", "page", "q"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def some_rows(draw: st.DrawFn) -> list[Row]:
    timed = draw(st.booleans())
    rows: list[Row] = []
    for _ in range(draw(st.integers(0, 7))):
        raw = draw(st.just(NOTHING) | json_values | st.just(HIT) | st.just(ERROR))
        row = (draw(st.sampled_from(["S", "L", ""])), draw(json_values), raw)
        start = draw(st.integers(0, 50))
        rows.append((*row, (start, start + draw(st.integers(0, 50)))) if timed else row)
    return rows


@given(some_rows())
def test_every_document_is_valid_and_repeatable(rows: Sequence[Row]) -> None:
    made = document(*rows)
    assert made == document(*rows)
    wire = json.loads(json.dumps(made.to_wire()))
    assert friction_faults(wire) == []
    assert friction_projection({"frictionSignals": wire}) == {"frictionSignals": wire}


@given(st.text(min_size=3), st.text(alphabet=string.ascii_letters + '_-{}"', max_size=6))
def test_an_identifier_of_any_unicode_is_found_when_it_stands_alone(
    identifier: str, around: str
) -> None:
    arguments = canonical_json({"x": f"{around} {identifier} {around}"})
    quoted = canonical_json(identifier)[1:-1]
    if quoted == identifier and not identifier.isascii():
        assert is_used(identifier, arguments) or identifier not in arguments


NOT_MEASURED: list[list[Row]] = [[], [("S", {}, OK)] * 201, [("S", {"x": math.inf}, OK)]]


def test_every_word_of_a_document_is_produced() -> None:
    made = [document(*example[1]) for example in EXAMPLES]
    kinds = {signal.kind for one in made for signal in one.signals}
    assert kinds == set(FrictionSignal)
    states = {one.state for one in made} | {document().state}
    assert states == set(FrictionState)
    reasons = {one.identifiers_not_measured for one in made} - {None}
    reasons |= {document(*rows).not_measured_reason for rows in NOT_MEASURED}
    assert reasons == set(FrictionNotMeasuredReason)
    calls = [
        Call(0, "S", None, {}),
        Call(0, "S", None, {}, has_result=True),
        Call(0, "S", None, {}, has_result=True, started=1, settled=2),
    ]
    assert {one.ordering for one in calls} == set(FrictionOrdering)
    assert derive_friction(calls).call_count == 3


def placed(index: int, tool: str, arguments: dict[str, Any], **more: Any) -> Call:
    raw = {"structuredContent": {"hold_id": "H-1"}} if index == 0 else {}
    return Call(index, tool, f"c{index}", arguments, raw=raw, has_result=True, **more)


def kinds_of(*calls: Call) -> list[FrictionSignal]:
    return [one.kind for one in derive_friction(list(calls)).signals]


def test_records_settle_what_came_first_within_one_millisecond() -> None:
    times = [(0, 5), (5, 6), (7, 8), (9, 10)]
    given = [("list", {}), ("cancel", {"hold_id": "H-1"}), ("find", {}), ("place", {})]

    def at(places: list[tuple[int, int]]) -> list[FrictionSignal]:
        return kinds_of(
            *(
                placed(index, *one, started=when[0], settled=when[1], places=place)
                for index, (one, when, place) in enumerate(zip(given, times, places, strict=True))
            )
        )

    assert at([(0, 1), (2, 3), (4, 5), (6, 7)]) == []
    side_by_side = at([(0, 2), (1, 3), (4, 5), (6, 7)])
    assert side_by_side == [FrictionSignal.IDENTIFIER_SURFACED_UNUSED]


def test_calls_that_were_sent_side_by_side_had_no_result_of_each_other() -> None:
    after = [placed(0, "get", {"a": 1}, places=(0, 1)), placed(1, "get", {"a": 2}, places=(2, 3))]
    beside = [placed(0, "get", {"a": 1}, places=(0, 2)), placed(1, "get", {"a": 2}, places=(1, 3))]
    repeated = FrictionSignal.SEARCH_REPEATED_AFTER_IDENTIFIER
    assert kinds_of(*after) == [repeated, FrictionSignal.CHANGED_RETRY]
    assert kinds_of(*beside) == [FrictionSignal.CHANGED_RETRY]
