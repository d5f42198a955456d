"""The plan of a wave that was saved from MCPJam: its own runs, targets, slots and checks."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from reporter.errors import Problem
from reporter.identifiers import RunId, SessionId, TargetId
from reporter.importers.losses import Losses
from reporter.importers.mcpjam_documents import Export, spelled
from reporter.importers.mcpjam_known import known_of
from reporter.importers.mcpjam_rubric import Grading, grading_of
from reporter.importers.mcpjam_values import mapping, moment, rows, text, whole
from reporter.importers.naming import safe_id, short_digest
from reporter.models.manifest import (
    Attempt,
    AttemptStatus,
    Goal,
    Manifest,
    Persona,
    Recorder,
    Run,
    RunStatus,
    Slot,
    Target,
)
from reporter.models.plan import PlannedSlot, SessionContext

Json = Mapping[str, Any]

_SESSION_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,200}")
_ATTEMPTS: Final[tuple[AttemptStatus, ...]] = (
    "pending",
    "running",
    "succeeded",
    "failed",
    "rate_limited",
)
_RUNS: Final[tuple[RunStatus, ...]] = (
    "running",
    "completed",
    "partial",
    "failed",
    "rate_limited",
)
_UNKNOWN: Final[RunStatus] = "partial"
_CURRENT: Final = "the goal's current value; what the run was pinned to is not exported"
_HEARTBEAT: Final = "last sign of life of the runs, not their end"


@dataclass
class WavePlan:
    """A wave as its export plans it."""

    manifest: Manifest
    contexts: dict[SessionId, SessionContext]
    rows: dict[SessionId, Json]
    """The session's row in its run's list, where one was saved."""
    runs: dict[RunId, Json]
    gradings: dict[RunId, Grading]
    documents: dict[SessionId, str]
    """Document id of a session, by its session id."""


class WavePlanner:
    """Puts one wave of an export together.

    Args:
        export: What was saved.
        wave: The wave that the user chose, or empty.
        losses: Where what does not fit is counted.

    Rule: import-mcpjam.md section 4.
    """

    def __init__(self, export: Export, wave: str, losses: Losses) -> None:
        self._export = export
        self._chosen = wave
        self._losses = losses
        self._known = known_of(export, losses)
        self.problems: list[Problem] = []

    def plan(self) -> WavePlan | None:
        """Return the plan, or None where no wave can be told; `problems` then say why."""
        found = self._runs()
        if found is None:
            return None
        wave, runs = found
        personas: dict[tuple[str | None, str], Persona] = {}
        goals: dict[str, Goal] = {}
        targets: dict[str, Target] = {}
        planned: dict[RunId, Run] = {}
        slots: list[Slot] = []
        gradings: dict[RunId, Grading] = {}
        bodies: dict[RunId, Json] = {}
        for body in runs:
            run_id = RunId(str(body["id"]))
            persona = self._persona(run_id, body)
            goal = self._goal(run_id, body)
            personas.setdefault(persona.key, persona)
            goals.setdefault(goal.journey_ref_id, goal)
            own = self._targets(body)
            for target in own:
                targets.setdefault(target.target_id, target)
            grading = grading_of(run_id, body, self._sessions(run_id), self._export)
            gradings[run_id], bodies[run_id] = grading, body
            run_slots = self._slots(run_id, body, own)
            planned[run_id] = self._run(
                body, persona, goal, targets=own, grading=grading, slots=run_slots
            )
            slots.extend(run_slots)
        manifest = Manifest(
            swarm_run_group_id=wave,
            swarm_id=self._swarm_id(goals),
            swarm_name=self._swarm_name(goals),
            created_at=min(self._times("createdAt", runs), default=None),
            finished_at=self._finished(runs),
            terminal=all(run.status != "running" for run in planned.values()),
            personas=list(personas.values()),
            goals=list(goals.values()),
            targets=list(targets.values()),
            runs=list(planned.values()),
            slots=slots,
            recorder=Recorder(name="mcpjam-export", version="1"),
        )
        return WavePlan(
            manifest,
            *self._contexts(manifest),
            runs=bodies,
            gradings=gradings,
            documents={SessionId(s.session_id): s.document_id for s in slots if s.document_id},
        )

    def _runs(self) -> tuple[str, list[Json]] | None:
        """Return the wave's id and its runs, oldest first."""
        whole_runs = {str(one.body.get("id")): one.body for one in self._export.of("run")}
        listed = {str(one.get("id")): one for _, one in self._export.rows("runs")}
        seen = {run_id: _of_overview(run_id, one) for run_id, one in self._known.overview.items()}
        first = next((known for known in (whole_runs, listed, seen) if known), {})
        waves = list(dict.fromkeys(_wave(run_id, body) for run_id, body in first.items()))
        said = [text(one.body.get("waveId")) for one in self._export.of("export")]
        chosen = self._chosen or next((one for one in said if one), None) or None
        if chosen is None and len(waves) == 1:
            chosen = waves[0]
        if chosen is None:
            self.problems.append(_no_wave(self._export, waves))
            return None
        every = {**seen, **listed, **whole_runs}
        own = {run_id: body for run_id, body in every.items() if _wave(run_id, body) == chosen}
        if not own:
            self.problems.append(_other_waves(self._export, chosen, waves))
            return None
        self._losses.add(
            "repeated",
            "runs",
            "runs of one id in several files; the last one counts",
            len(self._export.of("run")) - len(whole_runs),
        )
        self._losses.no_place("runs", "runs of other waves", len(every) - len(own))
        for run_id in own:
            if run_id not in whole_runs:
                self.problems.append(_only_listed(self._export, run_id))
        ordered = sorted(
            own.items(), key=lambda one: (moment(one[1].get("createdAt")) or 0, one[0])
        )
        return chosen, [{**body, "id": run_id} for run_id, body in ordered]

    def _sessions(self, run_id: str) -> Sequence[Json]:
        return self._known.sessions.get(run_id, ())

    def _persona(self, run_id: str, body: Json) -> Persona:
        """Tell who pursued the goal; a run may name the persona by its slug.

        Rule: import-mcpjam.md section 4.1.
        """
        known, pinned = self._known, mapping(body.get("persona"))
        said = text(pinned.get("personaId"))
        goal = known.goals.get(str(spelled(body, "journeyId", "goalId")), {})
        refs = [text(one.get("personaId")) for one in self._sessions(run_id)]
        ref = next((one for one in refs if one), None) or text(goal.get("personaId"))
        if ref is None and said is not None:
            ref = said if said in known.personas else known.slugs.get(said)
        listed = known.personas.get(ref or "", {})
        labels = [text(one.get("personaLabel")) for one in self._sessions(run_id)]
        name = (
            text(pinned.get("name"))
            or next((one for one in labels if one), None)
            or text(known.overview.get(run_id, {}).get("personaName"))
            or text(listed.get("name"))
        )
        inferred = {}
        if name is None:
            name, inferred["name"] = run_id, "the run names nobody; its id stands in the place"
        notes = text(listed.get("notes"))
        if notes is not None:
            inferred["notes"] = "current value, not that of the wave"
        return Persona(
            persona_ref_id=ref,
            name=" ".join(name.split()),
            role=text(pinned.get("role")) or text(listed.get("role")),
            notes=notes,
            inferred=inferred or None,
        )

    def _goal(self, run_id: str, body: Json) -> Goal:
        ref = text(spelled(body, "journeyId", "goalId")) or f"goal-of-{run_id}"
        listed, seen = self._known.goals.get(ref, {}), self._known.overview.get(run_id, {})
        title = text(listed.get("name")) or text(spelled(seen, "journeyName", "goalName"))
        words = text(listed.get("goal"))
        inferred = {}
        if words is not None:
            inferred["goal"] = _CURRENT
        if title is None:
            inferred["title"] = "id of the goal; no saved list names it"
        archived = spelled(seen, "journeyArchived", "goalArchived")
        return Goal(
            journey_ref_id=ref,
            title=title or ref,
            goal=words,
            archived=True if archived is True else None,
            inferred=inferred or None,
        )

    def _targets(self, body: Json) -> list[Target]:
        found: dict[str, Target] = {}
        for raw in rows(body.get("targets")):
            target = self._target(raw)
            found.setdefault(target.target_id, target)
        return list(found.values())

    def _target(self, raw: Json) -> Target:
        """Tell environment from host, which a run does not say.

        Rule: import-mcpjam.md section 4.2, kind of a target.
        """
        host = text(raw.get("hostId"))
        own = text(raw.get("targetId")) or f"host:{host or short_digest(dict(raw))}"
        environment, label = self._environment(own, host)
        is_named = text(raw.get("environmentName"))
        if environment is None and is_named:  # of the overview, which gives no ids
            environment, label = is_named, is_named
        more: dict[str, Any] = {
            "target_id": own,
            "model_id": text(raw.get("modelId")),
            "host_id": host,
            "host_name": text(raw.get("hostName")),
        }
        if environment is not None:
            rule = "an environment of that id was saved, or named by the insights"
            return Target(
                kind="environment",
                id=environment,
                label=label or environment,
                inferred={"kind": rule},
                **more,
            )
        id_ = host or own
        return Target(
            kind="host", id=id_, label=text(raw.get("hostName")) or id_, inferred=None, **more
        )

    def _environment(self, own: str, host: str | None) -> tuple[str | None, str | None]:
        for known, name in self._environment_names():
            if own == f"environment:{known}":
                return known, name
        on_host = [
            (known, text(one.get("name")))
            for known, one in self._known.environments.items()
            if host is not None and one.get("hostId") == host
        ]
        return on_host[0] if len(on_host) == 1 else (None, None)

    def _environment_names(self) -> Iterable[tuple[str, str | None]]:
        for known, one in self._known.environments.items():
            yield known, text(one.get("name"))
        yield from self._known.health.items()

    def _slots(self, run_id: str, body: Json, targets: Sequence[Target]) -> list[Slot]:
        slots: list[Slot] = []
        attempts = rows(body.get("attempts"))
        by_chat = {
            chat: one for one in self._sessions(run_id) if (chat := text(one.get("chatSessionId")))
        }
        for number, raw in enumerate(attempts):
            target_id = self._target_of(raw, targets)
            index = whole(raw.get("sessionIndex"))
            if target_id is None or index is None:
                self._refuse(run_id, number)
                continue
            chat = text(raw.get("chatSessionId"))
            at = next(n for n, one in enumerate(targets) if one.target_id == target_id)
            slots.append(
                self._slot(
                    Slot(
                        session_id=_own_id(chat or f"unclaimed:{run_id}:{at}:{index}"),
                        run_id=run_id,
                        target_id=target_id,
                        session_index=index,
                        attempt=self._attempt(run_id, number, raw),
                        recorded=False,
                    ),
                    by_chat.pop(chat, None) if chat else None,
                )
            )
        total = whole(mapping(body.get("summary")).get("total"))
        if attempts and total is not None and total != len(attempts):
            self._losses.disagreement(
                f"runs[{run_id}].summary.total", "a number of attempts beside other attempts"
            )
        for chat in by_chat:
            self._homeless(run_id, chat)
        return slots

    def _slot(self, slot: Slot, row: Json | None) -> Slot:
        if row is None:
            return slot
        document = text(row.get("id"))
        inferred: dict[str, str] = {}
        # The service also writes 0 for a number that it does not know.
        count = whole(row.get("messageCount"), 1) or self._export.loaded[document or ""] or None
        if count is None and document in self._export.unreadable:
            count = 1
            inferred["messageCount"] = "the transcript is said to be unavailable, so there was one"
        outcome = row.get("outcome")
        if slot.attempt is not None and outcome is not None and outcome != slot.attempt.status:
            self._losses.disagreement(
                f"sessions[{slot.session_id}].outcome",
                "the outcome of a session row beside another attempt, which counts",
            )
        return slot.model_copy(
            update={
                "recorded": True,
                "message_count": count,
                "document_id": document,
                "inferred": inferred or None,
            }
        )

    def _target_of(self, raw: Json, targets: Sequence[Target]) -> str | None:
        own, host = text(raw.get("targetId")), text(raw.get("hostId"))
        if own is not None:
            return own if any(one.target_id == own for one in targets) else None
        on_host = [one.target_id for one in targets if one.host_id == host]
        return on_host[0] if len(on_host) == 1 else None

    def _attempt(self, run_id: str, number: int, raw: Json) -> Attempt | None:
        status = raw.get("status")
        if status not in _ATTEMPTS:
            self._losses.unknown_type(f"runs[{run_id}].attempts[{number}]", status, "attempts")
            return None
        return Attempt(
            status=status,
            error_code=text(raw.get("errorCode")),
            error_message=text(raw.get("errorMessage")),
        )

    def _run(  # noqa: PLR0913  a run has that many parts
        self,
        body: Json,
        persona: Persona,
        goal: Goal,
        *,
        targets: Sequence[Target],
        grading: Grading,
        slots: Sequence[Slot],
    ) -> Run:
        run_id = str(body["id"])
        inferred = dict(grading.inferred)
        said = body.get("status")
        status = next((word for word in _RUNS if word == said), _UNKNOWN)
        if said != status:
            self._losses.unknown_type(f"runs[{run_id}].status", said, "states of a run")
            inferred["status"] = "the recorded word is unknown"
        listed = self._known.goals.get(goal.journey_ref_id, {})
        max_turns = whole(listed.get("maxTurns"), 1, 200)
        if max_turns is not None:
            inferred["maxTurns"] = _CURRENT
        each = self._each(run_id, body, targets, slots)
        planned = whole(spelled(listed, "sessionsPerTarget", "iterations"), 1)
        if planned is not None and planned != each:
            self._losses.disagreement(
                f"goals[{goal.journey_ref_id}]",
                "sessions a target of the goal as it is now, beside those of the run, which count",
            )
        return Run(
            run_id=run_id,
            journey_ref_id=goal.journey_ref_id,
            persona_ref_id=persona.persona_ref_id,
            persona_name=persona.name,
            target_ids=[one.target_id for one in targets],
            sessions_per_target=each,
            max_turns=max_turns,
            status=status,
            error=self._error(run_id, body),
            rubric=list(grading.rubric),
            judge=grading.judge,
            created_at=moment(body.get("createdAt")),
            inferred=inferred or None,
        )

    def _each(
        self, run_id: str, body: Json, targets: Sequence[Target], slots: Sequence[Slot]
    ) -> int:
        total = whole(mapping(body.get("summary")).get("total"), 1) or len(slots)
        highest = max((slot.session_index + 1 for slot in slots), default=1)
        if targets and total and total % len(targets) == 0:
            return min(total // len(targets), 100)
        self._losses.disagreement(
            f"runs[{run_id}].summary.total",
            "sessions that are no equal number a target; the highest index counts",
        )
        return min(highest, 100)

    def _error(self, run_id: str, body: Json) -> str | None:
        said = text(body.get("error"))
        flags = [
            word
            for key, word in (("canceled", "canceled"), ("stale", "stale_runner"))
            if body.get(key) is True
        ]
        if flags and said is not None and said not in flags:
            self._losses.disagreement(
                f"runs[{run_id}].error", "an error beside a flag of another one; the error counts"
            )
        return said or (flags[0] if flags else None)

    def _times(self, key: str, runs: Sequence[Json]) -> list[int]:
        return [at for one in runs if (at := moment(one.get(key))) is not None]

    def _finished(self, runs: Sequence[Json]) -> int | None:
        times = self._times("lastHeartbeatAt", runs)
        if len(times) < len(runs):
            return None
        self._losses.no_place("runs.lastHeartbeatAt", f"the end of the wave is the {_HEARTBEAT}")
        return max(times)

    def _swarm_id(self, goals: Iterable[str]) -> str | None:
        ids = [text(self._known.goals.get(ref, {}).get("swarmId")) for ref in goals]
        return next((one for one in ids if one), None)

    def _swarm_name(self, goals: Iterable[str]) -> str | None:
        own = self._swarm_id(goals)
        for one in self._export.of("swarm"):
            if own is None or one.body.get("id") == own:
                return text(one.body.get("name"))
        return None

    def _contexts(
        self, manifest: Manifest
    ) -> tuple[dict[SessionId, SessionContext], dict[SessionId, Json]]:
        runs = {run.run_id: run for run in manifest.runs}
        targets = {target.target_id: target for target in manifest.targets}
        goals = {goal.journey_ref_id: goal for goal in manifest.goals}
        personas = {persona.key: persona for persona in manifest.personas}
        by_document = {
            document: one
            for listed in self._known.sessions.values()
            for one in listed
            if (document := text(one.get("id")))
        }
        contexts: dict[SessionId, SessionContext] = {}
        found: dict[SessionId, Json] = {}
        for slot in manifest.slots:
            own = SessionId(slot.session_id)
            run = runs[slot.run_id]
            contexts.setdefault(
                own,
                SessionContext(
                    slot=PlannedSlot(
                        session_id=own,
                        run_id=RunId(slot.run_id),
                        target_id=TargetId(slot.target_id),
                        session_index=slot.session_index,
                        attempt=slot.attempt,
                        recorded=slot.recorded,
                        message_count=slot.message_count,
                        document_id=slot.document_id,
                        inferred=slot.inferred or {},
                    ),
                    run=run,
                    persona=personas[run.persona_ref_id, run.persona_name],
                    goal=goals[run.journey_ref_id],
                    target=targets[slot.target_id],
                    judge=run.judge,
                ),
            )
            if slot.document_id in by_document:
                found.setdefault(own, by_document[slot.document_id])
        return contexts, found

    def _refuse(self, run_id: str, number: int) -> None:
        self._losses.add(
            "unreadable",
            f"runs[{run_id}].attempts[{number}]",
            "attempts that name no target of their run, or no index",
        )
        self.problems.append(
            Problem(
                file=_file_of(self._export, run_id),
                place=f"attempts[{number}]",
                what="The attempt names no target of its run, or no index; it is left out.",
                remedy="Save the run again.",
                rule="slot-of-unknown-target",
            )
        )

    def _homeless(self, run_id: str, chat: str) -> None:
        self._losses.add("unmatched", f"sessions[{chat}]", "sessions that no attempt claims")
        self.problems.append(
            Problem(
                file=_file_of(self._export, run_id),
                place="attempts",
                what=f"No attempt of run {run_id} claims the session {chat}; it counts nowhere.",
                remedy="Save the run once more, after its end.",
                rule="session-without-slot",
            )
        )


def _wave(run_id: str, body: Json) -> str:
    return text(spelled(body, "waveId", "swarmRunId")) or f"solo:{run_id}"


def _of_overview(run_id: str, row: Json) -> Json:
    """Return a run as far as the overview knows it."""
    persona = {"name": row.get("personaName")}
    return {**row, "id": run_id, "persona": persona}


def _own_id(wanted: str) -> str:
    if _SESSION_ID.fullmatch(wanted):
        return wanted
    return f"{safe_id(wanted)}-{short_digest(wanted)}"


def _file_of(export: Export, run_id: str) -> str:
    return next((one.file for one in export.of("run") if one.body.get("id") == run_id), run_id)


def _first_file(export: Export) -> str:
    named = [*export.of("export"), *export.of("run"), *export.of("overview")]
    rows_ = export.rows("runs")
    return named[0].file if named else rows_[0][0] if rows_ else "the export"


def _no_wave(export: Export, waves: Sequence[str]) -> Problem:
    if not waves:
        what = "No goal run of a wave was saved."
        remedy = "Save the runs: GET journey-runs/{id} or goal-runs/{id} for each of them."
    else:
        what = f"The runs belong to {len(waves)} waves: {', '.join(waves[:10])}."
        remedy = "Choose one with --wave, or keep each wave in a folder of its own."
    return Problem(_first_file(export), "waveId", what, remedy, "several-waves")


def _other_waves(export: Export, chosen: str, waves: Sequence[str]) -> Problem:
    what = f"No run of the wave {chosen} was saved; there are runs of {', '.join(waves[:10])}."
    remedy = "Choose one of these with --wave, or save the runs of the other."
    return Problem(_first_file(export), "waveId", what, remedy, "several-waves")


def _only_listed(export: Export, run_id: str) -> Problem:
    return Problem(
        file=_first_file(export),
        place=f"runs[{run_id}]",
        what="The run is known from a list alone, so what became of its sessions is unknown.",
        remedy="Save the run itself: it holds the attempts.",
        rule="source-run-listed-only",
        severity="note",
    )
