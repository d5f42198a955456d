"""Checks of what tools answered.

Rule: checks.md section 6.3.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.canonical import canonical_json
from reporter.checks.evidence import Call, Evidence, Result, ToolError
from reporter.checks.json_schema import violations
from reporter.checks.numbers import is_name, is_number, is_positive, plain
from reporter.checks.outcome import Outcome, broken, held, unknown
from reporter.checks.text import counted, listed, quoted, said, trimmed

Check = Mapping[str, Any]

_LIMITS: Final = (
    "limit",
    "page_size",
    "pageSize",
    "per_page",
    "perPage",
    "max_results",
    "maxResults",
    "first",
    "top",
)
_CONTINUATIONS: Final = frozenset(
    {
        "nextCursor",
        "next_cursor",
        "hasMore",
        "has_more",
        "cursor",
        "nextPage",
        "next_page",
        "nextPageToken",
        "truncated",
    }
)
_LONG_ENOUGH: Final = 3
"""Characters of a value from which on an error that repeats it names it."""
_NOTHING: Final = object()


def no_tool_errors(check: Check, evidence: Evidence) -> Outcome:  # noqa: ARG001  one form for all kinds
    """No call failed; one that was recovered from counts too."""
    errors = evidence.errors
    if not errors:
        return held("No tool error was recorded.")
    seen = listed(
        f"{one.tool_name or 'a tool'} {one.kind}{': ' + said(one.message) if one.message else ''}"
        for one in errors
    )
    return broken(f"{counted(len(errors), 'tool error')}: {seen}.")


def without_rows(evidence: Evidence, channel: str, tool_name: str | None) -> Outcome | None:
    """Say why a channel without a row in scope tells nothing; None for a scored absence.

    Rule: checks.md section 4.2.
    """
    if evidence.capture(channel) != "complete":
        return unknown("What this check reads was not captured whole.")
    calls = len(evidence.calls_to(tool_name))
    if calls:
        return unknown(f"{counted(calls, 'call')} in scope, and no row of what came back.")
    return None


def tool_latency_under(check: Check, evidence: Evidence) -> Outcome:
    """The slowest call was faster than a bound."""
    bound, name = check.get("ms"), check.get("toolName")
    if not is_positive(bound):
        return broken("The check's bound is no whole number of milliseconds from 1 up.")
    rows = [row for row in evidence.timings if name in (None, row.tool_name)]
    if not rows:
        absent = without_rows(evidence, "toolCallTimings", name)
        return absent or held("No call in scope.")
    slowest = max(rows, key=lambda row: row.duration_ms)
    over = sum(1 for row in rows if row.duration_ms >= bound)
    calls = len(evidence.calls_to(name))
    seen = (
        f"Slowest: {slowest.tool_name}, {plain(slowest.duration_ms)} ms; {over} of {len(rows)} "
        f"timed at or over {plain(bound)} ms; {len(rows)} of {counted(calls, 'call')} timed."
    )
    if over:
        return broken(seen)
    if len(rows) < calls or evidence.capture("toolCallTimings") != "complete":
        return unknown(f"{seen} Not every call was timed.")
    return held(seen)


def _results(check: Check, evidence: Evidence) -> list[Result]:
    name = check.get("toolName")
    return [row for row in evidence.results if name in (None, row.tool_name)]


def searched_text(row: Result) -> str:
    """Return the text of a result that is searched: text, structured content, JSON value."""
    parts = [row.text] if row.text is not None else []
    if row.has_structured:
        parts.append(compact(row.structured))
    if row.has_json:
        parts.append(compact(row.json))
    return "\n".join(parts)


def compact(value: object) -> str:
    """Write a JSON value compactly, in stored key order and with numbers as ECMAScript has."""
    if isinstance(value, float):
        try:
            return canonical_json(value)
        except ValueError:
            return "null"
    if isinstance(value, Mapping):
        inner = (
            f"{json.dumps(key, ensure_ascii=False)}:{compact(item)}" for key, item in value.items()
        )
        return "{" + ",".join(inner) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(compact, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def tool_result_contains(check: Check, evidence: Evidence) -> Outcome:
    """At least one result holds a text."""
    needle, name = check.get("needle"), check.get("toolName")
    if not is_name(needle):
        return broken("The check has no text to look for.")
    rows = _results(check, evidence)
    if not rows:
        absent = without_rows(evidence, "toolResults", name)
        return absent or broken(f"No result in scope holds {quoted(needle)}: nothing was called.")
    folded = check.get("caseSensitive") is True
    wanted = needle if folded else needle.lower()
    texts = (searched_text(row) for row in rows)
    found = sum(1 for text in texts if wanted in (text if folded else text.lower()))
    seen = f"{found} of {counted(len(rows), 'result')} hold {quoted(needle)}."
    if found:
        return held(seen)
    if evidence.capture("toolResults") != "complete" or any(row.truncated for row in rows):
        return unknown(f"{seen} Not all of what came back was kept.")
    return broken(seen)


def payload(row: Result) -> object:
    """Return a result's value: structured content, JSON value, or its text parsed."""
    if row.has_structured:
        return row.structured
    if row.has_json:
        return row.json
    if row.text is None or not trimmed(row.text):
        return _NOTHING
    try:
        return json.loads(row.text)
    except (ValueError, RecursionError):
        return _NOTHING


def tool_result_matches_schema(check: Check, evidence: Evidence) -> Outcome:
    """Every result is valid against an authored schema."""
    rows = _results(check, evidence)
    if not rows:
        absent = without_rows(evidence, "toolResults", check.get("toolName"))
        return absent or broken("No result in scope: nothing was called.")
    failures: list[str] = []
    unreadable = False
    for row in rows:
        value = payload(row)
        if value is _NOTHING and row.truncated:
            unreadable = True
            break
        if value is _NOTHING:
            failures.append(f"{row.tool_name}: not JSON")
            continue
        seen = violations(value, check.get("schema"))
        if isinstance(seen, str):
            return unknown(f"The authored schema: {seen}.")
        if seen:
            failures.append(f"{row.tool_name}: {seen[0].kind} at {seen[0].location}")
    if failures:
        return broken(f"{len(failures)} of {counted(len(rows), 'result')}: {listed(failures)}.")
    partial = evidence.capture("toolResults") != "complete"
    if unreadable or partial or any(row.truncated for row in rows):
        return unknown(f"{counted(len(rows), 'result')} seen, not all of them whole.")
    return held(f"All {counted(len(rows), 'result')} valid.")


def tool_result_size_under(check: Check, evidence: Evidence) -> Outcome:
    """The largest result was smaller than a bound."""
    bound = check["maxBytes"]
    rows = _results(check, evidence)
    if not rows:
        absent = without_rows(evidence, "toolResults", check.get("toolName"))
        return absent or held("No call in scope.")
    unmeasured = [row for row in rows if not row.size_complete or row.bytes is None]
    if unmeasured:
        return unknown(f"{counted(len(unmeasured), 'result')} without a measured size.")
    largest = max(rows, key=lambda row: row.bytes or 0)
    size = largest.bytes or 0
    seen = (
        f"Largest: {largest.tool_name}, {plain(size)} bytes ({largest.basis}), an estimated "
        f"{math.ceil(size / 4)} tokens; fewer than {plain(bound)} bytes asked."
    )
    if size >= bound:
        return broken(seen)
    if evidence.capture("toolResults") != "complete":
        return unknown(f"{seen} Not every result was kept.")
    return held(seen)


def tool_error_names_input(check: Check, evidence: Evidence) -> Outcome:
    """Every error names a parameter or a value that was sent."""
    name = check.get("toolName")
    errors = [one for one in evidence.errors if name in (None, one.tool_name)]
    if not errors:
        return held("No error in scope.")
    if evidence.capture("toolInventory") != "complete":
        return unknown("What the model was shown was not captured whole.")
    for error in errors:
        if not error.message:
            return broken(f"{error.tool_name or 'A tool'}: an error without a message.")
        if _names_key(error, evidence):
            continue
        calls, joined = _sent(error, evidence)
        if any(value in error.message.lower() for value in _values(calls)):
            if joined:
                continue
            return unknown("An error repeats a value that several calls could have sent.")
        return broken(f"Names no input: {said(error.message)}.")
    return held(f"All {counted(len(errors), 'error')} name an input.")


def _names_key(error: ToolError, evidence: Evidence) -> bool:
    tool = evidence.tool(error.tool_name) if error.tool_name else None
    schema = tool.input_schema if tool and tool.has_input_schema else None
    keys = schema.get("properties") if isinstance(schema, Mapping) else None
    message = (error.message or "").lower()
    return isinstance(keys, Mapping) and any(str(key).lower() in message for key in keys)


def _sent(error: ToolError, evidence: Evidence) -> tuple[list[Call], bool]:
    """Return the calls whose values an error may repeat, and whether it is known to be one."""
    if error.call_id is not None:
        own = [call for call in evidence.calls if call.call_id == error.call_id]
        if own:
            return own, True
    calls = evidence.calls_to(error.tool_name)
    return calls, error.tool_name is not None and len(calls) == 1


def _values(calls: Sequence[Call]) -> list[str]:
    found = []
    for call in calls:
        for value in call.arguments.values():
            text = value if isinstance(value, str) else compact(value) if is_number(value) else ""
            if len(text) >= _LONG_ENOUGH:
                found.append(text.lower())
    return found


def full_page_has_continuation(check: Check, evidence: Evidence) -> Outcome:
    """Every page as long as was asked for says whether it goes on."""
    if evidence.capture("toolResults") != "complete":
        return unknown("What came back was not captured whole.")
    inspected = 0
    for call, row in _paired(check.get("toolName"), evidence):
        limit = _limit(call)
        if row is None or limit is None:
            continue
        value = payload(row)
        length = _page_length(value)
        if length is None or length != limit:
            continue
        inspected += 1
        if not isinstance(value, Mapping) or _CONTINUATIONS.isdisjoint(value):
            return broken(
                f"{call.tool_name}: a full page of {length} without continuation metadata."
            )
    return held(f"{counted(inspected, 'full page')} with continuation metadata.")


def _paired(name: str | None, evidence: Evidence) -> list[tuple[Call, Result | None]]:
    """Pair each call in scope with its own result; every call uses its result up."""
    left = list(evidence.results)
    every_id = bool(left) and all(row.call_id is not None for row in left)
    pairs = []
    for call in evidence.calls:
        row = next(
            (one for one in left if call.call_id is not None and one.call_id == call.call_id), None
        )
        if row is None and not (call.call_id is not None and every_id):
            row = next((one for one in left if one.tool_name == call.tool_name), None)
        if row is not None:
            left.remove(row)
        if name in (None, call.tool_name):
            pairs.append((call, row))
    return pairs


def _limit(call: Call) -> float | None:
    return next(
        (call.arguments[key] for key in _LIMITS if is_positive(call.arguments.get(key))), None
    )


def _page_length(value: object) -> int | None:
    if isinstance(value, list):
        return len(value)
    if isinstance(value, Mapping):
        return max((len(item) for item in value.values() if isinstance(item, list)), default=None)
    return None
