"""Text as the contract measures it: UTF-16 code units and JavaScript white space."""

import re
from typing import Final

from reporter.redaction import mask_text

_JS_SPACE: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_JS_SPACES: Final = re.compile(f"[{_JS_SPACE}]+")
# What Python calls white space, and the one character that only JavaScript does.
_SPACE: Final = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "\ufeff"
_SPACES: Final = re.compile(r"[\s\ufeff]+")
_SENTENCE_ENDS: Final = ".!?"

SENTENCE_ENDS: Final = (".", "!", "?", "…")
"""What a sentence that needs no full stop of ours ends with."""


def utf16_length(text: str) -> int:
    """Return the length of a text in UTF-16 code units.

    Rule: findings.md section 3.3, lengths in characters.
    """
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def js_word_count(text: str) -> int:
    r"""Count words as `text.trim().split(/\s+/)` does: the empty text has one.

    Rule: findings.md section 3.3, word count.
    """
    return len(_JS_SPACES.split(text.strip(_JS_SPACE)))


def fold_space(text: str) -> str:
    """Return the text on one line: every run of white space is one space, none at the ends."""
    return _SPACES.sub(" ", text).strip(" ")


def trim(text: str) -> str:
    """Return the text without white space at its ends."""
    return text.strip(_SPACE)


def utf16_prefix(text: str, units: int) -> str:
    """Return the longest beginning of at most so many code units that splits no character."""
    head = text[:units]
    if utf16_length(head) <= units:
        return head
    used = 0
    for position, character in enumerate(head):
        used += 2 if character > "\uffff" else 1
        if used > units:
            return head[:position]
    return head


def cut_account(text: str, limit: int) -> str:
    """Shorten a persona's account without changing a word of what is kept.

    Args:
        text: The account as it was recorded.
        limit: The most UTF-16 code units that may remain.

    Returns:
        The trimmed text. Over the limit it ends after the last sentence that ends inside
        the limit, else before the last white space there, else at the limit.

    Rule: findings.md section 9.1, `account`.
    """
    whole = trim(text)
    if utf16_length(whole) <= limit:
        return whole
    head = utf16_prefix(whole, limit)
    for position in range(len(head) - 1, -1, -1):
        # The white space after a sentence may be the first character that is cut off.
        if head[position] in _SENTENCE_ENDS and whole[position + 1] in _SPACE:
            return head[: position + 1]
    return _before_last_space(head)


def excerpt(text: str, limit: int) -> str:
    """Shorten a text to a limit with an ellipsis, at a word boundary where there is one.

    Rule: findings.md section 13.3.
    """
    if utf16_length(text) <= limit:
        return text
    head = utf16_prefix(text, limit - 1)
    return (head if text[len(head)] in _SPACE else _before_last_space(head)) + "…"


def first_words(text: str, limit: int) -> str:
    """Return the text on one line, cut after so many words with an ellipsis.

    Secrets are masked before: some are told by their lines, and a cut would leave a part.
    """
    words = fold_space(mask_text(text)).split(" ")
    return " ".join(words) if len(words) <= limit else " ".join(words[:limit]) + "…"


def _before_last_space(head: str) -> str:
    """Return what stands before the last run of white space, or all where there is none."""
    for position in range(len(head) - 1, 0, -1):
        if head[position] in _SPACE:
            return head[:position].rstrip(_SPACE) or head
    return head
