"""Questions, a line that answers as told, and a clock that passes when it is waited for."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from reporter.phrases.asker import ModelAsker, OnProgress
from reporter.phrases.budget import Budget, Price
from reporter.phrases.choice import ModelChoice
from reporter.phrases.exchange import Answer, Question
from reporter.phrases.reply import Reply
from reporter.phrases.retrying import Pace
from reporter.vocabulary import ReplyState

SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}


def question(prompt: str = "What is it?", **changes: Any) -> Question:
    made = Question("propose", "a group", "Say it.", prompt, "reply", SCHEMA, 100, ("s1",))
    return replace(made, **changes)


def questions(count: int) -> list[Question]:
    return [question(f"Question {number}.") for number in range(count)]


@dataclass
class Passing:
    """A clock that stands still until somebody waits."""

    now: float = 0.0
    waits: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)

    def pace(self) -> Pace:
        return Pace(self.sleep, lambda: self.now)


Sender = Callable[[Question, int], Awaitable[Reply]]


@dataclass
class ToldLine:
    """A line whose replies a test gives."""

    sender: Sender
    forms: int = 1
    sent: list[Question] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0
    opened: int = 0
    closed: int = 0

    async def send(self, asked: Question, form: int) -> Reply:
        self.sent.append(asked)
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            return await self.sender(asked, form)
        finally:
            self.under_way -= 1

    @asynccontextmanager
    async def open(self) -> AsyncIterator["ToldLine"]:
        self.opened += 1
        try:
            yield self
        finally:
            self.closed += 1


def no_price(*_: int) -> Decimal | None:
    return None


def asker(
    line: ToldLine,
    *,
    price: Price = no_price,
    on_progress: OnProgress | None = None,
    passing: Passing | None = None,
    **bounds: Any,
) -> ModelAsker:
    choice = ModelChoice("small", url="http://127.0.0.1:1/v1", **bounds)
    pace = (passing or Passing()).pace()
    budget = Budget(choice.budget_tokens, choice.budget_usd, price)
    return ModelAsker(choice, line.open, budget, on_progress=on_progress, pace=pace)


def unkept(_: Answer) -> None:
    """Keep nothing."""


def states(answers: list[Answer]) -> list[ReplyState]:
    return [answer.state for answer in answers]
