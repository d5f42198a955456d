"""What grading came to, in lines for a terminal."""

from collections.abc import Mapping
from typing import Final

from reporter.checks.grading import Disagreement, GradingTally, Ungraded, Word

SHOWN: Final = 50
"""Disagreements that are listed; the wave holds all of them."""

_WORDS: Final[Mapping[Word, str]] = {
    "passed": "passed",
    "failed": "failed",
    "error": "not measured",
}
_WHY: Final[Mapping[Ungraded, str]] = {
    "noTranscript": "without a transcript",
    "unfinished": "still running or not begun",
    "endUnrecorded": "without a recorded end; if they are over, say so with --ended",
    "damaged": "whose file breaks off or cannot be read",
    "nothingToGrade": "with no check that was not graded before",
    "beyondCap": "beyond the cap",
}


def graded_lines(tally: GradingTally, labels: Mapping[str, str] | None = None) -> list[str]:
    """Say how many sessions were graded, what the checks came to, and what differs.

    Args:
        tally: What came of all sessions.
        labels: What a reader calls a check, by criterion id; an id without one stands itself.
    """
    named = labels or {}
    total = sum(tally.words.values())
    counts = ", ".join(f"{tally.words[word]:,} {said}" for word, said in _WORDS.items())
    sessions = f"{tally.graded:,} of {_counted(tally.sessions, 'session')}"
    lines = [f"Graded {sessions}: {_counted(total, 'result')}, {counts}."]
    if tally.kept:
        lines.append(f"Kept as recorded: {_counted(tally.kept, 'result')}.")
    lines += [
        f"Not graded: {_counted(number, 'session')} {_WHY[why]}."
        for why in _WHY
        if (number := tally.ungraded[why])
    ]
    lines += [
        f"Measured in no session: {named.get(name, name)}. {reason}"
        for name, reason in tally.blind.items()
    ]
    return lines + _differing(tally.disagreements, named)


def _differing(found: list[Disagreement], labels: Mapping[str, str]) -> list[str]:
    if not found:
        return []
    lines = [f"The checks say otherwise than the recording in {_counted(len(found), 'result')}:"]
    lines += [
        f"  {one.session_id}: {labels.get(one.criterion_id, one.criterion_id)}: "
        f"recorded {_WORDS[one.recorded]}, now {_WORDS[one.now]}. {one.reason}"
        for one in found[:SHOWN]
    ]
    if len(found) > SHOWN:
        lines.append(f"  and {len(found) - SHOWN:,} more, in the wave's criteria records.")
    return lines


def _counted(number: int, unit: str) -> str:
    return f"{number:,} {unit}" if number == 1 else f"{number:,} {unit}s"
