"""The chain of one trial beneath a run: shown whole where it holds up, and not at all else."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, TypeVar

from reporter.vocabulary import FailureCategory, Stage, StageReason, StageState

_STAGES: Final = tuple(Stage)
_EVIDENCE: Final = (("spanIds", str), ("promptIndexes", (int, float)), ("predicateReasons", str))

_Word = TypeVar("_Word", bound=StrEnum)


class _NotVerifiedError(Exception):
    """The derivation does not hold up."""


def item_chain(iteration: Mapping[str, Any], *, known_analyzer: int) -> dict[str, Any]:
    """Return a trial's chain as far as it holds up.

    A newer analyzer is flagged and never a reason to refuse.

    Args:
        iteration: The stored iteration.
        known_analyzer: The newest analyzer that is understood.

    Rule: decision.md section B4.
    """
    offered = iteration.get("stageResults") is not None
    if not offered and iteration.get("stageResultsUnverified") is not True:
        return {"status": "absent"}
    version = iteration.get("stageAnalyzerVersion")
    is_version = isinstance(version, int) and not isinstance(version, bool) and version >= 0
    stamp: dict[str, Any] = {"analyzerVersion": version} if is_version else {}
    if is_version and version > known_analyzer:  # type: ignore[operator]  # is_version
        stamp["analyzerVersionAhead"] = {"reported": version, "known": known_analyzer}
    if not is_version:
        return {"status": "unverified"}
    try:
        return {"status": "verified", **_verified(iteration), **stamp}
    except _NotVerifiedError:
        return {"status": "unverified", **stamp}


def _verified(iteration: Mapping[str, Any]) -> dict[str, Any]:
    rows = iteration.get("stageResults")
    if not isinstance(rows, list) or len(rows) != len(_STAGES):
        raise _NotVerifiedError
    stages = [_row(stage, row) for stage, row in zip(_STAGES, rows, strict=True)]
    failed = next((row["stage"] for row in stages if row["state"] == StageState.FAILED), None)
    # A key that is there and null is no absence.
    if ("firstFailedStage" in iteration) is not (failed is not None):
        raise _NotVerifiedError
    made: dict[str, Any] = {"stages": stages}
    if failed is not None:
        if iteration["firstFailedStage"] != failed:
            raise _NotVerifiedError
        made["firstFailedStage"] = failed
    if "failureCategory" in iteration:
        made["failureCategory"] = _word(FailureCategory, iteration["failureCategory"])
    return made


def _row(stage: Stage, raw: object) -> dict[str, Any]:
    if not isinstance(raw, Mapping) or raw.get("stage") != stage.value:
        raise _NotVerifiedError
    row: dict[str, Any] = {"stage": stage.value, "state": _word(StageState, raw.get("state"))}
    if "reason" in raw:
        row["reason"] = _word(StageReason, raw["reason"])
    if "evidence" in raw:
        row["evidence"] = _cited(raw["evidence"])
    return row


def _cited(raw: object) -> dict[str, Any]:
    if not isinstance(raw, Mapping):
        raise _NotVerifiedError
    made: dict[str, Any] = {}
    for key, kind in _EVIDENCE:
        if key not in raw:
            continue
        items = raw[key]
        if not isinstance(items, list) or not all(_is(item, kind) for item in items):
            raise _NotVerifiedError
        made[key] = list(items)
    return made


def _is(item: object, kind: type | tuple[type, ...]) -> bool:
    return isinstance(item, kind) and not isinstance(item, bool)


def _word(words: type[_Word], value: object) -> str:
    found = next((word for word in words if word == value), None)
    if found is None:
        raise _NotVerifiedError
    return found.value
