"""The formats that can be imported, as a page of the docs and as lines of a terminal."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from reporter.importers.described import SAYS, Described
from reporter.importers.importer import Importer

_HEADS: Final = {"stop_reason": "stop"}
_NOTHING: Final = "\N{EN DASH}"
"""Stands where a format does not say something."""

_ABOUT: Final = """\
# Formats

What each format that can be imported says of a session, where in the source it stands, and
what it cannot say. This page is made from the importers: `swarm-reporter formats --markdown`
prints it.

Nothing is invented. What a format does not say stays unknown, and the report says what
follows. A value marked *inferred* was not recorded as such; the report names the rule that
gave it. Secrets are masked on reading, in every format alike.

A source is recognised by what is in its files, never by their names alone. Persona and target
that no format records can be stated with `--map FILE`; `swarm-reporter import SOURCE
--suggest-map` prints a map to start from.
"""
_LEGEND: Final = """\
`yes`: the format records it. `inferred`: it follows from something else by a rule that the
report names. `partly`: some of it does, or sometimes. A dash: the format does not say it.
"""


def formats_page(importers: Sequence[Importer]) -> str:
    """Return the page of the docs, in Markdown, with its last line feed."""
    rows = [
        ["format", *(_head(word) for word in SAYS)],
        *(
            [f"[{importer.name}](#{importer.name})", *_marks(importer.described)]
            for importer in importers
        ),
    ]
    sections = chain.from_iterable(["", *_section(importer)] for importer in importers)
    return "\n".join([_ABOUT, *_table(rows), "", _LEGEND.rstrip(), *sections, ""])


def format_lines(importers: Sequence[Importer]) -> Iterator[str]:
    """Yield the formats for a terminal: name, title and how a file of one is recognised."""
    width = max(len(importer.name) for importer in importers)
    for importer in importers:
        yield f"{importer.name:{width}}  {importer.described.title}"
        yield f"{'':{width}}  reads {importer.looks_for}"


def described_lines(importer: Importer) -> Iterator[str]:
    """Yield what one format says, for a terminal."""
    described = importer.described
    yield described.title
    yield f"Files: {_plain(described.files)}."
    yield f"Recognised by: {importer.looks_for}."
    width = max(map(len, SAYS)) + 1
    for word in SAYS:
        said = getattr(described, word)
        yield f"  {_words(word):{width}} {_plain(said) if said else _NOTHING}"
    yield "Not recorded, and what follows:"
    for gap in described.gaps:
        yield f"  {_plain(gap.what)}: {gap.consequence}"


def _section(importer: Importer) -> Iterator[str]:
    described = importer.described
    yield f'## <a id="{importer.name}"></a>{described.title}'
    yield ""
    yield f"`{importer.name}`: {described.files}. Recognised by {importer.looks_for}."
    yield ""
    rows = [(_words(word), getattr(described, word) or _NOTHING) for word in SAYS]
    yield from _table([["what", "where it comes from"], *map(list, rows)])
    yield ""
    gaps = [[gap.what, f"`{gap.consequence}`"] for gap in described.gaps]
    yield from _table([["what it cannot say", "what follows"], *gaps])


def _marks(described: Described) -> list[str]:
    return [_mark(getattr(described, word)) for word in SAYS]


def _mark(said: str | None) -> str:
    if said is None:
        return _NOTHING
    if "inferred" not in said:
        return "yes"
    return "inferred" if said.endswith("(inferred)") or "(inferred);" in said else "partly"


def _head(word: str) -> str:
    return _HEADS.get(word, _words(word))


def _words(word: str) -> str:
    return word.replace("_", " ")


def _plain(text: str) -> str:
    return text.replace("`", "")


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    head, *body = rows
    for row in (head, ["---"] * len(head), *body):
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
