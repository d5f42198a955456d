"""How a reader takes the rows, pinned rule by rule."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from finding_waves import build, chain, facts_of, idle, plan_for, reported, rows_of, signals

from reporter.findings.goal_reading import representative
from reporter.findings.grouping import NO_GOAL, NO_TARGET
from reporter.findings.reading import (
    NO_STAGE_EVIDENCE,
    diagnosis,
    footnotes,
    lead_cause,
    persona_account,
    read_goals,
    refusals,
    signal_totals,
    stage_colour,
    stage_evidence,
    suggested_fix,
)
from reporter.models.facts import SessionFacts
from reporter.models.finding import (
    Finding,
    FindingRow,
    GoalIdentity,
    PersonaIdentity,
    ReportExcerpt,
    RowPopulation,
    TargetIdentity,
    Verification,
)
from reporter.models.manifest import Attempt
from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    Disposition,
    Lifecycle,
    ScopeLevel,
    Signal,
    Stage,
    StageState,
    SummaryKind,
    Tone,
    Verdict,
    tone_of,
)

D = Disposition
DERIVED, REPORTED = ChainStageBasis.DERIVED, ChainStageBasis.REPORTED
ANA = PersonaIdentity(persona_ref_id=None, name="Ana")


def row(row_id: str = "x", disposition: Disposition = D.GOAL_MISSED, **more: Any) -> FindingRow:
    """A goal row of Ana's; a case changes what it is about."""
    sessions = more.pop("sessions", ["s1"])
    run_id, title = more.pop("run", "r1"), more.pop("title", "Borrow a book")
    values: dict[str, Any] = {
        "id": row_id,
        "basis": Basis.POPULATION_FACT,
        "scope_level": ScopeLevel.GOAL,
        "persona": PersonaIdentity(persona_ref_id=None, name=more.pop("persona_name", "Ana")),
        "goal": GoalIdentity(
            run_id=run_id, journey_ref_id=more.pop("journey", f"g-{run_id}"), title=title
        ),
        "target": TargetIdentity(kind="host", id="h", label="Host", model_id=None),
        "population": RowPopulation(count=len(sessions), total=9, unit="sessions"),
        "session_ids": sessions,
        "citations": [],
        "verdict_seen": Verdict.FAILED,
        "chain_stage": None,
        "chain_stage_state": None,
        "chain_stage_basis": ChainStageBasis.UNMEASURED,
        "disposition": disposition,
        "tone": tone_of(disposition),
        "coverage_notes": [],
        "outcome_phrase": None,
        "mechanism_phrase": None,
        "fix_phrase": None,
        "report_excerpt": None,
        "mechanism_id": None,
        **more,
    }
    return FindingRow(finding=Finding(**values), order=2)


def at(stage: Stage, state: StageState | None = StageState.FAILED) -> dict[str, Any]:
    return {
        "chain_stage": stage,
        "chain_stage_state": state,
        "chain_stage_basis": ChainStageBasis.DERIVED if state else ChainStageBasis.REPORTED,
    }


def cause(row_id: str, mechanism: str, **more: Any) -> FindingRow:
    values: dict[str, Any] = {
        "basis": Basis.VERIFIED_MECHANISM,
        "mechanism_id": mechanism,
        "mechanism_phrase": f"Because of {mechanism}.",
        "outcome_phrase": "could not save",
        **at(Stage.RESPONSE),
        **more,
    }
    return row(row_id, more.pop("disposition", D.BLOCKED_BY_RESPONSE), **values)


@pytest.mark.parametrize(
    ("rows", "chosen"),
    [
        pytest.param([], None, id="none"),
        pytest.param(
            [row("a", D.BLOCKED_CONNECTING, scope_level=ScopeLevel.SESSION), row("z", D.GOAL_MET)],
            "z",
            id="goal rows before sessions",
        ),
        pytest.param([row("a", D.GOAL_MET), row("b", D.NOT_MEASURED)], "b", id="muted over ok"),
        pytest.param(
            [row("a", D.NOT_RUN), row("b", D.GOAL_MET_WITH_FRICTION)], "b", id="warn over muted"
        ),
        pytest.param(
            [row("a", D.GOAL_MISSED), row("b", D.LOST_FINDING_TOOL)], "b", id="contract order"
        ),
        pytest.param([row("b"), row("a")], "a", id="smallest id"),
        pytest.param(
            [
                row("a", D.BLOCKED_CONNECTING, scope_level=ScopeLevel.PERSONA, goal=NO_GOAL),
                row("b", D.BLOCKED_CONNECTING, scope_level=ScopeLevel.TARGET, goal=NO_GOAL),
                row("c", D.GOAL_MET),
            ],
            "c",
            id="never a wider row",
        ),
    ],
)
def test_one_row_stands_for_a_goal(rows: list[FindingRow], chosen: str | None) -> None:
    for order in (rows, rows[::-1]):
        found = representative(order)
        assert (found.finding.id if found else None) == chosen


def test_a_tone_on_the_row_is_not_trusted() -> None:
    lying = row("a", D.GOAL_MET)
    lying = replace(lying, finding=lying.finding.model_copy(update={"tone": Tone.FAIL}))
    assert representative([lying, row("b", D.GOAL_MET_WITH_FRICTION)]) == row(
        "b", D.GOAL_MET_WITH_FRICTION
    )


@pytest.mark.parametrize(
    ("rows", "colour"),
    [
        ([], None),
        ([row("a", **at(Stage.CALL))], Tone.FAIL),
        ([row("a", D.GOAL_MET, **at(Stage.CALL, StageState.PASSED))], Tone.OK),
        (
            [row("a", **at(Stage.CALL, StageState.PASSED)), row("b", **at(Stage.CALL))],
            Tone.FAIL,
        ),
        ([row("a", **at(Stage.CALL)), row("b")], Tone.FAIL),
        ([row("a", **at(Stage.CALL, StageState.NOT_REACHED))], None),
        ([row("a", **at(Stage.CALL, None), signal=Signal.TOOL_ERRORED)], None),
        ([row("a", **at(Stage.RESPONSE))], None),
        ([row("a", scope_level=ScopeLevel.WAVE, **at(Stage.CALL))], None),
        ([row("a", scope_level=ScopeLevel.SESSION, **at(Stage.CALL))], Tone.FAIL),
    ],
)
def test_a_stage_takes_its_worst_measured_colour(
    rows: list[FindingRow], colour: Tone | None
) -> None:
    assert stage_colour(rows, Stage.CALL) is colour


def test_stage_evidence_says_what_where_and_of_how_many() -> None:
    rows = [
        cause("a", "m1", **at(Stage.CALL)),
        row("b", signal=Signal.TOOL_ERRORED, **at(Stage.CALL, None)),
        row(
            "c",
            scope_level=ScopeLevel.SESSION,
            report_excerpt=ReportExcerpt(actual="It broke.", citations=["s1/m:0"]),
            **at(Stage.CALL),
        ),
        row("d", **at(Stage.CALL)),
        row("e", D.NOT_MEASURED, **at(Stage.CALL)),
        row("f", **at(Stage.RESPONSE)),
    ]
    told = stage_evidence(rows, Stage.CALL)
    assert [(each.text, each.words) for each in told] == [
        ("Because of m1.", "mechanism"),
        ("A tool errored", "signal"),
        ("Stalled", "disposition"),
        ("It broke.", "actual"),
    ]
    assert all(each.line.endswith("(1 of 9 sessions)") for each in told)
    assert stage_evidence(rows[::-1], Stage.CALL) == told


def test_a_stage_without_evidence_is_no_pass() -> None:
    assert stage_evidence([row("a")], Stage.CALL) == ()
    assert "not a pass" in NO_STAGE_EVIDENCE


def test_evidence_over_nothing_is_not_measured() -> None:
    nothing = RowPopulation(count=0, total=0, unit="sessions")
    (told,) = stage_evidence([row("a", population=nothing, **at(Stage.CALL))], Stage.CALL)
    assert told.population == "not measured"


@pytest.mark.parametrize(
    ("rows", "stage", "stopped"),
    [
        ([row("a", D.BLOCKED_CALLING_TOOL, **at(Stage.CALL))], Stage.CALL, True),
        ([row("a", D.GOAL_MISSED, **at(Stage.CALL))], Stage.CALL, False),
        ([row("a", D.GOAL_MET_WITH_FRICTION, **at(Stage.CALL))], Stage.CALL, False),
        ([row("a", D.GOAL_MISSED, **at(Stage.USER_VALUE))], Stage.USER_VALUE, False),
        (
            [row("a", **at(Stage.RESPONSE)), row("b", D.LOST_FINDING_TOOL, **at(Stage.SELECTION))],
            Stage.SELECTION,
            True,
        ),
        # An explanation takes its word from its stage; the sessions recovered from the error.
        (
            [cause("a", "m"), row("b", D.GOAL_MISSED, **at(Stage.RESPONSE))],
            Stage.RESPONSE,
            False,
        ),
        ([cause("a", "m")], Stage.RESPONSE, True),
    ],
)
def test_the_first_failed_link_stopped_the_goal_only_in_its_own_word(
    rows: list[FindingRow], stage: Stage, stopped: bool
) -> None:
    for order in (rows, rows[::-1]):
        found = diagnosis(order)
        assert found is not None
        assert (found.stage, found.stopped) == (stage, stopped)
        assert "first failed link" in found.text
        assert ("stopped" in found.text) is stopped


def test_without_a_failed_stage_there_is_no_diagnosis() -> None:
    assert diagnosis([row("a"), row("b", **at(Stage.CALL, StageState.PASSED))]) is None
    assert diagnosis([row("a", scope_level=ScopeLevel.PERSONA, **at(Stage.CALL))]) is None


def test_the_lead_cause_has_most_distinct_sessions_then_the_smallest_id() -> None:
    rows = [
        cause("3", "mb", sessions=["s1", "s2"]),
        cause("4", "mb", sessions=["s2", "s3"], run="r2"),
        cause("1", "ma", sessions=["s1", "s2", "s4"]),
        cause("2", "mc", sessions=["s5"]),
    ]
    for order in (rows, rows[::-1]):
        found = lead_cause(order)
        assert found is not None
        assert found.mechanism_id == "ma"
        assert found.session_ids == ("s1", "s2", "s4")
    more = lead_cause([*rows, cause("5", "mb", sessions=["s9"])])
    assert more is not None
    assert more.mechanism_id == "mb"
    assert more.session_ids == ("s1", "s2", "s3", "s9")


def test_a_row_of_a_wider_scope_is_never_a_cause() -> None:
    wide = cause("1", "m", scope_level=ScopeLevel.PERSONA, goal=NO_GOAL, target=NO_TARGET)
    assert lead_cause([wide]) is None


@pytest.mark.parametrize(
    ("stages", "bases", "stage", "measured"),
    [
        ([Stage.CALL, Stage.CALL], [DERIVED, DERIVED], Stage.CALL, True),
        ([Stage.CALL, Stage.CALL], [DERIVED, REPORTED], Stage.CALL, False),
        ([Stage.CALL, Stage.RESPONSE], [DERIVED, DERIVED], None, True),
        ([Stage.CALL, None], [REPORTED, ChainStageBasis.UNMEASURED], None, False),
    ],
)
def test_a_causes_stage_is_named_only_where_its_rows_agree(
    stages: list[Stage | None], bases: list[ChainStageBasis], stage: Stage | None, measured: bool
) -> None:
    rows = [
        cause(f"{n}", "m", chain_stage=each, chain_stage_basis=basis)
        for n, (each, basis) in enumerate(zip(stages, bases, strict=True))
    ]
    found = lead_cause(rows)
    assert found is not None
    assert (found.stage, found.measured) == (stage, measured)


def test_a_causes_goal_is_the_one_with_most_sessions_and_its_own_personas() -> None:
    rows = [
        cause("1", "m", run="r9", journey="g1", sessions=["s1"], persona_name="Zoe", title="One"),
        cause("2", "m", run="r8", journey="g1", sessions=["s2"], persona_name="Ana", title="One"),
        cause("3", "m", run="r7", journey="g2", sessions=["s3"], persona_name="Ben", title="Two"),
    ]
    found = lead_cause(rows)
    assert found is not None
    assert (found.reach.title, found.reach.personas) == ("One", ((None, "Ana"), (None, "Zoe")))
    assert (found.reach.goals, found.reach.sessions, found.reach.is_most) == (2, 2, True)
    tied = lead_cause(rows[1:])
    assert tied is not None
    assert (tied.reach.title, tied.reach.is_most) == ("Two", False)


def test_a_long_title_is_cut_after_twelve_words() -> None:
    found = lead_cause([cause("1", "m", title=" ".join("abcdefghijklm"))])
    assert found is not None
    assert found.reach.title == " ".join("abcdefghijkl") + "…"


def test_phrase_and_fix_are_the_first_filled_ones_in_row_id_order() -> None:
    rows = [
        cause("3", "m", mechanism_phrase="Third.", fix_phrase="Fix three."),
        cause("1", "m", mechanism_phrase=" "),
        cause("2", "m", mechanism_phrase="Second.", fix_phrase=None),
    ]
    found = lead_cause(rows)
    assert found is not None
    assert (found.phrase, found.fix) == ("Second.", "Fix three.")


def test_a_fix_is_never_borrowed_and_never_shown_where_nothing_launched() -> None:
    findings = build([facts_of("s1", D.GOAL_MISSED)])
    lead = cause("1", "ma", sessions=["s1", "s2"])
    other = cause("2", "mb", sessions=["s1"], fix_phrase="Fix it.")
    assert suggested_fix(replace(findings, rows=(lead, other))) is None
    assert suggested_fix(replace(findings, rows=(other,))) == "Fix it."
    not_launched = replace(findings, rows=(other,), summary_kind=SummaryKind.NOT_LAUNCHED)
    assert suggested_fix(not_launched) is None
    report = row("3", fix_phrase="Not mine.", basis=Basis.SESSION_REPORT)
    assert suggested_fix(replace(findings, rows=(report,))) is None


def test_signal_totals_add_up_over_rows_most_first_then_by_name() -> None:
    facts = [
        facts_of("s1", **signals(Signal.TOOL_ERRORED)),
        facts_of("s2", run_id="r2", **signals(Signal.TOOL_ERRORED)),
        facts_of("s3", **signals(Signal.TURN_CAP_REACHED)),
        facts_of("s4", **signals(Signal.HALLUCINATED_TOOL)),
    ]
    assert signal_totals(build(facts).rows) == (
        (Signal.TOOL_ERRORED, 2),
        (Signal.HALLUCINATED_TOOL, 1),
        (Signal.TURN_CAP_REACHED, 1),
    )


def report(session: str, account: str | None = None, **more: Any) -> FindingRow:
    excerpt = ReportExcerpt(
        actual=f"Seen in {session}.", account=account, citations=[f"{session}/m:0"]
    )
    return row(
        f"session:{session}",
        basis=Basis.SESSION_REPORT,
        scope_level=ScopeLevel.SESSION,
        sessions=[session],
        report_excerpt=excerpt,
        **more,
    )


ELSEWHERE = TargetIdentity(kind="host", id="h2", label="Other", model_id=None)


@pytest.mark.parametrize(
    ("rows", "kind", "text", "session"),
    [
        pytest.param([], "none", "No session left evidence to quote here.", None, id="no rows"),
        pytest.param(
            [row("a")], "none", "No session left evidence to quote here.", None, id="mute"
        ),
        pytest.param(
            [row("a", sessions=["s1", "s2", "s3"]), report("s1"), report("s3", "My words.")],
            "report",
            "My words.",
            "s3",
            id="an account first",
        ),
        pytest.param(
            [row("a", sessions=["s1", "s2"]), report("s2", "Two."), report("s1", "One.")],
            "report",
            "One.",
            "s1",
            id="then the lowest session",
        ),
        pytest.param(
            [row("a"), report("s1")], "report", "Seen in s1.", "s1", id="no account: the cited one"
        ),
        pytest.param(
            [cause("a", "m"), report("s9", "Not counted.")],
            "outcome",
            "could not save",
            None,
            id="not a session the lead row counts",
        ),
        pytest.param(
            [cause("a", "m"), report("s1", "Other goal.", run="r2")],
            "outcome",
            "could not save",
            None,
            id="not of another goal",
        ),
        pytest.param(
            [cause("a", "m"), report("s1", "Other target.", target=ELSEWHERE)],
            "outcome",
            "could not save",
            None,
            id="not of another target",
        ),
        pytest.param(
            [cause("a", "m"), report("s1", "Ben's.", persona_name="Ben")],
            "outcome",
            "could not save",
            None,
            id="not of another persona",
        ),
        pytest.param(
            [row("a", **at(Stage.CALL))],
            "diagnosis",
            "In “Borrow a book”, the first failed link was the tool call.",
            None,
            id="code's diagnosis",
        ),
        pytest.param(
            [row("a", D.BLOCKED_CALLING_TOOL, **at(Stage.CALL))],
            "diagnosis",
            "“Borrow a book” was stopped at the tool call, the first failed link.",
            None,
            id="what stopped it",
        ),
    ],
)
def test_a_personas_account_is_of_one_session_that_its_lead_row_counts(
    rows: list[FindingRow], kind: str, text: str, session: str | None
) -> None:
    findings = build([facts_of("s1")])
    for order in (rows, rows[::-1]):
        told = persona_account(replace(findings, rows=tuple(order)), ANA)
        assert (told.kind, told.text, told.session_id) == (kind, text, session)
        assert (told.cited is not None) is (kind == "report")


def test_a_report_without_a_model_is_no_models_words() -> None:
    findings = build([facts_of("s1", D.GOAL_MISSED, **reported())])
    told = persona_account(findings, ANA)
    assert (told.text, told.cited) == ("I gave up.", "It was refused.")
    assert not told.is_model_words


@pytest.mark.parametrize("account_by_model", [False, True])
def test_an_account_is_a_models_only_where_a_model_may_have_written_it(
    *, account_by_model: bool
) -> None:
    """What a model wrote beside it, and that a model was used, do not make it a model's."""
    findings = build([facts_of("s1", D.GOAL_MISSED, **reported())])
    rows = [replace(row, by_model=True, account_by_model=account_by_model) for row in findings.rows]
    told = persona_account(replace(findings, rows=tuple(rows), extraction_model="m"), ANA)
    assert told.text == "I gave up."
    assert told.is_model_words is account_by_model


def test_without_an_account_it_is_a_models_where_a_model_wrote_what_happened() -> None:
    findings = build([facts_of("s1", D.GOAL_MISSED, **reported())])
    rows = []
    for row in findings.rows:
        excerpt = row.finding.report_excerpt
        if excerpt is not None:
            silent = excerpt.model_copy(update={"account": None})
            finding = row.finding.model_copy(update={"report_excerpt": silent})
            rows.append(replace(row, finding=finding, by_model=True))
        else:
            rows.append(row)
    told = persona_account(replace(findings, rows=tuple(rows)), ANA)
    assert (told.text, told.is_model_words) == ("It was refused.", True)


def refused(session_id: str, code: str | None, message: str | None) -> SessionFacts:
    attempt = Attempt(status="failed", error_code=code, error_message=message)
    return idle(session_id, Lifecycle.BROKE, attempt=attempt)


def test_refusals_merge_by_code_and_message_and_say_how_many_they_cover() -> None:
    facts = [
        refused("s1", "rate_limited", "Slow down."),
        refused("s2", "rate_limited", "Slow down."),
        refused("s3", "rate_limited", "Stop."),
        refused("s4", None, "Stop."),
        refused("s5", None, None),
        idle("s6", Lifecycle.PENDING, attempt=Attempt(status="pending", error_message="Later.")),
        facts_of("s7", attempt=Attempt(status="failed", error_message="Ran anyway.")),
    ]
    for order in (facts, facts[::-1]):
        found = refusals(order)
        assert found.never_ran == 5
        assert [(each.code, each.message, each.sessions) for each in found.reasons] == [
            ("rate_limited", "Slow down.", 2),
            (None, "Stop.", 1),
            ("rate_limited", "Stop.", 1),
        ]
        assert found.unexplained == 1


@pytest.mark.parametrize(
    ("code", "origin"),
    [
        ("org_rate_limit", "service"),
        ("sandbox_error", "service"),
        ("rate_limited", "provider"),
        ("canceled", "person"),
        ("something_new", "unknown"),
        (None, "unknown"),
    ],
)
def test_a_limit_of_the_service_is_not_the_users_provider(code: str | None, origin: str) -> None:
    (reason,) = refusals([refused("s1", code, "No.")]).reasons
    assert reason.origin == origin
    assert reason.text == "No."


def test_footnotes_tell_rejected_and_unverified_apart() -> None:
    findings = build([facts_of("s1", D.GOAL_MISSED, chain=None)])
    assert footnotes(findings) == ("Journey stages not measured", "Causes could not be analysed")
    made = Verification(proposed=4, confirmed=1, rejected=1, unverified=2, omitted=0)
    assert footnotes(replace(findings, verification=made))[-2:] == (
        "1 possible cause was rejected",
        "2 possible causes could not be verified",
    )


def test_a_goal_without_rows_is_not_measured_and_has_its_title() -> None:
    facts = [facts_of("s1"), facts_of("s2", run_id="r2", goal_id="g2", goal_title="Pay a fine")]
    findings = build(facts)
    bare = replace(findings, rows=tuple(r for r in findings.rows if "r2" not in r.finding.id))
    first, second = read_goals(bare, plan_for(facts))
    assert (first.disposition, second.disposition) == (D.GOAL_MET, D.NOT_MEASURED)
    assert second.goal.title == "Pay a fine"
    assert (second.representative, second.session_ids, second.tone) == (None, (), Tone.MUTED)
    assert read_goals(bare)[1].goal.title == "r2"


def test_a_goal_across_targets_is_counted_by_its_fold() -> None:
    facts = [facts_of("s1", target_id="t1"), facts_of("s2", D.NOT_MEASURED, target_id="t2")]
    (goal,) = read_goals(build(facts))
    # The row that stands for it is the muted one; counts of goals take the fold.
    assert (goal.disposition, goal.outcome) == (D.NOT_MEASURED, D.GOAL_MET)


def read(facts: Sequence[SessionFacts]) -> list[FindingRow]:
    return rows_of(build(facts), 2)


def test_a_recovered_link_is_the_first_failed_one_and_not_what_stopped_the_goal() -> None:
    found = diagnosis(read([facts_of("s1", D.GOAL_MISSED, chain=chain(Stage.CALL))]))
    assert found is not None
    assert found.text == "The first failed link was the tool call."
    standing = diagnosis(read([facts_of("s1", D.BLOCKED_CALLING_TOOL, chain=chain(Stage.CALL))]))
    assert standing is not None
    assert standing.text == "It was stopped at the tool call, the first failed link."


def test_an_ungraded_wave_shows_no_failed_stage_as_its_goals() -> None:
    rows = read([facts_of("s1", D.NOT_MEASURED, chain=None)])
    assert all(stage_colour(rows, stage) is None for stage in Stage)
