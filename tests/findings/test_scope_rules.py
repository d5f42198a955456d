"""Every rule beyond the contract, each broken by one document that is otherwise ours."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from finding_waves import (
    build,
    chain,
    document_of,
    facts_of,
    failed_checks,
    idle,
    plan_for,
    reported,
    signals,
)

from reporter.findings.recorded import resolves
from reporter.findings.scope import NEEDS_RECORDING, RULES, check_document, check_findings
from reporter.models.facts import CallFact, FinishFact, SessionFacts
from reporter.models.finding import Violation
from reporter.models.plan import Plan
from reporter.vocabulary import Disposition, Lifecycle, Signal, Stage

D = Disposition
Json = dict[str, Any]
Break = Callable[[Json], None]

FACTS: list[SessionFacts] = [
    facts_of(
        "s1",
        D.BLOCKED_CALLING_TOOL,
        chain=chain(Stage.CALL),
        **failed_checks("c1"),
        **reported(),
        **signals(Signal.TOOL_ERRORED, turn=2),
    ),
    facts_of("s2", D.GOAL_MISSED),
    facts_of("s3", D.GOAL_MET, target_id="t2"),
    facts_of("s4", D.GOAL_MISSED, run_id="r2", goal_id="fines", goal_title="Pay a fine"),
    idle(
        "s5",
        Lifecycle.WITHDRAWN,
        run_id="r2",
        target_id="t2",
        goal_id="fines",
        goal_title="Pay a fine",
    ),
    facts_of("s6", D.GOAL_MET, run_id="r3", persona_name="Ben", persona_ref_id="p2"),
]
PLAN: Plan = plan_for(FACTS)

OUTCOME = 'goal:[null,"r1","t1"]'
MET = 'goal:[null,"r1","t2"]'
IDLE = 'goal:[null,"r2","t2"]'
SIGNAL = "signal:toolErrored::r1:t1"
REPORT = "session:s1"
PERSONA = 'persona:[null,"Ana","notMet"]'
TARGET = 'target:["t1","notMet"]'
TARGET_LAUNCH = 'target:["t2","notStarted"]'
WAVE = 'wave:["notStarted"]'
HOST = {"kind": "host", "id": "host-t1", "label": "Host t1", "modelId": "model-one"}
NO_ONE = {"personaRefId": None, "name": ""}


def row(document: Json, row_id: str) -> Json:
    found: Json = next(each for each in document["findings"] if each["id"] == row_id)
    return found


def put(row_id: str, **values: Any) -> Break:
    return lambda document: row(document, row_id).update(values)


def put_in(row_id: str, key: str, **values: Any) -> Break:
    return lambda document: row(document, row_id)[key].update(values)


def envelope(key: str, **values: Any) -> Break:
    return lambda document: document[key].update(values)


def whole(**values: Any) -> Break:
    return lambda document: document.update(values)


def check(change: Break | None = None, plan: Plan | None = PLAN) -> tuple[Violation, ...]:
    document: Json = copy.deepcopy(document_of(FACTS, PLAN))
    if change is not None:
        change(document)
    return check_document(document, plan, FACTS if plan else None)


def test_a_document_of_ours_breaks_no_rule() -> None:
    assert {each["id"] for each in document_of(FACTS, PLAN)["findings"]} >= {
        OUTCOME,
        MET,
        IDLE,
        SIGNAL,
        REPORT,
        PERSONA,
        TARGET,
        TARGET_LAUNCH,
        WAVE,
    }
    assert check() == ()


def verified(**values: Any) -> Json:
    made = {"proposed": 2, "confirmed": 1, "rejected": 1, "unverified": 0, "omitted": 0}
    return {**made, **values}


def append_copy(row_id: str, **values: Any) -> Break:
    def change(document: Json) -> None:
        document["findings"].append({**copy.deepcopy(row(document, row_id)), **values})

    return change


def say(row_id: str, text: str) -> Break:
    return put(row_id, mechanismPhrase=text)


BROKEN: list[tuple[str, str | None, Break]] = [
    ("S1", PERSONA, put(PERSONA, basis="sessionReport")),
    ("S1", OUTCOME, put(OUTCOME, basis="sessionReport")),
    ("S1", REPORT, put(REPORT, scopeLevel="goal")),
    ("S1", REPORT, put(REPORT, basis="populationFact")),
    ("S1", WAVE, put(WAVE, basis="verifiedMechanism")),
    ("S2", PERSONA, put(PERSONA, target=HOST)),
    (
        "S2",
        WAVE,
        put(WAVE, target={**HOST, "id": "", "label": "", "modelId": None, "kind": "environment"}),
    ),
    ("S2", TARGET, put_in(TARGET, "persona", name="Ana")),
    ("S2", TARGET, put(TARGET, target={"kind": "host", "id": "", "label": "", "modelId": None})),
    ("S2", OUTCOME, put(OUTCOME, persona=NO_ONE)),
    ("S2", OUTCOME, put_in(OUTCOME, "goal", title="Pay a fine")),
    ("S2", OUTCOME, put_in(OUTCOME, "goal", runId="r9")),
    ("S2", OUTCOME, put_in(OUTCOME, "persona", name="Ben")),
    ("S2", OUTCOME, put_in(OUTCOME, "target", label="Another")),
    ("S2", OUTCOME, put_in(OUTCOME, "target", modelId=None)),
    ("S2", PERSONA, put_in(PERSONA, "persona", name="Zoe")),
    ("S2", TARGET, put_in(TARGET, "target", kind="environment")),
    ("S3", OUTCOME, put(OUTCOME, sessionIds=["s4"], citations=[])),
    (
        "S3",
        REPORT,
        put(
            REPORT, sessionIds=["s1", "s2"], population={"count": 2, "total": 2, "unit": "sessions"}
        ),
    ),
    ("S3", PERSONA, put(PERSONA, sessionIds=["s1", "s2", "s6"])),
    ("S3", TARGET, put(TARGET, sessionIds=["s1", "s2", "s3"])),
    ("S4", OUTCOME, put_in(OUTCOME, "population", total=3)),
    ("S4", WAVE, put_in(WAVE, "population", total=7)),
    ("S4", PERSONA, put_in(PERSONA, "population", total=5)),
    ("S5", PERSONA, say(PERSONA, "It happened in Borrow a book.")),
    ("S5", PERSONA, say(PERSONA, "it happened in  PAY\na fine")),
    ("S5", PERSONA, say(PERSONA, "goal fines, that is")),
    ("S5", TARGET, say(TARGET, "Ana could not")),
    ("S5", WAVE, say(WAVE, "ben-like people")),
    ("S5", WAVE, put(WAVE, fixPhrase="Tell Ben.")),
    (
        "S5",
        WAVE,
        put(WAVE, reportExcerpt={"actual": "Ben left.", "citations": []}),
    ),
    (
        "S6",
        PERSONA,
        put(PERSONA, chainStage="call", chainStageState="failed", chainStageBasis="derived"),
    ),
    ("S6", PERSONA, put(PERSONA, mechanismId="m")),
    ("S7", OUTCOME, put(OUTCOME, disposition="blockedByResponse")),
    ("S7", MET, put(MET, disposition="goalMissed", tone="fail")),
    ("S7", SIGNAL, put(SIGNAL, disposition="goalMissed")),
    ("S7", REPORT, put(REPORT, disposition="goalMissed")),
    ("S8", OUTCOME, put(OUTCOME, coverageNotes=["budgetExhausted"])),
    ("S9", OUTCOME, put(OUTCOME, citations=["s2/c:c1"])),
    ("S9", OUTCOME, put(OUTCOME, citations=["s1/c:c2"])),
    ("S9", OUTCOME, put(OUTCOME, citations=["s1/k:connection"])),
    ("S9", REPORT, put(REPORT, citations=["s1/m:2"])),
    ("S9", REPORT, put_in(REPORT, "reportExcerpt", citations=["s1/m:9"])),
    ("S9", SIGNAL, put(SIGNAL, citations=["s1/signal:toolErrored:1"])),
    ("S9", SIGNAL, put(SIGNAL, citations=["s1/signal:noToolCalled:0"])),
    ("S9", SIGNAL, put(SIGNAL, citations=["s1/t:call-9"])),
    ("S10", OUTCOME, append_copy(OUTCOME)),
    ("S11", WAVE, put(WAVE, disposition="notMeasured")),
    ("S11", TARGET_LAUNCH, put(TARGET_LAUNCH, disposition="goalMissed", tone="fail")),
    ("S11", IDLE, put(IDLE, sessionIds=["s4"])),
    ("S11", REPORT, put(REPORT, disposition="notRun", tone="muted")),
    ("S11", SIGNAL, put(SIGNAL, disposition="notRun", tone="muted")),
    ("S11", PERSONA, put(PERSONA, disposition="notRun", tone="muted")),
    ("S11", TARGET, put(TARGET, disposition="notRun", tone="muted")),
    ("A1", None, envelope("population", unread=1)),
    ("A2", None, envelope("population", limited=2)),
    ("A3", None, envelope("population", graded=6)),
    ("A4", None, envelope("population", withdrawn=6, limited=1)),
    ("A5", None, whole(summaryKind="notLaunched")),
    ("A6", None, whole(verification=verified(proposed=3))),
    ("A6", None, whole(verification=verified(omitted=3))),
    ("A7", SIGNAL, put_in(SIGNAL, "population", count=1, total=0)),
    ("A8", PERSONA, put(PERSONA, sessionIds=["s1", "s1", "s2"])),
    ("A8", PERSONA, put(PERSONA, sessionIds=["s1", "s2"])),
    ("A9", MET, put(MET, sessionIds=["nobody"])),
    ("A9", MET, put(MET, sessionIds=["s5"])),
    ("P1", OUTCOME, put(OUTCOME, outcomePhrase="goal missed")),
    ("P1", OUTCOME, put(OUTCOME, mechanismPhrase="Because.")),
    ("P1", OUTCOME, put(OUTCOME, mechanismId="m")),
    ("P1", SIGNAL, put(SIGNAL, outcomePhrase="a tool broke")),
    ("P1", SIGNAL, put(SIGNAL, reportExcerpt={"actual": "x", "citations": []})),
    ("P1", REPORT, put(REPORT, fixPhrase="Say more.", mechanismPhrase="Because.")),
    ("P1", REPORT, put(REPORT, signal="toolErrored")),
    ("P1", REPORT, put(REPORT, reportExcerpt=None)),
    ("P1", WAVE, put(WAVE, outcomePhrase="went badly")),
    ("P1", OUTCOME, put(OUTCOME, basis="verifiedMechanism")),
    ("P2", OUTCOME, put(OUTCOME, fixPhrase="Say more.", mechanismPhrase=" ")),
    ("6.3", OUTCOME, put(OUTCOME, chainStage=None)),
    ("6.3", OUTCOME, put(OUTCOME, chainStageState="notReached")),
    ("6.3", SIGNAL, put(SIGNAL, chainStageState="failed")),
]


@pytest.mark.parametrize(
    ("rule", "row_id", "change"), BROKEN, ids=[f"{n}-{each[0]}" for n, each in enumerate(BROKEN)]
)
def test_a_broken_rule_is_named_with_its_row(rule: str, row_id: str | None, change: Break) -> None:
    found = check(change)
    assert all(each.checkable and each.what for each in found)
    assert (rule, row_id) in {(each.rule, each.row_id) for each in found}


def test_every_rule_has_a_document_that_breaks_it() -> None:
    assert {rule for rule, _, _ in BROKEN} == set(RULES)


@pytest.mark.parametrize(
    ("row_id", "text"),
    [
        (PERSONA, "Borrow a bookcase"),
        (PERSONA, "re_Borrow a book"),
        (PERSONA, "9Pay a fine"),
        (PERSONA, "finest hour"),
        (PERSONA, "g1 is too short an id to look for"),
        (PERSONA, "Ana may be named at her own scope"),
        (TARGET, "Banana and Benny and Ben_10"),
        (WAVE, "anaemic"),
    ],
)
def test_a_name_inside_a_longer_word_is_none(row_id: str, text: str) -> None:
    assert "S5" not in {each.rule for each in check(say(row_id, text))}


def test_codes_own_words_are_not_searched() -> None:
    facts = [
        facts_of("s1", goal_title="did not start", persona_name="did not meet the goal"),
        idle("s2", goal_title="did not start", persona_name="did not meet the goal"),
        facts_of("s3", D.GOAL_MISSED, target_id="t2", persona_name="start", run_id="r2"),
    ]
    plan = plan_for(facts)
    assert check_document(document_of(facts, plan), plan, facts) == ()


def test_names_are_those_of_the_plan_and_of_the_document() -> None:
    unused = plan_for(FACTS, personas=[("p7", "Quentin")])
    named = say(WAVE, "Quentin could not")
    assert "S5" in {each.rule for each in check(named, unused)}
    assert "S5" not in {each.rule for each in check(named)}
    alone = check(say(WAVE, "Ben could not"), None)
    assert "S5" in {each.rule for each in alone if each.checkable}


def test_without_a_recording_the_rest_is_checked_and_what_was_not_is_said() -> None:
    found = check(plan=None)
    assert [each.rule for each in found] == list(NEEDS_RECORDING)
    assert not any(each.checkable for each in found)
    broken = check(put_in(OUTCOME, "population", total=9), None)
    assert [each.rule for each in broken if each.checkable] == ["S4"]


def test_a_document_that_breaks_the_contract_says_only_that() -> None:
    found = check(whole(summaryKind="fine"))
    assert [each.rule for each in found] == ["contract"]
    assert "summaryKind" in found[0].what


def test_violations_do_not_depend_on_the_order_of_rows() -> None:
    def spoil(document: Json) -> None:
        put(OUTCOME, outcomePhrase="goal missed")(document)
        put(SIGNAL, citations=["s9/m:0"])(document)
        put(WAVE, disposition="notMeasured")(document)

    def spoil_turned(document: Json) -> None:
        spoil(document)
        document["findings"].reverse()

    assert check(spoil) == check(spoil_turned)


def test_the_full_set_is_held_to_its_uncapped_counts() -> None:
    facts = [facts_of(f"s{n:04}", D.GOAL_MISSED) for n in range(1001)]
    findings = build(facts)
    plan = plan_for(facts)
    assert check_findings(findings, plan, facts) == ()
    assert check_document(document_of(facts, plan), plan, facts) == ()
    capped = check_findings(findings, plan, facts, id_cap=1000)
    assert {each.rule for each in capped} == {"A8"}


def test_a_document_may_use_the_second_name_of_a_session() -> None:
    facts = [facts_of("s1", D.GOAL_MISSED, **failed_checks("c1"))]
    plan = plan_for(facts)
    plan = replace(plan, slots=(replace(plan.slots[0], document_id="doc-1"),))
    document = document_of(facts, plan)
    row(document, OUTCOME).update(sessionIds=["doc-1"], citations=["doc-1/c:c1"])
    assert check_document(document, plan, facts) == ()


CITED = facts_of(
    "s1",
    **signals(Signal.OUTPUT_TRUNCATED, Signal.HALLUCINATED_TOOL, Signal.TOOL_ERRORED, turn=1),
    messages_loaded=3,
    has_connection_record=True,
    hallucinated_tools=("ghost",),
    finish_reasons=(FinishFact(4, 0, "length"), FinishFact(5, 0, "stop")),
    tool_calls=(
        CallFact("a", "find", 2, error="isError"),
        CallFact("b", "ghost", 3),
        CallFact("c", "find", 6, error="noResult"),
        CallFact("d", "ghost", 7, caller="persona", error="protocol"),
    ),
    **failed_checks("c:1"),
)


@pytest.mark.parametrize(
    ("pointer", "found"),
    [
        ("m:0", True),
        ("m:2", True),
        ("m:3", False),
        ("m:-1", False),
        ("m:", False),
        ("m:\u0661", False),
        ("t:a", True),
        ("t:z", False),
        ("c:c:1", True),
        ("c:c", False),
        ("k:connection", True),
        ("k:other", False),
        ("signal:toolErrored:1", True),
        ("signal:toolErrored:2", True),
        ("signal:toolErrored:6", False),
        ("signal:toolErrored:7", False),
        ("signal:hallucinatedTool:3", True),
        ("signal:hallucinatedTool:7", False),
        ("signal:outputTruncated:4", True),
        ("signal:outputTruncated:5", False),
        ("signal:noToolCalled:0", False),
        ("signal:nothing:0", False),
        ("signal:toolErrored:", False),
        ("x:1", False),
        ("", False),
    ],
)
def test_a_citation_resolves_only_to_what_was_recorded(pointer: str, found: bool) -> None:
    assert resolves(pointer, CITED) is found


def test_where_messages_were_not_counted_the_last_known_index_stands_in() -> None:
    session = facts_of("s1", message_count=2, last_assistant_index=4)
    assert resolves("m:4", session)
    assert not resolves("m:5", session)
