"""Sessions by how they came out, in words and as a bar: four groups that add up."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.models.facts import SessionFacts
from reporter.view.count import Bar, BarKind, bar
from reporter.view.text import plural
from reporter.view.tone import MarkName, ToneMark, tone_mark
from reporter.vocabulary import Disposition, Tone, tone_of

NOT_MET: Final = "not met"
_GROUPS: Final[tuple[tuple[str, BarKind, Tone, MarkName], ...]] = (
    ("met", "ok", Tone.OK, "ok"),
    ("met with friction", "warn", Tone.WARN, "warn"),
    (NOT_MET, "fail", Tone.FAIL, "fail"),
    ("not known", "unknown", Tone.MUTED, "unknown"),
)
GROUP_LABELS: Final[tuple[tuple[Tone, str], ...]] = tuple(
    (tone, label) for label, _, tone, _ in _GROUPS
)
"""What sessions of a tone are called together, in the order in which bars draw them."""


def is_met(fact: SessionFacts) -> bool:
    """Tell whether a session counts as one that met its goal, smoothly or not.

    A verdict alone does not say so: who never got a connection is counted as not met,
    whatever graded the session.

    Rule: findings.md section 5, D2.
    """
    return tone_of(fact.disposition) in (Tone.OK, Tone.WARN)


@dataclass(frozen=True, slots=True)
class OutcomePart:
    """One of the four groups."""

    label: str
    """`met`, `met with friction`, `not met` or `not known`."""
    tone: Tone
    mark: MarkName
    count: int


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Every planned session by outcome: met, met with friction, not met, not known."""

    parts: tuple[OutcomePart, ...]
    """All four, in that order, zeros included."""
    total: int
    bar: Bar

    @property
    def words(self) -> str:
        """Such as `19 met, 13 not met, 10 not known`; groups of nobody are left out."""
        said = [f"{part.count:,} {part.label}" for part in self.parts if part.count]
        return ", ".join(said) or "no sessions"


def outcomes(dispositions: Iterable[Disposition]) -> Outcomes:
    """Partition sessions by outcome.

    Rule: findings.md section 7, outcome partition.
    """
    counts = Counter(tone_of(disposition) for disposition in dispositions)
    return outcomes_of(tuple(counts[tone] for _, _, tone, _ in _GROUPS))


def outcomes_of(counts: Sequence[int]) -> Outcomes:
    """Draw a partition: met, met with friction, not met, not known."""
    total = sum(counts)
    parts = tuple(
        OutcomePart(label, tone, mark, count)
        for (label, _, tone, mark), count in zip(_GROUPS, counts, strict=True)
    )
    said = ", ".join(f"{part.count:,} {part.label}" for part in parts)
    pieces = [(kind, count) for (_, kind, _, _), count in zip(_GROUPS, counts, strict=True)]
    return Outcomes(parts, total, bar(pieces, f"{said}, of {plural(total, 'session')}"))


def words_by_disposition(facts: Iterable[SessionFacts]) -> tuple[tuple[ToneMark, int], ...]:
    """Count sessions by disposition, in contract order from the worst kind to the best."""
    counts = Counter(fact.disposition for fact in facts)
    order = sorted(counts, key=lambda word: (_ORDER[tone_of(word)], list(Disposition).index(word)))
    return tuple((tone_mark(word), counts[word]) for word in order)


_ORDER: Final = {Tone.FAIL: 0, Tone.WARN: 1, Tone.OK: 2, Tone.MUTED: 3}
