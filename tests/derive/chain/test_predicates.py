import pytest
from chain_cases import EXPECTING, Json, check, derive, outcome

from reporter.derive.chain import CHECK_KINDS, filed_at, routed
from reporter.derive.chain.predicates import failure_reason, grader_stage, is_eligible
from reporter.models.chain import PredicateRow
from reporter.vocabulary import Stage, StageReason

MATRIX = """
toolCalledWith                 selection  userValue  predicateFailed
toolCalledAtLeastOnce          selection  selection  missingToolCall     positive
firstToolWas                   selection  selection  unexpectedToolCall  positive
toolNeverCalled                selection  selection  unexpectedToolCall
onlyToolsCalled                selection  selection  unexpectedToolCall
toolCallCountUnder             selection  selection  unexpectedToolCall
toolCalledBefore               selection  selection  unexpectedToolCall
noDeprecatedToolCalled         selection  selection  unexpectedToolCall  observation
noDestructiveToolCalled        selection  selection  unexpectedToolCall
argumentsMatchToolSchema       call       call       argumentMismatch
noRepeatedIdenticalCall        call       call       argumentMismatch    observation
toolInputMatches               call       call       argumentMismatch
noToolErrors                   response   response   predicateFailed
toolLatencyUnder               response   response   predicateFailed
toolResultContains             response   response   predicateFailed
toolResultMatches              response   response   predicateFailed
toolResultMatchesSchema        response   response   predicateFailed
toolResultSizeUnder            response   response   predicateFailed
toolErrorNamesInput            response   response   predicateFailed     observation
fullPageHasContinuation        response   response   predicateFailed     observation
responseContains               userValue  userValue  predicateFailed
responseMatches                userValue  userValue  predicateFailed
responseCloseTo                userValue  userValue  predicateFailed
finalAssistantMessageNonEmpty  userValue  userValue  predicateFailed
tokenBudgetUnder               userValue  userValue  predicateFailed
turnCountUnder                 userValue  userValue  predicateFailed
widgetRendered                 userValue  userValue  predicateFailed
widgetRenderLatencyUnder       userValue  userValue  predicateFailed
widgetNoConsoleErrors          userValue  userValue  predicateFailed
noEndingQuestion               userValue  userValue  predicateFailed     observation
toolDescriptionsPresent        discovery  -          -
toolAnnotationsPresent         discovery  -          -
toolNamesUnique                discovery  -          -
noDeprecatedToolExposed        discovery  -          -
toolInputSchemasWellFormed     discovery  -          -
toolOutputSchemasPresent       discovery  -          -
"""
STAGES = {stage.value: stage for stage in Stage}
LINES = [line.split() for line in MATRIX.strip().splitlines()]


def word(text: str) -> str | None:
    return None if text == "-" else text


def test_the_matrix_knows_these_kinds_in_this_order() -> None:
    assert list(CHECK_KINDS) == [line[0] for line in LINES]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0])
def test_a_kind_is_filed_and_routed_as_the_matrix_says(line: list[str]) -> None:
    kind, filed, route, reason, *marks = line
    entry = CHECK_KINDS[kind]
    assert filed_at(kind) == filed
    assert routed(kind) == word(route)
    assert failure_reason(kind) == word(reason)
    assert entry.positive == ("positive" in marks)
    assert entry.observation == ("observation" in marks)


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0])
def test_a_failed_row_colours_the_stage_it_is_routed_to_and_no_other(line: list[str]) -> None:
    kind, _, route, reason, *_ = line
    unchecked = derive({})
    chain = derive({"predicateResults": [check(kind, passed=False, reason="why")]})
    if route == "-":
        assert chain == unchecked
        return
    place = list(STAGES).index(route)
    assert outcome(chain, STAGES[route]) == ("failed", reason, {"predicateReasons": ["why"]})
    assert [row.stage.value for row in chain.rows if row.state == "failed"] == [route]
    assert chain.rows[:place] == unchecked.rows[:place]


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0])
@pytest.mark.parametrize("more", [{"role": "advisory"}, {"status": "error"}])
def test_a_row_that_may_not_be_read_colours_nothing(line: list[str], more: Json) -> None:
    for passed in (True, False):
        row = check(line[0], passed=passed, reason="why", **more)
        assert derive({"predicateResults": [row]}) == derive({})


@pytest.mark.parametrize("role", ["gating", "required", "Advisory", "somebody", None, 1])
def test_every_other_role_gates(role: object) -> None:
    row = check("responseContains", passed=False, role=role)
    state, reason, _ = outcome(derive({"predicateResults": [row]}), Stage.USER_VALUE)
    assert (state, reason) == ("failed", "predicateFailed")


@pytest.mark.parametrize("kind", [None, "madeUpLater", 7])
def test_a_row_without_a_known_kind_is_user_value(kind: object) -> None:
    row: Json = {"passed": False, "predicate": {"type": kind}}
    chain = derive({"predicateResults": [row]})
    assert outcome(chain, Stage.USER_VALUE) == ("failed", "predicateFailed", None)


def test_an_unlisted_kind_is_filed_nowhere() -> None:
    assert filed_at(None) is None
    assert filed_at("madeUpLater") is None
    assert routed(None) is routed("madeUpLater") is Stage.USER_VALUE
    assert failure_reason(None) is failure_reason("madeUpLater") is StageReason.PREDICATE_FAILED


def test_one_row_is_counted_at_one_stage() -> None:
    rows = [check(kind) for kind in CHECK_KINDS]
    chain = derive({"predicateResults": rows}, EXPECTING)
    held = [row.stage.value for row in chain.rows if row.state == "passed"]
    assert held == ["selection", "call", "response", "userValue"]


@pytest.mark.parametrize(
    ("row", "eligible"),
    [
        (PredicateRow(), True),
        (PredicateRow(passed=False, status="scored", role="required"), True),
        (PredicateRow(passed=True, role="advisory"), False),
        (PredicateRow(passed=True, status="error"), False),
    ],
)
def test_a_row_is_eligible_unless_advisory_or_unscored(row: PredicateRow, eligible: bool) -> None:
    assert is_eligible(row) == eligible


@pytest.mark.parametrize(
    ("grader", "stage"),
    [
        ("toolCalls:match", Stage.SELECTION),
        ("toolCalls:arguments", Stage.CALL),
        ("judge:goalCompletion", Stage.USER_VALUE),
        ("judge:groundedness", Stage.USER_VALUE),
        ("judge:rubricChecks", Stage.USER_VALUE),
        ("judge:rubricChecks:tone", Stage.USER_VALUE),
        ("judge:mood", None),
        ("noToolErrors", None),
    ],
)
def test_a_grader_that_is_no_check_is_filed_at_its_stage(grader: str, stage: Stage | None) -> None:
    assert grader_stage(grader) is stage
