"""How much asking may cost: what a question is held to cost, and what was spent."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from reporter.phrases.exchange import Question
from reporter.phrases.plain import prompt_with_schema

BYTES_A_TOKEN: Final = 3
"""UTF-8 bytes that are taken for one token. Plain English has four and more, JSON and other
scripts about three: no tokenizer is fetched to know better, and a budget rather holds too early."""

Price = Callable[[int, int], Decimal | None]
"""Dollars of so many tokens of input and output, or None where no price is known."""

_NOTHING: Final = Decimal(0)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a provider says that an answer took."""

    input_tokens: int
    output_tokens: int
    cost: Decimal | None = None
    """Dollars, or None where no price is known."""

    def __add__(self, other: "Usage") -> "Usage":
        known = self.cost is not None and other.cost is not None
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            (self.cost or _NOTHING) + (other.cost or _NOTHING) if known else None,
        )


@dataclass(frozen=True, slots=True)
class Hold:
    """What is set aside for a question while it is under way."""

    tokens: int
    usd: Decimal


def estimate_input(question: Question) -> int:
    """Return for how many tokens what is sent is taken: its UTF-8 bytes by three, rounded up."""
    sent = question.instructions + prompt_with_schema(question)
    return -(-len(sent.encode("utf-8", "replace")) // BYTES_A_TOKEN)


def estimate(question: Question) -> int:
    """Return how many tokens a question takes at the most: what is sent, and the whole answer."""
    return estimate_input(question) + question.output_tokens


class Budget:
    """What may be spent, what was, and what is set aside.

    Args:
        tokens: The most tokens, or None for no bound.
        usd: The most dollars, or None for no bound.
        price: What tokens cost; it must know the model where there is a bound in dollars.
        thinking: Tokens that the model may take to think, on top of each answer.
    """

    def __init__(
        self, tokens: int | None, usd: Decimal | None, price: Price, *, thinking: int = 0
    ) -> None:
        self._tokens = tokens
        self._usd = usd
        self._price = price
        self._thinking = thinking
        self._taken = 0
        self._paid = _NOTHING
        self._most_tokens = tokens
        self._most_usd = usd

    def open_round(self, share: float) -> None:
        """Let what follows take no more than a share of what is left, from 0 to 1."""
        if self._tokens is not None:
            self._most_tokens = self._taken + int((self._tokens - self._taken) * share)
        if self._usd is not None:
            self._most_usd = self._paid + (self._usd - self._paid) * Decimal(str(share))

    def most(self, question: Question) -> Usage:
        """Return what a question may take: held while it is under way, spent if nobody says."""
        return Usage(estimate_input(question), question.output_tokens + self._thinking)

    def hold(self, question: Question) -> Hold | None:
        """Set aside what the question may take; None where there is no room for it."""
        most = self.most(question)
        usd = _NOTHING
        if self._usd is not None:
            usd = self._price(most.input_tokens, most.output_tokens) or _NOTHING
        hold = Hold(most.input_tokens + most.output_tokens, usd)
        if self._most_tokens is not None and self._taken + hold.tokens > self._most_tokens:
            return None
        if self._most_usd is not None and self._paid + hold.usd > self._most_usd:
            return None
        self._taken += hold.tokens
        self._paid += hold.usd
        return hold

    def settle(self, hold: Hold, usage: Usage | None) -> None:
        """Put what an answer took in the place of what was set aside; None: it took nothing."""
        self._taken -= hold.tokens
        self._paid -= hold.usd
        if usage is None:
            return
        self._taken += usage.input_tokens + usage.output_tokens
        cost = usage.cost
        if cost is None and self._usd is not None:
            cost = self._price(usage.input_tokens, usage.output_tokens)
        self._paid += cost or _NOTHING
