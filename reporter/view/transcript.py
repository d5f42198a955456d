"""One session set like a play: who spoke, what was called, what came back."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from reporter.findings.people import is_recorded
from reporter.models.facts import CallFact, SessionFacts
from reporter.models.records import (
    CatalogRecord,
    Connection,
    ErrorRecord,
    Message,
    SessionNotice,
    StepFinish,
    ToolCall,
    ToolCallPart,
    ToolResult,
    ToolResultPart,
    WidgetRender,
)
from reporter.models.session import SessionRecording
from reporter.view.anchor import call_anchor, connection_anchor, message_anchor, turn_anchor
from reporter.view.citations import CiteLink
from reporter.view.entries import (
    CallEntry,
    Entry,
    NoteEntry,
    Speaker,
    SpeechEntry,
    TranscriptView,
)
from reporter.view.markdown import SetMessage, is_formatted, set_message
from reporter.view.text import Clipped, clip, one_line, plural
from reporter.view.value import (
    Result,
    duration_words,
    first_words,
    part_words,
    pretty,
    result_value,
    shown_result,
    size_words,
)
from reporter.vocabulary import Signal

__all__ = [
    "CallEntry",
    "Entry",
    "NoteEntry",
    "SpeechEntry",
    "TranscriptView",
    "transcript_view",
]

MESSAGE_LIMIT: Final = 20_000
"""Characters of one message."""
SYSTEM_LIMIT: Final = 6_000
"""Characters of a system message, which is shown once where sessions share it."""
VALUE_LIMIT: Final = 4_000
"""Characters of a call's arguments, and of its result."""
LINE_LIMIT: Final = 180
"""Characters of an error on the line of its call."""


@dataclass(slots=True)
class _Play:
    """What is known while the records of one session are walked."""

    session_id: str
    facts: SessionFacts
    cites: Mapping[str, tuple[CiteLink, ...]]
    results: dict[str, list[Result]]
    call_facts: dict[str, CallFact]
    entries: list[Entry] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    calls: int = 0
    seen_calls: set[str] = field(default_factory=set)
    cited_calls: dict[str, tuple[CiteLink, ...]] = field(default_factory=dict)
    shown_systems: dict[str, str] | None = None
    silent: frozenset[int] = frozenset()
    """Indexes of messages without a word that only carry a call, which is shown instead."""
    connection_shown: bool = False

    def open_turns(self, turn_index: int) -> tuple[tuple[str, ...], str]:
        """Return the anchors of turns that begin at an entry, and the words for its margin."""
        last = self.turns[-1] if self.turns else -1
        if turn_index <= last:
            return (), ""
        # A turn without an entry of its own still has to be found by links to it.
        begun = range(last + 1, turn_index + 1) if turn_index - last < 1_000 else [turn_index]  # noqa: PLR2004
        self.turns.append(turn_index)
        anchors = tuple(turn_anchor(self.session_id, index) for index in begun)
        return anchors, f"Turn {turn_index + 1}"


def transcript_view(
    facts: SessionFacts,
    recording: SessionRecording | None,
    cites: Mapping[str, tuple[CiteLink, ...]],
    shown_systems: dict[str, str] | None = None,
) -> TranscriptView:
    """Set one session.

    Args:
        facts: What the session came to.
        recording: Its records, or None where there are none.
        cites: Findings that cite a place of it, by pointer.
        shown_systems: System messages that the page already shows, each with the name of
            the session that shows it; grows. None shows every one.

    Rule: report.md section 3.10.
    """
    if recording is None or not recording.present:
        return TranscriptView(facts.session_id, (), (), "No file of this session was recorded.")
    play = _Play(
        session_id=facts.session_id,
        facts=facts,
        cites=cites,
        results=_results(recording),
        call_facts={call.tool_call_id: call for call in facts.tool_calls},
        silent=_silent(recording),
        shown_systems=shown_systems,
    )
    play.cited_calls = _cited_calls(facts, cites)
    for record in recording.records:
        play.entries.extend(_entries(play, record))
    long = len(play.turns) > 6  # noqa: PLR2004  fewer turns are seen at a glance
    turns = tuple((f"#{turn_anchor(facts.session_id, t)}", str(t + 1)) for t in play.turns)
    return TranscriptView(
        session_id=facts.session_id,
        entries=tuple(play.entries),
        turns=turns if long else (),
        note=_damage_note(recording, empty=not play.entries),
    )


def _damage_note(recording: SessionRecording, *, empty: bool) -> str:
    unknown = sum(recording.unknown_types.values())
    parts = []
    if recording.damaged:
        parts.append("Part of this file could not be read; what could be read is below.")
    if unknown:
        kinds = ", ".join(sorted(one_line(kind, 40) for kind in recording.unknown_types)[:5])
        parts.append(f"{plural(unknown, 'record')} of a type unknown here: {kinds}.")
    if empty:
        parts.append("No message was recorded.")
    return " ".join(parts)


def _results(
    recording: SessionRecording,
) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = {}
    for record in recording.records:
        if isinstance(record, ToolResult):
            found.setdefault(record.tool_call_id, []).append(record)
        elif isinstance(record, Message):
            parts = record.content if isinstance(record.content, list) else []
            for part in parts:
                if isinstance(part, ToolResultPart):
                    found.setdefault(part.tool_call_id, []).append(part)
            if record.role == "tool" and record.tool_call_id and not parts:
                found.setdefault(record.tool_call_id, []).append(record)
    return found


def _silent(recording: SessionRecording) -> frozenset[int]:
    """Find assistant messages without a word that a call follows before the next message."""
    found: set[int] = set()
    waiting: int | None = None
    for record in recording.records:
        if isinstance(record, Message):
            empty = not record.content
            waiting = record.index if empty and record.role == "assistant" else None
        elif isinstance(record, ToolCall) and waiting is not None:
            found.add(waiting)
    return frozenset(found)


def _entries(play: _Play, record: object) -> Iterator[Entry]:
    if isinstance(record, Message):
        yield from _message(play, record)
    elif isinstance(record, ToolCall):
        yield from _call(play, record.tool_call_id, record.tool_name, record.args, record)
    elif isinstance(record, StepFinish):
        yield from _finish(play, record)
    elif isinstance(record, Connection):
        yield from _connection(play, record)
    elif isinstance(record, CatalogRecord) and record.tools is not None:
        whole = "complete" if record.complete else "not said to be complete"
        yield _note(f"{plural(len(record.tools), 'tool')} listed ({whole}).")
    elif isinstance(record, SessionNotice):
        yield _note(f"Notice ({one_line(record.kind, 60)}): {one_line(record.message, 400)}")
    elif isinstance(record, ErrorRecord):
        yield _note(f"The runner reported an error: {one_line(record.message, 400)}", "fail")
    elif isinstance(record, WidgetRender):
        yield _note(f"Widget of {one_line(record.tool_name, 80)}: {one_line(record.status, 80)}.")


def _note(text: str, tone: Literal["", "fail"] = "") -> NoteEntry:
    return NoteEntry("note", "", (), text, tone)


def _message(play: _Play, record: Message) -> Iterator[Entry]:
    parts = record.content if isinstance(record.content, list) else []
    text = record.content if isinstance(record.content, str) else part_words(parts)
    answered = record.role == "tool" and (
        record.tool_call_id in play.results or any(isinstance(p, ToolResultPart) for p in parts)
    )
    calls = [part for part in parts if isinstance(part, ToolCallPart)]
    cites = play.cites.get(f"m:{record.index}", ())
    if answered and not cites and not text:
        return
    if answered and record.tool_call_id in play.seen_calls and not cites:
        # The result stands beneath its call; here it would be said twice. Links to the
        # message lead to the call, which carries the message's id.
        return
    wordless = bool(calls) or record.index in play.silent
    if text.strip() or cites or not wordless:
        yield _speech(play, record, text, cites)
    for part in calls:
        yield from _call(play, part.tool_call_id, part.tool_name, part.args, None, record)


def _speech(play: _Play, record: Message, text: str, cites: tuple[CiteLink, ...]) -> SpeechEntry:
    speaker, name = _speaker(play, record)
    anchors, turn = ((), "") if record.role == "system" else play.open_turns(record.turn_index)
    clipped = clip(text, SYSTEM_LIMIT if speaker == "system" else MESSAGE_LIMIT)
    notes = [clipped.note] if clipped.left_out else []
    if record.truncated:
        notes.append("cut short when it was recorded")
    body: SetMessage | None = None
    source = clipped.text
    folded = ""
    if speaker == "system":
        folded, source, notes = _system(play, text, clipped, notes)
    elif not text.strip():
        notes.append("an empty message")
        source = ""
    elif not cites:
        body = set_message(clipped.text)
        source = clipped.text if is_formatted(clipped.text) else ""
    return SpeechEntry(
        kind="speech",
        anchor=message_anchor(play.session_id, record.index),
        label=f"m{record.index}",
        turn_anchors=anchors,
        turn=turn if speaker == "persona" else "",
        speaker=speaker,
        name=name,
        body=body,
        source=source,
        note=", ".join(notes),
        cites=cites,
        folded=folded,
    )


def _system(
    play: _Play, text: str, clipped: Clipped, notes: list[str]
) -> tuple[str, str, list[str]]:
    size = plural(len(text), "character")
    if play.shown_systems is None:
        return f"System message, {size}", clipped.text, notes
    first = play.shown_systems.setdefault(text, play.session_id)
    if first == play.session_id:
        return f"System message, {size}", clipped.text, notes
    return f"System message, {size}, the same as in session {first}", "", []


def _speaker(play: _Play, record: Message) -> tuple[Speaker, str]:
    if record.role == "system":
        return "system", "System"
    if record.role == "tool":
        return "tool", "Tool"
    if record.author == "client":
        return "client", "Client"
    if record.role == "user":
        facts = play.facts
        if not is_recorded((facts.persona_ref_id, facts.persona_name)):
            return "persona", "Persona"
        return "persona", one_line(facts.persona_name, 40)
    return "assistant", "Assistant"


def _call(  # noqa: PLR0913, PLR0917  one call, from a record or from a part of a message
    play: _Play,
    call_id: str,
    name: str,
    args: Mapping[str, Any],
    record: ToolCall | None,
    message: Message | None = None,
) -> Iterator[Entry]:
    if call_id in play.seen_calls:
        return
    play.seen_calls.add(call_id)
    play.calls += 1
    fact = play.call_facts.get(call_id)
    turn_index = record.turn_index if record else message.turn_index if message else 0
    anchors, _ = play.open_turns(turn_index)
    results = play.results.get(call_id, [])
    value = result_value(results)
    cites = (*play.cites.get(f"t:{call_id}", ()), *play.cited_calls.get(call_id, ()))
    persona = (fact.caller if fact else record.caller if record else None) == "persona"
    state, line = _came_back(fact, results, value)
    yield CallEntry(
        kind="call",
        anchor=call_anchor(play.session_id, call_id),
        label=f"c{play.calls}",
        turn_anchors=anchors,
        turn="",
        name=one_line(fact.tool_name if fact else name, 120) or "(no name)",
        by="The persona called" if persona else "Called",
        state=state,
        line=line,
        duration=duration_words(results),
        arguments=clip(pretty(args), VALUE_LIMIT),
        result=clip(shown_result(value, cited=bool(cites)), VALUE_LIMIT) if results else None,
        inferred=_inferred_call(record, results, fact),
        cites=cites,
    )


def _came_back(
    fact: CallFact | None,
    results: Sequence[Result],
    value: Any,  # noqa: ANN401  any JSON value
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
    return "returned", size_words(value)


def _inferred_call(
    record: ToolCall | None,
    results: Sequence[Result],
    fact: CallFact | None,
) -> str:
    rules: dict[str, None] = {}
    if fact is not None and fact.error_inferred:
        rules[f"error: {one_line(fact.error_inferred, 160)}"] = None
    for source in (record, *results):
        for name, rule in (getattr(source, "inferred", None) or {}).items():
            if not (name == "isError" and rules):
                rules[f"{one_line(name, 40)}: {one_line(rule, 160)}"] = None
    return "; ".join(rules)


def _finish(play: _Play, record: StepFinish) -> Iterator[Entry]:
    fact = next(
        (
            one
            for one in play.facts.finish_reasons
            if one.turn_index == record.turn_index and one.step_number == record.step_number
        ),
        None,
    )
    reason = fact.reason if fact else None
    if reason in (None, "stop", "tool-calls"):
        return
    anchors, _ = play.open_turns(record.turn_index)
    cut = ": the reply was cut off" if reason == "length" else ""
    cites = (
        play.cites.get(f"signal:{Signal.OUTPUT_TRUNCATED}:{record.turn_index}", ())
        if reason == "length"
        else ()
    )
    yield NoteEntry(
        "note", "", anchors, f"Finish reason {one_line(str(reason), 40)}{cut}.", "", cites
    )


def _connection(play: _Play, record: Connection) -> Iterator[Entry]:
    if record.outcome == "skipped":
        return
    server = one_line(record.server_name or record.server_id or "the server", 80)
    phase = record.phase.replace("_", " ")
    anchor, cites = "", ()  # type: tuple[str, tuple[CiteLink, ...]]
    if not play.connection_shown:
        play.connection_shown = True
        anchor = connection_anchor(play.session_id)
        cites = play.cites.get("k:connection", ())
    if record.outcome == "ok":
        last = play.entries[-1] if play.entries else None
        tail = f" at {server}: ok."
        if isinstance(last, NoteEntry) and not anchor and last.text.endswith(tail):
            # Phases that went well stand in one line.
            play.entries[-1] = replace(last, text=f"{last.text.removesuffix(tail)}, {phase}{tail}")
            return
        yield NoteEntry("note", anchor, (), f"{phase[0].upper()}{phase[1:]}{tail}", "", cites)
        return
    said = one_line(record.error.message, 300) if record.error else "no message recorded"
    said = said.rstrip(".")
    code = (
        f" ({one_line(str(record.error.code), 40)})" if record.error and record.error.code else ""
    )
    checked = "whether our own network worked was not recorded"
    if record.egress_verified is not None:
        worked = "worked" if record.egress_verified else "did not work"
        checked = f"our own network was checked and {worked}"
    whose = f"Attributed to the {record.attributable}; {checked}."
    yield NoteEntry(
        "note",
        anchor,
        (),
        f"{phase[0].upper()}{phase[1:]} at {server} failed{code}: {said}. {whose}",
        "fail",
        cites,
    )


def _cited_calls(
    facts: SessionFacts, cites: Mapping[str, tuple[CiteLink, ...]]
) -> dict[str, tuple[CiteLink, ...]]:
    """Lead each cited signal to the call that it was seen at."""
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
        if signal is Signal.TOOL_ERRORED and call.error in ("isError", "protocol"):
            return call.tool_call_id
        if signal is Signal.HALLUCINATED_TOOL and call.tool_name in facts.hallucinated_tools:
            return call.tool_call_id
    return None
