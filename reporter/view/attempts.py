"""What became of an attempt, in words; of one whose end nobody recorded, that."""

from typing import Final

from reporter.models.facts import SessionFacts
from reporter.vocabulary import Lifecycle, SessionVerdictReason

_NO_END: Final = "how it ended is not recorded"


def is_open_ended(fact: SessionFacts) -> bool:
    """Tell whether a session started and nothing on record says how its attempt went.

    Such an attempt counts as one that has not begun, which to say of a conversation that
    can be read would be absurd.

    Rule: findings.md section 4.1.
    """
    return fact.started and fact.lifecycle is Lifecycle.PENDING


def lifecycle_words(fact: SessionFacts) -> str:
    """Say what became of the attempt, such as `ran to its end`."""
    return _NO_END if is_open_ended(fact) else fact.lifecycle.label


def reason_words(fact: SessionFacts) -> str:
    """Say why the verdict is what it is, such as `a required check failed`."""
    reason = fact.verdict.reason
    is_open = is_open_ended(fact) and reason is SessionVerdictReason.ATTEMPT_PENDING
    return _NO_END if is_open else reason.label
