"""`grade`, `coverage` and `kinds`: sessions, links and files of checks."""
# ruff: noqa: PLC0415  imports stand in the commands that need them: `--help` answers at once

import difflib
from pathlib import Path
from typing import Literal, cast

import click

from reporter.cli.options import SourceChoices, options_of, source_options
from reporter.cli.plainly import plainly
from reporter.cli.progress import Bar
from reporter.cli.statuses import INPUT_LOST, WRITTEN
from reporter.cli.terminal import name_problems, put, say
from reporter.errors import ReporterError


class GradeAsked(SourceChoices):
    """What `grade` is given."""

    checks: Path
    folder: Path
    regrade: bool
    ended: bool


@click.command()
@source_options
@click.option(
    "--checks",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=True,
    help="YAML or JSON file of checks: checks: for every goal, goals: by id or title.",
)
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder of the graded wave; must not exist, or be empty.",
)
@click.option(
    "--regrade",
    is_flag=True,
    help="Also evaluate what is graded on record, and list where the checks say otherwise.",
)
@click.option(
    "--ended",
    is_flag=True,
    help="Grade sessions whose recording has no end too: you state that they are over.",
)
@plainly
def grade(**given: object) -> int:
    """Grade the sessions of SOURCE by a file of checks, and write the graded wave.

    SOURCE stays as it is. Results on record are kept unless --regrade is given. Exits 0 when
    everything was graded, whatever it came to; 2 when SOURCE or the checks cannot be used; 4
    when the wave was written but some input was lost.
    """
    from reporter.pipeline.grade import GradeChoices, grade_source
    from reporter.view.graded import graded_lines

    asked = cast("GradeAsked", given)
    choices = GradeChoices(asked["checks"], regrade=asked["regrade"], ended=asked["ended"])
    with Bar("Grading sessions") as bar:
        graded = grade_source(asked["sources"], asked["folder"], choices, options_of(asked), bar)
    for note in graded.notes:
        say(f"Note: {note}", err=True)
    say(f"Wrote {asked['folder']}")
    for line in graded_lines(graded.tally, graded.labels):
        say(line)
    name_problems("Some input was lost", graded.losses)
    return INPUT_LOST if graded.losses else WRITTEN


class CoverageAsked(SourceChoices):
    """What `coverage` is given."""

    form: Literal["text", "json"]


@click.command()
@source_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Lines to read, or one JSON object.",
)
@plainly
def coverage(**given: object) -> int:
    """Tell per link what the checks measure, and what nothing measures.

    SOURCE is a file of checks (YAML or JSON), or a recording, whose own checks are told with
    what its sessions came to.
    """
    import json

    from reporter.pipeline.coverage import coverage_report
    from reporter.view.coverage_lines import coverage_lines

    asked = cast("CoverageAsked", given)
    with Bar("Deriving sessions") as bar:
        told = coverage_report(asked["sources"], options_of(asked), bar)
    for note in told.notes:
        say(f"Note: {note}", err=True)
    if asked["form"] == "json":
        put(None, [json.dumps(told.to_wire(), indent=2, ensure_ascii=False) + "\n"])
    else:
        for line in coverage_lines(told.lists):
            say(line)
    name_problems("Some input was lost", told.losses)
    return INPUT_LOST if told.losses else WRITTEN


@click.command()
@click.argument("kind", required=False)
@click.option("--markdown", is_flag=True, help="Write a whole page about files of checks.")
@plainly
def kinds(kind: str | None, markdown: bool) -> int:
    """List the kinds of checks that a file may hold, or say what fields the kind KIND has."""
    from reporter.checks.evaluate import EVALUATORS
    from reporter.view.check_kinds import kind_described, kind_lines, kinds_page

    if markdown:
        click.echo(kinds_page(), nl=False)
        return WRITTEN
    if kind is not None and kind not in EVALUATORS:
        near = difflib.get_close_matches(kind, EVALUATORS, 1)
        remedy = f"did you mean {near[0]}?" if near else "without a kind, all are listed."
        raise ReporterError(f"{kind}: no such kind of check; {remedy}")
    for line in kind_lines() if kind is None else kind_described(kind):
        click.echo(line)
    return WRITTEN
