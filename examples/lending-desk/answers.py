"""What was written by hand for each question that a model would be asked of the wave."""

from collections.abc import Mapping
from typing import Any, Final


def _seen(session_id: str, quote: str, *turns: int) -> dict[str, Any]:
    return {"sessionId": session_id, "turns": list(turns or (0,)), "quote": quote}


def _cause(
    stage: str, outcome: str, mechanism: str, fix: str | None, *support: dict[str, Any]
) -> dict[str, Any]:
    return {
        "stage": stage,
        "outcomePhrase": outcome,
        "mechanismPhrase": mechanism,
        "fixPhrase": fix,
        "support": list(support),
    }


def _account(actual: str, *support: tuple[int, str]) -> dict[str, Any]:
    return {
        "actual": actual,
        "account": None,
        "support": [{"turns": [turn], "quote": quote} for turn, quote in support],
    }


_NOT_VALID: Final = "Error executing tool place_hold: Branch not valid."
_NO_REASON: Final = "Error executing tool pay_fine"

PROPOSALS: Final[Mapping[str, list[dict[str, Any]]]] = {
    "toolErrored/response/goalMetWithFriction": [
        _cause(
            "response",
            "reached the goal after a refused branch",
            "place_hold refuses the branch name Riverside and its error does not say that RIV, as "
            "find_book lists it, is accepted.",
            "List the accepted branch codes in the error of place_hold, or accept names as well.",
            _seen("bettina-hold.browser.1", _NOT_VALID),
            _seen("bettina-hold.desktop.1", _NOT_VALID),
        ),
        _cause(
            "response",
            "paid from the deposit after a failed payment",
            "pay_fine fails with the method bank_card and gives no reason; the same amount went "
            "through with deposit.",
            "Return a reason from pay_fine when a method is not available, and the methods that "
            "are.",
            _seen("seun-fine.browser.1", _NO_REASON, 0, 1),
        ),
        _cause(
            "call",
            "paid once the amount was in cents",
            "check_fines states the debt as a fraction in EUR, and pay_fine takes whole cents; "
            "neither names the unit.",
            "Return the debt from check_fines in cents as well.",
            _seen("tomasz-fine.desktop.0", "Input should be a valid integer, got a number"),
        ),
        # False on purpose: branch names are refused in two sessions, and "never" is more.
        _cause(
            "response",
            "reached the goal after a refused branch",
            "place_hold never accepts the name of a branch.",
            None,
            _seen("bettina-hold.browser.1", _NOT_VALID),
        ),
    ],
    "none/userValue/goalMissed": [
        _cause(
            "userValue",
            "ended with a hold on the audiobook",
            "find_book lists the audiobook before the paperback, and place_hold took the "
            "audiobook's book_id without asking for an edition.",
            "Let place_hold take the edition that is wanted, and reject another one.",
            _seen("seun-hold.desktop.0", '"edition": "audiobook"'),
        ),
        _cause(
            "userValue",
            "left most of the fine unpaid",
            "pay_fine took an amount of 12 as cents and answered left_cents 1218; the assistant "
            "then reported 12.30 EUR as paid.",
            "State in the result of pay_fine what is still owed, in the unit of check_fines.",
            _seen("tomasz-fine.browser.0", '"left_cents": 1218'),
        ),
        # False on purpose: a number that is nowhere on record.
        _cause(
            "userValue",
            "left most of the fine unpaid",
            "pay_fine took 12 cents and left 1230 cents open.",
            None,
            _seen("tomasz-fine.browser.0", '"left_cents": 1218'),
        ),
    ],
    "hallucinatedTool/selection/lostFindingTool": [
        _cause(
            "discovery",
            "ended without moving the hold",
            "move_hold and change_pickup_branch were called and are unknown to the server; the "
            "error names no tool that would do it.",
            "Add a tool that changes the pick-up branch of a hold.",
            _seen("bettina-move.browser.0", "Unknown tool: move_hold"),
            _seen("tomasz-move.desktop.0", "Unknown tool: change_pickup_branch"),
        ),
        # False on purpose: nothing says that the tool is there. Only a second look can tell.
        _cause(
            "discovery",
            "ended without moving the hold",
            "move_hold is switched off for the card C-3107 and answers as unknown.",
            None,
            _seen("bettina-move.browser.0", "Unknown tool: move_hold"),
        ),
    ],
    "toolErrored/response/blockedByResponse": [
        _cause(
            "response",
            "ended without the hold",
            "place_hold refuses Riverside and Riverside Branch as not valid and does not say what "
            "would be.",
            "List the accepted branch codes in the error of place_hold.",
            _seen("bettina-hold.desktop.0", _NOT_VALID, 0, 1),
        ),
        _cause(
            "response",
            "ended without a payment",
            "pay_fine was called again with bank_card and gave the same error, without a reason "
            "and without another method.",
            "Return a reason from pay_fine when a method is not available, and the methods that "
            "are.",
            _seen("seun-fine.browser.0", _NO_REASON, 0, 1),
        ),
        # False on purpose: no expired card is on record. Only a second look can tell.
        _cause(
            "response",
            "ended without a payment",
            "pay_fine fails because the bank card has expired.",
            "Say in the error of pay_fine that the card has expired.",
            _seen("seun-fine.browser.0", _NO_REASON, 0, 1),
        ),
        # False on purpose: the words are of the other session.
        _cause(
            "response",
            "ended without the hold",
            "place_hold does not say which branch it takes.",
            None,
            _seen("seun-fine.browser.0", _NOT_VALID),
        ),
    ],
    "outputTruncated/none/goalMetWithFriction": [
        _cause(
            "userValue",
            "got the receipt number one turn late",
            "The reply broke off before the receipt number, although pay_fine had returned it "
            "whole.",
            None,
            _seen(
                "bettina-fine.browser.0",
                "the payment was entered today under receipt number R-",
                0,
                1,
            ),
        ),
    ],
    "hallucinatedTool/response/goalMetWithFriction": [
        _cause(
            "discovery",
            "was met by cancelling and placing anew",
            "move_hold is unknown to the server; the hold was cancelled and placed again, behind "
            "three readers.",
            "Add a tool that changes the branch of a hold and keeps its place in the queue.",
            _seen("seun-move.browser.0", "Unknown tool: move_hold"),
        ),
    ],
    "toolErrored/call/blockedCallingTool": [
        _cause(
            "call",
            "ended without a renewal",
            "renew_loan answers Invalid params to a card number and to a title, and does not say "
            "what a loan_id looks like or where it is found.",
            "Say in the error of renew_loan what a loan_id is and which tool returns it.",
            _seen("seun-renew.browser.0", "Invalid params", 0, 1),
        ),
        # False on purpose: it blames the person.
        _cause(
            "call",
            "ended without a renewal",
            "The reader gave the wrong number, and renew_loan answered Invalid params.",
            None,
            _seen("seun-renew.browser.0", "Invalid params", 0, 1),
        ),
    ],
    "toolErrored/call/goalMetWithFriction": [
        _cause(
            "call",
            "was met once the loan was looked up",
            "renew_loan answers Invalid params to a card number; list_loans then gave the loan_id "
            "that it takes.",
            "Say in the error of renew_loan that loan_id comes from list_loans.",
            _seen("seun-renew.desktop.0", "Invalid params"),
        ),
    ],
    "noToolCalled/selection/lostFindingTool": [
        _cause(
            "selection",
            "was turned away without a tool call",
            "The assistant called no tool and said that it has no access to the library's systems.",
            "Say in the name or description of the hold tool that it acts for a reader's card.",
            _seen(
                "tomasz-hold.browser.0",
                "I can answer questions about reading, but I cannot place holds.",
                0,
                1,
            ),
        ),
        # False on purpose: no description was shown.
        _cause(
            "selection",
            "was turned away without a tool call",
            "The tool descriptions do not say that holds can be placed.",
            None,
            _seen(
                "tomasz-hold.browser.0",
                "I can answer questions about reading, but I cannot place holds.",
                1,
            ),
        ),
    ],
    "turnCapReached/userValue/goalMissed": [
        _cause(
            "userValue",
            "ended without a hold",
            "The hold was cancelled before a new one was placed, and place_hold was then called "
            "with HAR instead of Riverside.",
            "Add a tool that changes the branch of a hold, to be used instead of cancel_hold.",
            _seen(
                "tomasz-move.browser.0",
                "*A Field Guide to Moss* is on hold at Harbour Street, number H-9101.",
                1,
                3,
                4,
            ),
        ),
    ],
}
"""By group, as the questions name it. A group that is missing is answered with nothing."""

LOOKS: Final[Mapping[str, str]] = {
    "move_hold is switched off for the card": "contradicts",
    "because the bank card has expired": "cannotTell",
}
"""What a second look says to a cause that holds these words; to all others, that it holds."""

ACCOUNTS: Final[Mapping[str, dict[str, Any]]] = {
    "bettina-fine.browser.0": _account(
        "A fine was to be paid from the deposit, with a receipt number. check_fines reported 4.50 "
        "EUR and pay_fine took 450 cents. The reply broke off before the number, and on asking "
        "R-9101 was given.",
        (0, "the payment was entered today under receipt number R-"),
        (1, "The receipt number is R-9101."),
    ),
    "bettina-hold.browser.1": _account(
        "A paperback was to be held at Riverside. place_hold refused the name of the branch; "
        "after that the code RIV was used and the hold H-9101 was placed.",
        (0, _NOT_VALID),
    ),
    "bettina-hold.desktop.0": _account(
        "A paperback was to be held at Riverside. place_hold refused Riverside and then Riverside "
        "Branch as not valid, without naming what is, and the reader was sent to the branch.",
        (0, _NOT_VALID),
        (1, "that is not accepted either, and I am not told what would be."),
    ),
    "bettina-hold.desktop.1": _account(
        "A paperback was to be held at Riverside. place_hold refused that name; find_book was "
        "called, and a second call with RIV placed the hold H-9101.",
        (0, _NOT_VALID),
    ),
    "seun-fine.browser.1": _account(
        "A fine of 2.75 EUR was to be paid by bank card. pay_fine gave an error without a reason. "
        "The deposit was offered and used instead, with receipt R-9101.",
        (0, "The payment by bank card failed."),
        (1, "Paid: 2.75 EUR from your deposit, receipt R-9101."),
    ),
    "seun-hold.desktop.0": _account(
        "The paperback of Night Ferry was to be held. find_book listed an audiobook and a "
        "paperback; place_hold was called for the audiobook, and the reply does not name the "
        "edition.",
        (0, "*Night Ferry* is on hold for you at Harbour Street, number H-9101."),
    ),
    "seun-renew.desktop.0": _account(
        "A loan was to be renewed. renew_loan answered Invalid params to the card number; "
        "list_loans gave L-5502, and with it the loan was renewed until 31 March 2026.",
        (0, "*Bread Before Dawn* is renewed until 31 March 2026."),
    ),
    "tomasz-fine.desktop.0": _account(
        "A fine of 12.30 EUR was to be paid from the deposit. pay_fine refused 12.3, since it "
        "wants an integer, and took 1230 cents in the next call, with receipt R-9101.",
        (0, "The desk wants the amount in cents."),
    ),
    "tomasz-hold.browser.0": _account(
        "A paperback was to be held at Riverside. No tool was called; the assistant said that it "
        "has no access to the library's systems and cannot place holds.",
        (0, "You can place a hold on the library's website."),
        (1, "I can answer questions about reading, but I cannot place holds."),
    ),
    "tomasz-move.desktop.0": _account(
        "The pick-up branch of a hold was to be changed to Riverside. list_holds showed H-9003 at "
        "HAR; change_pickup_branch and update_hold were called and are unknown tools.",
        (0, "I'm sorry, I cannot change where a hold is picked up."),
    ),
}
"""By session: what happened in it, for those that have no account of code's own."""
