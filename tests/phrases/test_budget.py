import asyncio
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_questions import (
    ToldLine,
    asker,
    question,
    questions,
    states,
    unkept,
)

from reporter.phrases.budget import Budget, Usage, estimate, estimate_input
from reporter.phrases.exchange import Question
from reporter.phrases.plain import schema_text
from reporter.phrases.reply import Cause, Reply
from reporter.vocabulary import ReplyState

ANSWERED, OVER, FAILED = ReplyState.ANSWERED, ReplyState.OVER_BUDGET, ReplyState.FAILED


def a_cent(sent: int, answered: int) -> Decimal:
    return Decimal(sent + answered) / 100


def answering(usage: Usage | None, *, paid: bool = True) -> ToldLine:
    async def send(_: Question, __: int) -> Reply:
        return Reply(ANSWERED, text="{}", usage=usage, perhaps_paid=paid and usage is None)

    return ToldLine(send)


def test_a_token_is_three_bytes_rounded_up_and_the_schema_counts() -> None:
    short, longer = question("abc"), question("abcd")
    assert estimate_input(question("abcdef")) == estimate_input(short) + 1
    assert estimate_input(longer) in (estimate_input(short), estimate_input(short) + 1)
    assert estimate_input(question("日本語")) == estimate_input(question("abc")) + 2
    assert estimate(short) == estimate_input(short) + 100
    assert estimate_input(short) > len(schema_text(short)) / 3


def test_half_a_character_can_be_estimated() -> None:
    assert estimate_input(question("\ud800")) > 0


def test_without_bounds_there_is_always_room() -> None:
    budget = Budget(None, None, a_cent)
    assert all(budget.hold(question()) for _ in range(1000))


def test_what_is_held_is_given_back_for_what_was_taken() -> None:
    one = question()
    budget = Budget(estimate(one) + 10, None, a_cent)
    hold = budget.hold(one)
    assert hold is not None
    assert budget.hold(one) is None
    budget.settle(hold, Usage(6, 4))
    again = budget.hold(one)
    assert again is not None
    budget.settle(again, None)
    assert budget.hold(one) == again


def test_dollars_are_held_by_the_price_and_paid_by_the_provider() -> None:
    one = question()
    most = Decimal(estimate(one)) / 100
    budget = Budget(None, most * 2, a_cent)
    hold = budget.hold(one)
    assert hold is not None
    assert hold.usd == most
    budget.settle(hold, Usage(1, 1, most + Decimal("0.01")))
    assert budget.hold(one) is None


def test_dollars_that_nobody_tells_are_reckoned() -> None:
    one = question()
    budget = Budget(None, Decimal(estimate(one)) / 100, a_cent)
    hold = budget.hold(one)
    assert hold is not None
    budget.settle(hold, Usage(1, 0))
    assert budget.hold(one) is None


@pytest.mark.parametrize(("known", "cost"), [(Decimal(2), Decimal(3)), (None, None)])
def test_usage_adds_up_and_an_unknown_price_stays_unknown(
    known: Decimal | None, cost: Decimal | None
) -> None:
    assert Usage(1, 2, Decimal(1)) + Usage(3, 4, known) == Usage(4, 6, cost)


@pytest.mark.parametrize("side_by_side", [1, 2, 4])
def test_the_first_questions_have_the_budget(side_by_side: int) -> None:
    asked = questions(6)
    each = estimate(asked[0])
    line = answering(Usage(each - 50, 50))
    answers = asker(line, budget_tokens=each * 3, max_concurrency=side_by_side).ask(asked, unkept)
    assert states(answers) == [ANSWERED] * 3 + [OVER] * 3
    assert {answer.detail for answer in answers[3:]} == {"the budget ended"}
    assert [answer.attempts for answer in answers] == [1, 1, 1, 0, 0, 0]
    assert line.sent == asked[:3]


@pytest.mark.parametrize("side_by_side", [1, 2, 4])
def test_what_is_under_way_is_waited_for_before_a_question_is_given_up(side_by_side: int) -> None:
    asked = questions(4)
    most = estimate(asked[0])
    line = answering(Usage(10, 10))
    answers = asker(line, budget_tokens=most + 60, max_concurrency=side_by_side).ask(asked, unkept)
    assert states(answers) == [ANSWERED] * 4


def test_a_smaller_question_behind_one_that_does_not_fit_is_not_sent() -> None:
    large, small = question("large " * 1000), question("small")
    line = answering(Usage(1, 1))
    answers = asker(line, budget_tokens=estimate(small)).ask([large, small], unkept)
    assert states(answers) == [OVER, OVER]
    assert line.sent == []


def test_the_next_round_has_what_is_left() -> None:
    large, small = question("large " * 1000), question("small")
    line = answering(Usage(1, 1))
    model = asker(line, budget_tokens=estimate(small) + 1)
    assert states(model.ask([large], unkept)) == [OVER]
    assert states(model.ask([small], unkept)) == [ANSWERED]
    assert states(model.ask([small], unkept)) == [OVER]


def test_an_answer_without_usage_takes_all_that_was_held() -> None:
    one = question()
    model = asker(answering(None), budget_tokens=estimate(one) * 2 - 1)
    assert states(model.ask([one], unkept)) == [ANSWERED]
    assert states(model.ask([one], unkept)) == [OVER]


def test_what_was_not_done_takes_nothing() -> None:
    async def send(_: Question, __: int) -> Reply:
        return Reply(FAILED, detail="busy", cause=Cause.SERVER)

    one = question()
    model = asker(ToldLine(send), budget_tokens=estimate(one))
    assert states(model.ask([one] * 3, unkept)) == [FAILED] * 3


def test_attempts_that_were_counted_are_added_up() -> None:
    replies = iter(
        [
            Reply(FAILED, usage=Usage(5, 0, Decimal("0.25")), again=True),
            Reply(ANSWERED, usage=Usage(5, 3, Decimal("0.50"))),
        ]
    )

    async def send(_: Question, __: int) -> Reply:
        return next(replies)

    [answer] = asker(ToldLine(send)).ask([question()], unkept)
    assert (answer.input_tokens, answer.output_tokens, answer.cost_usd) == (10, 3, "0.75")
    assert answer.attempts == 2


def test_a_question_that_timed_out_is_not_sent_again_beyond_the_budget() -> None:
    async def send(_: Question, __: int) -> Reply:
        return Reply(
            ReplyState.TIMED_OUT, cause=Cause.SERVER, again=True, perhaps_paid=True, detail="late"
        )

    one = question()
    line = ToldLine(send)
    [answer] = asker(line, budget_tokens=estimate(one) * 2, attempts=9).ask([one], unkept)
    assert (answer.state, answer.attempts) == (ReplyState.TIMED_OUT, 2)


@given(
    shares=st.lists(st.tuples(st.integers(0, 100), st.integers(0, 6)), min_size=1, max_size=9),
    budget=st.integers(0, 900),
    side_by_side=st.integers(2, 4),
)
def test_what_a_budget_covers_does_not_depend_on_who_answers_first(
    shares: list[tuple[int, int]], budget: int, side_by_side: int
) -> None:
    asked = [question(f"{place} " * (place % 3 * 20 + 1)) for place in range(len(shares))]

    async def send(one: Question, _: int) -> Reply:
        share, turns = shares[asked.index(one)]
        for _turn in range(turns):
            await asyncio.sleep(0)
        return Reply(ANSWERED, usage=Usage(estimate(one) * share // 100, 0))

    def come_to(most: int) -> list[ReplyState]:
        model = asker(ToldLine(send), budget_tokens=budget, max_concurrency=most)
        return states(model.ask(asked, unkept))

    assert come_to(side_by_side) == come_to(1)


def test_a_budget_in_dollars_ends_asking() -> None:
    asked = questions(3)
    line = answering(Usage(10, 10))
    model = asker(
        line,
        price=a_cent,
        budget_usd=Decimal(estimate(asked[0])) / 100 + Decimal("0.2"),
        max_concurrency=2,
    )
    assert states(model.ask(asked, unkept)) == [ANSWERED, ANSWERED, OVER]


def test_a_round_may_be_held_to_a_share_of_what_is_left() -> None:
    one = question()
    room = estimate(one)
    for budget in (
        Budget(room * 4, None, a_cent),
        Budget(None, Decimal(room) * 4 / 100, a_cent),
    ):
        budget.open_round(0.5)
        assert [budget.hold(one) is not None for _ in range(3)] == [True, True, False]
        budget.open_round(0.5)
        assert [budget.hold(one) is not None for _ in range(2)] == [True, False]
        budget.open_round(1.0)
        assert [budget.hold(one) is not None for _ in range(2)] == [True, False]
