"""Which goals come first, and for how many personas each was blocked."""

from collections.abc import Sequence

from reporter.findings.fold import fold
from reporter.view.count import Count
from reporter.view.outline import RunRef
from reporter.vocabulary import Tone, tone_of


def blocked_note(runs: Sequence[RunRef]) -> str:
    """Say for how many of the personas that tried it a goal was not met."""
    personas = {run.persona for run in runs}
    blocked = {run.persona for run in runs if tone_of(run.disposition) is Tone.FAIL}
    known = {
        run.persona for run in runs if tone_of(run.disposition) in (Tone.OK, Tone.WARN, Tone.FAIL)
    }
    if not known:
        return "outcome not known"
    if not blocked:
        return "met wherever tried" if known == personas else "not blocked where it is known"
    return f"blocked for {Count(len(blocked), len(personas), 'persona').text}"


def severity(runs: Sequence[RunRef]) -> tuple[int, float, int]:
    """Order goals: the most blocked first, then friction, then unknown, then met."""
    word = fold([run.disposition for run in runs])
    blocked = sum(1 for run in runs if tone_of(run.disposition) is Tone.FAIL)
    rank = {Tone.FAIL: 0, Tone.WARN: 1, Tone.MUTED: 2, Tone.OK: 3}[tone_of(word)]
    if rank == 3 and any(tone_of(run.disposition) is not Tone.OK for run in runs):  # noqa: PLR2004
        rank = 2
    share = blocked / len(runs) if runs else 0.0
    return rank, -share, -blocked
