import pytest
from chain_cases import derive, outcome, span, turn
from hypothesis import given
from hypothesis import strategies as st

from reporter.derive.chain.bounds import (
    bounded_reasons,
    bounded_text,
    reason_evidence,
    signal_evidence,
    utf16_length,
)
from reporter.vocabulary import Stage

OWL = "\U0001f989"
"""A character outside the basic plane: two UTF-16 units."""

TEXTS = [
    ("a" * 499, "a" * 499),
    ("a" * 500, "a" * 500),
    ("a" * 501, "a" * 499 + "…"),
    ("a" * 5000, "a" * 499 + "…"),
    ("é" * 500, "é" * 500),
    ("é" * 501, "é" * 499 + "…"),
    (OWL * 250, OWL * 250),
    ("a" + OWL * 250, "a" + OWL * 249 + "…"),
    (OWL * 251, OWL * 249 + "…"),
    ("a" * 498 + OWL, "a" * 498 + OWL),
    ("a" * 499 + OWL, "a" * 499 + "…"),
    ("a" * 498 + OWL + "a", "a" * 498 + "…"),
    ("a" * 497 + OWL + "ab", "a" * 497 + OWL + "…"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_a_text_is_cut_at_five_hundred_units(text: str, expected: str) -> None:
    assert bounded_text(text) == expected


NEAR_THE_LIMIT = st.builds(
    lambda head, length, tail: head * length + tail,
    st.sampled_from(["a", "é", OWL]),
    st.integers(min_value=245, max_value=505),
    st.text(alphabet=st.sampled_from(["a", "é", OWL, "\ud83d"]), max_size=12),
)


@given(NEAR_THE_LIMIT)
def test_a_bounded_text_fits_and_begins_like_the_text(text: str) -> None:
    bounded = bounded_text(text)
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    assert utf16_length(text) == units
    assert utf16_length(bounded) <= 500
    if units <= 500:
        assert bounded == text
    else:
        assert bounded.endswith("…")
        assert text.startswith(bounded[:-1])
        # Only a character of two units can leave one unit of the limit unused.
        assert utf16_length(bounded) >= 499


def test_the_first_five_texts_that_say_something_are_kept() -> None:
    texts = ["one", "", None, " \t\n", "two", "three", "four", "five", "six"]
    assert bounded_reasons(texts) == ("one", "two", "three", "four", "five")


@pytest.mark.parametrize("texts", [[], [None], ["", "   ", "\u2003"]])
def test_texts_that_say_nothing_leave_no_key(texts: list[str | None]) -> None:
    assert bounded_reasons(texts) is None
    assert reason_evidence(texts) is None


def test_a_text_keeps_its_own_spaces() -> None:
    assert bounded_reasons(["  why "]) == ("  why ",)


def test_only_span_ids_that_are_strings_are_kept_and_five_of_them() -> None:
    spans = [span(None), span(None, id=7), *[span(f"s{number}") for number in range(6)]]
    chain = derive({"spans": spans})
    assert outcome(chain, Stage.CALL)[2] == {"spanIds": ["s0", "s1", "s2", "s3", "s4"]}


def test_prompt_indexes_are_numbers_and_not_limited() -> None:
    turns = [turn(None), turn(None, promptIndex="3"), turn(None, promptIndex=True)]
    turns += [turn(number, missing=[1]) for number in range(9)]
    turns += [turn(None, promptIndex=9.5, missing=[1])]
    chain = derive({"prompts": turns})
    assert outcome(chain, Stage.SELECTION)[2] == {"promptIndexes": [*range(9), 9.5]}


def test_a_signal_without_ids_leaves_no_key() -> None:
    assert signal_evidence(()) is None


def test_an_empty_list_is_still_a_key_where_the_tables_ask_for_one() -> None:
    chain = derive({"toolErrors": [{"kind": "protocol-error"}, {"kind": "content-error"}]})
    assert outcome(chain, Stage.CALL)[2] == {"spanIds": []}
    assert outcome(chain, Stage.RESPONSE)[2] == {"spanIds": []}
    assert outcome(derive({"prompts": [turn(None, missing=[1])]}), Stage.SELECTION)[2] == {
        "promptIndexes": []
    }
