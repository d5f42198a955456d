import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.view.markdown import is_formatted, set_message
from reporter.view.text import clean


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Hello\nthere", "<p>Hello<br>there</p>\n"),
        ("a\n\nb", "<p>a</p>\n<p>b</p>\n"),
        ("1 < 2 & 3", "<p>1 &lt; 2 &amp; 3</p>\n"),
        ("**bold** *slant*", "<p><strong>bold</strong> <em>slant</em></p>\n"),
        ("# Head", '<p class="hd">Head</p>\n'),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
        ("`<b>`", "<p><code>&lt;b&gt;</code></p>\n"),
        ("```js\n<x>\n```", "<pre><code>&lt;x&gt;\n</code></pre>\n"),
        (
            "[desk](https://desk.example/a?b=1&c=2)",
            (
                '<p><span class="ln">desk</span> '
                '<span class="ad">(https://desk.example/a?b=1&amp;c=2)</span></p>\n'
            ),
        ),
        ("<https://a.example>", '<p><span class="ln">https://a.example</span></p>\n'),
        (
            "[x](javascript:alert(1))",
            '<p><span class="ln">x</span> <span class="ad">(javascript:alert(1))</span></p>\n',
        ),
        (
            "![a *cat*](https://evil.example/x.png)",
            (
                '<p><span class="ln">[image: a *cat*]</span> '
                '<span class="ad">(https://evil.example/x.png)</span></p>\n'
            ),
        ),
        ("<b>x</b>", "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"),
        ("<!-- x -->", "<p>&lt;!-- x --&gt;</p>\n"),
        (
            "| a |\n|:-:|\n| <i> |",
            (
                '<table><thead>\n<tr>\n<th scope="col">a</th></tr>\n</thead>\n'
                "<tbody>\n<tr>\n<td>&lt;i&gt;</td>\n</tr>\n</tbody>\n</table>\n"
            ),
        ),
    ],
)
def test_a_message_is_set_inert(text: str, html: str) -> None:
    assert whole(text) == html


def whole(text: str) -> str:
    """A message as it stands on the page, its one paragraph among its elements."""
    found = set_message(text)
    return f"<p>{found.markup}</p>\n" if found.single else found.markup


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Words.", True),
        ("Words.\n\nMore.", True),
        ("###STOP### and 1 < 2 & _ alone", True),
        ("**Words.**", False),
        ("- a", False),
        ("a \\* b", False),
        ("&amp;", False),
        ("[x](y)", False),
        ("> " * 40 + "deep", False),
    ],
)
def test_a_source_stands_beside_what_reads_otherwise(text: str, same: bool) -> None:
    assert set_message(text).same is same


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("| a |  |\n|-|-|\n| 1 | 2 |", '<th scope="col">a</th><td class="th"></td>'),
        ("| a | b |\n|-|-|\n\nwords", '<table role="presentation">'),
        ("| a |\n|-|\n\n| b |\n|-|\n| 1 |", '<td class="th">a</td>'),
    ],
)
def test_only_a_head_with_words_and_rows_is_a_head(text: str, html: str) -> None:
    assert html in set_message(text).markup.replace("\n", "")


@pytest.mark.parametrize(("columns", "wide"), [(4, 0), (5, 1)])
def test_a_table_wider_than_a_phone_moves_in_a_place_that_keys_reach(
    columns: int, wide: int
) -> None:
    table = "\n".join("|" + f"{cell}|" * columns for cell in ("a", "-", "1"))
    markup = set_message(f"{table}\n\nwords\n\n| a |\n|-|\n| 1 |").markup
    assert markup.count(WIDE) == wide
    assert markup.count("</table></div>\n") == wide
    assert markup.count("<table>") == markup.count("</table>") == 2


def test_neither_many_columns_nor_many_tables_take_the_square_of_their_number() -> None:
    # Either took minutes of a page when each head looked for the rows of its table.
    begun = process_time()
    set_message("\n".join("|" + f"{cell}|" * 9_000 for cell in ("a", "-", "1")))
    set_message("|a|b|\n|-|-|\n|1|2|\n\n" * 4_000)
    assert process_time() - begun < 10


def test_an_address_that_spells_out_a_picture_is_cut_and_counted() -> None:
    found = set_message("![chart](data:image/png;base64," + "A" * 5_000 + ")").markup
    assert "4,622 characters left out" in found
    assert len(found) < 600


WIDE = '<div class="wide" role="group" aria-label="Wide table" tabindex="0">'
MARKUP = re.compile(
    rf"{WIDE}|</div>|<(?:/?(?:p|br|ul|ol|li|strong|em|s|code|pre|hr|tr|td|th|thead|tbody|table|blockquote|span)"
    r'(?: class="(?:hd|ln|ad|th)"| scope="col"| start="\d+"| role="presentation")?)>'
)
pieces = st.lists(
    st.sampled_from(
        [
            "<script>",
            "](",
            "[",
            "![",
            ")",
            "**",
            "`",
            "```\n",
            "\n\n",
            "|",
            "-|-",
            "> ",
            "# ",
            "a",
            "&lt;",
            '"',
            "'",
            " onload=x ",
            "javascript:",
            "1. ",
            "- ",
            "~~",
            "\\",
            "<http://a",
        ]
    ),
    max_size=25,
)


@given(pieces)
def test_no_combination_makes_any_markup_but_our_own(found: list[str]) -> None:
    html = whole("".join(found))
    assert "<" not in MARKUP.sub("", html)


@given(st.text(alphabet="abc .,!?'\"\n", max_size=80))
def test_plain_words_are_set_the_same_way_with_and_without_the_parser(text: str) -> None:
    if is_formatted(text):
        return
    plain = re.sub(r"<[^>]+>", " ", whole(text)).split()
    assert plain == re.sub(r"&", "&amp;", text).split()


def test_deep_nesting_does_not_break() -> None:
    assert "x" in set_message(">" * 5_000 + " x").markup
    assert "[" in set_message("[" * 5_000).markup
    assert set_message("*" * 5_000).markup


@pytest.mark.parametrize(
    ("text", "loses"),
    [
        ("spec:\n  a: 1\n  b: 2\n  c:\n    d: 3", True),
        ("**Done**\n\nspec:\n  a: 1\n  b: 2\n  c: 3\n- x\n", True),
        ("Error\n  at one\n  at two", False),
        ("```\nspec:\n  a: 1\n  b: 2\n  c: 3\n```", False),
        ("- one\n  still\n  still\n  still\n", False),
        ("- one\n    - two\n    - three\n    - four", False),
        ("1. one\n   still\n\n   another\n2. two", False),
    ],
)
def test_a_message_that_lives_by_its_indentation_says_so(text: str, loses: bool) -> None:
    assert set_message(text).loses is loses


@pytest.mark.parametrize("place", ["{} x", "**{}**", "| a |\n|-|\n| {} |", "[{}](/x)", "# {}"])
@pytest.mark.parametrize("spelled", ["&#8238;", "&#x202e;", "&rlm;", "&ZeroWidthSpace;", "&#x1b;"])
def test_no_entity_spells_a_character_that_acts(spelled: str, place: str) -> None:
    markup = set_message(place.format(spelled)).markup
    assert not re.search("[\x00-\x09\x0b-\x1f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", markup)


@pytest.mark.parametrize("spelled", ["ghp&#95;{}", "ghp&lowbar;{}", r"ghp\_{}", r"[a](/x?ghp\_{})"])
def test_no_escape_hides_a_secret_from_the_mask(spelled: str) -> None:
    secret = "a1B2" * 9
    message = clean(spelled.format(secret))
    assert secret not in set_message(message).markup
