from dataclasses import replace
from typing import Any

import pytest
from builders import records, target
from chain_cases import states

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
    server_of,
)
from reporter.derive.chain import derive_chain
from reporter.models.chain import Authored, JudgeEvidence, PhaseSignal, PredicateRow, Span
from reporter.models.manifest import Target
from reporter.models.records import Connection
from reporter.vocabulary import Lifecycle, Stage

OK_SPAN = Span(id="c1", category="tool", status="ok", tool_name="find_book", prompt_index=0)
CHAT = ChatSession(source="direct", has_user_ask=True, lifecycle="settled", spans=[OK_SPAN])
SWARM = replace(CHAT, source="swarm")

OWED = JudgeEvidence(status="pending", pending_kind="scheduled")
NEVER_ASKED = JudgeEvidence(status="pending", pending_kind="not_requested")
MET = JudgeEvidence(status="scored", verdict="pass", reasons=("found it",))
MISSED = JudgeEvidence(status="scored", verdict="fail", reasons=("gave up",))

JUDGE_MET = ChatGoalJudge("completed", True, "found it")
JUDGE_MISSED = ChatGoalJudge("completed", False, "gave up")

PENDING = ChatCriteria("pending")
BROKE = ChatCriteria("failed")
EMPTY_SCOPE = ChatCriteria("completed", criterion_ids=[])


def result(
    kind: str | None = "responseContains", *, passed: bool = True, **more: Any
) -> ChatCriterionResult:
    return ChatCriterionResult(
        **{"criterion_id": "c", "passed": passed, "kind": kind, "role": "required", **more}
    )


def graded(*results: ChatCriterionResult, ids: list[str] | None = None) -> ChatCriteria:
    return ChatCriteria("completed", results, ids)


def policy(required: int = 0, *, decisive: bool = True) -> SwarmPolicy:
    return SwarmPolicy(judge_decisive=decisive, required_criteria=required)


def user_value(session: ChatSession) -> tuple[str, str | None]:
    row = derive_chain(chain_input_of_chat(session)).row(Stage.USER_VALUE)
    return row.state.value, None if row.reason is None else row.reason.value


def grading(session: ChatSession) -> tuple[bool, JudgeEvidence | None]:
    evidence = chain_input_of_chat(session).evidence
    return evidence.evaluator_errored, evidence.judge


def kinds(session: ChatSession) -> list[str | None]:
    return [row.kind for row in chain_input_of_chat(session).evidence.predicate_results]


@pytest.mark.parametrize("ask", [True, False])
def test_the_authored_half_is_the_same_for_every_session(ask: bool) -> None:
    assert chain_input_of_chat(replace(CHAT, has_user_ask=ask)).authored == Authored(
        mode="model_driven",
        expects_tool_call=False,
        expects_widget_render=False,
        assertion_count=0,
        has_user_ask=ask,
        tool_expectation="open",
    )


@pytest.mark.parametrize(
    ("lifecycle", "word", "status"),
    [
        (Lifecycle.PENDING, "running", "running"),
        (Lifecycle.RUNNING, "running", "running"),
        (Lifecycle.WITHDRAWN, "stopped", "cancelled"),
        (Lifecycle.RAN, "settled", "completed"),
        (Lifecycle.BROKE, "settled", "completed"),
        (Lifecycle.LIMITED, "settled", "completed"),
    ],
)
def test_a_lifecycle_becomes_a_status(lifecycle: Lifecycle, word: str, status: str) -> None:
    assert chat_lifecycle(lifecycle) == word
    session = replace(CHAT, lifecycle=chat_lifecycle(lifecycle))
    assert chain_input_of_chat(session).status == status


@pytest.mark.parametrize(
    ("readiness", "total"),
    [
        (None, None),
        (ChatReadiness(), None),
        (ChatReadiness(True, 3), 3),
        (ChatReadiness(True, 0), None),
        (ChatReadiness(True, None), None),
        (ChatReadiness(False, 3), None),
        (ChatReadiness(None, 3), None),
    ],
)
def test_an_inventory_counts_only_when_it_is_known(
    readiness: ChatReadiness | None, total: int | None
) -> None:
    evidence = chain_input_of_chat(replace(CHAT, readiness=readiness)).evidence
    assert evidence.tools_total_before == total


def test_spans_trace_and_signals_are_passed_on() -> None:
    connection, discovery = PhaseSignal("ok"), PhaseSignal("failed", "ours")
    session = replace(
        CHAT, trace_absent=True, connection_signal=connection, discovery_signal=discovery
    )
    evidence = chain_input_of_chat(session).evidence
    assert list(evidence.spans) == [OK_SPAN]
    assert evidence.trace_absent
    assert evidence.connection_signal is connection
    assert evidence.discovery_signal is discovery


def test_results_become_rows_without_a_reason() -> None:
    session = replace(CHAT, criteria=graded(result("noToolErrors", passed=False, status="scored")))
    assert chain_input_of_chat(session).evidence.predicate_results == (
        PredicateRow(
            passed=False, reason=None, status="scored", kind="noToolErrors", role="required"
        ),
    )


@pytest.mark.parametrize("status", ["pending", "failed"])
def test_results_of_unfinished_grading_are_not_read(status: Any) -> None:
    assert kinds(replace(CHAT, criteria=ChatCriteria(status, [result()]))) == []


JUDGE_WITHOUT_POLICY = [
    # no criteria: the judge, else what is owed or was never asked for
    (None, JUDGE_MET, True, MET),
    (None, JUDGE_MISSED, True, MISSED),
    (None, ChatGoalJudge("completed", True), True, JudgeEvidence("scored", None, "pass")),
    (None, ChatGoalJudge("failed"), True, JudgeEvidence("error")),
    (None, ChatGoalJudge("running"), True, OWED),
    (None, ChatGoalJudge("running"), False, OWED),
    (None, ChatGoalJudge("completed", None), True, NEVER_ASKED),
    (None, ChatGoalJudge("completed", None), False, None),
    (None, None, True, NEVER_ASKED),
    (None, None, False, None),
    # criteria: only a scope that is explicitly empty hands over to the judge
    (BROKE, JUDGE_MET, True, None),
    (PENDING, JUDGE_MET, True, OWED),
    (graded(result()), JUDGE_MET, True, None),
    (graded(result(status="error")), JUDGE_MET, True, None),
    (graded(), JUDGE_MET, True, OWED),
    (graded(ids=["a"]), JUDGE_MET, True, OWED),
    (EMPTY_SCOPE, JUDGE_MET, True, MET),
    (EMPTY_SCOPE, None, True, NEVER_ASKED),
    (EMPTY_SCOPE, None, False, None),
    (graded(result(), ids=[]), JUDGE_MET, True, None),
]


@pytest.mark.parametrize(("criteria", "judge", "ask", "expected"), JUDGE_WITHOUT_POLICY)
@pytest.mark.parametrize("source", ["direct", "user_testing", "swarm"])
def test_without_a_policy_the_judge_fills_only_an_empty_scope(
    criteria: ChatCriteria | None,
    judge: ChatGoalJudge | None,
    ask: bool,
    expected: JudgeEvidence | None,
    source: Any,
) -> None:
    session = ChatSession(source, ask, "settled", criteria=criteria, goal_judge=judge)
    assert grading(session) == (criteria is BROKE, expected)


@pytest.mark.parametrize("source", ["direct", "user_testing"])
def test_a_policy_means_nothing_outside_a_swarm(source: Any) -> None:
    for criteria in (None, PENDING, BROKE, graded(result()), EMPTY_SCOPE):
        plain = replace(CHAT, source=source, criteria=criteria, goal_judge=JUDGE_MISSED)
        ruled = replace(plain, swarm_policy=policy(required=2))
        assert chain_input_of_chat(ruled) == chain_input_of_chat(plain)


@pytest.mark.parametrize("criteria", [None, PENDING, graded(result()), EMPTY_SCOPE])
def test_a_judge_that_is_not_decisive_has_no_say_in_a_swarm(
    criteria: ChatCriteria | None,
) -> None:
    session = replace(
        SWARM,
        criteria=criteria,
        goal_judge=JUDGE_MET,
        swarm_policy=policy(0, decisive=False),
    )
    assert grading(session) == (False, None)


@pytest.mark.parametrize("criteria", [None, PENDING, graded(), graded(result()), EMPTY_SCOPE])
def test_a_decisive_judge_speaks_whatever_the_criteria_say(
    criteria: ChatCriteria | None,
) -> None:
    session = replace(SWARM, criteria=criteria, goal_judge=JUDGE_MET, swarm_policy=policy())
    assert grading(session) == (False, MET)
    assert user_value(session) == ("passed", "judgeObserved")


DECISIVE_FILTER = [
    (result("responseContains"), False),
    (result("toolCalledWith"), False),
    (result(None), False),
    (result("responseContains", role="advisory"), False),
    (result("responseContains", passed=False), True),
    (result("toolCalledWith", passed=False), True),
    (result(None, passed=False), True),
    (result("responseContains", status="error"), True),
    (result("toolNeverCalled"), True),
    (result("argumentsMatchToolSchema"), True),
    (result("noToolErrors"), True),
    (result("toolNamesUnique"), True),
    (result("madeUpLater"), True),
]


@pytest.mark.parametrize(("one", "kept"), DECISIVE_FILTER)
def test_a_check_that_could_only_pass_user_value_goes_beside_a_decisive_judge(
    one: ChatCriterionResult, kept: bool
) -> None:
    session = replace(SWARM, criteria=graded(one), goal_judge=JUDGE_MET, swarm_policy=policy())
    assert kinds(session) == ([one.kind] if kept else [])
    undecided = replace(session, swarm_policy=policy(decisive=False))
    assert kinds(undecided) == [one.kind]


def test_a_passing_promoted_check_leaves_user_value_to_a_decisive_judge() -> None:
    session = replace(
        SWARM,
        criteria=graded(result("toolCalledWith")),
        goal_judge=JUDGE_MISSED,
        swarm_policy=policy(),
    )
    assert user_value(session) == ("failed", "judgeFailed")
    undecided = replace(session, swarm_policy=policy(decisive=False))
    assert user_value(undecided) == ("passed", "observed")


BROKEN_GRADER = [
    # criteria that broke are an error where anything depends on them
    ("direct", None, True),
    ("user_testing", None, True),
    ("swarm", None, True),
    ("swarm", policy(1), True),
    ("swarm", policy(1, decisive=False), True),
    ("swarm", policy(0), False),
    ("swarm", policy(0, decisive=False), False),
    ("direct", policy(0), True),
]


@pytest.mark.parametrize(("source", "ruling", "errored"), BROKEN_GRADER)
def test_criteria_that_broke_are_an_error_where_they_decide(
    source: Any, ruling: SwarmPolicy | None, errored: bool
) -> None:
    session = replace(CHAT, source=source, criteria=BROKE, swarm_policy=ruling)
    assert grading(session)[0] is errored
    if errored:
        assert user_value(session) == ("notMeasured", "evaluatorError")


def test_broken_criteria_nobody_requires_leave_the_judge_its_word() -> None:
    session = replace(SWARM, criteria=BROKE, goal_judge=JUDGE_MET, swarm_policy=policy(0))
    assert user_value(session) == ("passed", "judgeObserved")


REQUIRED = [
    # no criteria yet: what was asked for is owed, whatever a passing judge says
    (None, 1, JUDGE_MET, False, OWED),
    (PENDING, 1, JUDGE_MET, False, OWED),
    (PENDING, 1, None, False, OWED),
    # all required checks answered
    (graded(result()), 1, JUDGE_MET, False, MET),
    (graded(result(), result(role=None)), 2, JUDGE_MET, False, MET),
    # too few answers, or one that could not be scored
    (graded(), 1, JUDGE_MET, True, MET),
    (graded(result()), 2, JUDGE_MET, True, MET),
    (graded(result(), result(role="advisory")), 2, JUDGE_MET, True, MET),
    (graded(result(), result(status="error", passed=False)), 2, JUDGE_MET, True, MET),
    (graded(result("toolNamesUnique")), 1, JUDGE_MET, False, MET),
    (graded(result("toolNamesUnique", status="error")), 1, JUDGE_MET, True, MET),
    # an advisory row that could not be scored is no hole
    (graded(result(), result(status="error", role="advisory")), 1, JUDGE_MET, False, MET),
    # a failed required check speaks for itself, however many answers are missing
    (graded(result(passed=False)), 2, JUDGE_MET, False, MET),
    (graded(result(passed=False), result(status="error")), 2, JUDGE_MET, False, MET),
    # broken criteria
    (BROKE, 1, JUDGE_MET, True, MET),
    # a decisive judge that says no clears every hole
    (None, 1, JUDGE_MISSED, False, MISSED),
    (PENDING, 1, JUDGE_MISSED, False, MISSED),
    (graded(), 1, JUDGE_MISSED, False, MISSED),
    (graded(result(status="error")), 1, JUDGE_MISSED, False, MISSED),
    (BROKE, 1, JUDGE_MISSED, False, MISSED),
    # one that broke, runs or says nothing clears none
    (BROKE, 1, ChatGoalJudge("failed"), True, JudgeEvidence("error")),
    (graded(), 1, ChatGoalJudge("running", False), True, OWED),
    (graded(), 1, ChatGoalJudge("completed", None), True, NEVER_ASKED),
    # nothing required: the judge alone
    (None, 0, JUDGE_MET, False, MET),
    (graded(result(status="error")), 0, JUDGE_MET, False, MET),
]


@pytest.mark.parametrize(("criteria", "required", "judge", "errored", "heard"), REQUIRED)
def test_required_checks_are_heard_beside_a_decisive_judge(
    criteria: ChatCriteria | None,
    required: int,
    judge: ChatGoalJudge | None,
    errored: bool,
    heard: JudgeEvidence | None,
) -> None:
    session = replace(SWARM, criteria=criteria, goal_judge=judge, swarm_policy=policy(required))
    assert grading(session) == (errored, heard)


REQUIRED_ALONE = [
    (None, ("notMeasured", "judgePending")),
    (PENDING, ("notMeasured", "judgePending")),
    (graded(result()), ("passed", "observed")),
    (graded(result(passed=False)), ("failed", "predicateFailed")),
    (graded(result(passed=False), result(status="error")), ("failed", "predicateFailed")),
    (graded(), ("notMeasured", "evaluatorError")),
    (graded(result(status="error")), ("notMeasured", "evaluatorError")),
    (BROKE, ("notMeasured", "evaluatorError")),
]


@pytest.mark.parametrize(("criteria", "expected"), REQUIRED_ALONE)
def test_required_checks_decide_where_the_judge_does_not(
    criteria: ChatCriteria | None, expected: tuple[str, str]
) -> None:
    # A judge that is not decisive is silent even when it says no.
    session = replace(
        SWARM,
        criteria=criteria,
        goal_judge=JUDGE_MISSED,
        swarm_policy=policy(1, decisive=False),
    )
    assert user_value(session) == expected


def test_a_check_of_the_catalogue_colours_no_stage() -> None:
    plain = replace(CHAT, criteria=EMPTY_SCOPE, goal_judge=JUDGE_MET)
    graded_too = replace(
        SWARM,
        criteria=graded(result("toolNamesUnique", passed=False)),
        goal_judge=JUDGE_MET,
        swarm_policy=policy(1),
    )
    assert derive_chain(chain_input_of_chat(graded_too)) == derive_chain(chain_input_of_chat(plain))


def test_checks_reach_the_stage_of_their_kind() -> None:
    results = [
        result("toolNeverCalled"),
        result("argumentsMatchToolSchema", passed=False),
        result("responseContains", passed=False),
    ]
    chain = derive_chain(chain_input_of_chat(replace(CHAT, criteria=graded(*results))))
    assert states(chain) == [
        "passed/impliedByLaterEvidence",
        "passed/impliedByLaterEvidence",
        "passed/observed",
        "failed/argumentMismatch",
        "passed/observed",
        "failed/predicateFailed",
    ]


def test_checks_that_could_not_be_scored_silence_the_judge() -> None:
    session = replace(CHAT, criteria=graded(result(status="error")), goal_judge=JUDGE_MET)
    assert user_value(session) == ("notMeasured", "noEvidenceCaptured")


def test_user_value_does_not_apply_where_nobody_asked() -> None:
    session = replace(CHAT, has_user_ask=False, criteria=graded(result(passed=False)))
    assert user_value(session) == ("notApplicable", "notAuthored")


def test_a_stopped_session_says_nothing() -> None:
    chain = derive_chain(chain_input_of_chat(replace(CHAT, lifecycle="stopped")))
    assert states(chain) == ["notMeasured/lifecycleStopped"] * 6
    assert chain.failure_category == "setup"


CAN_SHOW = [
    (CHAT, "passed/impliedByLaterEvidence", "passed/impliedByLaterEvidence"),
    (replace(CHAT, spans=[]), "notMeasured/noEvidenceCaptured", "notMeasured/noEvidenceCaptured"),
    (
        replace(CHAT, spans=[], trace_absent=True),
        "notMeasured/traceAbsent",
        "notMeasured/traceAbsent",
    ),
    (
        replace(CHAT, spans=[], readiness=ChatReadiness(True, 4)),
        "passed/impliedByLaterEvidence",
        "passed/observed",
    ),
]


@pytest.mark.parametrize(("session", "connection", "discovery"), CAN_SHOW)
def test_a_session_shows_its_setup_only_by_what_followed(
    session: ChatSession, connection: str, discovery: str
) -> None:
    assert states(derive_chain(chain_input_of_chat(session)))[:2] == [connection, discovery]


def connections(*raw: dict[str, Any]) -> list[Connection]:
    whole = records(*({"type": "connection", "phase": "initialize", **record} for record in raw))
    return [record for record in whole if isinstance(record, Connection)]


def goal_target(**more: Any) -> Target:
    return Target.model_validate(target(**more))


ONE = goal_target(serverIds=["a"])
TWO = goal_target(serverIds=["a", "b"], serverNames=["Desk", "Stacks"])


def ok(server: str | None = "a", **more: Any) -> dict[str, Any]:
    return {"outcome": "ok", "serverId": server, **more}


def down(server: str | None = "a", blame: str = "server", **more: Any) -> dict[str, Any]:
    return {"outcome": "failed", "serverId": server, "attributable": blame, **more}


def refused(attribution: str, *, verified: bool = False) -> PhaseSignal:
    return PhaseSignal("failed", attribution, True if verified else None)


FINE = PhaseSignal("ok")

SIGNALS: list[tuple[list[dict[str, Any]], Target, PhaseSignal | None]] = [
    # none
    ([], ONE, None),
    ([{"outcome": "skipped", "serverId": "a"}], ONE, None),
    ([ok(phase="resources_list"), down(phase="prompts_list")], ONE, None),
    # any failed: whose fault it is
    ([down(blame="server")], ONE, refused("theirs")),
    ([down(blame="client")], ONE, refused("ours")),
    ([down(blame="network")], ONE, refused("unknown")),
    ([down(blame="unknown")], ONE, refused("unknown")),
    ([{"outcome": "failed", "serverId": "a"}], ONE, refused("unknown")),
    ([down("a", "client"), down("b", "network")], TWO, refused("unknown")),
    ([down("a", "client"), down("b", "server")], TWO, refused("theirs")),
    ([down("a", "network"), down("b", "server"), down("c", "client")], TWO, refused("theirs")),
    ([ok("a"), down("b", "client")], TWO, refused("ours")),
    ([down("a", "client")], TWO, refused("ours")),
    # proof of our own network stands only on a failed record that is theirs
    ([down(egressVerified=True)], ONE, refused("theirs", verified=True)),
    ([down(egressVerified=False)], ONE, refused("theirs")),
    ([down(blame="client", egressVerified=True)], ONE, refused("ours")),
    ([down("a", "network", egressVerified=True), down("b")], TWO, refused("theirs")),
    ([down("a"), down("b", egressVerified=True)], TWO, refused("theirs", verified=True)),
    ([ok("a", egressVerified=True), down("b")], TWO, refused("theirs")),
    # the last word of each server counts
    ([down(), ok()], ONE, FINE),
    ([ok(), down()], ONE, refused("theirs")),
    ([down(egressVerified=True), down(blame="network")], ONE, refused("unknown")),
    ([down(phase="connect"), ok(phase="initialize")], ONE, FINE),
    ([ok(phase="connect"), down(phase="initialize")], ONE, refused("theirs")),
    ([down(), {"outcome": "skipped", "serverId": "a"}], ONE, refused("theirs")),
    ([down("a"), ok("b")], TWO, refused("theirs")),
    ([down("a"), ok("b"), ok("a")], TWO, FINE),
    # all ok, and nobody missing
    ([ok()], ONE, FINE),
    ([ok("somebody")], ONE, FINE),
    ([ok(None)], ONE, FINE),
    ([ok()], goal_target(), FINE),
    ([ok("a"), ok("b")], TWO, FINE),
    ([ok("a")], TWO, None),
    ([ok("a"), {"outcome": "skipped", "serverId": "b"}], TWO, None),
    ([ok(None)], TWO, None),
    ([ok("a"), ok("c")], TWO, None),
    ([ok("a"), ok(None, serverName="Stacks")], TWO, FINE),
    ([ok("a"), ok(None, serverName="Desk")], TWO, None),
    ([ok("a", serverName="Stacks")], TWO, None),
    ([ok("a"), ok("b")], goal_target(serverIds=["a", "a", "b"]), FINE),
    ([ok("a")], goal_target(serverIds=["a", "a"]), FINE),
    (
        [ok("x", serverName="Desk"), ok("y", serverName="Stacks")],
        goal_target(serverNames=["Desk", "Stacks"]),
        FINE,
    ),
    ([ok("x", serverName="Desk")], goal_target(serverNames=["Desk", "Stacks"]), None),
    # lists that cannot be paired: the longer one names the servers
    (
        [ok("a", serverName="Desk")],
        goal_target(serverIds=["a"], serverNames=["Desk", "Stacks"]),
        None,
    ),
    ([ok("a"), ok("b")], goal_target(serverIds=["a", "b"], serverNames=["Desk"]), FINE),
    # records that name neither are one server
    ([down(None), ok(None)], ONE, FINE),
    ([down(None), ok("a")], ONE, refused("theirs")),
    ([down(None, serverName="Desk"), ok(None, serverName="Desk")], ONE, FINE),
    ([down(None, serverName="Desk"), ok(None)], ONE, refused("theirs")),
    ([down("a", serverName="Desk"), ok("b", serverName="Desk")], TWO, refused("theirs")),
]


@pytest.mark.parametrize(("raw", "against", "expected"), SIGNALS)
def test_connection_records_fold_into_one_signal(
    raw: list[dict[str, Any]], against: Target, expected: PhaseSignal | None
) -> None:
    assert phase_signals(connections(*raw), against) == (expected, None)


@pytest.mark.parametrize(("raw", "against", "expected"), SIGNALS)
def test_listing_tools_folds_by_the_same_table(
    raw: list[dict[str, Any]], against: Target, expected: PhaseSignal | None
) -> None:
    moved = [
        {**record, "phase": "tools_list"}
        for record in raw
        if record.get("phase") not in ("resources_list", "prompts_list")
    ]
    assert phase_signals(connections(*moved), against) == (None, expected)


def test_the_two_phases_do_not_mix() -> None:
    raw = [down(), ok(phase="tools_list"), ok("b"), down("b", "client", phase="tools_list")]
    assert phase_signals(connections(*raw), TWO) == (refused("theirs"), refused("ours"))


def test_a_server_is_told_by_its_id_and_else_by_its_name() -> None:
    told = [
        server_of(record)
        for record in connections(
            ok("a", serverName="Desk"),
            ok(None, serverName="Desk"),
            ok("", serverName=""),
            ok(None),
        )
    ]
    assert told == ["a", "Desk", None, None]


REFUSALS = [
    (
        [down(egressVerified=True)],
        ["failed/connectFailed", *["notReached/earlierStageFailed"] * 5],
        "setup",
    ),
    (
        [down()],
        [
            "notMeasured/egressUnverified",
            "notMeasured/traceAbsent",
            "notMeasured/traceAbsent",
            "notMeasured/traceAbsent",
            "notMeasured/traceAbsent",
            "notMeasured/traceAbsent",
        ],
        None,
    ),
    (
        [ok(), down(phase="tools_list")],
        [
            "passed/observed",
            "failed/toolsListFailed",
            *["notReached/earlierStageFailed"] * 4,
        ],
        "setup",
    ),
]


@pytest.mark.parametrize(("raw", "expected", "category"), REFUSALS)
def test_a_session_that_was_refused_blames_the_server_only_with_proof(
    raw: list[dict[str, Any]], expected: list[str], category: str | None
) -> None:
    connection, discovery = phase_signals(connections(*raw), ONE)
    session = replace(
        SWARM,
        spans=[],
        trace_absent=True,
        connection_signal=connection,
        discovery_signal=discovery,
    )
    chain = derive_chain(chain_input_of_chat(session))
    assert states(chain) == expected
    assert chain.failure_category == category


def test_a_call_that_came_through_beats_a_failed_connection_record() -> None:
    connection, discovery = phase_signals(connections(down(egressVerified=True)), ONE)
    session = replace(SWARM, connection_signal=connection, discovery_signal=discovery)
    chain = derive_chain(chain_input_of_chat(session))
    assert states(chain)[0] == "passed/impliedByLaterEvidence"
