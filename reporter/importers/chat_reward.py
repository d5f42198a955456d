"""Imports chat messages with a reward, as τ-bench and τ-Trait publish their trajectories."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.identifiers import SessionId
from reporter.importers.conversation import (
    BrokenElementError,
    Conversation,
    Element,
    object_of,
)
from reporter.importers.described import Described, Gap
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead, Spot
from reporter.importers.jsonarray import (
    ArrayBreakError,
    ArrayReader,
    Batch,
    Piece,
    borders,
    part_of,
    place_in,
)
from reporter.importers.jsontext import BrokenJsonError, finite
from reporter.importers.losses import (
    Losses,
    broken_session,
    left_out,
    lost_rest,
    lost_session,
)
from reporter.importers.mapping import FileMapping
from reporter.importers.naming import UniqueIds, goal_of, is_repetition, safe_id
from reporter.importers.outcome import (
    OUTCOME_RECORDED,
    REWARD,
    REWARD_RULE,
    failed_attempt,
    is_full_reward,
    number_of,
)
from reporter.importers.parts import Joint, PartEnd
from reporter.importers.source import Look, SourceEntry, digest_of, seekable
from reporter.models.manifest import Attempt, Goal, Persona, Target
from reporter.models.records import SessionComplete
from reporter.plural import plural

# No flag stands beside a result: that there was no error is read from its text as well.
# Records share these two, as nobody changes what a record says of itself.
_IS_ERROR: Final = {"isError": "text starts with Error"}
_IS_NO_ERROR: Final = {"isError": "text does not start with Error"}
_SUCCEEDED: Final = Attempt(status="succeeded")
_STOP: Final = "###STOP###"
_STOPPED: Final = SessionComplete(
    seq=0,
    status="succeeded",
    end_reason="personaEnded",
    inferred={"endReason": f"the persona's last words hold {_STOP}"},
)
_CAPPED: Final = SessionComplete(
    seq=0,
    status="succeeded",
    end_reason="turnCap",
    inferred={"endReason": "no reward_info: a limit on steps, not on turns"},
)
_NOTHING: Final[Mapping[str, str]] = {}
_CRASHED: Final[Mapping[str, str]] = {"attempt": "info.error recorded"}

_DESCRIBED: Final = Described(
    title="τ-bench and τ-Trait trajectories",
    files="one JSON array a file; an element is a session",
    persona=None,
    goal="`task_id` with `info.task.instruction`",
    target=None,
    session="file, `task_id` and `trial`",
    turn="a `traj[]` message of role `user`, up to the next",
    call="`tool_calls[]` of an `assistant` message",
    result="the `tool` message with the call's `tool_call_id`",
    error="a result that begins with `Error` (inferred)",
    stop_reason="`###STOP###` in the last words of the user, or a `reward_info` of null (inferred)",
    outcome="`reward`, passed when within 1e-6 of 1.0 (inferred)",
    usage=None,
    time=None,
    catalog=None,
    connection=None,
    gaps=(
        Gap("no persona; `--map` or `--persona` gives one", "notMeasured"),
        Gap("no target; `--map` or `--target` gives one", "notMeasured"),
        Gap("no tool catalog", "toolCatalogMissing"),
        Gap("no transport evidence", "notMeasured"),
        Gap("no time, usage or model", "notMeasured"),
    ),
)


@dataclass(frozen=True, slots=True)
class ChatReward:
    """One JSON array a file, one element a session: `task_id`, `trial`, `reward`, `traj`."""

    name: str = "chat-reward"
    version: int = 1
    looks_for: str = (
        "a JSON array whose elements hold task_id, traj and one of reward or info "
        "(τ-bench, τ-Trait)"
    )
    described: Described = _DESCRIBED

    def claims(self, look: Look) -> bool:
        """Tell whether the first elements have the keys of a trajectory."""
        outline = look.outline
        return (
            outline.kind == "array"
            and outline.has("[].task_id", "[].traj")
            and (outline.has("[].reward") or outline.has("[].info"))
        )

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Read every file alone."""
        return [(file,) for file in files]

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read the sessions of each file, element by element."""
        for entry in bundle:
            yield digest_of(entry)
            yield from _reading(entry, mapping).rest(0)

    def pieces(self, entry: SourceEntry, step: int) -> Sequence[Piece]:
        """Cut a file where its elements seem to meet."""
        with seekable(entry) as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(0)
            return borders(stream, size, step)

    def part(
        self, entry: SourceEntry, part: Piece | Spot, mapping: FileMapping
    ) -> Iterator[ImportedItem | PartEnd]:
        """Read a piece of a file, or one element again."""
        reading = _reading(entry, mapping)
        if isinstance(part, Spot):
            yield from reading.again(part)
            return
        if part.start == 0:
            yield digest_of(entry)
        yield from reading.elements_of(part)
        yield _PartEnd(reading)

    def joint(self, entry: SourceEntry, mapping: FileMapping) -> Joint:
        """Return a file of which nothing was read."""
        return _reading(entry, mapping)


def _reading(entry: SourceEntry, mapping: FileMapping) -> "_Reading":
    stated = mapping.stated(entry.name)
    return _Reading(entry, stated.persona_or(None), stated.target_or(None))


@dataclass
class _Reading:
    """One file on its way in, or a piece of it."""

    entry: SourceEntry
    persona: Persona
    target: Target
    elements: int = 0
    """Elements read so far."""
    ids: UniqueIds = field(default_factory=UniqueIds)
    goals: dict[str, dict[str, Goal]] = field(default_factory=dict)
    """Goals of the file: by task, then by what was asked for."""
    counts: Counter[str] = field(default_factory=Counter)
    crashed: list[Spot] = field(default_factory=list)
    """Sessions that name their task alone; what the task asks for, others say."""
    unasked: set[str] = field(default_factory=set)
    """Tasks of other sessions that do not say what was asked for."""
    is_movable: bool = True
    """Nothing that was read would read otherwise behind other elements."""

    def rest(self, start: int) -> Iterator[ImportedItem]:
        yield from self.elements_of(Piece(start, None))
        yield from self.close()

    def elements_of(self, piece: Piece) -> Iterator[ImportedItem]:
        try:
            with seekable(self.entry) as stream:
                for batch in ArrayReader(part_of(stream, piece), piece.start, piece).batches():
                    for place, element in enumerate(batch.values):
                        spot = Spot(batch.start, batch.end, place, self.elements)
                        self.elements += 1
                        if _crash(element) is None:
                            yield from self._session(element, spot, is_sound=batch.is_raw)
                        else:
                            self.crashed.append(spot)
        except ArrayBreakError as error:
            self.is_movable = False
            with self.entry.open() as stream:
                where = place_in(stream, error.at)
            yield from lost_rest(self.entry.name, BrokenJsonError(error.what, where))

    def close(self) -> Iterator[ImportedItem]:
        last = Batch([], False, 0, 0)
        for spot in self.crashed:
            if (last.start, last.end) != (spot.start, spot.end):
                last = self._batch(spot)
            yield from self._session(last.values[spot.place], spot, is_sound=last.is_raw)
        yield from self._left_out()

    def again(self, spot: Spot) -> Iterator[ImportedItem]:
        """Read one element of a batch again, as if it stood alone."""
        batch = self._batch(spot)
        # None where the file has changed since.
        for element in batch.values[spot.place : spot.place + 1]:
            yield from self._session(element, spot, is_sound=batch.is_raw)

    def take(self, end: PartEnd) -> bool:
        """Put a piece behind what was read before it; see `Joint`."""
        if not isinstance(end, _PartEnd):
            return False
        known = self.goals
        if (
            not end.is_movable
            or not self.ids.are_others(end.ids)
            or any(known.get(task) for task in end.unasked)
        ):
            return False
        self.ids.add_all(end.ids)
        for task, goals in end.goals.items():
            known.setdefault(task, {}).update(goals)
        self.counts.update(end.counts)
        self.crashed += [spot._replace(number=spot.number + self.elements) for spot in end.crashed]
        self.elements += end.elements
        return True

    def _batch(self, spot: Spot) -> Batch:
        """Parse the batch that a spot names."""
        piece = Piece(spot.start, spot.end)
        values: list[Any] = []
        is_raw = True
        with seekable(self.entry) as stream:
            for batch in ArrayReader(part_of(stream, piece), piece.start, piece).batches():
                values += batch.values
                is_raw = is_raw and batch.is_raw
        return Batch(values, is_raw, spot.start, spot.end)

    def _session(self, element: object, spot: Spot, *, is_sound: bool) -> Iterator[ImportedItem]:
        file, place = self.entry.name, f"[{spot.number}]"
        try:
            session = object_of(element)
            session_id = self._session_id(session)
        except BrokenElementError as error:
            self.is_movable = False
            yield from lost_session(file, place + error.place, error.reason)
            return
        conversation, problem = Conversation(is_sound=is_sound), None
        try:
            conversation.chat(session["traj"], _said_of)
        except BrokenElementError as error:
            where = f"{place}.traj{error.place}"
            problem = broken_session(file, where, error.reason, session_id)
        message_count = conversation.message_count
        if problem:
            self.is_movable = False
            yield left_out(file, problem.place, f"session {session_id}: {problem.what}")
            # Half a conversation would pass for a whole one once it is written down again.
            conversation = Conversation()
            message_count = sum(not _is_system(message) for message in session["traj"])
        self._count(session, conversation)
        reward, crash = number_of(session.get("reward")), _crash(session)
        attempt, inferred = None, _NOTHING
        if crash is not None:
            attempt, inferred = failed_attempt(None, crash), _CRASHED
        elif reward is not None:
            attempt, inferred = _SUCCEEDED, OUTCOME_RECORDED
            conversation.outcome(
                REWARD[0].id,
                passed=is_full_reward(reward),
                reason=f"reward {reward} ({_details(session)})",
                rule=REWARD_RULE,
            )
            if (ending := _ending(session)) is not None:
                conversation.complete(ending)
        head = SessionHead(
            session_id=session_id,
            file=file,
            persona=self.persona,
            goal=self._goal(session),
            target=self.target,
            rubric=REWARD,
            repetition=_stated(session, "trial"),
            attempt=attempt,
            message_count=message_count,
            inferred=inferred,
            spot=spot,
        )
        yield ImportedSession(head, conversation.records, problem)

    def _session_id(self, session: Element) -> SessionId:
        """Return the session's id, once what identifies it was found sound."""
        task_id, trial = session.get("task_id"), _stated(session, "trial")
        if isinstance(task_id, bool) or not isinstance(task_id, int | str):
            raise BrokenElementError(".task_id", "a number or a text was expected")
        if not is_repetition(trial):
            raise BrokenElementError(".trial", "a whole number was expected")
        if not isinstance(session.get("traj"), list):
            raise BrokenElementError(".traj", "a list of messages was expected")
        repetition = "" if trial is None else f".{trial}"
        wanted = f"{self.entry.prefix}.{safe_id(str(task_id))}{repetition}"
        return SessionId(self.ids.take(wanted))

    def _goal(self, session: Element) -> Goal:
        task_id, instruction = str(session["task_id"]), _task(session).get("instruction")
        known = self.goals.setdefault(task_id, {})
        if not isinstance(instruction, str):
            self.unasked.add(task_id)
            # Only one brief was ever given under this task: it was the one.
            return next(iter(known.values())) if len(known) == 1 else goal_of(task_id, None)
        if instruction not in known:
            known[instruction] = goal_of(task_id, instruction)
        return known[instruction]

    def _count(self, element: Element, conversation: Conversation) -> None:
        info = _info(element)
        self.counts["unmatched"] += conversation.unmatched_results
        self.counts["answer key"] += any(
            _stated(_task(element), key) for key in ("actions", "outputs")
        )
        if "user_cost" in info:
            self.counts["cost" if _stated(info, "user_cost") else "no cost"] += 1

    def _left_out(self) -> Iterator[ImportedItem]:
        file, counts = self.entry.name, self.counts
        if counts["cost"] or counts["no cost"]:
            yield left_out(
                file,
                "[*].info.user_cost",
                f"a recording has no place for what the simulated user cost: known for "
                f"{plural(counts['cost'], 'session')}, unknown (0 or null) for {counts['no cost']}",
            )
        if counts["answer key"]:
            yield left_out(
                file,
                "[*].info.task",
                f"the tool calls and replies expected in "
                f"{plural(counts['answer key'], 'session')} are the benchmark's "
                f"answer key, not something that happened",
            )
        losses = Losses(file)
        losses.unmatched("[*].traj[*].tool_call_id", counts["unmatched"])
        yield from losses.lost()


class _PartEnd(PartEnd):
    """What was read of a piece, without what it stands in."""

    def __init__(self, reading: _Reading) -> None:
        self.elements = reading.elements
        self.ids = reading.ids
        self.goals = reading.goals
        self.counts = reading.counts
        self.crashed = reading.crashed
        self.unasked = reading.unasked
        self.is_movable = reading.is_movable


def _said_of(result: str) -> tuple[bool, dict[str, str]]:
    return (True, _IS_ERROR) if result.startswith("Error") else (False, _IS_NO_ERROR)


def _ending(element: Element) -> SessionComplete | None:
    """Return how a session ended, as far as that follows from what is recorded."""
    info = _info(element)
    if "reward_info" in info and info["reward_info"] is None:
        return _CAPPED
    for message in reversed(element["traj"]):
        if isinstance(message, dict) and message.get("role") == "user":
            words = message.get("content")
            return _STOPPED if isinstance(words, str) and _STOP in words else None
    return None


def _is_system(message: object) -> bool:
    return isinstance(message, dict) and message.get("role") == "system"


def _stated(element: Element, key: str) -> Any:  # noqa: ANN401  any JSON value
    """Return what stands under a key; None also for a number that no double can hold."""
    value = element.get(key)
    return finite(value) if isinstance(value, float) else value


def _info(element: Element) -> Element:
    info = element.get("info")
    return info if isinstance(info, dict) else {}


def _task(element: Element) -> Element:
    task = _info(element).get("task")
    return task if isinstance(task, dict) else {}


def _crash(element: object) -> str | None:
    """Return the error of a session that its runner could not carry out, or None."""
    if not isinstance(element, dict) or _stated(element, "traj"):
        return None
    error = _info(element).get("error")
    return error if isinstance(error, str) else None


def _details(element: Element) -> str:
    """Say what the reward was made of, as far as that is recorded."""
    reward_info = _info(element).get("reward_info")
    details = reward_info.get("info") if isinstance(reward_info, dict) else None
    if not isinstance(details, dict):
        return "no details recorded"
    said = [
        f"{key} {number}"
        for key in ("r_actions", "r_outputs")
        if (number := number_of(details.get(key))) is not None
    ]
    outputs = details.get("outputs")
    if isinstance(outputs, dict) and outputs:
        missing = sum(1 for found in outputs.values() if found is not True)
        said.append(f"{missing} of {len(outputs)} expected outputs missing")
    return ", ".join(said) or "no details recorded"
