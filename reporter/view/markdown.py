"""Sets a message from its Markdown, inert: nothing loads, nothing links, nothing is HTML."""

# The render methods below keep the signature that the parser calls them with.
# ruff: noqa: ARG002

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from reporter.credentials import quick_search
from reporter.view.markdown_lines import set_lines_quickly
from reporter.view.remembered import Remembered
from reporter.view.text import clean


@dataclass(frozen=True, slots=True)
class SetMessage:
    """A message set from its Markdown: markup that holds no word which was not escaped."""

    markup: str
    single: bool = False
    """True: it is one paragraph, and `markup` is what stands inside it."""
    same: bool = False
    """True: it reads exactly as its source, which need not stand beside it."""
    loses: bool = False
    """True: it lives by its indentation, which Markdown drops, so it is not set at all."""

    def __html__(self) -> str:
        """Return the markup, for template engines that escape what does not say it is markup."""
        return self.markup


# What a text must hold before Markdown could read it as anything but words.
_has_marks: Final = quick_search(
    r"(?m)[*_`~|\\<\[\]]|&[#\w]+;|^ {0,3}(?:#|>|[-+]|\d{1,9}[.)]|=+\s*$)|^(?: {4}|\t)"
)
_NEWLINE: Final = "\n"
_BLANK: Final = re.compile(r"\n[ \t]*\n")

# Such as code that nobody fenced, or what was copied from a terminal.
_INDENTED: Final = re.compile(r"\n {2,}\S")
_MANY_INDENTED: Final = 3
"""Indented lines from which on a message lives by its indentation."""

# An entity spells a character that was not there when the message was cleaned, and a backslash
# parts what reads as one word.
_SPELLED: Final = re.compile(r"&[#\w]+;|\\[!-/:-@\[-`{-~]")

_NOT_SET: Final = SetMessage("", loses=True)
_ONE_PARAGRAPH: Final = ["paragraph_open", "inline", "paragraph_close"]
# Longer addresses hold data, and the source beside the message has them whole.
_ADDRESS: Final = 400
# Far beyond what a person nests, and well inside what a parser survives.
_NESTING: Final = 12
_COLUMNS: Final = 4
"""Columns of a table that a phone has room for, each of a word or so."""
# More of them move in a place of their own, which keys can reach.
_WIDE: Final = '<div class="wide" role="group" aria-label="Wide table" tabindex="0">'


class _InertRenderer(RendererHTML):
    """Writes links and images as words beside their address."""

    def link_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return '<span class="ln">'

    def link_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        href = _opening_href(tokens, idx)
        said = _text_between(tokens, idx)
        where = "" if href == said else f' <span class="ad">({_address(href)})</span>'
        return f"</span>{where}"

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        token = tokens[idx]
        words = token.content or "no description"
        address = str(token.attrGet("src") or "")
        return (
            f'<span class="ln">[image: {escape(words)}]</span> '
            f'<span class="ad">({_address(address)})</span>'
        )

    def heading_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        # A heading of a message is no heading of the report.
        return '<p class="hd">'

    def heading_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return "</p>\n"

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return f"<pre><code>{escape(tokens[idx].content)}</code></pre>\n"

    code_block = fence

    def th_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        return '<th scope="col">' if tokens[idx].meta["is head"] else '<td class="th">'

    def th_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return "</th>" if tokens[idx - 2].meta["is head"] else "</td>"

    def td_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        # Alignment would be a style attribute, which the page's policy forbids.
        return "<td>"

    def table_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        table = "<table>" if tokens[idx].meta["has rows"] else '<table role="presentation">'
        return f"{_WIDE}{table}" if tokens[idx].meta["is wide"] else table

    def table_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        return "</table></div>\n" if tokens[idx].meta["is wide"] else "</table>\n"


def _tell_of_tables(tokens: Sequence[Token]) -> None:
    """Say at each table, and at its heads, what is known only once the table has ended."""
    opening, heads, has_rows = Token("", "", 0), list[int](), False
    for at, token in enumerate(tokens):
        if token.type == "table_open":
            opening, heads, has_rows = token, [], False
        elif token.type == "th_open":
            heads.append(at)
        elif token.type == "tbody_open":
            has_rows = True
        elif token.type == "table_close":
            opening.meta["has rows"] = has_rows
            opening.meta["is wide"] = token.meta["is wide"] = len(heads) > _COLUMNS
            for head in heads:
                # Heads without words, or without a row below them, are heads of nothing.
                has_words = bool(tokens[head + 1].content.strip())
                tokens[head].meta["is head"] = has_rows and has_words


def _address(href: str) -> str:
    """Return an address, escaped; a picture that is spelled out in one is cut and counted."""
    href = clean(href)
    left_out = len(href) - _ADDRESS
    if left_out <= 0:
        return escape(href)
    return f"{escape(href[:_ADDRESS])}… {left_out:,} characters left out"


def _opening_href(tokens: Sequence[Token], idx: int) -> str:
    return str(tokens[_opening(tokens, idx)].attrGet("href") or "")


def _text_between(tokens: Sequence[Token], idx: int) -> str:
    return "".join(token.content for token in tokens[_opening(tokens, idx) + 1 : idx])


def _opening(tokens: Sequence[Token], idx: int) -> int:
    return next(at for at in range(idx, -1, -1) if tokens[at].type == "link_open")


_PARSER: Final = (
    MarkdownIt(
        "commonmark",
        {
            "html": False,
            "linkify": False,
            "breaks": True,
            "xhtmlOut": False,
            "maxNesting": _NESTING,
        },
        renderer_cls=_InertRenderer,
    )
    .enable(["table", "strikethrough"])
    .disable(["reference", "html_block", "html_inline"])
)
set_lines_quickly(_PARSER)
# Addresses are never followed, so none has to be refused: it is shown as it is.
_PARSER.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005  a hook


def is_formatted(text: str) -> bool:
    """Tell whether Markdown would read anything but words and paragraphs in a text."""
    return _has_marks(text)


def set_message(text: str) -> SetMessage:
    """Set a cleaned message from its Markdown.

    The only markup in the result is this module's own: every word of the message is
    escaped, links and images become words with their address, and raw HTML stays text.

    Rule: report.md section 3.10.
    """
    return _set_again(text)


def _set(text: str, bound: int) -> SetMessage:  # noqa: ARG001  a message is set whole
    return _parsed(text) if is_formatted(text) else _paragraphs(text)


_set_again: Final = Remembered(_set, 3_000_000, lambda made: len(made.markup))


def _parsed(text: str) -> SetMessage:
    environment: dict[str, object] = {}
    tokens = _PARSER.parse(text, environment)
    if any(token.level >= _NESTING - 1 for token in tokens):
        # The parser leaves out what is nested deeper; no word of a message may get lost.
        return replace(_paragraphs(text), same=False)
    if _live_by_indentation(one.content for one in tokens if one.type == "inline"):
        return _NOT_SET
    if _SPELLED.search(text):
        _clean_again(tokens)
    _tell_of_tables(tokens)
    markup = str(_PARSER.renderer.render(tokens, _PARSER.options, environment))
    if [token.type for token in tokens] == _ONE_PARAGRAPH:
        inside = markup.strip().removeprefix("<p>").removesuffix("</p>")
        return SetMessage(inside, single=True, same=inside == escape(text))
    return SetMessage(markup)


def _clean_again(tokens: Sequence[Token]) -> None:
    """Clean what the parser made of words that were spelled out: it may be another character."""
    for token in tokens:
        for part in token.children or ():
            if part.type == "text":
                part.content = clean(part.content)


def _live_by_indentation(texts: Iterable[str]) -> bool:
    return sum(len(_INDENTED.findall(text)) for text in texts) >= _MANY_INDENTED


def _paragraphs(text: str) -> SetMessage:
    if _live_by_indentation([text]):
        return _NOT_SET
    parts = (part.strip("\n") for part in _BLANK.split(escape(text, quote=False)))
    lines = (part.split(_NEWLINE) for part in parts if part.strip())
    set_parts = ["<br>".join(line.strip() for line in part) for part in lines]
    if len(set_parts) == 1:
        return SetMessage(set_parts[0], single=True, same=True)
    return SetMessage("".join(f"<p>{part}</p>\n" for part in set_parts), same=True)
