"""The HTML of a report on disk: one page, or a folder of pages, whole or not at all."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Final

from reporter.errors import RenderError
from reporter.models.wave import Transcripts
from reporter.pipeline.collector import collector_paused
from reporter.pipeline.options import Progress, quietly
from reporter.pipeline.spread import core_count, spread
from reporter.pipeline.swap import Swap
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
_SIGNED: Final = b"Written by swarm-reporter."
"""How every mark begins, whichever version wrote it."""
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


def make_html(work: HtmlWork, folder: Path, swap: Swap) -> Path:
    """Make the report as HTML in a folder that exists.

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
    stream = swap.file(folder / page)
    pages = swap.folder(folder / PAGES) if is_site else None
    with collector_paused(), closing(_rendered(work, assets, pages)) as rendered:
        if pages is not None:
            _mark(pages)
        else:
            swap.without(folder / PAGES, _is_marked)
        if assets.files():
            beside = swap.folder(folder / FOLDER)
            for name, text in assets.files().items():
                (beside / name).write_bytes(text.encode())
            _mark(beside)
        else:
            swap.without(folder / FOLDER, _is_marked)
        # The page of an earlier report would contradict this one.
        swap.without(folder / other, _is_page)
        for piece in _index(work, assets, rendered):
            # Half a character can stand in recorded text; it has no UTF-8 form.
            stream.write(piece.encode("utf-8", "replace"))
    return folder / page


def _index(work: HtmlWork, assets: PageAssets, rendered: Iterator[str]) -> Iterator[str]:
    """Write the page that a reader opens first, around what is many and rendered elsewhere."""
    # With the first piece asked for, the session pages are written, and the other pieces are
    # being made while the page begins.
    stream = chain(list(islice(rendered, 1)), rendered)
    parts = Rendered(rows=islice(stream, len(row_chunks(work.view))), sessions=stream)
    return render_html(
        work.view, work.transcripts, work.look.overrides, assets=assets, rendered=parts
    )


def _rendered(work: HtmlWork, assets: PageAssets, pages: Path | None) -> Generator[str, None, None]:
    """Write the session pages, then render what is many of the report's own, by all processes.

    Args:
        work: What is written.
        assets: Style and scripts of the report's page.
        pages: Folder of the session pages, or None where there are none.

    Yields:
        The rows of the list, then the transcripts that the report's page carries, in pieces.
    """
    view, look = work.view, work.look
    ids = _alike_together(view) if pages is not None else []
    chunks = [OwnPages(ids[at : at + _TOGETHER]) for at in range(0, len(ids), _TOGETHER)]
    pieces: list[Piece] = [*row_chunks(view), *transcript_chunks(view)]
    used = page_assets(look.overrides, assets.where, session=True, theme=look.theme)
    waiting = len(ids) or view.sessions.total - view.sessions.first
    results = spread(
        _render_piece,
        [*chunks, *pieces],
        jobs=work.jobs or (core_count() if waiting >= _WORTH_SPREADING else 1),
        prepare=_take,
        shared=(Taken(view, work.transcripts, used, pages, look.overrides),),
    )
    if ids:
        work.progress(0, len(ids))
    for written, _ in enumerate(islice(results, len(chunks)), start=1):
        work.progress(min(written * _TOGETHER, len(ids)), len(ids))
    work.progress(0, len(pieces))
    for done, piece in enumerate(results, start=1):
        yield piece
        work.progress(done, len(pieces))


def _alike_together(view: ReportView) -> list[str]:
    """Return the sessions that have pages, tries of one run on one target behind each other.

    They are told much of the same and get the same answers, which a process then sets once.
    """
    facts = view.outline.facts
    return sorted(view.places.files, key=lambda own: (facts[own].run_id, facts[own].target_id))


@dataclass(frozen=True, slots=True)
class Taken:
    """What all sessions of a report share, as a process keeps it."""

    view: ReportView
    transcripts: Transcripts
    assets: PageAssets
    pages: Path | None
    """Folder of the session pages, or None where transcripts stand in the report's own."""
    overrides: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class OwnPages:
    """Sessions that each get a page."""

    ids: Sequence[str]


Piece = OwnPages | tuple[int, int] | tuple[str, ...]
"""Sessions with pages, rows of the list from one place to another, or the ids of transcripts."""


# One process renders one report.
_taken: list[Taken] = []


def _take(shared: Taken) -> None:
    _taken[:] = [shared]


def _render_piece(piece: Piece) -> str:
    """Write session pages, which gives nothing, or render a part of the report's own page."""
    (one,) = _taken
    match piece:
        case OwnPages(ids):
            _write_pages(one, ids)
            return ""
        case (int(start), int(end)):
            return render_rows(one.view, (start, end), one.overrides)
        case _:
            carried = [str(session_id) for session_id in piece]
            return render_transcripts(one.view, carried, one.transcripts, one.overrides)


def _write_pages(one: Taken, ids: Sequence[str]) -> None:
    if one.pages is None:
        return
    for session_id in ids:
        pieces = render_session(
            one.view, session_id, one.transcripts, one.overrides, assets=one.assets
        )
        # Each by itself: style and script have no letter that would slow their encoding.
        page = b"".join([piece.encode("utf-8", "replace") for piece in pieces])
        with (one.pages / one.view.places.files[session_id]).open("xb") as stream:
            stream.write(page)


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
    """Tell whether a report filled a folder: others have a file of the mark's name too."""
    return not folder.is_symlink() and _head(folder / MARK, len(_SIGNED)) == _SIGNED


def _is_page(page: Path) -> bool:
    """Tell whether a file is the page of a report, and not somebody else's."""
    return _OURS in _head(page, _HEAD_BYTES)


def _head(file: Path, size: int) -> bytes:
    """Return how a file begins; nothing of what is none: a pipe would never answer."""
    try:
        if not file.is_file():
            return b""
        with file.open("rb") as stream:
            return stream.read(size)
    except OSError:
        return b""
