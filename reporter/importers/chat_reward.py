"""Imports chat messages with a reward, as τ-bench and τ-Trait publish their trajectories."""

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
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead
from reporter.importers.jsontext import BrokenJsonError, JsonText, finite, read_json_text
from reporter.importers.losses import (
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
from reporter.importers.source import Look, SourceEntry
from reporter.models.manifest import Attempt, Goal, Persona, Target

# No flag stands beside a result: that there was no error is read from its text as well.
# Records share these two, as nobody changes what a record says of itself.
_IS_ERROR: Final = {"isError": "text starts with Error"}
_IS_NO_ERROR: Final = {"isError": "text does not start with Error"}
_SUCCEEDED: Final = Attempt(status="succeeded")
_NOTHING: Final[Mapping[str, str]] = {}
_CRASHED: Final[Mapping[str, str]] = {"attempt": "info.error recorded"}

_DESCRIBED: Final = Described(
    title="τ-bench and τ-Trait trajectories",
    files="one JSON array a file; an element is a session",
    persona=None,
    goal="`task_id` with `info.task.instruction`",
    target="name of the file",
    session="file, `task_id` and `trial`",
    turn="a `traj[]` message of role `user`, up to the next",
    call="`tool_calls[]` of an `assistant` message",
    result="the `tool` message with the call's `tool_call_id`",
    error="a result that begins with `Error` (inferred)",
    stop_reason="`###STOP###`, the hand-over's result, or a missing `reward_info` (inferred)",
    outcome="`reward`, passed when within 1e-6 of 1.0 (inferred)",
    usage=None,
    time=None,
    catalog=None,
    connection=None,
    gaps=(
        Gap("no persona; `--map` or `--persona` gives one", "notMeasured"),
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
            text = read_json_text(entry)
            yield text.file
            stated = mapping.stated(entry.name)
            yield from _Reading(
                entry, text, stated.persona_or(None), stated.target_or(None)
            ).items()


@dataclass
class _Reading:
    """One file on its way in."""

    entry: SourceEntry
    text: JsonText
    persona: Persona
    target: Target
    ids: UniqueIds = field(default_factory=UniqueIds)
    goals: dict[str, dict[str, Goal]] = field(default_factory=dict)
    """Goals of the file: by task, then by what was asked for."""
    counts: Counter[str] = field(default_factory=Counter)

    def items(self) -> Iterator[ImportedItem]:
        # A session that crashed names its task alone; what the task asks for, others say.
        crashed: list[tuple[int, object, bool]] = []
        try:
            for index, (element, is_raw) in enumerate(self.text.raw_elements()):
                if _crash(element) is None:
                    yield from self._session(index, element, is_sound=is_raw)
                else:
                    crashed.append((index, element, is_raw))
        except BrokenJsonError as error:
            yield from lost_rest(self.entry.name, error)
        for index, element, is_raw in crashed:
            yield from self._session(index, element, is_sound=is_raw)
        yield from self._left_out()

    def _session(self, index: int, element: object, *, is_sound: bool) -> Iterator[ImportedItem]:
        file, place = self.entry.name, f"[{index}]"
        try:
            session = object_of(element)
            session_id = self._session_id(session)
        except BrokenElementError as error:
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
                f"{counts['cost']} sessions, unknown (0 or null) for {counts['no cost']}",
            )
        if counts["answer key"]:
            yield left_out(
                file,
                "[*].info.task",
                f"the tool calls and replies expected in {counts['answer key']} sessions are the "
                f"benchmark's answer key, not something that happened",
            )
        if counts["unmatched"]:
            yield left_out(
                file,
                "[*].traj[*].tool_call_id",
                f"{counts['unmatched']} tool messages answer no recorded call; they stay "
                f"messages and count as nobody's result",
            )


def _said_of(result: str) -> tuple[bool, dict[str, str]]:
    return (True, _IS_ERROR) if result.startswith("Error") else (False, _IS_NO_ERROR)


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
