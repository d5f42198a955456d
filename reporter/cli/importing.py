"""`import` and `formats`: recordings in another format, written as ours."""
# ruff: noqa: PLC0415  imports stand in the commands that need them: `--help` answers at once

from pathlib import Path
from typing import cast

import click

from reporter.cli.options import SourceChoices, options_of, source_options
from reporter.cli.plainly import plainly
from reporter.cli.statuses import INPUT_LOST, WRITTEN
from reporter.cli.terminal import SHOWN_PROBLEMS, counted, name_problems, put, say
from reporter.errors import ReporterError


class ImportChoices(SourceChoices):
    """What `import` is given."""

    folder: Path | None
    suggest_map: bool


@click.command("import")
@source_options
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
@plainly
def import_(**given: object) -> int:
    """Write SOURCE, recordings in another format, as a native recording."""
    from reporter.pipeline.import_ import import_source
    from reporter.view.masked import masked_words

    asked = cast("ImportChoices", given)
    if asked["suggest_map"]:
        put(None, _suggested_map(asked))
        return WRITTEN
    if asked["folder"] is None:
        raise ReporterError("Name the folder of the new wave: -o FOLDER.")
    imported = import_source(asked["sources"], asked["folder"], options_of(asked))
    click.echo(
        f"Wrote {asked['folder']}: {counted(imported.sessions, 'session')} of "
        f"{counted(imported.files, 'file')}, read as {imported.importer}."
    )
    if masked := masked_words(imported.masked, imported.masked_parts):
        click.echo(f"Masked on reading: {masked}.")
    for entry in imported.lost[:SHOWN_PROBLEMS]:
        say(f"Not used: {entry}", err=True)
    _more(len(imported.lost), "in wave.json under source.lost")
    name_problems("Some input was lost", imported.losses)
    return INPUT_LOST if imported.losses else WRITTEN


def _suggested_map(asked: SourceChoices) -> list[str]:
    from reporter.importers.suggest import suggested_map
    from reporter.pipeline.source import ForeignSource, open_source

    source = open_source(asked["sources"], options_of(asked))
    if not isinstance(source, ForeignSource):
        raise ReporterError(f"{source.name}: it is a {source.kind}, whose sessions say all of it.")
    return [suggested_map(source.wave)]


def _more(count: int, where: str) -> None:
    if count > SHOWN_PROBLEMS:
        click.echo(f"  and {count - SHOWN_PROBLEMS} more, {where}.", err=True)


@click.command()
@click.argument("name", required=False)
@click.option("--markdown", is_flag=True, help="Write the whole table as a page of Markdown.")
@plainly
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
