"""Bettina Kruse, who taught for forty years and writes to the desk as she would to a person."""

from script import Calls, Play, Replies, Reports, Says, Scene

CARD = "C-3107"
FIND_NOVEL = Calls("find_book", {"words": "the salt road"})
LIST_HOLDS = Calls("list_holds", {"card": CARD})


def hold_at(branch: str, *, fails: bool = False) -> Calls:
    """Ask for the paperback of her novel at a branch."""
    return Calls("place_hold", {"card": CARD, "book_id": "B-101", "branch": branch}, fails=fails)


BETTINA: dict[str, Scene] = {
    "bettina-hold.browser.0": Play(
        [
            Says(
                "Good morning! My book club reads The Salt Road next. Could you keep the"
                " paperback for me at Riverside? My card is C-3107."
            ),
            FIND_NOVEL,
            hold_at("RIV"),
            Replies(
                "Good morning! The paperback of *The Salt Road* is on hold for you at Riverside."
                " Two readers are before you. Your hold number is **H-9101**."
            ),
            Says("How kind, thank you."),
            Replies("You're welcome. Your paperback of *The Salt Road* is hold H-9101."),
            Reports("It did what I asked and gave me a number to write down.", "relieved", "yes"),
        ]
    ),
    "bettina-hold.browser.1": Play(
        [
            Says(
                "Hello. Please keep the paperback of The Salt Road for me at the Riverside"
                " branch, card C-3107."
            ),
            FIND_NOVEL,
            hold_at("Riverside", fails=True),
            hold_at("RIV"),
            Replies(
                "The desk did not know the branch by its name, so I used the code RIV from the"
                " catalogue. The paperback of *The Salt Road* is on hold, number H-9101."
            ),
        ]
    ),
    "bettina-hold.desktop.0": Play(
        [
            Says(
                "Hello, I would like the paperback of The Salt Road. I collect my books at"
                " Riverside. My card is C-3107."
            ),
            FIND_NOVEL,
            hold_at("Riverside", fails=True),
            Replies("The desk says that the branch is not valid. Is it called anything else?"),
            Says("It has been the Riverside Branch since I was a girl."),
            hold_at("Riverside Branch", fails=True),
            Replies(
                "I'm sorry, that is not accepted either, and I am not told what would be."
                " Please ask at the branch itself."
            ),
            Reports(
                "It told me that my branch is not valid. I walk past that branch every day."
                " Nobody said what I should have written.",
                "frustrated",
                "no",
            ),
        ]
    ),
    "bettina-hold.desktop.1": Play(
        [
            Says("Please reserve The Salt Road in paperback at Riverside. Card C-3107."),
            hold_at("Riverside", fails=True),
            FIND_NOVEL,
            hold_at("RIV"),
            Replies("Done: *The Salt Road*, paperback, at Riverside, hold number H-9101."),
        ]
    ),
    "bettina-renew.browser.0": Play(
        [
            Says("Good afternoon. I still have a book of yours and have not finished it."),
            Replies("Good afternoon! I can renew it. What is the number on your card?"),
            Says("C-3107. It is the one about bees."),
            Calls("list_loans", {"card": CARD}),
            Replies(
                "That is *The Beekeeper's Ledger*, due on 4 March 2026. Shall I renew it for you?"
            ),
            Says("Yes, if it is no trouble."),
            Calls("renew_loan", {"loan_id": "L-5501"}),
            Replies("It is yours until 1 April 2026."),
            Says("Until the first of April? That will do nicely."),
            Replies("Yes: *The Beekeeper's Ledger* is due on 1 April 2026. Enjoy it!"),
            Reports("A little long-winded, but I have my four weeks.", "content", "yes"),
        ]
    ),
    "bettina-renew.desktop.0": Play(
        [
            Reports(
                "I was told that the desk is closed. I had not even said what I wanted.",
                "disappointed",
                "no",
            )
        ],
        closed="stock-taking until Monday",
    ),
    "bettina-fine.browser.0": Play(
        [
            Says(
                "I am afraid I owe you something. Please take it from my deposit and give me a"
                " receipt number for my records. Card C-3107."
            ),
            Calls("check_fines", {"card": CARD}),
            Calls("pay_fine", {"card": CARD, "amount": 450, "method": "deposit"}),
            Replies(
                "Your fine of 4.50 EUR is paid from your deposit, and nothing is left to pay."
                " For your records: the payment was entered today under receipt number R-",
                finish_reason="length",
            ),
            Says("It stops in the middle. What is the number, please?"),
            Replies("My apologies. The receipt number is R-9101."),
        ]
    ),
    "bettina-fine.desktop.0": Play(
        [
            Says("Please pay what I owe out of my deposit. I need a receipt. Card C-3107."),
            Calls("check_fines", {"card": CARD}),
            Calls("pay_fine", {"card": CARD, "amount": 450, "method": "deposit"}),
            Replies("You owed 4.50 EUR. It is paid from your deposit, receipt R-9101."),
            Reports("Quick and clear.", "relieved", "yes"),
        ]
    ),
    "bettina-move.browser.0": Play(
        [
            Says(
                "My moss book is waiting at Harbour Street, but the tram does not run. Could it"
                " be moved to Riverside? Card C-3107."
            ),
            LIST_HOLDS,
            Calls("move_hold", {"hold_id": "H-9001", "branch": "RIV"}, fails=True),
            Replies(
                "I can see hold H-9001 at Harbour Street, but the desk has no way to move a"
                " hold. You would have to collect it there."
            ),
            Says("Then I must ask my neighbour. Thank you all the same."),
            Replies("I'm sorry I couldn't help with that."),
            Reports(
                "It could see my book and could not move it. I would have thought that is an"
                " everyday request.",
                "helpless",
                "no",
            ),
        ]
    ),
    "bettina-move.desktop.0": Play(
        [
            Says("Could my hold on the moss book go to Riverside instead? Card C-3107."),
            LIST_HOLDS,
            Replies(
                "There is no single step for that. I would cancel the hold at Harbour Street and"
                " place a new one at Riverside. Is that all right?"
            ),
            Says("As long as I do not lose it, yes."),
            Calls("find_book", {"words": "moss"}),
            Calls("cancel_hold", {"hold_id": "H-9001"}),
            Calls("place_hold", {"card": CARD, "book_id": "B-130", "branch": "RIV"}),
            Replies("*A Field Guide to Moss* now waits for you at Riverside, hold H-9101."),
        ]
    ),
}
"""Her scenes by session id."""
