"""The report on paper: what of it is printed whole, what in one line, and what is left out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reporter.models.wave import Transcripts
from reporter.view.beside import Beside, page_beside
from reporter.view.causes import cause_numbers
from reporter.view.count import Count
from reporter.view.goals import GoalBlock, RunBlock
from reporter.view.head import date_words
from reporter.view.links import SessionLinks
from reporter.view.matrix import MatrixGroup, MatrixRow, MatrixTable
from reporter.view.outline import slot_kind
from reporter.view.paper_evidence import brief_evidence
from reporter.view.paper_first import FirstPage, Paper, PaperTable, first_page
from reporter.view.paper_turns import Evidence, PaperTurns, paper_turns
from reporter.view.proposals import NO_PROPOSALS, ProposalsView, proposals_view
from reporter.view.provenance import FileLine
from reporter.view.recorded import ToolRow
from reporter.view.report import ReportView
from reporter.view.sessions import SessionRow
from reporter.view.text import one_line, plural
from reporter.vocabulary import Tone

RUNS_WHOLE: Final = 26
"""Runs drawn with their chain: about ten pages, twenty where each has dozens of sessions."""
RUNS_IN_LINES: Final = 110
"""Runs in one line each: about five pages."""
MATRIX_ROWS: Final = 110
"""Rows of the matrix: about six pages."""
SMALL: Final = 12
"""Rows of a matrix that still stands whole where there is room for it: half a page."""
MATRIX_COLUMNS: Final = 5
"""Columns of words that a page is wide enough for."""
MARK_COLUMNS: Final = 14
"""Columns of marks that a page is wide enough for."""
TABLE_ROWS: Final = 30
"""Rows of one table; WeasyPrint lays many small tables out faster than a long one."""
SESSIONS_LISTED: Final = 80
"""Rows of the session list: about five pages."""
TOOLS_LISTED: Final = 30
"""Tools: about a page and a half."""
PROPOSALS_LISTED: Final = 15
"""A model's proposals of one state: about two pages."""
FILES_LISTED: Final = 10
"""Input files that are listed with their digests."""
RUNNING_LIMIT: Final = 60
"""Characters of the wave's name in the running head."""
GOAL_LIMIT: Final = 40
"""Characters of a goal's title in the running head."""
SHOWN_WHOLE: Final = 140
"""Characters of a title that still makes a heading."""


@dataclass(frozen=True, slots=True)
class ContentsLine:
    """One line of the contents."""

    anchor: str
    title: str
    level: int
    """1 a section, 2 a goal."""


@dataclass(frozen=True, slots=True)
class PaperGroup:
    """One group of the matrix."""

    group: MatrixGroup
    tables: tuple[PaperTable, ...]
    more: str
    """The rows that are not printed, counted by outcome; may be empty."""


@dataclass(frozen=True, slots=True)
class PaperGoal:
    """One goal with the runs that are drawn whole."""

    block: GoalBlock
    heading: str
    """The title, or its head where it is too long for one."""
    whole_title: str
    """The title where the heading cuts it; empty otherwise."""
    running: str
    """The title as the running head names it: evidence may run over to a page without it."""
    runs: tuple[RunBlock, ...]
    lines: tuple[RunBlock, ...]
    """Runs of the same goal in one line each; mostly empty."""


@dataclass(frozen=True, slots=True)
class GoalLine:
    """One run in one line."""

    goal: str
    anchor: str
    """The goal's id, on its first line; empty on the others."""
    run: RunBlock


@dataclass(frozen=True, slots=True)
class PaperGoals:
    """The goals section."""

    whole: tuple[PaperGoal, ...]
    lines: tuple[tuple[GoalLine, ...], ...]
    """The other goals, a table each entry."""
    personas: bool
    """True: some of these lines name a persona."""
    more: str
    """Runs that have no line here, counted by outcome; may be empty."""
    rules: Mapping[str, str]
    """Sentences about fields that were not recorded, each with the letter it goes by."""


@dataclass(frozen=True, slots=True)
class PaperSessionGroup:
    """The listed sessions of one persona."""

    title: str
    words: str
    """How many are listed, and of how many."""
    rows: tuple[SessionRow, ...]


@dataclass(frozen=True, slots=True)
class PaperSessions:
    """The session list, or as much of it as fits."""

    lead: str
    groups: tuple[PaperSessionGroup, ...]


@dataclass(frozen=True, slots=True)
class PaperView:
    """Everything that the print templates loop over beside the report's own views."""

    report: ReportView
    description: str
    created: str
    """The time of making as ISO 8601, in UTC."""
    running: str
    made: str
    contents: tuple[ContentsLine, ...]
    left_out: tuple[str, ...]
    """What this file leaves out and where it is, one sentence each; may be empty."""
    first: FirstPage
    matrix: tuple[PaperGroup, ...]
    matrix_breaks: bool
    """True: the matrix is long, so that its tables run over from page to page."""
    bare: bool
    """True: the matrix shows marks only."""
    several_targets: bool
    """True: the wave has several targets, so lines name theirs."""
    goals: PaperGoals
    sessions: PaperSessions | None
    """None for a document that came without its sessions."""
    tools: tuple[ToolRow, ...]
    more_tools: str
    files: tuple[FileLine, ...]
    more_files: str
    proposals: ProposalsView
    """A model's proposals, fewer of each state than the page shows."""
    turns: PaperTurns
    placed: frozenset[str]
    """Links to the sessions whose turns are appended, so that their rows claim no id."""


def paper_view(
    view: ReportView,
    *,
    paper: Paper = "a4",
    evidence: Evidence = "cited",
    transcripts: Transcripts | None = None,
    beside: Beside | None = None,
) -> PaperView:
    """Lay a report out for paper; a large wave stays a document of about 50 pages.

    Args:
        view: The report.
        paper: Size of the page.
        evidence: Which transcript turns are appended; whole sessions make it longer.
        transcripts: Reads a session again; None where there is no recording to read.
        beside: The HTML report that it speaks of; None for the page of this view.

    Rule: report.md section 5.
    """
    page = beside or page_beside(view.sessions.embed)
    matrix = _matrix(view, page)
    goals = _goals(view, page)
    sessions = _sessions(view, page) if view.outline.recorded else None
    turns = paper_turns(view, evidence, transcripts, page)
    files, more_files = _files(view)
    said = [
        _goals_left_out(goals, page),
        _matrix_left_out(matrix, page),
        sessions.lead if sessions and _listed(sessions) < view.sessions.total else "",
        turns.left_out,
        page.transcripts if view.outline.recorded and (evidence != "all" or turns.left_out) else "",
    ]
    if any(said):
        said.append(page.missing)
    return PaperView(
        report=view,
        description=f"{view.summary.kind.word}. {view.head.size}",
        created=view.generated_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        running=_running(view),
        made=f"Swarm report, {date_words(view.generated_at)}",
        contents=_contents(view, goals, sessions, turns),
        left_out=tuple(sentence for sentence in said if sentence),
        first=first_page(view, paper),
        matrix=matrix,
        matrix_breaks=sum(len(table.rows) for group in matrix for table in group.tables) > SMALL,
        bare=view.matrix.style == "marks",
        several_targets=len(view.outline.targets) > 1,
        goals=goals,
        sessions=sessions,
        tools=_every_tool(view)[:TOOLS_LISTED],
        more_tools=_more_tools(view, page),
        files=files,
        more_files=more_files,
        proposals=_proposals(view),
        turns=turns,
        placed=frozenset(f"#{session.anchor}" for session in turns.sessions),
    )


def _running(view: ReportView) -> str:
    name = one_line(view.head.name, RUNNING_LIMIT)
    wave = one_line(view.head.wave_id, RUNNING_LIMIT // 2)
    return f"{name}, wave {wave}" if wave and wave != name else name


def _contents(
    view: ReportView, goals: PaperGoals, sessions: PaperSessions | None, turns: PaperTurns
) -> tuple[ContentsLine, ...]:
    lines = [ContentsLine("cautions", "Cautions", 1)]
    if view.decision:
        lines.append(ContentsLine("decision", "Decision", 1))
    for section in view.sections:
        if section.anchor == "sessions" and sessions is None:
            continue
        lines.append(ContentsLine(section.anchor, section.title, 1))
        if section.anchor == "goals":
            lines += [
                ContentsLine(goal.block.anchor, goal.block.short_title, 2) for goal in goals.whole
            ]
            if goals.lines:
                lines.append(ContentsLine("more-goals", "Other goals, in one line each", 2))
    if turns.sessions:
        lines.append(ContentsLine("turns", turns.title, 1))
    return tuple(lines)


def _matrix(view: ReportView, page: Beside) -> tuple[PaperGroup, ...]:
    groups = view.matrix.groups
    total = sum(len(group.table.rows) + len(group.table.folded) for group in groups)
    whole = total <= MATRIX_ROWS
    width = MARK_COLUMNS if view.matrix.style == "marks" else MATRIX_COLUMNS
    opened = MATRIX_ROWS if len(groups) < 2 else max(4, MATRIX_ROWS // len(groups))  # noqa: PLR2004  one group has all the room
    made = []
    for group in groups:
        rows = (*group.table.rows, *group.table.folded)
        kept = rows if whole else rows[:opened]
        made.append(
            PaperGroup(
                group, _tables(group.table, kept, width), _rows_left(view, rows[len(kept) :], page)
            )
        )
    return tuple(made)


def _tables(table: MatrixTable, rows: Sequence[MatrixRow], width: int) -> tuple[PaperTable, ...]:
    count = len(table.columns)
    pieces = -(-count // width) if count else 0
    step = -(-count // pieces) if pieces else 0
    made = []
    for start in range(0, count, step or 1):
        end = min(start + step, count)
        part = f"Columns {start + 1:,} to {end:,} of {count:,}" if pieces > 1 else ""
        cut = [MatrixRow(one.head, one.cells[start:end]) for one in rows]
        made += [
            PaperTable(table.columns[start:end], tuple(cut[row : row + TABLE_ROWS]), part)
            for row in range(0, len(cut), TABLE_ROWS)
        ]
    return tuple(made)


def _rows_left(view: ReportView, rows: Sequence[MatrixRow], page: Beside) -> str:
    if not rows:
        return ""
    # The note of a persona is its role, and says nothing of how its goals came out.
    notes = Counter(
        row.head.mark.word if row.head.mark else row.head.note or f"outcome in {page.place}"
        for row in rows
    )
    named = notes.most_common(6)
    said = [f"{count:,} {note}" for note, count in named]
    left = len(rows) - sum(count for _, count in named)
    said += [f"{left:,} that came out otherwise"] if left else []
    lead = plural(len(rows), f"more {view.matrix.rows_are.lower()}")
    return f"{lead} not printed here: {', '.join(said)}."


def _matrix_left_out(groups: Sequence[PaperGroup], page: Beside) -> str:
    if not any(group.more for group in groups):
        return ""
    return (
        "The matrix prints the rows with most not met and counts the others;"
        f" every row is in {page.place}."
    )


def _goals(view: ReportView, page: Beside) -> PaperGoals:
    left = RUNS_WHOLE
    whole: list[PaperGoal] = []
    lines: list[GoalLine] = []
    for block in view.goals.goals:
        runs = block.runs[:left]
        left -= len(runs)
        if not runs:
            lines += [
                GoalLine(block.short_title, block.anchor if index == 0 else "", run)
                for index, run in enumerate(block.runs)
            ]
            continue
        cut = len(block.title) > SHOWN_WHOLE
        whole.append(
            PaperGoal(
                block=block,
                heading=block.short_title if cut else block.title,
                whole_title=block.title if cut else "",
                running=one_line(block.short_title, GOAL_LIMIT),
                runs=tuple(replace(one, evidence=brief_evidence(one.evidence)) for one in runs),
                lines=block.runs[len(runs) :],
            )
        )
    kept = lines[:RUNS_IN_LINES]
    counts = Counter(line.run.mark.word for line in lines[RUNS_IN_LINES:])
    said = ", ".join(f"{count:,} {word}" for word, count in counts.most_common())
    return PaperGoals(
        whole=tuple(whole),
        lines=tuple(
            tuple(kept[start : start + TABLE_ROWS]) for start in range(0, len(kept), TABLE_ROWS)
        ),
        personas=any(line.run.persona for line in kept),
        more=f"{plural(sum(counts.values()), 'more run')} in {page.place}: {said}."
        if counts
        else "",
        rules=_rules(whole),
    )


def _rules(goals: Sequence[PaperGoal]) -> dict[str, str]:
    """Give each sentence about an inferred field a letter: whole, they would fill the page."""
    found = dict.fromkeys(
        link.inferred
        for goal in goals
        for run in goal.runs
        if run.chain
        for link in run.chain.links
        if link.inferred
    )
    return {text: _letter(position) for position, text in enumerate(found)}


def _letter(position: int) -> str:
    """Return `a` to `z`, then `a2` to `z2` and so on."""
    turn, place = divmod(position, 26)
    return f"{chr(ord('a') + place)}{turn + 1 if turn else ''}"


def _goals_left_out(goals: PaperGoals, page: Beside) -> str:
    drawn = sum(len(goal.runs) for goal in goals.whole)
    lined = sum(len(goal.lines) for goal in goals.whole) + sum(len(part) for part in goals.lines)
    if not lined:
        return ""
    lead = (
        f"{plural(drawn, 'run')} stand with their chain and evidence, those not met most often"
        f" first, and {lined:,} in one line each"
    )
    more = "; the rest are counted" if goals.more else ""
    return f"{lead}{more}. {page.subject} has every chain."


def _sessions(view: ReportView, page: Beside) -> PaperSessions:
    rows = [row for group in view.sessions.groups for row in group.rows]
    kept = rows
    lead, kind = view.sessions.lead, slot_kind(view.outline)
    if len(rows) > SESSIONS_LISTED:
        rank = {Tone.FAIL: 0, Tone.WARN: 1, Tone.MUTED: 2, Tone.OK: 3}
        ranked = sorted(range(len(rows)), key=lambda at: (rank[rows[at].mark.tone], at))
        kept = [rows[at] for at in sorted(ranked[:SESSIONS_LISTED])]
        lead = (
            f"{len(kept):,} of {plural(len(rows), f'{kind} session')} are listed, those whose"
            f" goal was not met first. All are in {page.place}."
        )
    planned = Counter(row.persona for row in rows)
    listed: dict[str, list[SessionRow]] = {}
    for row in kept:
        listed.setdefault(row.persona, []).append(row)
    return PaperSessions(
        lead,
        tuple(
            PaperSessionGroup(
                persona, Count(len(own), planned[persona], kind=kind).text, tuple(own)
            )
            for persona, own in listed.items()
        ),
    )


def _proposals(view: ReportView) -> ProposalsView:
    wave = view.outline.wave
    if wave.phrases is None:
        return NO_PROPOSALS
    links = SessionLinks(view.outline.facts, view.places, view.names)
    return proposals_view(wave.phrases, links, cause_numbers(wave.findings), PROPOSALS_LISTED)


def _listed(sessions: PaperSessions) -> int:
    return sum(len(group.rows) for group in sessions.groups)


def _every_tool(view: ReportView) -> tuple[ToolRow, ...]:
    return (*view.recorded.tools, *view.recorded.quiet_tools)


def _more_tools(view: ReportView, page: Beside) -> str:
    left = _every_tool(view)[TOOLS_LISTED:]
    errors = sum(tool.errors.count for tool in left)
    beside = f"with {plural(errors, 'error')}" if errors else "without an error"
    said = f"{plural(len(left), 'more tool')} {beside} in {page.place}." if left else ""
    return " ".join(part for part in (said, view.recorded.more_tools) if part)


def _files(view: ReportView) -> tuple[tuple[FileLine, ...], str]:
    files = view.provenance.files[:FILES_LISTED]
    total = len(view.outline.wave.provenance.files)
    if len(files) == total:
        return files, ""
    return files, (
        f"and {plural(total - len(files), 'more file')}; the source revision above covers"
        " every one."
    )
