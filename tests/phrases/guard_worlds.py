"""Small recordings that phrases are about: what the cited turns hold, and the waves' names."""

from dataclasses import dataclass

from reporter.phrases.guard import PhraseEvidence, SpokenNames
from reporter.vocabulary import Disposition, Stage


@dataclass(frozen=True)
class World:
    """Cited turns, the names of their wave, and words about them that hold."""

    names: SpokenNames
    texts: tuple[str, ...]
    stage: Stage
    disposition: Disposition
    outcome: str
    mechanism: str
    fix: str

    def evidence(
        self,
        *,
        measured: bool = True,
        covers_all: bool = False,
        disposition: Disposition | None = None,
    ) -> PhraseEvidence:
        return PhraseEvidence(
            texts=self.texts,
            stage=self.stage,
            disposition=disposition or self.disposition,
            measured=measured,
            covers_all=covers_all,
        )


AIRLINE = World(
    names=SpokenNames(
        personas=frozenset({"Mia Lopez", "Skeptical flyer", "Jürgen Okafor"}),
        goals=frozenset({"Cancel the Denver trip", "Move to an earlier flight", "cancel-denver"}),
        targets=frozenset({"airline-prod", "Staging host", "gpt-4o airline"}),
        tools=frozenset(
            {
                *("get_reservation_details", "cancel_reservation", "search_direct_flight"),
                *("update_reservation_flights", "transfer_to_human_agents", "calculate"),
            }
        ),
    ),
    texts=(
        "Hi, please cancel my reservation ehglp3. I booked it yesterday.",
        "get_reservation_details",
        '{"reservation_id": "ehglp3"}',
        "Error: reservation not found",
        "I could not find a reservation with that id. Could you check it?",
        "It is EHGLP3, in the confirmation mail.",
        '{"reservation_id": "EHGLP3"}',
        (
            '{"reservation_id": "EHGLP3", "cabin": "basic_economy", "status": "confirmed", '
            '"flights": [{"flight_number": "HAT136", "date": "2024-05-20", "price": 54}], '
            '"passengers": 2, "created_at": "2024-05-13T09:12:00"}'
        ),
        "cancel_reservation",
        '{"reservation_id": "EHGLP3"}',
        "Error: basic economy flights can only be cancelled within 24 hours of booking",
    ),
    stage=Stage.RESPONSE,
    disposition=Disposition.BLOCKED_BY_RESPONSE,
    outcome="Cancellation stopped at an unknown reservation",
    mechanism=(
        "get_reservation_details rejects the id in lower case and only answers "
        "'reservation not found'."
    ),
    fix="Say in the error of get_reservation_details that reservation_id must be in upper case.",
)

RETAIL = World(
    names=SpokenNames(
        personas=frozenset({"Hurried parent", "Bargain hunter", "Noah Brandt"}),
        goals=frozenset({"Return the broken lamp", "Exchange the desk lamp", "return-lamp"}),
        targets=frozenset({"retail-eu", "Shop sandbox"}),
        tools=frozenset(
            {
                *("find_user_id_by_email", "get_order_details", "return_delivered_order_items"),
                *("exchange_delivered_order_items", "search", "listProducts"),
            }
        ),
    ),
    texts=(
        "I want to send back the lamp from order #W4817420, it arrived broken.",
        "find_user_id_by_email",
        '{"email": "[redacted]"}',
        "noah_brandt_7122",
        "get_order_details",
        '{"order_id": "W4817420"}',
        "Error: order not found",
        '{"order_id": "#W4817420"}',
        (
            '{"order_id": "#W4817420", "status": "delivered", "items": [{"name": "Desk Lamp", '
            '"item_id": "6805564527", "price": 158.41}], "payment_history": [{"amount": 158.41, '
            '"payment_method_id": "gift_card_8887175"}]}'
        ),
        "return_delivered_order_items",
        (
            '{"order_id": "#W4817420", "item_ids": ["6805564527"], '
            '"payment_method_id": "credit_card_123"}'
        ),
        "Error: payment method should be either the original payment method or a gift card",
        "I am sorry, the refund could not be processed.",
    ),
    stage=Stage.CALL,
    disposition=Disposition.BLOCKED_CALLING_TOOL,
    outcome="Return request was refused by the server",
    mechanism=(
        "get_order_details expects the id with a leading '#', which neither its error nor the "
        "first call shows."
    ),
    fix="Accept order_id with and without the leading '#' in get_order_details.",
)

LIBRARY = World(
    names=SpokenNames(
        personas=frozenset({"Retired teacher", "Ana Petrov"}),
        goals=frozenset({"Renew a borrowed atlas", "renew-atlas"}),
        targets=frozenset({"lending-desk"}),
        tools=frozenset({"find_book", "renew_loan", "list_loans", "reserve_copy"}),
    ),
    texts=(
        "Can you extend my loan of the world atlas by two weeks?",
        "list_loans",
        '{"member": "M-20417"}',
        (
            '{"loans": [{"loan_id": "L-88", "title": "World Atlas", "due": "2026-03-04"}], '
            '"next_cursor": "b2Zmc2V0PTIw"}'
        ),
        "renew_loan",
        '{"loan": "World Atlas"}',
        "Invalid arguments: 'loan_id' is a required property",
        '{"loan_id": "L-88"}',
        '{"ok": true, "loan_id": "L-88"}',
        "Your loan was extended.",
        "list_loans",
        '{"loans": [{"loan_id": "L-88", "title": "World Atlas", "due": "2026-03-04"}]}',
        "The due date is still the old one. That is not what I asked for.",
    ),
    stage=Stage.USER_VALUE,
    disposition=Disposition.GOAL_MISSED,
    outcome="Loan kept its old due date",
    mechanism="renew_loan answers 'ok' and list_loans still shows the old due date.",
    fix="Return the new due date in the result of renew_loan.",
)

KUBERNETES = World(
    names=SpokenNames(
        personas=frozenset({"On-call engineer", "Priya N."}),
        goals=frozenset({"Find the crashing pod", "Scale the checkout service"}),
        targets=frozenset({"kind-cluster", "Claude on kind"}),
        tools=frozenset(
            {
                *("pods_list", "pods_list_in_namespace", "pods_log", "resources_get"),
                *("resources_create_or_update", "helm_install"),
            }
        ),
    ),
    texts=(
        "Something in the shop namespace keeps crashing. Which pod is it, and why?",
        "pods_list_in_namespace",
        '{"namespace": "Shop"}',
        "NAMESPACE   NAME   READY   STATUS   RESTARTS   AGE\n",
        '{"namespace": "shop"}',
        "shop  checkout-7d9f6c5b8-x2k4q  0/1  CrashLoopBackOff  17  42m",
        "pods_log",
        '{"name": "checkout-7d9f6c5b8-x2k4q", "namespace": "shop", "tail": 5000}',
        (
            'failed to get pod log: container "checkout" in pod is waiting to start: '
            "trying and failing to pull image"
        ),
        (
            'pods "checkout" is forbidden: User "system:serviceaccount:mcp:reader" cannot get '
            'resource "pods/log" in API group "" in the namespace "shop"'
        ),
        "I was not able to read the log, so I cannot tell why it crashes.",
    ),
    stage=Stage.RESPONSE,
    disposition=Disposition.BLOCKED_BY_RESPONSE,
    outcome="The reason for the crash stayed unknown",
    mechanism="pods_log was forbidden for the server's account, which cannot get 'pods/log'.",
    fix="Name the missing permission 'pods/log' in the description of pods_log.",
)

CODING = World(
    names=SpokenNames(
        personas=frozenset({"Staff engineer", "Newcomer to the code"}),
        goals=frozenset({"Fix the failing parser test", "fix-parser"}),
        targets=frozenset({"ubuntu-runner", "Sonnet on ubuntu"}),
        tools=frozenset({"Bash", "Read", "Edit", "Grep", "WebFetch", "TodoWrite"}),
    ),
    texts=(
        "The test of the parser fails since this morning, could you fix it?",
        "Read",
        '{"file_path": "/srv/app/parser.py"}',
        (
            "File content (41022 tokens) exceeds maximum allowed tokens (25000). Use offset "
            "and limit parameters to read specific portions of the file."
        ),
        "Edit",
        (
            '{"file_path": "/srv/app/parser.py", "old_string": "return None", '
            '"new_string": "return []"}'
        ),
        (
            "<tool_use_error>Found 3 matches of the string to replace, but replace_all is false."
            "</tool_use_error>"
        ),
        "Bash",
        '{"command": "pytest tests/test_parser.py -x", "timeout": 120000}',
        "Command timed out after 2m 0s",
        "I changed parser.py but could not run the tests.",
    ),
    stage=Stage.RESPONSE,
    disposition=Disposition.GOAL_MISSED,
    outcome="Change was left without a test run",
    mechanism="Bash ended the test command with 'Command timed out after 2m 0s' and no output.",
    fix="Return the output that was there when the command timed out.",
)
