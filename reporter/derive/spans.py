"""A session's records in the form that the chat adapter reads."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from reporter.derive.adapter import (
    ChatCriteria,
    ChatCriterionResult,
    ChatGoalJudge,
    ChatReadiness,
    ChatSession,
    SwarmPolicy,
    chain_input_of_chat,
    chat_lifecycle,
    phase_signals,
    with_trace,
)
from reporter.derive.call_joint import CallOutcome, JoinedCall
from reporter.derive.catalog import JudgedCatalog
from reporter.derive.evidence import SessionEvidence
from reporter.derive.grades import Grades
from reporter.derive.judged import Judged
from reporter.derive.matched import turn_summaries
from reporter.derive.verdict import is_judge_decisive
from reporter.models.chain import ChainInput, Span
from reporter.models.manifest import Target
from reporter.models.verdict import VerdictInput
from reporter.vocabulary import Lifecycle

_TOOL: Final = "tool"


def spans_of(answered: Sequence[tuple[JoinedCall, CallOutcome]]) -> list[Span]:
    """Return one span for each call that shows something about a server, in call order.

    Rule: chain.md section 12.3, spans.
    """
    return [
        Span(
            call.tool_call_id,
            _TOOL,
            "error" if outcome.errored else "ok",
            call.tool_name,
            call.turn_index,
            outcome.mcp_error_code,
        )
        for call, outcome in answered
    ]


def chain_input_of(
    evidence: SessionEvidence,
    grades: Grades,
    lifecycle: Lifecycle,
    *,
    target: Target,
    catalog: JudgedCatalog,
) -> ChainInput:
    """Return what the analyzer reads of one session of a wave.

    Rule: chain.md sections 12.1, 12.3 and 12.5.
    """
    judge = grades.judge
    untraced = _untraced(
        grades.judged,
        lifecycle,
        None if judge is None else judge.reason,
        _readiness(evidence, catalog),
    )
    return with_trace(
        untraced,
        spans=spans_of(evidence.answered),
        is_absent=evidence.message_count == 0 and not evidence.calls,
        signals=phase_signals(evidence.connections, target),
        prompts=turn_summaries(evidence.criteria, grades.judged.source),
    )


# What was said of a session repeats in a wave; what happened in it does not.
@lru_cache(maxsize=1024)
def _untraced(
    judged: Judged, lifecycle: Lifecycle, reason: str | None, readiness: ChatReadiness | None
) -> ChainInput:
    """Return the input of a session but for its trace.

    A goal is always set, so somebody always asked for something.
    """
    source = judged.source
    score = source.goal_score
    return chain_input_of_chat(
        ChatSession(
            source="swarm",
            has_user_ask=True,
            lifecycle=chat_lifecycle(lifecycle),
            readiness=readiness,
            criteria=_chat_criteria(source),
            goal_judge=None
            if score is None
            else ChatGoalJudge(status=score.status, passed=score.passed, reason=reason),
            swarm_policy=SwarmPolicy(
                judge_decisive=is_judge_decisive(source),
                required_criteria=sum(entry.role == "required" for entry in source.rubric),
            ),
        )
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
