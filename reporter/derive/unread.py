"""A session that was loaded and that a model could not use: what is still known of it."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from reporter.models.facts import SessionFacts
from reporter.vocabulary import CoverageNote, ReadState, Signal

LOADED: Final = frozenset(
    {
        ReadState.READ,
        ReadState.CONTEXT_TOO_LARGE,
        ReadState.BUDGET_EXHAUSTED,
        ReadState.EXTRACTION_REJECTED,
    }
)
"""Read states of sessions whose whole transcript was loaded."""

_NOTE: Final[Mapping[ReadState, CoverageNote]] = MappingProxyType(
    {
        ReadState.CONTEXT_TOO_LARGE: CoverageNote.CONTEXT_TOO_LARGE,
        ReadState.BUDGET_EXHAUSTED: CoverageNote.BUDGET_EXHAUSTED,
        ReadState.EXTRACTION_REJECTED: CoverageNote.EXTRACTION_REJECTED,
    }
)
_OF_READ: Final = frozenset({CoverageNote.CHAIN_UNMEASURED, CoverageNote.TOOL_CATALOG_MISSING})
"""Notes that only a session that was read raises."""


def as_unread(session: SessionFacts, state: ReadState) -> SessionFacts:
    """Return the facts of a read session as they are where a model could not use it.

    It keeps its verdict, chain and disposition; its signals speak for nobody any more.

    Args:
        session: A session that was read.
        state: Why a model could not use it.

    Rule: findings.md section 4.3, read state.
    """
    raised = {*session.notes, _NOTE[state]} - _OF_READ
    return replace(
        session,
        read_state=state,
        signals=(),
        signals_not_evaluated=tuple(Signal),
        hallucinated_tools=(),
        notes=tuple(note for note in CoverageNote if note in raised),
    )
