"""`report`: a page, a PDF and the findings of a source."""
# ruff: noqa: PLC0415  imports stand in the commands that need them: `--help` answers at once

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, cast

import click

from reporter.cli.asking import ModelOptions, Replies, model_options, phrase_choices, with_sessions
from reporter.cli.options import Moment, SourceChoices, options_of, source_options, utc_now
from reporter.cli.phrasing import PHRASES, dry_run
from reporter.cli.plainly import keep, kept_to_the_end, plainly
from reporter.cli.progress import Bar
from reporter.cli.statuses import CONDITION_HOLDS, INPUT_LOST, RENDERING_FAILED, WRITTEN
from reporter.cli.terminal import name_problems, say, say_aside

if TYPE_CHECKING:
    from reporter.models.wave import DerivedWave
    from reporter.pipeline.source import Source
    from reporter.render.look import Look

FORMATS: Final = ("html", "pdf", "json")
CONDITIONS: Final = ("broken", "friction", "notLaunched", "unread", "coverage")


class Formats(click.ParamType[tuple[str, ...]]):
    """A comma-separated choice of output formats."""

    name = "formats"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, ...]:
        """Return the formats, each once, in the order html, pdf, json."""
        if isinstance(value, tuple):
            return value
        asked = {part.strip().lower() for part in str(value).split(",") if part.strip()}
        unknown = sorted(asked - set(FORMATS))
        if unknown or not asked:
            self.fail(
                f"{', '.join(unknown) or 'nothing'}: choose from html, pdf, json.", param, ctx
            )
        return tuple(name for name in FORMATS if name in asked)


class ReportChoices(SourceChoices, ModelOptions):
    """What `report` is given."""

    folder: Path
    formats: tuple[str, ...]
    layout: Literal["auto", "single", "site"]
    assets: Literal["embed", "split"]
    templates: Path | None
    theme: Path | None
    paper: Literal["a4", "letter"]
    pdf_evidence: Literal["cited", "failed", "all", "none"]
    pdf_timeout: float
    pdf_memory: int
    conditions: tuple[str, ...]
    generated_at: datetime | None


@click.command()
@source_options
@model_options
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("report"),
    show_default=True,
    help="Folder to write to.",
)
@click.option(
    "--format",
    "formats",
    type=Formats(),
    default=",".join(FORMATS),
    show_default=True,
    help="What to write: report.html (or index.html, see --layout), report.pdf, findings.json.",
)
@click.option(
    "--layout",
    type=click.Choice(["auto", "single", "site"]),
    default="auto",
    show_default=True,
    help="One page, or index.html with a page for each session; auto goes by size and says so.",
)
@click.option(
    "--assets",
    type=click.Choice(["embed", "split"]),
    default="embed",
    show_default=True,
    help="Style and script inside each page, or as files beside it, for hosts that allow no other.",
)
@click.option(
    "--templates",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with templates of your own; each stands before ours of its name (docs/look.md).",
)
@click.option(
    "--theme",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="CSS behind our style sheet: custom properties such as --accent. Loads nothing."
    " The PDF keeps its own look.",
)
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"]),
    default="a4",
    show_default=True,
    help="Of the PDF.",
)
@click.option(
    "--pdf-evidence",
    type=click.Choice(["cited", "failed", "all", "none"]),
    default="cited",
    show_default=True,
    help="Which transcript turns close the PDF.",
)
@click.option(
    "--pdf-timeout",
    type=click.FloatRange(min=1),
    default=120.0,
    show_default=True,
    help="Seconds after which the PDF is given up; everything else is still written.",
)
@click.option(
    "--pdf-memory",
    type=click.IntRange(min=1),
    default=2_048,
    show_default=True,
    metavar="MB",
    help="Megabytes that rendering the PDF may take, with the same end; 260 pages take 300 to 450.",
)
@click.option(
    "--fail-on",
    "conditions",
    type=click.Choice(CONDITIONS),
    multiple=True,
    help="Exit 1 when the summary is this, or a coverage note stands (coverage). Repeatable.",
)
@click.option(
    "--generated-at",
    type=Moment(),
    help="Time that the report is stamped with. By default SOURCE_DATE_EPOCH, else now.",
)
@plainly
@kept_to_the_end()
def report(**given: object) -> int:
    """Write a report of SOURCE: a page, a PDF and the findings.

    Exits 0 when everything was written, whatever it says; 1 when a --fail-on condition
    holds; 2 when the source cannot be read; 3 when a format could not be rendered (the
    others are there); 4 when everything was written but some input was lost.
    """
    from reporter.pipeline.derive import derive_wave, lost_input
    from reporter.pipeline.source import open_source
    from reporter.pipeline.write import HtmlChoices, PdfChoices, make_folder, write_report
    from reporter.view.terminal import summary_lines

    asked = cast("ReportChoices", given)
    generated_at = asked["generated_at"] or utc_now()
    look = _look(asked["templates"], asked["theme"])
    source = open_source(asked["sources"], options_of(asked))
    if asked["dry_run"]:
        return dry_run(source, asked)
    replies = Replies(asked["folder"] / PHRASES if asked["model"] else None, say_aside)
    with Bar("Deriving sessions") as bar:
        choices = phrase_choices(asked, replies, bar.asking)
        if choices is not None:
            with_sessions(source)
        # Before the long work, and not for a source that cannot be read.
        make_folder(asked["folder"])
        with replies.kept_on_interrupt():
            wave = keep(
                derive_wave(source, generated_at=generated_at, progress=bar, phrases=choices)
            )
        written = write_report(
            wave,
            source.transcript,
            asked["folder"],
            formats=asked["formats"],
            generated_at=generated_at,
            pdf=PdfChoices(
                paper=asked["paper"],
                evidence=asked["pdf_evidence"],
                timeout_s=asked["pdf_timeout"],
                memory_mb=asked["pdf_memory"],
            ),
            html=HtmlChoices(asked["layout"], asked["assets"], asked["jobs"], bar),
            look=look,
            say=bar.say,
        )
    for line in summary_lines(wave):
        say(line)
    _hint_at_mapping(source)
    _hint_at_capturing(wave)
    if written.layout:
        click.echo(f"Layout: {written.layout}")
    for path in (*written.files, *replies.files):
        say(f"Wrote {path}")
    for failure in written.failures:
        say(f"Error: {failure}", err=True)
    lost = lost_input(wave)
    name_problems("Some input was lost", lost)
    if written.failures:
        return RENDERING_FAILED
    if _holds(asked["conditions"], wave):
        return CONDITION_HOLDS
    return INPUT_LOST if lost else WRITTEN


def _look(templates: Path | None, theme: Path | None) -> "Look | None":
    """Read the look that a caller gives a report; None where they leave it to us."""
    if templates is None and theme is None:
        return None
    from reporter.render.look import read_look

    return read_look(templates, theme)


def _holds(conditions: Iterable[str], wave: "DerivedWave") -> bool:
    """Tell whether one of the conditions that the caller wants to fail on holds."""
    kind, notes = wave.findings.summary_kind, wave.findings.coverage_notes
    return any(
        condition == kind or (condition == "coverage" and bool(notes)) for condition in conditions
    )


def _hint_at_mapping(source: "Source") -> None:
    from reporter.importers.mapping import NO_PERSONA
    from reporter.models.manifest import TARGET_UNRECORDED
    from reporter.pipeline.source import ForeignSource

    if not isinstance(source, ForeignSource):
        return
    manifest = source.manifest()
    nobody = any(persona.name == NO_PERSONA.name for persona in manifest.personas)
    nothing = any(target.label == TARGET_UNRECORDED for target in manifest.targets)
    if nobody or nothing:
        missing = " and no ".join(
            word for word, is_missing in (("persona", nobody), ("target", nothing)) if is_missing
        )
        click.echo(f"Some files record no {missing}; --map FILE states it.", err=True)


def _hint_at_capturing(wave: "DerivedWave") -> None:
    from reporter.importers.losses import TEXTS_NOT_CAPTURED

    for problem in wave.problems:
        if problem.rule == TEXTS_NOT_CAPTURED:
            say(str(problem), err=True)
