"""The report as HTML, written while it is rendered: one page, or a page for each session."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any, Final

from markupsafe import Markup

from reporter.models.wave import Transcripts
from reporter.render.assets import COMMON, REPORT, STYLES, THEME, PageAssets, page_assets
from reporter.render.environment import environment, naming_template
from reporter.view.play import ON_ITS_OWN
from reporter.view.report import ReportView
from reporter.view.session import session_view
from reporter.view.steps import session_steps

__all__ = [
    "COMMON",
    "REPORT",
    "STYLES",
    "THEME",
    "Rendered",
    "page_assets",
    "render_html",
    "render_rows",
    "render_session",
    "render_transcripts",
    "row_chunks",
    "transcript_chunks",
]

TOGETHER: Final = 24
"""Transcripts that are rendered together at most."""
ROWS_TOGETHER: Final = 250
"""Rows of a long list that are rendered together."""
_CHUNK: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Rendered:
    """The parts of the report's page that are many, in order."""

    rows: Iterable[str]
    """What `render_rows` gives for each of `row_chunks`."""
    sessions: Iterable[str]
    """What `render_transcripts` gives for each of `transcript_chunks`."""


def render_html(
    report: ReportView,
    transcripts: Transcripts,
    overrides: Sequence[Traversable] = (),
    *,
    assets: PageAssets | None = None,
    rendered: Rendered | None = None,
) -> Iterator[str]:
    """Write the report's own page.

    Args:
        report: The view of the whole report.
        transcripts: Reads one session again; called once for each transcript that the page
            carries, while the page is written.
        overrides: Folders whose templates and assets stand before our own.
        assets: Style and scripts; read here and embedded where not given.
        rendered: What is many, where somebody else renders it; then `transcripts` is not
            called.

    Yields:
        The page in pieces; at no time is it held whole.

    Raises:
        RenderError: A template fails; the message names it and its line.

    Rule: report.md section 4.
    """
    used = assets or page_assets(overrides)
    parts = rendered or Rendered(
        rows=(render_rows(report, chunk, overrides) for chunk in row_chunks(report)),
        sessions=(
            render_transcripts(report, ids, transcripts, overrides)
            for ids in transcript_chunks(report)
        ),
    )
    with naming_template():
        template = environment(overrides).get_template("report.html")
        stream = template.generate(
            report=report,
            rows=(Markup(one) for one in parts.rows),  # noqa: S704  rendered by our template
            sessions=(Markup(one) for one in parts.sessions),  # noqa: S704  the same
            title=report.title,
            **_shell(used, ""),
        )
        yield from _chunks(stream)


def transcript_chunks(report: ReportView) -> list[tuple[str, ...]]:
    """Cut the transcripts that the report's page carries into pieces of work.

    What sessions share is shown once a piece, so the pieces are the same whoever works.
    """
    ids = report.sessions.embed.session_ids
    # No smaller piece at the end: two processes finish together.
    pieces = math.ceil(len(ids) / TOGETHER) or 1
    together = math.ceil(len(ids) / pieces) or 1
    return [ids[start : start + together] for start in range(0, len(ids), together)]


def render_transcripts(
    report: ReportView,
    session_ids: Iterable[str],
    transcripts: Transcripts,
    overrides: Sequence[Traversable] = (),
) -> str:
    """Render sessions for the report's own page, each folded, in the order given."""
    systems: dict[str, str] = {}
    pieces = []
    with naming_template():
        template = environment(overrides).get_template("parts/session.html")
        for session_id in session_ids:
            view = session_view(report, session_id, transcripts(session_id), systems)
            pieces.append(template.render(session=view))
    return "".join(pieces)


def row_chunks(report: ReportView) -> list[tuple[int, int]]:
    """Cut the rows of a long list that wait to be built into pieces of work."""
    sessions = report.sessions
    starts = range(sessions.first, sessions.total, ROWS_TOGETHER)
    return [(start, min(start + ROWS_TOGETHER, sessions.total)) for start in starts]


def render_rows(
    report: ReportView, chunk: tuple[int, int], overrides: Sequence[Traversable] = ()
) -> str:
    """Render the sessions of the list from one place to another, each group under its head."""
    with naming_template():
        template = environment(overrides).get_template("parts/session_group.html")
        return "".join(
            template.render(group=group, list=report.sessions)
            for group in report.sessions.parts(*chunk)
        )


def render_session(
    report: ReportView,
    session_id: str,
    transcripts: Transcripts,
    overrides: Sequence[Traversable] = (),
    *,
    assets: PageAssets,
) -> Iterator[str]:
    """Write the page of one session, in pieces of any size, most of them small.

    Raises:
        RenderError: A template fails; the message names it and its line.

    Rule: report.md section 4, `Size`.
    """
    with naming_template():
        template = environment(overrides).get_template("session_page.html")
        view = session_view(report, session_id, transcripts(session_id), bounds=ON_ITS_OWN)
        yield from template.generate(
            report=report,
            session=view,
            steps=session_steps(report, session_id),
            title=f"{view.row.name}: {view.row.mark.word.lower()}. {report.head.name}",
            **_shell(assets, "../"),
        )


def _shell(assets: PageAssets, root: str) -> dict[str, Any]:
    """Return what the shell of every page takes; `root` leads to the report's folder."""
    return {
        "style": Markup(assets.style),  # noqa: S704  our own file, checked for its end
        "script": Markup(assets.script),  # noqa: S704  the same
        "theme": Markup(assets.theme),  # noqa: S704  the same
        "policy": assets.policy,
        "split": assets.where == "split",
        "root": root,
    }


def _chunks(pieces: Iterator[str]) -> Iterator[str]:
    held: list[str] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= _CHUNK:
            yield "".join(held)
            held, size = [], 0
    if held:
        yield "".join(held)
