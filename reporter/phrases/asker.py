"""Asks a model many questions: side by side, within a budget, and no longer than it helps."""

import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from decimal import Decimal
from typing import Protocol

from reporter.phrases.background import Background, Tell, Work
from reporter.phrases.budget import Budget
from reporter.phrases.choice import ModelChoice
from reporter.phrases.exchange import Answer, Keep, Question, is_sent
from reporter.phrases.retrying import Pace
from reporter.phrases.round import INTERRUPTED, Line, Round, Standing

Opening = Callable[[], AbstractAsyncContextManager[Line]]


class OnProgress(Protocol):
    """Told after each answer how far asking is; called from the thread that asks."""

    def __call__(
        self, done: int, total: int, *, sessions: int, tokens: int, cost_usd: Decimal | None
    ) -> None:
        """Take in the progress.

        Args:
            done: Questions of this round that have come to something.
            total: Questions of this round.
            sessions: Sessions that the model was shown something of, over all rounds.
            tokens: Tokens of all rounds so far, as the provider counted.
            cost_usd: Dollars of all rounds so far, or None where no price is known.
        """


class ModelAsker:
    """Asks a model; an `Asker`.

    Args:
        choice: The bounds of asking.
        open_line: Opens the way to the model, once a round.
        budget: What may be spent, over all rounds.
        on_progress: Told how far it is, or None.
        pace: Tells and spends the time between attempts.
    """

    def __init__(
        self,
        choice: ModelChoice,
        open_line: Opening,
        budget: Budget,
        *,
        on_progress: OnProgress | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._choice = choice
        self._open_line = open_line
        self._on_progress = on_progress
        self._pace = pace or Pace()
        self._standing = Standing(budget)
        self._tokens = 0
        self._cost: Decimal | None = None
        self._sessions: set[str] = set()

    def ask(self, questions: Sequence[Question], keep: Keep, *, share: float = 1.0) -> list[Answer]:
        """Ask each question and return one answer each, in their order.

        Which questions a budget covers depends on their order, not on which answer is first:
        where one has no room, it and all behind it in this round are not sent. After an
        interrupt, nothing is sent any more.

        Args:
            questions: The most wanted first.
            keep: Told each answer as it comes, in this thread. An interrupt loses none that came,
                but the one whose keeping it broke off is told once more.
            share: How much of what is left of the budget they may take, from 0 to 1.
        """
        self._standing.budget.open_round(share)
        answers: dict[int, Answer] = {}

        def take(place: int, answer: Answer) -> None:
            keep(answer)
            answers[place] = answer

        with warnings.catch_warnings():
            # It warns of settings that a model has no use for: it leaves them out, as is meant.
            warnings.filterwarnings("ignore", category=UserWarning, module=r"pydantic_ai\.")
            background = Background(self._work(questions))
            try:
                with background:
                    for place, answer in background:
                        take(place, answer)
                        if is_sent(answer):
                            self._sessions.update(questions[place].session_ids)
                        self._tell_progress(len(answers), len(questions), answer)
            except BaseException as error:
                self._standing.halt = INTERRUPTED
                if isinstance(error, KeyboardInterrupt):
                    for place, answer in background.told:
                        if place not in answers:
                            take(place, answer)
                raise
        return [answers[place] for place in range(len(questions))]

    def _work(self, questions: Sequence[Question]) -> Work[tuple[int, Answer]]:
        asked = Round(questions, self._choice, self._standing, self._pace)

        async def work(tell: Tell[tuple[int, Answer]]) -> None:
            async with self._open_line() as line:
                await asked.run(line, tell)

        return work

    def _tell_progress(self, done: int, total: int, answer: Answer) -> None:
        self._tokens += (answer.input_tokens or 0) + (answer.output_tokens or 0)
        if answer.cost_usd is not None:
            self._cost = (self._cost or Decimal(0)) + Decimal(answer.cost_usd)
        if self._on_progress is not None:
            self._on_progress(
                done,
                total,
                sessions=len(self._sessions),
                tokens=self._tokens,
                cost_usd=self._cost,
            )
