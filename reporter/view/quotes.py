"""The recorded words that a finding rests on, to be read beside it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.models.facts import SessionFacts
from reporter.models.wave import Transcripts
from reporter.view.citations import (
    CiteLink,
    PlaceLink,
    place_link,
)
from reporter.view.entries import CallEntry, Entry, SpeechEntry
from reporter.view.places import Places
from reporter.view.text import clip
from reporter.view.transcript import transcript_view

QUOTES_LIMIT: Final = 3
"""Quotations beside one finding; the places of the others are linked."""
QUOTE_CHARS: Final = 320
"""Characters of one quotation."""


@dataclass(frozen=True, slots=True)
class Quote:
    """What stands at a cited place, as recorded and to the letter."""

    text: str
    is_cut: bool
    """True: the recorded text goes on, which the page draws as dots."""
    by: str
    """Who said it, such as `Assistant` or `Result of place_hold, an error`."""
    is_code: bool
    """True for what a tool returned or was given."""
    place: PlaceLink


class Quotes:
    """Looks cited places up in the transcripts.

    Args:
        facts: Facts by session id.
        transcripts: Reads a session again; None where there is no recording.
        shown: Where each session is shown.
        names: How each session is called.
    """

    def __init__(
        self,
        facts: Mapping[str, SessionFacts],
        transcripts: Transcripts | None,
        shown: Places,
        names: Mapping[str, str],
    ) -> None:
        self._facts = facts
        self._transcripts = transcripts
        self.shown = shown
        self.names = names

    def of(self, citations: Iterable[str]) -> tuple[Quote, ...]:
        """Quote the first cited places that hold words, one session after another.

        The first citation of each session comes before the second of any, so that three
        quotations come from three sessions where they can.
        """
        if self._transcripts is None:
            return ()
        found: list[Quote] = []
        for citation in _spread(citations):
            quote = self._quote(citation)
            if quote is not None and quote.text not in {one.text for one in found}:
                found.append(quote)
            if len(found) == QUOTES_LIMIT:
                break
        return tuple(found)

    def _quote(self, citation: str) -> Quote | None:
        session_id, _, pointer = citation.partition("/")
        if session_id not in self._facts or not pointer:
            return None
        entry = self._entry(session_id, pointer)
        place = place_link(citation, self.shown, name=self.names.get(session_id, ""))
        if isinstance(entry, SpeechEntry) and entry.source.strip():
            said = clip(entry.source.strip(), QUOTE_CHARS)
            return Quote(said.text, bool(said.left_out), entry.name, is_code=False, place=place)
        if isinstance(entry, CallEntry) and entry.result is not None and entry.result.text.strip():
            said = clip(entry.result.text.strip(), QUOTE_CHARS)
            error = ", an error" if entry.state == "error" else ""
            by = f"Result of {entry.name}{error}"
            return Quote(said.text, bool(said.left_out), by, is_code=True, place=place)
        return None

    def _entry(self, session_id: str, pointer: str) -> Entry | None:
        """Find the entry that the transcript marks as cited when only this place is."""
        recording = self._transcripts(session_id) if self._transcripts else None
        cites = {pointer: (CiteLink("", ""),)}
        view = transcript_view(self._facts[session_id], recording, cites)
        return next((entry for entry in view.entries if entry.cites), None)


def _spread(citations: Iterable[str]) -> Sequence[str]:
    """Put the first citation of every session before the second of any."""
    by_session: dict[str, list[str]] = {}
    for citation in dict.fromkeys(citations):
        by_session.setdefault(citation.partition("/")[0], []).append(citation)
    ranked = [
        (rank, place, citation)
        for place, own in enumerate(by_session.values())
        for rank, citation in enumerate(own)
    ]
    return [citation for _, _, citation in sorted(ranked)]
