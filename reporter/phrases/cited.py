"""Whether the turns and the quotation that a model cites stand in a session, to the letter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reporter.findings.text import fold_space, utf16_length
from reporter.models.phrases import Refusal
from reporter.phrases.transcript import Piece, ReadTranscript
from reporter.redaction import mask_text
from reporter.vocabulary import PhraseRule

QUOTE_CHARS: Final = 12
"""The shortest quotation, in UTF-16 code units after white space was folded."""

KEPT_CHARS: Final = 1_000
"""Characters of a refused phrase or quotation that the ledger keeps."""


@dataclass(frozen=True, slots=True)
class Cited:
    """What stands at the cited turns of one session."""

    pieces: tuple[Piece, ...]
    """Everything of those turns, in order."""
    found: tuple[Piece, ...]
    """Where the quotation stands, however short it is."""
    refusals: tuple[Refusal, ...]
    """What is wrong with the turns, then with the quotation."""

    @property
    def holds(self) -> bool:
        """Tell whether a quotation that is long enough was found."""
        rules = {refusal.rule for refusal in self.refusals}
        return not rules & {PhraseRule.QUOTE_TOO_SHORT, PhraseRule.QUOTE_NOT_FOUND}


def cited(transcript: ReadTranscript, turns: Sequence[int], quote: str) -> Cited:
    """Look up cited turns and the quotation that is to stand in them.

    Rule: findings.md section 9.4, turn index and quote.
    """
    pieces = transcript.pieces_of(turns)
    found = tuple(piece for piece in pieces if piece.holds(quote))
    refusals: list[Refusal] = []
    missing = [turn for turn in turns if turn not in transcript.by_turn]
    if missing or not turns:
        what = f"turn {missing[0]}" if missing else "no turn is cited"
        refusals.append(Refusal(PhraseRule.TURN_MISSING, "", what))
    if utf16_length(fold_space(quote)) < QUOTE_CHARS:
        refusals.append(Refusal(PhraseRule.QUOTE_TOO_SHORT, "", ""))
    elif not found:
        refusals.append(Refusal(PhraseRule.QUOTE_NOT_FOUND, "", ""))
    return Cited(pieces, found, tuple(refusals))


def kept_words(text: str) -> str:
    """Return a model's words as the ledger may show them: masked and bounded."""
    masked = mask_text(text)
    return masked if len(masked) <= KEPT_CHARS else masked[:KEPT_CHARS] + "…"
