"""One page or many: which transcripts a page carries, and what it says of the rest."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final, Literal

from reporter.models.facts import SessionFacts
from reporter.view.count import Count
from reporter.view.text import plural
from reporter.vocabulary import Disposition, Tone, tone_of

Layout = Literal["single", "site"]
Asked = Literal["auto", "single", "site"]

DEFAULT_CHARS: Final = 10_600_000
"""Recorded characters that one page carries; set, they are half as many bytes again."""
LEAST_CHARS: Final = 1_500_000
"""What is left of that for transcripts however long the list of sessions is."""
FREE_ROWS: Final = 400
"""Sessions whose rows cost transcripts nothing."""
ROW_CHARS: Final = 900
"""What a row of the list, and its share of the goals, takes from transcripts beyond that."""
SITE_FROM: Final = 2_001
"""Sessions from which on each has a page of its own unless one page is asked for."""
_SESSION_OVERHEAD: Final = 4_000
"""What a transcript costs beside its words: its frame, its marks, its call lines."""


@dataclass(frozen=True, slots=True)
class EmbedPlan:
    """The transcripts of a page."""

    layout: Layout
    why: str
    """Which layout it is and what decided it, in one sentence."""
    session_ids: tuple[str, ...]
    """Sessions whose transcript the report's page carries, in the order of the list."""
    available: int
    """Sessions that have one."""
    left_out: int
    note: str
    """How many are here and how to get the rest, in one or two sentences."""
    chars: int = 0
    """Recorded characters of the transcripts that the report's page carries, about."""

    @property
    def away(self) -> int:
        """Transcripts that there are and that the report's page does not carry."""
        return self.available - len(self.session_ids)


def budget_of(sessions: int) -> int:
    """Return the recorded characters of transcripts that one page has room for."""
    rows = max(0, sessions - FREE_ROWS) * ROW_CHARS
    return max(LEAST_CHARS, DEFAULT_CHARS - rows)


def page_plan(
    facts: Sequence[SessionFacts],
    cited: AbstractSet[str],
    asked: Asked = "auto",
    budget: int | None = None,
) -> EmbedPlan:
    """Decide between one page and a page for each session, and which transcripts go where.

    Args:
        facts: Every session.
        cited: Sessions that findings cite.
        asked: `single`, `site`, or `auto`: one page where it holds every transcript and is
            not too long.
        budget: Recorded characters of transcripts on one page; None decides by the list.

    Rule: report.md section 4, `Size`.
    """
    room = budget_of(len(facts)) if budget is None else budget
    needed = sum(_cost(fact) for fact in facts if _has_file(fact))
    fits = len(facts) < SITE_FROM and needed <= room
    if asked == "site" or (asked == "auto" and not fits):
        return _site(facts, asked, needed, room)
    plan = embed_plan(facts, cited, room)
    if asked == "auto" and plan.available:
        return replace(plan, why="One page, chosen because every transcript has room in it.")
    return plan if plan.available else replace(plan, why="One page, without a transcript.")


def _site(facts: Sequence[SessionFacts], asked: Asked, needed: int, room: int) -> EmbedPlan:
    pages = f"{plural(len(facts), 'session')} on {'pages' if len(facts) != 1 else 'a page'} of"
    if asked == "site":
        why = f"{pages} their own, as was asked for." if len(facts) != 1 else f"{pages} its own."
    elif len(facts) >= SITE_FROM:
        why = f"{pages} their own, chosen because one page would be too long to use."
    else:
        why = (
            f"{pages} their own, chosen because the transcripts ({needed:,} characters) are"
            f" more than one page has room for ({room:,})."
        )
    having = sum(_has_file(fact) for fact in facts)
    return EmbedPlan(
        layout="site",
        why=why,
        session_ids=(),
        available=having,
        left_out=0,
        note="Each has a page of its own, with its transcript where one was recorded, in the"
        " folder “pages” beside this file.",
    )


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
        layout="single",
        why="One page.",
        session_ids=tuple(fact.session_id for fact in having if fact.session_id in chosen),
        available=len(having),
        left_out=left_out,
        note=_note(having, chosen, budget),
        chars=budget - left,
    )


def _has_file(fact: SessionFacts) -> bool:
    # Calls are worth showing also where no word that was said was captured.
    return fact.started and (
        fact.has_transcript or fact.has_connection_record or bool(fact.tool_calls)
    )


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
        if not all(fact.has_transcript for fact in having):
            # A refused connection is a record, and no transcript.
            return f"What was recorded of {plural(len(having), 'session')} is in this file."
        if len(having) == 1:
            return "The one transcript is in this file."
        return f"All {plural(len(having), 'transcript')} are in this file."
    some = Count(len(chosen), len(having), "transcript").text
    failed = [fact for fact in having if tone_of(fact.disposition) is Tone.FAIL]
    here = sum(fact.session_id in chosen for fact in failed)
    lead = f"This file carries {some}, within its budget of {budget:,} characters: "
    what = f"{Count(here, len(failed)).text} whose goal was not met"
    first = f"cited and failed sessions first ({what})." if failed else "cited sessions first."
    return (
        f"{lead}{first} The others are in the recording, in the file that their row or their id"
        " names; --layout site writes all of them, a page each."
    )
