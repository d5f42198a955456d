"""Who tried what against what in a coding agent's session, where only the talk tells."""

import hashlib
import re
from collections.abc import Iterable
from typing import Final

from reporter.identifiers import SessionId
from reporter.importers.agent_log import last_part
from reporter.importers.mapping import Stated
from reporter.importers.naming import first_words, safe_id
from reporter.models.manifest import GOAL_UNRECORDED, Goal, Target
from reporter.models.records import Message, Record, TextPart, ToolCall

_SESSION_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,200}")
_FOLDER_RULE: Final = "last part of the folder that the client worked in"
_GOAL_RULE: Final = "the person's first message that was answered"
_TITLE_RULE: Final = "first words of the goal"

NO_GOAL: Final = Goal(
    journey_ref_id="goal-none",
    title=GOAL_UNRECORDED,
    inferred={"title": "the session holds no words of a person"},
)
"""What a session in which nobody said anything was for."""


def goal_of_words(records: Iterable[Record]) -> Goal:
    """Return the goal that a session was for: same words of the person, same goal.

    It is their first message that was answered, if only by a call: what was stopped at once
    was not what they came for. Where nothing was answered, it is their first message.
    """
    first: str | None = None
    latest: str | None = None
    for record in records:
        if isinstance(record, Message) and record.role == "user":
            latest = _words(record)
            if first is None and latest.strip():
                first = latest
        elif latest is not None and latest.strip() and _answers(record):
            return goal_from(latest)
    return NO_GOAL if first is None else goal_from(first)


def _answers(record: Record) -> bool:
    if isinstance(record, Message):
        return record.role == "assistant" and bool(_words(record).strip())
    return isinstance(record, ToolCall) and record.caller != "persona"


def goal_from(words: str) -> Goal:
    """Return the goal that somebody's words are."""
    return Goal(
        journey_ref_id=f"goal-{hashlib.sha256(words.encode()).hexdigest()[:12]}",
        title=first_words(words),
        goal=words,
        inferred={"title": _TITLE_RULE, "goal": _GOAL_RULE},
    )


def _words(record: Message) -> str:
    if isinstance(record.content, str):
        return record.content
    return "\n".join(part.text for part in record.content if isinstance(part, TextPart))


def target_of(stated: Stated, folder: str | None, model: str | None) -> Target:
    """Return the target: what is stated, else the name of the folder the client worked in.

    Args:
        stated: What the user states about the file.
        folder: The recorded working folder; only its last part is kept.
        model: The recorded model, or None.
    """
    name = last_part(folder) if folder else None
    target = stated.target_or(name, model)
    if name is None or stated.target is not None:
        return target
    inferred = {**(target.inferred or {}), "id": _FOLDER_RULE, "label": _FOLDER_RULE}
    return target.model_copy(update={"inferred": inferred})


def session_id_of(recorded: str | None, prefix: str) -> SessionId:
    """Return the source's id of a session, or one made up where it has none of use.

    Args:
        recorded: The id as the source gives it, or None.
        prefix: What ids made up for the session's file begin with.
    """
    if recorded is None:
        return SessionId(prefix)
    if _SESSION_ID.fullmatch(recorded):
        return SessionId(recorded)
    return SessionId(f"{prefix}.{safe_id(recorded)}")
