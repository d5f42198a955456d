"""Numbers in a text, in digits of any script and in English words."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of a text."""

    piece: str
    """As it stands there."""
    value: Decimal


_ONES: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS: Final = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_TENTHS: Final = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"
_SMALL: Final = {
    **{word: at for at, word in enumerate(_ONES.split())},
    **{word: at * 10 for at, word in enumerate(_TENS.split(), 2)},
    **{word: at for at, word in enumerate(_ORDINALS.split())},
    **{word: at * 10 for at, word in enumerate(_TENTHS.split(), 2)},
    "twice": 2,
    "thrice": 3,
    "dozen": 12,
    "dozens": 12,
    "nought": 0,
    "hundredth": 100,
}
_BIG: Final = {
    "hundred": 100,
    "hundreds": 100,
    "thousand": 1000,
    "thousands": 1000,
    "million": 10**6,
    "millions": 10**6,
    "billion": 10**9,
    "billions": 10**9,
    "thousandth": 1000,
    "millionth": 10**6,
    "trillion": 10**12,
}
NUMBER_WORDS: Final = frozenset({*_SMALL, *_BIG})
"""English words that are numbers."""

_UNIT: Final = (
    r"(?:%|°|ns|us|µs|ms|s|sec|secs|min|mins|m|h|hr|hrs|d|kb|mb|gb|tb|kib|mib|gib|b|k|x|st|nd|rd|th"
    r"|px|pt|cm|mm|km|kg|g|usd|eur|gbp)?"
)
_DIGITS: Final = re.compile(
    rf"(?<![\w.])(?<!\d[:,/\-])(?<!\w-)[-+]?(\d+(?:,\d{{3}})*(?:\.\d+)?){_UNIT}"
    r"(?![\w/]|[.:,\-]\d|-\d)",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(r"(?<=[\[,( ])\d+(?=[\],)])")
_WORDS: Final = re.compile(r"[^\W\d_]+")
_LONGEST: Final = 40
"""Digits of a number that is read; longer ones are names."""


def quantities_in(text: str) -> Iterator[Quantity]:
    """Yield every number that stands by itself: not part of a date, an id or a name.

    A number in a list of JSON counts by itself, also where commas could group digits.
    """
    for found in _DIGITS.finditer(text):
        yield from _digits(found[0], found[1].replace(",", ""))
    for found in _LISTED.finditer(text):
        yield from _digits(found[0], found[0])
    yield from words_of_number(text)


def words_of_number(text: str) -> Iterator[Quantity]:
    """Yield each run of English number words as one number, as `two hundred and fifty`."""
    run: list[re.Match[str]] = []
    for found in _WORDS.finditer(text):
        word = found[0].casefold()
        if word == "second":
            word = ""  # mostly a unit of time or of order, hardly ever an amount
        if run and not _goes_on(text, run[-1].end(), found.start()):
            yield from _run(text, run)
            run = []
        if word in NUMBER_WORDS or (word == "and" and run and _is_big(run[-1])):
            run.append(found)
        elif run:
            yield from _run(text, run)
            run = []
    yield from _run(text, run)


def other_digits(text: str) -> Iterator[Quantity]:
    """Yield every character that is a number and no ASCII digit, as `½` and `三`."""
    for character in text:
        value = None if character.isascii() else unicodedata.numeric(character, None)
        if value is not None:
            yield Quantity(character, Decimal(str(value)))


def _digits(piece: str, digits: str) -> Iterator[Quantity]:
    if len(digits) <= _LONGEST:
        yield Quantity(piece, Decimal(digits).normalize())


def _goes_on(text: str, end: int, start: int) -> bool:
    return text[end:start] in {" ", "-"}


def _is_big(found: re.Match[str]) -> bool:
    return found[0].casefold() in _BIG


def _run(text: str, run: list[re.Match[str]]) -> Iterator[Quantity]:
    if run and run[-1][0].casefold() == "and":
        run = run[:-1]
    if run:
        value = _value([found[0].casefold() for found in run])
        yield Quantity(text[run[0].start() : run[-1].end()], Decimal(value).normalize())


def _value(words: list[str]) -> int:
    total, part = 0, 0
    for word in words:
        if word in _SMALL:
            part += _SMALL[word]
        elif word == "hundred":
            part = max(part, 1) * 100
        elif word in _BIG:
            total += max(part, 1) * _BIG[word]
            part = 0
    return total + part
