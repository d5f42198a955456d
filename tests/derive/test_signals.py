import pytest
from builders import Json, assistant, call, result, user
from session_cases import FAILED, SUCCEEDED, catalog_record, facts_of, finish, planned, refusal

from reporter.derive.options import DeriveOptions
from reporter.identifiers import CatalogId
from reporter.models.facts import SessionFacts
from reporter.models.plan import Catalog
from reporter.vocabulary import CoverageNote, Lifecycle, Signal

TALK = (user(), assistant())
KNOWN = catalog_record("find_book", "return_book")


def matches(facts: SessionFacts) -> dict[str, int]:
    return {match.signal.value: match.turn_index for match in facts.signals}


OUTPUT: list[tuple[str, list[Json], int | None]] = [
    ("length", [finish("length", turn=2)], 2),
    ("a provider's spelling", [finish(" MAX_TOKENS ", turn=1)], 1),
    ("the first in file order", [finish("length", turn=3), finish("length", turn=1)], 3),
    ("another reason", [finish("stop"), finish("tool-calls")], None),
    ("no reason", [finish(None)], None),
    ("an empty reply", [assistant("", turn=1), finish("length", turn=1)], 1),
    ("a result cut short", [call(), result(truncated=True), finish("stop")], None),
]


@pytest.mark.parametrize(
    ("raw", "turn"), [case[1:] for case in OUTPUT], ids=[case[0] for case in OUTPUT]
)
def test_output_truncated(raw: list[Json], turn: int | None) -> None:
    assert matches(facts_of(*TALK, *raw)).get("outputTruncated") == turn


HALLUCINATED: list[tuple[str, list[Json], Json, list[str]]] = [
    ("a name that is nowhere", [KNOWN, call(tool="fly")], {}, ["fly"]),
    ("a name of the catalogue", [KNOWN, call()], {}, []),
    ("another case", [KNOWN, call(tool="Find_Book")], {}, ["Find_Book"]),
    ("no catalogue", [call(tool="fly")], {}, []),
    (
        "an incomplete catalogue",
        [catalog_record("find_book", complete=False), call(tool="fly")],
        {},
        [],
    ),
    ("a built-in tool", [KNOWN, call(tool="think")], {"builtInToolIds": ["think"]}, []),
    ("a declared prefix", [KNOWN, call(tool="lib__find_book")], {"toolNamePrefix": "lib__"}, []),
    (
        "a prefix that is not declared",
        [KNOWN, call(tool="lib__find_book")],
        {},
        ["lib__find_book"],
    ),
    (
        "a declared prefix before a name that is nowhere",
        [KNOWN, call(tool="lib__fly")],
        {"toolNamePrefix": "lib__"},
        ["lib__fly"],
    ),
    (
        "a tool that only the app may call",
        [
            {
                **KNOWN,
                "tools": [{"name": "pay", "visibility": ["app"]}],
            },
            call(tool="pay"),
        ],
        {},
        [],
    ),
    ("the persona's call", [KNOWN, call(tool="fly", caller="persona")], {}, []),
    (
        "a call that the client answered",
        [KNOWN, call(tool="fly"), result(answeredBy="client")],
        {},
        ["fly"],
    ),
    (
        "a call that a policy blocked",
        [KNOWN, call(tool="fly"), result(policyBlocked=True)],
        {},
        ["fly"],
    ),
    (
        "several records are their union",
        [KNOWN, catalog_record("fly", view="raw"), call(tool="fly")],
        {},
        [],
    ),
    (
        "one incomplete record makes the union incomplete",
        [KNOWN, catalog_record("x", complete=False), call(tool="fly")],
        {},
        [],
    ),
    ("an empty catalogue", [catalog_record(), call(tool="fly")], {}, ["fly"]),
    (
        "each name once, in call order",
        [KNOWN, call("1", "fly"), call("2", "swim"), call("3", "fly")],
        {},
        ["fly", "swim"],
    ),
]


@pytest.mark.parametrize(
    ("raw", "target", "names"),
    [case[1:] for case in HALLUCINATED],
    ids=[case[0] for case in HALLUCINATED],
)
def test_hallucinated_tool(raw: list[Json], target: Json, names: list[str]) -> None:
    facts = facts_of(*TALK, *raw, target=target)
    assert list(facts.hallucinated_tools) == names
    assert ("hallucinatedTool" in matches(facts)) is bool(names)


def test_the_turn_is_that_of_the_first_call_in_call_order() -> None:
    raw = [KNOWN, call("1", turn=0), call("2", "fly", turn=3), call("3", "swim", turn=1)]
    assert matches(facts_of(*TALK, *raw))["hallucinatedTool"] == 3


TARGETS = Catalog(frozenset({"find_book"}), complete=True)
CATALOGUES: list[tuple[str, list[Json], Catalog | None, bool, list[str]]] = [
    ("the target's", [], TARGETS, True, ["fly"]),
    ("the target's, incomplete", [], Catalog(frozenset(), complete=False), False, []),
    ("none", [], None, False, []),
    ("the session's own before the target's", [catalog_record("fly")], TARGETS, True, []),
    (
        "the session's own though incomplete",
        [catalog_record("x", complete=False)],
        TARGETS,
        False,
        [],
    ),
    ("one by id", [{"type": "catalog", "catalogId": "k", "complete": True}], None, True, []),
    ("one by id that says nothing", [{"type": "catalog", "catalogId": "k"}], None, False, []),
    (
        "one by id that says it is not complete",
        [{"type": "catalog", "catalogId": "k", "complete": False}],
        None,
        False,
        [],
    ),
    (
        "one by an id that is not held",
        [{"type": "catalog", "catalogId": "lost", "complete": True}],
        TARGETS,
        False,
        [],
    ),
    ("neither tools nor id", [{"type": "catalog", "complete": True}], TARGETS, False, []),
]


@pytest.mark.parametrize(
    ("raw", "catalog", "complete", "names"),
    [case[1:] for case in CATALOGUES],
    ids=[case[0] for case in CATALOGUES],
)
def test_which_catalogue_judges_the_calls(
    raw: list[Json], catalog: Catalog | None, complete: bool, names: list[str]
) -> None:
    catalogs = {CatalogId("k"): Catalog(frozenset({"fly"}), complete=True)}
    facts = facts_of(*TALK, *raw, call(tool="fly"), catalog=catalog, catalogs=catalogs)
    assert facts.catalog_complete is complete
    assert list(facts.hallucinated_tools) == names
    assert (Signal.HALLUCINATED_TOOL in facts.signals_not_evaluated) is not complete
    assert (CoverageNote.TOOL_CATALOG_MISSING in facts.notes) is not complete


def test_the_targets_catalogue_can_be_named_by_a_record() -> None:
    record: Json = {"type": "catalog", "catalogId": "own", "complete": True}
    facts = facts_of(user(), record, catalog=TARGETS, target={"catalogId": "own"})
    assert facts.catalog_tools == frozenset({"find_book"})


def test_a_catalogue_that_is_not_held_is_reported() -> None:
    (problem,) = facts_of(user(), {"type": "catalog", "catalogId": "lost"}).problems
    assert (problem.rule, problem.place) == ("catalog-unknown", "line 2: catalogId")


ERRORED: list[tuple[str, list[Json], int | None]] = [
    ("an error flag", [call(turn=1), result(isError=True)], 1),
    ("an error text", [call(turn=1), result(error="boom")], 1),
    ("a code", [call(turn=1), result(mcpErrorCode=-32000)], 1),
    ("no error", [call(), result(isError=False)], None),
    ("no result", [call()], None),
    ("blocked", [call(), result(isError=True, policyBlocked=True)], None),
    ("client-answered", [call(), result(error="no such tool", answeredBy="client")], None),
    ("the persona's", [call(caller="persona"), result(isError=True)], None),
    (
        "the first call in call order, and the call's turn",
        [
            call("1", turn=2),
            call("2", turn=1),
            result("2", isError=True),
            result("1", isError=True),
        ],
        2,
    ),
]


@pytest.mark.parametrize(
    ("raw", "turn"), [case[1:] for case in ERRORED], ids=[case[0] for case in ERRORED]
)
def test_tool_errored(raw: list[Json], turn: int | None) -> None:
    assert matches(facts_of(*TALK, *raw)).get("toolErrored") == turn


READY: Json = {"type": "readiness", "status": "completed", "advertisedToolsKnown": True}
SILENT: list[tuple[str, list[Json], Json, bool]] = [
    ("ran without a call", [], SUCCEEDED, True),
    ("broke without a call", [], FAILED, False),
    ("one call", [call()], SUCCEEDED, False),
    ("the persona's call", [call(caller="persona")], SUCCEEDED, True),
    ("a blocked call", [call(), result(policyBlocked=True)], SUCCEEDED, False),
    ("a client-answered call", [call(), result(answeredBy="client")], SUCCEEDED, False),
    ("known to be empty", [catalog_record()], SUCCEEDED, False),
    ("empty and not complete", [catalog_record(complete=False)], SUCCEEDED, True),
    ("a known catalogue", [KNOWN], SUCCEEDED, True),
    ("known to be empty by count", [{**READY, "advertisedToolCount": 0}], SUCCEEDED, False),
    ("not empty by count", [{**READY, "advertisedToolCount": 2}], SUCCEEDED, True),
]


@pytest.mark.parametrize(
    ("raw", "attempt", "fires"), [case[1:] for case in SILENT], ids=[case[0] for case in SILENT]
)
def test_no_tool_called(raw: list[Json], attempt: Json, fires: bool) -> None:
    facts = facts_of(*TALK, *raw, slot=planned(attempt))
    assert matches(facts).get("noToolCalled") == (0 if fires else None)


CAPPED: list[tuple[str, list[Json], int | None, int | None]] = [
    ("at the cap", [assistant(turn=0), assistant(turn=1)], 2, 1),
    ("over the cap", [assistant(turn=0), assistant(turn=1), assistant(turn=4)], 2, 4),
    ("under the cap", [assistant(turn=0), assistant(turn=0)], 2, None),
    ("no cap recorded", [assistant(turn=0), assistant(turn=1)], None, None),
    ("turns without the assistant", [user(turn=0), user(turn=1)], 2, None),
    ("a call alone is a turn", [user(), call(turn=0)], 1, 0),
    ("a step alone is a turn", [user(), finish(turn=0)], 1, 0),
    ("the persona's call is none", [user(), call(caller="persona")], 1, None),
]


@pytest.mark.parametrize(
    ("raw", "most", "turn"), [case[1:] for case in CAPPED], ids=[case[0] for case in CAPPED]
)
def test_turn_cap_reached(raw: list[Json], most: int | None, turn: int | None) -> None:
    facts = facts_of(*raw, run={"maxTurns": most})
    assert matches(facts).get("turnCapReached") == turn
    assert (Signal.TURN_CAP_REACHED in facts.signals_not_evaluated) is (most is None)


def test_what_turns_used_says_decides_nothing() -> None:
    raw = [*TALK, {"type": "session_complete", "status": "succeeded", "turnsUsed": 5}]
    facts = facts_of(*raw, run={"maxTurns": 5})
    assert facts.turns_used == 1
    assert "turnCapReached" not in matches(facts)


# What makes each signal fire, in a session that has an answer and a catalogue.
FIRING: dict[Signal, list[Json]] = {
    Signal.OUTPUT_TRUNCATED: [finish("length")],
    Signal.HALLUCINATED_TOOL: [KNOWN, call("h", "fly")],
    Signal.TOOL_ERRORED: [call("e"), result("e", isError=True)],
    Signal.NO_TOOL_CALLED: [],
    Signal.TURN_CAP_REACHED: [finish("stop", turn=0)],
}
NEED_CALLS = {Signal.HALLUCINATED_TOOL, Signal.TOOL_ERRORED}
PAIRS = [
    (first, second)
    for index, first in enumerate(Signal)
    for second in list(Signal)[index + 1 :]
    if not (second is Signal.NO_TOOL_CALLED and first in NEED_CALLS)
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_each_pair_is_keyed_to_the_earlier_one_and_keeps_both(
    first: Signal, second: Signal
) -> None:
    # Calls silence `noToolCalled`, and one turn of one reaches the cap.
    most = 1 if Signal.TURN_CAP_REACHED in (first, second) else 9
    silent = Signal.NO_TOOL_CALLED in (first, second)
    harmless = [] if silent or {first, second} & NEED_CALLS else [call("ok")]
    raw = [*FIRING[second], *FIRING[first], *harmless]
    facts = facts_of(*TALK, *raw, run={"maxTurns": most})
    assert facts.signal_key is first
    assert [match.signal for match in facts.signals] == [first, second]


@pytest.mark.parametrize("signal", list(Signal))
def test_each_signal_alone_is_its_own_key(signal: Signal) -> None:
    harmless = [] if signal is Signal.NO_TOOL_CALLED or signal in NEED_CALLS else [call("ok")]
    most = 1 if signal is Signal.TURN_CAP_REACHED else 9
    facts = facts_of(*TALK, *FIRING[signal], *harmless, run={"maxTurns": most})
    assert [match.signal for match in facts.signals] == [signal]


@pytest.mark.parametrize("signal", sorted(NEED_CALLS))
def test_a_call_and_no_call_never_stand_together(signal: Signal) -> None:
    assert "noToolCalled" not in matches(facts_of(*TALK, *FIRING[signal]))


@pytest.mark.parametrize(
    ("steps", "unknown"),
    [([], True), ([finish(None)], True), ([finish("stop")], False), ([finish("odd")], False)],
)
def test_without_any_finish_reason_truncation_was_not_evaluated(
    steps: list[Json], unknown: bool
) -> None:
    facts = facts_of(*TALK, *steps)
    assert (Signal.OUTPUT_TRUNCATED in facts.signals_not_evaluated) is unknown


def test_an_unread_session_matches_nothing_and_evaluated_nothing() -> None:
    raw = [signal for part in FIRING.values() for signal in part]
    facts = facts_of(*TALK, *raw, options=DeriveOptions(beyond_scan_cap=True))
    assert (facts.signals, facts.signal_key, facts.hallucinated_tools) == ((), None, ())
    assert facts.signals_not_evaluated == tuple(Signal)


def test_a_refused_session_that_ran_used_no_tool() -> None:
    facts = facts_of(refusal(), slot=planned(SUCCEEDED))
    assert facts.lifecycle is Lifecycle.RAN
    assert matches(facts) == {"noToolCalled": 0}
