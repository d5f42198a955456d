"""An analyzer input in its JSON form, read into ours: unknown keys ignored, odd values absent."""

import math
from collections.abc import Mapping
from typing import Any, Final

from reporter.errors import Problem, RecordingError
from reporter.models.chain import (
    Authored,
    ChainEvidence,
    ChainInput,
    JudgeEvidence,
    MetadataAttribution,
    PhaseSignal,
    PredicateRow,
    Span,
    TurnSummary,
)
from reporter.vocabulary import IterationStatus

Json = Mapping[str, Any]

_NOTHING: Final[Json] = {}


def chain_input_from_wire(record: Json, *, file: str = "") -> ChainInput:
    """Read an analyzer input of the contract's own form.

    Args:
        record: An object with `authored`, `evidence`, `iteration` and perhaps `policy`.
        file: Name to show in an error.

    Raises:
        RecordingError: The mode or the iteration's status is none the contract knows.

    Rule: chain.md sections 3 and 18.
    """
    authored = _mapping(record.get("authored"))
    iteration = _mapping(record.get("iteration"))
    mode, status = authored.get("mode"), iteration.get("status")
    problems: list[Problem] = []
    if mode not in ("model_driven", "model_free"):
        problems.append(_unknown(file, "authored.mode", mode, "model_driven, model_free"))
    known = next((word for word in IterationStatus if word == status), None)
    if known is None:
        problems.append(_unknown(file, "iteration.status", status, ", ".join(IterationStatus)))
    if known is None or problems:
        raise RecordingError(problems)
    return ChainInput(
        authored=_authored(authored),
        evidence=_evidence(_mapping(record.get("evidence"))),
        status=known,
        policy_blocked=_mapping(record.get("policy")).get("blocked") is True,
    )


def _unknown(file: str, place: str, value: object, allowed: str) -> Problem:
    return Problem(
        file=file,
        place=place,
        what=f"{value!r} is not a word the analyzer knows.",
        remedy=f"Use one of {allowed}.",
        rule="analyzer-input",
    )


def _authored(raw: Json) -> Authored:
    expectation = raw.get("toolExpectation")
    count = _number(raw.get("assertionCount"))
    return Authored(
        mode="model_free" if raw.get("mode") == "model_free" else "model_driven",
        is_negative_test=_true(raw, "isNegativeTest"),
        expects_tool_call=_true(raw, "expectsToolCall"),
        expects_widget_render=_true(raw, "expectsWidgetRender"),
        assertion_count=0 if count is None else math.ceil(count),
        has_user_ask=_true(raw, "hasUserAsk"),
        tool_expectation=expectation
        if expectation in ("required", "not_required", "open")
        else None,
    )


def _evidence(raw: Json) -> ChainEvidence:
    signals = _mapping(raw.get("setupSignals"))
    return ChainEvidence(
        spans=tuple(_span(item) for item in _objects(raw.get("spans"))),
        trace_lacks_span_channel=_true(raw, "traceLacksSpanChannel"),
        trace_absent=_true(raw, "traceAbsent"),
        prompts=tuple(_turn(item) for item in _objects(raw.get("prompts"))),
        predicate_results=tuple(_check(item) for item in _objects(raw.get("predicateResults"))),
        tool_error_kinds=tuple(
            kind
            for item in _objects(raw.get("toolErrors"))
            if (kind := _text(item.get("kind"))) is not None
        ),
        step_error_source=_text(_mapping(raw.get("stepError")).get("source")),
        render_statuses=tuple(
            _text(item.get("status")) for item in _objects(raw.get("renderObservations"))
        ),
        tools_total_before=_number(_mapping(raw.get("toolSignals")).get("toolsTotalBefore")),
        connection_signal=_signal(signals.get("connection")),
        discovery_signal=_signal(signals.get("discovery")),
        evaluator_errored=_true(raw, "evaluatorErrored"),
        judge=_judge(raw.get("judgeEvidence")),
        metadata=_metadata(raw.get("metadataAttribution")),
    )


def _span(raw: Json) -> Span:
    return Span(
        id=_text(raw.get("id")),
        category=_text(raw.get("category")),
        status=_text(raw.get("status")),
        tool_name=_text(raw.get("toolName")),
        prompt_index=_number(raw.get("promptIndex")),
        mcp_error_code=_number(raw.get("mcpErrorCode")),
    )


def _turn(raw: Json) -> TurnSummary:
    return TurnSummary(
        prompt_index=_number(raw.get("promptIndex")),
        expected_tool_calls=bool(_items(raw.get("expectedToolCalls"))),
        missing=bool(_items(raw.get("missing"))),
        unexpected=bool(_items(raw.get("unexpected"))),
        argument_mismatches=bool(_items(raw.get("argumentMismatches"))),
        passed=_flag(raw.get("passed")),
    )


def _check(raw: Json) -> PredicateRow:
    predicate = _mapping(raw.get("predicate"))
    return PredicateRow(
        passed=_flag(raw.get("passed")),
        reason=_text(raw.get("reason")),
        status=_text(raw.get("status")),
        kind=_text(predicate.get("type")),
        role=_text(predicate.get("role")),
    )


def _signal(raw: object) -> PhaseSignal | None:
    signal = _mapping(raw)
    outcome = signal.get("outcome")
    if outcome not in ("ok", "failed"):
        return None
    return PhaseSignal(
        outcome=outcome,
        attribution=_text(signal.get("attribution")),
        egress_verified=_flag(signal.get("egressVerified")),
        span_ids=_texts(signal.get("spanIds")),
    )


def _judge(raw: object) -> JudgeEvidence | None:
    judge = _mapping(raw)
    status = _text(judge.get("status"))
    if status is None:
        return None
    return JudgeEvidence(
        status=status,
        pending_kind=_text(judge.get("pendingKind")),
        verdict=_text(judge.get("verdict")),
        reasons=_texts(judge.get("reasons")),
    )


def _metadata(raw: object) -> MetadataAttribution | None:
    attribution = _mapping(raw)
    status = _text(attribution.get("status"))
    if status is None:
        return None
    return MetadataAttribution(
        status=status,
        pending_kind=_text(attribution.get("pendingKind")),
        attributed=_flag(attribution.get("attributed")),
        reasons=_texts(attribution.get("reasons")),
    )


def _mapping(value: object) -> Json:
    return value if isinstance(value, Mapping) else _NOTHING


def _items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _objects(value: object) -> list[Json]:
    return [item for item in _items(value) if isinstance(item, Mapping)]


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in _items(value) if isinstance(item, str))


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _true(raw: Json, key: str) -> bool:
    return raw.get(key) is True


def _number(value: object) -> int | float | None:
    """Return a number; a boolean is none, and neither is what JSON cannot write."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None
