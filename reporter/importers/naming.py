"""Names and ids that an importer has to make up, always the same ones for the same input."""

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from reporter.canonical import canonical_json
from reporter.importers.sound import sound_text
from reporter.models.manifest import Goal
from reporter.models.records import Tool
from reporter.redaction import mask_text

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
# Two of them and a number fit into the 200 characters of a session id.
_ID_LENGTH: Final = 90
_MOST_REPETITIONS: Final = 1_000_000


def fold(text: str) -> str:
    """Return the text on one line: every run of white space becomes one space."""
    return " ".join(text.split())


def first_words(text: str, limit: int = 80) -> str:
    """Return the first words of a text, on one line, cut between words where it is longer.

    Secrets are masked before: one may be told by the line that it stands in, and half of one
    no longer looks like one.

    Args:
        text: Any text.
        limit: The most characters kept; a cut is shown by `…` behind them.
    """
    text = mask_text(text)
    # A few words are all that is asked for, and a text may be long.
    line = fold(text[: 4 * limit])
    if len(line) <= limit + 1:
        line = fold(text)
    if len(line) <= limit:
        return line
    kept = line[: limit + 1]
    space = kept.rfind(" ")
    return f"{kept[:space] if space > 0 else kept[:limit]}…"


def kept_fields(tools: Iterable[Tool]) -> list[str]:
    """Return the fields of a tool that a source keeps, as far as its tools show it.

    Runners that write tools down take their names, descriptions and parameters. What none of
    its tools has, such a source does not keep: that is nothing the server failed to declare.
    """
    every = list(tools)
    seen = (
        ("annotations", any(tool.annotations is not None for tool in every)),
        ("outputSchema", any(tool.output_schema is not None for tool in every)),
    )
    return ["name", "description", "inputSchema", *(name for name, there in seen if there)]


def short_digest(*parts: Any) -> str:  # noqa: ANN401  any JSON values
    """Return twelve hex digits that stand for the parts."""
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()[:12]


@lru_cache(maxsize=4096)
def safe_id(text: str) -> str:
    """Return a text with only characters that ids and file names may hold.

    Different texts may give one result; where that matters, the caller counts. A long
    text is cut and ends in its digest. So does one with a secret in it, which is masked: an
    id stays what it is everywhere, so none may come into it here.
    """
    shown = mask_text(text)
    safe = _UNSAFE.sub("-", shown).strip("-") or "unnamed"
    if len(safe) <= _ID_LENGTH and shown == text:
        return safe
    return f"{safe[: _ID_LENGTH - 13]}-{short_digest(text)}"


def is_repetition(value: object) -> bool:
    """Tell whether a value can number a repetition: a whole number from 0, or nothing."""
    if value is None:
        return True
    return type(value) is int and 0 <= value < _MOST_REPETITIONS


def goal_of(task_id: str, instruction: str | None) -> Goal:
    """Return the goal that a task is: same task and same words, same goal.

    Args:
        task_id: The source's id of the task.
        instruction: What the persona was told to do, or None where that is not recorded.
    """
    ref = f"task-{safe_id(task_id)}"
    title = f"Task {first_words(sound_text(task_id))}"
    if instruction is None:
        return Goal(journey_ref_id=ref, title=title, inferred={"title": "task id"})
    words = sound_text(instruction)
    digest = hashlib.sha256(words.encode()).hexdigest()[:12]
    return Goal(
        journey_ref_id=f"{ref}-{digest}",
        title=f"{title}: {first_words(words)}",
        goal=words,
        inferred={"title": "task id and first words of the instruction"},
    )


class UniqueIds:
    """Tells equal ids apart, in the order in which they come: `x`, `x:2`, `x:3`."""

    def __init__(self) -> None:
        self.uses: dict[str, int] = {}
        """Every id seen, with how often it was wanted."""

    def take(self, wanted: str) -> str:
        """Return the id itself the first time, then with a number that no other has."""
        if wanted not in self.uses:
            self.uses[wanted] = 1
            return wanted
        number = self.uses[wanted] + 1
        while f"{wanted}:{number}" in self.uses:
            number += 1
        self.uses[wanted] = number
        self.uses[f"{wanted}:{number}"] = 1
        return f"{wanted}:{number}"

    def are_others(self, ids: "UniqueIds") -> bool:
        """Tell whether no id that the other one saw was seen here."""
        return self.uses.keys().isdisjoint(ids.uses)

    def add_all(self, ids: "UniqueIds") -> None:
        """Take in ids that are others, as if they had been taken here."""
        self.uses.update(ids.uses)
