"""What most lines of messages are, told before the Markdown parser tries every rule on them.

A message is mostly short lines of words, one a list item. For each the parser asks nine rules
of blocks at its beginning, six at the line behind it, and ten of inline marks at every letter
that could begin one. These two rules take the lines of which it is certain what all of them
come to, and leave every other to the parser: the tokens are the same.
"""

import re
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.common.utils import mdTrim
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

# Behind a letter, or bold that begins with one, no block can begin but a paragraph, a heading
# underlined by the line below it, and a table whose second row that line is.
_WORDS: Final = re.compile(r"(?:\*\*)?[^\W\d_]")
_ITEM: Final = re.compile(r"-[ ](?:\*\*)?[^\W\d_]")
_NUMBERED: Final = re.compile(r"\d{1,9}[.)][ ](?:\*\*)?[^\W\d_]")
_inline_mark: Final = re.compile(r"[\\`*_~\[\]!<>&\n]").search
_CODE: Final = 4
"""Columns of indentation from which on a line is code."""


def set_lines_quickly(parser: MarkdownIt) -> None:
    """Let a parser of CommonMark with tables and strikethrough tell plain lines first."""
    parser.block.ruler.before("table", "plain_line", _plain_line)
    parser.core.ruler.at("inline", _inline)


def _plain_line(state: StateBlock, start_line: int, _: int, silent: bool) -> bool:
    """Take a line of words as a paragraph where it is certain that the next is none of it."""
    begin = state.bMarks[start_line] + state.tShift[start_line]
    if (
        silent
        or _WORDS.match(state.src, begin) is None
        or state.sCount[start_line] - state.blkIndent >= _CODE
        or not _ends_paragraph(state, start_line + 1)
    ):
        return False
    state.line = start_line + 1
    state.push("paragraph_open", "p", 1).map = [start_line, state.line]
    words = state.push("inline", "", 0)
    words.content = mdTrim(state.src[begin : state.eMarks[start_line]])
    words.map = [start_line, state.line]
    words.children = []
    state.push("paragraph_close", "p", -1)
    return True


def _ends_paragraph(state: StateBlock, line: int) -> bool:
    """Tell whether a line is certain to end a paragraph: none at all, blank, or a list item."""
    if line >= state.lineMax or state.isEmpty(line):
        return True
    indent = state.sCount[line]
    is_within = indent < state.blkIndent
    if indent < 0 or indent - state.blkIndent >= _CODE:
        return False
    if is_within and state.listIndent >= 0 and indent - state.listIndent >= _CODE:
        return False
    begin = state.bMarks[line] + state.tShift[line]
    if _ITEM.match(state.src, begin):
        return True
    # Outside of a list only one that begins at 1 may end a paragraph.
    return is_within and _NUMBERED.match(state.src, begin) is not None


def _inline(state: StateCore) -> None:
    """Parse what stands inside of blocks; words without a mark are one token of text."""
    for token in state.tokens:
        if token.type != "inline":
            continue
        token.children = []
        if token.content and _inline_mark(token.content) is None:
            token.children.append(Token("text", "", 0, content=token.content))
        else:
            state.md.inline.parse(token.content, state.md, state.env, token.children)
