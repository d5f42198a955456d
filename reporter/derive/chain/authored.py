"""What a test case asks of a run, in the few facts that the analyzer reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reporter.derive.chain.predicates import CHECK_KINDS, routed
from reporter.models.chain import Authored
from reporter.vocabulary import Stage


@dataclass(frozen=True, slots=True)
class CaseStep:
    """One authored step."""

    does: Literal["prompt", "toolCall", "assert", "other"]
    kind: str | None = None
    """Of an assertion on the session: its kind of check."""
    on_widget: bool = False
    """True for an assertion on a rendered widget, which has no kind of check."""


@dataclass(frozen=True, slots=True)
class CaseTurn:
    """One authored turn."""

    needs_model: bool
    expects_tool_calls: bool = False
    """True when the turn declares at least one call."""


@dataclass(frozen=True, slots=True)
class AuthoredCase:
    """A test case, as far as the analyzer cares."""

    turns: Sequence[CaseTurn] = ()
    steps: Sequence[CaseStep] = ()
    success_kinds: Sequence[str | None] = ()
    """The kind of each success predicate, advisory ones included; None where it has none."""
    expects_tool_calls: bool = False
    """True when the case itself declares at least one call."""
    expected_output: str | None = None
    is_negative_test: bool | None = None
    """None where the case does not declare it."""
    case_type: str | None = None


def authored_half(case: AuthoredCase) -> Authored:
    """Return what the case asserts.

    A check that is routed to selection is graded there and counts as no user-value
    assertion; every other one does, one that only the call or response stage reads included.

    Rule: chain.md section 4.
    """
    assertions = [step for step in case.steps if step.does == "assert"]
    kinds = [None if step.on_widget else step.kind for step in assertions]
    kinds.extend(case.success_kinds)
    expects_call = (
        case.expects_tool_calls
        or any(turn.expects_tool_calls for turn in case.turns)
        or any(step.does == "toolCall" for step in case.steps)
        or any(_is_positive(kind) for kind in kinds)
    )
    renders = case.case_type == "widget_probe" or any(step.on_widget for step in assertions)
    counted = sum(routed(kind) is not Stage.SELECTION for kind in kinds)
    return Authored(
        mode="model_driven" if any(turn.needs_model for turn in case.turns) else "model_free",
        is_negative_test=case.is_negative_test,
        expects_tool_call=expects_call,
        expects_widget_render=renders,
        assertion_count=counted + (case.expected_output is not None),
    )


def _is_positive(kind: str | None) -> bool:
    return kind is not None and kind in CHECK_KINDS and CHECK_KINDS[kind].positive
