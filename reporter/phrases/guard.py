"""What a model's words may not say: the rules every phrase passes before it is looked at again.

A phrase is refused by a named rule, or stands as it was written: nothing is repaired.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from reporter.findings.text import (
    excerpt,
    fold_space,
    js_word_count,
    trim,
    utf16_length,
)
from reporter.models.phrases import Refusal, Slot
from reporter.phrases.address_words import blame, instruction, wrong_input
from reporter.phrases.cause_words import cause, cause_in_fix
from reporter.phrases.english import foreign_piece
from reporter.phrases.fixes import advises, asks, is_controllable, is_imperative, lifted
from reporter.phrases.lexicon import GENERIC_STEMS
from reporter.phrases.names_said import grounds, name_breaches, number_breaches
from reporter.phrases.plain_text import Breach, plain_breaches, sentences, without_secrets
from reporter.phrases.said import without_quotes
from reporter.phrases.scope_words import (
    session_count,
    session_count_in_account,
    wide_claim,
    wide_people,
)
from reporter.phrases.spoken import PhraseEvidence, Recorded, SpokenNames
from reporter.phrases.success_words import achieved, success
from reporter.phrases.unseen_words import unseen_part
from reporter.vocabulary import PhraseRule

__all__ = [
    "PhraseEvidence",
    "SpokenNames",
    "guard_refusals",
    "report_refusals",
    "slot_refusals",
    "speaks_of_all",
]

OUTCOME: Final[Slot] = "outcomePhrase"
MECHANISM: Final[Slot] = "mechanismPhrase"
FIX: Final[Slot] = "fixPhrase"
ACTUAL: Final[Slot] = "actual"
ACCOUNT: Final[Slot] = "account"

LONGEST: Final = {OUTCOME: 100, MECHANISM: 240, FIX: 240, ACTUAL: 1800, ACCOUNT: 600}
"""UTF-16 code units of each slot (findings.md sections 3.3 and 9.2)."""

_MOST_WORDS: Final = 8
_MOST_SENTENCES: Final = 2
_READ_ON: Final = 2
"""How many times its limit a text is read; what goes on beyond is too long and nothing else."""
_SHOWN: Final = 48
_WHAT: Final = 80


@dataclass(frozen=True)
class _Phrase:
    """One slot's words, as they are looked at."""

    slot: Slot
    written: str

    @cached_property
    def text(self) -> str:
        """The words without credentials, cut where they go on far beyond the limit."""
        return without_secrets(self.written[: LONGEST[self.slot] * _READ_ON])

    @property
    def is_fix(self) -> bool:
        return self.slot == FIX

    def refusal(self, rule: PhraseRule, words: str, piece: str = "") -> Refusal:
        """Return a refusal; a piece of the phrase is masked, made visible and cut."""
        shown = excerpt(fold_space(_visible(without_secrets(piece))), _SHOWN)
        what = f"{words}: {shown}" if shown and words else words or shown
        return Refusal(rule, self.slot, excerpt(what, _WHAT))


def slot_refusals(
    outcome: str, mechanism: str, fix: str | None, names: SpokenNames
) -> tuple[Refusal, ...]:
    """Return every rule for the slots that a proposal breaks: one refuses the whole of it.

    Rule: findings.md section 9.2.
    """
    phrases = [_Phrase(OUTCOME, outcome), _Phrase(MECHANISM, mechanism)]
    if fix is not None:
        phrases.append(_Phrase(FIX, fix))
    return tuple(refusal for phrase in phrases for refusal in _slot(phrase, names, mechanism))


def guard_refusals(
    outcome: str,
    mechanism: str,
    fix: str | None,
    names: SpokenNames,
    evidence: PhraseEvidence,
) -> tuple[Refusal, ...]:
    """Return every rule beyond the slots' own that a proposal breaks.

    A refusal in the slot `fixPhrase` costs the fix alone, any other the proposal.

    Args:
        outcome: The outcome phrase.
        mechanism: The mechanism phrase.
        fix: The fix phrase, or None.
        names: Every name of the wave.
        evidence: The turns that the proposal cites.
    """
    phrases = [_Phrase(OUTCOME, outcome), _Phrase(MECHANISM, mechanism)]
    if fix is not None:
        phrases.append(_Phrase(FIX, fix))
    return tuple(refusal for phrase in phrases for refusal in _guarded(phrase, names, evidence))


def speaks_of_all(text: str) -> bool:
    """Tell whether a text speaks of more than single sessions: of all, of always, of most.

    What it quotes is not its own claim and does not count.
    """
    return wide_claim(text) is not None


def report_refusals(
    actual: str,
    account: str | None,
    names: SpokenNames,
    cited: Recorded,
    persona_texts: tuple[str, ...],
) -> tuple[Refusal, ...]:
    """Return every rule that a model's account of one session breaks.

    Args:
        actual: What happened, in the model's words.
        account: What the persona is said to have written about it, or None.
        names: Every name of the wave.
        cited: The masked turns that it cites.
        persona_texts: What the persona itself wrote in that session.

    Rule: findings.md sections 9.1 and 9.2, `actual` and `account`.
    """
    refusals = list(_report(_Phrase(ACTUAL, actual), names, cited))
    if account is not None:
        refusals += _account(_Phrase(ACCOUNT, account), Recorded(persona_texts))
    return tuple(refusals)


def _slot(phrase: _Phrase, names: SpokenNames, mechanism: str) -> Iterator[Refusal]:
    yield from _plain(phrase)
    text = phrase.text
    if phrase.slot == OUTCOME:
        yield from _outcome(phrase, names)
    if phrase.slot == MECHANISM and sentences(text) > _MOST_SENTENCES:
        yield phrase.refusal(PhraseRule.TOO_MANY_SENTENCES, f"{sentences(text)} sentences")
    counted = session_count(text)
    if counted is not None:
        yield phrase.refusal(PhraseRule.SESSION_COUNT, "a count", counted)
    for persona in names.personas_in(text)[:1]:
        yield phrase.refusal(PhraseRule.PERSONA_NAMED, "persona", persona)
    if phrase.is_fix and trim(text):
        yield from _fix(phrase, names, mechanism)


def _plain(phrase: _Phrase) -> Iterator[Refusal]:
    length, limit = utf16_length(phrase.written), LONGEST[phrase.slot]
    if length > limit:
        yield phrase.refusal(PhraseRule.TOO_LONG, f"{length} of {limit} characters")
    for rule, piece in plain_breaches(phrase.written[: limit * _READ_ON]):
        yield phrase.refusal(rule, _WORDS.get(rule, ""), piece)


def _outcome(phrase: _Phrase, names: SpokenNames) -> Iterator[Refusal]:
    digit = next((each for each in phrase.text if each.isnumeric()), None)
    if digit is not None:
        yield phrase.refusal(PhraseRule.DIGIT, "digit", digit)
    words = js_word_count(phrase.text)
    if words > _MOST_WORDS:
        yield phrase.refusal(PhraseRule.TOO_MANY_WORDS, f"{words} of {_MOST_WORDS} words")
    for goal in names.goals_in(phrase.text)[:1]:
        yield phrase.refusal(PhraseRule.GOAL_NAMED, "goal", goal)
    advice = advises(phrase.text)
    if advice is not None:
        yield phrase.refusal(PhraseRule.NOT_AN_OUTCOME, "says", advice)


def _fix(phrase: _Phrase, names: SpokenNames, mechanism: str) -> Iterator[Refusal]:
    if not trim(mechanism):
        yield phrase.refusal(PhraseRule.FIX_WITHOUT_MECHANISM, "")
    if not is_imperative(phrase.text):
        yield phrase.refusal(PhraseRule.NOT_IMPERATIVE, "begins with", phrase.text[:24])
    if not is_controllable(phrase.text, mechanism, names.folded_tools):
        yield phrase.refusal(PhraseRule.NOT_CONTROLLABLE, "")


def _guarded(phrase: _Phrase, names: SpokenNames, evidence: PhraseEvidence) -> Iterator[Refusal]:
    text, recorded = phrase.text, evidence.recorded
    if phrase.slot != OUTCOME:
        absent = (goal for goal in names.goals_in(text) if not recorded.holds(goal))
        for goal in list(absent)[:1]:
            yield phrase.refusal(PhraseRule.GOAL_NAMED, "goal", goal)
    yield from _recorded(phrase, names, recorded)
    yield from _claimed(phrase, evidence)
    yield from _unseen(phrase, recorded)
    yield from _spoken(phrase, recorded)
    if phrase.slot == MECHANISM and not grounds(text, recorded, GENERIC_STEMS):
        yield phrase.refusal(PhraseRule.NOT_GROUNDED, "")


def _recorded(phrase: _Phrase, names: SpokenNames, recorded: Recorded) -> Iterator[Refusal]:
    is_fix = phrase.is_fix
    yield from _refused(phrase, number_breaches(phrase.text, recorded, names, is_fix=is_fix))
    yield from _refused(phrase, name_breaches(phrase.text, recorded, names, is_fix=is_fix))


def _unseen(phrase: _Phrase, recorded: Recorded) -> Iterator[Refusal]:
    part = None if phrase.is_fix else unseen_part(phrase.text, recorded)
    if part is not None:
        yield phrase.refusal(PhraseRule.NOT_SHOWN, "says", part)


def _claimed(phrase: _Phrase, evidence: PhraseEvidence) -> Iterator[Refusal]:
    """Yield what a phrase says of more sessions, of causes and of success."""
    text = phrase.text
    wide = wide_people(text) if phrase.is_fix else wide_claim(text)
    if wide is not None and not evidence.covers_all:
        yield phrase.refusal(PhraseRule.SCOPE_OVERREACH, "says", wide)
    caused = cause_in_fix(text) if phrase.is_fix else cause(text)
    if caused is not None and not evidence.measured:
        yield phrase.refusal(PhraseRule.CAUSE_NOT_MEASURED, "says", caused)
    came_off = _success(phrase) if evidence.is_fail else None
    if came_off is not None:
        yield phrase.refusal(PhraseRule.CLAIMS_SUCCESS, "says", came_off)


def _success(phrase: _Phrase) -> str | None:
    if phrase.is_fix:
        return None
    return success(phrase.text) or (achieved(phrase.text) if phrase.slot == OUTCOME else None)


def _spoken(phrase: _Phrase, recorded: Recorded) -> Iterator[Refusal]:
    """Yield who a phrase speaks to, whom it blames and in what language it is."""
    text = phrase.text
    told = instruction(text) or (lifted(text, recorded) if phrase.is_fix else None)
    if told is None and phrase.slot in {MECHANISM, ACTUAL}:
        told = asks(text)
    if told is not None:
        yield phrase.refusal(PhraseRule.TRANSCRIPT_INSTRUCTION, "says", told)
    blamed = blame(text) or (None if phrase.slot == ACTUAL else wrong_input(text))
    if blamed is not None:
        yield phrase.refusal(PhraseRule.BLAMES_PERSON, "says", blamed)
    foreign = foreign_piece(without_quotes(text), recorded)
    if foreign is not None:
        yield phrase.refusal(PhraseRule.NOT_ENGLISH, "such as", foreign)


def _report(phrase: _Phrase, names: SpokenNames, cited: Recorded) -> Iterator[Refusal]:
    text = phrase.text
    yield from _plain(phrase)
    for persona in names.personas_in(text):
        if not cited.holds(persona):
            yield phrase.refusal(PhraseRule.PERSONA_NAMED, "persona", persona)
            break
    counted = session_count_in_account(text)
    if counted is not None:
        yield phrase.refusal(PhraseRule.SESSION_COUNT, "a count", counted)
    yield from _recorded(phrase, names, cited)
    wide = wide_people(text)
    if wide is not None:
        yield phrase.refusal(PhraseRule.SCOPE_OVERREACH, "says", wide)
    yield from _unseen(phrase, cited)
    yield from _spoken(phrase, cited)


def _account(phrase: _Phrase, written: Recorded) -> Iterator[Refusal]:
    yield from _plain(phrase)
    if trim(phrase.written) and not written.quotes(phrase.written):
        yield phrase.refusal(PhraseRule.NOT_PERSONA_WORDS, "")


def _refused(phrase: _Phrase, breaches: Iterator[Breach]) -> Iterator[Refusal]:
    for rule, piece in breaches:
        yield phrase.refusal(rule, _WORDS.get(rule, ""), piece)


def _visible(text: str) -> str:
    return "".join(each if each.isprintable() else "\ufffd" for each in text)


_WORDS: Final = {
    PhraseRule.NOT_ONE_LINE: "character",
    PhraseRule.MARKUP: "mark",
    PhraseRule.ADDRESS: "address",
    PhraseRule.NUMBER_NOT_RECORDED: "number",
    PhraseRule.TOOL_NOT_CITED: "name of code",
    PhraseRule.NAME_NOT_CITED: "name or quote",
    PhraseRule.TARGET_NAMED: "target",
}
