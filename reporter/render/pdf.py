"""The report as a PDF: print templates over the same views, rendered in a child process."""

import re
import unicodedata
from collections.abc import Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import BinaryIO, Final

from reporter.errors import RenderError
from reporter.models.wave import Transcripts
from reporter.render.environment import environment, naming_template
from reporter.render.pdf_process import RenderedPdf, render_in_child
from reporter.view.beside import Beside
from reporter.view.paper import paper_view
from reporter.view.paper_first import Paper
from reporter.view.paper_turns import Evidence
from reporter.view.report import ReportView
from reporter.view.text import ELLIPSIS
from reporter.whole_file import whole_file

DEFAULT_TIMEOUT_S: Final = 120.0
"""Wall time that a PDF may take; the largest default report takes a fifth of it."""
DEFAULT_MEMORY_MB: Final = 2_048
"""Memory that a PDF may take; 260 pages need about a fifth of it."""

_SIZES: Final = {"a4": "A4", "letter": "letter"}
_ID: Final = re.compile(r' id="([^"]*)"')
_HREF: Final = re.compile(r' href="#([^"]*)"')
_MARKS_KEPT: Final = 8
"""Marks on one letter: more would be drawn over the lines above it."""


def write_pdf(  # noqa: PLR0913  each is a choice of the caller's
    view: ReportView,
    target: Path | BinaryIO,
    *,
    paper: Paper = "a4",
    timeout_s: float = DEFAULT_TIMEOUT_S,
    memory_mb: int = DEFAULT_MEMORY_MB,
    evidence: Evidence = "cited",
    transcripts: Transcripts | None = None,
    overrides: Sequence[Traversable] = (),
    beside: Beside | None = None,
) -> RenderedPdf:
    """Write the report as an accessible PDF (PDF/UA-1).

    Args:
        view: The report.
        target: The file to write, which appears whole or not at all, or one that is open.
        paper: Size of the page.
        timeout_s: Wall time after which rendering is given up.
        memory_mb: Memory that rendering may take.
        evidence: Which transcript turns are appended.
        transcripts: Reads a session again; None where there is no recording to read.
        overrides: Folders whose templates stand before our own.
        beside: The HTML report that the PDF speaks of; None for the page of this view.

    Returns:
        What was made: its bytes, pages, and the characters no installed font can draw.

    Raises:
        RenderError: It could not be rendered within its limits, a template failed, or the
            file cannot be written; no file is left behind then.

    Rule: report.md section 5.
    """
    page = print_page(
        view,
        paper=paper,
        evidence=evidence,
        transcripts=transcripts,
        overrides=overrides,
        beside=beside,
    )
    made = render_in_child(
        page,
        created=view.generated_at,
        timeout_s=timeout_s,
        memory_mb=memory_mb,
    )
    _put(target, made.content)
    return made


def print_page(  # noqa: PLR0913  each is a choice of the caller's
    view: ReportView,
    *,
    paper: Paper = "a4",
    evidence: Evidence = "cited",
    transcripts: Transcripts | None = None,
    overrides: Sequence[Traversable] = (),
    beside: Beside | None = None,
) -> str:
    """Return the HTML that the PDF is made of; every link in it lands inside.

    Raises:
        RenderError: A template fails; the message names it and its line.
    """
    laid = paper_view(view, paper=paper, evidence=evidence, transcripts=transcripts, beside=beside)
    with naming_template():
        template = environment(overrides).get_template("print/report.html")
        page = template.render(report=view, paper=laid, size=_SIZES[paper])
    return _landing(_carried(page))


def _landing(page: str) -> str:
    """Lead each link to what is printed: its place, else what that is part of, else nowhere."""
    ids = set(_ID.findall(page))

    def lead(found: re.Match[str]) -> str:
        place = found[1]
        while place and place not in ids:
            place = place.rpartition(".")[0]
        return f' href="#{place}"' if place else ""

    return _HREF.sub(lead, page)


def _carried(page: str) -> str:
    """Give every combining mark a letter to stand on, and no letter a tower of them.

    A mark without a letter is drawn on a circle that the text does not hold, so that it
    could be read and not be found.
    """
    marks = "".join(
        sorted(one for one in set(page) if one > "\u02ff" and unicodedata.category(one)[0] == "M")
    )
    if not marks:
        return page
    one = f"[{re.escape(marks)}]"
    page = re.sub(f"({one}{{{_MARKS_KEPT}}}){one}+", rf"\1{ELLIPSIS}", page)
    return re.sub(f'(^|[\\s>"])(?={one})', "\\1\u25cc", page)


def _put(target: Path | BinaryIO, content: bytes) -> None:
    """Write the PDF whole, or say why it cannot be written."""
    if not isinstance(target, Path):
        target.write(content)
        return
    try:
        with whole_file(target) as file:
            file.write(content)
    except OSError as error:
        raise RenderError(f"{target.name} cannot be written: {error.strerror or error}.") from error
