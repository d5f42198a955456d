"""The plan of a wave whose recorder never came to write the manifest."""

from collections.abc import Iterable, Sequence
from typing import Final

from reporter.errors import Problem
from reporter.identifiers import RunId, SessionId, TargetId
from reporter.models.manifest import Goal, Persona, Run, Target
from reporter.models.plan import Plan, PlannedSlot
from reporter.models.records import SessionStart
from reporter.recording.naming import MANIFEST_NAME
from reporter.recording.problems import Complaints, shown

UNKNOWN_WAVE: Final = "unknown"
"""The id of a wave whose manifest is missing."""


def interrupted_plan(
    starts: Iterable[tuple[SessionId, SessionStart]], *, file: str = MANIFEST_NAME
) -> tuple[Plan, tuple[Problem, ...]]:
    """Make up the plan of a wave without a manifest from what its sessions say.

    Args:
        starts: The first `session_start` of every session file that has one.
        file: Name of the manifest that is missing, for problems.

    Returns:
        A plan that is not terminal and holds only sessions that were recorded, and the
        warning that the configured ones are unknown.

    Rule: recording.md section 7.
    """
    report = Complaints(file)
    report.add(
        "",
        "manifest-missing",
        "There is no manifest, so the wave was interrupted or is still being written;"
        " what was configured is unknown.",
        "Let the recorder finish, or read the counts as those of the recorded sessions alone.",
    )
    ordered = sorted(starts, key=lambda pair: pair[0])
    slots = _slots(ordered, report)
    kept = {slot.session_id for slot in slots}
    used = [start for session_id, start in ordered if session_id in kept]
    _say_differing(used, report)
    runs = _runs(used)
    plan = Plan(
        wave_id=UNKNOWN_WAVE,
        name=None,
        swarm_id=None,
        created_at_ms=None,
        finished_at_ms=None,
        terminal=False,
        personas=tuple(
            Persona(persona_ref_id=None, name=name)
            for name in dict.fromkeys(run.persona_name for run in runs)
        ),
        goals=tuple(Goal(journey_ref_id=run.run_id, title=run.run_id) for run in runs),
        targets=_targets(used),
        runs=runs,
        slots=slots,
        manifest_missing=True,
    )
    return plan, tuple(report.problems)


def _say_differing(starts: Sequence[SessionStart], report: Complaints) -> None:
    """Report a target of two models and a run of two turn limits: the first is taken."""
    models: dict[str, dict[str, None]] = {}
    limits: dict[str, dict[str, None]] = {}
    for start in starts:
        if start.model_id is not None:
            models.setdefault(start.target_id, {})[start.model_id] = None
        if start.max_turns is not None:
            limits.setdefault(start.run_id, {})[str(start.max_turns)] = None
    for what, said in (("model of target", models), ("turn limit of run", limits)):
        for name, words in said.items():
            if len(words) > 1:
                report.add(
                    "",
                    "session-starts-differ",
                    f"Sessions differ on the {what} {shown(name)}:"
                    f" {', '.join(map(shown, words))}; the first stands for all of them.",
                    "Only the manifest could have said which holds.",
                )


def _slots(
    ordered: Sequence[tuple[SessionId, SessionStart]], report: Complaints
) -> tuple[PlannedSlot, ...]:
    found: dict[tuple[str, str, int], PlannedSlot] = {}
    for session_id, start in ordered:
        key = (start.run_id, start.target_id, start.session_index)
        if key in found:
            report.add(
                "",
                "duplicate-slot",
                f"Sessions {found[key].session_id} and {session_id} name the same run, target"
                " and index; the second is left out.",
                session_id=session_id,
            )
            continue
        found[key] = PlannedSlot(
            session_id=session_id,
            run_id=RunId(start.run_id),
            target_id=TargetId(start.target_id),
            session_index=start.session_index,
            recorded=True,
        )
    return tuple(found.values())


def _runs(starts: Sequence[SessionStart]) -> tuple[Run, ...]:
    sessions: dict[str, list[SessionStart]] = {}
    for start in starts:
        sessions.setdefault(start.run_id, []).append(start)
    # Not validated: the bounds of a manifest do not hold for what was merely observed.
    return tuple(
        Run.model_construct(
            run_id=run_id,
            journey_ref_id=run_id,
            persona_ref_id=None,
            persona_name=found[0].persona_name,
            target_ids=list(dict.fromkeys(start.target_id for start in found)),
            sessions_per_target=1 + max(start.session_index for start in found),
            max_turns=next((one.max_turns for one in found if (one.max_turns or 0) > 0), None),
            status="running",
            rubric=[],
        )
        for run_id, found in sessions.items()
    )


def _targets(starts: Sequence[SessionStart]) -> tuple[Target, ...]:
    models: dict[str, str | None] = {}
    for start in starts:
        models[start.target_id] = models.get(start.target_id) or start.model_id
    return tuple(
        Target(target_id=target_id, kind="host", id=target_id, label=target_id, model_id=model_id)
        for target_id, model_id in models.items()
    )
