"""Masks secrets in recorded values, before they are written, shown or sent."""

import re
from collections.abc import Mapping
from typing import Any, Final

REDACTED: Final = "[redacted]"
"""What stands in the place of a secret."""

_KEY: Final = re.compile(
    r"authorization|cookie|token(?!s|_?(?:count|usage|limit|budget))"
    r"|api[-_ ]?key|password|passwd|secret",
    re.IGNORECASE,
)
_SHAPES: Final = re.compile(
    r"""
      -----BEGIN[ A-Z]*PRIVATE\ KEY-----.*?(?:-----END[ A-Z]*PRIVATE\ KEY-----|\Z)
    | \bAKIA[0-9A-Z]{16}\b
    | \bgh[pousr]_[A-Za-z0-9]{36,}\b
    | \bgithub_pat_[A-Za-z0-9_]{40,}\b
    | \bglpat-[A-Za-z0-9_-]{20,}
    | \bxox[abeoprs]-[A-Za-z0-9-]{10,}
    | \bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{20,}
    | \bAIza[0-9A-Za-z_-]{35}
    | \beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+
    | (?<=Bearer\ )[A-Za-z0-9._~+/=-]{16,}
    | (?<=://)[^/\s:@]+:[^/\s:@]+(?=@)
    """,
    re.VERBOSE | re.DOTALL,
)
# A cheap look first: most recorded text holds none of these.
_HINT: Final = re.compile(
    r"-----BEGIN|AKIA|gh[pousr]_|github_pat_|glpat-|xox|sk-|AIza|eyJ|Bearer |://"
)


def is_secret_key(name: str) -> bool:
    """Tell whether a key names a secret (recording.md section 7)."""
    return _KEY.search(name) is not None


def mask_text(text: str) -> str:
    """Return the text with credential-shaped strings replaced by `[redacted]`."""
    return _SHAPES.sub(REDACTED, text) if _HINT.search(text) else text


def mask_value(value: Any) -> Any:  # noqa: ANN401  any JSON value
    """Return a JSON value with secrets masked, by key name and by shape.

    A value that needs no masking is returned as it is, so that the common case copies
    nothing.
    """
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, Mapping):
        masked = {key: _mask_entry(key, item) for key, item in value.items()}
        return masked if any(masked[key] is not value[key] for key in masked) else value
    if isinstance(value, list | tuple):
        items = [mask_value(item) for item in value]
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    return value


def _mask_entry(key: object, item: object) -> object:
    if isinstance(key, str) and is_secret_key(key) and isinstance(item, str | int | float):
        return item if isinstance(item, bool) else REDACTED
    return mask_value(item)
