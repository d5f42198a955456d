"""Whether a phrase is in English, the only language whose claims can be checked here."""

import re
import unicodedata
from typing import Final

from reporter.phrases.lexicon import COMMON_WORDS, FOREIGN_WORDS, FUNCTION_WORDS, KNOWN_NAMES
from reporter.phrases.quantities import NUMBER_WORDS
from reporter.phrases.spoken import Recorded, folded

_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_CODE: Final = re.compile(r"[_/\d\\.=]\w|\d|[a-z][A-Z]")
_ENDINGS: Final = ("ing", "ed", "es", "ly", "s", "d", "r", "er", "tion", "ion", "able", "'s", "al")
_PREFIXES: Final = ("un", "re", "non", "mis", "in", "over", "pre")
_LOANS: Final = frozenset({"café", "naïve", "résumé", "façade", "cliché", "coördinate", "rôle"})
_LONGEST: Final = 30
_SHAPES: Final = ("ed", "ly", "ness", "ship", "less")
_SHAPED: Final = 6
"""Letters from which on an ending of English tells a word of it."""

_FEW: Final = 3
"""Words with a subject, of which an English phrase has a common one."""

_MANY: Final = 5
"""Words from which on an English sentence has one that only carries it."""


def foreign_piece(text: str, recorded: Recorded) -> str | None:
    """Return what shows that a text is not English, or None where nothing does.

    Letters of other scripts and accents are let through in words that are recorded.

    Args:
        text: The phrase, without what it quotes.
        recorded: The texts that it is about.
    """
    for word in text.split():
        strange = next((each for each in word if _is_strange(each)), None)
        core = word.strip(".,;:!?()[]'\"").casefold()
        if strange is not None and core not in _LOANS and not recorded.holds(core):
            return strange
    words = _WORD.findall(folded(" ".join(word for word in text.split() if not _CODE.search(word))))
    return _foreign_sentence(words)


def is_known_english(word: str) -> bool:
    """Tell whether a word, in small letters, is one of the lists or made of one of them."""
    if _is_listed(word) or len(word) > _LONGEST:
        return len(word) <= _LONGEST
    if len(word) >= _SHAPED and word.endswith(_SHAPES):
        return True
    stripped = (word[: -len(end)] for end in _ENDINGS if word.endswith(end))
    for base in stripped:
        if _is_listed(base) or _is_listed(f"{base}e"):
            return True
        if base.endswith("i") and _is_listed(f"{base[:-1]}y"):
            return True
        if base[-1:] == base[-2:-1] and _is_listed(base[:-1]):
            return True
    return any(
        word.startswith(prefix) and len(word) > len(prefix) + 3 and is_known_english(rest)
        for prefix in _PREFIXES
        if (rest := word.removeprefix(prefix)) != word
    )


def _foreign_sentence(words: list[str]) -> str | None:
    carrying = sum(word in FUNCTION_WORDS for word in words)
    foreign = [word for word in words if word in FOREIGN_WORDS]
    if len(foreign) > 1 and len(foreign) >= carrying:
        return " ".join(dict.fromkeys(foreign))
    content = [word for word in words if word not in FUNCTION_WORDS]
    is_bare = carrying < _FEW - 1 and len(content) >= _FEW
    if is_bare and not any(map(is_known_english, content)):
        return " ".join(content[:3])
    known = sum(is_known_english(word) for word in words)
    if (len(words) > 1 and not known) or (foreign and not carrying and known <= len(foreign)):
        return " ".join(words[:3])
    if len(words) >= _MANY and not carrying and known * 2 < len(words):
        return " ".join(words[:3])
    return None


def _is_listed(word: str) -> bool:
    # What is drawn together, as in `you're`, is known by what stands before the apostrophe.
    lists = (COMMON_WORDS, FUNCTION_WORDS, KNOWN_NAMES, NUMBER_WORDS)
    return any(word.partition("'")[0] in known for known in lists)


def _is_strange(character: str) -> bool:
    """Tell whether a character is a letter or a sign on a letter that English does not have."""
    return not character.isascii() and unicodedata.category(character)[0] in "LM"
