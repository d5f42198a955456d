"""Which goals come first, and for how many personas each was not met."""

from collections.abc import Sequence

from reporter.findings.fold import fold
from reporter.findings.people import is_recorded
from reporter.view.count import Count
from reporter.view.outline import RunRef
from reporter.vocabulary import Tone, tone_of


def missed_note(runs: Sequence[RunRef]) -> str:
    """Say for how many of the personas that tried it a goal was not met.

    Where sessions belong to nobody, they are what is counted.
    """
    if not all(is_recorded(run.persona) for run in runs):
        return _sessions_note(runs)
    personas = {run.persona for run in runs}
    missed = {run.persona for run in runs if tone_of(run.disposition) is Tone.FAIL}
    known = {run.persona for run in runs if tone_of(run.disposition) is not Tone.MUTED}
    if not known:
        return "outcome not known"
    if not missed:
        return met_note(runs) if known == personas else "not missed where it is known"
    return f"not met for {Count(len(missed), len(personas), 'persona').text}"


def _sessions_note(runs: Sequence[RunRef]) -> str:
    facts = [fact for run in runs for fact in run.facts]
    missed = sum(1 for fact in facts if tone_of(fact.disposition) is Tone.FAIL)
    word = tone_of(fold([run.disposition for run in runs]))
    if word is Tone.MUTED:
        return "outcome not known"
    if word is Tone.FAIL:
        return f"not met in {Count(missed, len(facts)).text}" if facts else "not met"
    return met_note(runs)


def met_note(runs: Sequence[RunRef]) -> str:
    """Say that a goal was met, and everywhere only where every session's outcome is known."""
    return "met wherever tried" if _is_known(runs) else "met wherever it is known"


def _is_known(runs: Sequence[RunRef]) -> bool:
    """Tell whether every session came out one way or the other; False without a recording."""
    facts = [fact for run in runs for fact in run.facts]
    return bool(facts) and all(tone_of(fact.disposition) is not Tone.MUTED for fact in facts)


def severity(runs: Sequence[RunRef]) -> tuple[int, float, int]:
    """Order goals: those not met most often first, then friction, then unknown, then met."""
    word = fold([run.disposition for run in runs])
    missed = sum(1 for run in runs if tone_of(run.disposition) is Tone.FAIL)
    rank = {Tone.FAIL: 0, Tone.WARN: 1, Tone.MUTED: 2, Tone.OK: 3}[tone_of(word)]
    known = all(tone_of(run.disposition) is Tone.OK for run in runs)
    if rank == 3 and not (known and (_is_known(runs) or not any(run.facts for run in runs))):  # noqa: PLR2004
        rank = 2
    share = missed / len(runs) if runs else 0.0
    return rank, -share, -missed
