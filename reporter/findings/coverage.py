"""Caveats on counts: which notes a scope carries, and how many sessions each touches."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from reporter.findings.fold import first_failed
from reporter.identifiers import SessionId
from reporter.models.facts import SessionFacts
from reporter.models.finding import Population, Verification
from reporter.models.plan import Plan
from reporter.vocabulary import (
    CoverageNote,
    Disposition,
    Signal,
    Stage,
    Tone,
    tone_of,
)

WAVE_ONLY: Final = frozenset(
    {
        CoverageNote.PARTIAL_READ,
        CoverageNote.TOOL_CATALOG_MISSING,
        CoverageNote.MECHANISMS_REJECTED,
        CoverageNote.ANALYSIS_UNAVAILABLE,
    }
)
"""Notes that only the envelope carries, never a row."""

_PLACE: Final = {note: place for place, note in enumerate(CoverageNote)}

CandidateGroup = tuple[Signal | None, Stage | None, Disposition]
"""What makes sessions candidates for one cause: signal key, first failed stage, disposition."""


def capped_slots(plan: Plan, scan_cap: int | None) -> frozenset[SessionId]:
    """Return the slots beyond the scan cap, which takes slots in plan order.

    Rule: findings.md section 11, `sessionScanCapped`.
    """
    if scan_cap is None:
        return frozenset()
    return frozenset(slot.session_id for slot in plan.slots[scan_cap:])


def notes_of(session: SessionFacts, *, beyond_cap: bool = False) -> tuple[CoverageNote, ...]:
    """Return the notes that one session or slot raises, each once.

    Args:
        session: It says itself which notes it raises.
        beyond_cap: Its slot stands behind the scan cap, also where it never started.

    Rule: findings.md section 11.
    """
    if beyond_cap and CoverageNote.SESSION_SCAN_CAPPED not in session.notes:
        return (CoverageNote.SESSION_SCAN_CAPPED, *session.notes)
    return session.notes


def candidate_group(session: SessionFacts) -> CandidateGroup | None:
    """Return the group whose cause could be asked for, or None: nothing there to explain.

    Rule: findings.md section 9.4, candidate groups.
    """
    if not session.is_read or session.message_count == 0:
        return None
    if tone_of(session.disposition) not in (Tone.FAIL, Tone.WARN):
        return None
    return (session.signal_key, first_failed(session.chain), session.disposition)


@dataclass(frozen=True, slots=True)
class Coverage:
    """What limits the counts of one scope; coverages of disjoint sessions can be added."""

    touched: Mapping[CoverageNote, int]
    """Sessions or slots that raise each note; no entry is zero."""
    candidates: Mapping[CandidateGroup, int]
    """Sessions of each candidate group."""

    def __add__(self, other: "Coverage") -> "Coverage":
        return sum_coverage((self, other))

    @property
    def row_notes(self) -> list[CoverageNote]:
        """The notes of a row that speaks for this scope, in contract order."""
        return row_notes(self.touched)


def in_contract_order(notes: Iterable[CoverageNote]) -> list[CoverageNote]:
    """Return notes each once and in contract order, whatever order a document has them in.

    Rule: findings.md section 11, order of notes.
    """
    return sorted(set(notes), key=_PLACE.__getitem__)


def row_notes(raised: Iterable[CoverageNote]) -> list[CoverageNote]:
    """Return the notes that a row may carry, each once, in contract order."""
    return in_contract_order(set(raised) - WAVE_ONLY)


def sum_coverage(parts: Iterable[Coverage]) -> Coverage:
    """Add the coverages of disjoint sets of sessions."""
    touched: Counter[CoverageNote] = Counter()
    candidates: Counter[CandidateGroup] = Counter()
    for part in parts:
        touched.update(part.touched)
        candidates.update(part.candidates)
    return Coverage(dict(touched), dict(candidates))


def coverage_of(
    sessions: Iterable[SessionFacts], capped: frozenset[SessionId] = frozenset()
) -> Coverage:
    """Count what limits the counts of some sessions.

    Args:
        sessions: All sessions of a scope, not only those a row counts.
        capped: Slots beyond the scan cap.
    """
    touched: dict[CoverageNote, int] = {}
    candidates: dict[CandidateGroup, int] = {}
    for session in sessions:
        for note in notes_of(session, beyond_cap=session.session_id in capped):
            touched[note] = touched.get(note, 0) + 1
        group = candidate_group(session)
        if group is not None:
            candidates[group] = candidates.get(group, 0) + 1
    return Coverage(touched, candidates)


def envelope_notes(
    coverage: Coverage,
    population: Population,
    verification: Verification | None,
    unanalysed: int = 0,
) -> dict[CoverageNote, int]:
    """Return every note of the envelope with what it touches, in contract order.

    The count is of sessions or slots; for `mechanismsRejected`, and for
    `analysisUnavailable` where every group was analysed, it is of proposed explanations.

    Args:
        coverage: Of the whole wave.
        population: Of the whole wave.
        verification: What became of a model's proposals, or None where no model was asked.
        unanalysed: Where one was asked, the sessions of the groups that it gave no usable
            answer for.

    Rule: findings.md section 11.
    """
    counts = dict(coverage.touched)
    if 0 < population.read < population.started:
        counts[CoverageNote.PARTIAL_READ] = population.unread
    if verification is not None and verification.rejected:
        counts[CoverageNote.MECHANISMS_REJECTED] = verification.rejected
    unavailable = unanalysed
    if coverage.candidates and not unanalysed:
        unavailable = sum(coverage.candidates.values())
        if verification is not None:
            unavailable = verification.unverified
    if unavailable:
        counts[CoverageNote.ANALYSIS_UNAVAILABLE] = unavailable
    return {note: counts[note] for note in CoverageNote if note in counts}
