"""A second look as a person reads it on a terminal."""

from collections.abc import Iterator

from reporter.phrases.review import OpenLook
from reporter.view.text import clean, one_line

_WORDS = 400


def look_lines(look: OpenLook, number: int, total: int) -> Iterator[str]:
    """Yield the lines of one look: the claim, then the cited turns as recorded.

    Recorded and proposed words move no terminal.
    """
    fate = look.proposal
    stage = fate.stage.label if fate.stage is not None else "no link"
    yield ""
    yield f"--- {number} of {total}: proposal {fate.key}, {stage}"
    yield f"A model proposes (not a finding): {one_line(fate.mechanism_phrase, _WORDS)}"
    yield f"What happened, it says: {one_line(fate.outcome_phrase, _WORDS)}"
    turns = ", ".join(str(turn + 1) for turn in look.turns)
    yield f"It cites session {one_line(look.session_id, 80)}, turn {turns}, and quotes:"
    yield f"  {one_line(look.quote, _WORDS)}"
    yield "The cited turns, as recorded (counted from 0):"
    for line in clean(look.text).splitlines():
        yield f"  | {line}"
    if look.answer is not None:
        who = "You" if look.by_person else "A model"
        yield f"{who} said before: {look.answer.label}."
