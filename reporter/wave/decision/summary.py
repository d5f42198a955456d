"""A run explained: its verdict as recorded, and the trials beneath it. It never decides."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from reporter.vocabulary import (
    NEXT_OWNER,
    FailureCategory,
    FallbackNextAction,
    MeasurementUnit,
    StageState,
    UndecidedReason,
    VerdictSource,
)
from reporter.wave.decision.case import CASE_ID
from reporter.wave.decision.item_chain import item_chain
from reporter.wave.decision.stored import decision_faults

SUMMARY_VERSION: Final = 1
"""Version of the summary's form."""
COMPLETE_ANALYZER: Final = 7
"""Chains of older analyzers measured less than a verdict needs to be disputed."""

_ENDED: Final = ("completed", "failed", "cancelled", "timed_out")
_CUT_SHORT: Final = ("cancelled", "timed_out", "failed")
_DECIDED: Final = ("passed", "failed")
_UNESCAPED: Final = "-_.!~*'()"


def summarise(source: Mapping[str, Any], *, known_analyzer: int) -> dict[str, Any]:
    """Assemble the decision summary of a run.

    Args:
        source: `{projectId, run, iterations, page}` in wire form; `iterations` is one page.
        known_analyzer: The newest chain analyzer that is understood.

    Returns:
        The summary in wire form, keys in contract order.

    Rule: decision.md part B.
    """
    run, page = source["run"], source["page"]
    iterations: Sequence[Mapping[str, Any]] = source["iterations"]
    diagnostics: dict[str, Any] = {
        "items": [
            _item(source["projectId"], run, iteration, known_analyzer)
            for iteration in iterations
            if iteration.get("result") != "passed"
        ],
        "complete": page.get("complete") is True,
    }
    if _text(page.get("nextCursor")):
        diagnostics["nextCursor"] = page["nextCursor"]
    diagnostics["scannedIterations"] = len(iterations)
    return {
        "schemaVersion": SUMMARY_VERSION,
        "runId": run["id"],
        "runStatus": run["status"],
        "diagnostics": diagnostics,
        **verdict_of(run),
    }


def verdict_of(run: Mapping[str, Any]) -> dict[str, Any]:
    """Return a run's verdict with its source, and counts or the reason why there is none.

    No unreadable decision falls back to the other way of grading.

    Rule: decision.md section B2.
    """
    if run.get("status") not in _ENDED:
        return _undecided(UndecidedReason.RUN_NOT_TERMINAL)
    version = run.get("verdictPolicyVersion")
    if version == 2 and not isinstance(version, bool):  # noqa: PLR2004  the marker of per-case grading
        decision = run.get("verdictSummary")
        if decision_faults(decision):
            detail = _text(run.get("verdictPolicyIntegrityError"))
            return _undecided(UndecidedReason.VERDICT_SUMMARY_UNAVAILABLE, detail)
        return _decided(decision)  # type: ignore[arg-type]  # it has no faults
    if run.get("status") in _CUT_SHORT:
        return _undecided(UndecidedReason.RUN_STATUS_NOT_A_VERDICT)
    if run.get("result") not in _DECIDED:
        return _undecided(UndecidedReason.RUN_RESULT_NOT_A_VERDICT)
    whole: dict[str, Any] = {
        "verdict": run["result"],
        "verdictSource": VerdictSource.LEGACY.value,
    }
    counts = _trial_counts(run.get("summary"))
    return whole | ({"counts": counts} if counts else {})


def _undecided(reason: UndecidedReason, detail: str | None = None) -> dict[str, Any]:
    undecided = {"reason": reason.value} | ({"detail": detail} if detail else {})
    return {
        "verdict": "notEstablished",
        "verdictSource": VerdictSource.NONE.value,
        "undecided": undecided,
    }


def _decided(decision: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "verdict": decision["verdict"],
        "verdictSource": VerdictSource.POLICY_V2.value,
        "counts": variant_counts(decision),
        "decision": decision,
    }


def variant_counts(decision: Mapping[str, Any]) -> dict[str, Any]:
    """Tally a decision's cases by verdict, each case under one variant once."""
    tally = Counter(case["verdict"] for case in decision["cases"])
    return {
        "measurementUnit": MeasurementUnit.CASE_VARIANT.value,
        "total": len(decision["cases"]),
        "passed": tally["passed"],
        "failed": tally["failed"],
        "inconclusive": tally["inconclusive"],
    }


def _trial_counts(summary: object) -> dict[str, Any]:
    """Copy what was counted; what was not is absent and never zero."""
    if not isinstance(summary, Mapping):
        return {}
    counts = {
        key: summary[key]
        for key in ("total", "passed", "failed")
        if isinstance(summary.get(key), int)
        and not isinstance(summary[key], bool)
        and summary[key] >= 0
    }
    return {"measurementUnit": MeasurementUnit.TRIAL.value, **counts} if counts else {}


def _item(
    project_id: str, run: Mapping[str, Any], iteration: Mapping[str, Any], known_analyzer: int
) -> dict[str, Any]:
    """Return one trial that did not pass, keys in contract order.

    Rule: decision.md section B3.
    """
    chain = item_chain(iteration, known_analyzer=known_analyzer)
    item: dict[str, Any] = {
        "iterationId": iteration["id"],
        "iterationNumber": iteration["iterationNumber"],
    }
    case_id = iteration.get("caseId")
    if isinstance(case_id, str) and CASE_ID.fullmatch(case_id):
        item["caseId"] = case_id
    for key in ("testCaseId", "title"):
        if _text(iteration.get(key)):
            item[key] = iteration[key]
    item["status"] = iteration["status"]
    if iteration.get("result") in _DECIDED:
        item["result"] = iteration["result"]
    item["chain"] = chain
    expected = _tool_names(iteration.get("expectedToolCalls"))
    if expected:
        item["expected"] = {"toolNames": expected}
    observed: dict[str, Any] = {}
    called = _tool_names(iteration.get("actualToolCalls"))
    if called:
        observed["toolNames"] = called
    if _text(iteration.get("error")):
        observed["failure"] = iteration["error"]
    if observed:
        item["observed"] = observed
    item["evidence"] = _evidence(project_id, run["id"], iteration["id"], chain)
    item["nextAction"] = next_action(chain, iteration.get("result"))
    return item


def _tool_names(calls: object) -> list[str]:
    found: dict[str, None] = {}
    for call in calls if isinstance(calls, list) else ():
        record = call if isinstance(call, Mapping) else {}
        names = (_text(record.get(key)) for key in ("toolName", "tool", "name"))
        name = next((name for name in names if name), None)
        if name:
            found[name] = None
    return list(found)


def _evidence(
    project_id: str, run_id: str, iteration_id: str, chain: Mapping[str, Any]
) -> dict[str, Any]:
    """Return where a trial can be looked up, and what its first failed stage alone rests on.

    Rule: decision.md section B5.
    """
    parts = [quote(part, safe=_UNESCAPED) for part in (project_id, run_id, iteration_id)]
    made: dict[str, Any] = {
        "runId": run_id,
        "iterationId": iteration_id,
        "tracePath": f"/projects/{parts[0]}/eval-runs/{parts[1]}/iterations/{parts[2]}/trace",
    }
    failed = chain.get("firstFailedStage") if chain["status"] == "verified" else None
    if failed is None:
        return made
    made["stage"] = failed
    row = next(row for row in chain["stages"] if row["stage"] == failed)
    cited = row.get("evidence", {})
    for key, source in (
        ("spanIds", "spanIds"),
        ("promptIndexes", "promptIndexes"),
        ("reasons", "predicateReasons"),
    ):
        items = list(dict.fromkeys(cited.get(source, ())))
        if items:
            made[key] = items
    return made


def next_action(chain: Mapping[str, Any], result: object) -> str:
    """Say who looks first, from the failure category alone; a category is a bucket, no cause.

    Args:
        chain: The item's chain.
        result: The trial's recorded result.

    Rule: decision.md section B6.
    """
    verified = chain["status"] == "verified"
    category = chain.get("failureCategory") if verified else None
    if category is not None:
        return NEXT_OWNER[next(word for word in FailureCategory if word == category)]
    if verified and result == "failed" and _all_held(chain["stages"]):
        stale = chain["analyzerVersion"] < COMPLETE_ANALYZER
        return (
            FallbackNextAction.STALE_ANALYZER_DISAGREEMENT.label
            if stale
            else FallbackNextAction.VERDICT_CHAIN_DISAGREEMENT.label
        )
    return FallbackNextAction.NO_CATEGORY.label


def _all_held(stages: Sequence[Mapping[str, Any]]) -> bool:
    states = [row["state"] for row in stages]
    held = (StageState.PASSED.value, StageState.NOT_APPLICABLE.value)
    return StageState.PASSED.value in states and all(state in held for state in states)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
