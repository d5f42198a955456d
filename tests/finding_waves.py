"""Whole waves of session facts, with the plan they belong to: a case names what it is about."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from builders import goal, run, session_facts, target
from hypothesis import strategies as st

from reporter.derive.catalog import JudgedCatalog
from reporter.derive.notes import notes_of
from reporter.derive.started import Start
from reporter.findings.build import build_findings
from reporter.findings.projection import project
from reporter.identifiers import CriterionId
from reporter.models.chain import Chain, StageRow
from reporter.models.facts import (
    CriterionFact,
    JudgeFact,
    SelfReportFact,
    SessionFacts,
    SignalMatch,
)
from reporter.models.finding import Analysis, FindingRow, FindingSet
from reporter.models.manifest import Goal, Persona, Run, Target
from reporter.models.plan import Plan, PlannedSlot
from reporter.models.verdict import Graders
from reporter.vocabulary import (
    Disposition,
    GraderReadiness,
    Lifecycle,
    ReadState,
    SessionVerdictReason,
    Signal,
    Stage,
    StageState,
    Tone,
    tone_of,
)

REVISION = "0" * 64

REASON = {
    Tone.FAIL: SessionVerdictReason.JUDGE_FAILED,
    Tone.WARN: SessionVerdictReason.JUDGE_PASSED,
    Tone.OK: SessionVerdictReason.JUDGE_PASSED,
    Tone.MUTED: SessionVerdictReason.UNGRADED,
}


def chain(
    failed: Stage | None = None, passed: Sequence[Stage] = (), *, after: StageState | None = None
) -> Chain:
    """A chain with some stages measured; the rest is not, or what `after` says behind a failure."""
    rows: list[StageRow] = []
    broken = False
    for stage in Stage:
        state = StageState.NOT_MEASURED
        if stage in passed:
            state = StageState.PASSED
        elif stage is failed:
            state, broken = StageState.FAILED, True
        elif broken and after is not None:
            state = after
        rows.append(StageRow(stage, state))
    return Chain(tuple(rows), first_failed_stage=failed)


def noted(session: SessionFacts) -> SessionFacts:
    """The session with the coverage notes that its derivation gives it."""
    lost = session.read_state is ReadState.TRANSCRIPT_MISSING
    notes = notes_of(
        Start(session.started_by, never_ran=session.never_ran, lost=lost),
        session.verdict,
        read_state=session.read_state,
        attempt=session.attempt,
        chain=session.chain,
        catalog=JudgedCatalog(complete=session.catalog_complete),
        beyond_scan_cap=session.read_state is ReadState.SCAN_CAPPED,
        damaged=False,
    )
    return replace(session, notes=notes)


def facts_of(
    session_id: str = "s1", disposition: Disposition = Disposition.GOAL_MET, **more: Any
) -> SessionFacts:
    """A started, read session with a complete catalogue and the verdict its disposition needs."""
    defaults: dict[str, Any] = {
        "reason": REASON[tone_of(disposition)],
        "catalog_complete": True,
        "chain": chain(passed=[Stage.USER_VALUE]),
    }
    return noted(session_facts(session_id, disposition=disposition, **{**defaults, **more}))


def idle(
    session_id: str = "s1", lifecycle: Lifecycle = Lifecycle.BROKE, **more: Any
) -> SessionFacts:
    """A slot that never started."""
    reasons = {
        Lifecycle.PENDING: SessionVerdictReason.ATTEMPT_PENDING,
        Lifecycle.RUNNING: SessionVerdictReason.ATTEMPT_RUNNING,
        Lifecycle.WITHDRAWN: SessionVerdictReason.WITHDRAWN,
        Lifecycle.LIMITED: SessionVerdictReason.NOT_RUN,
        Lifecycle.RAN: SessionVerdictReason.GRADING_UNAVAILABLE,
        Lifecycle.BROKE: SessionVerdictReason.EXECUTION_FAILED,
    }
    never = lifecycle in (Lifecycle.BROKE, Lifecycle.LIMITED, Lifecycle.WITHDRAWN)
    return noted(
        session_facts(
            session_id,
            disposition=Disposition.NOT_RUN,
            reason=reasons[lifecycle],
            lifecycle=lifecycle,
            started=False,
            **{"never_ran": never, **more},
        )
    )


def with_judge(session: SessionFacts, readiness: GraderReadiness) -> SessionFacts:
    graders = Graders(criteria=GraderReadiness.NOT_CONFIGURED, judge=readiness)
    verdict = session.verdict.model_copy(update={"graders": graders})
    return noted(replace(session, verdict=verdict))


def signals(*found: Signal, turn: int = 0) -> dict[str, Any]:
    return {"signals": tuple(SignalMatch(signal, turn) for signal in found)}


def reported(account: str = "I gave up.", reason: str = "It was refused.") -> dict[str, Any]:
    """What a session needs for a report of its own."""
    return {
        "report": SelfReportFact(account),
        "judge": JudgeFact("completed", passed=False, reason=reason),
        "last_assistant_index": 1,
        "messages_loaded": 2,
    }


def failed_checks(*ids: str) -> dict[str, Any]:
    return {
        "criteria": tuple(
            CriterionFact(CriterionId(each), None, "required", "failed") for each in ids
        )
    }


def plan_for(
    facts: Sequence[SessionFacts],
    *,
    targets: Sequence[str] = (),
    runs: Sequence[dict[str, Any]] = (),
    personas: Sequence[tuple[str | None, str]] = (),
    **more: Any,
) -> Plan:
    """The plan that these sessions carry out; targets and runs given stand before those found."""
    target_ids = list(dict.fromkeys([*targets, *(each.target_id for each in facts)]))
    known = {each["runId"] for each in runs}
    found: dict[str, dict[str, Any]] = {}
    for session in facts:
        if session.run_id in known:
            continue
        entry = found.setdefault(
            session.run_id,
            run(
                session.run_id,
                session.goal_id,
                session.persona_name,
                [],
                personaRefId=session.persona_ref_id,
            ),
        )
        if session.target_id not in entry["targetIds"]:
            entry["targetIds"].append(session.target_id)
    all_runs = [Run.model_validate(each) for each in [*runs, *found.values()]]
    titles = {str(each.goal_id): each.goal_title for each in facts}
    goal_ids = dict.fromkeys(each.journey_ref_id for each in all_runs)
    keys = dict.fromkeys([*personas, *((r.persona_ref_id, r.persona_name) for r in all_runs)])
    return Plan(
        wave_id="wave-1",
        name=None,
        swarm_id=None,
        created_at_ms=None,
        finished_at_ms=None,
        terminal=True,
        personas=tuple(Persona(persona_ref_id=ref, name=name) for ref, name in keys),
        goals=tuple(
            Goal.model_validate(goal(each, titles.get(each, f"Goal {each}"))) for each in goal_ids
        ),
        targets=tuple(Target.model_validate(target(each)) for each in target_ids),
        runs=tuple(all_runs),
        slots=tuple(
            PlannedSlot(each.session_id, each.run_id, each.target_id, each.session_index)
            for each in facts
        ),
        **more,
    )


def build(facts: Sequence[SessionFacts], plan: Plan | None = None, **more: Any) -> FindingSet:
    """The findings of these sessions; what a model contributes may be given by its parts."""
    asked = {
        key: more.pop(key) for key in ("mechanisms", "verification", "unanalysed") if key in more
    }
    if asked:
        asked["mechanisms"] = tuple(asked.get("mechanisms", ()))
        more["analysis"] = Analysis(**asked)
    return build_findings(
        plan or plan_for(facts), facts, generated_at_ms=0, source_revision=REVISION, **more
    )


def document_of(facts: Sequence[SessionFacts], plan: Plan | None = None, **more: Any) -> Any:
    """The wire document of these sessions."""
    return project(build(facts, plan, **more))[0]


def rows_of(findings: FindingSet, number: int) -> list[FindingRow]:
    """The rows of one list."""
    return [row for row in findings.rows if row.order == number]


FAILING = [word for word in Disposition if tone_of(word) is Tone.FAIL]


@st.composite
def some_session(draw: st.DrawFn, session_id: str) -> SessionFacts:
    """Any session that hangs together."""
    place = {
        "run_id": draw(st.sampled_from(["r1", "r2", "r:3"])),
        "target_id": draw(st.sampled_from(["t1", "t:2"])),
    }
    people: dict[str, dict[str, Any]] = {
        "r1": {"persona_name": "Ana", "persona_ref_id": None},
        "r2": {"persona_name": "Ana", "persona_ref_id": "p2"},
        "r:3": {
            "persona_name": "Ben",
            "persona_ref_id": "p:3",
            "goal_id": "g2",
            "goal_title": "Pay a fine",
        },
    }
    who = people[place["run_id"]]
    if draw(st.integers(0, 3)) == 0:
        return idle(session_id, draw(st.sampled_from(Lifecycle)), **place, **who)
    started = [word for word in Disposition if word is not Disposition.NOT_RUN]
    disposition = draw(st.sampled_from(started))
    read_state = draw(st.sampled_from([ReadState.READ, ReadState.READ, ReadState.READ, *ReadState]))
    read = read_state is ReadState.READ
    found = draw(st.lists(st.sampled_from(Signal), unique=True, max_size=3)) if read else []
    stage = draw(st.sampled_from([None, *Stage]))
    return facts_of(
        session_id,
        disposition,
        **place,
        **who,
        read_state=read_state,
        catalog_complete=draw(st.booleans()),
        chain=chain(stage, draw(st.sampled_from([(), (Stage.CONNECTION,)]))),
        **signals(*sorted(found, key=list(Signal).index), turn=draw(st.integers(0, 4))),
        **(reported() if draw(st.booleans()) else {}),
        **failed_checks(*draw(st.sampled_from([(), ("c1",), ("c1", "c:2")]))),
    )


@st.composite
def some_wave(draw: st.DrawFn, most: int = 12) -> tuple[Plan, list[SessionFacts]]:
    """Any small wave: facts in plan order, and their plan."""
    count = draw(st.integers(0, most))
    facts = [draw(some_session(f"s{number:02}")) for number in range(count)]
    plan = plan_for(facts, targets=draw(st.sampled_from([(), ("t:2", "t1"), ("t9",)])))
    return plan, facts
