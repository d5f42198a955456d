"""Checks that count calls or results by patterns.

Rule: checks.md section 6.7.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.canonical import canonical_json
from reporter.checks.evidence import Call, Evidence, Result
from reporter.checks.numbers import is_name, is_whole, plain
from reporter.checks.outcome import Outcome, broken, held, unknown
from reporter.checks.patterns import LONGEST_TEXT, PatternError, compile_re2, finds
from reporter.checks.response import without_rows
from reporter.checks.text import LISTED, PATTERN_CAP, capped, counted, scrubbed, shown

MOST_PATTERNS: Final = 8
LONGEST_PATTERN: Final = 512
_FLAGS: Final = ("i", "m", "s", "im", "is", "ms", "ims")
_LONGEST_PATH: Final = 257
_BAD_TILDE: Final = re.compile("~(?![01])")

_MISSING: Final = object()


def rule_fault(check: Mapping[str, Any]) -> str | None:
    """Say what is wrong with a pattern check, or None.

    Rule: checks.md section 6.7, bounds.
    """
    return _patterns_fault(check) or _path_fault(check) or _bounds_fault(check)


def _patterns_fault(check: Mapping[str, Any]) -> str | None:
    patterns, flags = check.get("patterns"), check.get("flags")
    if not isinstance(patterns, list) or not 1 <= len(patterns) <= MOST_PATTERNS:
        return f"patterns: 1 to {MOST_PATTERNS} patterns are needed"
    if "flags" in check and flags not in _FLAGS:
        return f"flags: one of {', '.join(_FLAGS)} is allowed"
    for at, pattern in enumerate(patterns):
        if not isinstance(pattern, str) or not 1 <= len(pattern) <= LONGEST_PATTERN:
            return f"patterns[{at}]: 1 to {LONGEST_PATTERN} characters are needed"
        try:
            compile_re2(pattern, flags or "")
        except PatternError as error:
            return f"patterns[{at}]: it does not compile: {error}"
    return None


def _path_fault(check: Mapping[str, Any]) -> str | None:
    if "path" not in check:
        return None
    path = check["path"]
    if not isinstance(path, str) or not 2 <= len(path) <= _LONGEST_PATH or path[0] != "/":  # noqa: PLR2004  a slash and a key
        return "path: a slash and one key are needed"
    if "/" in path[1:]:
        return "path: it has more than one key"
    if _BAD_TILDE.search(path):
        return "path: ~ stands only in ~0 and ~1"
    return None


def _bounds_fault(check: Mapping[str, Any]) -> str | None:
    least, most = check.get("min", 1), check.get("max")
    if not is_whole(least) or least < 0:
        return "min: a whole number from 0 up is needed"
    if "max" in check and (not is_whole(most) or most < least):
        return "max: a whole number not below min is needed"
    if least == 0 and "max" not in check:
        return "min: 0 needs a max"
    return None


def tool_input_matches(check: Mapping[str, Any], evidence: Evidence) -> Outcome:
    """So many calls of one tool match every pattern."""
    fault = rule_fault(check) or ("" if is_name(check.get("toolName")) else "toolName: missing")
    if fault:
        return unknown(f"The check cannot be evaluated: {fault}.")
    calls = evidence.calls_to(check["toolName"])
    subjects = [_call_subject(call, check.get("path")) for call in calls]
    return _count(check, subjects, [call.arguments for call in calls], unseen=0, unit="call")


def tool_result_matches(check: Mapping[str, Any], evidence: Evidence) -> Outcome:
    """So many results match every pattern."""
    fault = rule_fault(check)
    if fault:
        return unknown(f"The check cannot be evaluated: {fault}.")
    name = check.get("toolName")
    rows = [row for row in evidence.results if name in (None, row.tool_name)]
    if not rows:
        absent = without_rows(evidence, "toolResults", name)
        if absent:
            return absent
    whole = evidence.capture("toolResults") == "complete"
    subjects = [_result_subject(row, check.get("path")) for row in rows]
    samples = [_sample(row) for row in rows]
    return _count(check, subjects, samples, unseen=0 if whole else None, unit="result")


def _call_subject(call: Call, path: str | None) -> object:
    if call.args_invalid:
        return None
    if path is None:
        return _canonical(call.arguments)
    return _at(call.arguments, path)


def _result_subject(row: Result, path: str | None) -> object:
    if path is not None:
        value = row.structured if row.has_structured else row.json if row.has_json else None
        return _at(value, path)
    if row.truncated:
        return None
    parts = [row.text] if row.text is not None else []
    for there, value in ((row.has_structured, row.structured), (row.has_json, row.json)):
        text = _canonical(value) if there else ""
        if text is None:
            return None
        if there:
            parts.append(text)
    return "\n".join(parts)


def _at(value: object, path: str) -> object:
    key = path[1:].replace("~1", "/").replace("~0", "~")
    if not isinstance(value, Mapping) or key not in value:
        return _MISSING
    found = value[key]
    return found if isinstance(found, str) else _canonical(found)


def _canonical(value: object) -> str | None:
    try:
        return canonical_json(value)
    except ValueError:
        return None


def _sample(row: Result) -> object:
    if row.has_structured:
        return row.structured
    return row.json if row.has_json else row.text


def _count(
    check: Mapping[str, Any],
    subjects: Sequence[object],
    samples: Sequence[object],
    *,
    unseen: int | None,
    unit: str,
) -> Outcome:
    """Weigh what matched against what could not be read and what was never seen."""
    flags = check.get("flags") or ""
    compiled = [compile_re2(pattern, flags) for pattern in check["patterns"]]
    texts = [_readable(subject) for subject in subjects]
    states = [
        "missing"
        if text is _MISSING
        else "unreadable"
        if text is None
        else "matched"
        if all(finds(one, str(text)) for one in compiled)
        else "other"
        for text in texts
    ]
    matched, unread = states.count("matched"), states.count("unreadable")
    least, most = check.get("min", 1), check.get("max")
    shown_patterns = ", ".join(
        f"/{capped(scrubbed(pattern), PATTERN_CAP)}/" for pattern in check["patterns"]
    )
    wanted = f"at least {plain(least)}" + (
        f" and at most {plain(most)}" if most is not None else ""
    )
    reason = (
        f"{counted(len(subjects), unit)}: {matched} matching, {states.count('missing')} without "
        f"the key, {unread} unreadable; {wanted} matching {unit}s asked for {shown_patterns}."
    )
    could = None if unseen is None else matched + unread + unseen
    if matched >= least and (most is None or (could is not None and could <= most)):
        return held(reason)
    if (could is not None and could < least) or (most is not None and matched > most):
        missed = [one for one, state in zip(samples, states, strict=True) if state == "other"]
        tail = f" Not matching: {'; '.join(map(shown, missed[:LISTED]))}." if missed else ""
        return broken(reason + (tail if matched < least else ""))
    return unknown(reason)


def _readable(subject: object) -> object:
    if isinstance(subject, str):
        units = len(subject.encode("utf-16-le", "surrogatepass")) // 2
        return subject if units <= LONGEST_TEXT else None
    return subject
