"""What a model refuses, in our words: where it stands and what would have been allowed."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from reporter.errors import Problem
from reporter.redaction import mask_text

_SHOWN: Final = 60
_MOST: Final = 1000
"""Refused places that are described; a line of a few megabytes can hold millions."""
_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTED: Final = re.compile(r"'([^']*)'")

_KINDS: Final[Mapping[str, str]] = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a whole number of ordinary size",
    "bool_type": "true or false",
    "float_type": "a number",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "none_required": "null",
}
_BOUNDS: Final[Mapping[str, tuple[str, str]]] = {
    "greater_than_equal": ("ge", "must be at least"),
    "less_than_equal": ("le", "must be at most"),
    "greater_than": ("gt", "must be more than"),
    "less_than": ("lt", "must be less than"),
}


def dotted(path: Iterable[str | int]) -> str:
    """Write a path such as `runs[2].targetIds[0]`; keys that are no names are quoted."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif _KEY.fullmatch(part):
            text += f".{part}" if text else part
        else:
            text += f"[{json.dumps(part)}]"
    return text


def refusals(
    error: ValidationError, value: object, *, tagged: bool = False
) -> list[tuple[str, str]]:
    """Return what a model refused, one pair of dotted place and sentence a place.

    Args:
        error: What pydantic raised.
        value: The JSON value that was refused; tells keys apart from the names that
            pydantic gives to the branches of a union.
        tagged: True where the outermost model is chosen by a tag.

    Returns:
        In the order of the fields. A value that fits no branch of a union gives one entry
        that names all of them, unless one branch went further into the value. One entry
        without a place where so many are wrong that a list would help nobody.
    """
    if error.error_count() > _MOST:
        return [("", f"{error.error_count():,} places in it are wrong.")]
    found: dict[tuple[str | int, ...], list[ErrorDetails]] = {}
    for detail in error.errors(include_url=False):
        found.setdefault(_path(detail, value, tagged=tagged), []).append(detail)
    return [
        (dotted(path), _sentence(path, details))
        for path, details in found.items()
        if not _is_outdone(path, details, found)
    ]


def shown(value: object) -> str:
    """Return a recorded value as it may stand in a message: short, masked, on one line."""
    text = mask_text(value if isinstance(value, str) else json.dumps(value, default=str))
    text = "".join(char if char.isprintable() else " " for char in text)
    text = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
    return f'"{text}"' if isinstance(value, str) else text


def _path(detail: ErrorDetails, value: object, *, tagged: bool) -> tuple[str | int, ...]:
    """Reduce pydantic's location to what stands in the JSON itself."""
    location = detail["loc"][1:] if tagged and detail["loc"] else detail["loc"]
    path: list[str | int] = []
    here: Any = value
    after_item = False
    for number, part in enumerate(location):
        last = number == len(location) - 1
        tag = after_item and isinstance(here, Mapping) and here.get("kind") == part and not last
        after_item = False
        if tag:
            continue
        if isinstance(part, int) and isinstance(here, Sequence) and not isinstance(here, str):
            here, after_item = here[part], True
        elif isinstance(part, str) and isinstance(here, Mapping) and part in here:
            here = here[part]
        elif not (last and detail["type"] == "missing"):
            continue
        path.append(part)
    return tuple(path)


def _is_outdone(
    path: tuple[str | int, ...],
    details: Sequence[ErrorDetails],
    found: Iterable[tuple[str | int, ...]],
) -> bool:
    """Tell whether another branch of the same union understood the value better."""
    wrong_kind = all(detail["type"] in _KINDS for detail in details)
    return wrong_kind and any(len(one) > len(path) and one[: len(path)] == path for one in found)


def _sentence(path: tuple[str | int, ...], details: Sequence[ErrorDetails]) -> str:
    detail = details[0]
    kind, context = detail["type"], detail.get("ctx", {})
    name = f"`{path[-1]}`" if path and isinstance(path[-1], str) else "The value"
    if all(one["type"] in _KINDS for one in details):
        allowed = " or ".join(dict.fromkeys(_KINDS[one["type"]] for one in details))
        sentence = f"{name} must be {allowed}, not {shown(detail['input'])}"
    elif kind == "missing":
        sentence = f"{name} is missing"
    elif kind == "union_tag_not_found":
        sentence = f"{_tag_name(context)} is missing"
    elif kind == "union_tag_invalid":
        allowed = ", ".join(_QUOTED.findall(context["expected_tags"]))
        sentence = f"{_tag_name(context)} is {shown(context['tag'])}; allowed: {allowed}"
    elif kind == "literal_error":
        allowed = ", ".join(_QUOTED.findall(context["expected"])) or context["expected"]
        sentence = f"{name} is {shown(detail['input'])}; allowed: {allowed}"
    elif kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        sentence = f"{name} {words} {context[key]:g}, not {shown(detail['input'])}"
    elif kind == "string_too_short":
        sentence = f"{name} must not be empty"
    else:
        sentence = f"{name}: {detail['msg']}"
    return f"{sentence}."


def _tag_name(context: Mapping[str, Any]) -> str:
    return "`" + str(context["discriminator"]).strip("'") + "`"


@dataclass(slots=True)
class Complaints:
    """Collects the problems of one file."""

    file: str
    problems: list[Problem] = field(default_factory=list)

    def add(  # noqa: PLR0913  a problem has that many parts
        self,
        place: str,
        rule: str,
        what: str,
        remedy: str = "",
        *,
        session_id: str | None = None,
        severity: str = "error",
    ) -> None:
        """Add one problem of this file."""
        self.problems.append(
            Problem(
                file=self.file,
                place=place,
                what=what,
                remedy=remedy,
                rule=rule,
                session_id=session_id,
                severity=severity,
            )
        )
