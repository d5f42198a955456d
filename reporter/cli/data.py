"""What a source holds as data: findings, funnel and facts; what is wrong with it; its schema."""
# ruff: noqa: PLC0415  imports stand in the commands that need them: `--help` answers at once

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from reporter.cli.asking import kept_choices
from reporter.cli.options import (
    Moment,
    SourceChoices,
    SourcePath,
    options_of,
    output_option,
    source_options,
    utc_now,
)
from reporter.cli.plainly import keep, kept_to_the_end, plainly
from reporter.cli.progress import Bar
from reporter.cli.statuses import INPUT_LOST, UNREADABLE, WRITTEN
from reporter.cli.terminal import counted, name_problems, put, say
from reporter.errors import Problem, ReporterError

if TYPE_CHECKING:
    from reporter.models.wave import DerivedWave


class DataChoices(SourceChoices):
    """What `findings` and `facts` are given."""

    output: Path | None
    generated_at: datetime | None
    phrases_file: Path | None
    """Kept replies; only `findings` takes them."""


@click.command()
@source_options
@output_option("findings.json")
@click.option("--generated-at", type=Moment(), help="Time that the document is stamped with.")
@click.option(
    "--phrases",
    "phrases_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A model's kept replies to use; nothing is sent.",
)
@plainly
def findings(**given: object) -> int:
    """Write the findings document of SOURCE, and nothing else."""
    from reporter.findings.projection import dump_document

    return _write_of_wave(cast("DataChoices", given), lambda wave, _: dump_document(wave.document))


@click.command()
@source_options
@output_option("funnel.json")
@click.option("--generated-at", type=Moment(), help="Time that the document is stamped with.")
@plainly
def funnel(**given: object) -> int:
    """Write the stage funnel of SOURCE: who came how far along the chain, and who is left out."""
    from reporter.pipeline.funnel import funnel_text

    return _write_of_wave(
        cast("DataChoices", given), lambda wave, now: funnel_text(wave, generated_at=now)
    )


@kept_to_the_end()
def _write_of_wave(asked: "DataChoices", text_of: Callable[["DerivedWave", datetime], str]) -> int:
    """Derive a wave, write one document of it and say what was lost on the way."""
    from reporter.pipeline.derive import derive_wave, lost_input
    from reporter.pipeline.source import open_source

    generated_at = asked.get("generated_at") or utc_now()
    source = open_source(asked["sources"], options_of(asked))
    choices = None
    if kept := asked.get("phrases_file"):
        choices = kept_choices(kept)
    with Bar("Deriving sessions") as bar:
        wave = keep(derive_wave(source, generated_at=generated_at, progress=bar, phrases=choices))
    put(asked["output"], [text_of(wave, generated_at)])
    lost = lost_input(wave)
    name_problems("Some input was lost", lost)
    return INPUT_LOST if lost else WRITTEN


@click.command()
@source_options
@output_option("sessions.jsonl")
@plainly
def facts(**given: object) -> int:
    """Write what each session of SOURCE came to, one JSON line a planned session."""
    from reporter.derive.facts_json import facts_line
    from reporter.pipeline.derive import LOSSES
    from reporter.pipeline.source import DocumentSource, open_source

    asked = cast("DataChoices", given)
    source = open_source(asked["sources"], options_of(asked))
    if isinstance(source, DocumentSource):
        raise ReporterError(
            f"{source.name}: a findings document holds no sessions; name the recording."
        )
    lost: list[Problem] = [one for one in source.problems() if one.rule in LOSSES]

    def lines() -> Iterator[str]:
        with Bar("Deriving sessions") as bar:
            for session in source.facts(bar):
                lost.extend(one for one in session.problems if one.rule in LOSSES)
                yield facts_line(session) + "\n"

    put(asked["output"], lines())
    lost = [*lost, *(one for one in source.problems() if one.rule in LOSSES and one not in lost)]
    name_problems("Some input was lost", lost)
    return INPUT_LOST if lost else WRITTEN


@click.command()
@click.argument("recordings", metavar="SOURCE...", nargs=-1, required=True, type=SourcePath())
@plainly
def check(recordings: tuple[Path, ...]) -> int:
    """Name everything that is wrong with SOURCE, by file, line and place, all at once.

    Exits 0 when nothing is wrong (notes do not count), 2 otherwise.
    """
    from reporter.pipeline.check import check_source

    problems = check_source(recordings)
    errors = [problem for problem in problems if problem.severity == "error"]
    for problem in problems:
        mark = "" if problem.severity == "error" else " (note)"
        say(f"{problem} [{problem.rule}]{mark}")
    notes = len(problems) - len(errors)
    click.echo(f"{counted(len(errors), 'problem')}, {counted(notes, 'note')}.")
    return UNREADABLE if errors else WRITTEN


@click.command()
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Default: the terminal."
)
@plainly
def schema(output: Path | None) -> int:
    """Write the JSON Schema of the recording format."""
    import json

    from reporter.recording.schema import recording_schema

    put(output, [json.dumps(recording_schema(), indent=2, ensure_ascii=False) + "\n"])
    return WRITTEN
