"""Friction documents and suspected conditions from elsewhere: closed, nothing defaulted."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from reporter.derive.friction_signals.limits import (
    KEY_PATHS,
    PAGINATION_KEYS,
    REPEATS,
    SIGNALS,
)
from reporter.models.wire import StrictWireModel
from reporter.vocabulary import (
    FrictionNotMeasuredReason,
    FrictionSignal,
    FrictionState,
    SuspectedCondition,
    SuspectedConditionConfidence,
    SuspectedConditionSkipReason,
)

_Index = Annotated[int, Field(ge=0)]
_Text = Annotated[str, Field(min_length=1)]
_Paths = Annotated[list[_Text], Field(max_length=KEY_PATHS)]
_PageKey = Literal[
    "cursor", "nextCursor", "page", "pageToken", "offset", "after", "before", "start", "limit"
]


class _Identifiers(StrictWireModel):
    information_call_index: _Index
    observed_at_call_index: _Index
    tool_name: _Text
    tool_call_id: _Text | None = None
    identifier_key_paths: _Paths
    identifier_count: Annotated[int, Field(ge=1)]


class SurfacedUnused(_Identifiers):
    """Identifiers that no later call used."""

    kind: Literal["identifierSurfacedUnused"]
    later_call_count: Annotated[int, Field(ge=2)]


class SearchRepeated(_Identifiers):
    """The same tool was asked again without using what it had given."""

    kind: Literal["searchRepeatedAfterIdentifier"]
    repeat_call_indexes: Annotated[list[_Index], Field(min_length=1, max_length=REPEATS)]


class _Neighbours(StrictWireModel):
    call_index: _Index
    prior_call_index: _Index
    tool_name: _Text


class Retry(_Neighbours):
    """One tool twice in a row."""

    kind: Literal["identicalRetry", "changedRetry"]
    after_error: bool


class Continuation(_Neighbours):
    """One tool twice in a row, asked for another page."""

    kind: Literal["paginationContinuation"]
    pagination_keys: Annotated[list[_PageKey], Field(min_length=1, max_length=PAGINATION_KEYS)]


class IdentifiersMeasured(StrictWireModel):
    """Signals about identifiers were measured."""

    state: Literal["measured"]


class IdentifiersNotMeasured(StrictWireModel):
    """They were not, and why."""

    state: Literal["notMeasured"]
    reason: Annotated[FrictionNotMeasuredReason, Field(strict=False)]


class FrictionWire(StrictWireModel):
    """A friction document in wire form.

    Rule: friction.md sections 8 and 9.
    """

    version: Literal[1]
    state: Annotated[FrictionState, Field(strict=False)]
    not_measured_reason: Annotated[FrictionNotMeasuredReason, Field(strict=False)] | None = None
    call_count: _Index
    result_available_count: _Index
    timed_call_count: _Index
    identifier_signals: Annotated[
        IdentifiersMeasured | IdentifiersNotMeasured, Field(discriminator="state")
    ]
    signals: Annotated[
        list[
            Annotated[
                SurfacedUnused | SearchRepeated | Retry | Continuation, Field(discriminator="kind")
            ]
        ],
        Field(max_length=SIGNALS),
    ]


_FRICTION = TypeAdapter(FrictionWire)
_IDENTIFIER_KINDS = (
    FrictionSignal.IDENTIFIER_SURFACED_UNUSED,
    FrictionSignal.SEARCH_REPEATED_AFTER_IDENTIFIER,
)


def friction_faults(raw: object) -> list[str]:
    """Say everything that is wrong with a friction document, each with its place.

    Args:
        raw: Any JSON value.

    Returns:
        An empty list for a valid document.

    Rule: friction.md section 9.
    """
    if _has_null(raw):
        return ["a key is present and null; what is not there has no key"]
    try:
        document = _FRICTION.validate_python(raw)
    except ValidationError as error:
        return [
            f"{'.'.join(map(str, one['loc']))}: {one['msg']}"
            for one in error.errors(include_url=False, include_input=False)
        ]
    return [*_state_faults(document), *_signal_faults(document)]


def _has_null(raw: object) -> bool:
    """Tell whether an optional key is there with no value, which a closed document refuses."""
    if isinstance(raw, Mapping):
        return any(item is None or _has_null(item) for item in raw.values())
    return isinstance(raw, list) and any(_has_null(item) for item in raw)


def _state_faults(document: FrictionWire) -> Iterator[str]:
    if document.state is FrictionState.NOT_MEASURED:
        if document.not_measured_reason is None:
            yield "notMeasuredReason: it is not said why nothing was measured"
        if document.signals:
            yield "signals: what was not measured cannot have found something"
    elif document.not_measured_reason is not None:
        yield "notMeasuredReason: a measured document has none"
    if document.result_available_count > document.call_count:
        yield "resultAvailableCount: more results than calls"
    if document.timed_call_count > document.call_count:
        yield "timedCallCount: more timed calls than calls"
    kinds = {signal.kind for signal in document.signals}
    if document.identifier_signals.state == "notMeasured" and kinds & set(_IDENTIFIER_KINDS):
        yield "identifierSignals: not measured, and a signal about identifiers stands there"


def _signal_faults(document: FrictionWire) -> Iterator[str]:
    last = -1
    for at, signal in enumerate(document.signals):
        place = f"signals.{at}"
        if isinstance(signal, SurfacedUnused | SearchRepeated):
            since, until = signal.information_call_index, signal.observed_at_call_index
        else:
            since, until = signal.prior_call_index, signal.call_index
        if not since < until < document.call_count:
            yield f"{place}: its indexes are not in order below callCount"
        if until < last:
            yield f"{place}: it goes back behind the signal before it"
        last = max(last, until)
        if isinstance(signal, SearchRepeated) and max(signal.repeat_call_indexes) > until:
            yield f"{place}: a repeat stands behind the call at which it was observed"


def friction_projection(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what may be shown of a friction document among open trial metadata.

    Rule: friction.md section 9, projection.
    """
    if "frictionSignals" not in metadata:
        return {}
    if friction_faults(metadata["frictionSignals"]):
        return {"frictionSignalsUnverified": True}
    return {"frictionSignals": metadata["frictionSignals"]}


class ConditionEvidence(StrictWireModel):
    """The place that a suspicion rests on."""

    call_index: _Index
    tool_name: _Text
    field_path: Annotated[str, Field(min_length=1, max_length=120)] | None = None


class _Condition(StrictWireModel):
    grading_key: Annotated[str, Field(pattern=r"^.+#\d+$")]
    signal_kind: Annotated[FrictionSignal, Field(strict=False)]
    information_call_index: _Index
    observed_at_call_index: _Index
    judge_template_version: Annotated[int, Field(ge=1)]
    judge_template_hash: _Text
    model: _Text
    generated_at: Annotated[int | float, Field(ge=0, allow_inf_nan=False)]


class ScoredCondition(_Condition):
    """A model was asked and answered; a low confidence is kept as `unclear`."""

    status: Literal["scored"]
    condition: Annotated[SuspectedCondition, Field(strict=False)]
    confidence: Annotated[SuspectedConditionConfidence, Field(strict=False)]
    remediation: Annotated[str, Field(min_length=1, max_length=300)] | None = None
    evidence: ConditionEvidence | None = None


class SkippedCondition(_Condition):
    """No model was asked."""

    status: Literal["skipped"]
    reason: Annotated[SuspectedConditionSkipReason, Field(strict=False)]


class ErrorCondition(_Condition):
    """A model was asked and gave no usable answer."""

    status: Literal["error"]


_CONDITION: TypeAdapter[ScoredCondition | SkippedCondition | ErrorCondition] = TypeAdapter(
    Annotated[ScoredCondition | SkippedCondition | ErrorCondition, Field(discriminator="status")]
)


def condition_faults(raw: object) -> list[str]:
    """Say everything that is wrong with a suspected condition, each with its place.

    Rule: friction.md section 10.
    """
    if _has_null(raw):
        return ["a key is present and null; what is not there has no key"]
    try:
        _CONDITION.validate_python(raw)
    except ValidationError as error:
        return [
            f"{'.'.join(map(str, one['loc']))}: {one['msg']}"
            for one in error.errors(include_url=False, include_input=False)
        ]
    return []


def condition_projection(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what may be shown of a suspected condition among open trial metadata.

    Rule: friction.md section 10.
    """
    if "suspectedConditionVerdict" not in metadata:
        return {}
    raw = metadata["suspectedConditionVerdict"]
    if condition_faults(raw):
        return {"suspectedConditionUnverified": True}
    return {"suspectedConditionVerdict": raw}


def stored_condition(
    condition: SuspectedCondition, confidence: SuspectedConditionConfidence
) -> SuspectedCondition:
    """Return the condition as it is kept: a guess is no attribution.

    Rule: friction.md section 10.
    """
    low = confidence is SuspectedConditionConfidence.LOW
    return SuspectedCondition.UNCLEAR if low else condition
