"""A page read by the letter of HTML: what a validator would say, and whether references land."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from xml.etree.ElementTree import Element

from tinyhtml5.parser import HTMLParser  # type: ignore[import-untyped]  # it has no stubs

REFERRING = ("aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "headers", "for")
HEADS = {"h1", "h2", "h3", "h4", "h5", "h6"}
NAMED = {*HEADS, "a", "th", "caption", "summary", "dt", "button", "legend", "label", "option"}
"""Elements that say nothing to anybody when they hold no words."""
WORDS_ONLY = {*HEADS, "p", "pre", "span", "b", "strong", "em", "q", "small", "code", "button"}
WORDS_ONLY |= {"label", "dt", "caption", "legend", "mark", "a"}
"""Elements that hold no blocks; a link may in general, and ours never do."""
BLOCKS = {*HEADS, "p", "div", "ul", "ol", "dl", "table", "pre", "blockquote", "section", "article"}
BLOCKS |= {"figure", "details", "header", "footer", "nav", "main", "form", "fieldset"}
ACTING = {"a", "button", "summary", "input", "select", "textarea", "details", "label"}
ONLY = {
    "ul": {"li"},
    "ol": {"li"},
    "dl": {"dt", "dd", "div"},
    "tr": {"td", "th"},
    "table": {"caption", "colgroup", "thead", "tbody", "tfoot"},
    "tbody": {"tr"},
    "thead": {"tr"},
}
INVISIBLE = re.compile(r"[\s\u200b-\u200f\u2060-\u2069\ufeff\u00ad\u3164\u2800]+")
AWAY = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def tag_of(one: Element) -> str:
    return str(one.tag).rpartition("}")[2]


def read(html: str) -> tuple[Element, list[str]]:
    """Return the tree that a browser without scripts builds of a page, and what was wrong."""
    parser = HTMLParser(namespace_html_elements=False)
    parser._parse(html)
    found: Element = parser.tree.get_document()
    return found, [f"{place}: {code} {more}" for place, code, more in parser.errors]


def mistakes(html: str) -> list[str]:
    """Return what a validator would complain about; empty for a sound page."""
    root, problems = read(html)
    problems += [*_references(root), *_outline(root)]
    for one, above in _walk(root, ()):
        where = f"{tag_of(one)} id={one.get('id')} class={one.get('class')}"
        problems += [f"{where}: {what}" for what in _element(one, above)]
        if tag_of(one) == "table":
            problems += [f"{where}: {what}" for what in _widths(one)]
    return problems


def _walk(one: Element, above: tuple[str, ...]) -> Iterator[tuple[Element, tuple[str, ...]]]:
    yield one, above
    for child in one:
        yield from _walk(child, (*above, tag_of(one)))


def said(one: Element) -> str:
    """What a screen reader would say of an element, without what nobody sees."""
    names = (part.get("aria-label") or part.get("aria-labelledby") or "" for part in one.iter())
    return INVISIBLE.sub("", one.get("label") or "".join([*one.itertext(), *names]))


def _element(one: Element, above: tuple[str, ...]) -> Iterator[str]:
    tag = tag_of(one)
    is_heard = one.get("aria-hidden") != "true"
    if is_heard and (tag in NAMED or one.get("role") == "img") and not said(one):
        yield "nothing is said by it"
    if tag in ACTING and {"a", "button"} & set(above):
        yield "it stands inside of a link or a button"
    if tag in BLOCKS and WORDS_ONLY & set(above):
        yield f"it stands inside of {WORDS_ONLY & set(above)}"
    if above and tag not in ONLY.get(above[-1], {tag}) | {"script", "template", "noscript"}:
        yield f"it stands directly in {above[-1]}"
    for name, value in one.attrib.items():
        if name.startswith("on") or name == "style":
            yield f"it carries {name}"
        if name in {"href", "src", "action", "ping", "srcset", "poster"} and AWAY.match(value):
            yield f"it leads away: {value[:60]}"


def _references(root: Element) -> Iterator[str]:
    ids = Counter(one.get("id") for one in root.iter() if one.get("id") is not None)
    yield from (f"id twice: {name}" for name, count in ids.items() if count > 1)
    yield from (f"no id: {name!r}" for name in ids if not name or re.search(r"\s", name))
    for one in root.iter():
        wanted = [name for key in REFERRING for name in (one.get(key) or "").split()]
        link = one.get("href") or one.get("{http://www.w3.org/1999/xlink}href") or ""
        wanted += [link[1:]] if link.startswith("#") else []
        for value in one.attrib.values():
            wanted += re.findall(r"url\(#([^)]*)\)", value)
        yield from (f"{tag_of(one)} leads to nothing: {name}" for name in wanted if name not in ids)


def _outline(root: Element) -> Iterator[str]:
    levels = [int(tag_of(one)[1]) for one in root.iter() if tag_of(one) in HEADS]
    if levels.count(1) != 1:
        yield f"{levels.count(1)} headings of the first level"
    for before, after in pairwise(levels):
        if after > before + 1:
            yield f"a heading of level {after} behind one of level {before}"
    if sum(tag_of(one) == "main" for one in root.iter()) != 1:
        yield "not one main part"


def _widths(table: Element) -> Iterator[str]:
    widths = {
        sum(int(cell.get("colspan") or 1) for cell in row)
        for row in table.iter()
        if tag_of(row) == "tr"
    }
    if len(widths) > 1:
        yield f"rows of {sorted(widths)} cells"
    if any(cell.get("rowspan") for cell in table.iter()):
        yield "a cell over several rows, which this reader does not count"
