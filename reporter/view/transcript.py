"""One session set like a play: who spoke, what was called, what came back."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, cast

from reporter.models.facts import SessionFacts
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
from reporter.view.anchor import connection_anchor, message_anchor
from reporter.view.citations import CiteLink
from reporter.view.entries import (
    NO_ANSWER,
    CallEntry,
    Entry,
    NoteEntry,
    Speaker,
    SpeechEntry,
    TranscriptView,
)
from reporter.view.markdown import SetMessage, set_message
from reporter.view.play import IN_THE_PAGE, Bounds, Play
from reporter.view.remembered import Remembered
from reporter.view.text import Clipped, capital, clip, one_line, plural
from reporter.view.transcript_calls import call_entry, cited_calls
from reporter.view.transcript_outline import blocks, near_errors, outline
from reporter.view.value import Result, part_words
from reporter.vocabulary import Signal

__all__ = [
    "CallEntry",
    "Entry",
    "NoteEntry",
    "SpeechEntry",
    "TranscriptView",
    "transcript_view",
]

FIRST_WORDS: Final = 90
"""Characters of what a turn begins with, in an outline."""
_clip_again: Final = Remembered(clip, 2_000_000, lambda made: len(made.text))


def transcript_view(  # noqa: PLR0913  what is known of the session, and how much is shown
    facts: SessionFacts,
    recording: SessionRecording | None,
    cites: Mapping[str, tuple[CiteLink, ...]],
    shown_systems: dict[str, str] | None = None,
    bounds: Bounds = IN_THE_PAGE,
    *,
    name: str = "",
) -> TranscriptView:
    """Set one session.

    Args:
        facts: What the session came to.
        recording: Its records, or None where there are none.
        cites: Findings that cite a place of it, by pointer.
        shown_systems: System messages that the page already shows, each with the name of
            the session that shows it; grows. None shows every one.
        bounds: How many characters of a place are shown.
        name: What the page calls the session; its id where that is left out.

    Rule: report.md section 3.10.
    """
    if recording is None or not recording.present:
        note = _LOST if facts.is_lost else "No file of this session was recorded."
        return TranscriptView(facts.session_id, (), note)
    play = Play(
        session_id=facts.session_id,
        facts=facts,
        cites=cites,
        results=_results(recording),
        call_facts={call.tool_call_id: call for call in facts.tool_calls},
        bounds=bounds,
        began_ms=next((one.at for one in recording.records if one.at is not None), None),
        cited_calls=cited_calls(facts, cites),
        silent=_silent(recording),
        shown_systems=shown_systems,
        name=name or facts.session_id,
        answered=None if recording.damaged else _answered(recording),
    )
    for record in recording.records:
        entries_of = _ENTRIES.get(type(record))
        if entries_of is not None:
            play.entries.extend(entries_of(play, record))
    entries = tuple(play.entries)
    summed = outline(entries)
    return TranscriptView(
        session_id=facts.session_id,
        entries=entries,
        note=_damage_note(recording, empty=not entries),
        blocks=blocks(entries),
        outline=summed,
        near_errors=near_errors(entries) if summed else {},
    )


_LOST: Final = "What was recorded of this session could not be loaded."
"""Said where the recording counts messages that it does not hold."""


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
        # Asked by its exact class: `isinstance` asks the metaclass of a model, once a record.
        kind = type(record)
        if kind is ToolResult:
            result = cast("ToolResult", record)
            found.setdefault(result.tool_call_id, []).append(result)
        elif kind is Message:
            _add_results(found, cast("Message", record))
    return found


def _add_results(found: dict[str, list[Result]], record: Message) -> None:
    parts = record.content if isinstance(record.content, list) else []
    for part in parts:
        if isinstance(part, ToolResultPart):
            found.setdefault(part.tool_call_id, []).append(part)
    if record.role == "tool" and record.tool_call_id and not parts:
        found.setdefault(record.tool_call_id, []).append(record)


def _answered(recording: SessionRecording) -> frozenset[int]:
    """Find the turns in which the assistant said, called or finished something.

    Rule: recording.md section 4.1, turns used.
    """
    found = set()
    for record in recording.records:
        kind = type(record)
        if kind is StepFinish:
            found.add(cast("StepFinish", record).turn_index)
        elif kind is ToolCall:
            call = cast("ToolCall", record)
            if call.caller != "persona":
                found.add(call.turn_index)
        elif kind is Message:
            message = cast("Message", record)
            if message.role == "assistant":
                found.add(message.turn_index)
    return frozenset(found)


def _silent(recording: SessionRecording) -> frozenset[int]:
    """Find assistant messages without a word that a call follows before the next message."""
    found: set[int] = set()
    waiting: int | None = None
    for record in recording.records:
        kind = type(record)
        if kind is Message:
            message = cast("Message", record)
            empty = not message.content
            waiting = message.index if empty and message.role == "assistant" else None
        elif kind is ToolCall and waiting is not None:
            found.add(waiting)
    return frozenset(found)


def _catalog(_: Play, record: CatalogRecord) -> Iterator[Entry]:
    if record.tools is not None:
        whole = "complete" if record.complete else "not said to be complete"
        yield _note(f"{plural(len(record.tools), 'tool')} listed ({whole}).")


def _notice(_: Play, record: SessionNotice) -> Iterator[Entry]:
    yield _note(f"Notice ({one_line(record.kind, 60)}): {one_line(record.message, 400)}")


def _error(_: Play, record: ErrorRecord) -> Iterator[Entry]:
    yield _note(f"The runner reported an error: {one_line(record.message, 400)}", "fail")


def _widget(_: Play, record: WidgetRender) -> Iterator[Entry]:
    yield _note(f"Widget of {one_line(record.tool_name, 80)}: {one_line(record.status, 80)}.")


def _note(text: str, tone: Literal["", "fail"] = "") -> NoteEntry:
    return NoteEntry("note", "", (), text, tone)


def _message(play: Play, record: Message) -> Iterator[Entry]:
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
        yield from _call(play, part, record)


def _own_call(play: Play, record: ToolCall) -> Iterator[Entry]:
    return _call(play, record, record)


def _call(play: Play, call: ToolCall | ToolCallPart, record: ToolCall | Message) -> Iterator[Entry]:
    found = call_entry(play, call.tool_call_id, call.tool_name, call.args, record)
    if found is not None:
        yield found


def _speech(play: Play, record: Message, text: str, cites: tuple[CiteLink, ...]) -> SpeechEntry:
    speaker, name = _speaker(play, record)
    anchors, turn = ((), "") if record.role == "system" else play.open_turns(record.turn_index)
    answered = not turn or play.answered is None or record.turn_index in play.answered
    limit = play.bounds.system if speaker == "system" else play.bounds.message
    clipped = _clip_again(text, limit)
    notes = [play.left_out(clipped, [record])] if clipped.left_out else []
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
        made = set_message(clipped.text)
        body = None if made.loses else made
        source = "" if made.same else clipped.text
    return SpeechEntry(
        kind="speech",
        anchor=message_anchor(play.session_id, record.index),
        label=f"m{record.index}",
        turn_anchors=anchors,
        turn=f"{turn}{'' if answered else NO_ANSWER}" if speaker == "persona" else "",
        is_answered=answered,
        speaker=speaker,
        name=name,
        body=body,
        source=source,
        note=", ".join(notes),
        cites=cites,
        folded=folded,
        time=play.since(record.at) if turn else "",
        first=one_line(text, FIRST_WORDS) if turn and speaker == "persona" else "",
    )


def _system(
    play: Play, text: str, clipped: Clipped, notes: list[str]
) -> tuple[str, str, list[str]]:
    size = plural(len(text), "character")
    if play.shown_systems is None:
        return f"System message, {size}", clipped.text, notes
    first = play.shown_systems.setdefault(text, play.name)
    if first == play.name:
        return f"System message, {size}", clipped.text, notes
    return f"System message, {size}, the same as in session {first}", "", []


def _speaker(play: Play, record: Message) -> tuple[Speaker, str]:
    if record.role == "system":
        return "system", "System"
    if record.role == "tool":
        return "tool", "Tool"
    if record.author == "client":
        return "client", "Client"
    if record.role == "user":
        return "persona", play.persona
    return "assistant", "Assistant"


def _finish(play: Play, record: StepFinish) -> Iterator[Entry]:
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


def _connection(play: Play, record: Connection) -> Iterator[Entry]:
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
        if record.inferred:
            rules = one_line("; ".join(record.inferred.values()), 200)
            tail = f" at {server}: ok, inferred: {rules}."
        if isinstance(last, NoteEntry) and not anchor and last.text.endswith(tail):
            # Phases that went well stand in one line.
            play.entries[-1] = replace(last, text=f"{last.text.removesuffix(tail)}, {phase}{tail}")
            return
        yield NoteEntry("note", anchor, (), f"{capital(phase)}{tail}", "", cites)
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
        f"{capital(phase)} at {server} failed{code}: {said}. {whose}",
        "fail",
        cites,
    )


_ENTRIES: Final[Mapping[type, Callable[[Play, Any], Iterator[Entry]]]] = {
    Message: _message,
    ToolCall: _own_call,
    StepFinish: _finish,
    Connection: _connection,
    CatalogRecord: _catalog,
    SessionNotice: _notice,
    ErrorRecord: _error,
    WidgetRender: _widget,
}
"""What a record is set as, by its class; others stand nowhere."""
