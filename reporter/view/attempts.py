"""What became of an attempt, in words; of one whose end nobody recorded, that."""

from typing import Final

from reporter.models.facts import SessionFacts
from reporter.view.text import one_line
from reporter.vocabulary import Lifecycle, SessionVerdictReason

NOT_RECORDED: Final = "not recorded"
_NO_END: Final = "how it ended is not recorded"
_SILENT: Final = "said to have succeeded, no message recorded"
_LOST: Final = "the attempt broke off, and no message of it could be loaded"
_ENDED_BY: Final = {
    "personaEnded": "the persona",
    "turnCap": "the turn limit",
    "error": "an error",
    "aborted": "an abort from outside",
    "rateLimited": "a rate limit",
    "unknown": NOT_RECORDED,
}
_CUT_SHORT: Final = {"turnCap": "at", "error": "with", "aborted": "with", "rateLimited": "at"}
"""Ends that are no end of the conversation itself, each with the word that leads to it."""


def is_open_ended(fact: SessionFacts) -> bool:
    """Tell whether a session started and nothing on record says how its attempt went.

    Such an attempt counts as one that has not begun, which to say of a conversation that
    can be read would be absurd.

    Rule: findings.md section 4.1.
    """
    return fact.started and fact.lifecycle is Lifecycle.PENDING


def is_silent(fact: SessionFacts) -> bool:
    """Tell whether an attempt is said to have succeeded and nothing of a conversation is there.

    Rule: findings.md section 4.3, completed in silence.
    """
    return fact.lifecycle is Lifecycle.RAN and not fact.started


def broke_off_unseen(fact: SessionFacts) -> bool:
    """Tell whether a session broke off and what is on record of its messages is lost.

    To the decision table it is one without a message, like one that broke before its first;
    that nothing was said in it is not known, and the recording counts messages.

    Rule: findings.md sections 4.2, row 9, and 4.3, clause 3.
    """
    is_row_9 = fact.verdict.reason is SessionVerdictReason.EXECUTION_FAILED
    return is_row_9 and fact.started_by == "lost"


def lifecycle_words(fact: SessionFacts) -> str:
    """Say what became of the attempt, such as `ran to its end`; where a limit was its end, that."""
    if is_open_ended(fact):
        return _NO_END
    if is_silent(fact):
        return _SILENT
    said = fact.lifecycle.label
    if fact.lifecycle is Lifecycle.RAN and fact.end_reason in _CUT_SHORT:
        return f"{said}, {_CUT_SHORT[fact.end_reason]} {ended_by(fact)}"
    return said


def ended_by(fact: SessionFacts) -> str:
    """Name what ended a session, such as `the persona`; empty where nothing on record says so.

    A limit that a rule made out to be one of turns may be one of steps or of messages.

    Rule: recording.md sections 4 and 5a.
    """
    if fact.end_reason is None:
        return ""
    if fact.end_reason == "turnCap" and end_rule(fact):
        return "a limit"
    return _ENDED_BY.get(fact.end_reason, one_line(fact.end_reason, 80))


def end_rule(fact: SessionFacts) -> str:
    """Return the rule that gave the end of a session; empty where the end itself was recorded."""
    return next(iter(fact.rules_of("session_complete.endReason")), "")


def reason_words(fact: SessionFacts) -> str:
    """Say why the verdict is what it is, such as `a required check failed`."""
    reason = fact.verdict.reason
    if is_open_ended(fact) and reason is SessionVerdictReason.ATTEMPT_PENDING:
        return _NO_END
    return _LOST if broke_off_unseen(fact) else reason.label
