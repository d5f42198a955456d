"""A session's records in the form that the chat adapter reads."""

from collections.abc import Sequence
from typing import Final

from reporter.derive.adapter import (
    ChatCriteria,
    ChatCriterionResult,
    ChatGoalJudge,
    ChatReadiness,
    ChatSession,
    SwarmPolicy,
    chat_lifecycle,
    phase_signals,
)
from reporter.derive.call_joint import JoinedCall
from reporter.derive.catalog import JudgedCatalog
from reporter.derive.evidence import SessionEvidence
from reporter.derive.grades import Grades
from reporter.derive.verdict import is_judge_decisive
from reporter.models.chain import Span
from reporter.models.manifest import Target
from reporter.models.verdict import VerdictInput
from reporter.vocabulary import Lifecycle

_TOOL: Final = "tool"


def shows_a_server(call: JoinedCall) -> bool:
    """Tell whether a call's result is evidence about a server, and so has a span.

    False for a call without a result, for one that a policy stopped or the client answered
    by itself, and for the persona's.

    Rule: chain.md section 12.3, spans; recording.md section 4, who answered a call.
    """
    outcome = call.outcome
    return outcome is not None and outcome.from_server and not call.by_persona


def spans_of(calls: Sequence[JoinedCall]) -> list[Span]:
    """Return one span for each call that shows something about a server, in call order.

    Rule: chain.md section 12.3, spans.
    """
    return [
        Span(
            id=call.tool_call_id,
            category=_TOOL,
            status="error" if call.outcome.errored else "ok",
            tool_name=call.tool_name,
            prompt_index=call.turn_index,
            mcp_error_code=call.outcome.mcp_error_code,
        )
        for call in calls
        if call.outcome is not None and shows_a_server(call)
    ]


def chat_session_of(
    evidence: SessionEvidence,
    grades: Grades,
    lifecycle: Lifecycle,
    *,
    target: Target,
    catalog: JudgedCatalog,
) -> ChatSession:
    """Return what the chat adapter reads of one session of a wave.

    A goal is always set, so somebody always asked for something.

    Rule: chain.md sections 12.1, 12.3 and 12.5.
    """
    connection, discovery = phase_signals(evidence.connections, target)
    source = grades.source
    return ChatSession(
        source="swarm",
        has_user_ask=True,
        lifecycle=chat_lifecycle(lifecycle),
        spans=spans_of(evidence.calls),
        trace_absent=evidence.message_count == 0 and not evidence.calls,
        readiness=_readiness(evidence, catalog),
        criteria=_chat_criteria(source),
        goal_judge=None
        if source.goal_score is None
        else ChatGoalJudge(
            status=source.goal_score.status,
            passed=source.goal_score.passed,
            reason=None if grades.judge is None else grades.judge.reason,
        ),
        swarm_policy=SwarmPolicy(
            judge_decisive=is_judge_decisive(source),
            required_criteria=sum(entry.role == "required" for entry in source.rubric),
        ),
        connection_signal=connection,
        discovery_signal=discovery,
    )


def _readiness(evidence: SessionEvidence, catalog: JudgedCatalog) -> ChatReadiness | None:
    readiness = evidence.readiness
    if readiness is not None and readiness.advertised_tools_known is True:
        return ChatReadiness(
            advertised_tools_known=True, advertised_tool_count=readiness.advertised_tool_count
        )
    # What the target names was not listed in this session, so it shows no discovery.
    if catalog.own and catalog.complete and catalog.tools:
        return ChatReadiness(advertised_tools_known=True, advertised_tool_count=len(catalog.tools))
    return None


def _chat_criteria(source: VerdictInput) -> ChatCriteria | None:
    criteria = source.criteria
    if criteria is None:
        return None
    rubric = {entry.id: entry for entry in source.rubric}
    return ChatCriteria(
        status=criteria.status,
        results=tuple(
            ChatCriterionResult(
                criterion_id=outcome.criterion_id,
                passed=outcome.passed,
                status=outcome.status,
                kind=rubric[outcome.criterion_id].predicate_type,
                role=rubric[outcome.criterion_id].role,
            )
            for outcome in criteria.results or ()
        ),
        criterion_ids=criteria.criterion_ids,
    )
