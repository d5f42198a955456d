"""The errors a caller can act on; every other exception is a defect of ours."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with an input, with its place and the way out.

    A problem is a value, not an exception: it travels into the report's integrity
    section, and `check` prints all of them at once.
    """

    file: str
    """Name of the file as the user gave it or as it stands inside the recording."""
    place: str
    """A line (`line 12`), a dotted path (`runs[2].targetIds[0]`), both, or empty for the file."""
    what: str
    """What is wrong there, in one sentence."""
    remedy: str = ""
    """What to do about it; empty where the sentence before says it."""
    rule: str = ""
    """A stable kebab-case name of the rule that was broken, for tests and filters."""
    session_id: str | None = None
    """The session it concerns, or None for the whole recording."""
    severity: str = "error"
    """`error`: recorded data was lost or contradicts itself. `note`: worth a reader's notice."""

    def __str__(self) -> str:
        """Write `file: place: what remedy`, leaving out what is empty."""
        head = ": ".join(part for part in (self.file, self.place) if part)
        text = f"{head}: {self.what}" if head else self.what
        return f"{text} {self.remedy}".rstrip()


class ReporterError(Exception):
    """Something a user can mend; the command shows its message and no traceback."""


class RecordingError(ReporterError):
    """An input that cannot be read at all, with every problem that was found in it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class UnknownFormatError(RecordingError):
    """A source that no importer claims."""


class AmbiguousFormatError(RecordingError):
    """A source, or a file of it, that more than one importer or rule claims."""


class DocumentError(RecordingError):
    """A findings document that breaks the wire contract."""


class RenderError(ReporterError):
    """A report that could not be rendered; what was rendered before it still stands."""
