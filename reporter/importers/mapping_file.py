"""Reads what a user states about the files of a source: TOML rules, or a table of files."""

import csv
import io
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from reporter.errors import Problem, RecordingError
from reporter.importers.mapping import FileMapping, MappingRule, Stated, stated_as

_NAMING: Final = ("file", "match")
_KEYS: Final = (
    *_NAMING,
    *("persona", "persona-role", "persona-notes", "goal", "target", "model"),
)
_SEPARATORS: Final = {".csv": ",", ".tsv": "\t"}


def read_mapping(path: Path, everywhere: Stated | None = None) -> FileMapping:
    """Read a mapping file.

    Args:
        path: A TOML file with one `[[files]]` table a rule, or a table (`.csv`, `.tsv`) with
            one rule a line under a line of names. A rule holds `file`, the name of one file
            inside the source, or `match`, a pattern of names, and any of `persona`,
            `persona-role`, `persona-notes`, `goal`, `target` and `model`.
        everywhere: What holds of every file that no rule says it of.

    Raises:
        RecordingError: The file cannot be read or says something that means nothing;
            every such place is named.
    """
    name = path.name
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise _refused(name, "", f"The mapping cannot be read: {reason}.", "") from None
    except UnicodeDecodeError as error:
        place = f"byte {error.start}"
        raise _refused(name, place, "The mapping is no UTF-8.", "Save it as UTF-8.") from None
    separator = _SEPARATORS.get(path.suffix.lower())
    problems: list[Problem] = []
    found = _tables(name, text, problems) if separator is None else _rows(name, text, separator)
    rules: list[MappingRule] = []
    for place, table in found:
        wrong = _wrong_places(name, place, table)
        problems.extend(wrong)
        if not wrong:
            rules.append(_rule(place, table))
    problems.extend(_contradictions(name, rules))
    if problems:
        raise RecordingError(problems)
    return FileMapping(tuple(rules), everywhere or Stated(), name)


def _tables(name: str, text: str, problems: list[Problem]) -> list[tuple[str, dict[str, Any]]]:
    """Return the rules of a TOML file, each with its place."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what = f"The mapping is no TOML: {error}."
        raise _refused(name, "", what, "Mend the file there.") from None
    problems.extend(
        _problem(
            name, key, f'The key "{key}" is unknown.', "A mapping holds [[files]] tables only."
        )
        for key in content
        if key != "files"
    )
    tables = content.get("files", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        problems.append(
            _problem(name, "files", "Rules are tables.", "Write [[files]] above each of them.")
        )
        return []
    return [(f"files[{index}]", table) for index, table in enumerate(tables)]


def _rows(name: str, text: str, separator: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rules of a table, each with its line; an empty cell states nothing."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        head = [cell.strip() for cell in next(reader, [])]
        if not set(head) & set(_NAMING):
            allowed = ", ".join(_KEYS)
            what = "The first line must name the columns, file or match among them."
            raise _refused(name, "line 1", what, f"Columns may be: {allowed}.")
        for cells in reader:
            row = {key: cell for key, cell in zip(head, cells, strict=False) if cell.strip()}
            if len(cells) > len(head):
                what = f"The line has {len(cells)} cells under {len(head)} columns."
                raise _refused(name, f"line {reader.line_num}", what, "Quote what holds a comma.")
            if row:
                yield f"line {reader.line_num}", row
    except csv.Error as error:
        place = f"line {reader.line_num}"
        what = f"The table cannot be read: {error}."
        raise _refused(name, place, what, "Mend the file there.") from None


def _rule(place: str, table: Mapping[str, str]) -> MappingRule:
    stated = stated_as(
        persona=table.get("persona"),
        role=table.get("persona-role"),
        notes=table.get("persona-notes"),
        target=table.get("target"),
        model=table.get("model"),
        goal=table.get("goal"),
    )
    is_exact = "file" in table
    return MappingRule(table["file" if is_exact else "match"], stated, place, is_exact)


def _wrong_places(file: str, place: str, table: Mapping[str, Any]) -> list[Problem]:
    allowed = ", ".join(_KEYS)
    problems = [
        _problem(
            file, f"{place}.{key}", f'The key "{key}" is unknown.', f"A rule may hold: {allowed}."
        )
        for key in table
        if key not in _KEYS
    ]
    problems.extend(
        _problem(file, f"{place}.{key}", "A text was expected.", f'Write {key} = "...".')
        for key, value in table.items()
        if key in _KEYS and not (isinstance(value, str) and value.strip())
    )
    named = [key for key in _NAMING if key in table]
    if not named:
        problems.append(
            _problem(file, place, "The rule names no file.", 'Add match = "name-of-the-file.json".')
        )
    elif len(named) > 1:
        what = "The rule names its files twice, by file and by match."
        problems.append(_problem(file, place, what, "Leave one of them out."))
    if "persona" not in table and ("persona-role" in table or "persona-notes" in table):
        problems.append(
            _problem(file, place, "The rule describes a persona without name.", "Add persona.")
        )
    return problems


def _contradictions(file: str, rules: Sequence[MappingRule]) -> list[Problem]:
    """Report a persona that two rules describe differently: it would be one persona."""
    first: dict[str, MappingRule] = {}
    problems: list[Problem] = []
    for rule in rules:
        persona = rule.stated.persona
        if persona is None:
            continue
        known = first.setdefault(persona.name, rule)
        if known.stated.persona != persona:
            problems.append(
                _problem(
                    file,
                    rule.place,
                    f'The persona "{persona.name}" is described otherwise in {known.place}.',
                    "Write the same persona-role and persona-notes in both, or another name.",
                )
            )
    return problems


def _problem(file: str, place: str, what: str, remedy: str) -> Problem:
    return Problem(file=file, place=place, what=what, remedy=remedy, rule="mapping")


def _refused(file: str, place: str, what: str, remedy: str) -> RecordingError:
    return RecordingError([_problem(file, place, what, remedy)])
