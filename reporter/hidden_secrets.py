"""Secrets that something stands in: marks and escapes a reader sees through, and line ends."""

import html
import re
from array import array
from collections.abc import Callable, Iterator
from typing import Final

from reporter.credentials import BROKEN_FIRST, IN_BASE64, NO_WIDTH, SecretKind, decoded
from reporter.secret_names import Named

_CONTROLS: Final = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
_FULL: Final = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}
"""Letters of the width of a Chinese one, by the letters that they are."""

_NOISE: Final = re.compile(
    r"(?:\x1b|\\+(?:u00|x)1[bB])"
    r"(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)?)?"
    rf"|[{_CONTROLS}{NO_WIDTH}]+"
    r"|\\+u00(?P<code>[2-7][0-9A-Fa-f])"
    r"|\\+(?:u(?:00(?:[01][0-9A-Fa-f]|7[fF]|[aA][dD])|20(?:0[b-fB-F]|2[a-eA-E]|6[0-9A-Fa-f])"
    r"|[fF][eE](?:0[0-9A-Fa-f]|[fF]{2}))|x(?:[01][0-9A-Fa-f]|[aA][dD]))"
    r"|&(?:\#[0-9]{2,3}|\#[xX][0-9A-Fa-f]{2,4}|quot|apos|amp);"
    r"|\\+(?=[_*`-])"
    r"|</?(?:b|code|em|i|mark|span|strong|u|wbr)\b[^<>]{0,60}>"
    # A list's own mark stays, as a line's first letter tells a line.
    r"|(?<=[^\s])[*`~]{1,3}|[*`~]{1,3}(?=[^\s*`~])"
)
_PERCENT: Final = re.compile("%([2-7][0-9A-Fa-f])")

_BREAK: Final = r"(?:(?:\\?\r?\n|(?:\\+r)?\\+n)[ \t>]*){1,2}"
# A run of a token's letters is looked at from its start alone, whatever repeats in it.
_BROKEN: Final = re.compile(
    rf"(?<![A-Za-z0-9_.-])(?:{BROKEN_FIRST})[A-Za-z0-9_.-]*(?:{_BREAK}[A-Za-z0-9_.=/+-]{{4,}})+"
)
_AT_BREAK: Final = re.compile(_BREAK)
_LINE_OVER: Final = re.compile(r"\Z|\\?[\r\n]|\\+[rn]")
_LETTERS: Final = re.compile("[A-Z].*[a-z]|[a-z].*[A-Z]")
_DIGIT: Final = re.compile("[0-9]")
_LONG_LINE: Final = 16
"""Letters of a line from which on it goes on with the secret of the line above it."""


_RUN: Final = re.compile("[A-Za-z0-9+/_-]{16,}={0,2}")
_LONGEST_RUN: Final = 1_000_000
_as_base64: Final = re.compile("|".join(map(re.escape, IN_BASE64)))


class Plainer:
    """A text without what stands in its words, which knows where each letter came from."""

    def __init__(self, text: str, *, percent: bool = False) -> None:
        self._origin = text
        pieces: list[str] = []
        starts, ends = array("q"), array("q")
        at = 0
        for found in (_PERCENT if percent else _NOISE).finditer(text):
            pieces.append(text[at : found.start()])
            starts.extend(range(at, found.start()))
            ends.extend(range(at + 1, found.start() + 1))
            said = _meant(found)
            pieces.append(said)
            starts.extend([found.start()] * len(said))
            ends.extend([found.end()] * len(said))
            at = found.end()
        pieces.append(text[at:])
        starts.extend(range(at, len(text)))
        ends.extend(range(at + 1, len(text) + 1))
        self.text = "".join(pieces).translate(_FULL) if not text.isascii() else "".join(pieces)
        self._starts, self._ends = starts, ends
        self._cuts: list[Named] = []

    def cut(self, values: list[Named], mask: str) -> None:
        """Put the mask in the place of values, which come in order and apart."""
        pieces: list[str] = []
        starts, ends = array("q"), array("q")
        at = 0
        for start, end, kind in values:
            first, last = self._starts[start], self._ends[end - 1]
            self._cuts.append((first, last, kind))
            pieces += (self.text[at:start], mask)
            starts += self._starts[at:start]
            ends += self._ends[at:start]
            starts.extend([first] * len(mask))
            ends.extend([last] * len(mask))
            at = end
        self.text = "".join([*pieces, self.text[at:]])
        self._starts, self._ends = starts + self._starts[at:], ends + self._ends[at:]

    def cuts(self) -> Iterator[Named]:
        """Yield where the values stand in the text as it was, in order and apart."""
        reached = 0
        for start, end, kind in sorted(self._cuts):
            if end > reached:
                yield max(start, reached), end, kind
                reached = end


def _meant(found: re.Match[str]) -> str:
    code = found[1] if found.lastindex else None
    if code is not None:
        return chr(int(code, 16))
    return html.unescape(found[0]) if found[0][0] == "&" else ""


def packed_values(text: str, kind_in: Callable[[str], SecretKind | None]) -> Iterator[Named]:
    """Yield what is in base64 and holds a secret; a part of it cannot be masked.

    Args:
        text: Any text.
        kind_in: Tells the kind of a secret that a text holds, or None.
    """
    if not _as_base64.search(text):
        return
    for found in _RUN.finditer(text):
        run = found[0]
        if len(run) > _LONGEST_RUN or not _as_base64.search(run):
            continue
        try:
            said = decoded(run.rstrip("=")).decode()
        except ValueError:
            continue
        kind = kind_in(said)
        if kind is not None:
            yield *found.span(), kind


def broken_values(text: str, kind_of: Callable[[str], SecretKind | None]) -> Iterator[Named]:
    """Yield the tokens that go on behind the end of their line.

    Args:
        text: Any text.
        kind_of: Tells the kind of a text that is one secret and nothing else; None of any
            other text.
    """
    for found in _BROKEN.finditer(text):
        pieces = _AT_BREAK.split(found[0])
        at = found.start()
        ends: list[int] = []
        for piece in pieces:
            at = text.index(piece, at) + len(piece)
            ends.append(at)
        kind, last = kind_of(pieces[0]), 0
        while kind is None and last + 1 < len(pieces) and _DIGIT.search(pieces[last + 1]):
            last += 1
            kind = kind_of("".join(pieces[: last + 1]))
        if kind is None:
            continue
        # A line of nothing but letters of a token is no sentence.
        while last + 1 < len(pieces) and _goes_on(pieces[last + 1], text, ends[last + 1]):
            last += 1
        if last:
            yield found.start(), ends[last], kind


def _goes_on(piece: str, text: str, end: int) -> bool:
    return (
        len(piece) >= _LONG_LINE
        and _DIGIT.search(piece) is not None
        and _LETTERS.search(piece) is not None
        and (piece[0] == "." or _LINE_OVER.match(text, end) is not None)
    )
