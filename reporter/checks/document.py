"""A file of checks as one JSON value, whether it was written as YAML or as JSON.

YAML is read as JSON with another spelling: no tags, no aliases, no dates, and `no` is a word.
A file that means something else to another reader of YAML is refused instead of guessed at.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any, Final

import yaml

from reporter.errors import Problem, RecordingError

LARGEST: Final = 1024 * 1024
"""Bytes of a file of checks that is read."""

_DEEPEST: Final = 64
_BOOL: Final = re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$")
_NULL: Final = re.compile(r"^(?:~|null|Null|NULL|)$")
_INT: Final = re.compile(r"^[-+]?(?:0|[1-9][0-9]{0,17})$")
_FLOAT: Final = re.compile(r"^[-+]?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$")


class _RefusedError(ValueError):
    """A file that is not read; the message says why."""


class _Loader(yaml.SafeLoader):
    """Reads what JSON can hold, and nothing by its looks that JSON would not."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  the library's own protocol

    def compose_node(self, parent: Any, index: Any) -> Any:  # noqa: ANN401  the library's protocol
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]  # so the stubs have it
        if isinstance(event, yaml.AliasEvent):
            line = event.start_mark.line + 1 if event.start_mark else 0
            raise _RefusedError(f"line {line}: the alias *{event.anchor} stands for something else")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:  # noqa: ANN401  the library's protocol
        seen: set[str] = set()
        for key, _ in node.value:
            name = str(key.value)
            if name in seen:
                line = key.start_mark.line + 1
                raise _RefusedError(f"line {line}: the key {name!r} stands twice")
            seen.add(name)
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", _BOOL, list("tTfF"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:null", _NULL, ["~", "n", "N", ""])
_Loader.add_implicit_resolver("tag:yaml.org,2002:int", _INT, list("-+0123456789"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:float", _FLOAT, list("-+0123456789"))


def parse_document(data: bytes, name: str) -> Any:  # noqa: ANN401  any JSON value
    """Read the bytes of a file of checks.

    Args:
        data: The whole file.
        name: Its name; JSON where it ends in `.json`, YAML otherwise.

    Raises:
        RecordingError: It is too large, no text, or not what its name says; with the line.
    """
    try:
        if len(data) > LARGEST:
            raise _RefusedError(f"the file is larger than {LARGEST:,} bytes")
        text = data.decode("utf-8-sig")
        value = _json(text) if name.lower().endswith(".json") else _yaml(text)
        _hold_to_json(value)
    except UnicodeDecodeError as error:
        raise _refusal(name, f"byte {error.start} is no UTF-8") from None
    except RecursionError:
        raise _refusal(name, "it is nested too deep") from None
    except json.JSONDecodeError as error:
        raise _refusal(name, f"line {error.lineno}: it is no JSON: {error.msg}") from None
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f"line {error.problem_mark.line + 1}: "
        raise _refusal(name, f"{line}it is no YAML: {error.problem or error.context}") from None
    except (yaml.YAMLError, ValueError) as error:
        raise _refusal(name, str(error).split("\n")[0]) from None
    return value


def _json(text: str) -> Any:  # noqa: ANN401  any JSON value
    return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, item in pairs:
        if key in found:
            raise _RefusedError(f"the key {key!r} stands twice in one object")
        found[key] = item
    return found


def _no_constant(word: str) -> Any:  # noqa: ANN401  never returns
    raise _RefusedError(f"{word} is no number of JSON")


def _yaml(text: str) -> Any:  # noqa: ANN401  any JSON value
    loader = _Loader(text)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()


def _hold_to_json(value: object, depth: int = 0) -> None:
    """Refuse what has no JSON form, such as a key that is a number."""
    if depth > _DEEPEST:
        raise _RefusedError(f"it is nested deeper than {_DEEPEST} levels")
    if isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                raise _RefusedError(f"the key {key!r} is no text; put it in quotes")
            _hold_to_json(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            _hold_to_json(item, depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        raise _RefusedError("a number is beyond what JSON can hold")
    elif value is not None and not isinstance(value, str | bool | int | float):
        raise _RefusedError(f"a value is a {type(value).__name__}, which JSON cannot hold")


def _refusal(name: str, why: str) -> RecordingError:
    place, what = "", why
    if why.startswith("line "):
        place, _, what = why.partition(": ")
    remedy = "Write it as plain JSON, or as YAML without tags, aliases and repeated keys."
    what = f"{what[:1].upper()}{what[1:].rstrip('.')}."
    return RecordingError([Problem(name, place, what, remedy, "checks-unreadable")])
