import re

import pytest

from reporter.findings.fixed import FIXED_PHRASES, OWN_WORD, SIGNAL_STAGE
from reporter.phrases.wording import fact_phrase, signal_phrase
from reporter.vocabulary import Signal, Stage, Tone, WiderFact, tone_of


@pytest.mark.parametrize("phrase", sorted(FIXED_PHRASES))
def test_codes_own_phrases_fit_the_slot(phrase: str) -> None:
    assert len(phrase) <= 100
    assert len(phrase.split()) <= 8
    assert not re.search("[0-9]", phrase)


def test_every_signal_and_every_wider_fact_has_its_phrase() -> None:
    phrases = [*map(signal_phrase, Signal), *map(fact_phrase, WiderFact)]
    assert set(phrases) == FIXED_PHRASES
    assert len(phrases) == len(FIXED_PHRASES) == 7
    assert [fact_phrase(fact) for fact in WiderFact] == [fact.label for fact in WiderFact]


def test_every_signal_and_every_stage_has_its_place() -> None:
    assert set(SIGNAL_STAGE) == set(Signal)
    assert set(OWN_WORD) == set(Stage)
    assert all(tone_of(word) is Tone.FAIL for word in OWN_WORD.values())
