# ruff: noqa: C901, PLR0912, PLR0915  naive on purpose: one rule after the other
"""The grades of a session, and the verdict they come to, worked out a second time."""

from typing import Any

Json = dict[str, Any]


def last(records: list[Json], kind: str) -> Json | None:
    """The last record of a type."""
    return next((one for one in reversed(records) if one["type"] == kind), None)


def graded(wave: Json, run: Json, records: list[Json]) -> Json:
    """The grades that count."""
    policy = run.get("judge") or (wave.get("policy") or {}).get("judge")
    policy = policy or {"automatic": False, "role": "advisory"}
    rubric: dict[str, Json] = {}
    for entry in run["rubric"]:
        rubric.setdefault(entry["id"], entry)
    rubric = {key: entry for key, entry in rubric.items() if entry["role"] is not None}
    criteria = last(records, "criteria")
    claimed = None if criteria is None else criteria.get("criterionIds")
    results: dict[str, Json] = {}
    skipped = set()
    given = criteria if criteria is not None and criteria["status"] == "completed" else {}
    for result in given.get("results") or []:
        key = result["criterionId"]
        if key not in rubric or key in results or key in skipped:
            continue
        if claimed is not None and key not in claimed:
            continue
        if result.get("notApplicable") is None:
            results[key] = result
        else:
            skipped.add(key)
    rubric = {
        key: entry
        for key, entry in rubric.items()
        if entry["role"] == "required" or key not in skipped
    }
    judge = last(records, "goal_judge")
    score: Json | None = None
    if judge is not None:
        score = {"status": judge["status"], "passed": judge.get("passed")}
        if judge["status"] == "completed" and score["passed"] is None:
            if judge.get("score") is None or judge.get("threshold") is None:
                score = None
            else:
                score["passed"] = judge["score"] >= judge["threshold"]
    required = [key for key, entry in rubric.items() if entry["role"] == "required"]
    grading = last(records, "grading")
    return {
        "rubric": rubric,
        "required": required,
        "criteria": None if criteria is None else criteria["status"],
        "claimed": claimed,
        "results": results,
        "score": score,
        "reason": (judge or {}).get("reason"),
        "policy": policy,
        "decisive": policy["role"] == "required" or not required,
        "state": "notRequested" if grading is None else grading["state"],
    }


def verdict_of(lifecycle: str, attempt: Json | None, grades: Json, *, has_transcript: bool) -> Json:
    """The decision table and what stands beside it."""
    results = grades["results"]
    counts = dict.fromkeys(
        ("gatingPassed", "gatingFailed", "gatingUnmeasured", "advisoryFailed"), 0
    )
    for key, entry in grades["rubric"].items():
        result = results.get(key) or {"status": "error"}
        measured = result.get("status") != "error"
        if entry["role"] == "required" and not measured:
            counts["gatingUnmeasured"] += 1
        elif entry["role"] == "required":
            counts["gatingPassed" if result["passed"] else "gatingFailed"] += 1
        elif measured and not result["passed"]:
            counts["advisoryFailed"] += 1
    required, criteria, state = bool(grades["required"]), grades["criteria"], grades["state"]
    decisive, score, policy = grades["decisive"], grades["score"], grades["policy"]
    waiting = state in ("queued", "running")
    owed = decisive and (
        policy["automatic"] is True or policy.get("requested") is True or score is not None
    )
    completed = score is not None and score["status"] == "completed"
    unmeasured = counts["gatingUnmeasured"] > 0
    spend = (attempt or {}).get("errorCode") == "spend_cap_exceeded"
    none = "none"
    table: list[tuple[bool, str, str, str]] = [
        (lifecycle == "pending", "attemptPending", "notEstablished", none),
        (lifecycle == "running", "attemptRunning", "notEstablished", none),
        (lifecycle == "withdrawn", "withdrawn", "notEstablished", none),
        (lifecycle == "limited" and spend, "spendCapReached", "notEstablished", none),
        (lifecycle == "limited", "notRun", "notEstablished", none),
        (counts["gatingFailed"] > 0, "gatingCriterionFailed", "failed", "requiredAssertions"),
        (decisive and completed and score["passed"] is False, "judgeFailed", "failed", "goalJudge"),
        (not has_transcript and lifecycle == "ran", "gradingUnavailable", "inconclusive", none),
        (not has_transcript, "executionFailed", "notEstablished", none),
        (required and criteria == "failed", "criteriaGradingErrored", "inconclusive", none),
        (
            required and criteria == "completed" and unmeasured,
            "gatingCriterionUnmeasured",
            "inconclusive",
            none,
        ),
        (
            decisive and score is not None and score["status"] == "failed",
            "judgeErrored",
            "inconclusive",
            none,
        ),
        (
            state == "unavailable" and (unmeasured or (owed and not completed)),
            "gradingUnavailable",
            "inconclusive",
            none,
        ),
        (unmeasured and state == "settled", "gatingCriterionUnmeasured", "inconclusive", none),
        (unmeasured and criteria is not None, "criteriaPending", "notEstablished", none),
        (unmeasured, "gradingNotClaimed", "notEstablished", none),
        (owed and not completed and state == "settled", "gradingUnavailable", "inconclusive", none),
        (
            owed and not completed and (waiting or (score or {}).get("status") == "running"),
            "judgePending",
            "notEstablished",
            none,
        ),
        (owed and not completed, "gradingNotClaimed", "notEstablished", none),
        (waiting and owed, "judgePending", "notEstablished", none),
        (waiting, "criteriaPending", "notEstablished", none),
        (decisive and completed and required, "allGradersPassed", "passed", "combined"),
        (decisive and completed, "judgePassed", "passed", "goalJudge"),
        (required, "allGatingCriteriaPassed", "passed", "requiredAssertions"),
        (True, "ungraded", "notEstablished", none),
    ]
    _, reason, verdict, source = next(row for row in table if row[0])

    claimed = grades["claimed"]
    watched = [
        key
        for key, entry in grades["rubric"].items()
        if entry["role"] == "required" or claimed is None or key in claimed
    ]
    if not grades["rubric"]:
        by_criteria = "notConfigured"
    elif criteria is None:
        by_criteria = "notClaimed"
    elif criteria == "pending":
        by_criteria = "pending"
    elif criteria == "failed" or any(
        key not in results or results[key].get("status") == "error" for key in watched
    ):
        by_criteria = "errored"
    else:
        by_criteria = "scored"
    status = (score or {}).get("status")
    if not decisive:
        by_judge = "silent"
    elif completed:
        by_judge = "scored"
    elif status == "failed":
        by_judge = "errored"
    elif status == "running" or (owed and waiting):
        by_judge = "pending"
    elif owed and state == "unavailable":
        by_judge = "errored"
    else:
        by_judge = "notConfigured"

    words = {
        "pending": "pending",
        "running": "running",
        "withdrawn": "cancelled",
        "limited": "setup_failed",
        "broke": "failed",
    }
    trial: Json | None = None
    if lifecycle != "ran":
        trial = {"status": words[lifecycle]}
    elif verdict in ("passed", "failed"):
        trial = {"status": "completed", "taskVerdict": verdict}
    elif verdict == "inconclusive":
        trial = {"status": "completed", "evaluatorError": True}
    gating = counts["gatingPassed"] + counts["gatingFailed"] + counts["gatingUnmeasured"]
    return {
        "lifecycle": lifecycle,
        "verdict": verdict,
        "reason": reason,
        "verdictSource": source,
        "state": state,
        "graders": {"criteria": by_criteria, "judge": by_judge},
        "counts": {"gating": gating, **counts},
        "trial": trial,
    }
