"""Files out: each written beside its place and renamed, so that none is ever half there."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from reporter.errors import Problem, RecordingError, ReporterError
from reporter.findings.projection import dump_document
from reporter.models.wave import DerivedWave, Transcripts
from reporter.whole_file import whole_file

HTML: Final = "report.html"
PDF: Final = "report.pdf"
JSON: Final = "findings.json"


@dataclass(frozen=True, slots=True)
class PdfChoices:
    """What a caller decides about the PDF."""

    paper: Literal["a4", "letter"] = "a4"
    evidence: Literal["cited", "failed", "all", "none"] = "cited"
    timeout_s: float = 120.0


@dataclass(frozen=True, slots=True)
class Written:
    """What came of writing a report."""

    files: tuple[Path, ...]
    failures: tuple[str, ...]
    """One message a format that could not be rendered."""


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
        say: Told what is being done, in a few words.

    Rule: report.md sections 4, 5 and 6.
    """
    make_folder(folder)
    wanted = set(formats)
    files: list[Path] = []
    failures: list[str] = []
    if "json" in wanted:
        write_text(folder / JSON, [dump_document(wave.document)])
        files.append(folder / JSON)
    if wanted & {"html", "pdf"}:
        # Rendering is loaded only here: the data commands live without it.
        from reporter.view.report import build_report  # noqa: PLC0415

        view = build_report(wave, generated_at=generated_at)
        if "html" in wanted:
            from reporter.render.html import render_html  # noqa: PLC0415

            say("Writing the page")
            with _collected(failures, HTML):
                write_text(folder / HTML, render_html(view, transcripts))
                files.append(folder / HTML)
        if "pdf" in wanted:
            from reporter.render.pdf import write_pdf  # noqa: PLC0415

            say("Writing the PDF")
            with _collected(failures, PDF):
                write_pdf(
                    view,
                    folder / PDF,
                    paper=pdf.paper,
                    timeout_s=pdf.timeout_s,
                    evidence=pdf.evidence,
                    transcripts=transcripts,
                )
                files.append(folder / PDF)
    return Written(tuple(files), tuple(failures))


@contextmanager
def _collected(failures: list[str], name: str) -> Iterator[None]:
    try:
        yield
    except ReporterError as error:
        failures.append(f"{name} was not written: {error}")
    except OSError as error:
        failures.append(f"{name} was not written: {error.strerror or error}")
    except Exception as error:  # one format's defect must not cost the others
        if os.environ.get("SWARM_REPORTER_DEBUG"):
            raise
        failures.append(
            f"{name} was not written: a defect of swarm-reporter ({type(error).__name__}: "
            f"{error}). Please report it, with the traceback that SWARM_REPORTER_DEBUG=1 shows."
        )
