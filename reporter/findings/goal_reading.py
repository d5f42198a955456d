"""How a reader takes the rows of one goal: its word, its stages, its first failed link.

A goal here is one run: the authored task as one persona tried it in this wave.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from reporter.findings.counted import count_of
from reporter.findings.fixed import OWN_WORD
from reporter.findings.fold import fold
from reporter.findings.grouping import NOBODY
from reporter.models.finding import FindingRow, FindingSet, GoalIdentity, PersonaIdentity
from reporter.models.plan import Plan
from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    Disposition,
    ScopeLevel,
    Stage,
    StageState,
    Tone,
    tone_of,
)

SEVERITY: Final = {Tone.FAIL: 3, Tone.WARN: 2, Tone.MUTED: 1, Tone.OK: 0}
"""How bad a tone is."""

NO_STAGE_EVIDENCE: Final = "No evidence was recorded for this link. That is not a pass."
"""What stands at a stage without evidence; no session list goes under it."""

STAGE_IN_TEXT: Final = {
    Stage.CONNECTION: "the connection",
    Stage.DISCOVERY: "discovery",
    Stage.SELECTION: "tool selection",
    Stage.CALL: "the tool call",
    Stage.RESPONSE: "the response",
    Stage.USER_VALUE: "user value",
}
"""A stage in the middle of a sentence."""

_PLACE: Final = {word: place for place, word in enumerate(Disposition)}
_COLOUR: Final = {StageState.FAILED: Tone.FAIL, StageState.PASSED: Tone.OK}

EvidenceWords = Literal["mechanism", "signal", "actual", "disposition"]


def goal_rows(rows: Iterable[FindingRow]) -> list[FindingRow]:
    """Return the rows that may say something about a goal: never a wider one.

    Rule: findings.md section 10, S6.
    """
    levels = (ScopeLevel.GOAL, ScopeLevel.SESSION)
    return [row for row in rows if row.finding.scope_level in levels]


def representative(rows: Iterable[FindingRow]) -> FindingRow | None:
    """Return the row that stands for a goal, whatever the order of the rows.

    Rule: findings.md section 13, representative row.
    """
    return min(goal_rows(rows), key=_standing, default=None)


@dataclass(frozen=True, slots=True)
class GoalReading:
    """One goal, as a reader meets it."""

    run_id: str
    goal: GoalIdentity
    persona: PersonaIdentity
    rows: tuple[FindingRow, ...]
    """Its goal and session rows, in id order; may be empty."""
    representative: FindingRow | None
    disposition: Disposition
    """The representative row's; not measured for a goal without rows."""
    outcome: Disposition
    """The fold over its outcome rows, which counts of goals use; else the same word."""
    session_ids: tuple[str, ...]
    """Distinct sessions over its rows, in id order."""

    @property
    def tone(self) -> Tone:
        """The tone of its disposition, recomputed."""
        return tone_of(self.disposition)


def read_goals(findings: FindingSet, plan: Plan | None = None) -> tuple[GoalReading, ...]:
    """Read every goal of the wave, those without a row included.

    Returns:
        One entry a run, by persona as in `personas`, then in its order of runs. A run that
        only rows name stands at the end.

    Rule: findings.md section 13, goal without rows.
    """
    by_run: dict[str, list[FindingRow]] = defaultdict(list)
    for row in goal_rows(findings.rows):
        by_run[row.finding.goal.run_id].append(row)
    personas = {run: each.persona for each in findings.personas for run in each.goal_run_ids}
    planned = _planned_goals(plan)
    runs = dict.fromkeys([*personas, *sorted(by_run)])
    return tuple(
        _read_goal(run, by_run.get(run, []), personas.get(run), planned.get(run)) for run in runs
    )


def stage_colour(rows: Iterable[FindingRow], stage: Stage) -> Tone | None:
    """Return the colour of one stage of a goal, or None: nothing measured stands there.

    Rule: findings.md section 13, stage colour.
    """
    states = {
        row.finding.chain_stage_state for row in goal_rows(rows) if row.finding.chain_stage is stage
    }
    return next((tone for state, tone in _COLOUR.items() if state in states), None)


@dataclass(frozen=True, slots=True)
class StageEvidence:
    """What one row says at a stage."""

    text: str
    words: EvidenceWords
    """Whose words the text is: a model's mechanism, code's label, or the cited account."""
    population: str
    row_id: str
    session_ids: tuple[str, ...]

    @property
    def line(self) -> str:
        """The text with its population."""
        return f"{self.text} ({self.population})"


def stage_evidence(rows: Iterable[FindingRow], stage: Stage) -> tuple[StageEvidence, ...]:
    """Return the evidence that stands at one stage of a goal, the row that weighs most first.

    An empty answer is to be said in words (`NO_STAGE_EVIDENCE`).

    Rule: findings.md section 13, stage evidence text.
    """
    at_stage = [row for row in goal_rows(rows) if row.finding.chain_stage is stage]
    loud = [row for row in at_stage if tone_of(row.finding.disposition) is not Tone.MUTED]
    return tuple(_evidence(row) for row in sorted(loud, key=_standing))


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The first failed link of a goal."""

    stage: Stage
    stopped: bool
    """True: the goal's own word says that this link is what stopped it."""
    row_id: str
    measured: bool = True
    """False: only an explanation names the link, no recorded chain."""

    @property
    def text(self) -> str:
        """One sentence; that the link stopped the goal only where that is known.

        Rule: findings.md section 13, diagnosis and lead cause.
        """
        if not self.measured:
            return f"The explanation points at {STAGE_IN_TEXT[self.stage]}; no chain measured it."
        if self.stopped:
            return f"It was stopped at {STAGE_IN_TEXT[self.stage]}, the first failed link."
        return f"The first failed link was {STAGE_IN_TEXT[self.stage]}."

    def about(self, title: str) -> str:
        """Say the same of a goal by its title, where nothing before named it."""
        if not self.measured:
            link = STAGE_IN_TEXT[self.stage]
            return f"In “{title}”, the explanation points at {link}; no chain measured it."
        if self.stopped:
            return f"“{title}” was stopped at {STAGE_IN_TEXT[self.stage]}, the first failed link."
        return f"In “{title}”, the first failed link was {STAGE_IN_TEXT[self.stage]}."


def diagnosis(rows: Iterable[FindingRow]) -> Diagnosis | None:
    """Return the earliest stage of a goal that is coloured fail, or None.

    Whether that link stopped the goal is for the outcome rows to say where some stand at
    the stage: a verified explanation takes its word from the stage it names.

    Rule: findings.md section 13, diagnosis.
    """
    goal = goal_rows(rows)
    for stage in Stage:
        if stage_colour(goal, stage) is Tone.FAIL:
            failed = [row for row in goal if _fails_at(row, stage)]
            speaking = [row for row in failed if _is_outcome(row)] or failed
            own = [row for row in speaking if row.finding.disposition is OWN_WORD[stage]]
            stopped = bool(own) and stage is not Stage.USER_VALUE
            bases = {row.finding.chain_stage_basis for row in failed}
            lead = min(own or speaking, key=_standing).finding.id
            return Diagnosis(stage, stopped, lead, measured=ChainStageBasis.DERIVED in bases)
    return None


def _standing(row: FindingRow) -> tuple[bool, int, int, str]:
    finding = row.finding
    return (
        finding.scope_level is not ScopeLevel.GOAL,
        -SEVERITY[tone_of(finding.disposition)],
        _PLACE[finding.disposition],
        finding.id,
    )


def _read_goal(
    run_id: str,
    rows: Sequence[FindingRow],
    persona: PersonaIdentity | None,
    planned: GoalIdentity | None,
) -> GoalReading:
    lead = representative(rows)
    disposition = lead.finding.disposition if lead else Disposition.NOT_MEASURED
    outcomes = [row.finding.disposition for row in rows if _is_outcome(row)]
    unnamed = GoalIdentity(run_id=run_id, journey_ref_id="", title=run_id)
    return GoalReading(
        run_id=run_id,
        goal=lead.finding.goal if lead else planned or unnamed,
        persona=persona or (lead.finding.persona if lead else NOBODY),
        rows=tuple(sorted(rows, key=lambda row: row.finding.id)),
        representative=lead,
        disposition=disposition,
        outcome=fold(outcomes) if outcomes else disposition,
        session_ids=tuple(sorted({each for row in rows for each in row.finding.session_ids})),
    )


def _planned_goals(plan: Plan | None) -> dict[str, GoalIdentity]:
    if plan is None:
        return {}
    titles = {goal.journey_ref_id: goal.title for goal in plan.goals}
    return {
        run.run_id: GoalIdentity(
            run_id=run.run_id,
            journey_ref_id=run.journey_ref_id,
            title=titles.get(run.journey_ref_id, run.journey_ref_id),
        )
        for run in plan.runs
    }


def _evidence(row: FindingRow) -> StageEvidence:
    finding = row.finding
    words: EvidenceWords
    if finding.mechanism_phrase:
        text, words = finding.mechanism_phrase, "mechanism"
    elif finding.signal is not None:
        text, words = finding.signal.label, "signal"
    elif finding.report_excerpt is not None:
        text, words = finding.report_excerpt.actual, "actual"
    else:
        text, words = finding.disposition.label, "disposition"
    return StageEvidence(
        text=text,
        words=words,
        population=count_of(finding.population.count, finding.population.total),
        row_id=finding.id,
        session_ids=tuple(finding.session_ids),
    )


def _fails_at(row: FindingRow, stage: Stage) -> bool:
    finding = row.finding
    return finding.chain_stage is stage and finding.chain_stage_state is StageState.FAILED


def _is_outcome(row: FindingRow) -> bool:
    finding = row.finding
    is_fact = finding.basis is Basis.POPULATION_FACT and finding.signal is None
    return is_fact and finding.scope_level is ScopeLevel.GOAL
