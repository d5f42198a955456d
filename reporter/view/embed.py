"""Which transcripts a single page carries, within a budget, and what it says of the rest."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from reporter.models.facts import SessionFacts
from reporter.view.count import Count
from reporter.view.text import plural
from reporter.vocabulary import Disposition, Tone, tone_of

DEFAULT_CHARS: Final = 14_000_000
"""Recorded characters that one page carries; such a page stays below about 25 MB."""
_SESSION_OVERHEAD: Final = 4_000
"""What a transcript costs beside its words: its frame, its marks, its call lines."""


@dataclass(frozen=True, slots=True)
class EmbedPlan:
    """The transcripts of a page."""

    session_ids: tuple[str, ...]
    """Sessions whose transcript is shown, in the order of the session list."""
    available: int
    """Sessions that have one."""
    left_out: int
    note: str
    """How many are here and how to get the rest, in one or two sentences."""

    @property
    def shown(self) -> frozenset[str]:
        """The same sessions, to look one up."""
        return frozenset(self.session_ids)


def embed_plan(
    facts: Sequence[SessionFacts], cited: AbstractSet[str], budget: int = DEFAULT_CHARS
) -> EmbedPlan:
    """Choose transcripts: cited and failed sessions first, then friction, then the others.

    A session that is too large for what is left of the budget is passed over, and smaller
    ones after it still find room.

    Rule: report.md section 4, `Size`.
    """
    having = [fact for fact in facts if _has_file(fact)]
    ranked = sorted(enumerate(having), key=lambda item: (_rank(item[1], cited), item[0]))
    left = budget
    chosen: set[str] = set()
    for _, fact in ranked:
        cost = _cost(fact)
        if cost <= left:
            left -= cost
            chosen.add(fact.session_id)
    left_out = len(having) - len(chosen)
    return EmbedPlan(
        session_ids=tuple(fact.session_id for fact in having if fact.session_id in chosen),
        available=len(having),
        left_out=left_out,
        note=_note(having, chosen, budget),
    )


def _has_file(fact: SessionFacts) -> bool:
    return fact.started and (fact.has_transcript or fact.has_connection_record)


def _rank(fact: SessionFacts, cited: AbstractSet[str]) -> int:
    tone = tone_of(fact.disposition)
    if fact.session_id in cited and tone is Tone.FAIL:
        return 0
    if fact.session_id in cited or tone is Tone.FAIL:
        return 1
    if tone is Tone.WARN:
        return 2
    return 3 if fact.disposition is Disposition.NOT_MEASURED else 4


def _cost(fact: SessionFacts) -> int:
    # A session's bytes hold everything that may be shown. Where it has none of its own, its
    # messages stand in, results among them, and a quarter for arguments that are in none.
    return (fact.bytes or fact.transcript_chars * 5 // 4) + _SESSION_OVERHEAD


def _note(having: Sequence[SessionFacts], chosen: AbstractSet[str], budget: int) -> str:
    if not having:
        return ""
    if len(chosen) == len(having):
        if len(having) == 1:
            return "The one transcript is in this file."
        return f"All {plural(len(having), 'transcript')} are in this file."
    some = Count(len(chosen), len(having), "transcript").text
    failed = [fact for fact in having if tone_of(fact.disposition) is Tone.FAIL]
    here = sum(fact.session_id in chosen for fact in failed)
    lead = f"This file carries {some}, within its budget of {budget:,} characters: "
    what = f"{Count(here, len(failed)).text} whose goal was not met"
    first = f"cited and failed sessions first ({what})." if failed else "cited sessions first."
    return f"{lead}{first} The others are in the recording, in the file that their row names."
