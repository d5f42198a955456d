"""Imports SWE-agent trajectories (`.traj`): one file a session, one step a call."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from reporter.identifiers import SessionId
from reporter.importers.conversation import BrokenElementError, Conversation, Element
from reporter.importers.described import Described
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead
from reporter.importers.jsonobject import JsonMembers
from reporter.importers.jsontext import BrokenJsonError
from reporter.importers.losses import Losses, broken_session, lost_rest
from reporter.importers.mapping import FileMapping, Stated
from reporter.importers.source import Look, SourceEntry, digest_of
from reporter.importers.swe_agent.endings import Close, close_of
from reporter.importers.swe_agent.facts import (
    GAPS,
    child_of,
    goal_for,
    repository_of,
    stem_of,
    target_for,
)
from reporter.importers.swe_agent.trajectory import KEPT, Run, costs_of
from reporter.models.records import SessionNotice

_MOST_ATTEMPTS: Final = 100
_MOST_VALUE: Final = 256 * 1024 * 1024
_STEP_MARKS: Final = ("trajectory[].action", "trajectory[].observation")

_DESCRIBED: Final = Described(
    title="SWE-agent trajectories",
    files="one `.traj` document a session, or several `attempts[]` of one issue",
    persona=None,
    goal="the issue in the first `history[]` message of role `user`, without worked examples",
    target="`replay_config.env.repo.github_url`, else the name of the instance (inferred), with "
    "`replay_config.agent.model.name`",
    session="the file, or an element of `attempts[]`",
    turn="the one `user` message",
    call="`trajectory[]`: the answer's `tool_calls[]`, else the `action` by its first word "
    "(inferred)",
    result="`observation`",
    error=None,
    stop_reason="`info.exit_status` (inferred where a limit or an error ended it)",
    outcome=None,
    usage="`info.model_stats`, for the whole session; 0 is unknown",
    time="`execution_time` of a step; no moments",
    catalog=None,
    connection=None,
    gaps=GAPS,
)


@dataclass(frozen=True, slots=True)
class SweAgent:
    """One JSON object a session: `trajectory`, `history`, `info` and `environment`."""

    name: str = "swe-agent"
    version: int = 1
    looks_for: str = (
        "a JSON object with trajectory[].action and trajectory[].observation, or with trajectory, "
        "history and info (SWE-agent .traj)"
    )
    described: Described = _DESCRIBED

    def claims(self, look: Look) -> bool:
        """Tell whether the file has steps of an agent, or the other parts of a run without."""
        outline = look.outline
        return outline.kind == "object" and (
            outline.has(*_STEP_MARKS)
            or outline.has(*(f"attempts[].{mark}" for mark in _STEP_MARKS))
            or outline.has("trajectory", "history", "history[].role", "info")
        )

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Read every file alone."""
        return [(file,) for file in files]

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read the one session of each file, or the several attempts at its issue."""
        for entry in bundle:
            yield digest_of(entry)
            yield from _Reading(entry, mapping.stated(entry.name)).items()


class _Reading:
    """One file on its way in."""

    def __init__(self, entry: SourceEntry, stated: Stated) -> None:
        self._entry = entry
        self._stated = stated
        self._losses = Losses(entry.name)

    def items(self) -> Iterator[ImportedItem]:
        try:
            document = self._document()
        except BrokenJsonError as error:
            yield from lost_rest(self._entry.name, error)
            # Its steps stand before what tells them apart from others': the session is known
            # to be there, and nothing of it can be used.
            yield self._session({}, "", broken=error)
            return
        runs = [one for one in _list(document.get("attempts")) if isinstance(one, dict)]
        for index, run in enumerate(runs[:_MOST_ATTEMPTS]):
            # What the best attempt says of itself stands a second time beside them all.
            yield self._session(run, f"attempts[{index}]", repetition=index)
        if not runs:
            yield self._session(document, "")
        self._losses.no_place("attempts", "attempts beyond the first", len(runs) - _MOST_ATTEMPTS)
        yield from self._losses.lost()

    def _document(self) -> dict[str, Any]:
        """Read the file, without what its steps hold of all that was said before them.

        Raises:
            BrokenJsonError: It is no JSON object.
        """
        document: dict[str, Any] = {}
        steps: list[Any] = []
        with self._entry.open() as stream:
            for member in JsonMembers(stream, "trajectory", _MOST_VALUE).members():
                if member.index is None:
                    document[member.key] = member.value
                elif isinstance(member.value, dict):
                    if not steps:
                        document["query"] = member.value.get("query")
                    steps.append({key: member.value.get(key) for key in KEPT})
                else:
                    steps.append(member.value)
        return {"trajectory": steps, **document}

    def _session(
        self,
        run: Element,
        place: str,
        *,
        repetition: int | None = None,
        broken: BrokenJsonError | None = None,
    ) -> ImportedSession:
        info, settings = child_of(run, "info"), child_of(run, "replay_config")
        model = child_of(child_of(settings, "agent"), "model")
        close = close_of(info.get("exit_status"))
        own = Run(
            steps=_list(run.get("trajectory")),
            history=_list(run.get("history")) or _list(run.get("query")),
            info=info,
            model=model.get("name") if isinstance(model.get("name"), str) else None,
        )
        session_id = self._session_id(repetition)
        problem, message_count = None, None
        if broken is not None:
            problem = broken_session(self._entry.name, broken.place, broken.what, session_id)
        else:
            try:
                own.build(close)
                message_count = own.conversation.message_count
            except BrokenElementError as error:
                where = f"{place}.{error.place}".strip(".")
                problem = broken_session(self._entry.name, where, error.reason, session_id)
                self._losses.add("unreadable", where, f"a session: {error.reason}")
                own.conversation = Conversation()
        _end(own.conversation, close)
        self._count(place, own, close)
        task_id = _task_id(settings, run, self._entry.name)
        repository = repository_of(child_of(child_of(settings, "env"), "repo"), task_id)
        head = SessionHead(
            session_id=session_id,
            file=self._entry.name,
            persona=self._stated.persona_or(None),
            goal=goal_for(task_id, own.asked),
            target=target_for(self._stated, repository, model),
            repetition=repetition,
            attempt=close.attempt,
            message_count=message_count,
            inferred=close.inferred,
        )
        return ImportedSession(head, own.conversation.records, problem)

    def _session_id(self, repetition: int | None) -> SessionId:
        number = "" if repetition is None else f".{repetition + 1}"
        return SessionId(f"{self._entry.prefix}{number}")

    def _count(self, place: str, own: Run, close: Close) -> None:
        """Count what of a run is in no record."""
        lost = self._losses
        lost.no_place(
            f"{place}.history".strip("."),
            "messages of worked examples, which are no part of the session",
            own.demonstrations,
        )
        lost.no_place(
            f"{place}.trajectory".strip("."),
            "steps that ran no command, because the answer held none or none that was allowed",
            own.not_run,
        )
        cost = costs_of(own.info)
        if cost is not None:
            known = "known" if cost else "0, which is unknown: nobody was asked, or nobody counted"
            lost.no_place("info.model_stats", f"what the model cost ({known})")
        if own.info.get("submission"):
            lost.no_place("info.submission", "the patch: whether it is right is not recorded")
        if close.is_unknown:
            lost.unknown_type("info.exit_status", close.word, "exit statuses")


def _end(conversation: Conversation, close: Close) -> None:
    if close.word is not None and not close.is_plain:
        message = f"exit_status: {close.word[:300]}"
        conversation.append(SessionNotice(seq=0, kind="exit", message=message))
    if close.complete is not None:
        conversation.complete(close.complete)


def _task_id(settings: Mapping[str, Any], run: Element, name: str) -> str:
    for holder in (child_of(settings, "problem_statement"), run):
        own = holder.get("id", holder.get("instance_id"))
        if isinstance(own, str) and own:
            return own
    return stem_of(name)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
