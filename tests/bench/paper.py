"""One paper by our child, by WeasyPrint called plainly, and by Chromium: the same HTML each time.

Seconds are wall time and the processor's own (user and system), which says more on a machine
that does other work as well; of Chromium it misses helpers that Chromium does not wait for.
"""

import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Final

import pikepdf

from bench.beside import ARGUMENTS, CHROMIUM, watched

MOMENT: Final = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Paper:
    """What one tool made of the HTML."""

    seconds: float
    cpu: float
    peak_mb: float
    pages: int


def print_html(source: Path, evidence: str) -> str:
    """Return the HTML that our PDF of a source is made of."""
    from reporter.pipeline.derive import derive_wave
    from reporter.pipeline.options import Options
    from reporter.pipeline.source import open_source
    from reporter.render.pdf import print_page
    from reporter.view.report import build_report

    opened = open_source(source, Options())
    wave = derive_wave(opened, generated_at=MOMENT)
    view = build_report(wave, generated_at=MOMENT, transcripts=opened.transcript)
    return print_page(view, evidence=evidence, transcripts=opened.transcript)  # type: ignore[arg-type]  # a name of `Evidence`


def _commands(page: Path, made: Path) -> dict[str, list[str]]:
    folder = made.parent
    return {
        "swarm-reporter's child": [
            *(sys.executable, "-m", "reporter.render.pdf_child", "4096", "3600"),
        ],
        "weasyprint, PDF/UA-1": [
            *(sys.executable, "-m", "weasyprint", "--pdf-variant", "pdf/ua-1"),
            *(str(page), str(made)),
        ],
        "chromium, print to PDF": [
            *(CHROMIUM, *ARGUMENTS, "--no-pdf-header-footer", f"--user-data-dir={folder / 'c'}"),
            *(f"--print-to-pdf={made}", page.as_uri()),
        ],
    }


def _run(command: list[str], page: Path, made: Path) -> Paper:
    ours = "reporter.render.pdf_child" in command
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = perf_counter()
    with (
        page.open("rb") as given,
        (made if ours else made.with_suffix(".log")).open("wb") as out,
        subprocess.Popen(command, stdin=given, stdout=out, stderr=subprocess.DEVNULL) as child,
        watched(child.pid) as peak,
    ):
        child.wait()
    seconds = perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if child.returncode:
        raise RuntimeError(f"{command[0]} ended with {child.returncode}")
    with pikepdf.open(made) as pdf:
        pages = len(pdf.pages)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Paper(seconds, cpu, peak[0] / 1024, pages)


def papers(title: str, source: Path, evidence: str = "cited") -> None:
    """Print what each tool needs for the paper of a source."""
    html = print_html(source, evidence)
    with tempfile.TemporaryDirectory() as temporary:
        page, made = Path(temporary) / "page.html", Path(temporary) / "made.pdf"
        page.write_text(html, encoding="utf-8")
        print(f"{title}, {len(html) / 1e6:.1f} MB of HTML", flush=True)
        first: Paper | None = None
        for name, command in _commands(page, made).items():
            try:
                paper = _run(command, page, made)
            except (OSError, RuntimeError) as error:
                print(f"  {name:<24} did not come out: {error}", flush=True)
                continue
            first = first or paper
            print(
                f"  {name:<24}{paper.pages:5} pages {paper.seconds:7.1f} s"
                f"   processor {paper.cpu:6.1f} s ({first.cpu / paper.cpu:4.2f} of it ours),"
                f" {1000 * paper.cpu / paper.pages:5.0f} ms a page   peak {paper.peak_mb:5.0f} MB",
                flush=True,
            )


def main() -> None:
    """Measure the papers alone: the example, a large wave, and its failed sessions whole."""
    from shared import ROOT, shared_folder

    papers("Example", ROOT / "examples" / "lending-desk" / "wave")
    trait = shared_folder() / "recordings" / "tau-trait"
    if trait.exists():
        papers("tau-trait", trait)
        papers("tau-trait, failed sessions whole", trait, "failed")


if __name__ == "__main__":
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")
    main()
