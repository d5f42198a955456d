"""What a chat or swarm session holds, turned into what the analyzer reads."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, Literal, assert_never

from reporter.derive.chain.predicates import CHECK_KINDS, MATCHERS, routed
from reporter.models.chain import (
    Authored,
    ChainEvidence,
    ChainInput,
    JudgeEvidence,
    PhaseSignal,
    PredicateRow,
    Span,
    TurnSummary,
)
from reporter.models.manifest import Target
from reporter.models.records import Connection
from reporter.models.value import value
from reporter.vocabulary import IterationStatus, Lifecycle, Stage

ChatSource = Literal["user_testing", "swarm", "direct"]
ChatLifecycle = Literal["running", "settled", "stopped"]


@value(frozen=True, slots=True)
class ChatReadiness:
    """What is known of the tools the session was offered."""

    advertised_tools_known: bool | None = None
    advertised_tool_count: int | None = None


@value(frozen=True, slots=True)
class ChatCriterionResult:
    """The result of one check, with the role and kind of the rubric entry it belongs to."""

    criterion_id: str
    passed: bool
    status: Literal["scored", "error"] | None = None
    kind: str | None = None
    """The kind of check (`predicate.type`), or None where none is known."""
    role: str | None = None
    """Only `advisory` is advisory."""


@value(frozen=True, slots=True)
class ChatCriteria:
    """How grading the checks came out; `failed` means that the grader broke."""

    status: Literal["pending", "completed", "failed"]
    results: Sequence[ChatCriterionResult] = ()
    """The results that count (recording.md 4); read only when the status is `completed`."""
    criterion_ids: Sequence[str] | None = None
    """The claimed scope; None where none was recorded, which an empty one is not."""


@value(frozen=True, slots=True)
class ChatGoalJudge:
    """The goal judge's word: it passes or fails, there is no partial."""

    status: Literal["running", "completed", "failed"]
    passed: bool | None = None
    reason: str | None = None


@value(frozen=True, slots=True)
class SwarmPolicy:
    """Who decides a swarm session."""

    judge_decisive: bool
    required_criteria: int
    """How many entries of the rubric are required."""


@value(frozen=True, slots=True)
class ChatSession:
    """Everything the adapter reads of one session.

    Rule: chain.md section 12.1.
    """

    source: ChatSource
    has_user_ask: bool
    lifecycle: ChatLifecycle
    spans: Sequence[Span] = ()
    trace_absent: bool = False
    readiness: ChatReadiness | None = None
    criteria: ChatCriteria | None = None
    goal_judge: ChatGoalJudge | None = None
    swarm_policy: SwarmPolicy | None = None
    """Read only where the source is `swarm`."""
    connection_signal: PhaseSignal | None = None
    """From `phase_signals`; None where no connection record speaks."""
    discovery_signal: PhaseSignal | None = None


_STATUS: Final = {
    "running": IterationStatus.RUNNING,
    "settled": IterationStatus.COMPLETED,
    "stopped": IterationStatus.CANCELLED,
}
_OWED: Final = JudgeEvidence(status="pending", pending_kind="scheduled")
_NEVER_ASKED: Final = JudgeEvidence(status="pending", pending_kind="not_requested")

_PHASES: Final = {"connect": "connection", "initialize": "connection", "tools_list": "discovery"}
_ATTRIBUTION: Final = {
    "server": "theirs",
    "client": "ours",
    "network": "unknown",
    "unknown": "unknown",
}


def chat_lifecycle(lifecycle: Lifecycle) -> ChatLifecycle:
    """Return how far a session got, as the adapter words it.

    Rule: chain.md section 12.1, `lifecycle`.
    """
    match lifecycle:
        case Lifecycle.PENDING | Lifecycle.RUNNING:
            return "running"
        case Lifecycle.WITHDRAWN:
            return "stopped"
        case Lifecycle.RAN | Lifecycle.BROKE | Lifecycle.LIMITED:
            return "settled"
        case _:
            assert_never(lifecycle)


def chain_input_of_chat(session: ChatSession) -> ChainInput:
    """Turn a chat or swarm session into the analyzer's input.

    Rule: chain.md sections 12.2, 12.3 and 12.5.
    """
    policy = _policy(session)
    judge = _judge(session, policy)
    evaluator_errored, judge = _graders(session, policy, judge)
    return ChainInput(
        authored=Authored(
            mode="model_driven",
            expects_tool_call=False,
            expects_widget_render=False,
            assertion_count=0,
            has_user_ask=session.has_user_ask,
            tool_expectation="open",
        ),
        evidence=ChainEvidence(
            spans=session.spans,
            trace_absent=session.trace_absent,
            predicate_results=_predicate_rows(session, policy),
            tools_total_before=_inventory(session.readiness),
            connection_signal=session.connection_signal,
            discovery_signal=session.discovery_signal,
            evaluator_errored=evaluator_errored,
            judge=judge,
        ),
        status=_STATUS[session.lifecycle],
    )


def with_trace(
    source: ChainInput,
    *,
    spans: Sequence[Span],
    is_absent: bool,
    signals: tuple[PhaseSignal | None, PhaseSignal | None],
    prompts: Sequence[TurnSummary] = (),
) -> ChainInput:
    """Return the input of a session without trace, with one.

    `chain_input_of_chat` hands these on as they are, so that all that it decides can be
    decided once for sessions of which the same was said.
    """
    said = source.evidence
    return ChainInput(
        authored=source.authored,
        evidence=ChainEvidence(
            spans=spans,
            trace_absent=is_absent,
            prompts=prompts,
            predicate_results=said.predicate_results,
            tools_total_before=said.tools_total_before,
            connection_signal=signals[0],
            discovery_signal=signals[1],
            evaluator_errored=said.evaluator_errored,
            judge=said.judge,
        ),
        status=source.status,
    )


def _policy(session: ChatSession) -> SwarmPolicy | None:
    return session.swarm_policy if session.source == "swarm" else None


def _is_decisive(policy: SwarmPolicy | None) -> bool:
    return policy is not None and policy.judge_decisive


def _results(criteria: ChatCriteria | None) -> Sequence[ChatCriterionResult]:
    return () if criteria is None or criteria.status != "completed" else criteria.results


def _inventory(readiness: ChatReadiness | None) -> int | None:
    if readiness is None or readiness.advertised_tools_known is not True:
        return None
    count = readiness.advertised_tool_count
    return count if count is not None and count > 0 else None


def _predicate_rows(session: ChatSession, policy: SwarmPolicy | None) -> tuple[PredicateRow, ...]:
    # What the matcher said of expected calls is no check's row; it reaches the chain by turns.
    results = [one for one in _results(session.criteria) if one.kind not in MATCHERS]
    if _is_decisive(policy):
        results = [result for result in results if _speaks_beside_judge(result)]
    # The reason text stays out: a chat session's row cites the criterion, not its prose.
    return tuple(
        PredicateRow(passed=result.passed, status=result.status, kind=result.kind, role=result.role)
        for result in results
    )


def _speaks_beside_judge(result: ChatCriterionResult) -> bool:
    """True unless the row could only pass user value, which is the decisive judge's to say."""
    if not result.passed or result.status == "error":
        return True
    if result.kind is None:
        return False
    return result.kind not in CHECK_KINDS or routed(result.kind) is not Stage.USER_VALUE


def _judge(session: ChatSession, policy: SwarmPolicy | None) -> JudgeEvidence | None:
    """Return what the goal judge may say, or None where it has no say."""
    if policy is not None and not policy.judge_decisive:
        return None
    criteria = None if _is_decisive(policy) else session.criteria
    if criteria is not None:
        if criteria.status == "failed":
            return None
        if criteria.status == "completed" and criteria.results:
            return None
        # A scope that was recorded as empty is the only one that leaves the judge alone.
        if criteria.status == "pending" or criteria.criterion_ids is None or criteria.criterion_ids:
            return _OWED
    return _judged(session)


def _judged(session: ChatSession) -> JudgeEvidence | None:
    judge = session.goal_judge
    if judge is not None:
        if judge.status == "completed" and judge.passed is not None:
            return JudgeEvidence(
                status="scored",
                verdict="pass" if judge.passed else "fail",
                reasons=() if judge.reason is None else (judge.reason,),
            )
        if judge.status == "failed":
            return JudgeEvidence(status="error")
        if judge.status == "running":
            return _OWED
    return _NEVER_ASKED if session.has_user_ask else None


def _graders(
    session: ChatSession, policy: SwarmPolicy | None, judge: JudgeEvidence | None
) -> tuple[bool, JudgeEvidence | None]:
    """Return whether grading broke, and the judge's word after the required checks were heard."""
    criteria, goal_judge = session.criteria, session.goal_judge
    required = 0 if policy is None else policy.required_criteria
    broke = criteria is not None and criteria.status == "failed"
    errored = broke and (policy is None or required > 0)
    heard = judge
    if required > 0 and not broke:
        rows = [result for result in _results(criteria) if result.role != "advisory"]
        unscored = [row for row in rows if row.status == "error"]
        if not any(row.status != "error" and not row.passed for row in rows):
            if criteria is None or criteria.status == "pending":
                # No result exists in this state, so there is no passing row to hold back.
                heard = _OWED
            elif len(rows) < required or unscored:
                errored = True
    decided = goal_judge is not None and goal_judge.status == "completed"
    if _is_decisive(policy) and decided and goal_judge is not None and goal_judge.passed is False:
        # The goal is missed whatever the broken or missing checks would have said.
        return False, judge
    return errored, heard


def phase_signals(
    connections: Sequence[Connection], target: Target
) -> tuple[PhaseSignal | None, PhaseSignal | None]:
    """Fold a session's connection records into the signals of connecting and of listing tools.

    Args:
        connections: The session's connection records, in file order.
        target: What the session ran against; it says how many servers there are.

    Rule: chain.md section 12.5.
    """
    if not connections:
        return None, None
    last: dict[str, dict[str | None, Connection]] = {"connection": {}, "discovery": {}}
    for record in connections:
        group = _PHASES.get(record.phase)
        if group is not None and record.outcome != "skipped":
            last[group][server_of(record)] = record
    servers = _named_servers(target)
    return (
        _phase_signal(list(last["connection"].values()), servers),
        _phase_signal(list(last["discovery"].values()), servers),
    )


def server_of(record: Connection) -> str | None:
    """Return what tells a connection record's server apart, or None where nothing names it.

    Rule: chain.md section 12.5.
    """
    return record.server_id or record.server_name or None


def _phase_signal(
    records: Sequence[Connection], servers: Sequence[tuple[str | None, str | None]]
) -> PhaseSignal | None:
    failed = [record for record in records if record.outcome == "failed"]
    if failed:
        attributions = {_ATTRIBUTION[record.attributable] for record in failed}
        worst = next(word for word in ("theirs", "unknown", "ours") if word in attributions)
        verified = any(
            record.attributable == "server" and record.egress_verified is True for record in failed
        )
        return PhaseSignal(
            outcome="failed", attribution=worst, egress_verified=True if verified else None
        )
    if not records:
        return None
    if len(servers) > 1 and not all(
        any(_is_of(record, server) for record in records) for server in servers
    ):
        return None
    return PhaseSignal(outcome="ok")


def _named_servers(target: Target) -> list[tuple[str | None, str | None]]:
    """Return the servers a target names, as pairs of id and name."""
    ids, names = target.server_ids or [], target.server_names or []
    if len(ids) != len(names):
        # Lists of different lengths cannot be paired; the longer one names every server.
        ids, names = (ids, []) if len(ids) > len(names) else ([], names)
    return list(dict.fromkeys(zip_longest(ids, names)))


def _is_of(record: Connection, server: tuple[str | None, str | None]) -> bool:
    server_id, server_name = server
    if record.server_id and server_id:
        return record.server_id == server_id
    return bool(record.server_name) and record.server_name == server_name
