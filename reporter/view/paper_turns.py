"""The turns that close the paper report: cited ones with their neighbours, or whole sessions."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Final, Literal

from reporter.models.facts import SessionFacts
from reporter.models.wave import Transcripts
from reporter.view.anchor import criterion_anchor, session_anchor
from reporter.view.beside import Beside, page_beside
from reporter.view.citations import CiteLink
from reporter.view.count import Count
from reporter.view.report import ReportView
from reporter.view.text import CleanText, Clipped, clip, one_line, plural, quoted
from reporter.view.tone import ToneMark, tone_mark
from reporter.view.transcript import CallEntry, Entry, NoteEntry, SpeechEntry, transcript_view
from reporter.vocabulary import Tone, tone_of

Evidence = Literal["cited", "failed", "all", "none"]
"""Which transcript turns are appended."""

CITED_SESSIONS: Final = 40
"""Sessions whose cited turns are appended by default."""
CITED_ROWS: Final = 110
"""Rows of turns that are appended by default: about eight pages."""
CITED_LIMIT: Final = 1_200
"""Characters of a cited turn."""
NEIGHBOUR_LIMIT: Final = 320
"""Characters of a turn beside a cited one."""
WHOLE_LIMIT: Final = 2_400
"""Characters of a turn where whole sessions are appended."""
WHOLE_CHARS: Final = 450_000
"""Characters of whole sessions that are appended: about 150 pages, which render in time."""
ROW_CHARS: Final = 80
"""Characters that a row counts for at least: to lay a row out takes time, whatever it says."""
ARGUMENTS_LIMIT: Final = 360
"""Characters of a call's arguments."""
LINE_CHARS: Final = 40
"""Characters that a line counts for at least: a list of short lines takes paper as well."""

_PAPER_LINE: Final = 90
_TALL: Final = 14
_BREAK: Final = re.compile(r"<br>\s*|</(?:p|li|tr|h\d|pre|blockquote)>\s*")
_TAG: Final = re.compile(r"<[^>]*>")
_SPACES: Final = re.compile(r"[ \t]*\n[ \t\n]*")


@dataclass(frozen=True, slots=True)
class PaperTurn:
    """One row: who, and what was said, called or returned."""

    anchors: tuple[str, ...]
    """Ids of the place, the same as on the page; links to any of them land here."""
    where: str
    """Such as `turn 2, m4`, as findings cite it; empty for a second row of the same place."""
    who: str
    text: str
    """As recorded, cleaned and bounded."""
    note: str
    """What is missing of it; may be empty."""
    code: bool
    """True: arguments or a result, set in the narrow letter."""
    tone: Literal["", "fail"]
    cites: tuple[CiteLink, ...]
    """Findings that cite this place; such a row carries the rule of a citation."""
    gap: bool
    """True: turns before it are left out."""

    @property
    def is_tall(self) -> bool:
        """True where so many lines may go over two pages; a shorter row stays in one piece."""
        return len(self.text) // _PAPER_LINE + self.text.count("\n") >= _TALL


@dataclass(frozen=True, slots=True)
class PaperSession:
    """The appended turns of one session."""

    anchor: str
    title: str
    mark: ToneMark
    turns: tuple[PaperTurn, ...]
    note: str
    """What of the session is not here; may be empty."""


@dataclass(frozen=True, slots=True)
class PaperTurns:
    """Everything that is appended."""

    title: str
    lead: str
    sessions: tuple[PaperSession, ...]
    left_out: str
    """One sentence about what is not here and where it is; empty where all is."""


def paper_turns(
    view: ReportView,
    evidence: Evidence,
    transcripts: Transcripts | None,
    page: Beside | None = None,
) -> PaperTurns:
    """Choose and set the turns that are appended.

    Args:
        view: The report.
        evidence: Which turns.
        transcripts: Reads a session again; None where there is no recording to read.
        page: The HTML report, where what is not appended is found; None for this view's.

    Rule: report.md section 5, `--pdf-evidence`.
    """
    beside = page or page_beside(view.sessions.embed)
    title = {"cited": "Cited turns", "failed": "Sessions that failed", "all": "Sessions, whole"}
    facts = view.outline.facts
    if evidence == "none" or transcripts is None or not facts:
        why = f"No turns are appended to this file; they are in {beside.place}." if facts else ""
        return PaperTurns("", "", (), why)
    if evidence == "cited":
        made, left_out = _cited(view, transcripts, beside)
        lead = "The places that findings cite, each with its neighbours, as recorded."
    else:
        chosen = [
            fact
            for fact in facts.values()
            if fact.started and (evidence == "all" or tone_of(fact.disposition) is Tone.FAIL)
        ]
        which = "that started" if evidence == "all" else "whose goal was not met"
        made, left_out = _within(view, chosen, transcripts, which, beside)
        lost = any(fact.is_lost for fact in chosen)
        loaded = ", as far as it could be loaded" if lost else ""
        lead = f"Every recorded turn of {plural(len(made), 'session')} {which}{loaded}."
    return PaperTurns(title[evidence], lead, tuple(made), left_out)


def _within(
    view: ReportView,
    chosen: Sequence[SessionFacts],
    transcripts: Transcripts,
    which: str,
    page: Beside,
) -> tuple[list[PaperSession], str]:
    """Set whole sessions until paper runs out; none is cut in its middle."""
    made: list[PaperSession] = []
    left = WHOLE_CHARS
    for fact in chosen:
        session = _whole(view, fact, transcripts)
        left -= sum(max(len(turn.text), ROW_CHARS) for turn in session.turns)
        if left < 0 and made:
            break
        made.append(session)
    if len(made) == len(chosen):
        return made, ""
    some = Count(len(made), len(chosen)).text
    return made, f"{some} {which} are appended whole; the others are in {page.place}."


def _cited(
    view: ReportView, transcripts: Transcripts, page: Beside
) -> tuple[list[PaperSession], str]:
    order = _cited_order(view)
    made: list[PaperSession] = []
    rows = 0
    for session_id in order[:CITED_SESSIONS]:
        if rows >= CITED_ROWS:
            break
        session = _excerpt(view, view.outline.facts[session_id], transcripts)
        if session.turns:
            made.append(session)
            rows += len(session.turns)
    if len(order) == len(made):
        return made, ""
    some = Count(len(made), len(order), kind="cited").text
    return made, (
        f"Turns of {some} are appended, the first of every finding before the second of any;"
        f" the others are in {page.place}."
    )


def _cited_order(view: ReportView) -> list[str]:
    """Order sessions with cited turns: causes first, then one of every finding, then the next."""
    seen: dict[str, int] = {}
    ranks: dict[str, tuple[int, int]] = {}
    for session_id, places in view.cites.items():
        turns = [links for pointer, links in places.items() if not pointer.startswith("c:")]
        if session_id not in view.outline.facts or not turns:
            continue
        for link in dict.fromkeys(link for links in turns for link in links):
            position = seen.get(link.href, 0)
            seen[link.href] = position + 1
            rank = (0 if link.href.startswith("#cause.") else 1, position)
            ranks[session_id] = min(rank, ranks.get(session_id, rank))
    numbered = list(ranks)
    return sorted(numbered, key=lambda one: (ranks[one], numbered.index(one)))


def _excerpt(view: ReportView, fact: SessionFacts, transcripts: Transcripts) -> PaperSession:
    cites = view.cites.get(fact.session_id, {})
    entries = transcript_view(fact, transcripts(fact.session_id), cites).entries
    cited = [index for index, entry in enumerate(entries) if entry.cites]
    if not cited:
        named = {pointer.rpartition(":")[2] for pointer in cites if pointer.startswith("signal:")}
        cited = [index for index, entry in enumerate(entries) if _begins(entry, named)]
    kept = sorted({near for index in cited for near in (index - 1, index, index + 1)})
    kept = [index for index in kept if 0 <= index < len(entries) and not _is_folded(entries[index])]
    # The result of a check stands at its goal; without a turn there is nothing to append.
    rows: list[PaperTurn] = list(_checks(fact, cites)) if cited else []
    turns = _turns(entries)
    before = -1
    for index in kept:
        gap = index > before + 1
        limit = CITED_LIMIT if index in cited else NEIGHBOUR_LIMIT
        for row in _rows(entries[index], limit, turns[index]):
            rows.append(_with_gap(row) if gap else row)
            gap = False
        before = index
    return _session(view, fact, rows, "")


def _whole(view: ReportView, fact: SessionFacts, transcripts: Transcripts) -> PaperSession:
    cites = view.cites.get(fact.session_id, {})
    shown = transcript_view(fact, transcripts(fact.session_id), cites)
    rows = list(_checks(fact, cites))
    for entry, turn in zip(shown.entries, _turns(shown.entries), strict=True):
        rows.extend(_rows(entry, WHOLE_LIMIT, turn))
    return _session(view, fact, rows, shown.note)


def _session(
    view: ReportView, fact: SessionFacts, rows: Sequence[PaperTurn], note: str
) -> PaperSession:
    persona = view.outline.personas[(fact.persona_ref_id, fact.persona_name)].name
    goal = view.outline.goals[fact.goal_id].short_title
    target = view.outline.targets[fact.target_id].label if len(view.outline.targets) > 1 else ""
    parts = (f"{view.names[fact.session_id]}: {persona}", quoted(goal), target)
    return PaperSession(
        anchor=session_anchor(fact.session_id),
        title=", ".join(part for part in parts if part),
        mark=tone_mark(fact.disposition),
        turns=tuple(rows),
        note=note,
    )


def _is_folded(entry: Entry) -> bool:
    """Tell whether an entry is a system message, whose size alone would be printed."""
    return isinstance(entry, SpeechEntry) and bool(entry.folded) and not entry.cites


def _turns(entries: Sequence[Entry]) -> list[str]:
    """Name the turn of each entry as findings cite it; empty before the first."""
    found: list[str] = []
    for entry in entries:
        begun = entry.turn_anchors[-1].rpartition(".turn")[2] if entry.turn_anchors else ""
        last = found[-1] if found else ""
        found.append(f"turn {int(begun) + 1:,}" if begun else last)
    return found


def _begins(entry: Entry, turns: AbstractSet[str]) -> bool:
    return any(anchor.rpartition(".turn")[2] in turns for anchor in entry.turn_anchors)


def _checks(fact: SessionFacts, cites: Mapping[str, tuple[CiteLink, ...]]) -> Iterator[PaperTurn]:
    """Set the results of cited checks, which no turn of the conversation carries."""
    for check in fact.criteria:
        found = cites.get(f"c:{check.criterion_id}")
        if found:
            name = quoted(one_line(check.label or check.criterion_id, 160))
            reason = one_line(check.reason or "", 600)
            yield PaperTurn(
                anchors=(criterion_anchor(fact.session_id, check.criterion_id),),
                where="",
                who="Check",
                text=f"{name}: {check.outcome}{'. ' + reason if reason else ''}",
                note=f"follows from the rule {quoted(one_line(check.inferred, 160))}"
                if check.inferred
                else "",
                code=False,
                tone="fail" if check.outcome == "failed" else "",
                cites=found,
                gap=False,
            )


def _rows(entry: Entry, limit: int, turn: str) -> Iterator[PaperTurn]:
    if isinstance(entry, SpeechEntry):
        rows = iter((_speech(entry, limit),))
    elif isinstance(entry, CallEntry):
        rows = _call(entry, limit)
    else:
        rows = iter((_note(entry),))
    first = next(rows)
    yield replace(first, where=", ".join(part for part in (turn, first.where) if part))
    yield from rows


def _speech(entry: SpeechEntry, limit: int) -> PaperTurn:
    whole = entry.folded or entry.source or (_words(entry.body.markup) if entry.body else "")
    said = _cut(whole, limit)
    return PaperTurn(
        anchors=(entry.anchor, *entry.turn_anchors),
        where=entry.label,
        who=entry.name,
        text=said.text,
        note=_joined(said.note, entry.note),
        code=False,
        tone="",
        cites=entry.cites,
        gap=False,
    )


def _call(entry: CallEntry, limit: int) -> Iterator[PaperTurn]:
    arguments = _narrow(entry.arguments, ARGUMENTS_LIMIT)
    yield PaperTurn(
        anchors=(entry.anchor, *entry.turn_anchors),
        where=entry.label,
        who="Call" if entry.by == "Called" else "Call of the persona",
        text=f"{entry.name} {arguments.text}"
        if entry.folded_arguments
        else f"{entry.name}({arguments.text})",
        note=arguments.note,
        code=True,
        tone="",
        cites=() if entry.result else entry.cites,
        gap=False,
    )
    result = _narrow(entry.result, limit) if entry.result else Clipped("")
    failed = entry.state == "error"
    who = {"error": "Error", "missing": "", "blocked": "", "client": "Client"}
    yield PaperTurn(
        anchors=(),
        where="",
        who=who.get(entry.state, "Result"),
        text=result.text or entry.line,
        note=_joined(result.note, entry.inferred),
        code=bool(result.text),
        tone="fail" if failed else "",
        cites=entry.cites if entry.result else (),
        gap=False,
    )


def _note(entry: NoteEntry) -> PaperTurn:
    return PaperTurn(
        anchors=tuple(anchor for anchor in (entry.anchor, *entry.turn_anchors) if anchor),
        where="",
        who="",
        text=entry.text,
        note="",
        code=False,
        tone=entry.tone,
        cites=entry.cites,
        gap=False,
    )


def _with_gap(row: PaperTurn) -> PaperTurn:
    return PaperTurn(
        row.anchors, row.where, row.who, row.text, row.note, row.code, row.tone, row.cites, gap=True
    )


def _narrow(text: Clipped, limit: int) -> Clipped:
    """Cut what is already cut, and count everything that is missing.

    JSON is set on as few lines as it fills: indented, it takes more paper than it says.
    """
    whole = _SPACES.sub(" ", text.text) if text.text[:1] in ("{", "[") else text.text
    shown = _cut(whole, limit)
    return Clipped(shown.text, shown.left_out + text.left_out)


def _cut(text: str, limit: int) -> Clipped:
    """Cut a text after `limit` characters, or after the lines that so many would fill."""
    said = clip(text, limit)
    lines = said.text.split("\n")
    most = limit // LINE_CHARS
    if len(lines) <= most:
        return said
    shown = CleanText("\n".join(lines[:most]).rstrip())
    return Clipped(shown, said.left_out + len(said.text) - len(shown))


def _words(body: str) -> str:
    """Return the words of a set message, a line a block: escapes undone, tags gone."""
    plain = html.unescape(_TAG.sub("", _BREAK.sub("\n", body)))
    return _SPACES.sub("\n", plain).strip()


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
