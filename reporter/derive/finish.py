"""Why a step of a model ended, in one spelling whatever the provider called it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_SPELLINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "end_turn": "stop",
        "stop_sequence": "stop",
        "max_tokens": "length",
        "model_length": "length",
        "content_filter": "content-filter",
        "tool_calls": "tool-calls",
        "tool_use": "tool-calls",
        "function_call": "tool-calls",
    }
)


def normalized_finish(reason: object) -> str | None:
    """Return a finish reason in its common spelling.

    Args:
        reason: As recorded; anything that is no text, or only white space, is no reason.

    Returns:
        The common spelling, the lower-cased text where none is known, or None.

    Rule: findings.md section 8, detection details.
    """
    if not isinstance(reason, str):
        return None
    word = reason.strip().lower()
    return _SPELLINGS.get(word, word) or None
