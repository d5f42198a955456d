"""A PDF read back: its words page by page, its places, links and bookmarks, the rules it breaks."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import page as validator
import pikepdf

from reporter.view.report import ReportView


@dataclass(frozen=True)
class ReadPdf:
    """A PDF with the report it was made of."""

    report: ReportView
    path: Path

    @cached_property
    def pages(self) -> list[str]:
        """The words of each page, in reading order."""
        return self._pages()

    @cached_property
    def written(self) -> list[str]:
        """The words of each page in the order in which they are written, what runs on pages last.

        The reading order is found by a guess at columns, which takes the number of a turn into
        the heading above where only a row or two of its table are left on a page.
        """
        return self._pages("-raw")

    def _pages(self, *options: str) -> list[str]:
        command = ["pdftotext", *options, str(self.path), "-"]
        ran = subprocess.run(command, capture_output=True, check=True)
        return [" ".join(one.split()) for one in ran.stdout.decode().split("\f")[:-1]]

    @cached_property
    def text(self) -> str:
        return " ".join(self.pages)

    @cached_property
    def places(self) -> dict[str, int]:
        """The page of every named place."""
        with pikepdf.open(self.path) as pdf:
            on = page_numbers(pdf)
            names = pdf.Root.Names.Dests.Names
            return {str(names[at]): on[names[at + 1][0].objgen] for at in range(0, len(names), 2)}

    @cached_property
    def links(self) -> list[tuple[int, str]]:
        """The page that every link stands on, and the place it leads to."""
        with pikepdf.open(self.path) as pdf:
            return [
                (number, str(note.Dest))
                for number, page in enumerate(pdf.pages, start=1)
                for note in page.get("/Annots", [])
            ]

    @cached_property
    def bookmarks(self) -> list[tuple[int, str, int]]:
        """Depth, title and page number of every bookmark."""
        with pikepdf.open(self.path) as pdf, pdf.open_outline() as outline:
            on = page_numbers(pdf)

            def walk(items: Any, depth: int) -> Iterator[tuple[int, str, int]]:
                for item in items:
                    yield depth, str(item.title), on[item.destination[0].objgen]
                    yield from walk(item.children, depth + 1)

            return list(walk(outline.root, 1))


def page_numbers(pdf: pikepdf.Pdf) -> dict[Any, int]:
    """The number of every page, by its object."""
    return {one.objgen: number for number, one in enumerate(pdf.pages, start=1)}


def broken_rules(path: Path) -> list[str]:
    """The rules of PDF/UA-1 that a file breaks."""
    found = validator.validate_pdf(
        str(path),
        profile=validator.ValidationProfile.PDF_UA_1,
        limits=validator.SafetyLimits.unlimited(),
    )
    return [str(one) for one in found.failures]
