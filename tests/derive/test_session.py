import pytest
from builders import Json, assistant, call, result, user
from session_cases import (
    AUTOMATIC,
    FAILED,
    LIMITED,
    REQUIRED_JUDGE,
    RUNNING,
    WITHDRAWN,
    began,
    catalog_record,
    check,
    context,
    criteria,
    ended,
    facts_of,
    graded,
    judged,
    outcome,
    planned,
    recording,
    refusal,
)

from reporter.derive.options import DeriveOptions
from reporter.derive.session import derive_session
from reporter.errors import Problem
from reporter.models.facts import SelfReportFact
from reporter.vocabulary import (
    CoverageNote,
    Disposition,
    FrictionReason,
    GraderReadiness,
    Lifecycle,
    ReadState,
    SessionVerdictReason,
    Signal,
)

TALK = (user(), assistant())
KEY = "AKIA" + "ABCD" * 4

CONTRADICTIONS: list[tuple[str, list[Json], dict[str, object], list[tuple[str, str]]]] = [
    ("nothing wrong", [began(), ended(turnsUsed=1)], {}, []),
    (
        "attempt",
        [ended("failed")],
        {},
        [("attempt-differs", "line 3: status")],
    ),
    (
        "attempt that still runs",
        [ended("succeeded")],
        {"slot": planned(RUNNING)},
        [("attempt-differs", "line 3: status")],
    ),
    ("attempt that only the session knows", [ended("failed")], {"slot": planned(None)}, []),
    ("turns", [ended(turnsUsed=4)], {}, [("turns-used-differs", "line 3: turnsUsed")]),
    ("turns of a damaged session", [ended(turnsUsed=4)], {"damaged": True}, []),
    ("too many turns", [assistant(turn=1)], {"run": {"maxTurns": 1}}, [("max-turns-exceeded", "")]),
    ("turns at the limit", [assistant(turn=1)], {"run": {"maxTurns": 2}}, []),
    (
        "two personas",
        [began(personaName="Bo")],
        {},
        [("persona-differs", "line 3: personaName")],
    ),
    (
        "another slot",
        [began(sessionIndex=3)],
        {},
        [("session-start-differs", "line 3")],
    ),
]


@pytest.mark.parametrize(
    ("raw", "more", "expected"),
    [case[1:] for case in CONTRADICTIONS],
    ids=[case[0] for case in CONTRADICTIONS],
)
def test_contradictions_are_reported_with_their_place(
    raw: list[Json], more: Json, expected: list[tuple[str, str]]
) -> None:
    facts = facts_of(*TALK, *raw, **more)
    assert [(problem.rule, problem.place) for problem in facts.problems] == expected
    assert all(problem.file == "sessions/s1.jsonl" for problem in facts.problems)
    assert all(problem.session_id == "s1" for problem in facts.problems)


def test_the_readers_problems_come_first() -> None:
    torn = Problem("sessions/s1.jsonl", "line 9", "is cut off", session_id="s1")
    session = recording(*TALK, ended("failed"), problems=(torn,), damaged=True)
    facts = derive_session(context(), session)
    assert facts.problems[0] is torn
    assert [problem.rule for problem in facts.problems[1:]] == ["attempt-differs"]


def test_a_record_without_a_line_is_named_by_its_number() -> None:
    facts = derive_session(context(), recording(*TALK, ended("failed"), lines=()))
    assert facts.problems[0].place == "record 3: status"


@pytest.mark.parametrize(
    ("attempt", "raw", "lifecycle"),
    [
        (None, [], Lifecycle.PENDING),
        (None, [ended("succeeded")], Lifecycle.RAN),
        (None, [ended("succeeded"), ended("failed")], Lifecycle.BROKE),
        (None, [ended("failed", errorCode="canceled")], Lifecycle.WITHDRAWN),
        (FAILED, [ended("succeeded")], Lifecycle.BROKE),
        ({"status": "pending"}, [ended("succeeded")], Lifecycle.PENDING),
    ],
)
def test_the_sessions_own_last_word_stands_in_for_an_attempt(
    attempt: Json | None, raw: list[Json], lifecycle: Lifecycle
) -> None:
    assert facts_of(*TALK, *raw, slot=planned(attempt)).lifecycle is lifecycle


@pytest.mark.parametrize("own", [True, False])
def test_a_refusal_is_shown_without_addresses(own: bool) -> None:
    message = f"refused\nby https://a.test/x with {KEY}"
    if own:
        facts = facts_of(user(), ended("failed", errorMessage=message), slot=planned(None))
    else:
        facts = facts_of(user(), slot=planned({"status": "failed", "errorMessage": message}))
    assert facts.attempt is not None
    assert facts.attempt.error_message == "refused by with [redacted]"
    assert facts.attempt.status == "failed"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ([], None),
        ([ended()], None),
        ([ended(endReason="unknown")], "unknown"),
        ([ended(endReason="turnCap")], "turnCap"),
    ],
)
def test_an_end_reason_is_the_recorded_one(raw: list[Json], expected: str | None) -> None:
    assert facts_of(*TALK, *raw).end_reason == expected


def test_identity_comes_from_the_context() -> None:
    facts = facts_of(*TALK)
    assert (facts.session_id, facts.run_id, facts.target_id) == ("s1", "r1", "t1")
    assert (facts.persona_ref_id, facts.persona_name) == (None, "Ana")
    assert (facts.goal_id, facts.goal_title) == ("g1", "Borrow a book")


def test_first_words_and_account_are_bounded_and_masked() -> None:
    facts = facts_of(
        user(f"please  use\n{KEY} " + "word " * 200),
        {"type": "self_report", "account": f"I sent {KEY}", "feeling": "tired"},
    )
    assert facts.first_words is not None
    assert facts.first_words.startswith("please use [redacted] word word")
    assert len(facts.first_words) <= 200
    assert facts.report == SelfReportFact("I sent [redacted]", "tired", None)


ERRORS: list[tuple[list[Json], tuple[str | None, str | None, str | None]]] = [
    ([result(isError=True, result="Error: gone")], ("isError", "Error: gone", None)),
    ([result(error="boom", result="other")], ("isError", "boom", None)),
    ([result(mcpErrorCode=-32602, error="bad args")], ("protocol", "bad args", None)),
    ([result(mcpErrorCode=-32602, isError=True, result=None)], ("protocol", None, None)),
    ([result(isError=True, result=f"leaked {KEY}")], ("isError", "leaked [redacted]", None)),
    ([result(result="fine")], (None, None, None)),
    ([result(isError=True, policyBlocked=True)], (None, None, None)),
    ([result(isError=True, answeredBy="client")], (None, None, None)),
    ([], ("noResult", None, None)),
    (
        [result(isError=True, result="Error: x", inferred={"isError": "by its text"})],
        ("isError", "Error: x", "by its text"),
    ),
]


@pytest.mark.parametrize(("raw", "expected"), ERRORS)
def test_the_error_of_a_call(
    raw: list[Json], expected: tuple[str | None, str | None, str | None]
) -> None:
    (fact,) = facts_of(*TALK, call(), *raw).tool_calls
    assert (fact.error, fact.error_text, fact.error_inferred) == expected


def test_a_long_error_text_is_cut() -> None:
    (fact,) = facts_of(*TALK, call(), result(isError=True, result="x" * 1000)).tool_calls
    assert fact.error_text == "x" * 299 + "…"


def test_what_was_inferred_is_listed_slot_first() -> None:
    facts = facts_of(
        user(inferred={"turnIndex": "by order"}),
        judged(passed=None, score=0.9, threshold=0.5),
        slot=planned(inferred={"attempt": "outcome recorded"}),
    )
    assert facts.inferred == (
        ("slot.attempt", "outcome recorded"),
        ("message.turnIndex", "by order"),
        ("goal_judge.passed", "score at or above threshold"),
    )


N = CoverageNote
NOTES: list[tuple[str, list[Json], Json, set[CoverageNote]]] = [
    (
        "all is well",
        [*TALK, call(), result(), catalog_record("find_book"), judged()],
        {},
        set(),
    ),
    ("no catalogue", [*TALK, call(), result(), judged()], {}, {N.TOOL_CATALOG_MISSING}),
    (
        "chain unmeasured",
        [user(role="tool", author="tool"), catalog_record()],
        {},
        {N.CHAIN_UNMEASURED, N.JUDGE_NOT_RUN},
    ),
    (
        "no judge was ever configured",
        [*TALK, call(), result(), catalog_record("a")],
        {},
        {N.JUDGE_NOT_RUN},
    ),
    (
        "a silent judge beside checks that are owed",
        [*TALK, call(), result(), catalog_record("a"), judged()],
        {"rubric": [check()]},
        {N.JUDGE_NOT_RUN},
    ),
    (
        "a judge that scored beside checks that are owed",
        [*TALK, call(), result(), catalog_record("a"), judged()],
        {"rubric": [check()], "judge": REQUIRED_JUDGE},
        set(),
    ),
    (
        "a broken judge",
        [*TALK, call(), result(), catalog_record("a"), {"type": "goal_judge", "status": "failed"}],
        {},
        {N.JUDGE_NOT_RUN},
    ),
    (
        "decided without a judge",
        [*TALK, call(), result(), catalog_record("a"), criteria(outcome())],
        {"rubric": [check()]},
        set(),
    ),
    ("withdrawn before starting", [], {"slot": planned(WITHDRAWN)}, {N.SESSIONS_WITHDRAWN}),
    (
        "withdrawn by code after a throttle",
        [*TALK, catalog_record("a")],
        {"slot": planned({"status": "rate_limited", "errorCode": "run_timeout"})},
        {N.CHAIN_UNMEASURED, N.JUDGE_NOT_RUN, N.SESSIONS_WITHDRAWN, N.SESSIONS_RATE_LIMITED},
    ),
    ("limited", [], {"slot": planned(LIMITED)}, {N.SESSIONS_RATE_LIMITED}),
    (
        "limited on the way",
        [*TALK, call(), result(), catalog_record("a"), judged()],
        {"slot": planned(LIMITED)},
        {N.SESSIONS_RATE_LIMITED},
    ),
    ("failed before starting", [], {"slot": planned(FAILED)}, set()),
    (
        "a slot beyond the scan cap that never started",
        [],
        {"slot": planned(FAILED), "options": DeriveOptions(beyond_scan_cap=True)},
        {N.SESSION_SCAN_CAPPED},
    ),
    (
        "a damaged file",
        [*TALK, judged()],
        {"damaged": True},
        {N.TRANSCRIPT_MISSING},
    ),
    (
        "a damaged file beyond the scan cap",
        [*TALK, judged()],
        {"damaged": True, "options": DeriveOptions(beyond_scan_cap=True)},
        {N.SESSION_SCAN_CAPPED, N.TRANSCRIPT_MISSING},
    ),
    (
        "too long for the model",
        [*TALK, judged()],
        {"options": DeriveOptions(with_model=True, context_chars=1)},
        {N.CONTEXT_TOO_LARGE},
    ),
    (
        "no budget left",
        [*TALK, judged()],
        {"options": DeriveOptions(with_model=True, budget_exhausted=True)},
        {N.BUDGET_EXHAUSTED},
    ),
    (
        "refused by our checks",
        [*TALK, judged()],
        {"options": DeriveOptions(with_model=True, extraction_rejected=True)},
        {N.EXTRACTION_REJECTED},
    ),
]
OF_THE_WAVE = {N.PARTIAL_READ, N.MECHANISMS_REJECTED, N.ANALYSIS_UNAVAILABLE}


@pytest.mark.parametrize(
    ("raw", "more", "expected"), [case[1:] for case in NOTES], ids=[case[0] for case in NOTES]
)
def test_the_notes_one_session_raises(
    raw: list[Json], more: Json, expected: set[CoverageNote]
) -> None:
    notes = facts_of(*raw, **more).notes
    assert set(notes) == expected
    assert list(notes) == [note for note in CoverageNote if note in expected]


def test_every_note_is_raised_by_a_session_or_only_by_a_wave() -> None:
    raised = {note for case in NOTES for note in case[3]}
    assert raised | OF_THE_WAVE == set(CoverageNote)
    assert not raised & OF_THE_WAVE


MARGINAL = DeriveOptions(marginal_score=True)
CHECKED = {"rubric": [check()], "judge": REQUIRED_JUDGE}
HELD = criteria(outcome())
PENDING_CHECKS: Json = {"type": "criteria", "status": "pending"}

# One session for every word that is not reached by another test of this module's subject.
SESSIONS: list[tuple[list[Json], Json]] = [
    ([], {"slot": planned(None)}),
    ([*TALK], {"slot": planned(RUNNING)}),
    ([*TALK], {"slot": planned(WITHDRAWN)}),
    ([], {"slot": planned(LIMITED)}),
    ([], {"slot": planned({**LIMITED, "errorCode": "spend_cap_exceeded"})}),
    ([], {"slot": planned(FAILED)}),
    ([*TALK, judged()], {}),
    ([*TALK, judged(passed=False)], {}),
    ([*TALK, HELD, judged()], CHECKED),
    ([*TALK, HELD], {"rubric": [check()]}),
    ([*TALK], {"rubric": [check()]}),
    ([*TALK, criteria(outcome(passed=False))], CHECKED),
    ([*TALK, PENDING_CHECKS, graded("running")], CHECKED),
    ([*TALK, criteria(), graded("settled")], CHECKED),
    ([*TALK, {"type": "criteria", "status": "failed"}], CHECKED),
    ([*TALK, {"type": "goal_judge", "status": "failed"}], {}),
    ([*TALK, graded("queued")], {"judge": AUTOMATIC}),
    ([*TALK], {"judge": AUTOMATIC}),
    ([*TALK, graded("unavailable")], {"judge": AUTOMATIC}),
    ([*TALK], {}),
    ([refusal(egressVerified=True)], {"slot": planned(FAILED)}),
    ([*TALK, call(), result(mcpErrorCode=1), judged(passed=False)], {}),
    ([*TALK, call(), result(isError=True), judged(passed=False)], {}),
    ([*TALK, criteria(outcome(passed=False))], {"rubric": [check(kind="toolCalledAtLeastOnce")]}),
    (
        [*TALK, {"type": "step_finish", "turnIndex": 0, "stepNumber": 0, "finishReason": "length"}],
        {"run": {"maxTurns": 1}},
    ),
    ([*TALK, catalog_record("a"), call(tool="b"), judged()], {}),
    (
        [*TALK, criteria(outcome(passed=False)), judged(passed=True, score=0.5, threshold=0.5)],
        {"rubric": [check(role="advisory")], "slot": planned(FAILED), "options": MARGINAL},
    ),
    ([*TALK], {"damaged": True}),
    ([*TALK], {"options": DeriveOptions(beyond_scan_cap=True)}),
]
# What becomes of a transcript in a model's hands needs a model.
NEED_A_MODEL = {
    ReadState.CONTEXT_TOO_LARGE,
    ReadState.BUDGET_EXHAUSTED,
    ReadState.EXTRACTION_REJECTED,
}


def test_whole_sessions_reach_every_word_that_needs_no_model() -> None:
    every = [facts_of(*raw, **more) for raw, more in SESSIONS]
    assert {facts.lifecycle for facts in every} == set(Lifecycle)
    assert {facts.verdict.reason for facts in every} == set(SessionVerdictReason)
    states = {facts.verdict.graders.criteria for facts in every}
    states |= {facts.verdict.graders.judge for facts in every}
    assert states == set(GraderReadiness)
    assert {facts.read_state for facts in every} - {None} == set(ReadState) - NEED_A_MODEL
    assert {reason for facts in every for reason in facts.friction} == set(FrictionReason)
    assert {facts.disposition for facts in every} == set(Disposition)
    assert {match.signal for facts in every for match in facts.signals} == set(Signal)
