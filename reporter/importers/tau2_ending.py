"""How a τ²-bench simulation ended, and what its reward says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.importers.naming import first_words
from reporter.importers.outcome import OUTCOME_RECORDED, failed_attempt, number_of
from reporter.importers.sound import sound_text
from reporter.models.manifest import Attempt
from reporter.models.records import EndReason, SessionComplete

_NOTE_LENGTH: Final = 200


@dataclass(frozen=True, slots=True)
class Ending:
    """What a termination reason means for a session."""

    end_reason: EndReason
    broke_off: bool = False
    """True: the runner broke the session off, whoever's fault that was."""
    judged: bool = True
    """False: the reward beside it is the runner's default and judges nothing."""
    inferred: str | None = None
    """The rule that gave the end reason, where the source means something else."""


ENDINGS: Final[Mapping[str, Ending]] = {
    "user_stop": Ending("personaEnded"),
    "agent_stop": Ending("unknown"),
    "max_steps": Ending(
        "turnCap", inferred="termination_reason max_steps: a limit on steps, not on turns"
    ),
    "timeout": Ending("aborted", broke_off=True),
    "too_many_errors": Ending("error", broke_off=True),
    "agent_error": Ending("error", broke_off=True),
    "user_error": Ending("error", broke_off=True, judged=False),
    "unexpected_error": Ending("error", broke_off=True, judged=False),
    "infrastructure_error": Ending("error", broke_off=True, judged=False),
    "context_window_exceeded": Ending("error", broke_off=True, judged=False),
}
"""Every word the runner has for why it stopped."""


@dataclass(frozen=True, slots=True)
class Close:
    """The end of one simulation, as far as it is recorded."""

    word: str | None
    """The source's own word, or None."""
    ending: Ending | None
    """What it means; None for a word that is unknown, or none."""
    reward: float | None
    details: str
    """What the reward was made of."""
    attempt: Attempt | None = None
    inferred: Mapping[str, str] = field(default_factory=dict)

    @property
    def judged(self) -> bool:
        """False: the reward is only a default of a session that was broken off."""
        return self.ending is None or self.ending.judged

    def complete(self) -> SessionComplete | None:
        """Return the record of the session's end, or None where no end is recorded."""
        if self.word is None or self.attempt is None:
            return None
        ending = self.ending or Ending("unknown")
        inferred = {"endReason": ending.inferred} if ending.inferred else {}
        return SessionComplete(
            seq=0,
            status="failed" if ending.broke_off else "succeeded",
            end_reason=ending.end_reason,
            error_code=self.attempt.error_code,
            inferred=inferred or None,
        )


def close_of(simulation: Mapping[str, Any]) -> Close:
    """Return how a simulation ended."""
    found = simulation.get("termination_reason")
    word = sound_text(found) if isinstance(found, str) and found else None
    ending = ENDINGS.get(word) if word else None
    info = simulation.get("reward_info")
    reward = number_of(info.get("reward")) if isinstance(info, dict) else None
    attempt: Attempt | None = None
    inferred: Mapping[str, str] = {}
    if ending and ending.broke_off:
        attempt = failed_attempt(word)
    elif reward is not None:
        attempt, inferred = Attempt(status="succeeded"), OUTCOME_RECORDED
    elif ending:
        attempt = Attempt(status="succeeded")
        inferred = {"attempt": f"termination_reason {word}"}
    return Close(word, ending, reward, _details(info), attempt, inferred)


def _details(info: object) -> str:
    breakdown = info.get("reward_breakdown") if isinstance(info, dict) else None
    if isinstance(breakdown, dict) and breakdown:
        parts = [(key, number_of(value)) for key, value in breakdown.items()]
        return ", ".join(f"{_words(key)} {'?' if n is None else n}" for key, n in parts)
    more = info.get("info") if isinstance(info, dict) else None
    note = more.get("note") if isinstance(more, dict) else None
    return _words(note) if isinstance(note, str) else "no details recorded"


def _words(text: str) -> str:
    return first_words(sound_text(text), _NOTE_LENGTH)
