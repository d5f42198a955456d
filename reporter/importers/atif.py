"""Imports ATIF trajectories (Agent Trajectory Interchange Format, versions 1.x)."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.identifiers import SessionId
from reporter.importers.agent_head import NO_GOAL, goal_from, goal_of_words
from reporter.importers.agent_log import AgentLog, Ending, text_of
from reporter.importers.atif_documents import Document, Library
from reporter.importers.atif_steps import AtifWriter
from reporter.importers.atif_trial import (
    RESULT,
    Trial,
    folder_of,
    is_copy,
    is_result,
    trial_of,
)
from reporter.importers.conversation import BrokenElementError, object_of
from reporter.importers.described import Described, Gap
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead
from reporter.importers.jsontext import BrokenJsonError, finite, read_json_text
from reporter.importers.losses import Losses, left_out, lost_rest, lost_session
from reporter.importers.mapping import FileMapping, Stated
from reporter.importers.naming import UniqueIds, safe_id
from reporter.importers.outcome import REWARD
from reporter.importers.source import Look, SourceEntry, digest_of
from reporter.models.manifest import Lost, LostKind, Target

_VERSION: Final = "ATIF-v"
_FEW: Final = 64
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")

_DESCRIBED: Final = Described(
    title="ATIF trajectories (Harbor, Terminal-Bench)",
    files="one JSON object a trajectory, `schema_version` ATIF-v1.x",
    persona=None,
    goal="the first `user` step that was answered (inferred), with `task_name` of a trial",
    target="`agent.name` and `agent.version` with the model of most steps",
    session="`session_id`; continuations and sub-agents' trajectories belong to it",
    turn="a step of source `user`, up to the next",
    call="`tool_calls[]`, those of sub-agents in the turn that sent them to work",
    result="`observation.results[]` with the call's id",
    error="`extra.is_error` where a writer adds it (inferred), else unknown",
    stop_reason=None,
    outcome="none; `verifier_result.rewards.reward` of the trial's `result.json` beside it",
    usage="`metrics` of the step; `final_metrics` is only compared",
    time="`timestamp`",
    catalog="`agent.tool_definitions`, not said to be complete",
    connection=None,
    gaps=(
        Gap("no persona; `--map` or `--persona` gives one", "notMeasured"),
        Gap("no outcome without the trial's result", "notMeasured"),
        Gap("no word for a failed call", "notMeasured"),
        Gap("no stop reason", "notMeasured"),
        Gap("no complete tool catalog", "toolCatalogMissing"),
        Gap("no transport evidence", "notMeasured"),
    ),
)


@dataclass(frozen=True, slots=True)
class Atif:
    """One JSON object a trajectory: `agent` and `steps`, with sub-agents inside or beside."""

    name: str = "atif"
    version: int = 1
    looks_for: str = "a JSON object with schema_version ATIF-v1.x, agent and steps (Harbor)"
    described: Described = _DESCRIBED
    copies: frozenset[str] = frozenset({"claude-code", "claude-code-stream", "codex", "pi"})
    """Formats in which an agent's own log may stand beside the trajectory made of it."""

    def claims(self, look: Look) -> bool:
        """Tell whether a file calls itself a trajectory, or has the steps of one."""
        outline = look.outline
        if outline.kind != "object":
            return False
        said = outline.string("schema_version")
        if said is not None and said.startswith(_VERSION):
            return True
        return outline.has("agent.name", "steps[].source", "steps[].step_id")

    def adopts(self, look: Look) -> bool:
        """Tell whether a file stands beside a trajectory in the folder of a trial of Harbor.

        Its result names task and outcome; the agent's own log is the same session again.
        """
        return is_result(look.name, look.outline) or is_copy(look.name)

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Put together what stands side by side, as continuations and sub-agents do.

        A trial has a folder of its own; in one of hundreds, only equal names belong together.
        """
        folders: dict[str, list[SourceEntry]] = {}
        for file in files:
            folders.setdefault(folder_of(file.name), []).append(file)
        bundles: list[tuple[SourceEntry, ...]] = []
        for beside in folders.values():
            if len(beside) <= _FEW:
                bundles.append(tuple(beside))
                continue
            named: dict[str, list[SourceEntry]] = {}
            for file in beside:
                stem = posixpath.basename(file.name).split(".", 1)[0]
                named.setdefault(stem, []).append(file)
            bundles.extend(tuple(group) for group in named.values())
        return bundles

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read the trajectories, then write down each that is no part of another."""
        shelf = _Shelf()
        for entry in bundle:
            yield from shelf.read(entry)
        library, ids = Library(shelf.documents), UniqueIds()
        roots = library.roots()
        if shelf.trial is not None and not roots:
            yield shelf.without_trajectory(shelf.trial, mapping)
        for at, root in enumerate(roots):
            # What a trial came to is said once.
            trial = shelf.trial if at == 0 else None
            yield from _session(root, library, mapping, ids, trial)
        yield from shelf.losses(is_alone=not roots)
        for document in shelf.documents:
            yield from document.losses.lost()


class _Shelf:
    """The files of one bundle: trajectories, and what stands beside them."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.trial: Trial | None = None
        self._result: SourceEntry | None = None
        self._copies: list[str] = []
        self._seen: set[str] = set()

    def read(self, entry: SourceEntry) -> Iterator[ImportedItem]:
        """Take a file in; yields its digest, and why it cannot be read."""
        if is_copy(entry.name):
            yield digest_of(entry)
            self._copies.append(entry.name)
            return
        text = read_json_text(entry)
        yield text.file
        if text.file.sha256 in self._seen:
            return
        self._seen.add(text.file.sha256)
        try:
            body = object_of(finite(text.value()))
        except BrokenJsonError as error:
            yield from lost_rest(entry.name, error)
            return
        except BrokenElementError as error:
            yield from lost_session(entry.name, "", error.reason)
            return
        trial = trial_of(body)
        if trial is not None:
            self.trial, self._result = trial, entry
        elif posixpath.basename(entry.name) == RESULT and "steps" not in body:
            yield left_out(entry.name, "stats", "what a job came to is the sum of its trials")
        else:
            self.documents.append(Document(body, entry, Losses(entry.name), text.file))

    def without_trajectory(self, trial: Trial, mapping: FileMapping) -> ImportedItem:
        """Return the session of a trial that broke before anything was recorded, or its loss."""
        entry = self._result
        assert entry is not None  # noqa: S101  a trial has its result
        if trial.exception is None:
            reason = "a trial without its trajectory: an outcome alone shows no session"
            return left_out(entry.name, "verifier_result", reason)
        ending = trial.ending(Ending())
        stated = mapping.stated(entry.name)
        head = SessionHead(
            session_id=SessionId(entry.prefix),
            file=entry.name,
            persona=stated.persona_or(None),
            goal=trial.goal(),
            target=stated.target_or(trial.agent, trial.model),
            rubric=REWARD,
            attempt=ending.attempt,
            recorded=False,
            inferred=ending.inferred,
        )
        return ImportedSession(head)

    def losses(self, *, is_alone: bool) -> Iterator[Lost]:
        """Yield what of the files beside the trajectories has no place."""
        reason = (
            "a log of an agent without its trajectory; give it alone"
            if is_alone
            else "the agent's own log, which the trajectory beside it was made of"
        )
        for name in self._copies:
            kind: LostKind = "noPlace" if is_alone else "repeated"
            yield Lost(place=name, reason=reason, kind=kind)
        if self.trial is not None and self._result is not None and self.trial.others:
            yield Lost(
                place=f"{self._result.name}: verifier_result.rewards",
                reason="rewards of which nothing says when they hold",
                kind="noPlace",
                count=self.trial.others,
            )


def _session(
    root: Document,
    library: Library,
    mapping: FileMapping,
    ids: UniqueIds,
    trial: Trial | None,
) -> Iterator[ImportedItem]:
    log = AgentLog()
    writer = AtifWriter(log, library)
    writer.write(root)
    if not log.message_count:
        yield Lost(
            place=root.entry.name,
            reason="no step of a conversation stands in it, so there is no session",
            kind="noPlace",
        )
        return
    ending = writer.ending()
    goal = goal_of_words(log.records)
    if goal is NO_GOAL and writer.copied_words is not None:
        goal = goal_from(writer.copied_words)
    if trial is not None:
        trial.grade(log)
        goal, ending = trial.goal(goal), trial.ending(ending)
    log.end(ending)
    stated = mapping.stated(root.entry.name)
    head = SessionHead(
        session_id=SessionId(ids.take(_session_id(root))),
        file=root.entry.name,
        persona=stated.persona_or(None),
        goal=goal,
        target=_target(root, stated, writer),
        rubric=() if trial is None else REWARD,
        attempt=ending.attempt,
        message_count=log.message_count,
        inferred=ending.inferred,
    )
    yield ImportedSession(head, log.records)


def _session_id(root: Document) -> str:
    """Return an id that no other trajectory of the source has.

    The id of a run may be shared, and some writers give every run the same.
    """
    recorded = root.session_id or root.trajectory_id
    if recorded is not None and _UUID.fullmatch(recorded):
        return recorded
    return f"{root.entry.prefix}.{safe_id(recorded)}" if recorded else root.entry.prefix


def _target(root: Document, stated: Stated, writer: AtifWriter) -> Target:
    name, version = text_of(root.agent.get("name")), text_of(root.agent.get("version"))
    model = writer.models.most_common(1)[0][0] if writer.models else None
    label = f"{name} {version}" if name and version else name
    target = stated.target_or(label, model or text_of(root.agent.get("model_name")))
    if label is None or stated.target is not None:
        return target
    # An agent is the client that a target of kind host means.
    return target.model_copy(update={"kind": "host", "host_id": label, "host_name": label})
