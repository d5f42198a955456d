"""Whether a text is one plain line: no control characters, markup, address or credential."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from reporter.findings.text import fold_space, trim
from reporter.redaction import mask_text
from reporter.vocabulary import PhraseRule

Breach = tuple[PhraseRule, str]
"""A rule, and what broke it, in words."""

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
# Letters and signs that show nothing; an outcome made of them would look empty.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(code) for code in (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10))
}
_STRAIGHT: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    }
)
_SIGNS: Final = frozenset(
    "\u2192\u2190\u2194\u2264\u2265\u2260\u2248\u00b1\u00d7\u00f7\u00b0"
    "\u00a7\u20ac\u00a3\u00a5\u00a2\u00a9\u00ae\u2122\u2022\u00b7"
)
"""Arrows, signs of arithmetic and of currencies: symbols that are plain text."""

_MARKS: Final = re.compile(
    r"[<>`|]|\*\*|~~|\]\(|\]\[|\[\[|!\[|\{\{|\}\}|\{%|\$\{|&#?\w{2,8};|\\[(\[]|\\[a-zA-Z]{2,}\{"
    r"|^(?:#|[-*+•·]\s|\d+[.)]\s|=|:::)"
    r"|(?<![\w*])\*(?=[^\s*])[^*]*[^\s*]\*(?![\w*])"
    r"|(?<!\w)__?(?=[^\s_])[^_]*\s[^_]*[^\s_]__?(?!\w)"
)
_TLDS: Final = (
    "com|org|net|io|dev|ai|app|co|edu|gov|info|biz|cloud|xyz|ru|cn|de|uk|eu|fr|us|me|tv|online"
    "|site|shop|link|click|top|example|invalid"
)
_ADDRESS: Final = re.compile(
    r"\b[a-z][a-z0-9+.\-]{1,20}://|\b(?:mailto|javascript|vbscript|tel|data):\S|\bwww\.\w"
    r"|[\w.+\-]+@[\w\-]+\.\w"
    rf"|(?<![\w.@/])(?:[a-z0-9\-]+\.)+(?:{_TLDS})(?![\w\-]|\.\w)"
    r"|(?<![\w.])(?:[a-z0-9\-]+\.)+[a-z]{2,}/\w"
    r"|\w(?:\[\.\]|\(dot\)| dot )(?:com|org|net|io|dev|ai)\b"
    r"|\b(?:localhost|\d{1,3}(?:\.\d{1,3}){3}):\d+/\w",
    re.IGNORECASE,
)
# Groups of a Kubernetes API are spelled like a domain and lead nowhere.
_API_GROUP: Final = re.compile(
    r"\b(?:(?:[a-z0-9\-]+\.)*(?:k8s|kubernetes)\.io|(?:[a-z0-9\-]+\.)+(?:openshift|kubevirt|istio"
    r"|argoproj|cert-manager|crossplane)\.io|(?:[a-z0-9\-]+\.)+knative\.dev)(?:/v\w+)?\b"
)
_SECRET: Final = re.compile(
    r"\b(?:password|passwd|passphrase|secret|token|api[_ -]?key|pin)\b\s*(?:is|was|=|:)\s*"
    r"['\"]?(?=\S*\d)(?=\S*[a-z])[^\s'\"]{6,}"
    r"|\bbearer\s+[a-z0-9._\-]{12,}|\beyJ[a-z0-9_\-]{6,}\.[a-z0-9_\-]+",
    re.IGNORECASE,
)
_NOTHING: Final = frozenset(
    {"n/a", "na", "none", "null", "nil", "unknown", "undefined", "tbd", "todo", "string", "-"}
)
"""What is written where nothing is to be said."""

_END: Final = re.compile(r"[.!?…]+['\")\]]*(?=\s|$)")
_SHORT: Final = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|incl|resp)|\b[A-Z])\.$")


def straight(text: str) -> str:
    """Return the text with plain quotation marks, apostrophes and hyphens."""
    return text if text.isascii() else text.translate(_STRAIGHT)


def sentences(text: str) -> int:
    """Return how many sentences a text has; what stands behind the last full stop is one."""
    folded, count, last = fold_space(text), 0, 0
    for end in _END.finditer(folded):
        if not _SHORT.search(folded[: end.start() + 1]) or end.end() == len(folded):
            count, last = count + 1, end.end()
    return count + bool(folded[last:].strip())


def plain_breaches(text: str) -> Iterator[Breach]:
    """Yield what keeps a text from being one plain line that leads nowhere.

    Rule: findings.md section 9.2, for every slot.
    """
    if not any(map(str.isalnum, text)) or text.strip(" .'\"").casefold() in _NOTHING:
        yield PhraseRule.EMPTY, ""
        return
    if text != trim(text):
        yield PhraseRule.NOT_TRIMMED, ""
    hidden = next((each for each in text if _is_hidden(each)), None)
    if hidden is not None:
        yield PhraseRule.NOT_ONE_LINE, f"U+{ord(hidden):04X}"
    mark = _MARKS.search(text) or next(filter(None, map(_sign, text)), None)
    if mark is not None:
        yield PhraseRule.MARKUP, mark if isinstance(mark, str) else mark[0]
    address = _ADDRESS.search(_API_GROUP.sub("group", text))
    if address is not None:
        yield PhraseRule.ADDRESS, address[0]
    if mask_text(text) != text or _SECRET.search(text):
        yield PhraseRule.CREDENTIAL, ""


def without_secrets(text: str) -> str:
    """Return a text as it may be shown: credentials masked, also those of prose."""
    return _SECRET.sub("[redacted]", mask_text(text))


def _is_hidden(character: str) -> bool:
    return not " " <= character <= "~" and (
        unicodedata.category(character) in _HIDDEN or character in _BLANK
    )


def _sign(character: str) -> str | None:
    """Return a character that is a picture or a look-alike of markup, else None."""
    if character.isascii() or character in _SIGNS:
        return None
    category = unicodedata.category(character)
    if category in {"So", "Sk", "Sm"} or "\uff01" <= character <= "\uff5e":
        return character
    return None
