"""The report as one HTML page, written while it is rendered."""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Final

from markupsafe import Markup

from reporter.models.wave import Transcripts
from reporter.render.environment import asset_text, environment, naming_template, reader
from reporter.view.report import ReportView
from reporter.view.session import SessionView, session_view

STYLES: Final = (
    "styles/tokens.css",
    "styles/page.css",
    "styles/summary.css",
    "styles/matrix.css",
    "styles/goals.css",
    "styles/sessions.css",
    "styles/transcript.css",
    "styles/narrow.css",
    "styles/paper.css",
)
"""The page's style sheet, in order."""
THEME: Final = "scripts/theme.js"
"""Sets the chosen theme before anything is drawn."""
SCRIPT: Final = "scripts/report.js"
"""Everything else that scripts add."""

_CHUNK: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class PageAssets:
    """What a page embeds, and the policy that allows nothing else."""

    style: str
    theme: str
    script: str

    @property
    def policy(self) -> str:
        """The content security policy: nothing but this style and this script.

        Rule: report.md section 4.
        """
        return (
            f"default-src 'none'; style-src {_hash(self.style)}; "
            f"script-src {_hash(self.theme)} {_hash(self.script)}; "
            "base-uri 'none'; form-action 'none'"
        )


def page_assets(overrides: Sequence[Traversable] = ()) -> PageAssets:
    """Read the style and the script that a page embeds."""
    read = reader(overrides)
    style = "".join(asset_text(name, read) for name in STYLES)
    return PageAssets(style=style, theme=asset_text(THEME, read), script=asset_text(SCRIPT, read))


def render_html(
    report: ReportView, transcripts: Transcripts, overrides: Sequence[Traversable] = ()
) -> Iterator[str]:
    """Write the report as one self-contained page.

    Args:
        report: The view of the whole report.
        transcripts: Reads one session again; called once for each transcript that the page
            carries, while the page is written.
        overrides: Folders whose templates and assets stand before our own.

    Yields:
        The page in pieces; at no time is it held whole.

    Raises:
        RenderError: A template fails; the message names it and its line.

    Rule: report.md section 4.
    """
    assets = page_assets(overrides)
    with naming_template():
        template = environment(overrides).get_template("report.html")
        stream = template.generate(
            report=report,
            sessions=_sessions(report, transcripts),
            style=Markup(assets.style),  # noqa: S704  our own file, checked for its end
            script=Markup(assets.script),  # noqa: S704  the same
            theme=Markup(assets.theme),  # noqa: S704  the same
            policy=assets.policy,
        )
        yield from _chunks(stream)


def _sessions(report: ReportView, transcripts: Transcripts) -> Iterator[SessionView]:
    systems: dict[str, str] = {}
    for session_id in report.sessions.embed.session_ids:
        yield session_view(report, session_id, transcripts(session_id), systems)


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


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
