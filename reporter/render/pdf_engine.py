"""WeasyPrint as a process uses it that lays out one page and ends; its only user.

The library serves processes that live on and pages of any kind. What that costs and one known
page does not need is left out here; the bytes of the PDF are the same with and without.
"""

import ctypes.util
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from xml.etree import ElementTree as ET

import pydyf  # type: ignore[import-untyped]  # it has no stubs


def _found_nowhere(name: str) -> str | None:  # noqa: ARG001  as it is called
    return None


@contextmanager
def _libraries_by_file_name() -> Iterator[None]:
    """Do not search for libraries while this holds, where their file names are known.

    For every name that it tries before the right one, WeasyPrint would start a compiler and a
    linker, 86 processes in all, to hear from each that there is no such library.
    """
    search = ctypes.util.find_library
    if sys.platform == "linux":
        ctypes.util.find_library = _found_nowhere
    try:
        yield
    finally:
        ctypes.util.find_library = search


with _libraries_by_file_name():
    import weasyprint  # type: ignore[import-untyped]  # it has no stubs
    from weasyprint.pdf.stream import Stream  # type: ignore[import-untyped]  # the same
    from weasyprint.urls import FatalURLFetchingError  # type: ignore[import-untyped]  # the same

    from reporter.render.pdf_memory import makes_notes, spare, without_notes

VARIANT: Final = "pdf/ua-1"

_MAP: Final = b"begincmap"
_MAP_WITHIN: Final = 8
"""Lines at the head of a map of characters within which it says what it is."""
_JOINER: Final = b"<034f>"
"""The combining grapheme joiner: a mark that is never drawn."""
_SHAPED: Final = re.compile(r"[\u0300-\u036f\u0900-\u109f\u1200-\u1cff\ua800-\uabff]")
"""Marks, and scripts whose letters change or join where they meet others."""
_RIGHT_TO_LEFT: Final = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
"""Lines that run from the right, whose told letters readers would turn round once more."""
_DOCTYPE: Final = "<!doctype html>"


def render_page(page: str, identifier: str) -> tuple[bytes, int]:
    """Render a page.

    Args:
        page: HTML; nothing outside it is fetched.
        identifier: What the PDF calls itself.

    Returns:
        The PDF and its number of pages.

    Raises:
        PermissionError: The page asks for something that is not in it.
    """
    fetcher = weasyprint.URLFetcher(allowed_protocols={"data"}, fail_on_errors=True)
    try:
        document = _opened(page, fetcher).render(pdf_variant=VARIANT, optimize_images=False)
        made = document.write_pdf(
            pdf_variant=VARIANT, pdf_identifier=identifier.encode(), finisher=_finished
        )
    except FatalURLFetchingError as error:
        raise PermissionError(str(error)) from None
    return made, len(document.pages)


class _Pdf(pydyf.PDF):  # type: ignore[misc]  # a class without stubs
    """A PDF that does not list all of its pages anew for every tag that names one."""

    _known: tuple[bytes, ...] = ()

    @property
    def page_references(self) -> tuple[bytes, ...]:
        if len(self._known) != self.pages["Count"]:
            self._known = super().page_references
        return self._known


pydyf.PDF = _Pdf
spare()


_mark = Stream.marked


@contextmanager
def _marked(self: Stream, box: object, tag: str) -> Iterator[None]:
    """Say beside a line of a shaped script what its letters are.

    What is drawn are glyphs, of which WeasyPrint names one letter each. Where several glyphs
    make a letter, or one makes several, a reader would find fewer letters than were recorded.
    """
    text = getattr(box, "text", "")
    with _mark(self, box, tag):
        shaped = bool(text and _SHAPED.search(text) and not _RIGHT_TO_LEFT.search(text))
        if shaped:
            words = pydyf.Dictionary({"ActualText": pydyf.String(text)})
            pydyf.Stream.begin_marked_content(self, "Span", words)
        yield
        if shaped:
            pydyf.Stream.end_marked_content(self)


Stream.marked = _marked


class _Parsed(weasyprint.HTML):  # type: ignore[misc]  # a class without stubs
    """A page that is parsed already."""

    def __init__(self, root: ET.Element, fetcher: object) -> None:
        super().__init__(string="<title></title>", url_fetcher=fetcher)
        wrapper: Any = self.wrapper_element
        self.wrapper_element: Any = type(wrapper).from_html_root(root)
        self.etree_element = root
        self._noted = makes_notes(root)

    def _ua_stylesheets(self, *arguments: object, **named: object) -> list[object]:
        sheets: list[object] = super()._ua_stylesheets(*arguments, **named)
        return sheets if self._noted else [without_notes(sheet) for sheet in sheets]


def _opened(page: str, fetcher: object) -> weasyprint.HTML:
    """Parse a page: as XML where it is XML too, which takes a thirtieth of the time."""
    root = parsed_as_xml(page)
    if root is None:
        return weasyprint.HTML(string=page, url_fetcher=fetcher)
    return _Parsed(root, fetcher)


def parsed_as_xml(page: str) -> ET.Element | None:
    """Return the elements of a page that means the same as XML and as HTML, else None.

    Our own templates write such pages. One that another template wrote may not, and one whose
    sheet holds a character that XML would read otherwise is not taken for one.
    """
    if not page.startswith(_DOCTYPE):
        return None
    try:
        # Without its doctype a page can name no entities, inner or outer.
        root = ET.fromstring(page[len(_DOCTYPE) :])  # noqa: S314
    except ET.ParseError:
        return None
    sheets = [sheet.text or "" for sheet in root.iter("style")]
    return root if all(f">{text}</style>" in page for text in sheets) else None


class _Written(pydyf.Stream):  # type: ignore[misc]  # a class without stubs
    """An object of a PDF whose bytes are known."""

    def __init__(self, of: pydyf.Object) -> None:
        super().__init__()
        self.number, self.generation, self.free = of.number, of.generation, of.free
        self._data: bytes = of.data
        self._compressible: bool = of.compressible

    @property
    def data(self) -> bytes:
        return self._data

    @property
    def compressible(self) -> bool:
        return self._compressible


def _say_marks(one: pydyf.Object) -> None:
    """Give a glyph whose letter another glyph stands for a character that is not seen.

    Of several glyphs that draw one letter with its marks WeasyPrint lets one stand for all of
    them and the others for nothing, which PDF/UA forbids.
    """
    if isinstance(one, pydyf.Stream) and _MAP in one.stream[:_MAP_WITHIN]:
        one.stream = [
            line[:-2] + _JOINER if isinstance(line, bytes) and line.endswith(b" <>") else line
            for line in one.stream
        ]


def _finished(_: object, pdf: pydyf.PDF) -> None:
    """Keep the bytes of every object: to be named, a PDF is written twice over otherwise."""
    for place, one in enumerate(pdf.objects):
        if one.free != "f":
            _say_marks(one)
            pdf.objects[place] = _Written(one)
