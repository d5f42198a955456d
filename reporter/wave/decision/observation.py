"""Stored iterations as the trials that a run is decided from."""

from collections.abc import Mapping
from typing import Any, Final

from reporter.wave.decision.refusal import DecisionRefusedError

_GATING: Final = ("gating", "required")
"""Two spellings of one role."""


def trial_observation(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a stored iteration says as a trial.

    Raises:
        DecisionRefusedError: It completed with neither a verdict nor a broken grading.

    Rule: decision.md section A6.
    """
    status, result = row.get("status"), row.get("result")
    if status != "completed":
        return {"status": status}
    if has_evaluator_error(row.get("metadata")):
        return {"status": "completed", "evaluatorError": True}
    if result in ("passed", "failed"):
        return {"status": "completed", "taskVerdict": result}
    raise DecisionRefusedError(
        f"the iteration completed with the result {result!r}, which is neither a task verdict nor "
        "an evaluator error"
    )


def has_evaluator_error(metadata: object) -> bool:
    """Tell from an iteration's metadata whether its grading broke; the first match wins.

    Rule: decision.md section A6.
    """
    if not isinstance(metadata, Mapping):
        return False
    if metadata.get("scoreIntegrity") == "score_integrity_invalid":
        return True
    gating = _gating(metadata)
    scores = metadata.get("scores")
    rows = [row for row in scores if isinstance(row, Mapping)] if isinstance(scores, list) else []
    represented: set[object] = set()
    for row in rows:
        scorer = gating.get(row.get("scorerId"))
        if scorer is None:
            continue
        represented.add(row.get("scorerId"))
        if row.get("status") == "error" and scorer.get("onError") == "fail":
            return True
        if row.get("status") == "skipped" and scorer.get("onSkipped") == "fail":
            return True
    return any(
        name not in represented and scorer.get("onSkipped") != "ignore"
        for name, scorer in gating.items()
    )


def _gating(metadata: Mapping[str, Any]) -> dict[object, Mapping[str, Any]]:
    config = metadata.get("evaluationConfig")
    definitions = config.get("definitions") if isinstance(config, Mapping) else None
    return {
        one.get("scorerId"): one
        for one in (definitions if isinstance(definitions, list) else ())
        if isinstance(one, Mapping) and one.get("role") in _GATING
    }
