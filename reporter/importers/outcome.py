"""What an outcome that is a plain number, or a crash, says about a session."""

import math
import re
from collections.abc import Mapping
from typing import Final

from reporter.importers.naming import fold
from reporter.importers.sound import sound_text
from reporter.models.manifest import Attempt, Criterion
from reporter.redaction import mask_text

REWARD: Final = (Criterion(id="reward", label="Reward of the benchmark is 1.0", role="required"),)
"""The one check that an outcome given as a plain reward makes."""

REWARD_RULE: Final = "reward within 1e-6 of 1.0"
"""How a reward becomes passed or failed."""

OUTCOME_RECORDED: Final[Mapping[str, str]] = {"attempt": "outcome recorded"}
"""How an attempt is marked that follows from an outcome (recording.md 5a)."""

_TOLERANCE: Final = 1e-6
_ERROR_LENGTH: Final = 500
_URL: Final = re.compile(r"\b[A-Za-z][A-Za-z0-9+.-]*://\S+")


def is_full_reward(reward: float) -> bool:
    """Tell whether a reward counts as passed; a sum of floats may miss 1.0 by a hair."""
    return abs(reward - 1.0) <= _TOLERANCE


def number_of(value: object) -> float | None:
    """Return a recorded number, or None where there is none; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def failed_attempt(code: str | None, message: str | None = None) -> Attempt:
    """Return the attempt of a session that its runner broke off.

    Rule: recording.md section 3, Attempt.
    """
    # A secret may be told by the line that it stands in, and no longer looks like one once it
    # is cut.
    words = fold(mask_text(_URL.sub("", sound_text(message)))) if message else ""
    return Attempt(status="failed", error_code=code, error_message=words[:_ERROR_LENGTH] or None)
