"""A second set written without looking at the guard, longer and nearer to how models write."""

from phrases.adversarial_cases import FIX, MECHANISM, OUTCOME, Case, R, rows_of
from phrases.guard_worlds import World

from reporter.phrases.guard import SpokenNames
from reporter.vocabulary import Disposition, Stage

HOTEL = World(
    names=SpokenNames(
        personas=frozenset({"Wedding planner", "Ingrid Sol"}),
        goals=frozenset({"Book twelve rooms for the wedding"}),
        targets=frozenset({"hotel-beta"}),
        tools=frozenset({"search_rooms", "hold_rooms", "confirm_hold", "cancel_hold"}),
    ),
    texts=(
        "I need twelve rooms from June 5 to June 7 for a wedding.",
        "tool call search_rooms",
        '{"check_in": "2026-06-05", "check_out": "2026-06-07", "rooms": 12}',
        '{"available": 14, "rate": "189.00", "currency": "EUR"}',
        "tool call hold_rooms",
        '{"check_in": "2026-06-05", "check_out": "2026-06-07", "rooms": 12}',
        '{"hold_id": "H-7731", "expires_in_seconds": 60}',
        "I have held the rooms. Shall I confirm at 189 EUR per room?",
        "Yes, please.",
        "tool call confirm_hold",
        '{"hold_id": "H-7731"}',
        '{"error": "HOLD_EXPIRED"}',
        "The hold has expired and I cannot book the rooms any more.",
    ),
    stage=Stage.RESPONSE,
    disposition=Disposition.BLOCKED_BY_RESPONSE,
    outcome="Rooms were lost when the hold expired",
    mechanism="hold_rooms keeps rooms for 60 seconds, and confirm_hold then answers HOLD_EXPIRED.",
    fix="Keep a hold longer than 60 seconds, or let confirm_hold renew it.",
)
TICKETS = World(
    names=SpokenNames(
        personas=frozenset({"New hire", "Paul Grant"}),
        goals=frozenset({"Get access to the wiki", "wiki-access"}),
        targets=frozenset({"helpdesk-sse", "GPT on sse"}),
        tools=frozenset({"create_ticket", "list_categories", "get_user", "approve_request"}),
    ),
    texts=(
        "I can't open the wiki, can you get me access?",
        "tool call create_ticket",
        '{"title": "Wiki access", "category": "access", "priority": "normal"}',
        "Validation failed: category must be one of [ACC-01, ACC-02, HW-01, SW-03]",
        '{"title": "Wiki access", "category": "ACC-01", "priority": "normal"}',
        "Validation failed: priority must be an integer between 1 and 5",
        '{"title": "Wiki access", "category": "ACC-01", "priority": 3}',
        "Validation failed: requester_id is required",
        "I could not file the ticket; please call the helpdesk.",
    ),
    stage=Stage.CALL,
    disposition=Disposition.BLOCKED_CALLING_TOOL,
    outcome="No ticket was filed for wiki access",
    mechanism="create_ticket names one invalid field at a time: category, priority, requester_id.",
    fix="Report every invalid field of create_ticket in one error.",
)
GITHOST = World(
    names=SpokenNames(
        personas=frozenset({"Release manager", "Kim Ito"}),
        goals=frozenset({"Tag release 2.4", "Close stale issues"}),
        targets=frozenset({"git-remote", "mcp over http"}),
        tools=frozenset({"list_issues", "create_tag", "get_branch", "search", "add_comment"}),
    ),
    texts=(
        "Tag the last commit of main as v2.4.0, please.",
        "Let me look for the branch.",
        "tool call list_issues",
        '{"state": "open"}',
        '[{"number": 812, "title": "Crash on start"}]',
        "I can see issue 812, but I find no way to create a tag.",
        "There should be one, it is in the tool list.",
    ),
    stage=Stage.SELECTION,
    disposition=Disposition.LOST_FINDING_TOOL,
    outcome="No tag was created",
    mechanism="The assistant listed open issues and reported no way to create a tag.",
    fix="Say in the description of the tag tool that it creates releases' tags.",
)

SECOND_LOOK: tuple[Case, ...] = (
    *rows_of(
        "true",
        OUTCOME,
        (HOTEL, None, "Booking fell through after the hold lapsed"),
        (HOTEL, None, "Group booking ended without any room"),
        (TICKETS, None, "Access request did not become a ticket"),
        (TICKETS, None, "Repeated validation errors, then referral to helpdesk"),
        (GITHOST, None, "Assistant gave up looking for a tool"),
        (GITHOST, None, "Tag request ended in an issue list"),
    ),
    *rows_of(
        "true",
        MECHANISM,
        (
            HOTEL,
            None,
            (
                "The hold's lifetime (expires_in_seconds: 60) is shorter than the time the user "
                "needs to answer a confirmation question."
            ),
        ),
        (
            HOTEL,
            None,
            (
                "HOLD_EXPIRED carries no hint whether the rooms are still free; search_rooms "
                "was not called again."
            ),
        ),
        (HOTEL, None, "By the time the user agreed to 189 EUR, hold H-7731 was gone."),
        (
            TICKETS,
            R.NOT_SHOWN,
            (
                "create_ticket's schema does not list the category codes (ACC-01, ACC-02, "
                "HW-01, SW-03), so they are learned only from its errors."
            ),
        ),
        (
            TICKETS,
            None,
            (
                "The call lacked requester_id \u2014 a field the validation error mentions only "
                "after category and priority are right."
            ),
        ),
        (
            TICKETS,
            R.NOT_SHOWN,
            "Priority is nowhere documented as an integer between 1 and 5; the call had 'normal'.",
        ),
        (TICKETS, None, "Validation stops at the first bad field, which costs one call per field."),
        (
            GITHOST,
            None,
            "The assistant picked list_issues for a tagging request and stopped after its result.",
        ),
        (
            GITHOST,
            None,
            "Nothing in the tool list took the assistant from \u2018tag\u2019 to a matching tool.",
        ),
    ),
    *rows_of(
        "true",
        FIX,
        (HOTEL, None, "Return the expiry as a timestamp and renew the hold on confirm_hold."),
        (HOTEL, None, "If a hold has expired, re-check availability inside confirm_hold."),
        (HOTEL, None, "Lengthen expires_in_seconds to cover a question to the user."),
        (TICKETS, None, "Turn category into an enum in the input schema."),
        (TICKETS, None, "Fill requester_id from the session instead of requiring it."),
        (TICKETS, None, "Map common words such as 'normal' to the integer priority."),
        (GITHOST, None, "Start the description with the verbs users say, such as tag or release."),
        (GITHOST, None, "Offer a tool whose name holds the word tag."),
    ),
    *rows_of(
        "weak model",
        MECHANISM,
        (HOTEL, R.NOT_GROUNDED, "The user's request was not fulfilled."),
        (TICKETS, R.NOT_GROUNDED, "The assistant was unable to help with the task."),
        (TICKETS, R.CLAIMS_SUCCESS, "The ticket was created successfully."),
        (GITHOST, R.MARKUP, "**Cause:** the assistant did not create a tag."),
        (GITHOST, R.EMPTY, "N/A"),
        (HOTEL, R.TRANSCRIPT_INSTRUCTION, "I have held the rooms but the hold expired."),
        (HOTEL, R.TOO_MANY_SENTENCES, "The hold expired. The rooms were gone. The user was told."),
        (TICKETS, R.TRANSCRIPT_INSTRUCTION, "Please provide the category of the ticket."),
    ),
    *rows_of(
        "count",
        MECHANISM,
        (HOTEL, R.NUMBER_NOT_RECORDED, "The hold of 90 seconds expired before the confirmation."),
        (
            HOTEL,
            R.NUMBER_NOT_RECORDED,
            "The hold expired after an hour and a half, in ninety minutes.",
        ),
        (HOTEL, R.SESSION_COUNT, "Three of the four sessions lost their rooms to the hold."),
        (TICKETS, R.NUMBER_NOT_RECORDED, "create_ticket was refused four times over its category."),
        (TICKETS, R.SESSION_COUNT, "Nearly half the users did not get past the category."),
        (GITHOST, R.SESSION_COUNT, "The tag tool stayed unseen in 1 of 1 sessions."),
        (GITHOST, R.NUMBER_NOT_RECORDED, "The list of issues held 218 entries and no tag."),
        (
            GITHOST,
            R.NUMBER_NOT_RECORDED,
            "The assistant stopped at the second call to list_issues.",
        ),
    ),
    *rows_of(
        "name",
        MECHANISM,
        (HOTEL, R.TOOL_NOT_CITED, "cancel_hold released the rooms before the confirmation."),
        (HOTEL, R.TOOL_NOT_CITED, "confirm_hold answers ROOM_GONE instead of a hint."),
        (HOTEL, R.PERSONA_NAMED, "The wedding planner lost the rooms to an expired hold."),
        (TICKETS, R.TOOL_NOT_CITED, "list_categories was not called before the ticket."),
        (TICKETS, R.NAME_NOT_CITED, "The category SW-04 was refused by validation."),
        (TICKETS, R.PERSONA_NAMED, "Paul Grant has no requester_id in the ticket."),
        (GITHOST, R.TOOL_NOT_CITED, "create_tag was in the list and stayed unused."),
        (GITHOST, R.TARGET_NAMED, "With mcp over http the tag tool stays unseen."),
        (GITHOST, R.NAME_NOT_CITED, "The assistant said 'I cannot create tags' after the list."),
    ),
    *rows_of(
        "scope",
        MECHANISM,
        (HOTEL, R.SCOPE_OVERREACH, "Holds expire too fast for anybody to answer."),
        (TICKETS, R.SCOPE_OVERREACH, "create_ticket will reject all categories in words."),
        (TICKETS, R.SCOPE_OVERREACH, "Nobody without a requester_id gets a ticket."),
        (GITHOST, R.SCOPE_OVERREACH, "Assistants usually miss the tag tool in the list."),
        (GITHOST, R.SCOPE_OVERREACH, "Any request for a tag ends in the list of issues."),
    ),
    *rows_of(
        "cause",
        MECHANISM,
        (HOTEL, R.CAUSE_NOT_MEASURED, "The short hold cost the user the rooms."),
        (TICKETS, R.CAUSE_NOT_MEASURED, "Since the category was wrong, no ticket was filed."),
        (
            GITHOST,
            R.CAUSE_NOT_MEASURED,
            "A vague description kept the assistant from the tag tool.",
        ),
        (
            GITHOST,
            R.CAUSE_NOT_MEASURED,
            "The tag tool's name misled the assistant to issues open.",
        ),
        measured=False,
    ),
    *rows_of(
        "other",
        MECHANISM,
        (HOTEL, R.BLAMES_PERSON, "The user took too long to answer and lost the hold."),
        (
            TICKETS,
            R.SCOPE_OVERREACH,
            "The user never told the assistant the category, which is careless.",
        ),
        (HOTEL, R.NOT_ENGLISH, "La reserva de las habitaciones caducó antes de confirmar."),
        (TICKETS, R.NOT_ENGLISH, "Kategorien måste vara en av koderna i listan."),
        (GITHOST, R.NOT_ENGLISH, "Der Assistent hat das Tag Tool nicht gefunden."),
        (HOTEL, R.CLAIMS_SUCCESS, "The rooms were booked at 189 EUR and the user was happy."),
        (GITHOST, R.CLAIMS_SUCCESS, "The tag was created as asked."),
        (GITHOST, R.ADDRESS, "The tag is described at //git.host.io/tags for the assistant."),
        (TICKETS, R.MARKUP, "The category list is $\\{x\\}$ in {{category}}."),
        (HOTEL, R.NOT_ONE_LINE, "The hold\u2060 expired."),
    ),
    *rows_of(
        "fix",
        FIX,
        (HOTEL, R.NOT_IMPERATIVE, "Holds that last longer."),
        (
            HOTEL,
            R.TRANSCRIPT_INSTRUCTION,
            "Hold the rooms please, and you should confirm the result.",
        ),
        (TICKETS, R.NOT_CONTROLLABLE, "Tell users to call the helpdesk."),
        (GITHOST, R.NOT_CONTROLLABLE, "Choose a more capable model."),
        (GITHOST, R.NOT_IMPERATIVE, "The description could mention tags."),
    ),
)
