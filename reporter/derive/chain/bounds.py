"""How much evidence a stage row carries: counts and lengths."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from reporter.models.chain import Span, StageEvidence, TurnSummary

MAX_TEXTS: Final = 5
"""Reason texts that a row keeps."""
MAX_UNITS: Final = 500
"""Length of a reason text, in UTF-16 code units."""
MAX_SPAN_IDS: Final = 5
"""Span ids that a row keeps; prompt indexes are not limited."""

_ELLIPSIS: Final = "…"
_BASIC_PLANE_END: Final = "\uffff"


def utf16_length(text: str) -> int:
    """Return the length of a text in UTF-16 code units.

    Rule: chain.md section 10, last paragraph.
    """
    if text.isascii():
        return len(text)
    return len(text) + sum(char > _BASIC_PLANE_END for char in text)


def bounded_text(text: str) -> str:
    """Return the text, or its beginning and an ellipsis where it is too long.

    A character outside the basic plane takes two units. Where the cut would fall between
    them the whole character goes, because half of one is not text and cannot be written.

    Rule: chain.md section 10, point 1.
    """
    # A character takes at least one unit, so a text this long says enough by its beginning.
    if utf16_length(text[: MAX_UNITS + 1]) <= MAX_UNITS:
        return text
    left, place = MAX_UNITS - 1, 0
    while (left := left - utf16_length(text[place])) >= 0:
        place += 1
    return text[:place] + _ELLIPSIS


def bounded_reasons(texts: Iterable[str | None]) -> tuple[str, ...] | None:
    """Return the first texts that say something, each bounded, or None where none does.

    Rule: chain.md section 10, point 1.
    """
    kept: list[str] = []
    for text in texts:
        if text is not None and text.strip():
            kept.append(bounded_text(text))
            if len(kept) == MAX_TEXTS:
                break
    return tuple(kept) or None


def reason_evidence(texts: Iterable[str | None]) -> StageEvidence | None:
    """Return evidence of reason texts, or None where no text says anything."""
    reasons = bounded_reasons(texts)
    return None if reasons is None else StageEvidence(predicate_reasons=reasons)


def span_evidence(spans: Iterable[Span]) -> StageEvidence:
    """Return evidence of spans; the list is there even where no span has an id.

    Rule: chain.md section 10, points 2 and 3.
    """
    ids = [span.id for span in spans if span.id is not None]
    return _of_span_ids(tuple(ids[:MAX_SPAN_IDS]))


# Several rows of one session rest on the same spans.
@lru_cache(maxsize=16)
def _of_span_ids(ids: tuple[str, ...]) -> StageEvidence:
    return StageEvidence(span_ids=ids)


def signal_evidence(span_ids: tuple[str, ...]) -> StageEvidence | None:
    """Return evidence of a setup signal, or None where it names no span.

    Rule: chain.md section 10, point 3.
    """
    return StageEvidence(span_ids=span_ids[:MAX_SPAN_IDS]) if span_ids else None


def turn_evidence(turns: Iterable[TurnSummary]) -> StageEvidence:
    """Return evidence of turns; the list is there even where no turn has an index.

    Rule: chain.md section 10, points 2 and 3.
    """
    indexes = tuple(turn.prompt_index for turn in turns if turn.prompt_index is not None)
    return StageEvidence(prompt_indexes=indexes)
