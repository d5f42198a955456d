import asyncio
import signal
import threading
from collections.abc import Callable
from decimal import Decimal

import pytest
from model_questions import Passing, ToldLine, asker, question, questions, states, unkept

from reporter.phrases.background import Background
from reporter.phrases.budget import Usage
from reporter.phrases.exchange import Answer, Question
from reporter.phrases.reply import Cause, Reply
from reporter.phrases.round import SILENT_AT_MOST
from reporter.vocabulary import ReplyState

ANSWERED, FAILED, INTERRUPTED = ReplyState.ANSWERED, ReplyState.FAILED, ReplyState.INTERRUPTED
BUSY = Reply(FAILED, detail="busy", cause=Cause.SERVER, again=True)
GOOD = Reply(ANSWERED, text="{}", usage=Usage(3, 2, Decimal("0.10")))


def saying(*replies: Reply) -> ToldLine:
    """A line that gives these replies, the last one for all further sendings."""
    left = list(replies)

    async def send(_: Question, __: int) -> Reply:
        return left.pop(0) if len(left) > 1 else left[0]

    return ToldLine(send)


def test_no_question_is_no_request() -> None:
    line = saying(GOOD)
    assert asker(line).ask([], unkept) == []
    assert line.sent == []


def test_answers_are_in_order_and_kept_as_they_come() -> None:
    asked = questions(4)
    gone: dict[str, asyncio.Event] = {}

    async def send(one: Question, _: int) -> Reply:
        for each in asked:
            gone.setdefault(each.id, asyncio.Event())
        behind = asked[asked.index(one) + 1 :]
        if one is not asked[0] and behind:
            await gone[behind[0].id].wait()
        gone[one.id].set()
        return Reply(ANSWERED, text=one.prompt)

    kept: list[str] = []
    threads = set()

    def keep(answer: Answer) -> None:
        kept.append(answer.text)
        threads.add(threading.get_ident())

    answers = asker(ToldLine(send)).ask(asked, keep)
    assert [answer.text for answer in answers] == [each.prompt for each in asked]
    assert [answer.question_id for answer in answers] == [each.id for each in asked]
    assert kept == [asked[0].prompt, *(each.prompt for each in reversed(asked[1:]))]
    assert threads == {threading.get_ident()}


@pytest.mark.parametrize("most", [1, 2, 3])
def test_no_more_are_under_way_than_allowed(most: int) -> None:
    async def send(_: Question, __: int) -> Reply:
        for _turn in range(5):
            await asyncio.sleep(0)
        return GOOD

    line = ToldLine(send)
    asker(line, max_concurrency=most).ask(questions(9), unkept)
    assert line.most_under_way == most


def test_progress_is_told_with_tokens_and_cost() -> None:
    told: list[tuple[int, int, int, int, Decimal | None]] = []

    def on_progress(
        done: int, total: int, *, sessions: int, tokens: int, cost_usd: Decimal | None
    ) -> None:
        told.append((done, total, sessions, tokens, cost_usd))

    model = asker(saying(GOOD, BUSY, GOOD), on_progress=on_progress, attempts=1)
    model.ask(questions(2), unkept)
    model.ask(questions(1), unkept)
    assert told == [
        (1, 2, 1, 5, Decimal("0.10")),
        (2, 2, 1, 5, Decimal("0.10")),
        (1, 1, 1, 10, Decimal("0.20")),
    ]


def test_a_price_that_nobody_knows_is_none() -> None:
    told: list[Decimal | None] = []

    def on_progress(
        done: int, total: int, *, sessions: int, tokens: int, cost_usd: Decimal | None
    ) -> None:
        del done, total, sessions, tokens
        told.append(cost_usd)

    line = saying(Reply(ANSWERED, usage=Usage(1, 1)))
    [answer] = asker(line, on_progress=on_progress).ask([question()], unkept)
    assert answer.cost_usd is None
    assert told == [None]


def test_waits_double_and_have_no_chance_in_them() -> None:
    passing = Passing()
    line = saying(BUSY, BUSY, BUSY, BUSY, BUSY, BUSY, BUSY, GOOD)
    [answer] = asker(line, passing=passing, attempts=9).ask([question()], unkept)
    assert (answer.state, answer.attempts) == (ANSWERED, 8)
    assert passing.waits == [1, 2, 4, 8, 16, 30, 30]


def test_attempts_end() -> None:
    passing = Passing()
    line = saying(BUSY)
    [answer] = asker(line, passing=passing, attempts=3).ask([question()], unkept)
    assert (answer.state, answer.detail, answer.attempts) == (FAILED, "busy", 3)
    assert passing.waits == [1, 2]


def test_patience_ends() -> None:
    passing = Passing()
    line = saying(BUSY)
    [answer] = asker(line, passing=passing, attempts=99, patience_s=10).ask([question()], unkept)
    assert answer.attempts == 4
    assert sum(passing.waits) == 7


def test_a_server_is_not_asked_before_the_time_it_names() -> None:
    passing = Passing()
    line = saying(Reply(FAILED, cause=Cause.SERVER, again=True, wait_s=17.5), GOOD)
    [answer] = asker(line, passing=passing).ask([question()], unkept)
    assert answer.state is ANSWERED
    assert passing.waits == [17.5]


def test_a_server_that_asks_for_more_than_patience_is_left_alone() -> None:
    passing = Passing()
    line = saying(Reply(FAILED, cause=Cause.SERVER, again=True, wait_s=3600, detail="busy"))
    [answer] = asker(line, passing=passing).ask([question()], unkept)
    assert (answer.attempts, passing.waits) == (1, [])


def test_one_bad_key_is_tried_once() -> None:
    line = saying(Reply(FAILED, detail="the key was not accepted (401)", cause=Cause.ACCESS))
    model = asker(line)
    kept: list[Answer] = []
    answers = model.ask(questions(200), kept.append)
    assert len(line.sent) == 1
    assert states(answers) == [FAILED] * 200
    assert {answer.detail for answer in answers} == {"the key was not accepted (401)"}
    assert len(kept) == 200
    assert states(model.ask(questions(2), unkept)) == [FAILED, FAILED]
    assert len(line.sent) == 1


def test_a_key_that_ends_meanwhile_ends_the_waits_of_others() -> None:
    denied = Reply(FAILED, detail="denied", cause=Cause.ACCESS)
    asked = questions(3)

    async def send(one: Question, _: int) -> Reply:
        if one is asked[0]:
            return GOOD
        if one is asked[1]:
            return BUSY
        return denied

    async def sleep(_: float) -> None:
        await asyncio.Event().wait()

    line = ToldLine(send)
    model = asker(line)
    model._pace = type(model._pace)(sleep, lambda: 0.0)
    answers = model.ask(asked, unkept)
    assert [answer.detail for answer in answers] == ["", "busy", "denied"]
    assert len(line.sent) == 3


def test_a_silent_server_is_asked_no_further() -> None:
    line = saying(Reply(FAILED, detail="broken", cause=Cause.SERVER))
    model = asker(line, max_concurrency=1)
    answers = model.ask(questions(30), unkept)
    assert len(line.sent) == SILENT_AT_MOST
    assert [answer.detail for answer in answers] == ["broken"] * SILENT_AT_MOST + [
        "the server does not answer: broken"
    ] * (30 - SILENT_AT_MOST)


def test_one_answer_between_makes_a_server_worth_asking() -> None:
    broken = Reply(FAILED, cause=Cause.SERVER)
    line = saying(*[*[broken] * 7, GOOD] * 3, broken)
    answers = asker(line, max_concurrency=1).ask(questions(24), unkept)
    assert states(answers).count(ANSWERED) == 3
    assert len(line.sent) == 24


def test_the_form_that_a_server_takes_is_learned_once() -> None:
    forms: list[int] = []

    async def send(_: Question, form: int) -> Reply:
        forms.append(form)
        return GOOD if form == 2 else Reply(FAILED, detail="no", cause=Cause.FORM)

    answers = asker(ToldLine(send, forms=3)).ask(questions(4), unkept)
    assert states(answers) == [ANSWERED] * 4
    assert forms == [0, 1, 2, 2, 2, 2]
    assert [answer.attempts for answer in answers] == [3, 1, 1, 1]


def test_a_question_that_no_form_helps_takes_none_from_the_others() -> None:
    asked = questions(2)
    forms: list[int] = []

    async def send(one: Question, form: int) -> Reply:
        forms.append(form)
        return GOOD if one is asked[1] else Reply(FAILED, detail="no", cause=Cause.FORM)

    answers = asker(ToldLine(send, forms=2)).ask(asked, unkept)
    assert states(answers) == [FAILED, ANSWERED]
    assert forms == [0, 1, 0]


def hanging_after_the_first() -> ToldLine:
    async def send(one: Question, _: int) -> Reply:
        if one.prompt.endswith("0."):
            return GOOD
        await asyncio.Event().wait()
        return GOOD

    return ToldLine(send)


def test_an_interrupt_ends_what_is_under_way_and_loses_nothing() -> None:
    kept: list[Answer] = []

    def keep(answer: Answer) -> None:
        kept.append(answer)
        if len(kept) == 1:
            raise KeyboardInterrupt

    before = threading.active_count()
    line = hanging_after_the_first()
    model = asker(line)
    with pytest.raises(KeyboardInterrupt):
        model.ask(questions(9), keep)
    assert kept[0] == kept[1]
    assert states(kept) == [ANSWERED, ANSWERED]
    assert line.under_way == 0
    assert (line.opened, line.closed) == (1, 1)
    assert threading.active_count() == before
    sent = len(line.sent)
    answers = model.ask(questions(3), unkept)
    assert states(answers) == [INTERRUPTED] * 3
    assert len(line.sent) == sent


class _EndedError(KeyboardInterrupt):
    """What a command raises when it is asked to end."""


def test_a_signal_ends_asking_while_answers_are_awaited() -> None:
    def end(*_: object) -> None:
        raise _EndedError

    async def send(one: Question, _: int) -> Reply:
        if one.prompt.endswith("0."):
            return GOOD
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
        await asyncio.Event().wait()
        return GOOD

    before = signal.signal(signal.SIGTERM, end)
    kept: list[Answer] = []
    try:
        line = ToldLine(send)
        with pytest.raises(_EndedError):
            asker(line).ask(questions(2), kept.append)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert states(kept) == [ANSWERED]
    assert (line.under_way, line.closed) == (0, 1)


def test_a_file_that_cannot_be_written_ends_asking() -> None:
    def keep(_: Answer) -> None:
        raise OSError("disk full")

    line = hanging_after_the_first()
    with pytest.raises(OSError, match="disk full"):
        asker(line).ask(questions(5), keep)
    assert (line.under_way, line.closed) == (0, 1)


def test_an_error_of_the_work_is_heard() -> None:
    async def work(tell: Callable[[int], None]) -> None:
        del tell
        raise LookupError("ours")

    with pytest.raises(LookupError, match="ours"), Background(work) as told:
        list(told)


def test_work_that_nobody_listens_to_is_ended() -> None:
    ended: list[bool] = []

    async def work(tell: Callable[[int], None]) -> None:
        tell(1)
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    with Background(work) as told:
        assert next(iter(told)) == 1
    assert ended == [True]
