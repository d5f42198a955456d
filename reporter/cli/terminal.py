"""What the command says on a terminal, and what it writes to a file or to standard output."""
# ruff: noqa: PLC0415  what cleans recorded text is loaded when there is something to say

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import click

from reporter.errors import Problem, RecordingError, ReporterError

SHOWN_PROBLEMS: Final = 20
"""Entries of a long list that a terminal is shown."""
LONGEST_LINE: Final = 2_000
"""Characters of a line on a terminal."""


def say(text: str, *, err: bool = False) -> None:
    """Say a line that may hold recorded text: it moves no terminal and begins no second line."""
    from reporter.view.text import clean

    whole = clean(text.replace("\n", " ").replace("\r", " "))
    click.echo(whole if len(whole) <= LONGEST_LINE else f"{whole[:LONGEST_LINE]}…", err=err)


def say_aside(text: str) -> None:
    """Say a line beside what is written to the terminal."""
    say(text, err=True)


def say_error(error: ReporterError) -> None:
    """Say what went wrong, each problem on a line of its own."""
    lines = error.problems if isinstance(error, RecordingError) else [error]
    for number, line in enumerate(lines):
        say(f"{'' if number else 'Error: '}{line}", err=True)


def name_problems(head: str, problems: Sequence[Problem]) -> None:
    """Name every problem below a head; say nothing where there is none."""
    if not problems:
        return
    # Every one: a page shows the first of many, and data commands write no page.
    click.echo(f"{head}:", err=True)
    for problem in problems:
        say(f"  {problem}", err=True)


def counted(count: int, unit: str) -> str:
    """Return a number with what it counts, such as `2 sessions`."""
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def put(output: Path | None, pieces: Iterable[str]) -> None:
    """Write to a file, whole or not at all, or to the terminal piece by piece."""
    from reporter.pipeline.write import write_text

    if output is not None:
        write_text(output, pieces)
        say(f"Wrote {output}", err=True)
        return
    stream = sys.stdout.buffer
    for piece in pieces:
        stream.write(piece.encode("utf-8", "replace"))
    stream.flush()
