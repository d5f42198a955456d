"""The calls of a session: who called what with which arguments, and what came back."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from reporter.models.facts import CallFact, SessionFacts
from reporter.models.records import BaseRecord, Message, ToolCall
from reporter.models.value import value as value_class
from reporter.view.anchor import call_anchor
from reporter.view.citations import CiteLink
from reporter.view.entries import CallEntry
from reporter.view.parts import noted
from reporter.view.play import Play
from reporter.view.remembered import Remembered
from reporter.view.text import Clipped, clip, one_line
from reporter.view.value import (
    Result,
    duration_words,
    first_words,
    json_text,
    parsed_value,
    pretty,
    result_value,
    returned_words,
    short_arguments,
    shown_result,
    size_words,
)
from reporter.vocabulary import Signal

LINE_LIMIT: Final = 180
"""Characters of an error on the line of its call."""
ARGUMENTS_LIMIT: Final = 90
"""Characters of the arguments on the line of their call."""


def call_entry(
    play: Play,
    call_id: str,
    name: str,
    args: Mapping[str, Any],
    record: ToolCall | Message,
) -> CallEntry | None:
    """Set one call, from a record of its own or from a part of a message.

    Args:
        play: The session so far; grows.
        call_id: Its id; a call that was set before gives None.
        name: The tool, as it was recorded.
        args: The arguments.
        record: The record that holds it.
    """
    if call_id in play.seen_calls:
        return None
    play.seen_calls.add(call_id)
    play.calls += 1
    fact = play.call_facts.get(call_id)
    anchors, _ = play.open_turns(record.turn_index)
    results = play.results.get(call_id, [])
    value = result_value(results)
    cites = (*play.cites.get(f"t:{call_id}", ()), *play.cited_calls.get(call_id, ()))
    own = record if isinstance(record, ToolCall) else None
    persona = (fact.caller if fact else own.caller if own else None) == "persona"
    is_kept = bool(results) and value is not None and not noted(value)
    answer = _answer(value, play.bounds.value, cited=bool(cites))
    result = answer.shown if is_kept else None
    state, line = _came_back(fact, results, value, answer)
    # Whoever sends a failed call again needs its arguments as JSON, also where the line has all.
    given = _written(args, play.bounds.value, folded=bool(cites) or state == "error")
    return CallEntry(
        kind="call",
        anchor=call_anchor(play.session_id, call_id),
        label=f"c{play.calls}",
        turn_anchors=anchors,
        turn="",
        name=one_line(fact.tool_name if fact else name, 120) or "(no name)",
        by=f"{play.persona} called" if persona else "Called",
        short=given.short,
        state=state,
        line=line,
        duration=duration_words(results),
        arguments=given.shown,
        arguments_note=play.left_out(given.shown, [record]),
        folded_arguments=given.is_folded,
        result=result,
        result_note=play.left_out(result, results) if result else "",
        inferred=_inferred_call(own, results, fact),
        cites=cites,
    )


@value_class(frozen=True, slots=True)
class _Arguments:
    """The arguments of a call, in words."""

    short: str
    is_folded: bool
    """True: they stand below the line as JSON, because it does not hold all of them, because
    the call is cited, or because it failed."""
    shown: Clipped


@value_class(frozen=True, slots=True)
class _Answer:
    """What a call came back with, in words."""

    size: str
    shown: Clipped


def _written(args: Mapping[str, Any], limit: int, *, folded: bool) -> _Arguments:
    text = None if folded else json_text(args)
    return _arguments(args, limit, folded=folded) if text is None else _arguments_again(text, limit)


def _arguments(args: Mapping[str, Any], limit: int, *, folded: bool = False) -> _Arguments:
    short, whole = short_arguments(args, ARGUMENTS_LIMIT)
    is_folded = folded or not whole
    return _Arguments(short, is_folded, clip(pretty(args) if is_folded else short, limit))


_arguments_again: Final = Remembered(
    lambda text, limit: _arguments(json.loads(text), limit),
    500_000,
    lambda made: len(made.short) + len(made.shown.text),
)


def _answer(value: Any, limit: int, *, cited: bool) -> _Answer:  # noqa: ANN401  any JSON value
    if not cited and not noted(value):
        text = value if isinstance(value, str) else json_text(value)
        if text is not None:
            return _answer_again(text, limit)
    return _Answer(size_words(value), clip(shown_result(value, cited=cited), limit))


def _spelled_answer(text: str, limit: int) -> _Answer:
    value = parsed_value(text)
    return _Answer(returned_words(value), clip(shown_result(value, cited=False), limit))


# A text that is JSON is shown as the value that it spells is, so the two need one memory.
_answer_again: Final = Remembered(
    _spelled_answer, 2_000_000, lambda made: len(made.size) + len(made.shown.text)
)


def _came_back(
    fact: CallFact | None,
    results: Sequence[Result],
    value: Any,  # noqa: ANN401  any JSON value
    answer: "_Answer",
) -> tuple[Literal["returned", "error", "missing", "blocked", "client"], str]:
    if fact is not None and fact.policy_blocked:
        return "blocked", "stopped by a policy before it reached a server"
    if fact is not None and fact.answered_by == "client":
        return "client", "answered by the client, never reached a server"
    if not results or (fact is not None and fact.error == "noResult"):
        return "missing", "result not recorded"
    if fact is not None and fact.error is not None:
        words = one_line(fact.error_text or first_words(value), LINE_LIMIT)
        kind = "protocol error" if fact.error == "protocol" else "error"
        if words.lower().startswith("error"):
            return "error", words
        return "error", f"{kind}: {words}" if words else kind
    return "returned", answer.size


def _inferred_call(
    record: ToolCall | None,
    results: Sequence[Result],
    fact: CallFact | None,
) -> str:
    rules: dict[str, None] = {}
    if fact is not None and fact.error_inferred:
        rules[f"error: {one_line(fact.error_inferred, 160)}"] = None
    for source in (record, *results):
        inferred = source.inferred if isinstance(source, BaseRecord) else None
        for name, rule in (inferred or {}).items():
            # The page calls a call by its number: its id is shown nowhere, and what was
            # inferred of ids stands in the provenance.
            if name != "toolCallId" and not (name == "isError" and rules):
                rules[f"{one_line(name, 40)}: {one_line(rule, 160)}"] = None
    return "; ".join(rules)


def cited_calls(
    facts: SessionFacts, cites: Mapping[str, tuple[CiteLink, ...]]
) -> dict[str, tuple[CiteLink, ...]]:
    """Lead each cited signal to the call that it was seen at, by the call's id."""
    found: dict[str, tuple[CiteLink, ...]] = {}
    for match in facts.signals:
        links = cites.get(f"signal:{match.signal}:{match.turn_index}", ())
        if not links:
            continue
        call = _signal_call(facts, match.signal, match.turn_index)
        if call is not None:
            found[call] = (*found.get(call, ()), *links)
    return found


def _signal_call(facts: SessionFacts, signal: Signal, turn_index: int) -> str | None:
    for call in facts.tool_calls:
        if call.caller != "assistant" or call.turn_index != turn_index:
            continue
        if signal is Signal.TOOL_ERRORED and call.is_error:
            return call.tool_call_id
        if signal is Signal.HALLUCINATED_TOOL and call.tool_name in facts.hallucinated_tools:
            return call.tool_call_id
    return None
