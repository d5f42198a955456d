"""The names of a wave and the cited turns that proposed words are held against."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final

from reporter.findings.naming import Names
from reporter.findings.text import fold_space
from reporter.phrases.plain_text import straight
from reporter.phrases.quantities import quantities_in
from reporter.phrases.tallies import Tally
from reporter.vocabulary import DISPOSITION_TONE, Disposition, Stage, Tone

_SHORTEST: Final = 4
"""Characters of a target's name that is looked for: shorter ones are in every sentence."""
_ESCAPED: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
_ENDINGS: Final = ("ingly", "edly", "ing", "ied", "ies", "ed", "es", "ly", "s", "e", "y")
_STEM: Final = 4
_DOES: Final = r"(?:was|is|had|has|could|did|does|tried|asked|got|gave|left|met|saw|wanted|cannot)"
_SHORTEST_PART: Final = 3
_SIMPLE: Final = re.compile(r"\w+")
_MOST_PLACES: Final = 1000
"""Places inside longer words at which a name is looked at before it counts as not there."""


@dataclass(frozen=True)
class SpokenNames:
    """Every name of a wave that words about it could use."""

    personas: frozenset[str]
    goals: frozenset[str]
    """Titles, and journey ids of four characters or more."""
    targets: frozenset[str]
    """Labels, and ids of four characters or more."""
    tools: frozenset[str]
    """Every tool of every catalogue and every call."""

    @cached_property
    def _both(self) -> Names:
        return Names(goals=self.goals, personas=self._spelled)

    @cached_property
    def _spelled(self) -> frozenset[str]:
        """The personas' names, also without the signs on their letters."""
        return self.personas | {unaccented(name) for name in self.personas}

    @cached_property
    def _first_names(self) -> re.Pattern[str] | None:
        """What a persona with a person's name is called for short, as it is spelled."""
        parts = {part for name in self._spelled for part in _name_parts(name)}
        if not parts:
            return None
        any_part = "|".join(map(re.escape, sorted(parts)))
        return re.compile(
            rf"(?<=[\w,;)'] )(?:{any_part})(?!\w)|(?<!\w)(?:{any_part})(?:'s\b| {_DOES}\b)"
        )

    @cached_property
    def _targets(self) -> Names:
        long = (name for name in self.targets if len(fold_space(name)) >= _SHORTEST)
        return Names(goals=frozenset(long), personas=frozenset())

    @cached_property
    def folded_tools(self) -> frozenset[str]:
        """The tools' names, folded."""
        return frozenset(folded(name) for name in self.tools)

    def personas_in(self, text: str) -> tuple[str, ...]:
        """Return the personas that a text names, as rule S5 looks for them, in order."""
        plain = unaccented(text)
        if self._both.speaks_of_persona(plain) or self._both.speaks_of_persona(text):
            return _each(self._spelled, text) or _each(self._spelled, plain)
        short = self._first_names and self._first_names.search(fold_space(straight(text)))
        return (short[0].split("'")[0].split(" ")[0],) if short else ()

    def goals_in(self, text: str) -> tuple[str, ...]:
        """Return the goals that a text names by title or id, in order."""
        return _each(self.goals, text) if self._both.speaks_of_goal(text) else ()

    def targets_in(self, text: str) -> tuple[str, ...]:
        """Return the targets that a text names by label or id, in order."""
        if not self._targets.speaks_of_goal(text):
            return ()
        return _each(self._targets.goals, text)


@dataclass(frozen=True)
class Recorded:
    """Recorded texts, ready to be asked whether something stands in them."""

    texts: tuple[str, ...]
    tallies: tuple[Tally, ...] = ()
    """How often they hold calls, by session and tool."""

    @cached_property
    def _spaced(self) -> str:
        """All of it with quotation marks straightened and white space folded, case kept.

        What JSON escapes stands there a second time as it reads.
        """
        plain = [_unescaped(text) for text in self.texts if "\\" in text]
        return " \n ".join(fold_space(straight(text)) for text in (*self.texts, *plain))

    @cached_property
    def _folded(self) -> str:
        return self._spaced.casefold()

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems of the words of four letters or more, also of those inside names of code."""
        return frozenset(stems(self._spaced))

    @cached_property
    def quantities(self) -> frozenset[Decimal]:
        """Every number that stands there by itself, in digits or in words."""
        return frozenset(each.value for each in quantities_in(self._spaced))

    def quotes(self, text: str) -> bool:
        """Tell whether a text stands there to the letter, white space folded, in whole words."""
        wanted = fold_space(straight(text))
        at = -1
        for _ in range(_MOST_PLACES):
            at = self._spaced.find(wanted, at + 1)
            if at < 0:
                return False
            if _cuts_no_word(self._spaced, at, at + len(wanted)):
                return True
        return False

    def holds(self, name: str) -> bool:
        """Tell whether a name stands there as a whole word, in any case."""
        wanted = folded(name)
        if not wanted or _SIMPLE.fullmatch(wanted):
            return wanted in self._simple
        at = -1
        for _ in range(_MOST_PLACES):
            at = self._folded.find(wanted, at + 1)
            if at < 0:
                return False
            if _is_whole(self._folded, at, at + len(wanted), wanted):
                return True
        return False

    @cached_property
    def _simple(self) -> frozenset[str]:
        return frozenset(_SIMPLE.findall(self._folded))

    def mentions(self, beginning: str) -> bool:
        """Tell whether a word or words that begin so stand there, in any case."""
        return re.search(rf"\b{re.escape(beginning)}", self._folded) is not None

    def repeats(self, words: str) -> bool:
        """Tell whether words stand there one after the other, whatever is between them."""
        return f" {words} " in self._only_words

    @cached_property
    def _only_words(self) -> str:
        return f" {words_only(self._spaced)} "


@dataclass(frozen=True)
class PhraseEvidence:
    """What the cited turns hold, and what code knows of the sessions that they are of."""

    texts: tuple[str, ...]
    """Masked: messages, arguments as JSON, results, errors and the tools' names."""
    stage: Stage
    disposition: Disposition
    measured: bool
    """Every cited session's own chain failed at that stage."""
    covers_all: bool
    """The cited sessions are all read sessions of the scopes that a row would speak for."""
    tallies: tuple[Tally, ...] = ()
    """How often the cited turns hold calls, by session and tool."""

    @cached_property
    def recorded(self) -> Recorded:
        """The texts, ready to be asked."""
        return Recorded(self.texts, self.tallies)

    @property
    def is_fail(self) -> bool:
        """True: the sessions ended in a disposition that is a failure."""
        return DISPOSITION_TONE[self.disposition] is Tone.FAIL


def folded(text: str) -> str:
    """Return a text on one line, with plain quotation marks and without case."""
    return fold_space(straight(text)).casefold()


def unaccented(text: str) -> str:
    """Return a text without the signs on its letters, as `Jurgen` for `Jürgen`."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    return "".join(each for each in parts if not unicodedata.combining(each))


def words_only(text: str) -> str:
    """Return the words of a text without case, with one space between them."""
    return " ".join(re.findall(r"\w+", folded(text)))


def stems(text: str) -> Iterator[str]:
    """Yield what telling words of a text begin with, whatever their endings."""
    for word in _WORD.findall(_HUMP.sub(" ", text)):
        yield stem(word.casefold())


def stem(word: str) -> str:
    """Return a word without its ending; what is left has at least four letters."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            return word[: -len(ending)]
    return word


def _name_parts(name: str) -> Iterator[str]:
    """Yield the parts of a name that is a person's: each begins with a capital letter."""
    parts = fold_space(name).split(" ")
    if len(parts) > 1 and all(part[:1].isupper() for part in parts):
        yield from (part for part in parts if len(part) >= _SHORTEST_PART and part.isalpha())


def _each(names: Iterable[str], text: str) -> tuple[str, ...]:
    alone = ((name, Names(goals=frozenset({name}), personas=frozenset())) for name in sorted(names))
    return tuple(name for name, one in alone if one.speaks_of_goal(text))


def _is_whole(text: str, start: int, end: int, name: str) -> bool:
    """Tell whether no neighbour makes a longer word of what stands at a place."""
    joins = "-" if "-" in name else ""
    return not any(
        side and (side.isalnum() or side == "_" or side in joins)
        for side in (text[max(start - 1, 0) : start], text[end : end + 1])
    )


def _cuts_no_word(text: str, start: int, end: int) -> bool:
    """Tell whether what stands at a place begins and ends where words do."""
    return not any(
        0 < place < len(text) and _is_in_word(text[place - 1]) and _is_in_word(text[place])
        for place in (start, end)
    )


def _is_in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(
        lambda found: chr(int(found[1], 16)) if found[1] else _plain(found[2]), text
    )


def _plain(letter: str) -> str:
    return " " if letter in "ntrfb" else letter
