"""The first page on paper: how much of the matrix still fits under the summary.

A page that ran over by two lines would leave the next one empty, and a layout engine tells
only afterwards. So the height of the summary is estimated from its words, generously.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from reporter.view.matrix import MatrixGroup, MatrixHead, MatrixRow
from reporter.view.report import ReportView
from reporter.view.summary import SummaryView
from reporter.view.text import plural

Paper = Literal["a4", "letter"]
"""The sizes of a page."""

COLUMNS: Final = 4
"""Columns of the short matrix."""
ROWS: Final = 12
"""Rows of the short matrix, where there is room for as many."""
GROUPS: Final = 4
"""Targets whose personas stand with their outcomes where goals are many."""

_HEIGHT_MM: Final = {"a4": 274.0, "letter": 256.0}
"""Height between the margins of the first page; a little more, because words are counted
generously (measured: some 15 mm stayed free)."""
_TEXT: Final = 101
"""Characters of a line of text, counted generously."""
_SMALL: Final = 114
"""Characters of a line of small text."""
_HEADLINE: Final = 50
_LONG_HEADLINE: Final = 64
_FIX: Final = 78
_LEDGER: Final = 42
"""Characters of a line in the last column of the ledger."""
_KEY: Final = 128
"""Characters of a line under the matrix."""
_WORDS_LINK: Final = " What each word means"
_MORE: Final = " 999 more goals and 99 more personas in the whole matrix."
"""What is said of the rest, which is known only once the rows are chosen."""
_HEAD: Final = (0, 62, 46, 31, 28)
"""Characters of a line in the first column of the matrix, by the number of the others."""
_CELLS: Final = 82
"""Characters of a line over all columns of the matrix."""


@dataclass(frozen=True, slots=True)
class PaperTable:
    """As much of the matrix as one table holds."""

    columns: tuple[MatrixHead, ...]
    rows: tuple[MatrixRow, ...]
    """Each with as many cells as there are columns here."""
    part: str
    """Such as `Columns 6 to 10 of 12`; empty where all stand in one table."""


@dataclass(frozen=True, slots=True)
class FirstPage:
    """What stands under the summary: the matrix in its short form, words and marks."""

    table: PaperTable | None
    """None where there is no room, or where goals are too many for it."""
    groups: tuple[MatrixGroup, ...]
    """Where goals are many: personas with their outcomes, a target each."""
    more: str
    """What of the matrix is not on this page; may be empty."""
    refusals: int
    """Recorded refusals that are named here, where nothing ran; the others stand at their goals."""
    long_headline: bool
    full: bool
    """True: the words alone may fill the page, so what follows must not begin a new one."""


def first_page(view: ReportView, paper: Paper) -> FirstPage:
    """Choose what of the matrix the first page shows.

    Rule: report.md section 5; design.md, Paper.
    """
    summary = view.summary
    long_headline = summary.headline.length > 2 * _HEADLINE
    # Where something ran, the reason recorded most often stands in the launch line.
    refusals = 0 if summary.launched else min(2, len(summary.refusals))
    left = _HEIGHT_MM[paper] - _used_mm(view, long_headline=long_headline, refusals=refusals)
    groups = view.matrix.groups
    shown: tuple[MatrixGroup, ...] = ()
    if any(group.overview for group in groups):
        left -= 6
        shown, left = _overviews(groups, left)
    # Several targets have a table each, and one of them alone would speak for all.
    table = _short_table(view, left) if len(groups) == 1 else None
    rest = len(groups) - len(shown)
    if shown and rest:
        more = f"{plural(rest, 'target')} more in the matrix."
    else:
        more = _more(view, table) if table else ""
    return FirstPage(
        table=table,
        groups=shown,
        more=more,
        refusals=refusals,
        long_headline=long_headline,
        full=left < 0 and not shown,
    )


def _overviews(groups: Sequence[MatrixGroup], left: float) -> tuple[tuple[MatrixGroup, ...], float]:
    """Return the groups whose personas fit, and the height that is left beneath them."""
    shown: list[MatrixGroup] = []
    for group in groups[:GROUPS]:
        need = 11 + 6.4 * len(group.overview)
        if need > left:
            break
        left -= need
        shown.append(group)
    return tuple(shown), left


def _short_table(view: ReportView, left: float) -> PaperTable | None:
    if view.matrix.style == "marks":
        return None
    table = view.matrix.groups[0].table
    columns = table.columns[:COLUMNS]
    left -= 5 + _heads_mm(columns) + _key_mm(view)
    rows: list[MatrixRow] = []
    for row in (*table.rows, *table.folded)[:ROWS]:
        left -= _row_mm(row, len(columns))
        if left < 0:
            break
        rows.append(MatrixRow(row.head, row.cells[: len(columns)]))
    return PaperTable(columns, tuple(rows), "") if rows else None


def _more(view: ReportView, table: PaperTable) -> str:
    whole = view.matrix.groups[0].table
    left = []
    rows = len(whole.rows) + len(whole.folded) - len(table.rows)
    columns = len(whole.columns) - len(table.columns)
    other = "persona" if view.matrix.rows_are == "Goal" else "goal"
    if rows:
        left.append(plural(rows, f"more {view.matrix.rows_are.lower()}"))
    if columns:
        left.append(plural(columns, f"more {other}"))
    return f"{' and '.join(left)} in the whole matrix." if left else ""


def _used_mm(view: ReportView, *, long_headline: bool, refusals: int) -> float:
    head, summary = view.head, view.summary
    mast = (
        f"Swarm report, wave {head.wave_id}, {head.when}. {head.size} {', '.join(head.targets)}"
        f"{head.more_targets}. Revision {head.revision}, swarm-reporter {head.version}."
    )
    headline = (
        _rows(summary.headline.length, _LONG_HEADLINE) * 6.6
        if long_headline
        else _rows(summary.headline.length, _HEADLINE) * 8.0
    )
    said = sum(item.length + 1 for item in summary.items)
    why = "; ".join(f"{line.text} ({line.count})" for line in summary.refusals[:refusals])
    cautions = f"{summary.cautions.heading} {summary.cautions.sentence} What each means"
    erring = view.recorded.erring_words
    if summary.headline.model or not summary.claims:
        erring = ""
    decision = f" Decision. {summary.decision}" if summary.decision else ""
    launch = f"Launch. {summary.ledger.launch} {summary.not_run}{decision} {summary.job}"
    return (
        _lines(head.name, 70) * 6.5
        + _lines(mast, _SMALL) * 4.3
        + 12.5
        + _lines(f"{summary.kind.word} {summary.goals}", _TEXT) * 5.2
        + 3
        + headline
        + 3
        + _rows(said, _TEXT) * 4.9
        + 2
        + _fix_mm(summary)
        + (_lines(summary.model_words, _SMALL) * 4.3 + 2 if summary.model_words else 0)
        + _lines(f"What broke first. {summary.broke_first}", _TEXT)
        * 4.9
        * bool(summary.broke_first)
        + (_lines(f"{view.recorded.erring_head} {erring}", _TEXT) * 4.9 if erring else 0)
        + _lines(f"How sure. {summary.how_sure}", _TEXT) * 4.9
        + 2
        + _ledger_mm(summary)
        + _lines(f"{launch} {summary.sent}", _SMALL) * 4.3
        + 2
        + (_lines(f"Why sessions did not run. {why}", _SMALL) * 4.3 + 2 if why else 0)
        + _lines(cautions, _SMALL) * 4.3
        + 2
    )


def _fix_mm(summary: SummaryView) -> float:
    if summary.fix is not None:
        return 9 + _rows(summary.fix.length, _FIX) * 5.8
    return 5.2 + _lines(f"Suggested fix: {summary.no_fix}", _FIX) * 4.9 if summary.no_fix else 0


def _ledger_mm(summary: SummaryView) -> float:
    said = [step.left for step in summary.ledger.steps]
    if summary.ledger.outcomes is not None:
        said.append(summary.ledger.outcomes.words + " " * 8)
    return 9 + sum(max(4.5, 0.9 + _lines(text, _LEDGER) * 3.9) for text in said)


def _row_mm(row: MatrixRow, columns: int) -> float:
    wide = _CELLS // max(1, columns)
    lines = 0
    for cell in row.cells[:columns]:
        used, taken = 1, 0
        for line in cell.lines:
            # A mark is as wide as two letters, a bar as nine.
            need = len(line.target) + (2 * len(line.marks) or 9) + 1
            if taken and taken + need > wide:
                used, taken = used + 1, 0
            taken += need
        lines = max(lines, used)
    return max(6.6 + lines * 3.7, 2.0 + _wrapped(row.head.name, _HEAD[columns]) * 4.2)


def _key_mm(view: ReportView) -> float:
    """Height of what stands under the matrix: marks, caption, the rest, a link to the words."""
    marks = sum(len(text) + 5 for _, text in view.matrix.key)
    said = len(view.matrix.caption) + len(_MORE) + len(_WORDS_LINK)
    return _rows(marks + said, _KEY) * 4.3


def _heads_mm(columns: Sequence[MatrixHead]) -> float:
    """Height of the heads of the matrix, of which one line is counted with the table."""
    wide = _CELLS // max(1, len(columns)) - 6
    outcomes = (f" {head.mark.word}" if head.mark else "" for head in columns)
    lines = max(
        (_wrapped(head.name + word, wide) for head, word in zip(columns, outcomes, strict=True)),
        default=1,
    )
    return max(4.0, lines * 4.0)


def _wrapped(text: str, width: int) -> int:
    """Return the lines of a text whose words stay whole where they fit in one."""
    lines, used = 1, 0
    for word in text.split():
        need = len(word) + (1 if used else 0)
        if used and used + need > width:
            lines, used, need = lines + 1, 0, len(word)
        lines += (need - 1) // width if need > width else 0
        used = need % width if need > width else used + need
    return lines


def _lines(text: str, width: int) -> int:
    return _rows(len(text), width)


def _rows(characters: int, width: int) -> int:
    return max(1, math.ceil(characters / width))
