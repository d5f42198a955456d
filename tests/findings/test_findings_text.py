import pytest

from reporter.findings.counted import count_of, listed, units
from reporter.findings.text import (
    cut_account,
    excerpt,
    first_words,
    fold_space,
    js_word_count,
    trim,
    utf16_length,
    utf16_prefix,
)

BOOK = "\U0001f4d6"


@pytest.mark.parametrize(
    ("text", "length"), [("", 0), ("abc", 3), ("é", 1), (BOOK, 2), (f"a{BOOK}", 3), ("\ud800", 1)]
)
def test_length_is_in_utf16_code_units(text: str, length: int) -> None:
    assert utf16_length(text) == length


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 1),
        ("   ", 1),
        ("one", 1),
        ("  one   two ", 2),
        ("one\u00a0two", 2),
        ("one\ufefftwo", 2),
        ("one\u2028two", 2),
        ("one\u200btwo", 1),
        ("one\x1ftwo", 1),
        ("one\x85two", 1),
    ],
)
def test_words_are_counted_as_javascript_does(text: str, words: int) -> None:
    assert js_word_count(text) == words


@pytest.mark.parametrize(
    ("text", "folded"),
    [("", ""), (" a  b\r\n\tc ", "a b c"), ("a\u2028b\x85c", "a b c"), ("\ufeffa\ufeff", "a")],
)
def test_folding_leaves_one_line(text: str, folded: str) -> None:
    assert fold_space(text) == folded
    assert trim(f" \n{folded}\ufeff ") == folded


@pytest.mark.parametrize(
    ("text", "units_kept", "kept"),
    [("abc", 2, "ab"), ("abc", 3, "abc"), (f"a{BOOK}b", 2, "a"), (f"a{BOOK}b", 3, f"a{BOOK}")],
)
def test_a_prefix_never_splits_a_character(text: str, units_kept: int, kept: str) -> None:
    assert utf16_prefix(text, units_kept) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("  short. \n", "short.", id="trimmed"),
        pytest.param("a" * 10, "a" * 10, id="exactly the limit"),
        pytest.param("One. Two. Three.", "One. Two.", id="last sentence inside"),
        pytest.param("12345678! more", "12345678!", id="space is the tenth"),
        pytest.param("123456789? more", "123456789?", id="space is the first cut off"),
        pytest.param("1234567890. more", "1234567890", id="end beyond the limit"),
        pytest.param("v1.2 is down again", "v1.2 is", id="a dot inside a word ends nothing"),
        pytest.param("one  two   three", "one  two", id="before the last run of space"),
        pytest.param("onetwo   three", "onetwo", id="a run across the limit is whole"),
        pytest.param("no\nspaces.in-this", "no", id="a line break is space"),
        pytest.param("abcdefghijkl", "abcdefghij", id="nowhere to cut"),
        pytest.param("abcdefghi" + BOOK * 2, "abcdefghi", id="never inside a character"),
        pytest.param("abcdefgh" + BOOK * 2, "abcdefgh" + BOOK, id="a character that just fits"),
        pytest.param("Yes.\u00a0No, not that", "Yes.", id="any white space ends a sentence"),
    ],
)
def test_an_account_is_cut_where_a_reader_would(text: str, kept: str) -> None:
    assert cut_account(text, 10) == kept


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("one two", "one two"),
        ("one two three", "one two…"),
        ("one twothree", "one…"),
        ("abcdefghijk", "abcdefg…"),
        ("one two  three", "one two…"),
    ],
)
def test_an_excerpt_ends_at_a_word_with_an_ellipsis(text: str, short: str) -> None:
    assert excerpt(text, 8) == short


def test_a_title_is_cut_after_whole_words() -> None:
    assert first_words("a  b c", 3) == "a b c"
    assert first_words("a b c d", 3) == "a b c…"


def test_counts_carry_unit_and_denominator() -> None:
    assert units(1, "session") == "1 session"
    assert units(1234, "session") == "1,234 sessions"
    assert units(2, "child", "children") == "2 children"
    assert count_of(2, 5) == "2 of 5 sessions"
    assert count_of(0, 1) == "0 of 1 session"
    assert count_of(0, 0) == "not measured"
    assert [listed(list("ABC")[:n]) for n in range(4)] == ["", "A", "A and B", "A, B and C"]
