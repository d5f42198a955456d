"""What every command is given: a source, how it is read, a time and a file to write."""
# ruff: noqa: PLC0415  nothing heavy is loaded before a command needs it

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypedDict, cast

import click

if TYPE_CHECKING:
    from reporter.pipeline.options import Options

P = ParamSpec("P")


def utc_now() -> datetime:
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


def source_options(command: Callable[P, None]) -> Callable[P, None]:
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


def output_option(usual: str) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Return the option for the file to write, which is called such as `usual`."""
    return click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        help=f"File to write, such as {usual}. Default: the terminal.",
    )


def options_of(asked: SourceChoices) -> "Options":
    """Return how a source is read.

    Raises:
        RecordingError: The map cannot be used.
    """
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
