"""A phrase as its claims are looked for: what it quotes, what it says itself, and patterns."""

import re
from typing import Final

from reporter.findings.text import fold_space
from reporter.phrases.plain_text import straight

_QUOTED: Final = re.compile(r"\"([^\"]*)(?:\"|$)|(?<!\w)'(?=\S)((?:[^']|'(?=\w))*)'(?!\w)")
_JOINTS: Final = re.compile(r"[-_/]+")
_TOKEN: Final = re.compile(r"[\w.\-]+")
_CODE: Final = re.compile(r"_\w|\w_|[a-z][A-Z]|[a-z]\.[a-z]")


def any_of(*parts: str) -> re.Pattern[str]:
    """Compile a pattern that finds any of the parts as whole words."""
    return re.compile(rf"\b(?:{'|'.join(parts)})(?!\w)")


def without_quotes(text: str) -> str:
    """Return a text with a sign in the place of whatever it quotes."""
    return _QUOTED.sub(" … ", straight(text))


def quotes_in(text: str) -> tuple[str, ...]:
    """Return what a text quotes, in order; a quotation that does not close runs to the end."""
    found = (match[1] if match[1] is not None else match[2] for match in _QUOTED.finditer(text))
    return tuple(piece.strip() for piece in found if piece.strip())


def said(text: str) -> str:
    """Return a text on one line, without case, with words that are joined by a sign apart."""
    return fold_space(_JOINTS.sub(" ", straight(text))).casefold()


def own_words(text: str) -> str:
    """Return what a text says itself, as `said` does, without what it quotes and names of code.

    Those are held against the recording as they are; their parts claim nothing.
    """
    return said(without_code(without_quotes(text)))


def without_code(text: str) -> str:
    """Return a text with a sign in the place of tokens that are spelled as code spells names."""
    return _TOKEN.sub(lambda token: "…" if _CODE.search(token[0]) else token[0], text)


def piece(pattern: re.Pattern[str], text: str) -> str | None:
    """Return the first words of a text that a pattern finds, or None."""
    found = pattern.search(text)
    return None if found is None else found[0].strip(" ,;.:")
