"""One question to a model and its answer, as values: whoever asks is somebody else's business."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from reporter.canonical import canonical_digest
from reporter.vocabulary import ReplyState

RequestKind = Literal["report", "propose", "verify"]
"""An account of one session, explanations for one group, or a second look at one session."""


@dataclass(frozen=True, slots=True)
class Question:
    """What one request sends: nothing else leaves the machine."""

    kind: RequestKind
    about: str
    """What it asks for, in code's words, for files and messages; holds no recorded text."""
    instructions: str
    """Code's own words: what to do, and that what follows is data."""
    prompt: str
    """The masked and fenced data, and what is asked of it."""
    schema_name: str
    schema: Mapping[str, Any]
    """JSON Schema that the answer is to fit."""
    output_tokens: int
    """The most that the answer may take."""
    session_ids: tuple[str, ...]
    """Sessions of which turns are sent."""

    @property
    def id(self) -> str:
        """Digest over all that is sent: an answer that was kept counts for this alone."""
        return canonical_digest(
            [self.kind, self.instructions, self.prompt, self.schema_name, dict(self.schema)]
        )

    @property
    def chars(self) -> int:
        """Characters that are sent."""
        return len(self.instructions) + len(self.prompt)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one question."""

    question_id: str
    state: ReplyState
    text: str = ""
    """The model's reply, as it wrote it; empty unless it was answered or cut off."""
    detail: str = ""
    """Why there is none, in words fit to be shown: no address, no key, nothing recorded."""
    model: str = ""
    """The model that answered, as its provider names it."""
    input_tokens: int | None = None
    """As the provider counted; None where it did not."""
    output_tokens: int | None = None
    cost_usd: str | None = None
    """Decimal dollars, or None where no price is known."""
    attempts: int = 0
    """How often it was sent."""


Keep = Callable[[Answer], None]
"""Told each answer as it comes, so that an interrupt loses none that was paid for."""


class Asker(Protocol):
    """Answers questions: a model, a file of kept replies, or both."""

    def ask(self, questions: Sequence[Question], keep: Keep, *, share: float = 1.0) -> list[Answer]:
        """Return one answer a question, in their order; no failure is raised but an interrupt.

        Args:
            questions: The first of them go first where the budget does not hold for all.
            keep: Told each answer as it comes.
            share: How much of what is left of the budget they may take, from 0 to 1.
        """


_NOT_SENT: Final = (ReplyState.OVER_BUDGET, ReplyState.INTERRUPTED, ReplyState.MISSING)


def is_sent(answer: Answer) -> bool:
    """Tell whether the question of an answer left the machine, whatever came back."""
    return answer.state not in _NOT_SENT
