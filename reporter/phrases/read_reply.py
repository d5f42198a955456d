"""A model's reply as JSON: what fits is taken, what does not is refused by name."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, StrictInt, StrictStr, ValidationError
from pydantic.alias_generators import to_camel

from reporter.models.phrases import Refusal
from reporter.phrases.questions import MOST_PROPOSALS
from reporter.vocabulary import PhraseRule, SupportAnswer

_LONGEST_REPLY: Final = 200_000
_FENCED: Final = re.compile(r"\A\s*```[a-zA-Z]*\s*\n(.*)\n\s*```\s*\Z", re.DOTALL)
# What a model thought aloud before it answered is no part of the answer.
_THOUGHT: Final = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_SHOWN_PLACES: Final = 3


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, strict=True)


class SupportReply(_Reply):
    """One cited session, as a model wrote it."""

    session_id: StrictStr
    turns: list[StrictInt]
    quote: StrictStr


class ProposalReply(_Reply):
    """One explanation, as a model wrote it.

    Rule: findings.md section 9.4.
    """

    stage: StrictStr
    outcome_phrase: StrictStr
    mechanism_phrase: StrictStr
    fix_phrase: StrictStr | None = None
    support: list[SupportReply]


class ReportSupport(_Reply):
    """Turns of the one session that an account rests on."""

    turns: list[StrictInt]
    quote: StrictStr


class ReportReply(_Reply):
    """An account of one session, as a model wrote it."""

    actual: StrictStr
    account: StrictStr | None = None
    support: list[ReportSupport]


@dataclass(frozen=True, slots=True)
class UnfitReply:
    """A reply, or an entry of one, that has another shape than was asked for."""

    refusal: Refusal
    words: Mapping[str, Any]
    """The entry as far as it is an object; it is shown and decides nothing."""


def proposals_of(text: str) -> tuple[ProposalReply | UnfitReply, ...]:
    """Read explanations out of a reply.

    Returns:
        One entry an explanation, in order; none where the model had nothing to propose. A
        reply that is no JSON, or no list, is one entry that does not fit.

    Rule: findings.md section 9.4, the JSON does not fit.
    """
    found = _value(text)
    if isinstance(found, UnfitReply):
        return (found,)
    entries = found
    if isinstance(found, Mapping) and "proposals" in found:
        surplus = [key for key in found if key != "proposals"]
        if surplus:
            return (_unfit(f"also holds {len(surplus)} other keys", {}),)
        entries = found["proposals"]
    elif isinstance(found, Mapping):
        entries = [found]
    if not isinstance(entries, list):
        return (_unfit("holds no list of explanations", {}),)
    return tuple(_entry(entry, place) for place, entry in enumerate(entries))


def report_of(text: str) -> ReportReply | UnfitReply:
    """Read an account out of a reply."""
    found = _value(text)
    if isinstance(found, UnfitReply):
        return found
    try:
        return ReportReply.model_validate(found)
    except ValidationError as error:
        return _unfit(_places(error), found)


def answer_of(text: str) -> SupportAnswer | None:
    """Read the answer to a second look; None where the reply holds none of the three."""
    found = _value(text)
    if not isinstance(found, Mapping):
        return None
    said = found.get("answer")
    return next((answer for answer in SupportAnswer if answer.value == said), None)


def _entry(entry: object, place: int) -> ProposalReply | UnfitReply:
    if place >= MOST_PROPOSALS:
        return UnfitReply(Refusal(PhraseRule.TOO_MANY_PROPOSALS, "", ""), _object(entry))
    try:
        return ProposalReply.model_validate(entry)
    except ValidationError as error:
        return _unfit(_places(error), entry)


def _value(text: str) -> Any:  # noqa: ANN401  any JSON value, or what is wrong
    """Return the one JSON value of a reply, which may stand in a block of code."""
    if len(text) > _LONGEST_REPLY:
        return _not_json("is very long")
    bare = _THOUGHT.sub("", text, count=1)
    block = _FENCED.match(bare)
    try:
        return json.loads(block[1] if block else bare, parse_constant=_no_constant)
    except RecursionError:
        return _not_json("is nested without end")
    except ValueError:
        return _not_json("")


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _not_json(what: str) -> UnfitReply:
    return UnfitReply(Refusal(PhraseRule.REPLY_NOT_JSON, "", what), {})


def _unfit(what: str, entry: object) -> UnfitReply:
    return UnfitReply(Refusal(PhraseRule.SHAPE, "", what), _object(entry))


def _object(entry: object) -> Mapping[str, Any]:
    return entry if isinstance(entry, Mapping) else {}


def _places(error: ValidationError) -> str:
    """Name the places that do not fit: our field names and positions, nothing of the reply."""
    known = {"sessionId", "turns", "quote", "support", "actual", "account", "stage"}
    known |= {"outcomePhrase", "mechanismPhrase", "fixPhrase"}
    places: list[str] = []
    for fault in error.errors(include_input=False, include_url=False):
        path = [
            str(part) if isinstance(part, int) or part in known else "another key"
            for part in fault["loc"]
        ]
        kind = {"missing": "missing", "extra_forbidden": "surplus"}.get(fault["type"], "wrong type")
        places.append(f"{'.'.join(path) or 'the entry'} {kind}")
    more = len(places) - _SHOWN_PLACES
    return ", ".join(places[:_SHOWN_PLACES]) + (f" and {more} more" if more > 0 else "")
