"""What a run rests on, as paper has room for it: fewer sessions named, the same counts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeVar

from reporter.view.evidence import Evidence, EvidenceLine, FindingLine

WHOLE: Final = 12
"""Sessions of one line that are all named."""
NAMED: Final = 8
"""Sessions of one line that are named where there are more; the rest are counted."""

Line = TypeVar("Line", EvidenceLine, FindingLine)


def brief_evidence(evidence: Evidence) -> Evidence:
    """Name fewer sessions of each line of a run that many sessions tried.

    On a page they are links to go through; on paper the same forty names, once a line, would
    take a page a run and say nothing that their number does not.
    """
    return replace(
        evidence,
        outcomes=_brief(evidence.outcomes),
        causes=_brief(evidence.causes),
        signals=_brief(evidence.signals),
        checks=_brief(evidence.checks),
        next_owner=_brief(evidence.next_owner),
        unknown=_brief(evidence.unknown),
        not_run=_brief(evidence.not_run),
        sessions=evidence.sessions[: _named(evidence.all_sessions)],
    )


def _brief(lines: Sequence[Line]) -> tuple[Line, ...]:
    return tuple(replace(line, links=line.links[: _named(line.total)]) for line in lines)


def _named(total: int) -> int:
    return total if total <= WHOLE else NAMED
