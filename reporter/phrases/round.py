"""One round of questions: which are sent, side by side, and what becomes of each."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from reporter.phrases.budget import Budget, Hold, Usage
from reporter.phrases.choice import ModelChoice
from reporter.phrases.exchange import Answer, Question
from reporter.phrases.reply import Cause, Reply
from reporter.phrases.retrying import Pace, until_settled
from reporter.vocabulary import ReplyState

SILENT_AT_MOST: Final = 8
"""Questions in a row that a server leaves without any answer before no further one is sent."""


_SPOKEN: Final = frozenset({ReplyState.ANSWERED, ReplyState.CUT_OFF, ReplyState.REFUSED})


class Line(Protocol):
    """An open way to a model."""

    @property
    def forms(self) -> int:
        """In how many forms a question can be put; the first is the preferred one."""

    async def send(self, question: Question, form: int) -> Reply:
        """Send a question once, in one of the forms; nothing is raised but a cancellation."""


Tell = Callable[[tuple[int, Answer]], None]
"""Takes the place of a question and its answer."""


@dataclass(frozen=True, slots=True)
class Halt:
    """Why no further question is sent."""

    state: ReplyState
    detail: str


BUDGET_ENDED: Final = Halt(ReplyState.OVER_BUDGET, "the budget ended")
INTERRUPTED: Final = Halt(ReplyState.INTERRUPTED, "the run was interrupted")
SILENCE: Final = Halt(ReplyState.FAILED, "the server does not answer")
_NO_ROOM: Final = Reply(ReplyState.OVER_BUDGET, detail=BUDGET_ENDED.detail)


@dataclass(slots=True)
class Standing:
    """What one round leaves to the next."""

    budget: Budget
    halt: Halt | None = None
    heard: bool = False
    """Whether the server ever answered."""
    silent: int = 0
    """Questions in a row that had no answer of any kind."""
    form: int = 0
    """The first form of a question that the server is not known to refuse."""
    form_is_known: bool = False
    """Whether it ever took one."""


class Round:
    """Questions that are asked together.

    Args:
        questions: The most wanted first.
        choice: The bounds of asking.
        standing: What is known of the model; the round adds to it.
        pace: Tells and spends the time between attempts.
    """

    def __init__(
        self, questions: Sequence[Question], choice: ModelChoice, standing: Standing, pace: Pace
    ) -> None:
        self._questions = questions
        self._choice = choice
        self._standing = standing
        self._pace = Pace(self._rest, pace.clock)
        self._sleep = pace.sleep
        self._halt = standing.halt

    async def run(self, line: Line, tell: Tell) -> None:
        """Ask all questions and tell each answer as it comes; returns when all are told."""
        self._line = line
        self._halted = asyncio.Event()
        free = asyncio.Semaphore(self._choice.max_concurrency)
        under_way: set[asyncio.Task[None]] = set()

        async def answered(place: int, hold: Hold) -> None:
            question = self._questions[place]
            try:
                tell((place, await self._asked(question, hold)))
            finally:
                free.release()

        async with asyncio.TaskGroup() as group:
            for place, question in enumerate(self._questions):
                await free.acquire()
                hold = await self._held(question, under_way)
                if hold is None:
                    tell((place, self._unsent(question)))
                    free.release()
                    continue
                task = group.create_task(answered(place, hold))
                under_way.add(task)
                task.add_done_callback(under_way.discard)
                if place == 0 and not self._standing.heard:
                    # The first one alone learns whether the key is good and which form is taken.
                    await asyncio.wait({task})

    async def _held(self, question: Question, under_way: set[asyncio.Task[None]]) -> Hold | None:
        """Set aside what a question may take; None where it is not to be sent.

        What is under way mostly takes less than is held for it, so there may be room later.
        """
        while self._halt is None:
            hold = self._standing.budget.hold(question)
            if hold is not None:
                return hold
            if not under_way:
                self._halt = BUDGET_ENDED
                break
            await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
        return None

    def _unsent(self, question: Question) -> Answer:
        halt = self._halt or SILENCE
        return Answer(question.id, halt.state, detail=halt.detail)

    async def _asked(self, question: Question, hold: Hold) -> Answer:
        sending = _Sending(question, hold, self._line, self._standing)

        async def send() -> Reply:
            if sending.last is not None and self._halt is not None:
                return replace(sending.last, again=False)
            return await sending.send()

        reply = await until_settled(send, self._choice, self._pace)
        self._learn(reply)
        return sending.answer(reply)

    def _learn(self, reply: Reply) -> None:
        """Take from an answer what it says about the questions behind it."""
        standing = self._standing
        if reply.cause is Cause.ACCESS:
            self._stop(Halt(reply.state, reply.detail))
        elif reply.cause is Cause.SERVER:
            standing.silent += 1
            if standing.silent >= SILENT_AT_MOST:
                self._stop(Halt(SILENCE.state, f"{SILENCE.detail}: {reply.detail}"))
        else:
            standing.silent = 0
            standing.heard = True

    def _stop(self, halt: Halt) -> None:
        if self._standing.halt is None:
            self._standing.halt = halt
        self._halt = self._standing.halt
        self._halted.set()

    async def _rest(self, seconds: float) -> None:
        """Wait, but not for a server that no further question goes to."""
        waits = {
            asyncio.ensure_future(self._sleep(seconds)),
            asyncio.ensure_future(self._halted.wait()),
        }
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()


class _Sending:
    """One question under way: its attempts, and what they took together."""

    def __init__(self, question: Question, hold: Hold, line: Line, standing: Standing) -> None:
        self._question = question
        self._hold: Hold | None = hold
        self._line = line
        self._standing = standing
        self._usage: Usage | None = None
        self.attempts = 0
        self.last: Reply | None = None
        """What the last attempt came to; None before the end of the first."""

    async def send(self) -> Reply:
        """Send the question once, in the first form that the server takes."""
        standing = self._standing
        form = standing.form
        reply = await self._sent(form)
        while self._is_of_form(reply) and form + 1 < self._line.forms:
            form += 1
            reply = await self._sent(form)
        if reply.state in _SPOKEN:
            standing.form = max(standing.form, form)
            standing.form_is_known = True
        self.last = reply
        return reply

    def _is_of_form(self, reply: Reply) -> bool:
        """Tell whether another form may help.

        A server that breaks is taken to break on the form only before it ever took one, and only
        once a question: else each of its failures would be asked for several times over.
        """
        if reply.cause is Cause.FORM:
            return True
        return reply.perhaps_form and self.last is None and not self._standing.form_is_known

    async def _sent(self, form: int) -> Reply:
        budget = self._standing.budget
        if self._hold is None:
            self._hold = budget.hold(self._question)
            if self._hold is None:
                return replace(self.last or _NO_ROOM, again=False)
        self.attempts += 1
        reply = await self._line.send(self._question, form)
        if reply.usage is not None or reply.perhaps_paid:
            budget.settle(self._hold, reply.usage or budget.most(self._question))
            self._hold = None
        if reply.usage is not None:
            self._usage = reply.usage if self._usage is None else self._usage + reply.usage
        return reply

    def answer(self, reply: Reply) -> Answer:
        """Return what became of the question in the end; what is still held for it is free."""
        if self._hold is not None:
            self._standing.budget.settle(self._hold, None)
            self._hold = None
        usage = self._usage
        cost = None if usage is None or usage.cost is None else f"{usage.cost.normalize():f}"
        return Answer(
            self._question.id,
            reply.state,
            text=reply.text,
            detail=reply.detail,
            model=reply.model,
            input_tokens=None if usage is None else usage.input_tokens,
            output_tokens=None if usage is None else usage.output_tokens,
            cost_usd=cost,
            attempts=self.attempts,
        )
