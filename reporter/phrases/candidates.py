"""Which sessions a model is asked about: the candidate groups, and a bounded sample of each."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.findings.coverage import candidate_group
from reporter.models.facts import SessionFacts
from reporter.models.phrases import GroupKey
from reporter.vocabulary import Disposition, Signal, Stage

_SIGNALS: Final = {signal: place for place, signal in enumerate(Signal)}
_STAGES: Final = {stage: place for place, stage in enumerate(Stage)}
_DISPOSITIONS: Final = {word: place for place, word in enumerate(Disposition)}


@dataclass(frozen=True, slots=True)
class CandidateGroup:
    """Sessions that one cause could be asked for."""

    key: GroupKey
    sessions: tuple[SessionFacts, ...]
    """In session id order."""

    def sample(self, most: int) -> tuple[SessionFacts, ...]:
        """Return at most so many sessions, spread evenly over the group, in session id order.

        Neighbours often share persona and goal, so the first few would show one corner of it.
        """
        count = len(self.sessions)
        if count <= most:
            return self.sessions
        return tuple(self.sessions[place * count // most] for place in range(most))


def candidate_groups(facts: Iterable[SessionFacts]) -> tuple[CandidateGroup, ...]:
    """Return every candidate group, the largest first, ties in contract order.

    The order is the order of asking: where a budget ends, the smallest groups are left.

    Rule: findings.md section 9.4, candidate groups.
    """
    found: dict[GroupKey, list[SessionFacts]] = defaultdict(list)
    for session in facts:
        key = candidate_group(session)
        if key is not None:
            found[GroupKey(*key)].append(session)
    groups = [
        CandidateGroup(key, tuple(sorted(sessions, key=lambda one: one.session_id)))
        for key, sessions in found.items()
    ]
    return tuple(sorted(groups, key=lambda group: (-len(group.sessions), _contract(group.key))))


def _contract(key: GroupKey) -> Sequence[int]:
    return (
        -1 if key.signal is None else _SIGNALS[key.signal],
        -1 if key.stage is None else _STAGES[key.stage],
        _DISPOSITIONS[key.disposition],
    )
