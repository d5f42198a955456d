"""What the first bytes of a JSON file show of its shape, without parsing the file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

HEAD_BYTES: Final = 65_536
"""How much of a file is looked at to tell whose it is."""

_DEEPEST: Final = 5
_LONGEST_SCALAR: Final = 200
# A string, with the colon that makes it a key; an opening or a closing mark; or a lone quote:
# a string that the bound cut off, behind which nothing is known.
_PIECE: Final = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|([{\[])|([}\]])|"', re.DOTALL)
_KEY, _OPEN, _CLOSE = 2, 3, 4


@dataclass(frozen=True, slots=True)
class Outline:
    """The keys that a bounded look at a JSON document showed."""

    kind: Literal["array", "object"] | None
    """What the document is; None where it is neither, or no JSON at all."""
    paths: frozenset[str] = frozenset()
    """Paths of the keys seen, such as `info.task` or, inside an array, `[].traj[].role`."""
    strings: Mapping[str, str] | None = None
    """The first short string seen at each path."""

    def has(self, *paths: str) -> bool:
        """Tell whether every one of these keys was seen."""
        return self.paths.issuperset(paths)

    def string(self, path: str) -> str | None:
        """Return the first short string seen at a path, or None."""
        return (self.strings or {}).get(path)


def outline_of(head: bytes) -> Outline:
    """Outline the first document in the first bytes of a file.

    Args:
        head: The file's first bytes; they may end anywhere.

    Returns:
        Its outline, as far as the bytes go. Of a file with one document a line, that is
        the first line's.
    """
    text = head.decode("utf-8-sig", "replace").lstrip()
    if not text.startswith(("{", "[")):
        return Outline(None)
    paths: set[str] = set()
    strings: dict[str, str] = {}
    # An array is seen as far as its first element.
    last_depth = 1 if text[0] == "[" else 0
    stack: list[str] = []
    value = ""
    for found in _PIECE.finditer(text):
        kind = found.lastindex
        # Below the deepest level paths no longer grow, however deep the nesting is.
        is_deep = len(stack) > _DEEPEST
        if kind == _OPEN:
            value = f"{value}[]" if found[_OPEN] == "[" and not is_deep else value
            stack.append(value)
        elif kind == _CLOSE:
            stack.pop()
            if len(stack) <= last_depth:
                break
            value = stack[-1]
        elif kind is None:
            break
        elif is_deep:
            continue
        elif kind == _KEY:
            value = f"{stack[-1]}.{found[1]}" if stack[-1] else found[1]
            paths.add(value)
        elif len(found[1]) <= _LONGEST_SCALAR:
            strings.setdefault(value, found[1])
    return Outline("array" if text[0] == "[" else "object", frozenset(paths), strings)
