"""What came of one check: it held, it did not, or nobody can tell."""

from typing import Any, Literal

from reporter.checks.text import REASON_CAP, capped
from reporter.models.value import value

State = Literal["pass", "fail", "error"]


@value(frozen=True, slots=True)
class Outcome:
    """One evaluation.

    Rule: checks.md section 1.
    """

    state: State
    """`error`: the evidence that it needs was not there; no verdict in either direction."""
    reason: str
    """What was seen, never what it means."""

    @property
    def passed(self) -> bool:
        """Whether the rule was seen to hold."""
        return self.state == "pass"


def held(reason: str) -> Outcome:
    """The evidence was read and the rule held."""
    return Outcome("pass", reason)


def broken(reason: str) -> Outcome:
    """The evidence was read and the rule did not hold."""
    return Outcome("fail", reason)


def unknown(reason: str) -> Outcome:
    """The evidence was not there."""
    return Outcome("error", reason)


def judged(reason: str, *, holds: bool) -> Outcome:
    """Return whether a rule held over evidence that was read."""
    return held(reason) if holds else broken(reason)


def row_of(check: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    """Return a result row in wire form, keys in contract order.

    Args:
        check: The check as authored; expected arguments are redacted on the way.
        outcome: What came of it.

    Rule: checks.md section 5.
    """
    from reporter.checks.text import redacted  # noqa: PLC0415

    shown = dict(check)
    args = shown.get("args")
    if shown.get("type") == "toolCalledWith" and isinstance(args, dict) and "args" in args:
        shown["args"] = {**args, "args": redacted(args["args"])}
    row: dict[str, Any] = {
        "predicate": shown,
        "passed": outcome.passed,
        "reason": capped(outcome.reason, REASON_CAP),
    }
    if outcome.state == "error":
        row["status"] = "error"
    return row
