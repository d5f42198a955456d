"""A run decided under per-case grading."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from reporter.vocabulary import TrialExclusionReason
from reporter.wave.decision.case import case_row, check_identities, count_case
from reporter.wave.decision.policy import RunTotals, check_policy, failed_checks, run_verdict
from reporter.wave.decision.rates import rate_to_wire
from reporter.wave.decision.refusal import DecisionRefusedError
from reporter.wave.decision.stored import decision_faults

POLICY_VERSION: Final = 2
"""The marker of per-case grading."""


def decide(source: Mapping[str, Any]) -> dict[str, Any]:
    """Decide a run.

    Args:
        source: `{policy, cases}` in wire form.

    Returns:
        The decision in wire form, keys in contract order, cases in the order given.

    Raises:
        DecisionRefusedError: The evidence is malformed; nothing is guessed.

    Rule: decision.md sections A1 to A4.
    """
    policy = check_policy(source.get("policy"))
    cases = source.get("cases") or ()
    if not cases:
        raise DecisionRefusedError("cases: a run needs at least one case aggregate")
    check_identities(cases)
    tallies = [count_case(case, f"cases[{at}]") for at, case in enumerate(cases)]
    left_out: Counter[TrialExclusionReason] = Counter()
    for tally in tallies:
        left_out += tally.not_attempted
    ordered = {reason: left_out[reason] for reason in TrialExclusionReason}
    attempted = sum(tally.attempted for tally in tallies)
    totals = RunTotals(
        configured=sum(tally.configured for tally in tallies),
        attempted=attempted,
        eligible=sum(tally.eligible for tally in tallies),
        completion=rate_to_wire(sum(tally.completed for tally in tallies), attempted, ordered),
        evaluator_errors=rate_to_wire(
            sum(tally.evaluator_errors for tally in tallies), attempted, ordered
        ),
        all_cases_graded=all(tally.eligible for tally in tallies),
    )
    rows = [case_row(case, tally) for case, tally in zip(cases, tallies, strict=True)]
    failed = failed_checks(policy, totals)
    verdict, reasons = run_verdict(failed, [row["verdict"] for row in rows])
    decision = {
        "verdictPolicyVersion": POLICY_VERSION,
        "verdict": verdict,
        "reasons": [reason.value for reason in reasons],
        "validity": {
            "policy": {
                "coverage": dict(policy["coverage"]),
                "minCompletionRate": policy["minCompletionRate"],
                "maxEvaluatorErrorRate": policy["maxEvaluatorErrorRate"],
            },
            "holds": not failed,
            "configuredTrials": totals.configured,
            "attemptedTrials": totals.attempted,
            "eligibleTrials": totals.eligible,
            "completionRate": totals.completion,
            "evaluatorErrorRate": totals.evaluator_errors,
        },
        "cases": rows,
    }
    faults = decision_faults(decision)
    if faults:
        raise DecisionRefusedError(f"the decision contradicts itself: {faults[0]}")
    return decision
