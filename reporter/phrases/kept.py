"""Kept replies: what a model answered, so that a report can be made again without asking it.

A reply counts for the very question that it was given for: the digest over all that was sent is
its name. A recording that changed gives other questions, and what was kept for the old ones is
counted as stale and not used.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from reporter.errors import Problem, RecordingError
from reporter.phrases.exchange import Answer, Asker, Keep, Question, RequestKind
from reporter.phrases.verdicts import LookKey
from reporter.redaction import mask_text
from reporter.vocabulary import ReplyState, SupportAnswer

FORMAT: Final = "swarm-reporter phrases"
FORMAT_VERSION: Final = 1
MOST_BYTES: Final = 256 * 1024 * 1024
"""The largest file of replies that is read."""

_WORTH_KEEPING: Final = frozenset(
    {
        ReplyState.ANSWERED,
        ReplyState.CUT_OFF,
        ReplyState.REFUSED,
        ReplyState.FAILED,
        ReplyState.TIMED_OUT,
        ReplyState.OVER_BUDGET,
    }
)
_FINAL: Final = frozenset({ReplyState.ANSWERED, ReplyState.CUT_OFF, ReplyState.REFUSED})
"""States that asking again would hardly change, so that a run that goes on keeps them."""


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True)


class KeptReply(_Wire):
    """One question's answer."""

    id: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Digest over all that was sent."""
    kind: RequestKind
    about: str
    """What was asked for, in code's words."""
    session_ids: list[str]
    state: ReplyState
    reply: str
    """The model's reply as it wrote it, masked; empty where there is none."""
    detail: str = ""
    model: str = ""
    input_tokens: int | None = Field(default=None, ge=0)
    output_tokens: int | None = Field(default=None, ge=0)
    cost_usd: str | None = None
    attempts: int = Field(default=0, ge=0)
    decision: list[str] = Field(default_factory=list)
    """What code made of the reply; decides nothing when the file is read again."""


class PersonAnswer(_Wire):
    """What a person said of one proposal and one session that it cites."""

    proposal: str
    session_id: str
    answer: SupportAnswer


class PhrasesDocument(_Wire):
    """A file of kept replies."""

    format: Literal["swarm-reporter phrases"]
    format_version: Literal[1]
    questions_version: int
    reporter_version: str
    library_version: str = ""
    model: str
    rail: Literal["gateway", "openrouter"]
    wave_id: str
    source_revision: str
    sample: int = Field(ge=1)
    session_chars: int = Field(ge=1)
    with_reports: bool
    context_chars: int | None = Field(default=None, ge=1)
    replies: list[KeptReply]
    persons: list[PersonAnswer] = Field(default_factory=list)


def read_phrases(path: Path) -> PhrasesDocument:
    """Read a file of kept replies.

    Raises:
        RecordingError: It is none, is too large, or breaks its form; every place is named.
    """
    remedy = "Make it anew with `swarm-reporter phrases SOURCE --model NAME`."
    if path.stat().st_size > MOST_BYTES:
        what = "The file of replies is larger than 256 MiB."
        raise RecordingError([Problem(path.name, "", what, remedy)])
    try:
        raw = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        what = "The file of replies is not JSON."
        raise RecordingError([Problem(path.name, "", what, remedy)]) from None
    try:
        return PhrasesDocument.model_validate(raw)
    except ValidationError as error:
        problems = [
            Problem(
                path.name,
                ".".join(map(str, fault["loc"]))[:200],
                f"{fault['msg']}.",
                remedy if place == 0 else "",
                rule="phrases-form",
            )
            for place, fault in enumerate(error.errors(include_input=False, include_url=False))
        ]
        raise RecordingError(problems) from None


def dump_phrases(document: PhrasesDocument) -> str:
    """Write a file of kept replies: equal input gives equal text."""
    value = document.model_dump(mode="json", by_alias=True)
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def kept_reply(question: Question, answer: Answer, decision: Sequence[str] = ()) -> KeptReply:
    """Return an answer as it is kept."""
    return KeptReply(
        id=question.id,
        kind=question.kind,
        about=question.about,
        session_ids=list(question.session_ids),
        state=answer.state,
        reply=mask_text(answer.text),
        detail=mask_text(answer.detail),
        model=answer.model,
        input_tokens=answer.input_tokens,
        output_tokens=answer.output_tokens,
        cost_usd=answer.cost_usd,
        attempts=answer.attempts,
        decision=list(decision),
    )


def is_kept(answer: Answer) -> bool:
    """Tell whether an answer belongs into the file."""
    return answer.state in _WORTH_KEEPING


def person_answers(document: PhrasesDocument) -> dict[LookKey, SupportAnswer]:
    """Return what persons said, by proposal and session."""
    return {(one.proposal, one.session_id): one.answer for one in document.persons}


@dataclass(slots=True)
class KeptAsker:
    """Answers from a file of kept replies, and asks somebody else only where it has none."""

    replies: Mapping[str, KeptReply]
    """By question id."""
    behind: Asker | None = None
    """Whom to ask for what is not kept, or for what could not be answered; None sends nothing."""
    used: set[str] = field(default_factory=set)
    """Ids of kept replies that were wanted."""

    def ask(self, questions: Sequence[Question], keep: Keep, *, share: float = 1.0) -> list[Answer]:
        """Return one answer a question, in their order."""
        answers: dict[int, Answer] = {}
        for place, question in enumerate(questions):
            kept = self.replies.get(question.id)
            if kept is not None:
                self.used.add(question.id)
                if self.behind is None or kept.state in _FINAL:
                    answers[place] = _answer(kept)
        left = [place for place in range(len(questions)) if place not in answers]
        if self.behind is None:
            answers |= {place: Answer(questions[place].id, ReplyState.MISSING) for place in left}
        elif left:
            asked = self.behind.ask([questions[place] for place in left], keep, share=share)
            answers |= dict(zip(left, asked, strict=True))
        return [answers[place] for place in range(len(questions))]

    @property
    def stale(self) -> int:
        """How many kept replies belong to questions that were not asked."""
        return len(self.replies) - len(self.used)


def by_id(replies: Iterable[KeptReply]) -> dict[str, KeptReply]:
    """Return kept replies by the id of their question; of two the last counts."""
    return {reply.id: reply for reply in replies}


def _answer(kept: KeptReply) -> Answer:
    return Answer(
        question_id=kept.id,
        state=kept.state,
        text=kept.reply,
        detail=kept.detail,
        model=kept.model,
        input_tokens=kept.input_tokens,
        output_tokens=kept.output_tokens,
        cost_usd=kept.cost_usd,
        attempts=kept.attempts,
    )
