import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.view.text import (
    bare,
    clean,
    clip,
    isolated,
    isolated_in,
    listed,
    one_line,
    plural,
    sentence,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\nsecond", "plain\ttext\nsecond"),
        ("a\r\nb", "a\nb"),
        ("\x1b[31m", "␛[31m"),
        ("\x00", "␀"),
        ("\x7f", "␡"),
        ("\u202e", "[U+202E]"),
        ("\x85", "[U+0085]"),
        ("\ud800", "\ufffd"),
        ("ghp_" + "a1" * 20, "[redacted]"),
        ("مرحبا\u200f", "مرحبا\u200f"),
        ("a\u200fb\u200e\u061c", "a[U+200F]b[U+200E][U+061C]"),
        ("get\u200b_order", "get[U+200B]_order"),
        ("\u1780\u200b\u1781", "\u1780\u200b\u1781"),
        ("get\u200d_order\u200c.", "get[U+200D]_order[U+200C]."),
        ("\u0645\u06cc\u200c\u062e", "\u0645\u06cc\u200c\u062e"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
        ("\ufeffx\u2060", "[U+FEFF]x[U+2060]"),
        ("x\U000e0041", "x[U+E0041]"),
        (
            "\U0001f3f4\U000e0067\U000e0062\U000e007f",
            "\U0001f3f4\U000e0067\U000e0062\U000e007f",
        ),
        ("Z" + "\u0301" * 8, "Z" + "\u0301" * 8),
        ("Z" + "\u0301" * 90 + "y", "Z" + "\u0301" * 8 + "…y"),
    ],
)
def test_characters_that_act_are_shown_and_secrets_are_not(text: str, shown: str) -> None:
    assert clean(text) == shown


@given(st.text())
def test_clean_text_is_clean_already(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    clean(text).encode()


@given(st.text(alphabet="ab \n", max_size=300), st.integers(1, 100))
def test_clipping_counts_every_character(text: str, limit: int) -> None:
    cut = clip(text, limit)
    assert len(cut.text) + cut.left_out == len(text)
    assert len(cut.text) <= limit


def test_a_secret_across_the_cut_of_a_long_text_is_masked() -> None:
    secret = "ghp_" + "a1" * 20
    cut = clip("x" * 90 + " " + secret + " " + "y" * 100_000, 100)
    assert cut.text == "x" * 90 + " [redacted"
    assert cut.left_out == 100_002


@pytest.mark.parametrize(
    ("left_out", "note"),
    [(0, ""), (1, "1 character left out"), (12_400, "12,400 characters left out")],
)
def test_a_clip_says_what_is_missing(left_out: int, note: str) -> None:
    assert clip("x" * (10 + left_out), 10).note == note


@pytest.mark.parametrize(
    ("text", "limit", "line"),
    [
        ("  a \n b  ", 20, "a b"),
        ("one two three", 9, "one two…"),
        ("onetwothree", 6, "onetwo…"),
        ("x" * 100_000, 10, "xxxxxxxxxx…"),
        ("", 10, ""),
    ],
)
def test_a_line_is_folded_and_cut_at_a_word(text: str, limit: int, line: str) -> None:
    assert one_line(text, limit) == line


@given(st.text(), st.integers(1, 50))
def test_a_line_has_no_break_and_no_more_than_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert "\n" not in line
    assert len(line) <= limit + 1


def test_words_join_as_a_sentence_would() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert plural(1, "fix", "fixes") == "1 fix"
    assert plural(1_000, "fix", "fixes") == "1,000 fixes"
    assert sentence("it broke") == "It broke."
    assert sentence("Why?") == "Why?"
    assert sentence(" ") == ""


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ana (3)", "Ana (3)"),
        ("Zoë", "Zoë"),
        ("דנה (3)", "\u2068דנה (3)\u2069"),
        ("يوسف", "\u2068يوسف\u2069"),
    ],
)
def test_a_name_that_runs_from_the_right_is_kept_apart(name: str, shown: str) -> None:
    assert isolated(name) == shown
    assert bare(isolated(name)) == name
    # It can be cleaned again, within a sentence or alone.
    assert clean(f"by {isolated(name)}, 2 of 5") == f"by {shown}, 2 of 5"
    assert one_line(isolated(name)) == shown


def test_a_name_that_is_cut_is_closed_again() -> None:
    cut = one_line(isolated("דנה " * 40), 30)
    assert cut.endswith("…\u2069")
    assert len(cut) < 36


def test_names_and_quoted_words_are_kept_apart_in_a_sentence() -> None:
    said = isolated_in("2 of 5, in “הזמנה 2”, for דנה and Ben.", ["דנה", "Ben"])
    assert said == "2 of 5, in “\u2068הזמנה 2\u2069”, for \u2068דנה\u2069 and Ben."
    assert isolated_in("in “Pay 2”, for Ana", ["דנה"]) == "in “Pay 2”, for Ana"


@pytest.mark.parametrize(
    "text",
    [
        "\u2068left\u2069",
        "\u2067א\u2069",
        "\u2068א",
        "א\u2069",
        "\u2068א\u202eb\u2069",
        "\u2068א\nb\u2069",
    ],
)
def test_only_whole_words_from_the_right_may_be_isolated(text: str) -> None:
    assert "[U+20" in clean(text)


def test_what_hides_inside_of_an_isolated_name_is_shown() -> None:
    assert clean("\u2068א\u2060b\x1b\u2069") == "\u2068א[U+2060]b␛\u2069"
