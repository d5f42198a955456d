"""Cited places in recorded words: to the letter, from several sessions, bounded."""

from collections.abc import Sequence

from builders import Json, assistant, call, result, user
from finding_waves import facts_of, signals
from report_waves import transcripts_of

from reporter.models.facts import CallFact, SessionFacts
from reporter.models.wave import Transcripts
from reporter.view.places import Places
from reporter.view.quotes import QUOTE_CHARS, Quotes
from reporter.vocabulary import Signal

TALK: Sequence[Json] = [
    user("I want **a book**."),
    call("c1", "find_book"),
    result("c1", "Error: no such title", isError=True),
    assistant("There is _none_, I am afraid.", index=1),
]


def quotes_of(*session_ids: str, transcripts: Transcripts | None = None) -> Quotes:
    facts = {one: facts_for(one) for one in session_ids}
    read = transcripts or transcripts_of(dict.fromkeys(session_ids, TALK))
    return Quotes(facts, read, Places(frozenset(session_ids)), {one: one for one in session_ids})


def facts_for(session_id: str) -> SessionFacts:
    failed = CallFact("c1", "find_book", 0, error="isError", error_text="Error: no such title")
    return facts_of(session_id, tool_calls=(failed,), **signals(Signal.TOOL_ERRORED))


def test_a_message_is_quoted_as_recorded_with_its_markup() -> None:
    (quote,) = quotes_of("s1").of(["s1/m:0"])
    assert (quote.text, quote.is_cut, quote.is_code) == ("I want **a book**.", False, False)
    assert quote.place.label == "s1, message m0"
    assert quote.place.href.startswith("#")


def test_a_call_is_quoted_by_its_result_and_an_error_is_called_one() -> None:
    (quote,) = quotes_of("s1").of(["s1/t:c1"])
    assert (quote.text, quote.is_code) == ("Error: no such title", True)
    assert quote.by == "Result of find_book, an error"


def test_a_signal_is_quoted_by_the_call_that_it_was_seen_at() -> None:
    (quote,) = quotes_of("s1").of(["s1/signal:toolErrored:0"])
    assert quote.text == "Error: no such title"


def test_three_quotations_come_from_three_sessions_where_they_can() -> None:
    talks: dict[str, Sequence[Json]] = {
        one: [user(f"I am {one}."), assistant(f"Hello {one}.", index=1)]
        for one in ("s1", "s2", "s3")
    }
    found = quotes_of("s1", "s2", "s3", transcripts=transcripts_of(talks)).of(
        ["s1/m:0", "s1/m:1", "s2/m:0", "s3/m:0"]
    )
    assert [quote.text for quote in found] == ["I am s1.", "I am s2.", "I am s3."]


def test_the_same_words_are_quoted_once() -> None:
    found = quotes_of("s1", "s2").of(["s1/m:0", "s2/m:0"])
    assert len(found) == 1


def test_a_long_place_is_cut_and_says_so() -> None:
    talks: dict[str, Sequence[Json]] = {"s1": [user("word " * 400)]}
    (quote,) = quotes_of("s1", transcripts=transcripts_of(talks)).of(["s1/m:0"])
    assert quote.is_cut
    assert len(quote.text) <= QUOTE_CHARS


def test_a_place_that_is_not_there_gives_no_quotation() -> None:
    assert quotes_of("s1").of(["s1/m:99", "s9/m:0", "s1/k:connection", "s1"]) == ()


def test_without_a_recording_nothing_is_quoted() -> None:
    assert Quotes({}, None, Places(), {}).of(["s1/m:0"]) == ()
