"""Masks secrets in recorded values, before they are written, shown or sent."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from functools import partial
from typing import Any, Final

from reporter.credentials import (
    MAINTAINED,
    OWN,
    SecretKind,
    Shape,
    json_may_hold_secret,
    may_hide_secret,
    may_hold_secret,
    may_hold_shape,
    patterns_of,
)
from reporter.hidden_secrets import Plainer, broken_values, packed_values
from reporter.secret_names import (
    Named,
    is_number_of,
    is_secret_key,
    kind_of_name,
    named_values,
)

__all__ = [
    "IDENTIFIERS",
    "REDACTED",
    "Found",
    "dump_masked",
    "is_secret_key",
    "mask_document",
    "mask_id",
    "mask_text",
    "mask_value",
]

REDACTED: Final = "[redacted]"
"""What stands in the place of a secret."""

IDENTIFIERS: Final = frozenset(
    {
        "builtInToolIds",
        "catalogId",
        "criterionId",
        "criterionIds",
        "documentId",
        "goalRunIds",
        "environmentId",
        "hostId",
        "id",
        "journeyRefId",
        "personaRefId",
        "runId",
        "serverId",
        "serverIds",
        "sessionId",
        "swarmId",
        "swarmRunGroupId",
        "targetId",
        "targetIds",
        "toolCallId",
    }
)
"""Keys of what joins one part of a recording with another. Two ids that were masked would be
one, so they stay as they are, but for what opens an address."""

Found = MutableMapping[str, SecretKind]
"""Secrets that were masked, each once, with their kind: to be counted, never kept."""

_Replace = Callable[[str, Iterable[Named]], str]
"""Puts the mask in the place of values in a text."""

_SCHEMA_TYPES: Final = frozenset(
    {"array", "boolean", "integer", "null", "number", "object", "string"}
)
_SCHEMA_KEYS: Final = ("$ref", "allOf", "anyOf", "const", "enum", "oneOf", "properties")
# What a secret is called and where it is mounted, as Kubernetes has it, opens nothing.
_NAMING: Final = frozenset({"name", "namespace", "path", "mountPath", "secretName"})
_SHORTEST: Final = 8
_KEPT: Final = re.compile(r"\[redacted\]|\[secret:[^\]\s]*\]|\**")
_AROUND: Final = " \t\r\n\"'=:"
_TOKEN_REST: Final = re.compile(r"[A-Za-z0-9_=-]*")
_DEEPEST: Final = 200
"""Levels of nesting that are looked through; what lies deeper is masked whole."""


def mask_text(text: str, found: Found | None = None) -> str:
    """Return the text with what is shaped like a credential replaced by `[redacted]`.

    A name that says secret is enough where the text spells out its value beside it, as
    JSON, environment lines, addresses, headers and key-value lines do; prose is left alone.

    Args:
        text: Any text. Clean text is returned as it is.
        found: Takes in what was masked, or None.
    """
    if len(text) < _SHORTEST or not may_hold_secret(text):
        return text
    known: Found = {} if found is None else found
    # Halves of characters are no part of any secret; the quick looks need text without them.
    seen = text if text.isascii() else text.encode("utf-8", "replace").decode()
    if may_hide_secret(seen):
        text, seen = _without_hidden(text, seen, known)
    return _masked(text, seen, partial(_replaced, found=known))


def _masked(text: str, seen: str, replaced: _Replace) -> str:
    """Put masks in the places of secrets, one kind after the other."""
    if may_hold_shape(seen):
        lowered = seen.lower()
        shapes = [shape for shape in OWN if shape.may_stand_in(seen)]
        plugins = [plugin for plugin in MAINTAINED if plugin.may_stand_in(seen, lowered)]
        for shape in shapes:
            text = replaced(text, _shape_values(text, shape))
        for plugin in plugins:
            for pattern in patterns_of(plugin):
                text = replaced(text, _plugin_values(text, pattern, plugin.kind))
    return replaced(text, named_values(text))


def _without_hidden(text: str, seen: str, found: Found) -> tuple[str, str]:
    """Mask what is a secret once what stands in it is gone, or behind the end of its line."""
    for is_percent in (False, True) if "%" in seen else (False,):
        plain = Plainer(seen, percent=is_percent)
        if plain.text != seen:
            _masked(plain.text, plain.text, partial(_cut, plain))
            text, seen = _both(text, seen, [*plain.cuts()], found)
    text, seen = _both(text, seen, [*broken_values(seen, _kind_of_whole)], found)
    return _both(text, seen, [*packed_values(seen, _kind_inside)], found)


def _both(text: str, seen: str, values: list[Named], found: Found) -> tuple[str, str]:
    masked = _replaced(text, values, found)
    return masked, masked if seen is text else _replaced(seen, values, {})


def _cut(plain: Plainer, text: str, values: Iterable[Named]) -> str:  # noqa: ARG001  its own
    plain.cut([*_apart(values)], REDACTED)
    return plain.text


def _kind_inside(text: str) -> SecretKind | None:
    """Return the kind of the first secret that a text holds."""
    found: Found = {}
    mask_text(text, found)
    return next(iter(found.values()), None)


def _kind_of_whole(text: str) -> SecretKind | None:
    """Return the kind of a text that is one secret and nothing else."""
    found: Found = {}
    masked = _masked(text, text, partial(_replaced, found=found))
    return next(iter(found.values())) if masked == REDACTED else None


def mask_id(value: Any) -> Any:  # noqa: ANN401  one id, several, or none
    """Return an id, or a list of ids, without what opens an address; two stay two."""
    if isinstance(value, list):
        ids = [mask_id(item) for item in value]
        return ids if any(a is not b for a, b in zip(ids, value, strict=True)) else value
    return mask_text(value) if isinstance(value, str) and "://" in value else value


def mask_value(value: Any, found: Found | None = None) -> Any:  # noqa: ANN401  any JSON value
    """Return a JSON value with secrets masked, by key name and by shape.

    A value that needs no masking is returned as it is, so that the common case copies
    nothing.

    Args:
        value: Any JSON value.
        found: Takes in what was masked, or None.

    Rule: recording.md section 7.
    """
    return _Masking({} if found is None else found).value(value)


def mask_document(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a document with secrets masked in all but the ids that join its parts."""
    masked: Mapping[str, Any] = _Masking({}, IDENTIFIERS).value(document)
    return masked


def dump_masked(document: Mapping[str, Any], lay: Callable[[Mapping[str, Any]], str]) -> str:
    """Write a document as JSON, masked where a recording has secrets in what it writes.

    Args:
        document: What is written; ids that join its parts stay.
        lay: Writes it.

    Rule: report.md section 2, last rule.
    """
    text = lay(document)
    return lay(mask_document(document)) if json_may_hold_secret(text) else text


class _Masking:
    """One walk through a value."""

    def __init__(self, found: Found, ids: frozenset[str] = frozenset()) -> None:
        self._found = found
        self._ids = ids
        self._depth = 0

    def value(self, value: Any) -> Any:  # noqa: ANN401  any JSON value
        if isinstance(value, str):
            return mask_text(value, self._found)
        if not isinstance(value, Mapping | list | tuple):
            return value
        return self._deeper(self._mapping if isinstance(value, Mapping) else self._items, value)

    def _deeper(self, mask: Callable[[Any], Any], value: Any) -> Any:  # noqa: ANN401  JSON
        if self._depth == _DEEPEST:
            return REDACTED
        self._depth += 1
        try:
            return mask(value)
        finally:
            self._depth -= 1

    def _mapping(self, value: Mapping[Any, Any]) -> Mapping[Any, Any]:
        masked = {key: self._entry(key, item) for key, item in value.items()}
        named = value.get("name", value.get("key"))
        if "value" in value and _is_name(named) and is_secret_key(named):
            masked["value"] = self._whole(value["value"], named)
        return masked if any(masked[key] is not value[key] for key in masked) else value

    def _items(self, value: list[Any] | tuple[Any, ...]) -> list[Any] | tuple[Any, ...]:
        items = [self.value(item) for item in value]
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value

    def _entry(self, key: object, item: object) -> object:
        if isinstance(item, bool) or item is None:
            return item
        if key in self._ids:
            return mask_id(item)
        if isinstance(key, str) and is_secret_key(key):
            return self._whole(item, key)
        return self.value(item)

    def _whole(self, item: object, name: str) -> object:
        """Mask what stands under a secret name; a JSON Schema only describes it."""
        if isinstance(item, str):
            is_kept = _KEPT.fullmatch(item) or is_number_of(name, item)
            return item if is_kept else self._secret(item, name)
        if isinstance(item, int | float) and not isinstance(item, bool):
            # A number under "secrets" counts them.
            return item if name.endswith(("s", "S")) else self._secret(str(item), name)
        if isinstance(item, list | tuple) or (
            isinstance(item, Mapping) and not _is_json_schema(item)
        ):
            return self._deeper(lambda parts: self._parts(parts, name), item)
        return self.value(item)

    def _parts(self, item: Any, name: str) -> object:  # noqa: ANN401  JSON with parts
        if isinstance(item, Mapping):
            parts = {key: self._inside(key, part, name) for key, part in item.items()}
            return parts if any(parts[key] is not item[key] for key in parts) else item
        items = [self._whole(part, name) for part in item]
        return items if any(a is not b for a, b in zip(items, item, strict=True)) else item

    def _inside(self, key: object, item: object, name: str) -> object:
        """Mask a part of a secret object; numbers in it mostly count or date something."""
        is_secret = isinstance(key, str) and is_secret_key(key)
        if not is_secret and (isinstance(item, int | float) or key in _NAMING):
            return self.value(item)
        return self._whole(item, name)

    def _secret(self, secret: str, name: str) -> str:
        self._found.setdefault(secret, kind_of_name(name))
        return REDACTED


def _is_name(value: object) -> bool:
    return isinstance(value, str) and " " not in value


def _is_json_schema(value: Mapping[Any, Any]) -> bool:
    kinds = value.get("type")
    words = kinds if isinstance(kinds, list) else [kinds]
    return any(key in value for key in _SCHEMA_KEYS) or any(
        isinstance(word, str) and word in _SCHEMA_TYPES for word in words
    )


def _shape_values(text: str, shape: Shape) -> Iterator[Named]:
    for match in shape.pattern.finditer(text):
        kept = match.groupdict().get("kept") or ""
        start = match.start() + len(kept)
        if shape.is_sure(text[start : match.end()]):
            yield start, match.end(), shape.kind


def _plugin_values(
    text: str, pattern: re.Pattern[str], kind: SecretKind
) -> Iterator[tuple[int, int, SecretKind]]:
    """Yield what a detector means, and what of the same run of characters follows it.

    A detector's group is the secret where it ends what was found, else a part of it.
    """
    for match in pattern.finditer(text):
        group = match.lastindex or 0
        start, end = match.span(group if match.end(group) == match.end() else 0)
        while start < end and text[start] in _AROUND:
            start += 1
        while start < end and text[end - 1] in _AROUND:
            end -= 1
        rest = _TOKEN_REST.match(text, end)
        yield start, rest.end() if rest else end, kind


def _apart(values: Iterable[Named]) -> Iterator[Named]:
    """Yield values that come in order, without what one before them has taken."""
    reached = 0
    for start, end, kind in values:
        if reached <= start < end:
            yield start, end, kind
            reached = end


def _replaced(text: str, values: Iterable[Named], found: Found) -> str:
    """Put the mask in the place of values, which come in order."""
    pieces: list[str] = []
    at = 0
    for start, end, kind in _apart(values):
        found.setdefault(text[start:end], kind)
        pieces += (text[at:start], REDACTED)
        at = end
    return "".join([*pieces, text[at:]]) if pieces else text
