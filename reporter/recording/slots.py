"""Slots: the sessions a wave lists, against the sessions its runs plan."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from reporter.identifiers import RunId, SessionId, TargetId
from reporter.models.manifest import Attempt, Run, Slot
from reporter.models.plan import PlannedSlot
from reporter.recording.naming import SESSION_ID_REMEDY, is_session_id, missing_session_id
from reporter.recording.problems import Complaints, shown
from reporter.redaction import mask_text

SlotKey = tuple[str, str, int]
"""Run, target and session index: where a slot stands in the plan."""

_MOST_ERROR_CHARS: Final = 500
_URL: Final = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]{0,30}://\S+")


def bounded_error_message(text: str | None) -> str | None:
    """Return an attempt's error message as it may be kept: short, on one line, without URLs.

    Rule: recording.md section 3, Attempt.
    """
    if text is None:
        return None
    # Half of a secret is shaped like none: what is cut off must not be its other half.
    # Before it is one line, too: some secrets are told by the lines they stand in.
    line = mask_text(" ".join(mask_text(_URL.sub("", text)).split()))
    return line[:_MOST_ERROR_CHARS].rstrip() or None


# The same few in every slot of a wave, which all are kept, and in what is derived from them.
@lru_cache(maxsize=256)
def bounded_attempt(attempt: Attempt | None) -> Attempt | None:
    """Return an attempt with its error message bounded; for equal ones the same."""
    if attempt is None or attempt.error_message is None:
        return attempt
    message = bounded_error_message(attempt.error_message)
    if message == attempt.error_message:
        return attempt
    return attempt.model_copy(update={"error_message": message})


def resolve_slots(
    slots: Iterable[Slot], runs: Sequence[Run], targets: set[str], report: Complaints
) -> list[PlannedSlot]:
    """Compare the listed slots with what the runs plan.

    Args:
        slots: As the manifest lists them.
        runs: The runs that count, naming only known targets.
        targets: Ids of the targets that count.
        report: Where what does not fit is said.

    Returns:
        The listed slots that count, in order, then the planned ones that nobody listed, in
        run, target, index order.

    Rule: recording.md section 3, Slot.
    """
    planned = [
        (run.run_id, target_id, index)
        for run in runs
        for target_id in run.target_ids
        for index in range(run.sessions_per_target)
    ]
    in_plan = set(planned)
    found: dict[str, PlannedSlot] = {}
    places: set[SlotKey] = set()
    known_runs = {run.run_id for run in runs}
    for number, slot in enumerate(slots):
        key = (slot.run_id, slot.target_id, slot.session_index)
        dropped = _why_dropped(slot, key, (known_runs, targets), (found, places))
        if dropped is not None:
            field_name, rule, what = dropped
            report.add(
                f"slots[{number}].{field_name}",
                rule,
                f"{what}; the slot is left out.",
                SESSION_ID_REMEDY if rule == "bad-session-id" else "",
            )
            continue
        if key not in in_plan:
            report.add(
                f"slots[{number}]",
                "slot-outside-plan",
                "The run plans no such session; it counts as configured all the same.",
                "Check the run's `targetIds` and `sessionsPerTarget`.",
                session_id=slot.session_id,
            )
        places.add(key)
        found[slot.session_id] = _planned(slot, in_plan=key in in_plan)
    listed = _own_document_ids(list(found.values()), report)
    return listed + _missing(planned, places, set(found), report)


def _why_dropped(
    slot: Slot,
    key: SlotKey,
    known: tuple[set[str], set[str]],
    taken: tuple[Mapping[str, PlannedSlot], set[SlotKey]],
) -> tuple[str, str, str] | None:
    """Return field, rule and sentence of the first reason against a slot."""
    runs, targets = known
    if not is_session_id(slot.session_id):
        return "sessionId", "bad-session-id", f"{shown(slot.session_id)} is no session id"
    if slot.run_id not in runs:
        return "runId", "slot-of-unknown-run", f"No run has the id {shown(slot.run_id)}"
    if slot.target_id not in targets:
        what = f"No target has the id {shown(slot.target_id)}"
        return "targetId", "slot-of-unknown-target", what
    if slot.session_id in taken[0]:
        return "sessionId", "duplicate-slot", f"{shown(slot.session_id)} stands here again"
    if key in taken[1]:
        what = "Another slot has the same run, target and index"
        return "sessionIndex", "duplicate-slot", what
    return None


def _planned(slot: Slot, *, in_plan: bool) -> PlannedSlot:
    return PlannedSlot(
        session_id=SessionId(slot.session_id),
        run_id=RunId(slot.run_id),
        target_id=TargetId(slot.target_id),
        session_index=slot.session_index,
        attempt=bounded_attempt(slot.attempt),
        recorded=slot.recorded,
        message_count=slot.message_count,
        document_id=slot.document_id,
        inferred=_shared(tuple(slot.inferred.items()) if slot.inferred else ()),
        masked=slot.masked or _NO_COUNTS,
        in_plan=in_plan,
    )


# The same few in every slot of a wave, which all are kept.
@lru_cache(maxsize=256)
def _shared(inferred: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    return dict(inferred)


_NO_COUNTS: Final[Mapping[str, int]] = {}


def _own_document_ids(slots: list[PlannedSlot], report: Complaints) -> list[PlannedSlot]:
    """Take a second name away from slots that do not have it for themselves."""
    owners = {str(slot.session_id): slot.session_id for slot in slots}
    found: list[PlannedSlot] = []
    for slot in slots:
        name = slot.document_id
        if name is not None and owners.setdefault(name, slot.session_id) != slot.session_id:
            report.add(
                "slots",
                "duplicate-document-id",
                f"The document id {shown(name)} of session {slot.session_id} already names"
                f" session {owners[name]}; it is left out.",
                "Give every session its own document id.",
                session_id=slot.session_id,
            )
            slot = replace(slot, document_id=None)  # noqa: PLW2901  the one without the name
        found.append(slot)
    return found


def _missing(
    planned: Iterable[SlotKey], places: set[SlotKey], taken: set[str], report: Complaints
) -> list[PlannedSlot]:
    """Make up the planned slots that nobody listed."""
    found: list[PlannedSlot] = []
    for run_id, target_id, index in planned:
        if (run_id, target_id, index) in places:
            continue
        session_id = missing_session_id(RunId(run_id), TargetId(target_id), index)
        while session_id in taken:
            session_id = SessionId(f"{session_id}-")
        taken.add(session_id)
        report.add(
            "slots",
            "slot-not-listed",
            f"Session {index} of run {shown(run_id)} on target {shown(target_id)} is planned"
            " and not listed; it counts as configured, with nothing recorded.",
            "List every planned session under `slots`.",
            session_id=session_id,
        )
        found.append(
            PlannedSlot(
                session_id=session_id,
                run_id=RunId(run_id),
                target_id=TargetId(target_id),
                session_index=index,
                listed=False,
            )
        )
    return found
