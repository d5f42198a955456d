"""Confirmed proposals become mechanisms: named, joined, ranked, and bounded."""

import hashlib
import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.models.phrases import GroupKey, ProposalFate, Support
from reporter.phrases.mechanism_id import (
    are_near,
    mechanism_id,
    mechanism_row_id,
    normalized,
    words_of,
)
from reporter.phrases.mechanisms import MECHANISM_LIMIT, publish
from reporter.vocabulary import (
    Disposition,
    PhraseRule,
    ProposalState,
    Stage,
    SupportAnswer,
)

GROUP = GroupKey(None, Stage.RESPONSE, Disposition.GOAL_MISSED)
SUPPORTS = SupportAnswer.SUPPORTS


def fate(
    key: str,
    mechanism: str,
    sessions: Sequence[str] = ("s1",),
    *,
    state: ProposalState = ProposalState.CONFIRMED,
    stage: Stage = Stage.RESPONSE,
    fix: str | None = None,
    fix_refused: bool = False,
) -> ProposalFate:
    support = tuple(
        Support(one, (0,), "a quotation of it", (f"{one}/m:0",), answer=SUPPORTS)
        for one in sessions
    )
    return ProposalFate(
        key=key,
        group=GROUP,
        stage=stage,
        outcome_phrase="ended without a book",
        mechanism_phrase=mechanism,
        fix_phrase=fix,
        support=support,
        state=state,
        fix_refused=fix_refused,
    )


@pytest.mark.parametrize(
    ("phrase", "folded"),
    [
        ("  The desk  REFUSES, it. ", "the desk refuses it"),
        ("find_book's result", "find book s result"),
        ("Ärger: groß!", "ärger groß"),
        ("…", ""),
    ],
)
def test_phrases_are_compared_without_case_punctuation_and_white_space(
    phrase: str, folded: str
) -> None:
    assert normalized(phrase) == folded


def test_a_mechanism_is_named_as_the_contract_says() -> None:
    name = mechanism_id("wave-1", 1, Stage.USER_VALUE, "The desk REFUSES it.")
    wave = json.dumps(["swarm-mechanism", "wave-1", 1], separators=(",", ":"))
    words = json.dumps(["userValue", "the desk refuses it"], separators=(",", ":"))
    first = hashlib.sha256(wave.encode()).hexdigest()
    second = hashlib.sha256(words.encode()).hexdigest()[:16]
    assert name == f"{first}:mechanism:{second}"
    assert mechanism_row_id(name, None, "r:1", "t1") == f'{name}:[null,"r:1","t1"]'


def test_equal_words_about_another_link_are_another_mechanism() -> None:
    found = publish(
        [fate("a", "It refuses."), fate("b", "It refuses.", stage=Stage.CALL)], "wave", 1
    )
    assert len(found.mechanisms) == 2
    assert found.verification.omitted == 0


def test_the_first_words_and_the_first_fix_that_stands_are_published() -> None:
    found = publish(
        [
            fate("a", "It refuses the card.", ["s2"], fix="Drop it.", fix_refused=True),
            fate("b", "it refuses THE card", ["s1"], fix="Say why in the error."),
            fate("c", "It refuses the card!", ["s1"], fix="Say more."),
        ],
        "wave",
        1,
    )
    (mechanism,) = found.mechanisms
    assert mechanism.proposals[0].mechanism_phrase == "It refuses the card."
    assert mechanism.fix_phrase == "Say why in the error."
    assert list(mechanism.citations) == ["s2", "s1"]
    assert found.verification.confirmed == 3
    assert {one.mechanism_id for one in found.proposals} == {mechanism.id}


def test_only_sessions_that_support_are_counted() -> None:
    one = fate("a", "It refuses the card.", ["s1", "s2"])
    doubted = Support("s3", (0,), "a quotation", ("s3/m:0",), answer=SupportAnswer.CONTRADICTS)
    mixed = ProposalFate(
        **{name: getattr(one, name) for name in one.__slots__ if name != "support"},
        support=(*one.support, doubted),
    )
    (mechanism,) = publish([mixed], "wave", 1).mechanisms
    assert list(mechanism.citations) == ["s1", "s2"]


def test_there_is_room_for_twenty_and_the_largest_stay() -> None:
    words = "abcdefghijklmnopqrstuvwxyz"
    fates = [
        fate(letter, f"The {letter * 5} of {letter * 6} errs.", [f"s{n}" for n in range(size + 1)])
        for size, letter in enumerate(words[: MECHANISM_LIMIT + 3])
    ]
    found = publish(fates, "wave", 1)
    assert len(found.mechanisms) == MECHANISM_LIMIT == 20
    sizes = [len(one.citations) for one in found.mechanisms]
    assert sizes == sorted(sizes, reverse=True) == list(range(23, 3, -1))
    assert found.verification.omitted == 3
    dropped = [one for one in found.proposals if one.mechanism_id is None]
    assert [[refusal.rule for refusal in one.refusals] for one in dropped] == [
        [PhraseRule.NO_ROOM]
    ] * 3


def test_of_two_that_are_nearly_the_same_the_larger_stays() -> None:
    small = fate("a", "The desk refuses the card number and says nothing of why", ["s9"])
    large = fate("b", "The desk refuses the card number and says nothing of it", ["s1", "s2"])
    found = publish([small, large], "wave", 1)
    assert [one.proposals[0].key for one in found.mechanisms] == ["b"]
    assert list(found.mechanisms[0].citations) == ["s1", "s2"]
    assert found.verification.omitted == 1


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("a b c d e", "a b c d e", True),
        ("a b c d e", "a b c d", True),
        ("a b c d", "a b c", False),
        ("a b", "b a", True),
        ("", "", False),
    ],
)
def test_nearly_the_same_is_four_words_of_five(one: str, other: str, near: bool) -> None:
    assert are_near(words_of(one), words_of(other)) is near


STATES = st.sampled_from(list(ProposalState))
PHRASES = st.sampled_from([f"The {word} errs and {word} fails." for word in "abcdef"])


@given(st.lists(st.tuples(PHRASES, STATES, st.sets(st.sampled_from("123456"), min_size=1))))
def test_the_counters_add_up_and_every_confirmed_one_is_published_or_left_out(
    drawn: list[tuple[str, ProposalState, set[str]]],
) -> None:
    fates = [
        fate(f"k{place}", phrase, sorted(sessions), state=state)
        for place, (phrase, state, sessions) in enumerate(drawn)
    ]
    found = publish(fates, "wave", 1)
    made = found.verification
    assert made.proposed == made.confirmed + made.rejected + made.unverified == len(fates)
    assert made.omitted <= made.confirmed
    published = [one for one in found.proposals if one.mechanism_id is not None]
    assert len(published) + made.omitted == made.confirmed
    assert {one.mechanism_id for one in published} == {one.id for one in found.mechanisms}
    assert publish(fates, "wave", 1) == found
