"""A PDF that is killed, or runs over a limit, costs itself and nothing else."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from processes import children
from waves import write_folder

from reporter.cli import main
from reporter.pipeline.write import PdfChoices
from reporter.render import pdf_process
from reporter.render.pdf import write_pdf

OTHERS = {"report.html", "findings.json"}


def report(folder: Path, *more: str) -> Result:
    wave = folder / "wave"
    if not wave.exists():
        write_folder(wave)
    arguments = ["report", str(wave), "-o", str(folder / "out"), "--format", "html,pdf,json"]
    return CliRunner().invoke(main, [*arguments, "--generated-at", "0", *more])


def renderers() -> list[int]:
    """Process ids of this process's children that render a PDF."""
    found = []
    for child in children():
        try:
            command = Path(f"/proc/{child}/cmdline").read_bytes()
        except OSError:
            continue
        if pdf_process._CHILD.encode() in command:
            found.append(child)
    return found


@contextmanager
def sent(number: signal.Signals) -> Iterator[list[int]]:
    """Send a signal to the first renderer that shows itself; the ids it was sent to."""
    killed: list[int] = []
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.01) and not killed:
            for one in renderers():
                os.kill(one, number)
                killed.append(one)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield killed
    finally:
        over.set()
        watcher.join()


def holds(result: Result, out: Path, said: str, left: set[str]) -> None:
    assert result.exit_code == 3
    assert "report.pdf was not written: " in result.stderr
    assert said in " ".join(result.stderr.split())
    assert "--format html,json" in result.stderr
    assert {one.name for one in out.iterdir()} == left
    assert (out / "report.html").read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert renderers() == []


def test_a_killed_renderer_costs_the_pdf_alone(tmp_path: Path) -> None:
    with sent(signal.SIGKILL) as killed:
        result = report(tmp_path)
    assert killed
    holds(result, tmp_path / "out", "ended by SIGKILL", OTHERS)


def test_a_renderer_that_hangs_costs_the_pdf_alone(tmp_path: Path) -> None:
    with sent(signal.SIGSTOP) as stopped:
        result = report(tmp_path, "--pdf-timeout", "1")
    assert stopped
    holds(result, tmp_path / "out", "took longer than 1 s. Allow more with", OTHERS)


def test_a_renderer_out_of_memory_costs_the_pdf_alone(tmp_path: Path) -> None:
    result = report(tmp_path, "--pdf-memory", "60")
    holds(result, tmp_path / "out", "needs more than 60 MB of memory", OTHERS)
    assert "Allow more with --pdf-memory" in result.stderr


@pytest.mark.parametrize("words", ["0", "-1", "much", "1.5"])
def test_a_limit_that_is_none_is_bad_usage(words: str, tmp_path: Path) -> None:
    result = report(tmp_path, "--pdf-memory", words)
    assert result.exit_code == 2
    assert "--pdf-memory" in result.stderr
    assert not (tmp_path / "out").exists()


def test_the_usual_limits_are_those_of_the_renderer() -> None:
    usual = PdfChoices()
    assert write_pdf.__kwdefaults__
    assert usual.memory_mb == write_pdf.__kwdefaults__["memory_mb"]
    assert usual.timeout_s == write_pdf.__kwdefaults__["timeout_s"]


def test_the_pdf_of_the_last_time_is_never_taken_for_this_ones(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert report(tmp_path).exit_code == 0
    before = (out / "report.pdf").read_bytes()
    with sent(signal.SIGKILL) as killed:
        result = report(tmp_path)
    assert killed
    holds(result, out, "ended by SIGKILL", {*OTHERS, "report.pdf"})
    assert (out / "report.pdf").read_bytes() == before
    assert "The report.pdf that stands there is an earlier one." in result.stderr
