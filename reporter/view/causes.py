"""Verified explanations, joined over the rows that publish them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reporter.models.finding import FindingRow, FindingSet
from reporter.models.manifest import TARGET_UNRECORDED
from reporter.models.wave import Transcripts
from reporter.view.anchor import cause_anchor, session_anchor
from reporter.view.author import ModelWords, model_words
from reporter.view.citations import PlaceLink, place_link
from reporter.view.count import Bar, Count, share_bar
from reporter.view.outline import NAME_LIMIT, SHORT_TITLE_LIMIT, Outline
from reporter.view.places import Places
from reporter.view.proposals import no_fix_words, published_as
from reporter.view.quotes import Quote, Quotes
from reporter.view.text import and_more, listed, one_line, plural, quoted
from reporter.view.work_words import why_no_cause
from reporter.vocabulary import ChainStageBasis, CoverageNote, Stage, StageState

SHOWN_CAUSES: Final = 20
LINKS_LIMIT: Final = 40


@dataclass(frozen=True, slots=True)
class CauseView:
    """One verified explanation."""

    anchor: str
    number: int
    phrase: ModelWords
    fix: ModelWords
    """Empty where none was proposed, or where the one that was is refused."""
    no_fix: str
    """Why there is no fix; empty where there is one."""
    outcome: ModelWords
    """What happened to the user's attempt."""
    reach: Count
    """Distinct sessions, of all read sessions."""
    across: str
    """Such as `across 2 goals`; empty for one goal."""
    bar: Bar
    stage: str
    """How the link is known: measured, or what the explanation points at."""
    seen_in: str
    """Personas and goals, in words."""
    targets: str
    quotes: tuple[Quote, ...]
    """The first cited places in recorded words; empty without a recording."""
    cited: tuple[PlaceLink, ...]
    """Every cited place."""
    sessions: tuple[PlaceLink, ...]
    more: str
    notes: tuple[str, ...]
    """Labels of the coverage notes its rows carry."""
    proposals: tuple[PlaceLink, ...]
    """Where the ledger says how it was proposed and checked; empty where that is not known."""

    @property
    def cited_beside(self) -> tuple[PlaceLink, ...]:
        """Every cited place; none where each stands under its quotation already."""
        quoted_at = {quote.place for quote in self.quotes}
        return () if quoted_at.issuperset(self.cited) else self.cited


@dataclass(frozen=True, slots=True)
class CausesView:
    """The causes of a wave, most sessions first."""

    causes: tuple[CauseView, ...]
    why_none: str
    """One sentence where there is no cause; empty otherwise."""
    more: str
    """How many are not shown; may be empty."""


def cause_numbers(findings: FindingSet) -> Mapping[str, int]:
    """Number the mechanisms, most sessions first, ties by id.

    Rule: findings.md section 13, `Lead cause`.
    """
    sessions: dict[str, set[str]] = {}
    for row in findings.rows:
        if row.finding.mechanism_id is not None:
            sessions.setdefault(row.finding.mechanism_id, set()).update(row.finding.session_ids)
    ranked = sorted(sessions, key=lambda one: (-len(sessions[one]), one))
    return {one: number for number, one in enumerate(ranked[:SHOWN_CAUSES], start=1)}


def causes_view(
    outline: Outline,
    shown: Places,
    names: Mapping[str, str],
    numbers: Mapping[str, int],
    transcripts: Transcripts | None = None,
) -> CausesView:
    """Lay the causes out.

    Args:
        outline: The wave.
        shown: Sessions whose transcript the page carries.
        names: How each session is called.
        numbers: Number of each cause, by mechanism id.
        transcripts: Reads a session again, for the words at cited places; None where there
            is no recording.

    Rule: report.md section 3.4.
    """
    rows: dict[str, list[FindingRow]] = {}
    for row in sorted(outline.wave.findings.rows, key=lambda row: row.finding.id):
        if row.finding.mechanism_id is not None:
            rows.setdefault(row.finding.mechanism_id, []).append(row)
    left = len(rows) - len(numbers)
    proposals = published_as(outline.wave.phrases)
    quotes = Quotes(outline.facts, transcripts, shown, names)
    return CausesView(
        causes=tuple(
            replace(
                _cause(outline, one, number, rows[one], quotes),
                proposals=proposals.get(one, ())[:LINKS_LIMIT],
            )
            for one, number in numbers.items()
        ),
        why_none="" if rows else why_no_cause(outline.wave),
        more=f"{plural(left, 'more cause')} not shown." if left else "",
    )


def _cause(
    outline: Outline, mechanism_id: str, number: int, rows: Sequence[FindingRow], quotes: Quotes
) -> CauseView:
    names = quotes.names
    findings = [row.finding for row in rows]
    sessions = sorted({session for finding in findings for session in finding.session_ids})
    reach = Count(len(sessions), outline.wave.findings.population.read, kind="read")
    goals = {finding.goal.journey_ref_id for finding in findings}
    citations = list(dict.fromkeys(cite for finding in findings for cite in finding.citations))
    known = names.keys()
    fix = _first([finding.fix_phrase for finding in findings])
    return CauseView(
        anchor=cause_anchor(mechanism_id),
        number=number,
        phrase=_first([finding.mechanism_phrase for finding in findings]),
        fix=fix,
        no_fix="" if fix else no_fix_words(outline.wave.phrases, mechanism_id),
        outcome=_first([finding.outcome_phrase for finding in findings]),
        reach=reach,
        across=f"across {plural(len(goals), 'goal')}" if len(goals) > 1 else "",
        bar=share_bar(reach),
        stage=_stage_words(outline, rows, sessions),
        seen_in=_seen_in(outline, rows),
        targets=_targets(outline, rows),
        quotes=quotes.of(citations),
        cited=tuple(
            place_link(cite, quotes.shown, known, name=names.get(cite.partition("/")[0], ""))
            for cite in citations[:LINKS_LIMIT]
        ),
        sessions=tuple(
            PlaceLink(
                names.get(one, one),
                quotes.shown.href(one, session_anchor(one)) if one in known else "",
            )
            for one in sessions[:LINKS_LIMIT]
        ),
        more=and_more(len(sessions) - LINKS_LIMIT),
        notes=tuple(
            note.label
            for note in CoverageNote
            if any(note in finding.coverage_notes for finding in findings)
        ),
        proposals=(),
    )


def _first(texts: Sequence[str | None]) -> ModelWords:
    return model_words(next((text for text in texts if text and text.strip()), ""))


def _stage_words(outline: Outline, rows: Sequence[FindingRow], sessions: Sequence[str]) -> str:
    """Name the link only where all rows agree, and call it measured only where all measured it.

    Otherwise say in how many of the counted sessions it failed: it may have held in the others.
    """
    stages: set[Stage | None] = {row.finding.chain_stage for row in rows}
    stage = stages.pop() if len(stages) == 1 else None
    if stage is None:
        return ""
    if all(row.finding.chain_stage_basis is ChainStageBasis.DERIVED for row in rows):
        count = len(sessions)
        where = {1: "the session", 2: "both sessions"}.get(count, f"all {count:,} sessions")
        return f"{stage.label}: measured. In {where} this link failed."
    lead = f"{stage.label}: what the explanation points at"
    if not outline.recorded:
        return f"{lead}; the recorded chains do not all show it."
    chains = [outline.facts[one].chain for one in sessions if one in outline.facts]
    failed = sum(one is not None and one.row(stage).state is StageState.FAILED for one in chains)
    return f"{lead}. This link failed in {Count(failed, len(sessions)).text}."


def _seen_in(outline: Outline, rows: Sequence[FindingRow]) -> str:
    goals: dict[str, dict[str, int]] = {}
    for row in rows:
        finding = row.finding
        goal = outline.goals.get(finding.goal.journey_ref_id)
        person = outline.personas.get((finding.persona.persona_ref_id, finding.persona.name))
        title = goal.short_title if goal else one_line(finding.goal.title, SHORT_TITLE_LIMIT)
        name = person.name if person else one_line(finding.persona.name, NAME_LIMIT)
        people = goals.setdefault(title, {})
        people[name] = people.get(name, 0) + finding.population.count
    said = [
        f"{quoted(goal)} ({', '.join(f'{name} {count:,}' for name, count in people.items())})"
        for goal, people in goals.items()
    ]
    return "; ".join(said)


def _targets(outline: Outline, rows: Sequence[FindingRow]) -> str:
    counts: dict[str, int] = {}
    for row in rows:
        label = outline.target_name(row.finding.target) or TARGET_UNRECORDED
        counts[label] = counts.get(label, 0) + row.finding.population.count
    return listed([f"{label} {count:,}" for label, count in counts.items()])
