"""What a page and a paper say, section by section, so that their numbers can be compared."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

_TOP = 56
"""Points from the upper edge to below the running head."""
_FIRST_TOP = 40
"""The same on the first page, which has no running head and a smaller margin."""
_FOOT = 786
"""Points from the upper edge of A4 to above the foot."""
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_SHARE = re.compile(r"(\d[\d,]*) of (\d[\d,]*)")


def numbers(text: str) -> list[str]:
    """Every number of a text, in its order."""
    return [one.rstrip(",") for one in _NUMBER.findall(text)]


def shares(text: str) -> set[tuple[str, str]]:
    """Every count with its denominator."""
    return set(_SHARE.findall(" ".join(text.split())))


@dataclass
class _Words(HTMLParser):
    """The words of one part of a page; pieces that stand apart there are apart here."""

    within: str
    text: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    depth: int = 0
    quiet: int = 0

    VOID = frozenset({"meta", "br", "input", "hr", "col", "link", "img"})

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self.depth and dict(attrs).get("id") != self.within:
            return
        if tag in self.VOID:
            self.text.append(" ")
            return
        self.depth += 1
        self.quiet += tag == "svg" or self.quiet > 0
        self.text.append(" ")
        if tag == "tr":
            self.rows.append([])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A closed tag opens nothing."""

    def handle_endtag(self, tag: str) -> None:
        if self.depth and tag not in self.VOID:
            self.depth -= 1
            self.quiet -= self.quiet > 0
            self.text.append(" ")

    def handle_data(self, data: str) -> None:
        if self.depth and not self.quiet:
            self.text.append(data)
            if self.rows:
                self.rows[-1].append(data)


def page_words(html: str, anchor: str) -> str:
    """The words of the part of a page with this id, without those of its drawings."""
    return "".join(_read(html, anchor).text)


def page_rows(html: str, anchor: str) -> list[list[str]]:
    """The numbers of each table row in the part of a page with this id."""
    rows = [numbers(" ".join(row)) for row in _read(html, anchor).rows]
    return [row for row in rows if row]


def _read(html: str, anchor: str) -> _Words:
    words = _Words(anchor)
    words.feed(html)
    return words


def paper_sections(path: Path, titles: Sequence[str]) -> dict[str, str]:
    """The words of each section of an A4 paper, in reading order, without heads and feet."""
    lines = (_body(path, 1, 1, _FIRST_TOP) + _body(path, 2, 9_999, _TOP)).splitlines()
    starts, at = [], 0
    for title in titles:
        at = lines.index(title, at)
        starts.append(at)
        at += 1
    ends = [*starts, len(lines)]
    return {
        title: " ".join(" ".join(lines[start:end]).split())
        for title, (start, end) in zip(titles, pairwise(ends), strict=True)
    }


def _body(path: Path, first: int, last: int, top: int) -> str:
    box = ["-x", "40", "-y", str(top), "-W", "520", "-H", str(_FOOT - top)]
    command = ["pdftotext", "-raw", "-f", str(first), "-l", str(last), *box, str(path), "-"]
    ran = subprocess.run(command, capture_output=True, check=True)
    return ran.stdout.decode().replace("\f", "\n")
