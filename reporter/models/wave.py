"""A whole wave, derived: the one value that every view is built from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from reporter.errors import Problem
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingSet, Violation
from reporter.models.graded import GradedBy
from reporter.models.manifest import Lost
from reporter.models.phrases import PhraseWork
from reporter.models.plan import Plan
from reporter.models.session import InputFile, SessionRecording


class Transcripts(Protocol):
    """Reads one session again, when its transcript is to be shown."""

    def __call__(self, session_id: str) -> SessionRecording | None:
        """Return the session's records, or None where there are none."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the numbers come from."""

    input_name: str
    """The last part of the path the user gave: never a path of the machine."""
    input_kind: str
    """`swarm-recording`, an importer's name, or `findings document`."""
    files: tuple[InputFile, ...]
    """Every file that was read, sorted by name."""
    lost: tuple[Lost, ...] = ()
    """What an importer could not use, each with its reason."""
    reporter_version: str = ""
    recorder: str = ""
    """Name and version of the program that wrote the recording, or empty."""
    graded_by: tuple[GradedBy, ...] = ()
    """Who graded the recording after it was made, in order."""
    scan_cap: int | None = None


@dataclass(frozen=True, slots=True)
class DerivedWave:
    """Plan, facts and findings of one wave.

    `plan` is None and `facts` empty for a published findings document that came without
    a recording: then there are no turns to show, and rules that need a recording are
    listed as not checkable.
    """

    plan: Plan | None
    facts: tuple[SessionFacts, ...]
    """One entry a slot, in slot order."""
    findings: FindingSet
    document: Mapping[str, Any]
    """The wire document, as it is written to `findings.json`."""
    left_out: Mapping[int, int]
    """Rows of the full set that the wire document has no room for, by list number."""
    provenance: Provenance
    problems: tuple[Problem, ...] = ()
    violations: tuple[Violation, ...] = ()
    job: Mapping[str, Any] | None = None
    """The published findings job beside the document, or None."""
    published: Mapping[str, Any] = field(default_factory=dict)
    phrases: PhraseWork | None = None
    """What became of asking a model; None where none was asked, or where that is not known."""
