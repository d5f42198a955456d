"""What makes two mechanisms one, and what a mechanism is called."""

import re
from collections.abc import Set as AbstractSet
from typing import Final

from reporter.canonical import canonical_digest, canonical_json
from reporter.vocabulary import Stage

NEAR: Final = 0.8
"""Share of their words that two phrases have in common when they say nearly the same."""

_FOLDED: Final = re.compile(r"[\W_]+")
_WORD_DIGITS: Final = 16


def normalized(mechanism: str) -> str:
    """Return a phrase as it is compared: lower-case, punctuation and white space folded.

    Rule: findings.md section 9.5, same cause in several groups.
    """
    return _FOLDED.sub(" ", mechanism.lower()).strip()


def mechanism_id(wave_id: str, extraction_version: int, stage: Stage, mechanism: str) -> str:
    """Name a mechanism: equal words about the same link have one name in a wave.

    Rule: findings.md section 9.6.
    """
    wave = canonical_digest(["swarm-mechanism", wave_id, extraction_version])
    words = canonical_digest([stage.value, normalized(mechanism)])
    return f"{wave}:mechanism:{words[:_WORD_DIGITS]}"


def mechanism_row_id(
    mechanism: str, persona_ref_id: str | None, run_id: str, target_id: str
) -> str:
    """Name the row of a mechanism in one cell.

    Rule: findings.md section 9.6.
    """
    return f"{mechanism}:{canonical_json([persona_ref_id, run_id, target_id])}"


def words_of(mechanism: str) -> frozenset[str]:
    """Return the words that a phrase is compared by."""
    return frozenset(normalized(mechanism).split())


def are_near(one: AbstractSet[str], other: AbstractSet[str]) -> bool:
    """Tell whether two phrases say nearly the same, by the words they share."""
    union = len(one | other)
    return union > 0 and len(one & other) / union >= NEAR
