"""A transcript cut to what one request has room for, and fenced so that it stays data."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reporter.findings.text import fold_space
from reporter.identifiers import SessionId
from reporter.phrases.transcript import Piece, ReadTranscript

TEXT_CHARS: Final = 1_600
"""Characters of one text of a piece, such as a result, when explanations are asked for."""

CITED_CHARS: Final = 6_000
"""The same when the piece was cited and is looked at again."""

_TAIL: Final = 4
"""The last pieces of a session, which mostly tell how it ended."""
_TAIL_SHARE: Final = 4
"""Which part of a text that is cut its end is: one in so many."""
_FENCE_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class ShownSession:
    """What of one session a request shows."""

    session_id: SessionId
    text: str
    turns: tuple[int, ...]
    """Zero-based turns of which something is shown, ascending."""
    all_turns: int

    @property
    def chars(self) -> int:
        """Characters of the transcript that are shown."""
        return len(self.text)


def shown_session(transcript: ReadTranscript, room: int) -> ShownSession:
    """Cut a session to a number of characters, and say where something was left out.

    What the person asked for, what went wrong and how it ended are kept before the rest: the
    first piece, each error once, the last pieces, then whatever the person wrote, then errors
    that repeat an earlier one, and the others from the end.

    Args:
        transcript: The masked session.
        room: Characters that it may take; the first piece is shown whatever it takes.
    """
    drawn = [_drawn(piece, TEXT_CHARS) for piece in transcript.pieces]
    kept: set[int] = set()
    used = 0
    for at in _by_worth(transcript.pieces):
        if kept and used + len(drawn[at]) > room:
            continue
        kept.add(at)
        used += len(drawn[at])
    return _shown(transcript, kept, drawn)


def shown_turns(transcript: ReadTranscript, turns: Sequence[int], quote: str) -> ShownSession:
    """Show some turns of a session whole, or cut around a quotation where they are very long."""
    wanted = set(turns)
    drawn = [_drawn(piece, CITED_CHARS, quote) for piece in transcript.pieces]
    kept = {at for at, piece in enumerate(transcript.pieces) if piece.turn in wanted}
    return _shown(transcript, kept, drawn)


def fenced(name: str, text: str) -> str:
    """Put data between two lines that it cannot hold, so that no word of it ends the data.

    The mark is a digest of the data: whoever wrote the data would have to know it before.
    """
    mark = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_FENCE_DIGITS]
    return f"<<<{name} {mark}\n{text}\n{mark} {name}>>>"


def _by_worth(pieces: Sequence[Piece]) -> list[int]:
    last = len(pieces) - 1
    first = next((at for at, piece in enumerate(pieces) if piece.by == "persona"), 0)
    repeated = _repeated_errors(pieces)

    def worth(at: int) -> tuple[int, int]:
        if at == first:
            return (0, 0)
        if pieces[at].is_error and at not in repeated:
            return (1, at)
        if last - at < _TAIL:
            return (2, last - at)
        if pieces[at].by == "persona":
            return (3, at)
        return (4, at) if at in repeated else (5, last - at)

    return sorted(range(len(pieces)), key=worth)


def _repeated_errors(pieces: Sequence[Piece]) -> set[int]:
    """Return the places of errors that an earlier call of the same tool answered alike.

    The arguments may differ; what a server says to each of them is the same once more.
    """
    seen: set[tuple[str, ...]] = set()
    repeated: set[int] = set()
    for at, piece in enumerate(pieces):
        if not piece.is_error:
            continue
        answer = (piece.head, *(text for label, text in piece.body if label != "arguments"))
        if answer in seen:
            repeated.add(at)
        seen.add(answer)
    return repeated


def _shown(transcript: ReadTranscript, kept: set[int], drawn: Sequence[str]) -> ShownSession:
    lines: list[str] = []
    turn: int | None = None
    left_out = 0
    for at, piece in enumerate(transcript.pieces):
        if at not in kept:
            left_out += 1
            continue
        if left_out:
            lines.append(_gap(left_out))
            left_out = 0
        if piece.turn != turn:
            turn = piece.turn
            lines.append(f"[turn {turn}]")
        lines.append(drawn[at])
    if left_out:
        lines.append(_gap(left_out))
    return ShownSession(
        session_id=transcript.session_id,
        text="\n".join(lines),
        turns=tuple(sorted({transcript.pieces[at].turn for at in kept})),
        all_turns=len(transcript.by_turn),
    )


def _gap(left_out: int) -> str:
    return f"[{left_out} {'entry' if left_out == 1 else 'entries'} left out]"


def _drawn(piece: Piece, limit: int, quote: str = "") -> str:
    lines = [
        f"{label}: {_cut(text, limit, quote)}" if label else _cut(text, limit, quote)
        for label, text in piece.body
    ]
    mark = ", an error" if piece.is_error else ""
    return "\n".join([f"{piece.head}{mark}:", *(f"  {line}" for line in lines)])


def _cut(text: str, limit: int, quote: str) -> str:
    """Cut a text, around a quotation where it holds one, and say how much was left out.

    Else its end is kept too: there a trace names the error, and a reply what came of it.
    """
    if len(text) <= limit:
        return text
    head, tail = limit - limit // _TAIL_SHARE, limit // _TAIL_SHARE
    wanted, folded = fold_space(quote), fold_space(text)
    if wanted in fold_space(text[:head]) or wanted not in folded:
        return f"{text[:head]} [{len(text) - limit} characters left out] {text[-tail:]}"
    # White space was folded for the search, so the place is only near; there is room.
    text = folded
    start = max(0, text.find(wanted) - limit // 3)
    end = start + limit
    before = f"[{start} characters left out] " if start else ""
    after = f" [{len(text) - end} characters left out]" if end < len(text) else ""
    return f"{before}{text[start:end]}{after}"
