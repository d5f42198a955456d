"""What may be named as the wave's main cause, its fix, and the recorded facts beside it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.findings.grouping import persona_order
from reporter.findings.text import first_words, trim
from reporter.models.finding import Finding, FindingRow, FindingSet, GoalIdentity
from reporter.models.plan import PersonaKey
from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    ScopeLevel,
    Signal,
    Stage,
    SummaryKind,
)

_TITLE_WORDS: Final = 12


@dataclass(frozen=True, slots=True)
class Sighting:
    """Sessions of one persona's goal in which something was seen."""

    goal: GoalIdentity
    persona: PersonaKey
    session_ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reach:
    """The goal that most of some sessions belong to."""

    title: str
    """In full, up to 12 words."""
    personas: tuple[PersonaKey, ...]
    """That goal's own personas among them, each once, by name and id."""
    sessions: int
    goals: int
    """Authored tasks that the sessions reach."""
    is_most: bool
    """True: no other goal has as many of the sessions."""


@dataclass(frozen=True, slots=True)
class LeadCause:
    """The verified explanation with most sessions."""

    mechanism_id: str
    phrase: str
    """A model's words; empty only where a document left them out."""
    fix: str | None
    """A model's words, or None where none was proposed."""
    session_ids: tuple[str, ...]
    """Distinct supporting sessions, in id order."""
    reach: Reach
    stage: Stage | None
    """None where its rows do not agree on one."""
    measured: bool
    """True: every row's stage comes from the sessions' own chains."""


def lead_cause(rows: Iterable[FindingRow]) -> LeadCause | None:
    """Return the explanation that most distinct sessions support, or None.

    Rule: findings.md section 13, lead cause.
    """
    by_mechanism: dict[str, list[Finding]] = defaultdict(list)
    for row in rows:
        finding = row.finding
        is_cause = finding.basis is Basis.VERIFIED_MECHANISM
        if is_cause and finding.mechanism_id is not None and finding.scope_level is ScopeLevel.GOAL:
            by_mechanism[finding.mechanism_id].append(finding)
    if not by_mechanism:
        return None
    mechanism = min(by_mechanism, key=lambda each: (-len(_sessions(by_mechanism[each])), each))
    found = sorted(by_mechanism[mechanism], key=lambda finding: finding.id)
    stages = {finding.chain_stage for finding in found}
    bases = {finding.chain_stage_basis for finding in found}
    return LeadCause(
        mechanism_id=mechanism,
        phrase=_first_filled(finding.mechanism_phrase for finding in found) or "",
        fix=_first_filled(finding.fix_phrase for finding in found),
        session_ids=tuple(sorted(_sessions(found))),
        reach=reach_of(sightings(found)),
        stage=stages.pop() if len(stages) == 1 else None,
        measured=bases == {ChainStageBasis.DERIVED},
    )


def suggested_fix(findings: FindingSet) -> str | None:
    """Return the lead cause's own fix or None: never another's, never where nothing launched.

    Rule: findings.md section 13, suggested fix.
    """
    if findings.summary_kind is SummaryKind.NOT_LAUNCHED:
        return None
    cause = lead_cause(findings.rows)
    return cause.fix if cause else None


def signal_totals(rows: Iterable[FindingRow]) -> tuple[tuple[Signal, int], ...]:
    """Add up the signal rows; each session is in at most one, so the counts may be added.

    Returns:
        Most sessions first, then by name; the denominator is the population's `read`.

    Rule: findings.md section 13, signal totals.
    """
    totals: Counter[Signal] = Counter()
    for row in rows:
        if row.finding.signal is not None:
            totals[row.finding.signal] += row.finding.population.count
    return tuple(sorted(totals.items(), key=lambda item: (-item[1], item[0].value)))


def sightings(found: Iterable[Finding]) -> list[Sighting]:
    """Return where some rows say that something was seen."""
    return [
        Sighting(
            finding.goal,
            (finding.persona.persona_ref_id, finding.persona.name),
            frozenset(finding.session_ids),
        )
        for finding in found
    ]


def reach_of(seen: Sequence[Sighting]) -> Reach:
    """Say which goal most sessions belong to, and how many goals they reach.

    A tie goes to the goal with the smallest run id.
    """
    by_goal: dict[str, list[Sighting]] = defaultdict(list)
    for sighting in seen:
        by_goal[sighting.goal.journey_ref_id].append(sighting)
    counts = {goal: _distinct(found) for goal, found in by_goal.items()}
    lead = min(
        by_goal, key=lambda goal: (-counts[goal], min(one.goal.run_id for one in by_goal[goal]))
    )
    first = min(by_goal[lead], key=lambda sighting: sighting.goal.run_id)
    return Reach(
        title=first_words(first.goal.title, _TITLE_WORDS),
        personas=tuple(sorted({one.persona for one in by_goal[lead]}, key=persona_order)),
        sessions=counts[lead],
        goals=len(by_goal),
        is_most=list(counts.values()).count(counts[lead]) == 1,
    )


def _distinct(seen: Iterable[Sighting]) -> int:
    return len(frozenset().union(*(sighting.session_ids for sighting in seen)))


def _sessions(found: Iterable[Finding]) -> set[str]:
    return {session for finding in found for session in finding.session_ids}


def _first_filled(texts: Iterable[str | None]) -> str | None:
    return next((text for text in texts if text is not None and trim(text)), None)
