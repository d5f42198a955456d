"""Grades of a session, computed from what happened in it: checks, and a judge that is rules."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from reporter.models.manifest import Criterion
from reporter.models.records import CriterionResult

JUDGE: Final = "rule-based judge"
"""Stands where a judging model's id would."""
WISHED_BRANCH: Final = "RIV"


class Undecided(Exception):  # noqa: N818  no error of ours: the judge has nothing to go by
    """The judge found nothing that its rule could decide on."""


@dataclass(frozen=True)
class Answered:
    """One call, with what the server answered."""

    tool: str
    content: Mapping[str, Any]
    """The structured content; empty where there was none."""
    error: str | None
    """The error in the server's words, or None."""


@dataclass
class Evidence:
    """What a session has come to so far."""

    turns: int = 0
    last_reply: str = ""
    calls: list[Answered] = field(default_factory=list)

    def answers(self, tool: str) -> list[Mapping[str, Any]]:
        """Return what a tool answered, errors left out, oldest first."""
        return [call.content for call in self.calls if call.tool == tool and call.error is None]


def graded(criterion: Criterion, evidence: Evidence) -> CriterionResult:
    """Apply one check.

    Raises:
        ValueError: The check is of a kind that this example does not use.
    """
    check = criterion.predicate or {}
    match check.get("type"):
        case "toolCalledAtLeastOnce":
            count = sum(call.tool == check["toolName"] for call in evidence.calls)
            passed, reason = count > 0, f"Calls of {check['toolName']}: {count}."
        case "responseContains":
            needle = str(check["needle"])
            passed = needle.casefold() in evidence.last_reply.casefold()
            reason = f"The last reply {'contains' if passed else 'does not contain'} “{needle}”."
        case "turnCountUnder":
            passed = evidence.turns < int(check["turns"])
            reason = f"Turns: {evidence.turns}; fewer than {check['turns']} are asked for."
        case "noToolErrors":
            failed = [call.tool for call in evidence.calls if call.error is not None]
            passed, reason = not failed, f"Calls that failed: {', '.join(failed) or 'none'}."
        case kind:
            raise ValueError(f"no check of kind {kind} here")
    return CriterionResult(criterion_id=criterion.id, passed=passed, reason=reason)


def _judge_renewal(evidence: Evidence) -> tuple[bool, str]:
    renewed = evidence.answers("renew_loan")
    if not renewed:
        return False, "No loan was renewed."
    due = date.fromisoformat(renewed[-1]["due"])
    said = f"{due.day} {due:%B} {due.year}"
    if said in evidence.last_reply:
        return True, f"The loan was renewed, and the last reply says {said}."
    if not re.search(r"\d", evidence.last_reply):
        raise Undecided("The last reply names no day that could be compared with the loan's.")
    return False, f"The loan was renewed to {said}, and the last reply says something else."


def _judge_payment(evidence: Evidence) -> tuple[bool, str]:
    receipts = evidence.answers("pay_fine")
    if not receipts:
        return False, "Nothing was paid."
    left = receipts[-1]["left_cents"]
    if left:
        return False, f"{receipts[-1]['paid_cents']} cents were paid and {left} are still owed."
    return True, "Everything that was owed is paid."


def _judge_move(evidence: Evidence) -> tuple[bool, str]:
    cancelled = {hold["hold_id"] for hold in evidence.answers("cancel_hold")}
    placed = [hold for hold in evidence.answers("place_hold") if hold["hold_id"] not in cancelled]
    if not any(hold["branch"] == WISHED_BRANCH for hold in placed):
        return False, "At the end no new hold waits at Riverside."
    if not cancelled:
        return False, "A hold waits at Riverside, and the old one was not cancelled."
    return True, "The hold waits at Riverside, and the old one is gone."


JUDGES: Final[Mapping[str, Callable[[Evidence], tuple[bool, str]]]] = {
    "renew": _judge_renewal,
    "fine": _judge_payment,
    "move": _judge_move,
}
"""By goal: whether it was met, and why; a goal that is not here has no judge."""
