"""The one word for a whole wave, and its tone."""

from collections.abc import Iterable

from reporter.findings.fold import fold
from reporter.models.finding import Population
from reporter.vocabulary import Disposition, SummaryKind, Tone, tone_of

_KIND_OF_TONE = {
    Tone.FAIL: SummaryKind.BROKEN,
    Tone.WARN: SummaryKind.FRICTION,
    Tone.OK: SummaryKind.LANDED,
    Tone.MUTED: SummaryKind.UNGRADED,
}


def summary_kind(population: Population, goals: Iterable[Disposition]) -> SummaryKind:
    """Name how a wave came out.

    Args:
        population: The wave's counts.
        goals: One disposition a run, or a cell: folding is associative, so either will do.

    Rule: findings.md section 6.1.
    """
    if population.started == 0:
        return SummaryKind.NOT_LAUNCHED
    if 2 * population.read < population.started:
        return SummaryKind.UNREAD
    return _KIND_OF_TONE[tone_of(fold(goals))]


def summary_tone(kind: SummaryKind, goals: Iterable[Disposition]) -> Tone:
    """Return the tone of a summary: the fold over the goals, or muted where nothing is claimed.

    Rule: report.md section 3, summary.
    """
    silent = (SummaryKind.NOT_LAUNCHED, SummaryKind.UNREAD, SummaryKind.UNGRADED)
    return Tone.MUTED if kind in silent else tone_of(fold(goals))
