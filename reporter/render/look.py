"""A report's own look: templates that stand before ours, and a theme behind our style sheet."""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from reporter.errors import Problem, RecordingError
from reporter.render.environment import template_root

OWN: Final = "own/"
"""What stands below this folder is nobody's but the caller's, and may have any name."""

_NEAREST: Final = 3
_SIMILAR: Final = 0.5
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})(?:\r\n|[ \t\n\f])?|(.))", re.DOTALL)
_LOADS: Final = re.compile(
    r"@import|(?<![\w-])(?:url|src|image|(?:-webkit-)?(?:image-set|cross-fade))\(", re.IGNORECASE
)
_ENDS: Final = re.compile("</|<!--|\0", re.IGNORECASE)
_LARGEST: Final = 0x10FFFF


@dataclass(frozen=True, slots=True)
class Look:
    """What a caller puts in the place of our own look."""

    overrides: tuple[Path, ...] = ()
    """Folders whose templates and assets stand before ours, the first that has one wins."""
    theme: str = ""
    """Style that stands behind ours on every page; checked, so that it loads nothing."""


PLAIN: Final = Look()
"""Our own look."""


def read_look(templates: Path | None = None, theme: Path | None = None) -> Look:
    """Read what `--templates` and `--theme` name, before any long work.

    Args:
        templates: A folder with templates or assets of our names, or None.
        theme: A style sheet, or None.

    Raises:
        RecordingError: A file is named like no template, or the theme would load something,
            end its own element, or is no text; every place at once, with what to do.

    Rule: report.md section 7.
    """
    problems = [*_strangers(templates)] if templates is not None else []
    text = ""
    if theme is not None:
        text, wrong = _read_theme(theme)
        problems += wrong
    if problems:
        raise RecordingError(problems)
    return Look(overrides=() if templates is None else (templates,), theme=text)


def template_names() -> tuple[str, ...]:
    """Return the name of every template and asset that may be overridden, sorted."""
    return tuple(sorted(_names(template_root(), "")))


def _names(folder: Traversable, before: str) -> Iterator[str]:
    for entry in folder.iterdir():
        if entry.name.startswith((".", "__")):
            continue
        if entry.is_dir():
            yield from _names(entry, f"{before}{entry.name}/")
        else:
            yield f"{before}{entry.name}"


def _strangers(folder: Path) -> Iterator[Problem]:
    known = template_names()
    for name in sorted(_names(folder, "")):
        if name in known or name.startswith(OWN):
            continue
        close = _near(name, known)
        nearest = f"The nearest names are {', '.join(close)}. " if close else ""
        yield Problem(
            f"{folder.name}/{name}",
            "",
            "There is no template of that name.",
            f"{nearest}What is new goes below {OWN}, from where templates can include it.",
            rule="unknown-template",
        )


def _near(name: str, known: tuple[str, ...]) -> list[str]:
    """Return known names that somebody may have meant: the same file elsewhere, else alike."""
    same = [one for one in known if one.rpartition("/")[2] == name.rpartition("/")[2]]
    alike = difflib.get_close_matches(name, known, _NEAREST, _SIMILAR)
    return list(dict.fromkeys([*same, *alike]))[:_NEAREST]


def _read_theme(file: Path) -> tuple[str, list[Problem]]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        what = "The theme is not UTF-8 text."
        return "", [Problem(file.name, "", what, "Save it as UTF-8.", rule="theme-text")]
    return text + "\n", [*_theme_problems(file.name, text)]


def _theme_problems(name: str, text: str) -> Iterator[Problem]:
    for found in _ENDS.finditer(text):
        yield Problem(
            name,
            _line(text, found.start()),
            f"A theme must not hold {found.group()!r}: it could end the element it stands in.",
            "Remove it; a comment begins with /*.",
            rule="theme-ends",
        )
    # Escapes spell letters too, so the words are looked for in what they spell.
    spelled, lines = _spelled(text)
    for found in _LOADS.finditer(spelled):
        yield Problem(
            name,
            f"line {lines[found.start()]}",
            f"A theme must not hold {found.group()!r}: a report makes no request of any kind.",
            "Remove it, from comments too; use custom properties and fonts that are installed.",
            rule="theme-loads",
        )


def _line(text: str, at: int) -> str:
    return f"line {text.count(chr(10), 0, at) + 1}"


def _spelled(text: str) -> tuple[str, list[int]]:
    """Return the text with its escapes undone, and the line of each of its characters."""
    said: list[str] = []
    lines: list[int] = []
    at, line = 0, 1
    for found in (*_ESCAPE.finditer(text), None):
        stop = found.start() if found else len(text)
        for one in text[at:stop]:
            said.append(one)
            lines.append(line)
            line += one == "\n"
        if found:
            code = int(found[1], 16) if found[1] else ord(found[2])
            said.append(chr(code) if 0 < code <= _LARGEST else "\ufffd")
            lines.append(line)
            line += found.group().count("\n")
            at = found.end()
    return "".join(said), lines
