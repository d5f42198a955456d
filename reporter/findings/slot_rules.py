"""Which text slots and ids a row of each basis may fill: rules P1 and P2."""

from collections.abc import Iterator

from reporter.findings.fixed import FACT_PHRASE, SIGNAL_PHRASE
from reporter.findings.text import trim
from reporter.models.finding import Finding, Violation
from reporter.vocabulary import Basis, ScopeLevel


def check_slots(row: Finding) -> Iterator[Violation]:
    """Check that a row fills only what its basis allows, and all that it requires.

    A missing phrase of code's own is none: published documents leave it out.

    Rule: findings.md section 9.1, P1 and P2.
    """
    filled = {
        "outcomePhrase": row.outcome_phrase,
        "mechanismPhrase": row.mechanism_phrase,
        "fixPhrase": row.fix_phrase,
        "reportExcerpt": row.report_excerpt,
        "mechanismId": row.mechanism_id,
        "signal": row.signal,
    }
    allowed, required = _table(row)
    for slot, value in filled.items():
        if value is not None and slot not in allowed:
            yield Violation("P1", row.id, f"a {row.basis} row may not fill {slot}")
        if value is None and slot in required:
            yield Violation("P1", row.id, f"a {row.basis} row must fill {slot}")
    if row.basis is Basis.POPULATION_FACT and row.outcome_phrase is not None:
        yield from _fixed_phrase(row, row.outcome_phrase)
    if row.fix_phrase is not None and not trim(row.mechanism_phrase or ""):
        yield Violation("P2", row.id, "fixPhrase stands without a mechanismPhrase")


def _table(row: Finding) -> tuple[frozenset[str], frozenset[str]]:
    """Return the slots that a row may fill, and those that it must."""
    match row.basis:
        case Basis.VERIFIED_MECHANISM:
            required = frozenset({"outcomePhrase", "mechanismPhrase", "mechanismId"})
            return required | {"fixPhrase"}, required
        case Basis.SESSION_REPORT:
            required = frozenset({"reportExcerpt"})
            return required, required
        case Basis.POPULATION_FACT if row.scope_level is ScopeLevel.GOAL:
            signal = frozenset({"signal"})
            return signal | ({"outcomePhrase"} if row.signal is not None else set()), frozenset()
        case Basis.POPULATION_FACT:
            return frozenset({"outcomePhrase"}), frozenset()


def _fixed_phrase(row: Finding, phrase: str) -> Iterator[Violation]:
    if row.signal is not None and phrase != SIGNAL_PHRASE[row.signal]:
        yield Violation("P1", row.id, f"outcomePhrase is not the phrase of {row.signal}")
    wider = row.signal is None and row.scope_level is not ScopeLevel.GOAL
    if wider and phrase not in FACT_PHRASE.values():
        yield Violation("P1", row.id, "outcomePhrase is not the phrase of a wider fact")
