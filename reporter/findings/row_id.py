"""How rows are named, and how they cite: ids and citations may hold any recorded text."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from reporter.canonical import canonical_json
from reporter.findings.fixed import FACT_PHRASE
from reporter.models.finding import Finding
from reporter.models.plan import PersonaKey
from reporter.vocabulary import ScopeLevel, Signal, WiderFact

CITATION: Final = re.compile(r"[^/]+/[^\n\r\u2028\u2029]+")
"""A whole citation: a session id without a slash, a slash, a pointer on one line."""


def goal_id(persona_ref_id: str | None, run_id: str, target_id: str) -> str:
    """Name a goal outcome row."""
    return f"goal:{canonical_json([persona_ref_id, run_id, target_id])}"


def signal_id(signal: Signal, persona_ref_id: str | None, run_id: str, target_id: str) -> str:
    """Name a signal row; two rows can share this name where ids hold a colon."""
    return _sound(f"signal:{signal}:{persona_ref_id or ''}:{run_id}:{target_id}")


def session_row_id(session_id: str) -> str:
    """Name a session report."""
    return f"session:{session_id}"


def persona_fact_id(persona: PersonaKey, fact: WiderFact) -> str:
    """Name a fact about one persona."""
    return f"persona:{canonical_json([persona[0], persona[1], fact])}"


def target_fact_id(target_id: str, fact: WiderFact) -> str:
    """Name a fact about one target."""
    return f"target:{canonical_json([target_id, fact])}"


def wave_fact_id(fact: WiderFact) -> str:
    """Name a fact about the wave."""
    return f"wave:{canonical_json([fact])}"


def unique_ids(ids: Iterable[str]) -> Iterator[str]:
    """Yield each id once: a second of the same name gets `#2` behind it, the next `#3`.

    Rule: findings.md section 9.7.
    """
    used: set[str] = set()
    for wanted in ids:
        found, number = wanted, 1
        while found in used:
            number += 1
            found = f"{wanted}#{number}"
        used.add(found)
        yield found


def cite(session_id: str, pointer: str) -> list[str]:
    """Return the citation as a list of one, or of none where the wire cannot carry it.

    Rule: findings.md section 9.3.
    """
    citation = f"{session_id}/{pointer}"
    return [citation] if CITATION.fullmatch(citation) else []


def stated_fact(row: Finding) -> WiderFact | None:
    """Return the wider fact that a row states, known by its phrase or its id, or None."""
    if row.scope_level not in (ScopeLevel.PERSONA, ScopeLevel.TARGET, ScopeLevel.WAVE):
        return None
    for fact, phrase in FACT_PHRASE.items():
        if row.outcome_phrase == phrase or row.id.endswith(f'"{fact}"]'):
            return fact
    return None


def _sound(text: str) -> str:
    # A lone surrogate would make an id that no UTF-8 file can hold.
    return text.encode("utf-8", "backslashreplace").decode()
