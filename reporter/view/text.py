"""Recorded text on its way to a page: masked, made harmless, bounded."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.plural import plural
from reporter.redaction import mask_text
from reporter.view.remembered import Remembered

__all__ = [
    "ELLIPSIS",
    "CleanText",
    "Clipped",
    "bare",
    "clean",
    "clip",
    "isolated",
    "isolated_in",
    "listed",
    "one_line",
    "plural",
    "quoted",
    "sentence",
    "set_width",
]

ELLIPSIS: Final = "…"

# Control characters move a terminal or a caret, bidirectional controls reorder what stands
# around them, what has no width hides in a name, lone surrogates do not encode. None of them
# is words, but for four: joiners that shape letters and emoji, direction marks beside letters
# that run from the right, the space without width where a script has no other, and the tags
# that spell a flag. Words that run from the right may be isolated: that reaches no further
# than the words.
_RIGHT: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_INSIDE: Final = "[^\n\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
_UNSAFE: Final = re.compile(
    f"\u2068{_INSIDE}*[{_RIGHT}]{_INSIDE}*\u2069"
    "|\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u180e\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
    "|(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b"
    "|(?<![\u05d0-\u05f2\u0620-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])[\u061c\u200e\u200f]"
    "(?![\u05d0-\u05f2\u0620-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])"
    "|(?<=[!-~])[\u200c\u200d](?=[!-~])"
)
_TOWER: Final = re.compile(
    "([\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{8})"
    "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)
"""Marks on one letter: more would be drawn over the lines above it."""
_MARGIN: Final = 20_000
"""Characters behind a cut that are cleaned with it, so that no secret is cut in two."""
_SPACE: Final = re.compile(r"\s+")


_FROM_THE_RIGHT: Final = re.compile(f"[{_RIGHT}]")
_OPEN, _CLOSE = "\u2068", "\u2069"
"""What stands between these has a direction of its own."""
_QUOTED: Final = re.compile("“([^“”]*)”")


class CleanText(str):
    """Text that was cleaned, so that nobody has to do it again."""

    __slots__ = ()


class Spelled(CleanText):
    """Text of letters, digits and `-`, `_`, `.`, `~`, `#` alone, which means nothing in HTML."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Clipped:
    """Text cut to a bound, with what was left out."""

    text: str
    """What is shown."""
    left_out: int = 0
    """Characters that are not shown; zero when everything is."""

    @property
    def note(self) -> str:
        """Such as `12,400 characters left out`, or empty."""
        if not self.left_out:
            return ""
        word = "character" if self.left_out == 1 else "characters"
        return f"{self.left_out:,} {word} left out"


def clean(text: str) -> CleanText:
    """Mask secrets, and show characters that would act instead of being read.

    Control characters become their pictures, bidirectional controls and what has no width
    their code points, and a tower of marks is cut; line feeds and tabs stay.
    """
    if isinstance(text, CleanText):
        return text
    masked = mask_text(text)
    if not masked.isascii():
        masked = _TOWER.sub(rf"\1{ELLIPSIS}", masked)
    masked = masked.replace("\r\n", "\n")
    # Everything unsafe is unprintable, and asking for that takes a tenth of the search.
    if masked.replace("\n", "").replace("\t", "").isprintable():
        return CleanText(masked)
    return CleanText(_UNSAFE.sub(_shown, masked))


def clip(text: str, limit: int) -> Clipped:
    """Clean text and cut it after `limit` characters."""
    beyond = len(text) - limit - _MARGIN
    if beyond > 0 and not isinstance(text, CleanText):
        # Of a result of a megabyte, only what is shown is cleaned.
        head = clip(text[: limit + _MARGIN], limit)
        return Clipped(head.text, head.left_out + beyond)
    whole = clean(text)
    if len(whole) <= limit:
        return Clipped(whole)
    return Clipped(CleanText(whole[:limit]), len(whole) - limit)


def one_line(text: str, limit: int = 400) -> CleanText:
    """Clean text, fold white space, and cut it at a word where it is too long for a line."""
    # A name of a million characters is cut before it is folded, which keeps this cheap.
    most = limit * 4 + 400
    return _line(text, limit) if len(text) <= most else _folded(text[:most], limit, is_cut=True)


def _folded(text: str, limit: int, *, is_cut: bool = False) -> CleanText:
    folded = _SPACE.sub(" ", clean(str(text))).strip()
    if len(folded) <= limit and not is_cut:
        return CleanText(folded)
    head = folded[:limit]
    space = head.rfind(" ")
    cut = head[:space] if space > limit * 2 // 3 else head
    end = _CLOSE if cut.count(_OPEN) > cut.count(_CLOSE) else ""
    return CleanText(cut.rstrip(" ,.;:") + ELLIPSIS + end)


def isolated(name: str) -> CleanText:
    """Keep a cleaned name that runs from the right apart from the sentence around it.

    Else a number that follows it would be drawn before it, as if it were a part of it. A name
    that runs from the left stays as it is.
    """
    if name.isascii() or not _FROM_THE_RIGHT.search(name):
        return CleanText(name)
    return CleanText(f"{_OPEN}{name}{_CLOSE}")


def bare(name: str) -> CleanText:
    """Return a cleaned name without what keeps it apart, as an address or a field holds it."""
    return CleanText(name.replace(_OPEN, "").replace(_CLOSE, ""))


def isolated_in(text: str, names: Iterable[str]) -> CleanText:
    """Do the same with names, and with quoted words, in a cleaned sentence that holds them."""
    if text.isascii() or not _FROM_THE_RIGHT.search(text):
        return CleanText(text)
    plain = {bare(name) for name in names}
    wanted = sorted((name for name in plain if _FROM_THE_RIGHT.search(name)), key=len)
    parts = [re.escape(name) for name in reversed(wanted)]
    found = re.compile("|".join([_QUOTED.pattern, *parts]))
    return CleanText(
        found.sub(
            lambda one: quoted(isolated(one[1])) if one[1] is not None else isolated(one[0]), text
        )
    )


_line: Final = Remembered(_folded, 500_000, len)


def set_width(text: str) -> int:
    """Return how wide a text is set, in letters: a character of Chinese or Japanese takes two."""
    return sum(2 if unicodedata.east_asian_width(one) in "WF" else 1 for one in text)


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Join parts as a sentence would: `a, b and c`."""
    if len(parts) < 2:  # noqa: PLR2004  nothing to join
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def and_more(left: int) -> str:
    """Say how many are not shown, such as `and 12 more`; empty where all are."""
    return f"and {left:,} more" if left > 0 else ""


def capital(text: str) -> str:
    """Begin with a capital letter, as a sentence or a label does, and leave the rest as it is."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Begin with a capital letter and end with a full stop."""
    text = text.strip()
    if not text:
        return ""
    return capital(text) + ("" if text[-1] in ".!?…" else ".")


def quoted(text: str) -> str:
    """Set text in quotation marks."""
    return f"“{text}”"


def _shown(found: re.Match[str]) -> str:
    text = found.group()
    if text[0] == _OPEN and len(text) > 1:
        return f"{_OPEN}{_UNSAFE.sub(_shown, text[1:-1])}{_CLOSE}"
    if len(text) > 1:
        return text
    code = ord(text)
    if 0xD800 <= code <= 0xDFFF:  # noqa: PLR2004  the surrogates
        return "\ufffd"
    if code < 0x20:  # noqa: PLR2004  the C0 controls have pictures
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"[U+{code:04X}]"  # noqa: PLR2004  DEL
