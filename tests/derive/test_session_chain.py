import pytest
from builders import Json, assistant, call, result, user
from session_cases import (
    FAILED,
    REQUIRED_JUDGE,
    RUNNING,
    WITHDRAWN,
    answered,
    catalog_record,
    chain_record,
    check,
    criteria,
    facts_of,
    judged,
    outcome,
    planned,
    refusal,
)

from reporter.identifiers import CatalogId
from reporter.models.facts import SessionFacts
from reporter.models.plan import Catalog
from reporter.vocabulary import CoverageNote, Disposition, Stage

TALK = (user(), assistant())


def states(facts: SessionFacts) -> dict[str, tuple[str, str | None]]:
    assert facts.chain is not None
    return {
        row.stage.value: (row.state.value, None if row.reason is None else row.reason.value)
        for row in facts.chain.rows
    }


def spans(facts: SessionFacts, stage: Stage) -> tuple[str, ...] | None:
    assert facts.chain is not None
    evidence = facts.chain.row(stage).evidence
    return None if evidence is None else evidence.span_ids


NO_SPAN = {
    "call": ("notMeasured", "noEvidenceCaptured"),
    "response": ("notMeasured", "noEvidenceCaptured"),
}

FROM_CALLS: list[tuple[str, list[Json], dict[str, tuple[str, str]]]] = [
    (
        "a result",
        [call(), result()],
        {"call": ("passed", "observed"), "response": ("passed", "observed")},
    ),
    ("no result", [call()], NO_SPAN),
    ("blocked", [call(), result(isError=True, policyBlocked=True)], NO_SPAN),
    ("client-answered", [call(), result(isError=True, answeredBy="client")], NO_SPAN),
    ("the persona's", [call(caller="persona"), result(isError=True)], NO_SPAN),
    (
        "an error flag",
        [call(), result(isError=True)],
        {"call": ("passed", "observed"), "response": ("failed", "toolError")},
    ),
    (
        "an error text without a code",
        [call(), result(error="boom")],
        {"call": ("passed", "observed"), "response": ("failed", "toolError")},
    ),
    (
        "a code",
        [call(), result(mcpErrorCode=-32602)],
        {"call": ("failed", "protocolError"), "response": ("notReached", "earlierStageFailed")},
    ),
    (
        "an empty error text",
        [call(), result(error="")],
        {"call": ("passed", "observed"), "response": ("passed", "observed")},
    ),
]


@pytest.mark.parametrize(
    ("raw", "expected"), [case[1:] for case in FROM_CALLS], ids=[case[0] for case in FROM_CALLS]
)
def test_what_calls_show(raw: list[Json], expected: dict[str, tuple[str, str]]) -> None:
    rows = states(facts_of(*TALK, *raw))
    assert {stage: rows[stage] for stage in expected} == expected
    assert rows["selection"][0] != "passed"


def test_spans_cite_the_calls_in_call_order() -> None:
    facts = facts_of(*TALK, call("c2"), call("c1"), call("c3"), result("c1"), result("c2"))
    assert spans(facts, Stage.CALL) == ("c2", "c1")
    assert spans(facts, Stage.CONNECTION) == ("c2", "c1")


def test_a_wave_session_always_has_an_ask() -> None:
    assert states(facts_of(*TALK))["userValue"] == ("notMeasured", "judgeNotRequested")


@pytest.mark.parametrize(
    ("raw", "slot", "expected"),
    [
        ([refusal()], planned(FAILED), "traceAbsent"),
        ([refusal(), call(caller="persona")], planned(FAILED), "noEvidenceCaptured"),
        ([refusal(), user(role="system", author="client")], planned(FAILED), "traceAbsent"),
        ([user()], planned(FAILED), "noEvidenceCaptured"),
        ([user()], planned(RUNNING), "noEvidenceCaptured"),
        ([user()], planned(WITHDRAWN), "lifecycleStopped"),
    ],
)
def test_what_an_unmeasured_session_says(raw: list[Json], slot: object, expected: str) -> None:
    facts = facts_of(*raw, slot=slot)
    assert states(facts)["selection"] == ("notMeasured", expected)


TWO_SERVERS = {"serverIds": ["a", "b"], "serverNames": ["A", "B"]}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ([answered(serverId="a"), answered(serverId="b")], ("passed", "observed")),
        ([answered(serverId="a")], ("notMeasured", "noEvidenceCaptured")),
        (
            [answered(serverId="a"), refusal(serverId="b", egressVerified=True)],
            ("failed", "connectFailed"),
        ),
        (
            [answered(serverId="a"), refusal(serverId="b", attributable="network")],
            ("notMeasured", "egressUnverified"),
        ),
    ],
)
def test_two_servers(raw: list[Json], expected: tuple[str, str]) -> None:
    facts = facts_of(user(), *raw, target=TWO_SERVERS)
    assert states(facts)["connection"] == expected


READY: Json = {"type": "readiness", "status": "completed"}

INVENTORIES: list[tuple[str, list[Json], Catalog | None, tuple[str, str]]] = [
    ("own and complete", [catalog_record("a")], None, ("passed", "observed")),
    (
        "own and not complete",
        [catalog_record("a", complete=False)],
        None,
        ("notMeasured", "noEvidenceCaptured"),
    ),
    ("own and empty", [catalog_record()], None, ("notMeasured", "noEvidenceCaptured")),
    (
        "only the target's",
        [],
        Catalog(frozenset({"a"}), complete=True),
        ("notMeasured", "noEvidenceCaptured"),
    ),
    (
        "readiness",
        [{**READY, "advertisedToolsKnown": True, "advertisedToolCount": 3}],
        None,
        ("passed", "observed"),
    ),
    (
        "readiness that does not know",
        [{**READY, "advertisedToolsKnown": False, "advertisedToolCount": 3}],
        None,
        ("notMeasured", "noEvidenceCaptured"),
    ),
    (
        "a known readiness before the catalogue",
        [catalog_record("a"), {**READY, "advertisedToolsKnown": True, "advertisedToolCount": 0}],
        None,
        ("notMeasured", "noEvidenceCaptured"),
    ),
]


@pytest.mark.parametrize(
    ("raw", "catalog", "expected"),
    [case[1:] for case in INVENTORIES],
    ids=[case[0] for case in INVENTORIES],
)
def test_a_catalogue_as_inventory(
    raw: list[Json], catalog: Catalog | None, expected: tuple[str, str]
) -> None:
    facts = facts_of(user(), *raw, catalog=catalog)
    assert states(facts)["discovery"] == expected


def test_a_catalogue_named_by_id_is_an_inventory_of_this_session() -> None:
    named: Json = {"type": "catalog", "catalogId": "k1", "complete": True}
    catalogs = {CatalogId("k1"): Catalog(frozenset({"a", "b"}), complete=False)}
    facts = facts_of(user(), named, catalogs=catalogs)
    assert states(facts)["discovery"] == ("passed", "observed")
    assert facts.catalog_tools == frozenset({"a", "b"})


def test_a_kind_filed_at_discovery_colours_no_stage_and_counts_in_the_verdict() -> None:
    rubric = [check(kind="toolNamesUnique")]
    facts = facts_of(*TALK, criteria(outcome(passed=False)), rubric=rubric)
    assert facts.verdict.verdict == "failed"
    assert states(facts)["discovery"][0] != "failed"
    assert states(facts)["userValue"][0] == "notMeasured"
    assert facts.disposition is Disposition.GOAL_MISSED


@pytest.mark.parametrize("kind", ["toolCalledWith", None])
def test_a_check_that_held_leaves_user_value_to_a_decisive_judge(kind: str | None) -> None:
    facts = facts_of(
        *TALK,
        criteria(outcome(passed=True)),
        judged(passed=False, reason="not what was asked"),
        rubric=[check(kind=kind)],
        judge=REQUIRED_JUDGE,
    )
    assert states(facts)["userValue"] == ("failed", "judgeFailed")
    assert facts.chain is not None
    evidence = facts.chain.row(Stage.USER_VALUE).evidence
    assert evidence is not None
    assert evidence.predicate_reasons == ("not what was asked",)


OURS = ("notMeasured", "notMeasured", "notMeasured", "notMeasured", "notMeasured", "notMeasured")
CALL_FAILED = (
    "passed",
    "passed",
    "notMeasured",
    ("failed", "protocolError"),
    "notReached",
    "notReached",
)


def test_a_valid_recorded_chain_is_the_sessions_chain_and_differences_are_reported() -> None:
    facts = facts_of(*TALK, chain_record(*CALL_FAILED))
    assert facts.chain_source == "recorded"
    assert states(facts)["call"] == ("failed", "protocolError")
    (problem,) = facts.problems
    assert (problem.rule, problem.severity, problem.place) == ("chain-differs", "note", "line 3")
    assert "call is failed (protocolError)" in problem.what
    assert "derived notMeasured" in problem.what


def test_a_recorded_chain_that_agrees_is_used_in_silence() -> None:
    facts = facts_of(*TALK, chain_record(*OURS, version=6))
    assert (facts.chain_source, facts.problems) == ("recorded", ())
    assert facts.chain is not None
    assert facts.chain.analyzer_version == 6


def test_the_last_recorded_chain_counts() -> None:
    facts = facts_of(*TALK, chain_record(*CALL_FAILED), chain_record(*OURS))
    assert facts.chain is not None
    assert facts.chain.first_failed_stage is None


UNUSABLE: list[tuple[str, Json, str]] = [
    ("newer", chain_record(*CALL_FAILED, version=12), "chain-newer"),
    ("no version", chain_record(*CALL_FAILED, version=None), "chain-unusable"),
    ("a boolean version", chain_record(*CALL_FAILED, version=True), "chain-unusable"),
    ("an unknown state", chain_record("broken", *OURS[1:]), "chain-unusable"),
    ("no rows", {"type": "chain", "analyzerVersion": 11, "stages": []}, "chain-unusable"),
    ("no stages", {"type": "chain", "analyzerVersion": 11}, "chain-unusable"),
]


@pytest.mark.parametrize(
    ("record", "rule"), [case[1:] for case in UNUSABLE], ids=[case[0] for case in UNUSABLE]
)
def test_any_other_recorded_chain_is_reported_and_ours_is_used(record: Json, rule: str) -> None:
    facts = facts_of(*TALK, record)
    assert facts.chain_source == "derived"
    assert facts.chain == facts_of(*TALK).chain
    assert [problem.rule for problem in facts.problems] == [rule]


def test_a_session_that_never_started_has_no_chain_whatever_was_recorded() -> None:
    facts = facts_of(chain_record(*CALL_FAILED), call(), result(), slot=planned(FAILED))
    assert (facts.chain, facts.chain_source, facts.started) == (None, None, False)


def test_a_started_session_without_any_evidence_is_unmeasured_and_says_so() -> None:
    facts = facts_of(user(role="tool", author="tool"))
    assert facts.chain is not None
    assert facts.chain.is_unmeasured
    assert CoverageNote.CHAIN_UNMEASURED in facts.notes


TEXT_RULE = {"isError": "text starts with Error"}

INFERRED: list[tuple[str, list[Json], list[Json], dict[Stage, tuple[str, ...]]]] = [
    (
        "an inferred error",
        [call(), result(isError=True, inferred=TEXT_RULE)],
        [],
        {Stage.RESPONSE: ("text starts with Error",)},
    ),
    (
        "beside a recorded error that decides by itself",
        [
            call("c1"),
            result("c1", isError=True, inferred=TEXT_RULE),
            call("c2"),
            result("c2", error="x"),
        ],
        [],
        {},
    ),
    (
        "an inferred code",
        [call(), result(mcpErrorCode=-32601, inferred={"mcpErrorCode": "text names a code"})],
        [],
        {Stage.CALL: ("text names a code",)},
    ),
    (
        "an inferred absence of errors",
        [call(), result(isError=False, inferred=TEXT_RULE)],
        [],
        {Stage.RESPONSE: ("text starts with Error",)},
    ),
    (
        "an inferred reward that failed",
        [criteria(outcome(passed=False), inferred={"results": "reward"})],
        [check()],
        {Stage.USER_VALUE: ("reward",)},
    ),
    (
        "an inferred reward that held",
        [criteria(outcome(), inferred={"results": "reward"})],
        [check(kind="responseContains")],
        {Stage.USER_VALUE: ("reward",)},
    ),
    (
        "an inferred attribution",
        [refusal(egressVerified=True, inferred={"attributable": "status 503"})],
        [],
        {Stage.CONNECTION: ("status 503",)},
    ),
    (
        "an inferred time decides no stage",
        [call(), result(isError=True, inferred={"durationMs": "clock"})],
        [],
        {},
    ),
    (
        "a recorded chain rests on what its maker read",
        [call(), result(isError=True, inferred=TEXT_RULE), chain_record(*OURS)],
        [],
        {},
    ),
]


@pytest.mark.parametrize(
    ("raw", "rubric", "expected"),
    [case[1:] for case in INFERRED],
    ids=[case[0] for case in INFERRED],
)
def test_which_rows_rest_on_inferred_fields(
    raw: list[Json], rubric: list[Json], expected: dict[Stage, tuple[str, ...]]
) -> None:
    assert facts_of(*TALK, *raw, rubric=rubric).inferred_stages == expected
