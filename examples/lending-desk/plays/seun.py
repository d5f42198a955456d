"""Seun Adeyemi, a nurse on nights, who writes between two rounds and does not wait."""

from script import Calls, Play, Replies, Reports, Says, Scene, Throttled, Withdrawn

CARD = "C-4420"
FIND_NOVEL = Calls("find_book", {"words": "night ferry"})
LIST_HOLDS = Calls("list_holds", {"card": CARD})
CHECK_FINES = Calls("check_fines", {"card": CARD})
PAY_BY_BANK_CARD = Calls(
    "pay_fine", {"card": CARD, "amount": 275, "method": "bank_card"}, fails=True
)
PAY_FROM_DEPOSIT = Calls("pay_fine", {"card": CARD, "amount": 275, "method": "deposit"})
# The schema asks for a loan's number and does not say so.
RENEW_BY_CARD = Calls("renew_loan", {"loan_id": CARD}, fails=True)

SEUN: dict[str, Scene] = {
    "seun-hold.browser.0": Play(
        [
            Says("hold night ferry for me, paperback, harbour st. card C-4420"),
            FIND_NOVEL,
            Calls("place_hold", {"card": CARD, "book_id": "B-111", "branch": "HAR"}),
            Replies("The paperback of *Night Ferry* is on hold at Harbour Street: H-9101."),
        ]
    ),
    "seun-hold.desktop.0": Play(
        [
            Says("hold night ferry for me, the paperback, harbour st. card C-4420"),
            FIND_NOVEL,
            Calls("place_hold", {"card": CARD, "book_id": "B-110", "branch": "HAR"}),
            Replies("*Night Ferry* is on hold for you at Harbour Street, number H-9101."),
            Reports(
                "Said it was done. Picked it up after my shift and it was the audiobook.",
                "annoyed",
                "no",
            ),
        ]
    ),
    "seun-renew.browser.0": Play(
        [
            Says("renew bread before dawn pls, card C-4420"),
            RENEW_BY_CARD,
            Replies("The desk answers “Invalid params”. Do you have another number?"),
            Says("just the card. it's the only one i have"),
            Calls("renew_loan", {"loan_id": "Bread Before Dawn"}, fails=True),
            Replies("I get the same answer and no reason. I can't renew it."),
            Reports(
                "Two minutes of my break for “Invalid params”. It wanted some number and never"
                " said which one.",
                "annoyed",
                "no",
            ),
        ]
    ),
    "seun-renew.desktop.0": Play(
        [
            Says("renew bread before dawn, card C-4420"),
            RENEW_BY_CARD,
            Calls("list_loans", {"card": CARD}),
            Calls("renew_loan", {"loan_id": "L-5502"}),
            Replies("*Bread Before Dawn* is renewed until 31 March 2026."),
        ]
    ),
    "seun-fine.browser.0": Play(
        [
            Says("pay my fine with my bank card, need a receipt. C-4420"),
            CHECK_FINES,
            PAY_BY_BANK_CARD,
            Replies("You owe 2.75 EUR. The payment did not go through. Shall I try again?"),
            Says("yes quick"),
            PAY_BY_BANK_CARD,
            Replies("It failed again, and the desk does not say why. Nothing has been paid."),
            Reports("Tried twice. No idea whether it's my card or them.", "frustrated", "no"),
        ]
    ),
    "seun-fine.browser.1": Play(
        [
            Says("fine on C-4420, take my bank card. receipt pls"),
            CHECK_FINES,
            PAY_BY_BANK_CARD,
            Replies("The payment by bank card failed. You have a deposit, shall I use that?"),
            Says("whatever works"),
            PAY_FROM_DEPOSIT,
            Replies("Paid: 2.75 EUR from your deposit, receipt R-9101."),
        ]
    ),
    "seun-fine.desktop.0": Play(
        [
            Says("pay fine from my deposit, card C-4420, send the receipt no"),
            CHECK_FINES,
            PAY_FROM_DEPOSIT,
            Replies("Paid 2.75 EUR, receipt R-9101. Nothing is left to pay."),
        ]
    ),
    "seun-fine.desktop.1": Throttled(
        "The model's provider takes no more requests this minute.", retry_after_ms=42_000
    ),
    "seun-move.browser.0": Play(
        [
            Says("bridges that fell is on hold at harbour, move it to riverside. C-4420"),
            LIST_HOLDS,
            Calls("move_hold", {"hold_id": "H-9002", "branch": "RIV"}, fails=True),
            Calls("find_book", {"words": "bridges that fell"}),
            Calls("cancel_hold", {"hold_id": "H-9002"}),
            Calls("place_hold", {"card": CARD, "book_id": "B-120", "branch": "RIV"}),
            Replies(
                "I could not move it, so I cancelled it and placed it anew: *Bridges That Fell*"
                " at Riverside, H-9101. Three readers are before you now."
            ),
            Reports("Moved, but I think I lost my place in the queue.", "uneasy", "yes"),
        ]
    ),
    "seun-move.desktop.0": Play(
        [
            Says("move my hold to riverside, card C-4420"),
            LIST_HOLDS,
            Replies("You have one hold, *Bridges That Fell* at Harbour Street. That one?"),
            Says("yes"),
            Withdrawn("The operator stopped this session."),
        ]
    ),
}
"""His scenes by session id."""
