"""The stages that happen once a run: copies of one attempt, settled without regard to order."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from reporter.models.analytics import SetupSignal
from reporter.vocabulary import SetupPhase
from reporter.wave.analytics.counting import LatencyTally


def setup_rows(signals: Iterable[SetupSignal]) -> list[dict[str, Any]]:
    """Return one row a phase that had a signal, in wire form, connection first.

    Args:
        signals: Every copy; one of an unknown phase is ignored.

    Rule: analytics.md section 7.
    """
    known = list(signals)
    found = ((phase, [one for one in known if one.phase == phase]) for phase in SetupPhase)
    return [_row(phase, copies) for phase, copies in found if copies]


def _row(phase: SetupPhase, copies: Sequence[SetupSignal]) -> dict[str, Any]:
    failed = [copy for copy in copies if copy.outcome == "failed"]
    # A copy that does not say whose fault it was disagrees with one that does.
    theirs = all(copy.attribution == "theirs" and copy.egress_verified is True for copy in failed)
    row: dict[str, Any] = {
        "phase": phase.value,
        "uniqueAttempts": 1,
        "failedAttempts": 1 if failed else 0,
        "serverAttributedFailures": 1 if failed and theirs else 0,
        "impactedTrials": len({copy.trial_key for copy in failed if copy.trial_key is not None}),
    }
    durations = {
        copy.duration_ms
        for copy in copies
        if copy.duration_ms is not None
        and math.isfinite(copy.duration_ms)
        and copy.duration_ms >= 0
    }
    if len(durations) == 1:
        latency = LatencyTally()
        latency.add(durations.pop())
        row["latency"] = latency.to_wire("setup_phase_wall")
    return row
