"""Puts the heads of all sessions together into one plan: runs, places, manifest."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from reporter.identifiers import RunId, SessionId, TargetId
from reporter.importers.importer import RUN_STATUS_RULE, SessionHead
from reporter.importers.naming import short_digest
from reporter.models.manifest import (
    Goal,
    Manifest,
    Persona,
    Run,
    RunStatus,
    Slot,
    Source,
    Target,
)
from reporter.models.value import value

MOST_PER_TARGET: Final = 100
"""Sessions of one target that a run may hold (recording.md section 3, Run)."""


@value(frozen=True, slots=True)
class Placement:
    """Where a session stands in the plan, once all sessions are known."""

    run_id: RunId
    session_index: int


@dataclass
class _Group:
    """Sessions of one goal, persona, set of checks and limits, over all targets."""

    cells: dict[TargetId, list[SessionHead]] = field(default_factory=dict)


@value(frozen=True, slots=True)
class _PlannedRun:
    run_id: RunId
    cells: tuple[tuple[TargetId, Sequence[SessionHead]], ...]
    """One entry a target, all with equally many sessions, each in the order of its index."""

    @property
    def heads(self) -> list[SessionHead]:
        return [head for _, heads in self.cells for head in heads]


class ManifestAssembler:
    """Collects the heads of sessions, in source order, and gives each its place.

    A place needs all of them: no source plans its sessions as runs, so the index is the
    rank of a session among those of its goal, persona and target (by the source's own
    repetition number, then by arrival), and targets tried unequally often stand in runs
    of their own. No slot is planned that the source does not name, which a gap in its
    numbers, or one run over unequal targets, would do.
    """

    def __init__(self) -> None:
        self._groups: dict[RunId, _Group] = {}
        self._session_ids: set[SessionId] = set()
        self._personas: dict[tuple[str | None, str], Persona] = {}
        self._goals: dict[str, Goal] = {}
        self._targets: dict[str, Target] = {}

    def __len__(self) -> int:
        return len(self._session_ids)

    def add(self, head: SessionHead) -> bool:
        """Take a session in; false, and nothing is taken, when its id was there before."""
        if head.session_id in self._session_ids:
            return False
        self._session_ids.add(head.session_id)
        self._personas.setdefault(head.persona.key, head.persona)
        self._goals.setdefault(head.goal.journey_ref_id, head.goal)
        self._targets.setdefault(head.target.target_id, head.target)
        group = self._groups.setdefault(head.run_id, _Group())
        group.cells.setdefault(TargetId(head.target.target_id), []).append(head)
        return True

    def placements(self) -> dict[SessionId, Placement]:
        """Return where every session stands."""
        return {
            head.session_id: Placement(run.run_id, index)
            for run in self._runs()
            for _, heads in run.cells
            for index, head in enumerate(heads)
        }

    def manifest(self, source: Source, *, terminal: bool) -> Manifest:
        """Return the manifest of the wave.

        Args:
            source: What was read and what could not be used.
            terminal: Whether the source was read to its end.

        Rule: recording.md sections 2, 3 and 5a.
        """
        planned = self._runs()
        files = sorted([file.name, file.sha256] for file in source.files)
        return Manifest(
            swarm_run_group_id=f"import-{short_digest(source.importer, files)}",
            terminal=terminal,
            personas=list(self._personas.values()),
            goals=list(self._goals.values()),
            targets=list(self._targets.values()),
            runs=[_run(run) for run in planned],
            slots=[
                _slot(head, Placement(run.run_id, index), target_id)
                for run in planned
                for target_id, heads in run.cells
                for index, head in enumerate(heads)
            ],
            source=source,
        )

    def _runs(self) -> list[_PlannedRun]:
        return [
            run for run_id, group in self._groups.items() for run in _split(run_id, group.cells)
        ]


def _split(run_id: RunId, cells: Mapping[TargetId, Sequence[SessionHead]]) -> Iterable[_PlannedRun]:
    """Cut the sessions of a group into runs that the plan's arithmetic holds for."""
    parts: dict[tuple[int, int], list[tuple[TargetId, Sequence[SessionHead]]]] = {}
    for target_id, heads in cells.items():
        # Sorting is stable, so that sessions without a number, or with the same one, keep
        # the order in which they came.
        ranked = sorted(heads, key=lambda head: (head.repetition is None, head.repetition or 0))
        for start in range(0, len(ranked), MOST_PER_TARGET):
            part = ranked[start : start + MOST_PER_TARGET]
            parts.setdefault((start, len(part)), []).append((target_id, part))
    for number, (_, same_size) in enumerate(sorted(parts.items(), key=lambda item: item[0][0])):
        own_id = run_id if number == 0 else RunId(f"{run_id}:{number + 1}")
        yield _PlannedRun(own_id, tuple(same_size))


def _run(run: _PlannedRun) -> Run:
    heads = run.heads
    first = heads[0]
    return Run(
        run_id=run.run_id,
        journey_ref_id=first.goal.journey_ref_id,
        persona_ref_id=first.persona.persona_ref_id,
        persona_name=first.persona.name,
        target_ids=[target_id for target_id, _ in run.cells],
        sessions_per_target=len(run.cells[0][1]),
        max_turns=first.max_turns,
        status=_status(heads),
        rubric=list(first.rubric),
        judge=first.judge,
        inferred={"status": RUN_STATUS_RULE},
    )


def _status(heads: Sequence[SessionHead]) -> RunStatus:
    statuses = {head.attempt.status if head.attempt else None for head in heads}
    if statuses == {"succeeded"}:
        return "completed"
    return "failed" if statuses == {"failed"} else "partial"


def _slot(head: SessionHead, placement: Placement, target_id: TargetId) -> Slot:
    # Nothing of a head is unchecked, and a set of field names for every slot would be half of it.
    return Slot.model_construct(
        _SLOT_FIELDS,
        session_id=head.session_id,
        run_id=placement.run_id,
        target_id=target_id,
        session_index=placement.session_index,
        attempt=head.attempt,
        recorded=head.recorded,
        message_count=head.message_count,
        document_id=head.document_id,
        inferred=dict(head.inferred) or None,
        masked=dict(head.masked) or None,
    )


_SLOT_FIELDS: Final = set(Slot.model_fields)
