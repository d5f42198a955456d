"""Imports τ²-bench run files (`results.json`): tasks, simulations, rewards with a breakdown."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
from reporter.importers.jsonobject import JsonMembers
from reporter.importers.jsontext import BrokenJsonError
from reporter.importers.losses import (
    Losses,
    broken_session,
    left_out,
    lost_rest,
    lost_session,
)
from reporter.importers.mapping import FileMapping, Stated
from reporter.importers.naming import (
    UniqueIds,
    first_words,
    fold,
    goal_of,
    is_repetition,
    safe_id,
    short_digest,
)
from reporter.importers.outcome import REWARD, REWARD_RULE, is_full_reward, number_of
from reporter.importers.sound import sound_text
from reporter.importers.source import Look, SourceEntry, digest_of, seekable
from reporter.importers.tau2_ending import Close, close_of
from reporter.importers.tau2_messages import converse, counted
from reporter.importers.tau2_tools import Offered, offered_by
from reporter.models.manifest import Goal, Persona, Target
from reporter.plural import plural

_SIMULATIONS: Final = "simulations"
_FRAME: Final = frozenset({"info", "tasks"})
_NAME_LENGTH: Final = 80
_MOST_TRIALS: Final = 100
_SESSION_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,200}")
_INSTRUCTIONS: Final = (
    ("reason_for_call", "Reason for the call"),
    ("known_info", "Known"),
    ("unknown_info", "Not known"),
    ("task_instructions", "Instructions"),
)

_DESCRIBED: Final = Described(
    title="τ²-bench runs",
    files="one `results.json` a run; an element of `simulations[]` is a session",
    persona="`tasks[].user_scenario.persona`",
    goal="`tasks[].user_scenario.instructions`",
    target="`info.environment_info.domain_name` with `info.agent_info.llm`",
    session="`simulations[].id`",
    turn="a message of role `user`, up to the next",
    call="`messages[].tool_calls[]`; `requestor` says who called",
    result="the `tool` message with the call's `id`",
    error="`error` of the tool message",
    stop_reason="`termination_reason`",
    outcome="`reward_info.reward`, passed when within 1e-6 of 1.0 (inferred)",
    usage="`messages[].usage`",
    time="`start_time`, `end_time` and `messages[].timestamp`, without a zone",
    catalog="`info.environment_info.tool_defs`",
    connection=None,
    gaps=(
        Gap("often no persona", "notMeasured"),
        Gap("`tool_defs` that are null: no tool catalog", "toolCatalogMissing"),
        Gap("no transport evidence", "notMeasured"),
    ),
)


@dataclass(frozen=True, slots=True)
class Tau2:
    """One JSON object a run: `info`, `tasks` and `simulations`."""

    name: str = "tau2-results"
    version: int = 1
    looks_for: str = (
        "a JSON object with info.user_info, info.agent_info and info.environment_info "
        "(results.json of τ²-bench)"
    )
    described: Described = _DESCRIBED

    def claims(self, look: Look) -> bool:
        """Tell whether the file describes a run of the τ²-bench runner."""
        outline = look.outline
        return outline.kind == "object" and outline.has(
            "info.user_info", "info.agent_info", "info.environment_info"
        )

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Read every run alone."""
        return [(file,) for file in files]

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read the simulations of each run, then what the run planned and does not hold."""
        for entry in bundle:
            yield digest_of(entry)
            run = _Run(entry)
            try:
                document = object_of(run.frame())
            except BrokenJsonError as error:
                yield from lost_rest(entry.name, error)
                continue
            except BrokenElementError as error:
                yield from lost_session(entry.name, "", error.reason)
                continue
            yield from _Reading(entry, document, mapping.stated(entry.name)).items(run)


@dataclass(slots=True)
class _Run:
    """The document of a run, with memory for one of its simulations."""

    entry: SourceEntry
    simulations: object = None
    """What stands in the place of simulations where it is no list."""
    error: BrokenJsonError | None = None
    """Where the document broke off among its simulations, once they were read."""

    def frame(self) -> object:
        """Return the document without its simulations, or what stands in its place.

        Raises:
            BrokenJsonError: The document breaks off before there is a simulation.
        """
        document: dict[str, object] = {}
        has_simulation = False
        with seekable(self.entry) as stream:
            try:
                for member in JsonMembers(stream, _SIMULATIONS).members():
                    if member.index is not None and member.key != _SIMULATIONS:
                        return None
                    if member.index is not None:
                        has_simulation = True
                        # The usual order: what is behind them says nothing of them.
                        if document.keys() >= _FRAME:
                            break
                    else:
                        document[member.key] = member.value
            except BrokenJsonError:
                if not has_simulation:
                    raise
        self.simulations = document.pop(_SIMULATIONS, [])
        return document

    def elements(self) -> Iterator[object]:
        """Yield the simulations; of a document that breaks off, those before that place."""
        with seekable(self.entry) as stream:
            try:
                for member in JsonMembers(stream, _SIMULATIONS).members():
                    if member.index is not None:
                        yield member.value
            except BrokenJsonError as error:
                self.error = error


@dataclass(frozen=True, slots=True)
class _Task:
    """What a task says about the sessions that try it."""

    goal: Goal
    persona: Persona | None = None


class _Reading:
    """One run on its way in."""

    def __init__(self, entry: SourceEntry, document: Element, stated: Stated) -> None:
        self._entry = entry
        self._document = document
        self._stated = stated
        self._losses = Losses(entry.name)
        self._offered = offered_by(_child(document, "info"), self._losses)
        self._target = _target(_child(document, "info"), stated, self._offered)
        self._tasks: dict[str, _Task] = {}
        for task in _list(document, "tasks"):
            if isinstance(task, dict) and (task_id := _text(task.get("id"))) is not None:
                self._tasks.setdefault(task_id, _task(task_id, task))
        self._ids = UniqueIds()
        self._tried: set[tuple[str, int | None]] = set()
        self._counts: Counter[str] = Counter()
        self._words: Counter[str] = Counter()
        """Termination reasons that this version does not know."""

    def items(self, run: _Run) -> Iterator[ImportedItem]:
        if self._offered.entry is not None:
            yield self._offered.entry
        if not isinstance(run.simulations, list):
            yield from lost_session(
                self._entry.name, _SIMULATIONS, "a list of simulations was expected"
            )
            return
        for index, simulation in enumerate(run.elements()):
            yield from self._session(f"{_SIMULATIONS}[{index}]", simulation)
        if run.error is None:
            yield from self._planned()
        else:
            # What was planned and is not here may have run: the file does not say any more.
            yield from lost_rest(self._entry.name, run.error)
        yield from self._left_out()

    def _session(self, place: str, simulation: object) -> Iterator[ImportedItem]:
        file = self._entry.name
        try:
            session = object_of(simulation)
            task_id, trial = _task_and_trial(session)
            messages = _messages(session)
        except BrokenElementError as error:
            yield from lost_session(file, place + error.place, error.reason)
            return
        self._tried.add((task_id, trial))
        session_id = self._session_id(session.get("id"), task_id, trial)
        close = close_of(session)
        conversation, problem = Conversation(), None
        try:
            converse(conversation, messages)
        except BrokenElementError as error:
            problem = broken_session(file, place + error.place, error.reason, session_id)
            yield left_out(file, problem.place, f"session {session_id}: {problem.what}")
            # Half a conversation would pass for a whole one once it is written down again.
            conversation = Conversation()
        self._count(session, close, conversation)
        if close.reward is not None:
            conversation.outcome(
                REWARD[0].id,
                passed=is_full_reward(close.reward),
                reason=f"reward {close.reward} ({close.details})",
                rule=REWARD_RULE,
                judged=close.judged,
            )
        if (ending := close.complete()) is not None:
            conversation.complete(ending)
        head = self._head(
            session_id,
            task_id,
            repetition=trial,
            attempt=close.attempt,
            inferred=close.inferred,
            message_count=counted(messages) if problem else conversation.message_count,
        )
        yield ImportedSession(head, conversation.records, problem)

    def _planned(self) -> Iterator[ImportedItem]:
        """Yield the sessions that the run planned and does not hold.

        The runner writes its file while it runs: tasks times trials is the plan, and a
        simulation that is not there was not run.
        """
        trials = _child(self._document, "info").get("num_trials")
        if isinstance(trials, bool) or not isinstance(trials, int) or trials > _MOST_TRIALS:
            return
        for task_id in self._tasks:
            if (task_id, None) in self._tried:
                continue
            for trial in range(trials):
                if (task_id, trial) not in self._tried:
                    own = self._session_id(None, task_id, trial)
                    yield ImportedSession(
                        self._head(own, task_id, repetition=trial, recorded=False)
                    )

    def _head(self, session_id: SessionId, task_id: str, **more: Any) -> SessionHead:  # noqa: ANN401  fields of the head
        task = self._tasks.get(task_id) or _Task(goal_of(task_id, None))
        return SessionHead(
            session_id=session_id,
            file=self._entry.name,
            persona=self._stated.persona_or(task.persona),
            goal=task.goal,
            target=self._target,
            rubric=REWARD,
            catalogs=self._offered.catalogs,
            **more,
        )

    def _session_id(self, own: object, task_id: str, trial: int | None) -> SessionId:
        """Return the source's id of a session, or one made up where it has none of use."""
        if isinstance(own, str) and _SESSION_ID.fullmatch(own):
            return SessionId(own)
        repetition = "" if trial is None else f".{trial}"
        return SessionId(self._ids.take(f"{self._entry.prefix}.{safe_id(task_id)}{repetition}"))

    def _count(self, simulation: Element, close: Close, conversation: Conversation) -> None:
        self._counts["unmatched"] += conversation.unmatched_results
        if "agent_cost" in simulation or "user_cost" in simulation:
            self._counts["cost"] += 1
        if isinstance(simulation.get("start_time"), str):
            self._counts["times"] += 1
        if close.word is not None and close.ending is None:
            self._words[close.word] += 1

    def _left_out(self) -> Iterator[ImportedItem]:
        file, info = self._entry.name, _child(self._document, "info")
        environment = _child(info, "environment_info")
        if self._counts["cost"]:
            yield left_out(
                file,
                "simulations[*].agent_cost, user_cost",
                f"a recording has no place for costs ({plural(self._counts['cost'], 'session')}), "
                f"nor for tokens of the simulated user",
            )
        if self._counts["times"]:
            yield left_out(
                file,
                "simulations[*].start_time, end_time, timestamp",
                f"times without a time zone are no points in time "
                f"({plural(self._counts['times'], 'session')}); a message's own time counts where "
                f"the model's provider gave it",
            )
        if isinstance(environment.get("policy"), str):
            yield left_out(
                file,
                "info.environment_info.policy",
                "the policy is no message of any conversation, and what the agent was told "
                "beside it is not recorded",
            )
        if any(
            isinstance(t, dict) and t.get("evaluation_criteria")
            for t in _list(self._document, "tasks")
        ):
            yield left_out(
                file,
                "tasks[*].evaluation_criteria",
                "expected actions and assertions are the benchmark's answer key, not something "
                "that happened",
            )
        replaced = sum(1 for task in self._tasks.values() if task.persona is not None)
        if self._stated.persona is not None and replaced:
            yield left_out(
                file,
                "tasks[*].user_scenario.persona",
                f"the mapping's persona stands in place of those of {plural(replaced, 'task')}",
            )
        self._losses.unmatched("simulations[*].messages[*].id", self._counts["unmatched"])
        yield from self._losses.lost()
        for word, count in sorted(self._words.items()):
            yield left_out(
                file,
                "simulations[*].termination_reason",
                f'the reason "{first_words(word)}" is unknown ({plural(count, "session")})',
                "unknownType",
            )


def _task(task_id: str, task: Element) -> _Task:
    scenario = _child(task, "user_scenario")
    persona = scenario.get("persona")
    return _Task(
        goal=goal_of(task_id, _instruction(scenario.get("instructions"))),
        persona=_persona(sound_text(persona))
        if isinstance(persona, str) and persona.strip()
        else None,
    )


def _persona(description: str) -> Persona:
    name = first_words(description, _NAME_LENGTH)
    if name == fold(description):
        return Persona(persona_ref_id=None, name=name)
    # The whole text makes the id: two long descriptions may begin with the same words.
    return Persona(
        persona_ref_id=f"persona-{short_digest(description)}",
        name=name,
        notes=description,
        inferred={"name": "first words of the persona's description"},
    )


def _instruction(instructions: object) -> str | None:
    """Return what the persona was told, in one text, or None where nothing is recorded."""
    if isinstance(instructions, str):
        return instructions
    if not isinstance(instructions, dict):
        return None
    parts = [
        f"{words}: {text.strip()}"
        for key, words in _INSTRUCTIONS
        if isinstance(text := instructions.get(key), str) and text.strip()
    ]
    return "\n\n".join(parts) or None


def _target(info: Element, stated: Stated, offered: Offered) -> Target:
    agent = _child(info, "agent_info")
    domain, model = _child(info, "environment_info").get("domain_name"), agent.get("llm")
    target = stated.target_or(
        sound_text(domain) if isinstance(domain, str) and domain else None,
        sound_text(model) if isinstance(model, str) and model else None,
        number_of(_child(agent, "llm_args").get("temperature")),
    )
    if offered.entry is None:
        return target
    # What offers other tools is another target.
    own_id = f"{target.target_id}-{offered.entry.catalog_id}"
    more = {"target_id": own_id, "catalog_id": offered.entry.catalog_id}
    return target.model_copy(update=more)


def _messages(simulation: Element) -> Sequence[object]:
    messages = simulation.get("messages")
    if isinstance(messages, list):
        return messages
    if messages is None and not simulation.get("ticks"):
        return ()
    reason = "the ticks of a voice run are not read" if messages is None else "a list was expected"
    raise BrokenElementError(".messages", reason)


def _task_and_trial(simulation: Element) -> tuple[str, int | None]:
    task_id, trial = _text(simulation.get("task_id")), simulation.get("trial")
    if task_id is None:
        raise BrokenElementError(".task_id", "a text was expected")
    if not is_repetition(trial):
        raise BrokenElementError(".trial", "a whole number was expected")
    return task_id, trial


def _text(value: object) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value else None


def _child(element: object, key: str) -> Element:
    child = element.get(key) if isinstance(element, dict) else None
    return child if isinstance(child, dict) else {}


def _list(element: Element, key: str) -> Sequence[object]:
    found = element.get(key)
    return found if isinstance(found, list) else ()
