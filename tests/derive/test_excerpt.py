import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.derive.excerpt import bounded, error_words, quoted, refusal_text

KEY = "AKIA" + "ABCD" * 4


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("plain", 10, "plain"),
        ("  two \n\t words ", 20, "two words"),
        ("", 10, None),
        (" \n ", 10, None),
        ("0123456789", 10, "0123456789"),
        ("0123456789x", 10, "012345678…"),
        ("words and more", 7, "words…"),
        (f"key {KEY}", 40, "key [redacted]"),
        (" " * 500 + "late", 10, "late"),
        ("early" + " " * 500 + "late", 10, "early…"),
        ("x" * 500, 10, "x" * 9 + "…"),
        (" " * 500, 10, None),
    ],
)
def test_one_line_of_bounded_masked_text(text: str, limit: int, expected: str | None) -> None:
    assert bounded(text, limit) == expected


def test_a_credential_is_not_halved_by_the_cut() -> None:
    gap = " " * 78
    assert bounded(f"a{gap}{KEY} more", 10) == "a…"


@given(st.text(max_size=400), st.integers(min_value=1, max_value=60))
def test_the_bound_holds_and_a_second_pass_changes_nothing(text: str, limit: int) -> None:
    once = bounded(text, limit)
    if once is not None:
        assert 0 < len(once) <= limit
        assert "\n" not in once
        assert bounded(once, limit) == once


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (None, None),
        ("", None),
        ("refused by https://user:pw@example.test/x?k=1 now", "refused by now"),
        ("see http://a.test and ws://b.test.", "see and"),
        ("many\n\nlines", "many lines"),
        ("https://only.test", None),
        ("x" * 500, "x" * 500),
        ("x" * 501, "x" * 499 + "…"),
    ],
)
def test_a_refusal_is_shown_without_addresses(message: str | None, expected: str | None) -> None:
    shown = refusal_text(message)
    assert shown == expected
    assert refusal_text(shown) == shown


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("Error: gone", "Error: gone"),
        (
            {"content": [{"type": "text", "text": "no"}, {"type": "text", "text": "book"}]},
            "no book",
        ),
        ({"content": "plain"}, "plain"),
        ([{"text": "a"}, {"text": "b"}], "a b"),
        ({"error": "boom"}, "boom"),
        ({"error": {"message": "inner"}}, "inner"),
        ({"message": "said"}, "said"),
        ({"status": 404}, '{"status":404}'),
        ({"content": [{"type": "image"}]}, '{"content":[{"type":"image"}]}'),
        (7, "7"),
        (float("inf"), None),
        ("   ", None),
    ],
)
def test_the_words_of_a_result(value: object, expected: str | None) -> None:
    assert error_words(value, 300) == expected


def test_a_name_in_a_message_is_short_and_on_one_line() -> None:
    assert quoted("a\nb") == '"a b"'
    assert len(quoted("x" * 500)) == 62
