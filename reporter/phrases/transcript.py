"""One session as a model may be shown it: masked, in turns, each piece with its citation."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

from reporter.derive.call_joint import CallOutcome, JoinedCall
from reporter.derive.evidence import gather_evidence
from reporter.findings.row_id import cite
from reporter.findings.text import fold_space, trim
from reporter.identifiers import SessionId
from reporter.models.records import Message, TextPart
from reporter.models.session import SessionRecording
from reporter.phrases.tallies import Tally, tallies_of
from reporter.redaction import mask_text, mask_value

Speaker = Literal["persona", "assistant", "tool"]

_DEEPEST: Final = 40
"""Levels of a result that are looked through for texts; what lies deeper is in its JSON alone."""


@dataclass(frozen=True)
class Piece:
    """One message, or one tool call with its result."""

    turn: int
    """Zero-based."""
    by: Speaker
    """Who is heard: the persona, the assistant under test, or a tool."""
    citations: tuple[str, ...]
    """`<sessionId>/<pointer>`, one; empty where the wire cannot carry it."""
    head: str
    """What it is, in code's words and a masked name: `assistant`, `tool call find_book`."""
    body: tuple[tuple[str, str], ...]
    """Label and masked text, in order; a label may be empty."""
    texts: tuple[str, ...]
    """Every masked text in which a quotation may stand."""
    is_error: bool = False

    @property
    def tool(self) -> str:
        """The masked name of the tool that was called, folded; empty for a message."""
        return self.head.partition("tool call ")[2].casefold() if self.by == "tool" else ""

    @cached_property
    def folded(self) -> tuple[str, ...]:
        """The texts with their white space folded, as quotations are looked for."""
        return tuple(fold_space(text) for text in self.texts)

    def holds(self, quote: str) -> bool:
        """Tell whether a quotation stands here to the letter; white space is folded.

        Rule: findings.md section 9.4, quote.
        """
        wanted = fold_space(quote)
        return any(wanted in text for text in self.folded)


@dataclass(frozen=True)
class ReadTranscript:
    """The masked pieces of one session that was read."""

    session_id: SessionId
    pieces: tuple[Piece, ...]
    """In the order of recording."""

    @cached_property
    def by_turn(self) -> Mapping[int, tuple[Piece, ...]]:
        """The pieces of each turn, in order; turns ascend."""
        turns: dict[int, list[Piece]] = {}
        for piece in sorted(self.pieces, key=lambda piece: piece.turn):
            turns.setdefault(piece.turn, []).append(piece)
        return {turn: tuple(pieces) for turn, pieces in turns.items()}

    def pieces_of(self, turns: Sequence[int]) -> tuple[Piece, ...]:
        """Return the pieces of some turns, in order; a turn that is not there has none."""
        return tuple(piece for turn in sorted(set(turns)) for piece in self.by_turn.get(turn, ()))

    def tallies(self, turns: Collection[int]) -> tuple[Tally, ...]:
        """Count the tool calls of some turns, by tool and all together."""
        pieces = [piece for piece in self.pieces if piece.turn in turns and piece.by == "tool"]
        return tallies_of([(piece.tool, piece.is_error) for piece in pieces])


def read_transcript(recording: SessionRecording) -> ReadTranscript:
    """Mask a session and cut it into pieces.

    System messages are no turn of anybody's and are left out.

    Rule: findings.md section 9.4, redacted turns.
    """
    session = recording.session_id
    spoken = [
        (record.seq, _spoken(session, record, text))
        for record in recording.records
        if isinstance(record, Message) and record.role in ("user", "assistant")
        if (text := trim(_words(record)))
    ]
    called = [
        (-1 if call.seq is None else call.seq, _called(session, call))
        for call in gather_evidence(recording).calls
    ]
    # What a message says stands before the calls that the same message makes.
    pieces = sorted([*spoken, *called], key=lambda numbered: numbered[0])
    return ReadTranscript(session, tuple(piece for _, piece in pieces))


def _words(message: Message) -> str:
    if isinstance(message.content, str):
        return message.content
    return "\n".join(part.text for part in message.content if isinstance(part, TextPart))


def _spoken(session: SessionId, message: Message, text: str) -> Piece:
    masked = mask_text(text)
    by: Speaker = "persona" if message.role == "user" else "assistant"
    return Piece(
        turn=message.turn_index,
        by=by,
        citations=tuple(cite(session, f"m:{message.index}")),
        head=by,
        body=(("", masked),),
        texts=(masked,),
    )


def _called(session: SessionId, call: JoinedCall) -> Piece:
    args = mask_value(dict(call.args))
    body = [("arguments", _json(args))]
    texts = [_json(args), *_leaves(args)]
    outcome = call.outcome
    if outcome is None:
        body.append(("result", "(none was recorded)"))
    else:
        body += _outcome_lines(outcome)
        texts += [text for label, text in _outcome_lines(outcome) if label != "note"]
        texts += _leaves(mask_value(outcome.value))
    who = "persona's tool call" if call.by_persona else "tool call"
    return Piece(
        turn=call.turn_index,
        by="tool",
        citations=tuple(cite(session, f"t:{call.tool_call_id}")),
        head=f"{who} {fold_space(mask_text(call.tool_name))}",
        body=tuple(body),
        texts=tuple(dict.fromkeys(text for text in texts if text)),
        is_error=outcome is not None and outcome.from_server and outcome.errored,
    )


def _outcome_lines(outcome: CallOutcome) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    if outcome.policy_blocked:
        lines.append(("note", "a policy stopped the call before it reached the server"))
    if outcome.answered_by_client:
        lines.append(("note", "the client answered the call; no server was asked"))
    if outcome.value is not None:
        value = mask_value(outcome.value)
        label = "result, marked as an error" if outcome.is_error else "result"
        lines.append((label, _result_text(value)))
    elif outcome.is_error and outcome.error is None:
        lines.append(("note", "marked as an error, without a text"))
    if outcome.error is not None:
        lines.append(("error", mask_text(outcome.error)))
    if outcome.mcp_error_code is not None:
        lines.append(("error code", str(outcome.mcp_error_code)))
    return lines


def _result_text(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Return a result as it reads: the texts of an MCP result, else its JSON.

    A client hands the texts to its model; what stands beside them says the same again.
    """
    if isinstance(value, str):
        return value
    items = value.get("content") if isinstance(value, Mapping) else None
    if not isinstance(items, list) or not items:
        return _json(value)
    texts = [item.get("text") for item in items if isinstance(item, Mapping)]
    said = [text for text in texts if isinstance(text, str)]
    other = len(items) - len(said)
    if not said:
        return _json(value)
    more = [f"({other} parts of the result are no text)"] if other else []
    return "\n".join([*said, *more])


def _json(value: Any) -> str:  # noqa: ANN401  any JSON value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""


def _leaves(value: Any, depth: int = 0) -> Iterator[str]:  # noqa: ANN401  any JSON value
    """Yield the strings inside a value as they read, without the escapes of JSON."""
    if isinstance(value, str):
        yield value
    elif depth < _DEEPEST and isinstance(value, Mapping):
        for item in value.values():
            yield from _leaves(item, depth + 1)
    elif depth < _DEEPEST and isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item, depth + 1)
