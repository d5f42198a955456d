import json
from dataclasses import replace
from typing import Any

from builders import Json, call, result, user
from hypothesis import given
from hypothesis import strategies as st
from session_cases import (
    FAILED,
    LIMITED,
    PENDING,
    REQUIRED_JUDGE,
    RUNNING,
    SUCCEEDED,
    WITHDRAWN,
    answered,
    catalog_record,
    check,
    criteria,
    facts_of,
    finish,
    judged,
    outcome,
    planned,
    refusal,
)

from reporter.derive.facts_json import facts_line
from reporter.derive.options import DeriveOptions
from reporter.models.facts import SessionFacts
from reporter.vocabulary import (
    Disposition,
    FrictionReason,
    Signal,
    Stage,
    StageState,
    Tone,
    Verdict,
    tone_of,
)

CALL_IDS = st.sampled_from(["c1", "c2", "c3"])
TOOLS = st.sampled_from(["find_book", "return_book"])
TURNS = st.integers(min_value=0, max_value=3)
FLAGS = st.sampled_from([None, True, False])


def made(build: Any, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(fields).map(lambda drawn: build(**drawn))


def message(role: str, turn: int, text: str) -> Json:
    author = {"user": "persona", "assistant": "assistant", "system": "client"}[role]
    return user(text, turn, role=role, author=author)


MESSAGES = made(
    message,
    role=st.sampled_from(["user", "assistant", "system"]),
    turn=TURNS,
    text=st.text(max_size=8),
)
CALLS = made(
    call,
    call_id=CALL_IDS,
    tool=TOOLS,
    turn=TURNS,
    caller=st.sampled_from(["assistant", "persona"]),
)
RESULTS = made(
    result,
    call_id=CALL_IDS,
    isError=FLAGS,
    mcpErrorCode=st.sampled_from([None, -32602, -32000]),
    error=st.sampled_from([None, "", "boom"]),
    policyBlocked=FLAGS,
    answeredBy=st.sampled_from([None, "server", "client"]),
)
CONNECTIONS = made(
    refusal,
    phase=st.sampled_from(["connect", "initialize", "tools_list", "prompts_list"]),
    outcome=st.sampled_from(["ok", "failed", "skipped"]),
    attributable=st.sampled_from(["server", "client", "network", "unknown"]),
    egressVerified=FLAGS,
    serverId=st.sampled_from([None, "a", "b"]),
)
STEPS = made(finish, reason=st.sampled_from([None, "stop", "length"]), turn=TURNS)
CATALOGS = st.sampled_from([catalog_record("find_book"), catalog_record("x", complete=False)])
JUDGES = made(
    judged,
    passed=FLAGS,
    score=st.sampled_from([None, 0.2, 0.9]),
    threshold=st.sampled_from([None, 0.5]),
    status=st.sampled_from(["running", "completed", "failed"]),
)
OUTCOMES = made(
    outcome,
    criterion_id=st.sampled_from(["a", "b", "z"]),
    passed=st.booleans(),
    status=st.sampled_from([None, "scored", "error"]),
    notApplicable=st.sampled_from([None, {"class": "none"}]),
)
CHECKS = st.builds(
    lambda results, status, claimed: criteria(*results, status=status, criterionIds=claimed),
    st.lists(OUTCOMES, max_size=4),
    st.sampled_from(["pending", "completed", "failed"]),
    st.none() | st.lists(st.sampled_from(["a", "b", "z"]), max_size=3),
)
GRADING = st.sampled_from(["notRequested", "queued", "running", "settled", "unavailable"]).map(
    lambda state: {"type": "grading", "state": state}
)
RECORDS = st.lists(
    MESSAGES | CALLS | RESULTS | CONNECTIONS | STEPS | CATALOGS | JUDGES | CHECKS | GRADING,
    max_size=12,
)
ROLES = st.sampled_from(["advisory", "required", None])
RUBRICS: st.SearchStrategy[list[Json]] = st.builds(
    lambda first, second, kind: [check("a", first, kind), check("b", second)],
    ROLES,
    ROLES,
    st.sampled_from([None, "noToolErrors", "toolCalledAtLeastOnce", "toolNamesUnique"]),
) | st.just([])
CONTEXTS = st.fixed_dictionaries(
    {
        "slot": st.builds(
            planned,
            st.sampled_from([None, PENDING, RUNNING, SUCCEEDED, FAILED, LIMITED, WITHDRAWN]),
            recorded=st.booleans(),
            message_count=st.sampled_from([None, 0, 2]),
        ),
        "rubric": RUBRICS,
        "judge": st.sampled_from([None, REQUIRED_JUDGE]),
        "damaged": st.booleans(),
        "run": st.sampled_from([{"maxTurns": None}, {"maxTurns": 2}]),
        "options": st.builds(DeriveOptions, beyond_scan_cap=st.booleans()),
    }
)
SESSIONS = st.builds(lambda raw, more: facts_of(*raw, **more), RECORDS, CONTEXTS)


@given(SESSIONS)
def test_an_ok_tone_needs_a_passed_verdict_and_a_start(facts: SessionFacts) -> None:
    if tone_of(facts.disposition) in (Tone.OK, Tone.WARN):
        assert facts.verdict.verdict is Verdict.PASSED
        assert facts.started


@given(SESSIONS)
def test_a_fail_tone_needs_a_failed_verdict_or_a_failed_connection(facts: SessionFacts) -> None:
    if tone_of(facts.disposition) is not Tone.FAIL:
        return
    if facts.disposition is Disposition.BLOCKED_CONNECTING:
        assert facts.chain is not None
        assert facts.chain.row(Stage.CONNECTION).state is StageState.FAILED
    else:
        assert facts.verdict.verdict is Verdict.FAILED


@given(SESSIONS)
def test_what_never_started_has_nothing_and_what_started_has_a_chain(facts: SessionFacts) -> None:
    assert facts.started is (facts.started_by is not None)
    assert facts.started is (facts.chain is not None)
    assert facts.started is (facts.read_state is not None)
    assert facts.started is (facts.disposition is not Disposition.NOT_RUN)
    assert facts.has_transcript is (facts.message_count > 0)
    assert facts.started or not (facts.signals or facts.friction or facts.has_transcript)
    assert not (facts.started and facts.never_ran)
    assert facts.is_graded <= facts.started


@given(SESSIONS)
def test_signals_stand_once_in_priority_order_and_only_where_read(facts: SessionFacts) -> None:
    matched = [match.signal for match in facts.signals]
    assert matched == [signal for signal in Signal if signal in matched]
    assert facts.is_read or not matched
    assert not set(matched) & set(facts.signals_not_evaluated)
    assert list(facts.friction) == [reason for reason in FrictionReason if reason in facts.friction]


@given(SESSIONS)
def test_a_standing_failure_is_a_failed_stage(facts: SessionFacts) -> None:
    for stands, stage in (
        (facts.call_failure_stands, Stage.CALL),
        (facts.response_failure_stands, Stage.RESPONSE),
    ):
        if stands:
            assert facts.chain is not None
            assert facts.chain.row(stage).state is StageState.FAILED


@given(RECORDS, CONTEXTS)
def test_deriving_again_writes_the_same_line(raw: list[Json], more: Json) -> None:
    facts = facts_of(*raw, **more)
    line = facts_line(facts)
    assert json.loads(line)["disposition"] == facts.disposition
    assert facts_line(facts_of(*raw, **more)) == line


GRADERS = st.tuples(
    JUDGES,
    CHECKS,
    GRADING,
    st.just({"type": "self_report", "account": "fine"}),
    st.just({"type": "readiness", "status": "completed", "advertisedToolsKnown": False}),
)


def without_places(facts: SessionFacts) -> tuple[SessionFacts, list[tuple[str, str]]]:
    """The facts, with problems in no order and without the lines they stand on."""
    problems = sorted((problem.rule, problem.what) for problem in facts.problems)
    return replace(facts, problems=()), problems


@given(RECORDS, CONTEXTS, GRADERS, st.permutations(range(5)))
def test_the_order_of_unrelated_records_changes_nothing(
    raw: list[Json], more: Json, graders: tuple[Json, ...], order: list[int]
) -> None:
    plain = facts_of(*raw, *graders, **more)
    shuffled = facts_of(*raw, *[graders[index] for index in order], **more)
    assert without_places(shuffled) == without_places(plain)


@given(RECORDS, CONTEXTS, st.integers(min_value=0, max_value=12))
def test_grades_may_stand_anywhere(raw: list[Json], more: Json, place: int) -> None:
    talk = [record for record in raw if record["type"] not in ("goal_judge", "criteria")]
    grades = [judged(passed=False), criteria(outcome("a"))]
    late = facts_of(*talk, *grades, **more)
    early = facts_of(*talk[:place], *grades, *talk[place:], **more)
    assert without_places(early) == without_places(late)


@given(RECORDS, CONTEXTS)
def test_a_system_message_changes_no_word(raw: list[Json], more: Json) -> None:
    plain = facts_of(*raw, **more)
    told = facts_of(*raw, user("be kind", role="system", author="client"), **more)
    assert told.transcript_chars == plain.transcript_chars + len("be kind")
    assert told.messages_loaded == (plain.messages_loaded or 0) + 1
    same = replace(
        told, transcript_chars=plain.transcript_chars, messages_loaded=plain.messages_loaded
    )
    assert same == plain


@given(RECORDS, CONTEXTS)
def test_the_personas_own_calls_change_no_word(raw: list[Json], more: Json) -> None:
    plain = facts_of(*raw, user("hm"), **more)
    busy = facts_of(
        *raw,
        user("hm"),
        call("p1", "unheard_of", 9, caller="persona"),
        result("p1", isError=True),
        **more,
    )
    assert replace(busy, tool_calls=plain.tool_calls) == plain


@given(RECORDS, CONTEXTS)
def test_a_server_that_answers_in_the_end_refused_nobody(raw: list[Json], more: Json) -> None:
    answers = [answered(serverId=server) for server in (None, "a", "b")]
    facts = facts_of(*raw, *answers, **more)
    assert facts.connection == "ok"
    assert facts.started_by != "refused"
    assert facts.disposition is not Disposition.BLOCKED_CONNECTING
