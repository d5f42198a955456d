"""The HTML of a report on disk: one page, or a folder of pages, whole or not at all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Final

from reporter.errors import RenderError
from reporter.models.wave import Transcripts
from reporter.pipeline.collector import collector_paused
from reporter.pipeline.options import Progress, quietly
from reporter.pipeline.spread import core_count, spread
from reporter.pipeline.swap import swapped
from reporter.render.assets import FOLDER, PageAssets, Where, page_assets
from reporter.render.html import (
    Rendered,
    render_html,
    render_rows,
    render_session,
    render_transcripts,
    row_chunks,
    transcript_chunks,
)
from reporter.render.look import PLAIN, Look
from reporter.view.places import INDEX, PAGES
from reporter.view.report import ReportView

PAGE: Final = "report.html"
"""The report where it is one page."""
MARK: Final = "about.txt"
"""Stands in every folder that a report fills, and says that the next report replaces it."""
_MARK_TEXT: Final = (
    "Written by swarm-reporter. This folder is replaced whole when the report is written again.\n"
)
_OURS: Final = b'<meta name="generator" content="swarm-reporter">'
_HEAD_BYTES: Final = 4_096
_TOGETHER: Final = 16
"""Session pages that a process writes at a time."""
_WORTH_SPREADING: Final = 48
"""Transcripts from which on a second process pays for its start."""


@dataclass(frozen=True, slots=True)
class HtmlWork:
    """What is written, and how."""

    view: ReportView
    transcripts: Transcripts
    assets: Where = "embed"
    jobs: int | None = None
    """Processes to render with, or None for one a core where it pays."""
    progress: Progress = quietly
    look: Look = PLAIN


def page_name(view: ReportView) -> str:
    """Return the name of the file that a reader opens first."""
    return INDEX if view.sessions.embed.layout == "site" else PAGE


def write_html(work: HtmlWork, folder: Path) -> list[Path]:
    """Write the report as HTML into a folder that exists.

    Everything is made beside its place, and takes its name only when all of it is there; the
    report's own page comes last. Pages of an earlier report do not survive.

    Returns:
        The page to open.

    Raises:
        RenderError: A template fails, or a folder of the report's name holds something else.
        OSError: Something cannot be written.

    Rule: report.md section 4, `Size`.
    """
    is_site = work.view.sessions.embed.layout == "site"
    look = work.look
    assets = page_assets(look.overrides, work.assets, theme=look.theme)
    for name in ((PAGES,) if is_site else ()) + ((FOLDER,) if assets.files() else ()):
        _refuse_foreign(folder / name)
    page, other = page_name(work.view), PAGE if is_site else INDEX
    with collector_paused(), swapped() as swap:
        stream = swap.file(folder / page)
        if is_site:
            pages = swap.folder(folder / PAGES)
            _write_sessions(work, assets, pages)
            _mark(pages)
        elif _is_marked(folder / PAGES):
            swap.without(folder / PAGES)
        if assets.files():
            beside = swap.folder(folder / FOLDER)
            for name, text in assets.files().items():
                (beside / name).write_bytes(text.encode())
            _mark(beside)
        elif _is_marked(folder / FOLDER):
            swap.without(folder / FOLDER)
        # The page of an earlier report would contradict this one.
        if _is_page(folder / other):
            swap.without(folder / other)
        for piece in _index(work, assets):
            # Half a character can stand in recorded text; it has no UTF-8 form.
            stream.write(piece.encode("utf-8", "replace"))
    return [folder / page]


def _index(work: HtmlWork, assets: PageAssets) -> Iterator[str]:
    """Write the page that a reader opens first; what is many is rendered by all processes."""
    rows = row_chunks(work.view)
    carried = transcript_chunks(work.view)
    pieces: list[Piece] = [*rows, *carried]
    jobs = _jobs(work, work.view.sessions.total - work.view.sessions.first)
    shared = (Taken(work.view, work.transcripts, assets, None, work.look.overrides),)

    def rendered() -> Iterator[str]:
        work.progress(0, len(pieces))
        found = spread(_render_piece, pieces, jobs=jobs, prepare=_take, shared=shared)
        for done, piece in enumerate(found, start=1):
            yield piece
            work.progress(done, len(pieces))

    stream: Iterator[str] = rendered()
    # With the first piece asked for, the others are being made while the page begins.
    stream = chain(list(islice(stream, 1)), stream)
    parts = Rendered(rows=islice(stream, len(rows)), sessions=stream)
    return render_html(
        work.view, work.transcripts, work.look.overrides, assets=assets, rendered=parts
    )


def _write_sessions(work: HtmlWork, assets: PageAssets, pages: Path) -> None:
    ids = _alike_together(work.view)
    chunks = [ids[start : start + _TOGETHER] for start in range(0, len(ids), _TOGETHER)]
    look = work.look
    used = page_assets(look.overrides, assets.where, session=True, theme=look.theme)
    done = 0
    work.progress(0, len(ids))
    for written in spread(
        _write_chunk,
        chunks,
        jobs=_jobs(work, len(ids)),
        prepare=_take,
        shared=(Taken(work.view, work.transcripts, used, pages, look.overrides),),
    ):
        done += written
        work.progress(done, len(ids))


def _alike_together(view: ReportView) -> list[str]:
    """Return the sessions that have pages, tries of one run on one target behind each other.

    They are told much of the same and get the same answers, which a process then sets once.
    """
    facts = view.outline.facts
    return sorted(view.places.files, key=lambda own: (facts[own].run_id, facts[own].target_id))


def _jobs(work: HtmlWork, sessions: int) -> int:
    return work.jobs or (core_count() if sessions >= _WORTH_SPREADING else 1)


@dataclass(frozen=True, slots=True)
class Taken:
    """What all sessions of a report share, as a process keeps it."""

    view: ReportView
    transcripts: Transcripts
    assets: PageAssets
    pages: Path | None
    """Folder of the session pages, or None where transcripts stand in the report's own."""
    overrides: tuple[Path, ...]


Piece = tuple[int, int] | tuple[str, ...]
"""Rows of the list from one place to another, or the ids of transcripts."""


# One process renders one report.
_taken: list[Taken] = []


def _take(shared: Taken) -> None:
    _taken[:] = [shared]


def _render_piece(piece: Piece) -> str:
    (one,) = _taken
    match piece:
        case (int(start), int(end)):
            return render_rows(one.view, (start, end), one.overrides)
        case _:
            ids = [str(session_id) for session_id in piece]
            return render_transcripts(one.view, ids, one.transcripts, one.overrides)


def _write_chunk(session_ids: Sequence[str]) -> int:
    (one,) = _taken
    for session_id in session_ids:
        if one.pages is not None:
            pieces = render_session(
                one.view, session_id, one.transcripts, one.overrides, assets=one.assets
            )
            # Each by itself: style and script have no letter that would slow their encoding.
            page = b"".join([piece.encode("utf-8", "replace") for piece in pieces])
            with (one.pages / one.view.places.files[session_id]).open("xb") as stream:
                stream.write(page)
    return len(session_ids)


def _refuse_foreign(path: Path) -> None:
    """Raise for something of a name that a report needs and that no report wrote."""
    if _is_marked(path) or not (path.is_symlink() or path.exists()):
        return
    if not path.is_symlink() and path.is_dir() and not any(path.iterdir()):
        return
    raise RenderError(
        f"{path.name}: something of that name is in the folder already, and no report wrote"
        " it. Name another folder with -o."
    )


def _mark(folder: Path) -> None:
    (folder / MARK).write_text(_MARK_TEXT, encoding="utf-8")


def _is_marked(folder: Path) -> bool:
    return (folder / MARK).is_file() and not folder.is_symlink()


def _is_page(page: Path) -> bool:
    """Tell whether a file is the page of a report, and not somebody else's."""
    try:
        with page.open("rb") as stream:
            return _OURS in stream.read(_HEAD_BYTES)
    except OSError:
        return False
