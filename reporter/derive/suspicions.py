"""Suspected conditions on record: advisory, kept as somebody's suspicion."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, TypeVar

from reporter.derive.excerpt import bounded
from reporter.derive.friction_signals.document import stored_condition
from reporter.derive.problems import session_problem
from reporter.errors import Problem
from reporter.models.facts import SuspicionFact
from reporter.models.records import SuspectedConditionRecord
from reporter.models.session import SessionRecording
from reporter.vocabulary import (
    FrictionSignal,
    SuspectedCondition,
    SuspectedConditionConfidence,
)

_REMEDIATION_CHARS: Final = 300

_Word = TypeVar("_Word", bound=StrEnum)


def suspicions_of(
    recording: SessionRecording, records: Sequence[SuspectedConditionRecord]
) -> tuple[tuple[SuspicionFact, ...], tuple[Problem, ...]]:
    """Return the suspicions that can be used, and what is wrong with the others.

    Rule: recording.md section 5a; friction.md section 10.
    """
    found: list[SuspicionFact] = []
    problems: list[Problem] = []
    for record in records:
        signal = _word(FrictionSignal, record.signal)
        condition = _word(SuspectedCondition, record.condition)
        confidence = _word(SuspectedConditionConfidence, record.confidence)
        if signal is None or condition is None or confidence is None:
            problems.append(
                session_problem(
                    recording,
                    record,
                    "A suspected condition is not shown: its signal, condition or confidence is "
                    "none of the known words.",
                    rule="suspicion-unknown",
                    severity="note",
                )
            )
            continue
        said = record.remediation
        found.append(
            SuspicionFact(
                signal=signal,
                condition=stored_condition(condition, confidence),
                confidence=confidence,
                remediation=bounded(said, _REMEDIATION_CHARS) if said else None,
            )
        )
    return tuple(found), tuple(problems)


def _word(words: type[_Word], value: str) -> _Word | None:
    return next((word for word in words if word == value), None)
