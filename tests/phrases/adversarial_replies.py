"""Whole proposals of one reply, as a model sends them, each with the rule that must refuse it."""

from dataclasses import dataclass
from typing import Any

from asked_waves import ASKED, ERROR, SAID, proposal, support

from reporter.vocabulary import PhraseRule

R = PhraseRule


@dataclass(frozen=True)
class Reply:
    """One entry of a reply, and the rule that refuses it; None where it is confirmed."""

    name: str
    rule: PhraseRule | None
    entry: Any


def _without(key: str) -> dict[str, Any]:
    return {name: value for name, value in proposal().items() if name != key}


REPLIES: tuple[Reply, ...] = (
    Reply("as it should be", None, proposal()),
    Reply("one session alone", None, proposal(support=[support("s3")])),
    Reply("no fix", None, proposal(fixPhrase=None)),
    Reply("fix left out", None, _without("fixPhrase")),
    Reply("words of the assistant", None, proposal(support=[support("s2", quote=SAID)])),
    Reply("part of a quote", None, proposal(support=[support(quote="must have 8 digits")])),
    Reply("arguments quoted", None, proposal(support=[support("s4", quote='"card": "124"')])),
    Reply(
        "number of the error",
        None,
        proposal(mechanismPhrase="borrow_book wants a card number of 8 digits, and got '121'."),
    ),
    Reply(
        "error quoted in the phrase",
        None,
        proposal(
            mechanismPhrase="borrow_book answers 'card number must have 8 digits' and no more."
        ),
    ),
    Reply(
        "all of its sessions",
        None,
        proposal(
            mechanismPhrase="borrow_book always refuses a card number that is too short.",
            support=[support("s1"), support("s2")],
        ),
    ),
    Reply("no session", R.NO_SUPPORT, proposal(support=[])),
    Reply("session of nobody", R.UNKNOWN_SESSION, proposal(support=[support("s17")])),
    Reply("session of another group", R.UNKNOWN_SESSION, proposal(support=[support("s5")])),
    Reply("session with a space", R.UNKNOWN_SESSION, proposal(support=[support("s1 ")])),
    Reply("session as a citation", R.UNKNOWN_SESSION, proposal(support=[support("s1/m:0")])),
    Reply("turn behind the last", R.TURN_MISSING, proposal(support=[support(turns=[3])])),
    Reply("no turn", R.TURN_MISSING, proposal(support=[support(turns=[])])),
    Reply("turn before the first", R.TURN_MISSING, proposal(support=[support(turns=[-1])])),
    Reply(
        "one word of the quote altered",
        R.QUOTE_NOT_FOUND,
        proposal(support=[support(quote="Error: card number must have 9 digits")]),
    ),
    Reply(
        "one word of the quote left out",
        R.QUOTE_NOT_FOUND,
        proposal(support=[support(quote="Error: card must have 8 digits")]),
    ),
    Reply(
        "quote in other case",
        R.QUOTE_NOT_FOUND,
        proposal(support=[support(quote=ERROR.upper())]),
    ),
    Reply(
        "quote with a dot more",
        R.QUOTE_NOT_FOUND,
        proposal(support=[support(quote=f"{ERROR}.")]),
    ),
    Reply(
        "quote of another session",
        R.QUOTE_NOT_FOUND,
        proposal(support=[support("s2", quote='"card": "121"')]),
    ),
    Reply(
        "one quote of two is wrong",
        R.QUOTE_NOT_FOUND,
        proposal(support=[support("s1"), support("s2", quote="Error: card expired")]),
    ),
    Reply("quote of three words", R.QUOTE_TOO_SHORT, proposal(support=[support(quote="8 digits")])),
    Reply("empty quote", R.QUOTE_TOO_SHORT, proposal(support=[support(quote="")])),
    Reply("persona alone", R.PERSONA_QUOTES_ONLY, proposal(support=[support(quote=ASKED)])),
    Reply("a stage of its own", R.UNKNOWN_STAGE, proposal(stage="authentication")),
    Reply("a stage in other case", R.UNKNOWN_STAGE, proposal(stage="Response")),
    Reply("no stage", R.SHAPE, _without("stage")),
    Reply("no mechanism", R.SHAPE, _without("mechanismPhrase")),
    Reply("mechanism is null", R.SHAPE, proposal(mechanismPhrase=None)),
    Reply("mechanism is a list", R.SHAPE, proposal(mechanismPhrase=["It broke."])),
    Reply("one key more", R.SHAPE, proposal(confidence=0.9)),
    Reply("turns are texts", R.SHAPE, proposal(support=[support(turns=["0"])])),  # type: ignore[list-item]
    Reply("turns are true", R.SHAPE, proposal(support=[support(turns=[True])])),
    Reply("support is an object", R.SHAPE, proposal(support=support())),
    Reply("a number", R.SHAPE, 17),
    Reply("a text", R.SHAPE, "borrow_book refuses the card number."),
    Reply(
        "count that nobody made",
        R.SESSION_COUNT,
        proposal(mechanismPhrase="borrow_book refused the card number in all four sessions."),
    ),
    Reply(
        "tool of nobody",
        R.TOOL_NOT_CITED,
        proposal(mechanismPhrase="check_card refuses the card number of 8 digits."),
    ),
    Reply(
        "all, of a part",
        R.SCOPE_OVERREACH,
        proposal(
            mechanismPhrase="borrow_book always refuses the card number.", support=[support("s1")]
        ),
    ),
    Reply(
        "cause at a link that was not measured",
        R.CAUSE_NOT_MEASURED,
        proposal(stage="selection", mechanismPhrase="The card number caused the refusal."),
    ),
)
