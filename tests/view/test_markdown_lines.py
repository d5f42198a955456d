from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from shared import shared

from reporter.models.records import Message
from reporter.pipeline.options import Options
from reporter.pipeline.source import ForeignSource, open_source
from reporter.view.markdown_lines import set_lines_quickly
from reporter.view.text import clean


def parser() -> MarkdownIt:
    options = {"html": False, "breaks": True, "maxNesting": 12}
    made = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    return made.disable(["reference"])


PLAIN, QUICK = parser(), parser()
set_lines_quickly(QUICK)


def tokens(text: str) -> tuple[list[Token], list[Token]]:
    """What a parser makes of a text without our rules, and with them."""
    return PLAIN.parse(text, {}), QUICK.parse(text, {})


@pytest.mark.parametrize(
    "text",
    [
        "Words",
        "Words \nmore words",
        "Words\n\nmore words",
        "Words\n- an item\n- **another**\n\nmore",
        "Words\n-\n- an item",
        "Words\n- - -",
        "Words\n---",
        "Words\n-----\nmore",
        "Words\n===",
        "Words\n2. two",
        "Words\n1. one\n2. **two**\n10) ten",
        "1. one\n2. two\n   - inner\n   - inner\n3. three\nlazy",
        "- one\n  still\n- two\n\n  loose\n- three",
        "- one\n- two\n    - far\n        - further\n            code?",
        " - a\n  - b\n   - c\n    - d\n     - no item\n",
        "> Words\n> - item\nlazy\n- out",
        "> Words\n- out",
        "Head | Other\n--- | ---\na | b\nWords",
        "Head\n-|\nx",
        "Head\n- | -\nx",
        "    Words of code\n- item",
        "Words\n    - no code",
        "- Words\n\n\n- Words\nWords",
        "**Bold** words\n- **Bold:** more",
        "***\n**\n**a",
        "Words & more\nWords *here*\n- ~~gone~~ [a](b) ![c](d) `e` <f> \\*",
        "```\nWords\n- item\n```\nWords",
        "# Head\nWords\n## Head\n- Words",
        "Words\u00a0\n- item\u00a0",
        "\tWords\n-\titem\n- \titem",
        "Words\r\n- item\r\n\r\nWords",
        "ünicode\n- ünicode\n- 字\n字",
        "_a_\n- _b\n1. ²\n- ²",
    ],
)
def test_quick_rules_change_no_token(text: str) -> None:
    plain, quick = tokens(text)
    assert quick == plain


INDENTS = ["", "", " ", "  ", "   ", "    ", "      ", "\t", "> ", "> > "]
MARKERS = ["", "", "- ", "-", "* ", "+ ", "1. ", "2. ", "10) ", "# ", "---", "===", "```", "~~~"]
MARKERS += ["    ", "- - ", "1. - ", "| ", "-|-", ":-- | --", "**", "<b> ", "&amp; ", "\\"]
WORDS = ["", "", "a", "Words here", "**b** c", "a | b", "`x`", "*", "**", "_y_", "é", "1", "-"]
WORDS += ["[a](b)", "!", "~~z~~", "a  "]
ENDS = ["", "", "", " ", "  ", "\\", "\t"]
LINES = st.lists(
    st.builds("{}{}{}{}".format, *map(st.sampled_from, (INDENTS, MARKERS, WORDS, ENDS))),
    max_size=12,
)


@settings(max_examples=600)
@given(LINES)
def test_quick_rules_change_no_token_of_lines_of_any_kind(lines: list[str]) -> None:
    plain, quick = tokens("\n".join(lines))
    assert quick == plain


@given(st.text(alphabet="ab1 -*_#>|`~\n\t.)=\\&[]!", max_size=60))
def test_quick_rules_change_no_token_of_any_text(text: str) -> None:
    plain, quick = tokens(text)
    assert quick == plain


def recorded_messages() -> Iterator[str]:
    """Messages of recorded sessions: one file of each of two formats."""
    for place in (("tau-trait", "skeptical_telecom.json"), ("swe-agent",)):
        source = open_source(shared("recordings", *place), Options(jobs=1))
        assert isinstance(source, ForeignSource)
        for _, recording in islice(source.sessions(), 40):
            for record in recording.records:
                if isinstance(record, Message) and isinstance(record.content, str):
                    yield clean(record.content)


def test_quick_rules_change_no_token_of_recorded_messages() -> None:
    looked = 0
    for text in recorded_messages():
        plain, quick = tokens(text)
        assert quick == plain
        looked += 1
    assert looked > 500
