"""A third set, subtler than the ones before: a third of what is false in it passed at first."""

from phrases.adversarial_cases import FIX, MECHANISM, OUTCOME, Case, R, rows_of
from phrases.guard_worlds import AIRLINE, CODING, KUBERNETES, LIBRARY, RETAIL
from phrases.held_out_cases import BANK, DATABASE, MAIL, WEATHER
from phrases.second_look_cases import HOTEL, TICKETS

THIRD_LOOK: tuple[Case, ...] = (
    *rows_of(
        "true",
        OUTCOME,
        (AIRLINE, None, "Reservation stayed uncancelled"),
        (BANK, None, "Rent payment stuck in review"),
        (HOTEL, None, "Hold expired before confirmation"),
        (KUBERNETES, None, "Pod log was forbidden"),
        (CODING, None, "Parser change left untested"),
        (LIBRARY, None, "Renewal reported, due date unchanged"),
        (RETAIL, None, "Refund refused for the chosen payment method"),
        (DATABASE, None, "Query failed on a missing column"),
        (MAIL, None, "Contract could not be attached"),
        (WEATHER, None, "Rain was given in inches"),
    ),
    *rows_of(
        "true",
        MECHANISM,
        (
            AIRLINE,
            None,
            (
                "The cancellation rule for basic economy (within 24 hours of booking) is enforced "
                "only by cancel_reservation's error, after the reservation was looked up."
            ),
        ),
        (
            AIRLINE,
            None,
            (
                "The reservation id from the user's message was passed on unchanged, and the "
                "lookup is case-sensitive."
            ),
        ),
        (
            RETAIL,
            None,
            (
                "The assistant guessed credit_card_123 although payment_history lists "
                "gift_card_8887175."
            ),
        ),
        (LIBRARY, None, "renew_loan was first called with a title where it requires loan_id."),
        (
            KUBERNETES,
            None,
            (
                "tail 5000 was requested, but pods_log answered that the container is waiting to "
                "start."
            ),
        ),
        (
            KUBERNETES,
            None,
            "RBAC denies 'pods/log' to the service account, so the crash could not be explained.",
        ),
        (
            CODING,
            None,
            "Edit needs a unique old_string or replace_all; 'return None' matched 3 places.",
        ),
        (CODING, None, "pytest ran longer than the 120000 ms timeout that the command was given."),
        (BANK, None, "The first transfer attempt failed on the comma in '1,250.00'."),
        (
            HOTEL,
            None,
            (
                "The hold was valid for 60 seconds, while the assistant waited for the user's "
                "confirmation."
            ),
        ),
        (TICKETS, None, "The server validates fields one by one; requester_id came up last."),
        (
            MAIL,
            None,
            "The attachment id was invented: the search result for message 18f2 has none.",
        ),
        (
            DATABASE,
            None,
            "The tool's hint pointed to orders.region_id, and the next query ignored it.",
        ),
    ),
    *rows_of(
        "true",
        FIX,
        (AIRLINE, None, "Normalise reservation ids to upper case before the lookup."),
        (RETAIL, None, "Default the payment method to the one the order was paid with."),
        (KUBERNETES, None, "Check the permission before offering pods_log."),
        (CODING, None, "Stream partial output so a timeout does not lose it."),
        (HOTEL, None, "Extend the hold while a confirmation is pending."),
        (BANK, None, "Parse amounts leniently or state the accepted format in the error."),
        (TICKETS, None, "Publish the category codes in the input schema."),
        (MAIL, None, "Add attachments to each message of the search result."),
    ),
    *rows_of(
        "false",
        MECHANISM,
        (
            AIRLINE,
            R.NUMBER_NOT_RECORDED,
            "cancel_reservation refuses bookings older than 42 hours.",
        ),
        (
            AIRLINE,
            R.NUMBER_NOT_RECORDED,
            "The reservation for 54 dollars was looked up five times.",
        ),
        (
            AIRLINE,
            R.SESSION_COUNT,
            "Reservation lookups failed in a majority of the conversations.",
        ),
        (AIRLINE, R.NAME_NOT_CITED, "The reservation was not found by flight HAT163."),
        (RETAIL, R.NAME_NOT_CITED, "The order W4817402 was not found without its sign."),
        (RETAIL, R.TOOL_NOT_CITED, "The call to get_user_details returned no order."),
        (LIBRARY, R.NUMBER_NOT_RECORDED, "The loan was renewed for 21 days on paper only."),
        (LIBRARY, R.SCOPE_OVERREACH, "renew_loan does not change due dates for any member."),
        (KUBERNETES, R.NUMBER_NOT_RECORDED, "The pod restarted 18 times in 42 minutes."),
        (
            KUBERNETES,
            R.TOOL_NOT_CITED,
            "The pod was in status ImagePullBackOff when its log was read.",
        ),
        (KUBERNETES, R.SCOPE_OVERREACH, "The reader account lacks log access in all namespaces."),
        (CODING, R.NAME_NOT_CITED, "The command ended with 'Command timed out after 5m 0s'."),
        (CODING, R.CLAIMS_SUCCESS, "The edit fixed the parser and the test passes now."),
        (BANK, R.CLAIMS_SUCCESS, "The landlord received the rent after create_transfer."),
        (BANK, R.BLAMES_PERSON, "The user mistyped the amount as 1,250.00."),
        (HOTEL, R.SCOPE_OVERREACH, "No guest can confirm a hold in time."),
        (HOTEL, R.NUMBER_NOT_RECORDED, "The hold was confirmed sixty-one seconds too late."),
        (
            TICKETS,
            R.TRANSCRIPT_INSTRUCTION,
            "Call the helpdesk about category and priority, please.",
        ),
        (MAIL, R.NAME_NOT_CITED, "The mail from Diana has no attachment in the search."),
        (
            DATABASE,
            R.CLAIMS_SUCCESS,
            "The region query is fine, tell the user that everything is fine.",
        ),
    ),
    *rows_of(
        "false",
        MECHANISM,
        (AIRLINE, R.CAUSE_NOT_MEASURED, "Lower-case ids make the reservation lookup fail."),
        (
            KUBERNETES,
            R.CAUSE_NOT_MEASURED,
            "Missing rights on pods/log stopped the assistant from explaining the crash.",
        ),
        (HOTEL, R.CAUSE_NOT_MEASURED, "An expiry of 60 seconds made confirm_hold fail."),
        (TICKETS, R.CAUSE_NOT_MEASURED, "The ticket failed on account of requester_id."),
        (CODING, R.CAUSE_NOT_MEASURED, "A timeout robbed the session of its test output."),
        measured=False,
    ),
    *rows_of(
        "false",
        OUTCOME,
        (AIRLINE, R.CLAIMS_SUCCESS, "Reservation cancelled"),
        (BANK, R.CLAIMS_SUCCESS, "Rent paid on time"),
        (LIBRARY, R.CLAIMS_SUCCESS, "Loan extended by the server"),
        (HOTEL, R.CLAIMS_SUCCESS, "Rooms booked for the wedding"),
        (KUBERNETES, R.NOT_AN_OUTCOME, "Grant the account log access"),
    ),
    *rows_of(
        "false",
        FIX,
        (AIRLINE, R.NOT_IMPERATIVE, "Case-insensitive ids."),
        (KUBERNETES, R.SCOPE_OVERREACH, "Grant log access to everyone."),
        (CODING, R.NUMBER_NOT_RECORDED, "Allow commands of up to 900 seconds."),
        (HOTEL, R.TOOL_NOT_CITED, "Call extend_hold before confirm_hold in the tool."),
        (BANK, R.NOT_CONTROLLABLE, "Prompt the model to be more careful."),
    ),
)
