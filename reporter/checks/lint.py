"""Whether a list of checks can fail at all.

Rule: checks.md section 11.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from reporter.checks.authoring import effective_role
from reporter.checks.evaluate import evaluate
from reporter.checks.evidence import Evidence, Usage
from reporter.checks.remarks import is_negative
from reporter.derive.chain.predicates import CALLS_MATCH, MATCHERS

Lint = Literal["not_applicable", "can_fail", "cannot_tell", "vacuous"]
"""`vacuous`: a model that does nothing and says nothing passes; `not_applicable`: no tool may
be called, so that doing nothing is what is asked for."""

_CHANNELS: Final = ("toolResults", "toolCallTimings", "toolInventory", "toolDeclarations")
_UNFED: Final = frozenset(
    {
        "widgetRendered",
        "widgetRenderLatencyUnder",
        "widgetNoConsoleErrors",
        "toolLatencyUnder",
        "argumentsMatchToolSchema",
        "noDestructiveToolCalled",
        "noDeprecatedToolCalled",
        "toolDescriptionsPresent",
        "toolAnnotationsPresent",
        "toolNamesUnique",
        "noDeprecatedToolExposed",
        "toolInputSchemasWellFormed",
        "toolOutputSchemasPresent",
    }
)
"""Kinds that say nothing of an answer that is empty."""


def empty_answer(turns: int = 1) -> Evidence:
    """Return the evidence of a session in which nothing was done and nothing was said.

    Args:
        turns: Messages of the user that the case holds.
    """
    return Evidence(
        usage=Usage(0, 0, 0),
        turn_count=turns,
        final_message="",
        declarations=(),
        captured=dict.fromkeys(_CHANNELS, "complete"),
    )


@dataclass(frozen=True, slots=True)
class Linted:
    """Whether a list of checks can fail, and what leaves it open."""

    word: Lint
    unfed: tuple[str, ...] = ()
    """Kinds of gating checks that say nothing of an empty answer, where the word is open."""


def lint_of(checks: Iterable[Mapping[str, Any]], *, judged: bool = False, turns: int = 1) -> Linted:
    """Tell whether checks refuse the answer that must never be accepted.

    Args:
        checks: The effective checks of one goal, what grades expected calls among them; only
            gating ones count.
        judged: Whether a required goal judge, or a grader of another kind, decides beside them.
        turns: Messages of the user that the goal has at least.
    """
    gating = [check for check in checks if effective_role(check) == "required"]
    if is_negative(gating):
        return Linted("not_applicable")
    if any(check.get("type") == CALLS_MATCH for check in gating):
        return Linted("can_fail")
    evidence = empty_answer(turns)
    unfed: dict[str, None] = {}
    for check in gating:
        kind = str(check.get("type"))
        if kind in MATCHERS:
            continue
        state = "error" if kind in _UNFED else evaluate(check, evidence).state
        if state == "fail":
            return Linted("can_fail")
        if state == "error":
            unfed[kind] = None
    if judged or unfed:
        return Linted("cannot_tell", tuple(unfed))
    return Linted("vacuous")
