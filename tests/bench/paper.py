"""One paper by our child, by WeasyPrint called plainly, and by Chromium: the same HTML each time.

Each runs some times, one after the other, and the run that took the processor least counts.
Seconds are wall time and the processor's own (user and system), which says more on a machine
that does other work as well; of Chromium it misses helpers that Chromium does not wait for.
The libraries are compiled beforehand, as an installer leaves them.
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
SESSIONS: Final = 50
ROUNDS_OF_TALK: Final = 22
"""Questions of a made-up session."""
WORDS: Final = (
    "The catalogue lists the book under two numbers, and the loan that was recorded last names"
    " neither of them. The desk keeps a list of its own, which it writes by hand and copies every"
    " evening; what was borrowed today is therefore not in it. Whoever asks is told to come back."
)
ROUNDS: Final = 2
"""Runs of each tool."""
OURS: Final = "swarm-reporter's child"
PLAIN: Final = "weasyprint, PDF/UA-1"
TINY: Final = '<!doctype html><html lang="en"><title>Page</title><body><p>x</p></body></html>'


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


def synthetic_html() -> str:
    """Return the HTML of a made-up report of some 250 pages: its sessions stand in it whole."""
    from builders import Json, assistant, call, result, user
    from finding_waves import chain, facts_of, failed_checks, reported, signals
    from report_waves import report_of, transcripts_of, wave_of

    from reporter.render.pdf import print_page
    from reporter.view import paper_turns
    from reporter.vocabulary import Disposition, Signal, Stage

    facts = [
        facts_of(
            f"s{number}",
            Disposition.BLOCKED_BY_RESPONSE,
            run_id=f"r{number}",
            persona_name=f"Persona {number % 4}",
            goal_id=f"g{number // 4}",
            goal_title=f"Goal {number // 4}: find out when a borrowed book comes back",
            turns=ROUNDS_OF_TALK,
            chain=chain(Stage.RESPONSE, [Stage.CONNECTION, Stage.SELECTION, Stage.CALL]),
            **signals(Signal.TOOL_ERRORED),
            **failed_checks("the date is named"),
            **reported(),
        )
        for number in range(SESSIONS)
    ]
    records: dict[str, list[Json]] = {
        fact.session_id: [
            record
            for turn in range(ROUNDS_OF_TALK)
            for record in (
                user(f"Question {turn}: when does it come back? {WORDS[:150]}", turn=turn),
                call(f"c{turn}", "find_loan", turn=turn, args={"shelf": turn}),
                result(f"c{turn}", {"shelf": turn, "error": WORDS[:250]}, isError=True),
                assistant(f"I looked on shelf {turn} and found no date. {WORDS}", turn=turn),
            )
        ]
        for fact in facts
    }
    # A report is kept shorter than this one; what it would take is what is asked here.
    paper_turns.WHOLE_CHARS = 10_000_000  # type: ignore[misc]  # a bound that is lifted
    return print_page(
        report_of(wave_of(facts)), evidence="all", transcripts=transcripts_of({**records})
    )


def _commands(page: Path, made: Path) -> dict[str, list[str]]:
    folder = made.parent
    return {
        OURS: [
            *(sys.executable, "-m", "reporter.render.pdf_child", "4096", "3600"),
        ],
        PLAIN: [
            *(sys.executable, "-m", "weasyprint", "--pdf-variant", "pdf/ua-1"),
            *(str(page), str(made)),
        ],
        "chromium, print to PDF": [
            *(CHROMIUM, *ARGUMENTS, "--no-pdf-header-footer", f"--user-data-dir={folder / 'c'}"),
            *(f"--print-to-pdf={made}", page.as_uri()),
        ],
    }


def _environment(folder: Path) -> dict[str, str]:
    found = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    return found


def _run(command: list[str], page: Path, made: Path) -> Paper:
    ours = "reporter.render.pdf_child" in command
    environment = _environment(made.parent)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = perf_counter()
    with (
        page.open("rb") as given,
        (made if ours else made.with_suffix(".log")).open("wb") as out,
        subprocess.Popen(
            command, stdin=given, stdout=out, stderr=subprocess.DEVNULL, env=environment
        ) as child,
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


def papers(title: str, html: str) -> None:
    """Print what each tool needs for the paper of one HTML page."""
    with tempfile.TemporaryDirectory() as temporary:
        page, made = Path(temporary) / "page.html", Path(temporary) / "made.pdf"
        commands = _commands(page, made)
        page.write_text(TINY, encoding="utf-8")
        for name in (OURS, PLAIN):
            _run(commands[name], page, made)
        page.write_text(html, encoding="utf-8")
        print(f"{title}, {len(html) / 1e6:.1f} MB of HTML, best of {ROUNDS} runs", flush=True)
        found: dict[str, Paper] = {}
        for name, command in list(commands.items()) * ROUNDS:
            try:
                paper = _run(command, page, made)
            except (OSError, RuntimeError) as error:
                print(f"  {name:<24} did not come out: {error}", flush=True)
                continue
            found[name] = min(paper, found.get(name, paper), key=lambda one: one.cpu)
        for name, paper in found.items():
            print(
                f"  {name:<24}{paper.pages:5} pages {paper.seconds:7.1f} s"
                f"   processor {paper.cpu:6.1f} s ({found[OURS].cpu / paper.cpu:4.2f} of it ours),"
                f" {1000 * paper.cpu / paper.pages:5.0f} ms a page   peak {paper.peak_mb:5.0f} MB",
                flush=True,
            )


def main() -> None:
    """Measure the papers alone: the example, a large wave in short and in long, a made-up one."""
    from shared import ROOT, shared_folder

    papers("Example", print_html(ROOT / "examples" / "lending-desk" / "wave", "cited"))
    trait = shared_folder() / "recordings" / "tau-trait"
    if trait.exists():
        papers("tau-trait", print_html(trait, "cited"))
        papers("tau-trait, failed sessions whole", print_html(trait, "failed"))
    papers("A made-up report", synthetic_html())


if __name__ == "__main__":
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")
    main()
