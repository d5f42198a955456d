"""Where a session's own records say other things than the manifest, or than each other."""

from collections.abc import Iterator

from reporter.derive.catalog import JudgedCatalog
from reporter.derive.evidence import SessionEvidence
from reporter.derive.excerpt import quoted
from reporter.derive.problems import session_problem
from reporter.errors import Problem
from reporter.models.plan import SessionContext
from reporter.models.records import SessionComplete, SessionStart
from reporter.models.session import SessionRecording


def contradictions_of(
    context: SessionContext,
    recording: SessionRecording,
    evidence: SessionEvidence,
    catalog: JudgedCatalog,
) -> list[Problem]:
    """Return every contradiction of one session; none of them decides anything.

    Rule: recording.md section 8; sections 4 and 4.1 for what stands instead.
    """
    turns = len(evidence.turns)
    problems: list[Problem] = []
    if evidence.start is not None:
        problems.extend(_start(context, recording, evidence.start))
    if evidence.complete is not None:
        problems.extend(_complete(context, recording, evidence.complete, turns))
    limit = context.run.max_turns
    if limit is not None and turns > limit:
        problems.append(
            session_problem(
                recording,
                None,
                f"The assistant used {turns} turns, while the run allows {limit}.",
                rule="max-turns-exceeded",
                remedy="Correct the run's maxTurns or the turnIndex of the records.",
            )
        )
    problems.extend(
        session_problem(
            recording,
            next(record for record in evidence.catalogs if record.catalog_id == name),
            f"The recording holds no catalogue {quoted(name)}, so the tools are not fully known.",
            rule="catalog-unknown",
            place="catalogId",
        )
        for name in catalog.unknown_ids
    )
    return problems


def _start(
    context: SessionContext, recording: SessionRecording, start: SessionStart
) -> Iterator[Problem]:
    slot, expected = context.slot, context.run.persona_name
    if start.persona_name != expected:
        yield session_problem(
            recording,
            start,
            f"Two personas on one run: the session names {quoted(start.persona_name)}, run "
            f"{quoted(slot.run_id)} names {quoted(expected)}, which stands.",
            rule="persona-differs",
            place="personaName",
        )
    here = (start.run_id, start.target_id, start.session_index)
    planned = (slot.run_id, slot.target_id, slot.session_index)
    if here != planned:
        yield session_problem(
            recording,
            start,
            f"The session says that it is {_slot_words(*here)}; its slot says "
            f"{_slot_words(*planned)}, which stands.",
            rule="session-start-differs",
        )


def _slot_words(run_id: str, target_id: str, index: int) -> str:
    return f"session {index} of run {quoted(run_id)} against target {quoted(target_id)}"


def _complete(
    context: SessionContext, recording: SessionRecording, complete: SessionComplete, turns: int
) -> Iterator[Problem]:
    attempt = context.slot.attempt
    if attempt is not None and attempt.status != complete.status:
        yield session_problem(
            recording,
            complete,
            f"The session ended as {complete.status!r}; the manifest says {attempt.status!r}, "
            "which stands.",
            rule="attempt-differs",
            place="status",
        )
    said = complete.turns_used
    if said is not None and said != turns and not recording.damaged:
        yield session_problem(
            recording,
            complete,
            f"The session counts {said} turns; its records show {turns}, which stands.",
            rule="turns-used-differs",
            place="turnsUsed",
            severity="note",
        )
