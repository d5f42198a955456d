"""ATIF documents and what they say of each other: what goes on where, who was sent to work."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reporter.importers.agent_log import text_of
from reporter.importers.losses import Losses
from reporter.importers.source import SourceEntry
from reporter.models.manifest import SourceFile


@dataclass(slots=True)
class Document:
    """One trajectory: a file, or one that stands inside of another's."""

    body: Mapping[str, Any]
    entry: SourceEntry
    losses: Losses
    file: SourceFile | None = None
    """None for a trajectory inside of another's file."""
    place: str = ""
    """Where it stands inside of its file; empty for the file itself."""
    inner: list["Document"] = field(default_factory=list)
    """The sub-agents' trajectories that it holds."""

    def __post_init__(self) -> None:
        for index, one in enumerate(objects(self.body, "subagent_trajectories")):
            place = f"{self.place}subagent_trajectories[{index}]."
            self.inner.append(Document(one, self.entry, self.losses, None, place))

    @property
    def session_id(self) -> str | None:
        """The id of the run, which several documents may share."""
        return text_of(self.body.get("session_id"))

    @property
    def trajectory_id(self) -> str | None:
        """The id of this document alone."""
        return text_of(self.body.get("trajectory_id"))

    @property
    def steps(self) -> Sequence[object]:
        """The steps, unchecked."""
        found = self.body.get("steps")
        return found if isinstance(found, list) else ()

    @property
    def agent(self) -> Mapping[str, Any]:
        """What is said of the agent, or nothing."""
        return child(self.body, "agent")

    def at(self, index: int) -> str:
        """Return the place of a step."""
        return f"{self.place}steps[{index}]"


@dataclass(frozen=True, slots=True)
class Reference:
    """What one document says of another."""

    trajectory_id: str | None
    path: str | None
    session_id: str | None


def references_of(result: Mapping[str, Any]) -> list[Reference]:
    """Return the sub-agents' trajectories that an observation's result names."""
    named = result.get("subagent_trajectory_ref")
    listed = named if isinstance(named, list) else [named]
    return [
        Reference(
            text_of(one.get("trajectory_id")),
            text_of(one.get("trajectory_path")),
            text_of(one.get("session_id")),
        )
        for one in listed
        if isinstance(one, dict)
    ]


def results_of(step: object) -> Iterator[Mapping[str, Any]]:
    """Yield the results of a step's observation."""
    if isinstance(step, dict):
        yield from objects(child(step, "observation"), "results")


class Library:
    """All documents that are read together, found by what others call them."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents

    def roots(self) -> list[Document]:
        """Return the documents that are sessions: no other one names them as part of itself."""
        parts = {id(found) for one in self._documents for found in self._named_by(one)}
        roots = [one for one in self._documents if id(one) not in parts]
        # Documents that only name each other name nobody to begin with.
        return roots or list(self._documents[:1])

    def continued(self, document: Document) -> Document | None:
        """Return the document that goes on where this one ends, or None."""
        path = text_of(document.body.get("continued_trajectory_ref"))
        return self._by_path(document, path) if path is not None else None

    def sent(self, parent: Document, reference: Reference) -> Document | None:
        """Return the sub-agent's trajectory that a reference means, or None."""
        wanted = reference.trajectory_id
        if wanted is not None:
            everywhere = [*parent.inner, *self._documents]
            found = next((one for one in everywhere if one.trajectory_id == wanted), None)
            if found is not None and found is not parent:
                return found
        if reference.path is not None:
            return self._by_path(parent, reference.path)
        if wanted is None and reference.session_id not in (None, parent.session_id):
            # Before version 1.7 the run's id was the only key.
            own = [one for one in self._documents if one.session_id == reference.session_id]
            return own[0] if len(own) == 1 else None
        return None

    def _named_by(self, document: Document) -> Iterator[Document]:
        found = self.continued(document)
        if found is not None and found is not document:
            yield found
        for step in document.steps:
            for result in results_of(step):
                for reference in references_of(result):
                    sent = self.sent(document, reference)
                    if sent is not None and sent is not document:
                        yield sent
        for inner in document.inner:
            yield from self._named_by(inner)

    def _by_path(self, document: Document, path: str) -> Document | None:
        folder = posixpath.dirname(document.entry.name)
        wanted = posixpath.normpath(posixpath.join(folder, path.replace("\\", "/")))
        whole = next((one for one in self._documents if one.entry.name == wanted), None)
        if whole is not None:
            return whole
        # The folder that it was written to is not the one that it was copied to.
        name = posixpath.basename(wanted)
        own = [one for one in self._documents if posixpath.basename(one.entry.name) == name]
        near = [one for one in own if posixpath.dirname(one.entry.name) == folder]
        if len(near) == 1:
            return near[0]
        return own[0] if len(own) == 1 else None


def objects(element: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Return the objects of a list, passing over what else stands in it."""
    found = element.get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def child(element: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return an object inside of an object, or an empty one."""
    found = element.get(key)
    return found if isinstance(found, dict) else {}
