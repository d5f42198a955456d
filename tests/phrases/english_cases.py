"""Good English about tools that reads, to a hasty rule, like something false, and its false twin.

The evidence is written here, in the way that servers of shops, airlines, clusters and libraries
answer. A label of None says that all of the proposal must pass.
"""

from phrases.adversarial_cases import FIX, MECHANISM, OUTCOME, Case
from phrases.adversarial_cases import R as Rule
from phrases.guard_worlds import World

from reporter.phrases.guard import SpokenNames
from reporter.vocabulary import Disposition, PhraseRule, Stage

FEES = World(
    names=SpokenNames(
        personas=frozenset({"Ines Vidal"}),
        goals=frozenset({"Settle the late fee"}),
        targets=frozenset({"counter-one"}),
        tools=frozenset({"show_fine", "settle_fine", "list_branches", "find_member_by_phone"}),
    ),
    texts=(
        "Please take what I owe from my deposit.",
        "show_fine",
        '{"card": "K-77"}',
        '{"owed": "8.40 EUR"}',
        "settle_fine",
        '{"card": "K-77", "amount": 8.4}',
        "validation error: amount must be an integer",
        '{"card": "K-77", "amount": 8}',
        '{"receipt": "Q-3", "paid_cents": 8, "left_cents": 832}',
        "Your fine of 8.40 EUR is paid.",
        "find_member_by_phone",
        '{"phone": "(555) 010-4477"}',
        "no member with (555) 010-4477; user names are not looked at",
    ),
    stage=Stage.USER_VALUE,
    disposition=Disposition.GOAL_MISSED,
    outcome="left most of the fine unpaid",
    mechanism="show_fine states euros and settle_fine takes cents without a warning.",
    fix="Use one unit in show_fine and settle_fine.",
)

CLUSTER = World(
    names=SpokenNames(
        personas=frozenset({"Night shift"}),
        goals=frozenset({"Reach the shop again"}),
        targets=frozenset({"kind-two"}),
        tools=frozenset({"pod_exec", "pod_logs", "guest_info", "apply_resource"}),
    ),
    texts=(
        "The shop does not answer from inside. Can you find out why?",
        "apiVersion: snapshot.kubevirt.io/v1alpha1",
        "pod_exec",
        '{"pod": "curl-probe", "command": ["sh", "-c", "curl -s shop"]}',
        "cannot exec in pod curl-probe: container not found",
        "apply_resource",
        '{"resource": "kind: Restore"}',
        ".spec.newName: field not declared in schema",
        "guest_info",
        '{"info": "users"}',
        "guest agent is not connected",
        "I could not list the users, as the guest agent is not connected.",
    ),
    stage=Stage.RESPONSE,
    disposition=Disposition.BLOCKED_BY_RESPONSE,
    outcome="ended without an answer from inside",
    mechanism="pod_exec answers 'container not found' where the container had already stopped.",
    fix="Name the state of the pod in the error of pod_exec.",
)


def _cases(world: World, rule: PhraseRule | None, slot: str, *texts: str) -> tuple[Case, ...]:
    return tuple(Case("plain english", world, rule, slot, text) for text in texts)


ENGLISH_CASES = (
    # A fine is a debt before it is well.
    *_cases(
        FEES,
        None,
        OUTCOME,
        "ended with the fine still open",
        "left most of the fine unpaid",
        "the fine was paid only in part",
        "was booked against the wrong amount",
        "paid cents where euros were meant",
    ),
    *_cases(
        FEES,
        None,
        MECHANISM,
        "A fine of 8.40 EUR was reported as paid while left_cents was 832.",
        "show_fine gives euros and settle_fine takes cents; the two tools name no unit.",
        "find_member_by_phone did not match (555) 010-4477 and looks at no user names.",
        "settle_fine went through first; afterwards the rest of the fine was lost from sight.",
    ),
    *_cases(
        FEES,
        None,
        FIX,
        "Itemise the debt in the result of show_fine.",
        "Spell out the unit in settle_fine.",
        "Reword the error of settle_fine as cents.",
        'Return "amount is in cents" from settle_fine when a fraction is given.',
    ),
    *_cases(
        FEES,
        Rule.CLAIMS_SUCCESS,
        OUTCOME,
        "paid the fine from the deposit",
        "was paid from the deposit",
        "went fine",
        "all of it is fine",
    ),
    *_cases(
        FEES,
        Rule.NUMBER_NOT_RECORDED,
        MECHANISM,
        "show_fine gives euros; the two tools name no unit.",
        "find_member_by_phone did not match (555) 010-4478.",
        "settle_fine took the second call in cents.",
    ),
    *_cases(
        FEES,
        Rule.NAME_NOT_CITED,
        FIX,
        'Change the error "amount is odd" of settle_fine.',
    ),
    *_cases(
        FEES,
        Rule.NOT_IMPERATIVE,
        FIX,
        "Perhaps a unit in the result.",
        "Errors that the tool returns in cents.",
        "The description of the unit.",
        "It is the unit in the result.",
    ),
    *_cases(
        FEES,
        Rule.BLAMES_PERSON,
        MECHANISM,
        "The reader gave the wrong amount, and settle_fine took it.",
    ),
    *_cases(
        FEES,
        Rule.SCOPE_OVERREACH,
        MECHANISM,
        "Readers with a deposit cannot settle a fine in euros.",
        "settle_fine takes cents, and customers are not warned.",
        "No user learns the unit of settle_fine.",
    ),
    *_cases(
        CLUSTER,
        None,
        MECHANISM,
        "pod_exec failed on curl-probe, whose container was no longer there.",
        "The curl command was sent to a pod whose container was not found.",
        "apply_resource rejects .spec.newName as a field not declared in schema.",
        "guest_info returned no user names while the guest agent is not connected.",
        "The container was not found for an object of snapshot.kubevirt.io/v1alpha1.",
    ),
    *_cases(CLUSTER, None, FIX, "Distinguish an unknown kind from a failure."),
    *_cases(
        CLUSTER,
        Rule.SCOPE_OVERREACH,
        MECHANISM,
        "guest_info works for no guest in the cluster.",
    ),
    *_cases(
        CLUSTER,
        Rule.ADDRESS,
        MECHANISM,
        "The container was not found, as wiki.example.io/v1 says of pod_exec.",
    ),
    *_cases(
        CLUSTER,
        Rule.TRANSCRIPT_INSTRUCTION,
        FIX,
        "Run curl -s shop in the pod before the tool returns.",
    ),
    *_cases(
        CLUSTER,
        Rule.NOT_SHOWN,
        MECHANISM,
        "The description of pod_exec does not say that the container must run.",
        "The pod_exec description leaves out the container.",
        "Nothing in the documentation of guest_info tells of the guest agent.",
    ),
)
"""Proposals about turns of one session that hold at least as many calls as they say, or none."""
