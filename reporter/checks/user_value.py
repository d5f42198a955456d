"""Checks of what the user got: texts, budgets, widgets.

Rule: checks.md section 6.4.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.checks.evidence import Evidence, Widget
from reporter.checks.numbers import is_name, is_number, is_positive, plain
from reporter.checks.outcome import Outcome, broken, held, judged
from reporter.checks.patterns import (
    LONGEST_TEXT,
    PatternError,
    compile_ecmascript,
    finds,
    has_nested_quantifier,
)
from reporter.checks.text import (
    PATTERN_CAP,
    capped,
    counted,
    listed,
    quoted,
    said,
    scrubbed,
    trimmed,
)

Check = Mapping[str, Any]

_RENDERED: Final = "rendered"


def response_contains(check: Check, evidence: Evidence) -> Outcome:
    """The final message holds a text."""
    needle = check.get("needle")
    if not is_name(needle):
        return broken("The check has no text to look for.")
    text = evidence.final_message or ""
    whole = check.get("caseSensitive") is True
    found = needle in text if whole else needle.lower() in text.lower()
    none = "" if evidence.final_message is not None else " There is no final message."
    verb = "holds" if found else "does not hold"
    return judged(f"The last reply {verb} {quoted(needle)}.{none}", holds=found)


def response_matches(check: Check, evidence: Evidence) -> Outcome:
    """A regular expression is found in the final message."""
    pattern = check.get("pattern")
    if not is_name(pattern):
        return broken("The check has no pattern.")
    shown = f"/{capped(scrubbed(pattern), PATTERN_CAP)}/"
    if has_nested_quantifier(pattern):
        return broken(f"{shown} repeats a group that repeats, and is not run.")
    try:
        compiled = compile_ecmascript(pattern)
    except PatternError as error:
        return broken(f"{shown} does not compile: {error}.")
    text = evidence.final_message or ""
    if len(text.encode("utf-16-le", "surrogatepass")) // 2 > LONGEST_TEXT:
        return broken(f"The last reply is longer than {LONGEST_TEXT} characters.")
    found = finds(compiled, text)
    verb = "matches" if found else "does not match"
    return judged(f"The last reply {verb} {shown}.", holds=found)


def final_assistant_message_non_empty(check: Check, evidence: Evidence) -> Outcome:  # noqa: ARG001  one form for all kinds
    """There is a final message with something in it."""
    there = bool(trimmed(evidence.final_message or ""))
    return judged(f"The last reply {'has' if there else 'has no'} text.", holds=there)


def token_budget_under(check: Check, evidence: Evidence) -> Outcome:
    """Fewer tokens than a budget; what was not counted is over it."""
    usage = evidence.usage
    parts = (usage.input_tokens, usage.output_tokens, usage.total_tokens) if usage else ()
    known = [part for part in parts if is_number(part)]
    if usage is None or not known:
        return broken("The number of tokens is unavailable.")
    read, written, whole = (part if is_number(part) else 0 for part in parts)
    total = max(whole, read + written)
    return judged(
        f"{plain(total)} tokens; fewer than {plain(check['tokens'])} asked.",
        holds=total < check["tokens"],
    )


def turn_count_under(check: Check, evidence: Evidence) -> Outcome:
    """Fewer turns of the user than a number."""
    turns = evidence.turn_count
    if turns is None:
        return broken("The number of turns was not recorded.")
    if not is_number(turns) or turns < 0 or turns != turns // 1:
        return broken("The recorded number of turns is no count.")
    return judged(
        f"{counted(int(turns), 'user turn')}; fewer than {plain(check['turns'])} asked.",
        holds=turns < check["turns"],
    )


def ends_with_question(message: str | None) -> str | None:
    """Return the last line of a message when it ends with a question mark, else None.

    Rule: checks.md sections 6.4 and 14.1.
    """
    lines = [trimmed(line) for line in (message or "").split("\n")]
    last = next((line for line in reversed(lines) if line), "")
    return last if last.endswith("?") else None


def no_ending_question(check: Check, evidence: Evidence) -> Outcome:  # noqa: ARG001  one form for all kinds
    """The final message does not end with a question."""
    line = ends_with_question(evidence.final_message)
    if line is not None:
        return broken(f"Ended with a question: {said(line)}.")
    return held("The last reply does not end with a question.")


def _scoped(check: Check, evidence: Evidence) -> Sequence[Widget]:
    name = check.get("toolName")
    return [one for one in evidence.widgets or () if name in (None, one.tool_name)]


def widget_rendered(check: Check, evidence: Evidence) -> Outcome:
    """At least one widget rendered."""
    rows = _scoped(check, evidence)
    if not rows:
        return broken("No widget was observed.")
    shown = [one for one in rows if one.status == _RENDERED]
    if shown:
        return held(f"{len(shown)} of {counted(len(rows), 'widget')} rendered.")
    return broken(f"None rendered: {listed(dict.fromkeys(one.status for one in rows))}.")


def widget_render_latency_under(check: Check, evidence: Evidence) -> Outcome:
    """The slowest widget that rendered was faster than a bound."""
    bound = check.get("ms")
    if not is_positive(bound):
        return broken("The check's bound is no whole number of milliseconds from 1 up.")
    times = [
        one.elapsed_ms
        for one in _scoped(check, evidence)
        if one.status == _RENDERED and is_number(one.elapsed_ms)
    ]
    if not times:
        return broken("No widget that rendered was timed.")
    slowest = max(times)
    return judged(
        f"Slowest of {counted(len(times), 'widget')}: {plain(slowest)} ms; less than "
        f"{plain(bound)} asked.",
        holds=slowest < bound,
    )


def widget_no_console_errors(check: Check, evidence: Evidence) -> Outcome:
    """No widget wrote an error to its console."""
    rows = _scoped(check, evidence)
    if not rows:
        return broken("No widget was observed.")
    hit = [one for one in rows if one.console_errors]
    if not hit:
        return held(f"No console error in {counted(len(rows), 'widget')}.")
    total = sum(len(one.console_errors) for one in hit)
    return broken(
        f"{counted(total, 'console error')} in {len(hit)} of {counted(len(rows), 'widget')}: "
        f"{said(hit[0].console_errors[0])}."
    )
