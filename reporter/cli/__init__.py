"""The command: paths in, paths out, exit codes.

Nothing heavy is imported here at the top: `--help` answers at once, and `findings`, `facts`
and `check` never load a renderer.
"""
# ruff: noqa: PLC0415  imports stand in the commands that need them, see above

import atexit
import contextlib
import difflib
import functools
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, ParamSpec, Self, TypedDict, cast

import click

from reporter.cli.asking import (
    ModelOptions,
    Replies,
    asking_choices,
    kept_choices,
    model_options,
    phrase_choices,
    question_texts,
    with_sessions,
)
from reporter.errors import Problem, RecordingError, RenderError, ReporterError
from reporter.version import VERSION

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from reporter.models.wave import DerivedWave
    from reporter.pipeline.options import Options
    from reporter.pipeline.source import Source
    from reporter.render.look import Look

P = ParamSpec("P")

WRITTEN: Final = 0
CONDITION_HOLDS: Final = 1
UNREADABLE: Final = 2
RENDERING_FAILED: Final = 3
INPUT_LOST: Final = 4
DEFECT: Final = 70
INTERRUPTED: Final = 130
TERMINATED: Final = 143

FORMATS: Final = ("html", "pdf", "json")
PHRASES: Final = "phrases.json"
CONDITIONS: Final = ("broken", "friction", "notLaunched", "unread", "coverage")
SHOWN_PROBLEMS: Final = 20
LONGEST_LINE: Final = 2_000


def _utc_now() -> datetime:
    """Return the time that a report is stamped with: the caller's, else the clock's."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is not None:
        try:
            return datetime.fromtimestamp(int(epoch), UTC)
        except (ValueError, OverflowError, OSError) as error:
            raise click.UsageError(
                "SOURCE_DATE_EPOCH must be a number of seconds since 1970."
            ) from error
    return datetime.now(UTC).replace(microsecond=0)


class Moment(click.ParamType[datetime]):
    """A point in time: ISO 8601, or epoch milliseconds."""

    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Return the time in UTC; a time without zone is UTC."""
        if isinstance(value, datetime):
            return value
        text = str(value)
        try:
            if text.isdigit():
                return datetime.fromtimestamp(int(text) / 1000, UTC)
            moment = datetime.fromisoformat(text)
        except (ValueError, OverflowError, OSError):
            self.fail(f"{text!r} is neither ISO 8601 nor epoch milliseconds.", param, ctx)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


class SourcePath(click.Path):
    """A path that exists, or a pattern such as `'runs/**/*.json'`."""

    def __init__(self) -> None:
        super().__init__(exists=True, path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Path:
        """Return the path; a pattern is looked up when the source is opened."""
        from reporter.importers.inputs import is_pattern

        path = Path(value)
        return path if is_pattern(path) else cast("Path", super().convert(value, param, ctx))


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


def _say(text: str, *, err: bool = False) -> None:
    """Say a line that may hold recorded text: it moves no terminal and begins no second line."""
    from reporter.view.text import clean

    whole = clean(text.replace("\n", " ").replace("\r", " "))
    click.echo(whole if len(whole) <= LONGEST_LINE else f"{whole[:LONGEST_LINE]}…", err=err)


def _say_aside(text: str) -> None:
    """Say a line beside what is written to the terminal."""
    _say(text, err=True)


def _say_error(error: ReporterError) -> None:
    lines = error.problems if isinstance(error, RecordingError) else [error]
    for number, line in enumerate(lines):
        _say(f"{'' if number else 'Error: '}{line}", err=True)


class _TerminationError(KeyboardInterrupt):
    """Another program asked for the end, as a pipeline does whose time is over."""


@contextlib.contextmanager
def _termination_heard() -> Iterator[None]:
    """End as an interrupt does when asked to: children first, nothing half-written."""

    def end(*_: object) -> None:
        raise _TerminationError

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _plainly(command: Callable[P, int]) -> Callable[P, None]:
    """Turn our errors into one message and an exit status, never a traceback."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            with _termination_heard():
                status = command(*args, **kwargs)
        except click.ClickException:
            raise
        except RenderError as error:
            _say(f"Error: {error}", err=True)
            status = RENDERING_FAILED
        except ReporterError as error:
            _say_error(error)
            status = UNREADABLE
        except (KeyboardInterrupt, click.Abort) as error:
            click.echo("Interrupted; nothing half-written was left behind.", err=True)
            status = TERMINATED if isinstance(error, _TerminationError) else INTERRUPTED
        except BrokenPipeError:
            # Whoever was reading has seen enough; nothing more can be said to them.
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
            status = WRITTEN
        except OSError as error:
            name = error.filename if isinstance(error.filename, str) else ""
            where = f"{name}: " if name else ""
            _say(f"Error: {where}{error.strerror or error}", err=True)
            status = UNREADABLE
        except Exception as error:
            if os.environ.get("SWARM_REPORTER_DEBUG"):
                raise
            click.echo(
                f"Error: a defect of swarm-reporter ({type(error).__name__}: {error}). "
                "Please report it, with the traceback that SWARM_REPORTER_DEBUG=1 shows.",
                err=True,
            )
            status = DEFECT
        sys.exit(status)

    return run


@contextlib.contextmanager
def _kept_to_the_end() -> Iterator[None]:
    """Do not look for garbage in what is kept until the command ends, nor when it does.

    To walk over the facts of ten thousand sessions takes longer than to render their list.
    """
    from reporter.pipeline.spread import collector_paused

    # Of a name that is registered twice only one is needed, and none does harm.
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)
    with collector_paused():
        yield


def _source_options(command: Callable[P, None]) -> Callable[P, None]:
    """Add the options that say what a source holds and how it is read."""
    for option in reversed(
        (
            click.argument(
                "sources", metavar="SOURCE...", nargs=-1, required=True, type=SourcePath()
            ),
            click.option(
                "--map",
                "map_file",
                type=click.Path(exists=True, dir_okay=False, path_type=Path),
                help="TOML or CSV file that says which file holds which persona, goal and target.",
            ),
            click.option("--persona", help="Persona of every file that the map does not name."),
            click.option("--goal", help="Goal of every file that the map does not name."),
            click.option("--target", help="Target of every file that the map does not name."),
            click.option("--target-model", help="Model of that target."),
            click.option(
                "--wave", help="Id of the wave to read, where a saved export holds several."
            ),
            click.option(
                "--scan-cap",
                type=click.IntRange(min=0),
                help="Read at most so many sessions, in the order of the plan. No cap by default.",
            ),
            click.option(
                "--jobs",
                type=click.IntRange(min=1),
                help="Processes to derive and render with. By default one a core for large waves.",
            ),
        )
    ):
        command = option(command)
    return command


class SourceChoices(TypedDict):
    """What every command that reads a source is given."""

    sources: tuple[Path, ...]
    map_file: Path | None
    persona: str | None
    goal: str | None
    target: str | None
    target_model: str | None
    wave: str | None
    scan_cap: int | None
    jobs: int | None


class PhrasesAsked(SourceChoices, ModelOptions):
    """What `phrases` is given."""

    output: Path
    review: bool


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


class DataChoices(SourceChoices):
    """What `findings` and `facts` are given."""

    output: Path | None
    generated_at: datetime | None
    phrases_file: Path | None
    """Kept replies; only `findings` takes them."""


class ImportChoices(SourceChoices):
    """What `import` is given."""

    folder: Path | None
    suggest_map: bool


class GradeAsked(SourceChoices):
    """What `grade` is given."""

    checks: Path
    folder: Path
    regrade: bool
    ended: bool


class CoverageAsked(SourceChoices):
    """What `coverage` is given."""

    form: Literal["text", "json"]


def _output_option(usual: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    return click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        help=f"File to write, such as {usual}. Default: the terminal.",
    )


def _options(asked: SourceChoices) -> "Options":
    from dataclasses import replace

    from reporter.importers.mapping import FileMapping, stated_as
    from reporter.importers.mapping_file import read_mapping
    from reporter.pipeline.options import Options

    everywhere = stated_as(
        persona=asked["persona"],
        target=asked["target"],
        model=asked["target_model"],
        goal=asked["goal"],
    )
    if asked["map_file"] is None:
        mapping = FileMapping(everywhere=everywhere)
    else:
        mapping = read_mapping(asked["map_file"], everywhere)
    mapping = replace(mapping, wave=asked["wave"] or "")
    return Options(mapping=mapping, scan_cap=asked["scan_cap"], jobs=asked["jobs"])


def _look(templates: Path | None, theme: Path | None) -> "Look | None":
    """Read the look that a caller gives a report; None where they leave it to us."""
    if templates is None and theme is None:
        return None
    from reporter.render.look import read_look

    return read_look(templates, theme)


class _Bar:
    """A progress bar on a terminal; silence in a pipe."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True, auto_refresh=False)
            self._bar.start()
            self._task = self._bar.add_task(self._label, total=None)
        return self

    def __exit__(self, *exception: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Show how many of how many pieces are done."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, refresh=True)

    def asking(
        self, done: int, total: int, *, sessions: int, tokens: int, cost_usd: Decimal | None
    ) -> None:
        """Show how many requests a model has answered, and what they took so far."""
        if self._bar is not None and self._task is not None:
            cost = "" if cost_usd is None else f", ${cost_usd:.2f}"
            shown = _counted(sessions, "session")
            self._bar.update(
                self._task,
                description=f"Asking the model ({shown}, {tokens:,} tokens{cost})",
                completed=done,
                total=total,
                refresh=True,
            )

    def say(self, label: str) -> None:
        """Show what is being done now, without a known end."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=label, total=None, refresh=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, prog_name="swarm-reporter")
def main() -> None:
    """Read the recorded sessions of a swarm and report what they show, and no more.

    SOURCE is a recorded wave (a folder with wave.json, or one .jsonl file), recordings in
    a format that is imported (`swarm-reporter formats` lists them), or a findings
    document that came without its recording. Recordings may be files, folders,
    archives (.zip, .tar, .tar.gz, .tar.zst), packed files (.gz, .zst) and quoted patterns
    such as 'runs/**/*.json', as many as there are.
    """


@main.command()
@_source_options
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
    help="Megabytes that rendering the PDF may take, with the same end; 260 pages take 500-800.",
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
@_plainly
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
    generated_at = asked["generated_at"] or _utc_now()
    look = _look(asked["templates"], asked["theme"])
    source = open_source(asked["sources"], _options(asked))
    if asked["dry_run"]:
        return _dry_run(source, asked)
    replies = Replies(asked["folder"] / PHRASES if asked["model"] else None, _say_aside)
    with _kept_to_the_end(), _Bar("Deriving sessions") as bar:
        choices = phrase_choices(asked, replies, bar.asking)
        if choices is not None:
            with_sessions(source)
        # Before the long work, and not for a source that cannot be read.
        make_folder(asked["folder"])
        with replies.kept_on_interrupt():
            wave = derive_wave(source, generated_at=generated_at, progress=bar, phrases=choices)
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
        _say(line)
    _hint_at_mapping(source)
    _hint_at_capturing(wave)
    if written.layout:
        click.echo(f"Layout: {written.layout}")
    for path in (*written.files, *replies.files):
        _say(f"Wrote {path}")
    for failure in written.failures:
        _say(f"Error: {failure}", err=True)
    lost = lost_input(wave)
    _name_problems("Some input was lost", lost)
    if written.failures:
        return RENDERING_FAILED
    if _holds(asked["conditions"], wave):
        return CONDITION_HOLDS
    return INPUT_LOST if lost else WRITTEN


@main.command()
@_source_options
@_output_option("findings.json")
@click.option("--generated-at", type=Moment(), help="Time that the document is stamped with.")
@click.option(
    "--phrases",
    "phrases_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A model's kept replies to use; nothing is sent.",
)
@_plainly
def findings(**given: object) -> int:
    """Write the findings document of SOURCE, and nothing else."""
    from reporter.findings.projection import dump_document

    return _write_of_wave(cast("DataChoices", given), lambda wave, _: dump_document(wave.document))


@main.command()
@_source_options
@_output_option("funnel.json")
@click.option("--generated-at", type=Moment(), help="Time that the document is stamped with.")
@_plainly
def funnel(**given: object) -> int:
    """Write the stage funnel of SOURCE: who came how far along the chain, and who is left out."""
    from reporter.pipeline.funnel import funnel_text

    return _write_of_wave(
        cast("DataChoices", given), lambda wave, now: funnel_text(wave, generated_at=now)
    )


def _write_of_wave(asked: "DataChoices", text_of: Callable[["DerivedWave", datetime], str]) -> int:
    """Derive a wave, write one document of it and say what was lost on the way."""
    from reporter.pipeline.derive import derive_wave, lost_input
    from reporter.pipeline.source import open_source

    generated_at = asked.get("generated_at") or _utc_now()
    source = open_source(asked["sources"], _options(asked))
    choices = None
    if kept := asked.get("phrases_file"):
        choices = kept_choices(kept)
    with _kept_to_the_end(), _Bar("Deriving sessions") as bar:
        wave = derive_wave(source, generated_at=generated_at, progress=bar, phrases=choices)
    _put(asked["output"], [text_of(wave, generated_at)])
    lost = lost_input(wave)
    _name_problems("Some input was lost", lost)
    return INPUT_LOST if lost else WRITTEN


def _dry_run(source: "Source", asked: ModelOptions) -> int:
    """Print what would be sent, and send nothing."""
    from reporter.pipeline.phrases import first_questions

    recorded, choices = with_sessions(source), asking_choices(asked)
    with _Bar("Deriving sessions") as bar:
        questions = first_questions(recorded, choices, bar)
    _put(None, question_texts(questions))
    return WRITTEN


@main.command()
@_source_options
@model_options
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path(PHRASES),
    show_default=True,
    help="File of replies to write.",
)
@click.option(
    "--review",
    is_flag=True,
    help="Ask you, not a model, whether cited turns bear each proposal of --phrases out.",
)
@_plainly
def phrases(**given: object) -> int:
    """Ask a model for causes of SOURCE, and keep its replies for reports to come.

    `report SOURCE --phrases FILE` then gives the same report every time, and sends nothing.
    """
    from reporter.pipeline.derive import derive_wave
    from reporter.pipeline.source import open_source
    from reporter.view.terminal import summary_lines

    asked = cast("PhrasesAsked", given)
    source = open_source(asked["sources"], _options(asked))
    if asked["review"]:
        return _review(source, asked)
    if asked["dry_run"]:
        return _dry_run(source, asked)
    if asked["model"] is None:
        raise click.UsageError("Say which model is asked, with --model NAME.")
    replies = Replies(asked["output"], _say_aside)
    with _Bar("Deriving sessions") as bar:
        choices = phrase_choices(asked, replies, bar.asking)
        with_sessions(source)
        with replies.kept_on_interrupt():
            wave = derive_wave(source, generated_at=_utc_now(), progress=bar, phrases=choices)
    for line in summary_lines(wave):
        _say(line)
    for path in replies.files:
        _say(f"Wrote {path}")
    return WRITTEN


def _review(source: "Source", asked: PhrasesAsked) -> int:
    """Let a person look at every proposal that passed the rules, and keep what they say."""
    from reporter.phrases.kept import dump_phrases, read_phrases
    from reporter.phrases.review import with_answer
    from reporter.pipeline.phrases import kept_looks
    from reporter.pipeline.write import write_text
    from reporter.view.review_lines import look_lines
    from reporter.vocabulary import SupportAnswer

    if asked["phrases_file"] is None:
        raise click.UsageError("Say which replies are reviewed, with --phrases FILE.")
    recorded, choices = with_sessions(source), kept_choices(asked["phrases_file"])
    document = read_phrases(asked["phrases_file"])
    typed = {
        "s": SupportAnswer.SUPPORTS,
        "c": SupportAnswer.CONTRADICTS,
        "t": SupportAnswer.CANNOT_TELL,
    }
    with _Bar("Deriving sessions") as bar:
        looks = kept_looks(recorded, choices, bar)
    for number, look in enumerate(looks, start=1):
        for line in look_lines(look, number, len(looks)):
            click.echo(line)
        said = click.prompt(
            "Do they bear it out? s supports, c contradicts, t cannot tell, n next, q quit",
            type=click.Choice(list("sctnq")),
            show_choices=False,
        )
        if said == "q":
            break
        if said in typed:
            document = with_answer(document, look, typed[said])
            # After each answer: an interrupt then loses none.
            write_text(asked["output"], [dump_phrases(document)])
    if not looks:
        click.echo("No kept proposal passed the rules, so there is nothing to look at.")
    _say(f"{_counted(len(document.persons), 'answer')} of a person in {asked['output']}")
    return WRITTEN


@main.command()
@_source_options
@_output_option("sessions.jsonl")
@_plainly
def facts(**given: object) -> int:
    """Write what each session of SOURCE came to, one JSON line a planned session."""
    from reporter.derive.facts_json import facts_line
    from reporter.pipeline.derive import LOSSES
    from reporter.pipeline.source import DocumentSource, open_source

    asked = cast("DataChoices", given)
    source = open_source(asked["sources"], _options(asked))
    if isinstance(source, DocumentSource):
        raise ReporterError(
            f"{source.name}: a findings document holds no sessions; name the recording."
        )
    lost: list[Problem] = [one for one in source.problems() if one.rule in LOSSES]

    def lines() -> Iterator[str]:
        with _Bar("Deriving sessions") as bar:
            for session in source.facts(bar):
                lost.extend(one for one in session.problems if one.rule in LOSSES)
                yield facts_line(session) + "\n"

    _put(asked["output"], lines())
    lost = [*lost, *(one for one in source.problems() if one.rule in LOSSES and one not in lost)]
    _name_problems("Some input was lost", lost)
    return INPUT_LOST if lost else WRITTEN


@main.command()
@click.argument("recordings", metavar="SOURCE...", nargs=-1, required=True, type=SourcePath())
@_plainly
def check(recordings: tuple[Path, ...]) -> int:
    """Name everything that is wrong with SOURCE, by file, line and place, all at once.

    Exits 0 when nothing is wrong (notes do not count), 2 otherwise.
    """
    from reporter.pipeline.check import check_source

    problems = check_source(recordings)
    errors = [problem for problem in problems if problem.severity == "error"]
    for problem in problems:
        mark = "" if problem.severity == "error" else " (note)"
        _say(f"{problem} [{problem.rule}]{mark}")
    notes = len(problems) - len(errors)
    click.echo(f"{_counted(len(errors), 'problem')}, {_counted(notes, 'note')}.")
    return UNREADABLE if errors else WRITTEN


@main.command()
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Default: the terminal."
)
@_plainly
def schema(output: Path | None) -> int:
    """Write the JSON Schema of the recording format."""
    import json

    from reporter.recording.schema import recording_schema

    _put(output, [json.dumps(recording_schema(), indent=2, ensure_ascii=False) + "\n"])
    return WRITTEN


@main.command()
@click.argument("name", required=False)
@click.option("--markdown", is_flag=True, help="Write the whole table as a page of Markdown.")
@_plainly
def formats(name: str | None, markdown: bool) -> int:
    """List the formats that can be imported, or say what the format NAME holds of a session."""
    from reporter.importers.formats import described_lines, format_lines, formats_page
    from reporter.importers.identify import IMPORTERS

    if markdown:
        click.echo(formats_page(IMPORTERS), nl=False)
        return WRITTEN
    if name is None:
        for line in format_lines(IMPORTERS):
            click.echo(line)
        return WRITTEN
    known = {importer.name: importer for importer in IMPORTERS}
    if name not in known:
        raise ReporterError(f"{name}: no such format; known are {', '.join(known)}.")
    for line in described_lines(known[name]):
        click.echo(line)
    return WRITTEN


@main.command()
@click.argument("kind", required=False)
@click.option("--markdown", is_flag=True, help="Write a whole page about files of checks.")
@_plainly
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


@main.command("import")
@_source_options
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    help="Folder of the new wave; must not exist, or be empty.",
)
@click.option(
    "--suggest-map",
    is_flag=True,
    help="Write nothing; print a map to start from, for --map, made from what SOURCE holds.",
)
@_plainly
def import_(**given: object) -> int:
    """Write SOURCE, recordings in another format, as a native recording."""
    from reporter.pipeline.import_ import import_source
    from reporter.view.masked import masked_words

    asked = cast("ImportChoices", given)
    if asked["suggest_map"]:
        _put(None, _suggested_map(asked))
        return WRITTEN
    if asked["folder"] is None:
        raise ReporterError("Name the folder of the new wave: -o FOLDER.")
    imported = import_source(asked["sources"], asked["folder"], _options(asked))
    click.echo(
        f"Wrote {asked['folder']}: {_counted(imported.sessions, 'session')} of "
        f"{_counted(imported.files, 'file')}, read as {imported.importer}."
    )
    if masked := masked_words(imported.masked, imported.masked_parts):
        click.echo(f"Masked on reading: {masked}.")
    for entry in imported.lost[:SHOWN_PROBLEMS]:
        _say(f"Not used: {entry}", err=True)
    _more(len(imported.lost), "in wave.json under source.lost")
    _name_problems("Some input was lost", imported.losses)
    return INPUT_LOST if imported.losses else WRITTEN


@main.command()
@_source_options
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
@_plainly
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
    with _Bar("Grading sessions") as bar:
        graded = grade_source(asked["sources"], asked["folder"], choices, _options(asked), bar)
    for note in graded.notes:
        _say(f"Note: {note}", err=True)
    _say(f"Wrote {asked['folder']}")
    for line in graded_lines(graded.tally, graded.labels):
        _say(line)
    _name_problems("Some input was lost", graded.losses)
    return INPUT_LOST if graded.losses else WRITTEN


@main.command()
@_source_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Lines to read, or one JSON object.",
)
@_plainly
def coverage(**given: object) -> int:
    """Tell per link what the checks measure, and what nothing measures.

    SOURCE is a file of checks (YAML or JSON), or a recording, whose own checks are told with
    what its sessions came to.
    """
    import json

    from reporter.pipeline.coverage import coverage_report
    from reporter.view.coverage_lines import coverage_lines

    asked = cast("CoverageAsked", given)
    with _Bar("Deriving sessions") as bar:
        told = coverage_report(asked["sources"], _options(asked), bar)
    for note in told.notes:
        _say(f"Note: {note}", err=True)
    if asked["form"] == "json":
        _put(None, [json.dumps(told.to_wire(), indent=2, ensure_ascii=False) + "\n"])
    else:
        for line in coverage_lines(told.lists):
            _say(line)
    _name_problems("Some input was lost", told.losses)
    return INPUT_LOST if told.losses else WRITTEN


def _suggested_map(asked: SourceChoices) -> list[str]:
    from reporter.importers.suggest import suggested_map
    from reporter.pipeline.source import ForeignSource, open_source

    source = open_source(asked["sources"], _options(asked))
    if not isinstance(source, ForeignSource):
        raise ReporterError(f"{source.name}: it is a {source.kind}, whose sessions say all of it.")
    return [suggested_map(source.wave)]


def _put(output: Path | None, pieces: Iterable[str]) -> None:
    """Write to a file, whole or not at all, or to the terminal piece by piece."""
    from reporter.pipeline.write import write_text

    if output is not None:
        write_text(output, pieces)
        _say(f"Wrote {output}", err=True)
        return
    stream = sys.stdout.buffer
    for piece in pieces:
        stream.write(piece.encode("utf-8", "replace"))
    stream.flush()


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
            _say(str(problem), err=True)


def _name_problems(head: str, problems: Sequence[Problem]) -> None:
    if not problems:
        return
    # Every one: a page shows the first of many, and data commands write no page.
    click.echo(f"{head}:", err=True)
    for problem in problems:
        _say(f"  {problem}", err=True)


def _more(count: int, where: str) -> None:
    if count > SHOWN_PROBLEMS:
        click.echo(f"  and {count - SHOWN_PROBLEMS} more, {where}.", err=True)


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
