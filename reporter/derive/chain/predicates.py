"""Which stage a check is filed at, which stage consumes its rows, and why that stage then fails."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from reporter.models.chain import PredicateRow
from reporter.vocabulary import Stage, StageReason


@dataclass(frozen=True, slots=True)
class CheckKind:
    """What the analyzer knows about one kind of check."""

    filed_at: Stage
    """Where the check is shown."""
    route: Stage | None
    """The stage that consumes an eligible row, or None where no stage does."""
    failure: StageReason | None
    """The reason of a row that failed by it, or None where no stage does."""
    positive: bool = False
    """True: asserting it makes the case expect a tool call."""
    observation: bool = False
    """True: authored as advisory only. The derivation never reads it, roles protect it."""


def _selection(reason: StageReason, *, positive: bool = False, obs: bool = False) -> CheckKind:
    return CheckKind(Stage.SELECTION, Stage.SELECTION, reason, positive, obs)


def _call(*, obs: bool = False) -> CheckKind:
    return CheckKind(Stage.CALL, Stage.CALL, StageReason.ARGUMENT_MISMATCH, observation=obs)


def _response(*, obs: bool = False) -> CheckKind:
    return CheckKind(Stage.RESPONSE, Stage.RESPONSE, StageReason.PREDICATE_FAILED, observation=obs)


def _user_value(*, filed_at: Stage = Stage.USER_VALUE, obs: bool = False) -> CheckKind:
    return CheckKind(filed_at, Stage.USER_VALUE, StageReason.PREDICATE_FAILED, observation=obs)


def _discovery() -> CheckKind:
    return CheckKind(Stage.DISCOVERY, None, None)


CHECK_KINDS: Final[Mapping[str, CheckKind]] = MappingProxyType(
    {
        # Shown at selection, and yet user-value evidence: a gating one is promoted into the
        # expected calls and graded by the matcher, so a row of it is a stray.
        "toolCalledWith": _user_value(filed_at=Stage.SELECTION),
        "toolCalledAtLeastOnce": _selection(StageReason.MISSING_TOOL_CALL, positive=True),
        "firstToolWas": _selection(StageReason.UNEXPECTED_TOOL_CALL, positive=True),
        "toolNeverCalled": _selection(StageReason.UNEXPECTED_TOOL_CALL),
        "onlyToolsCalled": _selection(StageReason.UNEXPECTED_TOOL_CALL),
        "toolCallCountUnder": _selection(StageReason.UNEXPECTED_TOOL_CALL),
        "toolCalledBefore": _selection(StageReason.UNEXPECTED_TOOL_CALL),
        "noDeprecatedToolCalled": _selection(StageReason.UNEXPECTED_TOOL_CALL, obs=True),
        "noDestructiveToolCalled": _selection(StageReason.UNEXPECTED_TOOL_CALL),
        "argumentsMatchToolSchema": _call(),
        "noRepeatedIdenticalCall": _call(obs=True),
        "toolInputMatches": _call(),
        "noToolErrors": _response(),
        "toolLatencyUnder": _response(),
        "toolResultContains": _response(),
        "toolResultMatches": _response(),
        "toolResultMatchesSchema": _response(),
        "toolResultSizeUnder": _response(),
        "toolErrorNamesInput": _response(obs=True),
        "fullPageHasContinuation": _response(obs=True),
        "responseContains": _user_value(),
        "responseMatches": _user_value(),
        "responseCloseTo": _user_value(),
        "finalAssistantMessageNonEmpty": _user_value(),
        "tokenBudgetUnder": _user_value(),
        "turnCountUnder": _user_value(),
        "widgetRendered": _user_value(),
        "widgetRenderLatencyUnder": _user_value(),
        "widgetNoConsoleErrors": _user_value(),
        "noEndingQuestion": _user_value(obs=True),
        "toolDescriptionsPresent": _discovery(),
        "toolAnnotationsPresent": _discovery(),
        "toolNamesUnique": _discovery(),
        "noDeprecatedToolExposed": _discovery(),
        "toolInputSchemasWellFormed": _discovery(),
        "toolOutputSchemasPresent": _discovery(),
    }
)
"""Every kind the analyzer knows, in contract order.

Rule: chain.md section 6.3.
"""

_UNLISTED: Final = _user_value()

_RUBRIC_QUESTION: Final = "judge:rubricChecks:"

CALLS_MATCH: Final = "toolCalls:match"
"""The matcher's word on which of the expected calls were made, and how many beside them."""
CALLS_ARGUMENTS: Final = "toolCalls:arguments"
"""The matcher's word on the arguments of the expected calls."""
MATCHERS: Final = frozenset({CALLS_MATCH, CALLS_ARGUMENTS})

_GRADERS: Final[Mapping[str, Stage]] = MappingProxyType(
    {
        CALLS_MATCH: Stage.SELECTION,
        CALLS_ARGUMENTS: Stage.CALL,
        "judge:goalCompletion": Stage.USER_VALUE,
        "judge:groundedness": Stage.USER_VALUE,
        "judge:rubricChecks": Stage.USER_VALUE,
    }
)


def routed(kind: str | None) -> Stage | None:
    """Return the stage that consumes an eligible row of this kind, or None where none does.

    A row without a kind, or of a kind that is not listed, goes to user value.

    Rule: chain.md section 6.3.
    """
    return _UNLISTED.route if kind is None else CHECK_KINDS.get(kind, _UNLISTED).route


def filed_at(kind: str | None) -> Stage | None:
    """Return the stage a check of this kind is shown at, or None for one that is not listed."""
    entry = None if kind is None else CHECK_KINDS.get(kind)
    return None if entry is None else entry.filed_at


def failure_reason(kind: str | None) -> StageReason | None:
    """Return the reason a stage fails with when it consumes a failed row of this kind."""
    return _UNLISTED.failure if kind is None else CHECK_KINDS.get(kind, _UNLISTED).failure


def grader_stage(grader: str) -> Stage | None:
    """Return the stage a grader that is no check is filed at, or None for an unknown one.

    Rule: chain.md section 6.4.
    """
    if grader.startswith(_RUBRIC_QUESTION):
        return Stage.USER_VALUE
    return _GRADERS.get(grader)


def shown_at(kind: str | None) -> Stage | None:
    """Return the stage that a check or a grader of this name is filed at; None for neither."""
    return filed_at(kind) or (None if kind is None else grader_stage(kind))


def is_eligible(row: PredicateRow) -> bool:
    """True when a stage may read the row: neither advisory nor impossible to score.

    Rule: chain.md section 6.2.
    """
    return row.role != "advisory" and row.status != "error"


def failed_rows(rows: Iterable[PredicateRow]) -> list[PredicateRow]:
    """Return the rows that failed, in author order; a row that says nothing counts as held."""
    return [row for row in rows if row.passed is False]
