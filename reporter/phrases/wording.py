"""The deterministic text of a finding's slots, for a reader and for a model client's prompt."""

from reporter.findings.fixed import FACT_PHRASE, FIXED_PHRASES, SIGNAL_PHRASE
from reporter.vocabulary import Signal, WiderFact

__all__ = ["FACT_PHRASE", "FIXED_PHRASES", "SIGNAL_PHRASE", "fact_phrase", "signal_phrase"]


def signal_phrase(signal: Signal) -> str:
    """Return what a signal's rows say happened, to the letter.

    Rule: findings.md section 8, phrase.
    """
    return SIGNAL_PHRASE[signal]


def fact_phrase(fact: WiderFact) -> str:
    """Return what a wider fact says happened, to the letter.

    Rule: findings.md section 12.1, phrase.
    """
    return FACT_PHRASE[fact]
