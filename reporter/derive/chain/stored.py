"""Chains that somebody else derived: which of them can be used, and what is wrong with the rest."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar

from reporter.derive.chain.after import first_failed
from reporter.models.chain import ANALYZER_VERSION, Chain, StageEvidence, StageRow
from reporter.models.records import ChainRecord
from reporter.redaction import mask_text
from reporter.vocabulary import FailureCategory, Stage, StageReason, StageState

_STAGES: Final = tuple(Stage)
_KEYS: Final = ("stageResults", "firstFailedStage", "failureCategory", "stageAnalyzerVersion")

_LONGEST_QUOTE: Final = 60

_Word = TypeVar("_Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class ChainRefusal:
    """Why a chain on record is not used."""

    place: str
    """Dotted path inside the record, such as `stages[2].state`."""
    what: str
    """What is wrong there, in one sentence."""
    newer: bool = False
    """True: nothing is wrong, but a later analyzer made it, whose rows mean other things."""


class _RefusedError(Exception):
    def __init__(self, place: str, what: str) -> None:
        self.refusal = ChainRefusal(place, what)
        super().__init__(what)


def read_chain_record(record: ChainRecord) -> Chain | ChainRefusal:
    """Return the chain of a recording's `chain` record, or why it cannot be used.

    The record carries no failure category, so the chain has none.

    Rule: chain.md section 14 and recording.md section 4.
    """
    try:
        version = _version(record.analyzer_version, "analyzerVersion")
        if version > ANALYZER_VERSION:
            return _newer(version, "analyzerVersion")
        rows = _rows(record.stages, "stages")
    except _RefusedError as error:
        return error.refusal
    broken = first_failed(rows)
    return Chain(
        rows=rows,
        first_failed_stage=None if broken is None else broken.stage,
        analyzer_version=version,
    )


def read_stored_chain(metadata: Mapping[str, Any]) -> Chain | ChainRefusal | None:
    """Return the chain on an iteration's metadata, why it cannot be used, or None without one.

    Rule: chain.md section 14.
    """
    if "stageResults" not in metadata:
        return None
    try:
        version = _version(metadata.get("stageAnalyzerVersion"), "stageAnalyzerVersion")
        if version > ANALYZER_VERSION:
            return _newer(version, "stageAnalyzerVersion")
        return _stored(metadata, version)
    except _RefusedError as error:
        return error.refusal


def public_projection(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what may be shown of an iteration's stored chain, in wire form.

    Rows that do not hold up are withheld and said to be unverified.

    Rule: chain.md section 14, public projection.
    """
    if "stageResults" not in metadata:
        return {}
    shown: dict[str, Any] = {"stageResultsUnverified": True}
    try:
        version = _version(metadata.get("stageAnalyzerVersion"), "stageAnalyzerVersion")
        shown["stageAnalyzerVersion"] = version
        _stored(metadata, version)
    except _RefusedError:
        return shown
    return {key: metadata[key] for key in _KEYS if key in metadata}


def _stored(metadata: Mapping[str, Any], version: int) -> Chain:
    rows = _rows(metadata["stageResults"], "stageResults")
    broken = first_failed(rows)
    claimed = metadata.get("firstFailedStage")
    actual = None if broken is None else broken.stage
    if claimed != actual:
        truth = "no row failed" if actual is None else f"the first failed row is {actual.value}"
        raise _RefusedError("firstFailedStage", f"is {_shown(claimed)}, while {truth}.")
    category = metadata.get("failureCategory")
    return Chain(
        rows=rows,
        first_failed_stage=actual,
        failure_category=None
        if category is None
        else _word(FailureCategory, category, "failureCategory"),
        analyzer_version=version,
    )


def _newer(version: int, place: str) -> ChainRefusal:
    return ChainRefusal(
        place,
        f"was made by analyzer version {version}; this tool knows versions up to "
        f"{ANALYZER_VERSION}.",
        newer=True,
    )


def _version(value: object, place: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise _RefusedError(place, f"is {_shown(value)}, and not a whole number from 0 up.")


def _rows(value: object, place: str) -> tuple[StageRow, ...]:
    if not isinstance(value, list) or len(value) != len(_STAGES):
        raise _RefusedError(place, f"is not a list of exactly {len(_STAGES)} stage rows.")
    return tuple(
        _row(raw, stage, f"{place}[{index}]")
        for index, (raw, stage) in enumerate(zip(value, _STAGES, strict=True))
    )


def _row(raw: object, stage: Stage, place: str) -> StageRow:
    if not isinstance(raw, Mapping):
        raise _RefusedError(place, "is not an object.")
    named = raw.get("stage")
    if named != stage.value:
        raise _RefusedError(f"{place}.stage", f"is {_shown(named)}, where {stage.value!r} belongs.")
    reason, evidence = raw.get("reason"), raw.get("evidence")
    return StageRow(
        stage=stage,
        state=_word(StageState, raw.get("state"), f"{place}.state"),
        reason=None if reason is None else _word(StageReason, reason, f"{place}.reason"),
        evidence=None if evidence is None else _evidence(evidence, f"{place}.evidence"),
    )


def _evidence(raw: object, place: str) -> StageEvidence | None:
    if not isinstance(raw, Mapping):
        raise _RefusedError(place, "is not an object.")
    spans = _items(raw.get("spanIds"), str, f"{place}.spanIds")
    turns = _items(raw.get("promptIndexes"), (int, float), f"{place}.promptIndexes")
    texts = _items(raw.get("predicateReasons"), str, f"{place}.predicateReasons")
    if spans is None and turns is None and texts is None:
        return None
    return StageEvidence(span_ids=spans, prompt_indexes=turns, predicate_reasons=texts)


def _items(value: object, kind: type | tuple[type, ...], place: str) -> tuple[Any, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list):
        raise _RefusedError(place, "is not a list.")
    for item in value:
        if isinstance(item, bool) or not isinstance(item, kind):
            raise _RefusedError(place, f"holds {_shown(item)}, which does not belong there.")
    return tuple(value)


def _word(words: type[_Word], value: object, place: str) -> _Word:
    word = next((word for word in words if word == value), None)
    if word is None:
        raise _RefusedError(place, f"is {_shown(value)}, and not one of {', '.join(words)}.")
    return word


def _shown(value: object) -> str:
    """Quote recorded text shortly: it is somebody else's and may be anything."""
    text = mask_text(repr(value))
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}…"
