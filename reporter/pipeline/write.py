"""Files out: each written beside its place and renamed, so that none is ever half there."""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from reporter.errors import Problem, RecordingError, ReporterError
from reporter.findings.projection import dump_document
from reporter.models.wave import DerivedWave, Transcripts
from reporter.pipeline.collector import collector_paused
from reporter.pipeline.options import Progress, quietly
from reporter.pipeline.swap import Swap, Together, together
from reporter.whole_file import whole_file

if TYPE_CHECKING:
    from reporter.render.look import Look
    from reporter.view.embed import EmbedPlan
    from reporter.view.report import ReportView

PDF: Final = "report.pdf"
JSON: Final = "findings.json"


@dataclass(frozen=True, slots=True)
class PdfChoices:
    """What a caller decides about the PDF."""

    paper: Literal["a4", "letter"] = "a4"
    evidence: Literal["cited", "failed", "all", "none"] = "cited"
    timeout_s: float = 120.0
    memory_mb: int = 2_048
    """Memory that the process which renders it may allocate."""


@dataclass(frozen=True, slots=True)
class HtmlChoices:
    """What a caller decides about the HTML."""

    layout: Literal["auto", "single", "site"] = "auto"
    assets: Literal["embed", "split"] = "embed"
    """Style and scripts inside each page, or as files beside it."""
    jobs: int | None = None
    """Processes to render with, or None to choose by the size of the wave."""
    progress: Progress = quietly
    """Told how many transcripts are rendered."""


_USUAL_HTML: Final = HtmlChoices()


@dataclass(frozen=True, slots=True)
class Written:
    """What came of writing a report."""

    files: tuple[Path, ...]
    failures: tuple[str, ...]
    """One message a format that could not be rendered."""
    layout: str = ""
    """Which layout the HTML has and why, in one sentence; empty without HTML."""


def write_text(path: Path, pieces: Iterable[str]) -> None:
    """Write text in UTF-8, piece by piece, whole or not at all."""
    with whole_file(path) as stream:
        for piece in pieces:
            # Half a character can stand in recorded text; it has no UTF-8 form.
            stream.write(piece.encode("utf-8", "replace"))


def make_folder(folder: Path) -> None:
    """Make the folder that a report goes to.

    Raises:
        RecordingError: There is a file of that name, or no permission.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"The folder cannot be made: {error.strerror}."
        raise RecordingError([Problem(folder.name, "", what, "Name another folder.")]) from None
    if not os.access(folder, os.W_OK):
        what = "The folder cannot be written to."
        raise RecordingError([Problem(folder.name, "", what, "Name another folder.")])


def write_report(  # noqa: PLR0913  what to write, and where
    wave: DerivedWave,
    transcripts: Transcripts,
    folder: Path,
    *,
    formats: Iterable[str],
    generated_at: datetime,
    pdf: PdfChoices,
    html: HtmlChoices = _USUAL_HTML,
    look: "Look | None" = None,
    say: Callable[[str], None],
) -> Written:
    """Write the chosen formats; one that fails never takes another with it.

    Args:
        wave: The derived wave.
        transcripts: Reads one session again.
        folder: Where to; made where it does not exist.
        formats: Any of `html`, `pdf`, `json`.
        generated_at: The time that stands in the report.
        pdf: What the caller decides about the PDF.
        html: The same about the HTML.
        look: Templates and a theme of the caller's own, or None for ours.
        say: Told what is being done, in a few words.

    Rule: report.md sections 4, 5 and 6.
    """
    make_folder(folder)
    wanted = set(formats)
    said = ""
    with together(folder) as swaps:
        made = _Made(folder, swaps)
        if "json" in wanted:
            with made.format(JSON) as swap:
                swap.file(folder / JSON).write(dump_document(wave.document).encode())
        if wanted & {"html", "pdf"}:
            # Rendering is loaded only here: the data commands live without it.
            from reporter.render.look import PLAIN  # noqa: PLC0415
            from reporter.view.beside import NO_PAGE, page_beside  # noqa: PLC0415
            from reporter.view.report import build_report  # noqa: PLC0415

            own, beside = look or PLAIN, NO_PAGE
            asked = html.layout if "html" in wanted else "single"
            with collector_paused():
                view = build_report(
                    wave, generated_at=generated_at, layout=asked, transcripts=transcripts
                )
            if "html" in wanted:
                from reporter.pipeline.pages import (  # noqa: PLC0415
                    HtmlWork,
                    make_html,
                    page_name,
                )

                say("Writing the page")
                with made.format(page_name(view)) as swap:
                    work = HtmlWork(view, transcripts, html.assets, html.jobs, html.progress, own)
                    make_html(work, folder, swap)
                    said = layout_words(view.sessions.embed)
                    beside = page_beside(view.sessions.embed)
            if "pdf" in wanted:
                from reporter.render.pdf import write_pdf  # noqa: PLC0415

                say("Writing the PDF")
                with made.format(PDF) as swap:
                    write_pdf(
                        _on_one_page(view, transcripts),
                        swap.file(folder / PDF),
                        paper=pdf.paper,
                        timeout_s=pdf.timeout_s,
                        memory_mb=pdf.memory_mb,
                        evidence=pdf.evidence,
                        transcripts=transcripts,
                        overrides=own.overrides,
                        beside=beside,
                    )
    return Written(made.files(), made.failures(), said)


@dataclass
class _Made:
    """What came of each format, in order."""

    folder: Path
    swaps: Together
    reasons: dict[str, str | None] = field(default_factory=dict)
    """Why a format was not written, by its name; None where it was."""

    @contextmanager
    def format(self, name: str) -> Iterator[Swap]:
        """Make one format; where it fails, the others are made all the same."""
        self.reasons[name] = None
        try:
            with self.swaps.swap(name) as swap:
                yield swap
        except ReporterError as error:
            self.reasons[name] = str(error)
        except OSError as error:
            self.reasons[name] = _reason(error)
        except Exception as error:  # one format's defect must not cost the others
            if os.environ.get("SWARM_REPORTER_DEBUG"):
                raise
            self.reasons[name] = (
                f"a defect of swarm-reporter ({type(error).__name__}: {error}). Please report"
                " it, with the traceback that SWARM_REPORTER_DEBUG=1 shows."
            )

    def files(self) -> tuple[Path, ...]:
        """Return what stands in its place now."""
        return tuple(self.folder / name for name, reason in self._reasons() if reason is None)

    def failures(self) -> tuple[str, ...]:
        """Return a message for each format that does not."""
        return tuple(
            f"{name} was not written: {reason}{self._earlier(name)}"
            for name, reason in self._reasons()
            if reason is not None
        )

    def _reasons(self) -> Iterator[tuple[str, str | None]]:
        late = {name: _reason(error) for name, error in self.swaps.failed.items()}
        yield from {**self.reasons, **late}.items()

    def _earlier(self, name: str) -> str:
        is_there = (self.folder / name).is_file()
        return f" The {name} that stands there is an earlier one." if is_there else ""


def _reason(error: OSError) -> str:
    room = "Make room, or name" if error.errno == errno.ENOSPC else "Name"
    return f"{error.strerror or error}. {room} another folder with -o."


def layout_words(embed: "EmbedPlan") -> str:
    """Say which layout the HTML has and, where it leaves transcripts out, how many.

    Rule: report.md section 4, `Size`.
    """
    if not embed.left_out:
        return embed.why
    left = f"{embed.left_out:,} of {embed.available:,} transcripts"
    return f"{embed.why} It leaves out {left}; --layout site writes all of them."


def _on_one_page(view: "ReportView", transcripts: Transcripts) -> "ReportView":
    """Return the view for paper, which has no pages to lead to beside itself."""
    from reporter.view.report import build_report  # noqa: PLC0415

    if view.sessions.embed.layout == "single":
        return view
    return build_report(view.outline.wave, generated_at=view.generated_at, transcripts=transcripts)
