"""What WeasyPrint keeps to the end and a process that writes one known page does not need.

Of every element it works out the style of its footnote, of the call of that footnote, of three
parts of a note and of a list marker, whether there is one or not: six styles of seven. Boxes
that are drawn and trees that are laid out stay as well. Each step here leaves the bytes of
the PDF as they are; where the library is not as it was tried, nothing is left out.
"""

import copy
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final
from xml.etree import ElementTree as ET

import cssselect2  # type: ignore[import-untyped]  # it has no stubs
import weasyprint  # type: ignore[import-untyped]  # the same
from weasyprint import document
from weasyprint.formatting_structure import boxes  # type: ignore[import-untyped]  # the same

TRIED: Final = frozenset({"70.0"})
"""Versions of WeasyPrint of whose boxes it is known what is asked once they are drawn."""

_NOTES: Final = frozenset(
    {"footnote-call", "footnote-marker", "note-call", "note-marker", "note-callback"}
)
_MARKER: Final = "marker"
_LIST_ITEM: Final = "li"
_NAMED: Final = re.compile(r"note|list-item|marker|@import", re.IGNORECASE)
"""What a sheet asks for notes, list items and other sheets with."""
_ESCAPED: Final = re.compile(r"\\([0-9a-f]{0,6})", re.IGNORECASE)
_SIMPLE: Final = 0x80
"""The first code point that no name of the library is spelled with."""
_ASKED_OF_DRAWN: Final = (
    *("element", "element_tag", "style", "children", "colspan", "rowspan"),
    *("is_table_wrapper", "link_annotation", "widget_annotation"),
)
"""What the tags of a page are made of, once the page is drawn."""
_FIGURES: Final = frozenset({"img", "{http://www.w3.org/2000/svg}svg"})
"""Elements whose tags say where they stand."""


def _may_ask(sheet: str) -> bool:
    """Tell whether a sheet may make notes or list items, by name or in disguise."""
    escaped = (code for code in _ESCAPED.findall(sheet))
    return bool(_NAMED.search(sheet)) or any(int(code or "0", 16) < _SIMPLE for code in escaped)


def makes_notes(root: ET.Element) -> bool:
    """Tell whether a page may have notes, footnotes or list items that are no `li`."""
    sheets = (sheet.text or "" for sheet in root.iter("style"))
    given = (element.get("style", "") for element in root.iter())
    linked = root.find(".//link") is not None
    return linked or any(_may_ask(sheet) for sheet in chain(sheets, given) if sheet)


def without_notes(sheet: Any) -> Any:  # noqa: ANN401  a class without stubs
    """Return the library's own sheet without rules for parts that few pages have.

    Those for markers are kept for what is a list item by that sheet alone.
    """
    rules = cssselect2.Matcher()
    vars(rules).update({name: copy.copy(value) for name, value in vars(sheet.matcher).items()})
    marked = [one for one in rules.other_selectors if one[3] == _MARKER]
    rules.other_selectors = [
        one for one in rules.other_selectors if one[3] not in _NOTES and one[3] != _MARKER
    ]
    of_items = rules.lower_local_name_selectors.get(_LIST_ITEM, [])
    rules.lower_local_name_selectors[_LIST_ITEM] = [*of_items, *marked]
    shorter = copy.copy(sheet)
    shorter.matcher = rules
    return shorter


def _strip(page: boxes.PageBox) -> None:
    """Take from the boxes of a drawn page all that is not asked for any more."""
    left = [page]
    while left:
        box = left.pop()
        known = vars(box)
        left.extend(known.get("children", ()))
        whole = isinstance(box, boxes.ReplacedBox) or known.get("element_tag") in _FIGURES
        if isinstance(box, boxes.Box) and not whole:
            box.__dict__ = {name: known[name] for name in _ASKED_OF_DRAWN if name in known}


def _paint(self: document.Page, *arguments: Any, **named: Any) -> None:  # noqa: ANN401  as they come
    _plain_paint(self, *arguments, **named)
    _strip(self._page_box)


def _layout(html: object, root: object, context: Any) -> Iterator[boxes.PageBox]:  # noqa: ANN401
    """Lay a document out, and forget where its links lead, which holds every box before layout."""
    yield from _plain_layout(html, root, context)
    context.target_collector.target_lookup_items.clear()
    context.target_collector.counter_lookup_items.clear()


_plain_paint = document.Page.paint
_plain_layout = document.layout_document


def spare() -> None:
    """Forget from now on what is not asked for again, where the library is as it was tried."""
    if weasyprint.VERSION in TRIED:
        document.Page.paint = _paint
        document.layout_document = _layout


def keep() -> None:
    """Keep everything again, as the library does by itself."""
    document.Page.paint = _plain_paint
    document.layout_document = _plain_layout
