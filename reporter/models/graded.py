"""Who graded a recording by which file of checks, as it was written down."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class GradedBy:
    """One time that a recording was graded after it was made."""

    name: str
    """Of the grader."""
    version: str
    checks: str
    """Name of the file of checks; may be empty."""
    sha256: str
    """Digest of that file; may be empty."""
    regraded: bool
    """Results on record were evaluated again."""
    ended: bool
    """Sessions without a recorded end were stated to be over."""


def graders_of(extra: Mapping[str, Any] | None) -> tuple[GradedBy, ...]:
    """Read who graded from the unknown keys of a manifest; what is no entry is left out."""
    raw = (extra or {}).get("gradedBy")
    listed = raw if isinstance(raw, list) else [raw]
    return tuple(_read(one) for one in listed if isinstance(one, Mapping))


def _read(raw: Mapping[str, Any]) -> GradedBy:
    checks = raw.get("checks")
    named: Mapping[str, Any] = checks if isinstance(checks, Mapping) else {}
    return GradedBy(
        name=_text(raw.get("name")),
        version=_text(raw.get("version")),
        checks=_text(named.get("name")),
        sha256=_text(named.get("sha256")),
        regraded=raw.get("regrade") is True,
        ended=raw.get("ended") is True,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
