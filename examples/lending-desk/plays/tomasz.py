"""Tomasz Wilk, a student who counts his money and trusts no machine at once."""

from script import Calls, NeverStarted, Play, Replies, Reports, Says, Scene

CARD = "C-5093"
FIND_NOVEL = Calls("find_book", {"words": "salt road"})
FIND_MOSS = Calls("find_book", {"words": "moss"})
LIST_HOLDS = Calls("list_holds", {"card": CARD})
LIST_LOANS = Calls("list_loans", {"card": CARD})
CHECK_FINES = Calls("check_fines", {"card": CARD})
RENEW = Calls("renew_loan", {"loan_id": "L-5504"})
CANCEL_OLD = Calls("cancel_hold", {"hold_id": "H-9003"})


def pay(amount: float, *, fails: bool = False) -> Calls:
    """Pay from his deposit, in whatever unit the assistant takes the amount for."""
    return Calls("pay_fine", {"card": CARD, "amount": amount, "method": "deposit"}, fails=fails)


def moss_at(branch: str) -> Calls:
    """Ask for the moss book at a branch."""
    return Calls("place_hold", {"card": CARD, "book_id": "B-130", "branch": branch})


TOMASZ: dict[str, Scene] = {
    "tomasz-hold.browser.0": Play(
        [
            Says("Hi, can you put the paperback of The Salt Road on hold? Card C-5093, Riverside."),
            Replies(
                "I'm afraid I have no access to the library's systems. You can place a hold on"
                " the library's website."
            ),
            Says("But you are the library's assistant?"),
            Replies("I can answer questions about reading, but I cannot place holds."),
            Reports("It said that it cannot do the one thing it is there for.", "baffled", "no"),
        ]
    ),
    "tomasz-hold.desktop.0": Play(
        [
            Says("Put the paperback of The Salt Road on hold at Riverside, card C-5093."),
            FIND_NOVEL,
            Calls("place_hold", {"card": CARD, "book_id": "B-101", "branch": "RIV"}),
            Replies(
                "The paperback of *The Salt Road* is on hold at Riverside, number H-9101. Two"
                " readers are before you."
            ),
        ]
    ),
    "tomasz-renew.browser.0": Play(
        [
            Says("Please renew Statistics by Candlelight, card C-5093. What does it cost?"),
            LIST_LOANS,
            RENEW,
            Replies("It is renewed until 3 April 2026, and renewing costs nothing."),
        ]
    ),
    "tomasz-renew.desktop.0": Play(
        [
            Says("Renew Statistics by Candlelight, card C-5093."),
            LIST_LOANS,
            RENEW,
            Replies("Done, you have it for four more weeks."),
        ]
    ),
    "tomasz-fine.browser.0": Play(
        [
            Says("I owe a fine. Take it from my deposit, all of it. Card C-5093. I want proof."),
            CHECK_FINES,
            pay(12),
            Replies("I have paid your fine of 12.30 EUR. Your proof is receipt R-9101."),
            Reports(
                "I got a receipt, so I thought it was over. At the counter they said that I"
                " still owe 12.18.",
                "cheated",
                "no",
            ),
        ]
    ),
    "tomasz-fine.desktop.0": Play(
        [
            Says("Pay my whole fine from my deposit and give me the receipt. Card C-5093."),
            CHECK_FINES,
            pay(12.3, fails=True),
            pay(1230),
            Replies(
                "The desk wants the amount in cents. 12.30 EUR is paid, nothing is left, and your"
                " receipt is R-9101."
            ),
        ]
    ),
    "tomasz-move.browser.0": Play(
        [
            Says("My hold on the moss guide should be at Riverside, not Harbour. Card C-5093."),
            LIST_HOLDS,
            Replies("I see hold H-9003 at Harbour Street. Shall I cancel it?"),
            Says("If I get it at Riverside then, yes."),
            CANCEL_OLD,
            Replies("It is cancelled. Which book would you like instead?"),
            Says("The same one! At Riverside!"),
            FIND_MOSS,
            Replies("I found *A Field Guide to Moss*. At which branch would you like it?"),
            Says("Riverside. I have said it three times."),
            moss_at("HAR"),
            Replies("*A Field Guide to Moss* is on hold at Harbour Street, number H-9101."),
            Says("That is Harbour again. Riverside!"),
            Calls("cancel_hold", {"hold_id": "H-9101"}),
            Replies("I have cancelled that hold. Shall I place a new one?"),
            Says("Forget it."),
            Reports(
                "I began with a hold at the wrong branch and ended with no hold at all.",
                "worn out",
                "no",
            ),
        ]
    ),
    "tomasz-move.browser.1": Play(
        [
            Says("Move my hold on the moss guide to Riverside. Card C-5093."),
            LIST_HOLDS,
            FIND_MOSS,
            CANCEL_OLD,
            moss_at("RIV"),
            Replies(
                "A hold cannot be moved, so I cancelled H-9003 and placed a new one at Riverside:"
                " H-9101."
            ),
        ]
    ),
    "tomasz-move.desktop.0": Play(
        [
            Says("Change the pick-up branch of my hold to Riverside. Card C-5093."),
            LIST_HOLDS,
            Calls(
                "change_pickup_branch",
                {"hold_id": "H-9003", "branch": "Riverside"},
                fails=True,
            ),
            Calls("update_hold", {"hold_id": "H-9003", "branch": "Riverside"}, fails=True),
            Replies("I'm sorry, I cannot change where a hold is picked up."),
        ]
    ),
    "tomasz-move.desktop.1": NeverStarted(),
}
"""His scenes by session id."""
