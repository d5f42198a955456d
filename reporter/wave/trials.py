"""A recorded wave's sessions as the trials of its funnel."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from reporter.identifiers import TargetId
from reporter.models.analytics import RunIdentity, TimedSpan, Trial
from reporter.models.chain import ANALYZER_VERSION
from reporter.models.facts import SessionFacts
from reporter.models.manifest import GOAL_UNRECORDED, Target
from reporter.vocabulary import (
    IterationStatus,
    Lifecycle,
    MaterializationState,
    SessionVerdictReason,
)
from reporter.wave.analytics.funnel import Funnel, funnel_of
from reporter.wave.analytics.inclusion import Reader
from reporter.wave.analytics.measurements import measure
from reporter.wave.models import served_by

READER: Final = Reader(ANALYZER_VERSION)
"""What is understood here."""

_STARTED: Final[Mapping[Lifecycle, IterationStatus]] = {
    Lifecycle.PENDING: IterationStatus.RUNNING,
    Lifecycle.RUNNING: IterationStatus.RUNNING,
    Lifecycle.WITHDRAWN: IterationStatus.CANCELLED,
    Lifecycle.LIMITED: IterationStatus.FAILED,
    Lifecycle.RAN: IterationStatus.COMPLETED,
    Lifecycle.BROKE: IterationStatus.FAILED,
}
_NEVER_STARTED: Final[Mapping[Lifecycle, IterationStatus]] = {
    Lifecycle.PENDING: IterationStatus.PENDING,
    Lifecycle.RUNNING: IterationStatus.RUNNING,
    Lifecycle.WITHDRAWN: IterationStatus.CANCELLED,
    Lifecycle.LIMITED: IterationStatus.SETUP_FAILED,
    # It ended and left nothing behind: its chain is missing, which points at the recording.
    Lifecycle.RAN: IterationStatus.COMPLETED,
    Lifecycle.BROKE: IterationStatus.SETUP_FAILED,
}
_GRADING_BROKE: Final = frozenset(
    {
        SessionVerdictReason.CRITERIA_GRADING_ERRORED,
        SessionVerdictReason.GATING_CRITERION_UNMEASURED,
        SessionVerdictReason.JUDGE_ERRORED,
    }
)


def trial_of(facts: SessionFacts, target: Target | None = None) -> Trial:
    """Return one session as a trial of the wave's funnel.

    A chain that findings use was checked when it was read or derived here, so it counts as
    verified, and its measurements with it.

    Args:
        facts: What the session came to.
        target: What it ran against, for the slices of its host and model; None where it is not
            known.

    What somebody wants is their goal, so its title is the intent; a goal that was not recorded
    is none. The engine that executed a session is not on record.

    Rule: analytics.md sections 2 to 5.
    """
    chain = facts.chain
    statuses = _STARTED if facts.started else _NEVER_STARTED
    host_key, host_name = _host(target)
    provider, model = served_by(facts, target)
    return Trial(
        trial_key=facts.session_id,
        status=statuses[facts.lifecycle],
        stage_results=chain.rows if chain else None,
        stage_analyzer_version=chain.analyzer_version if chain else None,
        chain_verified=chain is not None,
        measurements=measure(chain.rows, _spans(facts), analyzer_version=chain.analyzer_version)
        if chain
        else None,
        measurements_verified=chain is not None,
        failure_category=chain.failure_category if chain else None,
        evaluator_errored=facts.started and facts.verdict.reason in _GRADING_BROKE,
        intent=None if facts.goal_title == GOAL_UNRECORDED else facts.goal_title,
        provider=provider,
        model=model,
        host_key=host_key,
        host_name=host_name,
    )


def _host(target: Target | None) -> tuple[str | None, str | None]:
    """Return the key and the name of the host that a session ran in, where one is on record.

    A target that is a host is called by its label; an environment may name the host that it
    stands on.
    """
    if target is None:
        return None, None
    if target.kind == "host":
        return target.id, target.label
    return target.host_id, target.host_name if target.host_id is not None else None


def _spans(facts: SessionFacts) -> list[TimedSpan]:
    """Return the spans that a chain of this session can cite: its calls that reached a server.

    A span lasts from the record of the call to the record of its result.

    Rule: chain.md section 12.3, spans.
    """
    return [
        TimedSpan(call.tool_call_id, call.started_at, call.ended_at)
        for call in facts.tool_calls
        if call.caller == "assistant"
        and call.answered_by == "server"
        and not call.policy_blocked
        and call.error != "noResult"
    ]


def counted_document(funnel: Funnel) -> dict[str, Any]:
    """Return a funnel in wire form for what it counts; what it is of is left unsaid."""
    nobody = RunIdentity(
        run_id="",
        suite_id="",
        materialization_state=MaterializationState.FINAL,
        now=0,
        reader_stage_analyzer_version=READER.stage_analyzer_version,
    )
    return funnel.document(nobody)


def wave_funnel(
    facts: Iterable[SessionFacts],
    targets: Mapping[TargetId, Target] | None = None,
    wave_id: str = "",
) -> Funnel:
    """Count the sessions of a wave; funnels of disjoint sessions of one wave can be added.

    Args:
        facts: One entry a slot.
        targets: The wave's targets by id.
        wave_id: The wave, whose funnel is never merged with another's.
    """
    known = targets or {}
    trials = (trial_of(fact, known.get(fact.target_id)) for fact in facts)
    return funnel_of(trials, READER, wave_id)
