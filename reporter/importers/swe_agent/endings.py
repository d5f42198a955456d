"""Why a SWE-agent stopped, by its own word, and what that means for a session."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from reporter.importers.naming import first_words
from reporter.importers.outcome import failed_attempt
from reporter.importers.sound import sound_text
from reporter.models.manifest import Attempt
from reporter.models.records import EndReason, SessionComplete

_AUTOMATIC: Final = re.compile(r"submitted \((.+)\)")
_EXCEPTION: Final = re.compile(r"[A-Z]\w*(Error|Exception|Exceeded|Interrupt|Interruption)")


@dataclass(frozen=True, slots=True)
class Ending:
    """What an exit status means."""

    end_reason: EndReason = "unknown"
    why: str = ""
    """How the end reason follows; empty where the agent ended the session itself."""
    broke_off: bool = False
    """True: the session was broken off, whoever's fault that was."""


ENDINGS: Final[Mapping[str, Ending]] = {
    "submitted": Ending(),
    "exit_command": Ending(),
    "exit_forfeit": Ending(),
    "exit_cost": Ending("aborted", "a limit on cost"),
    "exit_total_execution_time": Ending("aborted", "a limit on time"),
    "exit_context": Ending("error", "the model's context was full", broke_off=True),
    "exit_format": Ending("error", "the model's answers could not be read", broke_off=True),
    "exit_api": Ending("error", "the model could not be reached", broke_off=True),
    "exit_error": Ending("error", "an error of the runner", broke_off=True),
    "exit_environment_error": Ending("error", "an error of the environment", broke_off=True),
    "exit_command_timeout": Ending("error", "commands took too long", broke_off=True),
    "early_exit": Ending("error", "the environment ended early", broke_off=True),
    "Submitted": Ending(),
    "LimitsExceeded": Ending("aborted", "a limit on steps or cost"),
    "TimeExceeded": Ending("aborted", "a limit on time"),
    "RepeatedFormatError": Ending("error", "the model's answers could not be read", broke_off=True),
    "UserInterruption": Ending("aborted", "a person interrupted the agent", broke_off=True),
    "KeyboardInterrupt": Ending("aborted", "a person interrupted the agent", broke_off=True),
}
"""Every exit status that SWE-agent and mini-swe-agent give, those of old versions too."""


@dataclass(frozen=True, slots=True)
class Close:
    """The end of one trajectory, as far as it is recorded."""

    word: str | None
    """The source's own word, or None."""
    attempt: Attempt | None = None
    inferred: Mapping[str, str] = field(default_factory=dict)
    complete: SessionComplete | None = None
    is_unknown: bool = False
    """The word is one that this version does not know."""

    @property
    def is_plain(self) -> bool:
        """The agent ended the session by submitting its work, or no end is recorded."""
        return self.word in (None, "submitted", "Submitted")


def close_of(exit_status: object) -> Close:
    """Return how a trajectory ended, from its `exit_status`.

    Work may be submitted in the agent's name after something ended the session: that is
    what ended it then.
    """
    if not isinstance(exit_status, str) or not exit_status.strip():
        return Close(None)
    word = sound_text(exit_status.strip())
    automatic = _AUTOMATIC.fullmatch(word)
    base = automatic[1] if automatic else word
    ending = ENDINGS.get(base)
    if ending is None and _EXCEPTION.fullmatch(base):
        ending = Ending("error", "the name of an exception", broke_off=True)
    shown = first_words(word)
    rule = {"attempt": f"exit_status {shown}"}
    if ending is None:
        return Close(word, is_unknown=True)
    attempt = failed_attempt(base) if ending.broke_off else Attempt(status="succeeded")
    complete = SessionComplete(
        seq=0,
        status="failed" if ending.broke_off else "succeeded",
        end_reason=ending.end_reason,
        error_code=attempt.error_code,
        inferred={"endReason": f"exit_status {shown}: {ending.why}"} if ending.why else None,
    )
    return Close(word, attempt, rule, complete)
