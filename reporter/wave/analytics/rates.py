"""Rates of a funnel, worked out on reading: a rate over nothing is not measured."""

from collections.abc import Mapping
from typing import Literal

from reporter.models.value import value
from reporter.vocabulary import ExclusionClass
from reporter.wave.analytics.counting import LatencyTally, StageTally


@value(frozen=True, slots=True)
class Rate:
    """A share of trials, with what it leaves out.

    Rule: analytics.md section 9.
    """

    state: Literal["measured", "notMeasured"]
    value: float | None
    """The exact quotient; None where it is not measured."""
    numerator: int
    denominator: int
    exclusions: Mapping[ExclusionClass, int]
    unit: Literal["trial"] = "trial"
    """What is counted; a rate of trials and one of cases are never set beside each other."""


def rate(numerator: float, denominator: float, exclusions: Mapping[ExclusionClass, int]) -> Rate:
    """Divide two counts of trials.

    Returns:
        A rate that is not measured where the denominator is zero, where more is counted
        than there is, or where either is no whole number.
    """
    counts = (numerator, denominator)
    whole = all(isinstance(one, int) and not isinstance(one, bool) for one in counts)
    if not whole or denominator <= 0 or numerator < 0 or numerator > denominator:
        return Rate("notMeasured", None, 0, 0, exclusions)
    return Rate("measured", numerator / denominator, int(numerator), int(denominator), exclusions)


def measurement_coverage(tally: StageTally) -> Rate:
    """Return the share of the trials that reached a stage and were measured there."""
    return rate(tally.measured, tally.reached, _with(tally, ExclusionClass.NOT_MEASURED))


def measured_pass_rate(tally: StageTally) -> Rate:
    """Return the share of the measured trials that passed."""
    return rate(tally.passed, tally.measured, _with(tally, ExclusionClass.NOT_MEASURED))


def reach_rate(tally: StageTally) -> Rate:
    """Return the share of trials that reached a stage, of those whose reach is known."""
    known = tally.reached + tally.not_reached
    return rate(tally.reached, known, _with(tally, ExclusionClass.REACH_UNKNOWN))


def mean_latency_ms(latency: LatencyTally) -> float | None:
    """Return the mean duration in milliseconds, or None without a sample."""
    return latency.total / latency.samples if latency.samples else None


def _with(tally: StageTally, kind: ExclusionClass) -> dict[ExclusionClass, int]:
    counts = {
        ExclusionClass.NOT_MEASURED: tally.not_measured,
        ExclusionClass.REACH_UNKNOWN: tally.reach_unknown,
    }
    found = {one: count for one, count in tally.excluded.items() if one is not kind}
    return found | ({kind: counts[kind]} if counts[kind] > 0 else {})
