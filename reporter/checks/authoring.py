"""What an author may write: each kind's fields, and what is refused beyond their types.

Rule: checks.md section 2.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from reporter.canonical import canonical_json
from reporter.checks import close_to, pattern_kinds
from reporter.checks.evaluate import EVALUATORS
from reporter.checks.numbers import is_name, is_positive
from reporter.checks.patterns import PatternError, compile_ecmascript
from reporter.checks.text import trimmed

LONGEST_NEEDLE: Final = 1_000
"""Characters of the text that results are searched for."""
LARGEST_SCHEMA: Final = 16_384
"""Bytes of an authored schema as compact JSON."""

OBSERVATIONS: Final = frozenset(
    {
        "noEndingQuestion",
        "noRepeatedIdenticalCall",
        "noDeprecatedToolCalled",
        "toolErrorNamesInput",
        "fullPageHasContinuation",
        "noDeprecatedToolExposed",
    }
)
"""Kinds that are right about what they saw and may be wrong about what it means.

Rule: checks.md section 8.2.
"""

TURN_SCOPABLE: Final = frozenset(
    {
        "toolCalledWith",
        "toolCalledAtLeastOnce",
        "toolNeverCalled",
        "onlyToolsCalled",
        "firstToolWas",
        "responseCloseTo",
        "responseContains",
        "responseMatches",
        "noToolErrors",
        "finalAssistantMessageNonEmpty",
        "widgetRendered",
        "widgetRenderLatencyUnder",
        "widgetNoConsoleErrors",
        "noEndingQuestion",
        "toolCallCountUnder",
        "toolCalledBefore",
        "noRepeatedIdenticalCall",
        "toolInputMatches",
    }
)
"""Kinds that can be graded over one turn alone.

Rule: checks.md section 2.4.
"""

_ROLES: Final = ("gating", "required", "advisory")
_HINTS: Final = ("readOnlyHint", "destructiveHint")


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of a kind."""

    is_valid: Callable[[Any], bool]
    wanted: str
    required: bool = False


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(name, str) and trimmed(name) != "" for name in value
    )


def _is_args(value: object) -> bool:
    return (
        isinstance(value, Mapping)
        and isinstance(value.get("args"), Mapping)
        and ("argumentMatching" not in value or value["argumentMatching"] in _MATCHING)
    )


def _is_hints(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= len(_HINTS)
        and len(set(map(str, value))) == len(value)
        and all(hint in _HINTS for hint in value)
    )


def _is_pattern(value: object) -> bool:
    if not is_name(value):
        return False
    try:
        compile_ecmascript(value)
    except PatternError:
        return False
    return True


def _is_needle(value: object) -> bool:
    return is_name(value) and _units(value) <= LONGEST_NEEDLE


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _is_small_schema(value: object) -> bool:
    try:
        return len(canonical_json(value).encode()) <= LARGEST_SCHEMA
    except ValueError:
        return False


_MATCHING: Final = ("partial", "exact", "ignore")
_NAME: Final = _Field(is_name, "a name", required=True)
_TOOL: Final = _Field(is_name, "a name")
_CASE: Final = _Field(_is_bool, "true or false")
_BOUND: Final = _Field(is_positive, "a whole number from 1 up", required=True)

_FIELDS: Final[Mapping[str, Mapping[str, _Field]]] = {
    "toolCalledWith": {
        "toolName": _NAME,
        "args": _Field(_is_args, "an object of args and perhaps argumentMatching", required=True),
        "minCount": _Field(is_positive, "a whole number from 1 up"),
    },
    "toolCalledAtLeastOnce": {"toolName": _NAME},
    "toolNeverCalled": {"toolName": _NAME},
    "onlyToolsCalled": {"toolNames": _Field(_is_names, "a list of names", required=True)},
    "firstToolWas": {"toolName": _NAME},
    "toolCallCountUnder": {"count": _BOUND, "toolName": _TOOL},
    "toolCalledBefore": {"toolName": _NAME, "beforeToolName": _NAME},
    "argumentsMatchToolSchema": {"toolName": _TOOL},
    "noRepeatedIdenticalCall": {"toolName": _TOOL},
    "toolInputMatches": {"toolName": _NAME},
    "toolLatencyUnder": {"ms": _BOUND, "toolName": _TOOL},
    "toolResultContains": {
        "needle": _Field(_is_needle, f"1 to {LONGEST_NEEDLE} characters", required=True),
        "caseSensitive": _CASE,
        "toolName": _TOOL,
    },
    "toolResultMatches": {"toolName": _TOOL},
    "toolResultMatchesSchema": {
        "schema": _Field(
            _is_small_schema, f"JSON of at most {LARGEST_SCHEMA} bytes", required=True
        ),
        "toolName": _TOOL,
    },
    "toolResultSizeUnder": {"maxBytes": _BOUND, "toolName": _TOOL},
    "toolErrorNamesInput": {"toolName": _TOOL},
    "fullPageHasContinuation": {"toolName": _TOOL},
    "responseContains": {
        "needle": _Field(is_name, "a text that is not empty", required=True),
        "caseSensitive": _CASE,
    },
    "responseMatches": {"pattern": _Field(_is_pattern, "a pattern that compiles", required=True)},
    "tokenBudgetUnder": {"tokens": _BOUND},
    "turnCountUnder": {"turns": _BOUND},
    "widgetRendered": {"toolName": _TOOL},
    "widgetRenderLatencyUnder": {"ms": _BOUND, "toolName": _TOOL},
    "widgetNoConsoleErrors": {"toolName": _TOOL},
    "toolDescriptionsPresent": {"minLength": _Field(is_positive, "a whole number from 1 up")},
    "toolAnnotationsPresent": {
        "require": _Field(_is_hints, f"at most one each of {' and '.join(_HINTS)}")
    },
}


_PATTERNS: Final = {
    "patterns": ("a list of 1 to 8 patterns of RE2 syntax, all to be found in one place", True),
    "flags": ("one of i, m, s, im, is, ms, ims", False),
    "path": ("one key of the arguments or of the result, such as /limit", False),
    "min": ("a whole number from 0 up, 1 by default: how many must match", False),
    "max": ("a whole number from 0 up: how many may match", False),
}
_MORE_FIELDS: Final[Mapping[str, Mapping[str, tuple[str, bool]]]] = {
    "toolInputMatches": _PATTERNS,
    "toolResultMatches": _PATTERNS,
    "responseCloseTo": {
        "reference": ("a text of at most 100000 characters", True),
        "maxDistance": ("a number from 0 (equal) to 1 (nothing in common)", True),
        "caseSensitive": ("true or false", False),
        "normalizeWhitespace": ("true or false", False),
    },
}
"""Fields that are validated together: what is wanted of each, and whether it must be there."""


def known_fields(kind: str) -> tuple[str, ...]:
    """Return every field that a kind of check reads, the common ones first."""
    own = (*_FIELDS.get(kind, {}), *_MORE_FIELDS.get(kind, ()))
    return ("type", "role", "severity", *own)


def fields_wanted(kind: str) -> dict[str, tuple[str, bool]]:
    """Return the fields of a kind beside the common ones: what is wanted, and whether it must be.

    Rule: checks.md section 6.
    """
    own = {name: (field.wanted, field.required) for name, field in _FIELDS.get(kind, {}).items()}
    return {**own, **_MORE_FIELDS.get(kind, {})}


def check_faults(check: object) -> list[str]:
    """Say everything that an author may not have written, each with its field.

    Args:
        check: Any JSON value. Unknown keys are let through, as the contract does.

    Returns:
        An empty list for a check that may be used.

    Rule: checks.md sections 2.1, 2.2 and 6.
    """
    if not isinstance(check, Mapping):
        return ["the check is no object"]
    kind = check.get("type")
    if not isinstance(kind, str) or kind not in EVALUATORS:
        return [f"type: {kind!r} is no kind of check; known are {', '.join(EVALUATORS)}"]
    faults = [
        f"{name}: {field.wanted} is needed"
        for name, field in _FIELDS.get(kind, {}).items()
        if (name in check and not field.is_valid(check[name]))
        or (name not in check and field.required)
    ]
    faults += _role_faults(kind, check)
    if kind in ("toolInputMatches", "toolResultMatches"):
        fault = pattern_kinds.rule_fault(check)
        faults += [fault] if fault else []
    if kind == "responseCloseTo" and not close_to.is_valid(check):
        faults.append("reference, maxDistance: a text and a distance from 0 to 1 are needed")
    return faults


def _role_faults(kind: str, check: Mapping[str, Any]) -> list[str]:
    faults = []
    role = check.get("role")
    if "role" in check and role not in _ROLES:
        faults.append(f"role: one of {', '.join(_ROLES)} is needed")
    if "severity" in check:
        if check["severity"] != "warn":
            faults.append("severity: only warn is allowed")
        if role != "advisory":
            faults.append("severity: it needs the role advisory")
    if kind in OBSERVATIONS and role != "advisory":
        faults.append(f"role: {kind} only observes, so its role must be advisory")
    return faults


def effective_role(check: Mapping[str, Any]) -> str:
    """Return `advisory`, or `required` for everything else, so that a typo cannot un-gate.

    Rule: checks.md section 2.1.
    """
    return "advisory" if check.get("role") == "advisory" else "required"


def identity(check: Mapping[str, Any]) -> str:
    """Return the canonical text that tells checks apart; role and severity are not in it.

    Raises:
        ValueError: The check holds what JSON cannot.

    Rule: checks.md section 2.5.
    """
    return canonical_json(
        {key: item for key, item in check.items() if key not in ("role", "severity")}
    )
