"""Waves that a model explained: a verified explanation beside what code derives, and the work."""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from builders import Json, assistant, call, result, user
from finding_waves import build, chain, facts_of, reported, signals
from report_waves import transcripts_of, wave_of

from reporter.identifiers import SessionId
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingRow, FindingSet, Verification
from reporter.models.phrases import (
    GroupFate,
    GroupKey,
    PhraseWork,
    ProposalFate,
    Refusal,
    ReportFate,
    SentSession,
    Spent,
    Support,
)
from reporter.models.wave import DerivedWave
from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    Disposition,
    PhraseRule,
    ProposalState,
    ReplyState,
    Signal,
    Stage,
    StageState,
    SupportAnswer,
)

REPORTS = 4
"""The list of session reports."""


def mechanism(session_id: str, **more: Any) -> FindingRow:
    """A verified explanation of one session of the first cell."""
    found = build([facts_of(session_id, Disposition.GOAL_MISSED, **more)]).rows[0]
    given = {
        "id": f'{"a" * 64}:mechanism:{"b" * 16}:[null,"r1","t1"]',
        "basis": Basis.VERIFIED_MECHANISM,
        "mechanism_id": f"{'a' * 64}:mechanism:{'b' * 16}",
        "mechanism_phrase": "No tool is named for rooms.",
        "fix_phrase": "Say room in the name.",
        "outcome_phrase": "could not book",
        "chain_stage": Stage.SELECTION,
        "chain_stage_state": StageState.FAILED,
        "chain_stage_basis": ChainStageBasis.REPORTED,
        "citations": [f"{session_id}/m:0"],
        "disposition": Disposition.LOST_FINDING_TOOL,
    }
    return FindingRow(found.finding.model_copy(update=given), 1, found.target_id)


def with_mechanism(*facts: SessionFacts) -> FindingSet:
    found = build(
        facts,
        verification=Verification(proposed=1, confirmed=1, rejected=0, unverified=0, omitted=0),
    )
    return replace(
        found,
        rows=(
            mechanism("s1"),
            *(replace(row, by_model=row.order == REPORTS) for row in found.rows),
        ),
        reasoning_model="model-two",
        extraction_model="model-two",
    )


S1, S2, S3 = SessionId("s1"), SessionId("s2"), SessionId("s3")
S1_S2 = (S1, S2)
MECHANISM = f"{'a' * 64}:mechanism:{'b' * 16}"
KEY = GroupKey(Signal.TOOL_ERRORED, Stage.RESPONSE, Disposition.BLOCKED_BY_RESPONSE)
OTHER = GroupKey(None, None, Disposition.GOAL_MISSED)


def support(session_id: str = "s1", **more: Any) -> Support:
    """A cited session whose quotation stands in its second message."""
    given: dict[str, Any] = {
        "session_id": session_id,
        "turns": (0,),
        "quote": "the desk is closed today",
        "citations": (f"{session_id}/m:1",),
        "answer": SupportAnswer.SUPPORTS,
        **more,
    }
    return Support(**given)


def proposal(
    state: ProposalState = ProposalState.CONFIRMED, *rules: PhraseRule, **more: Any
) -> ProposalFate:
    """One proposal; rules are broken by the whole of it unless refusals are given."""
    given: dict[str, Any] = {
        "key": "0123456789abcdef",
        "group": KEY,
        "stage": Stage.RESPONSE,
        "outcome_phrase": "was sent away at the desk",
        "mechanism_phrase": "The desk refuses without saying what would be accepted.",
        "fix_phrase": "Say in the error what the desk accepts.",
        "support": (support(),),
        "state": state,
        "refusals": tuple(Refusal(rule, "", "") for rule in rules),
        "mechanism_id": MECHANISM if state is ProposalState.CONFIRMED and not rules else None,
        **more,
    }
    return ProposalFate(**given)


def work_of(*proposals: ProposalFate, **more: Any) -> PhraseWork:
    """All that became of asking a model that answered every request."""
    given: dict[str, Any] = {
        "model": "model-two",
        "rail": "gateway",
        "groups": (GroupFate(KEY, 2, S1_S2, ReplyState.ANSWERED, len(proposals)),),
        "proposals": proposals,
        "reports": (),
        "sent": (SentSession(S1, (0, 1), 3, 812, 2), SentSession(S2, (0,), 1, 120, 1)),
        "spent": Spent(requests=3, input_tokens=2_400, output_tokens=310, cost_usd="0.0042"),
        "states": {ReplyState.ANSWERED: 3},
        **more,
    }
    return PhraseWork(**given)


def counted(work: PhraseWork) -> Verification:
    """The counters that the proposals of some work come to."""
    states = [one.state for one in work.proposals]
    return Verification(
        proposed=len(states),
        confirmed=states.count(ProposalState.CONFIRMED),
        rejected=states.count(ProposalState.REJECTED),
        unverified=states.count(ProposalState.UNVERIFIED),
        omitted=sum(
            one.state is ProposalState.CONFIRMED and one.mechanism_id is None
            for one in work.proposals
        ),
    )


def some_sessions() -> list[SessionFacts]:
    """Three sessions that were blocked by the same answer, over two goals, and one that was met."""
    broken = {
        "chain": chain(Stage.RESPONSE, [Stage.CONNECTION, Stage.SELECTION, Stage.CALL]),
        "turns": 3,
        **signals(Signal.TOOL_ERRORED),
    }
    second: dict[str, Any] = {"run_id": "r2", "goal_id": "g2", "goal_title": "Pay a fine"}
    blocked = Disposition.BLOCKED_BY_RESPONSE
    return [
        facts_of("s1", blocked, **broken, **reported("I gave up.", "It was refused.")),
        facts_of("s2", blocked, session_index=1, **broken, **reported("I left.", "No book.")),
        facts_of("s3", blocked, **broken, **second),
        facts_of("s4", session_index=1, **second),
    ]


def asked(work: PhraseWork, *, published: bool = False, **more: Any) -> DerivedWave:
    """A wave for which a model was asked; `published` adds the cause that it came to."""
    facts = some_sessions()
    found = build(facts, verification=counted(work))
    if published:
        row = mechanism("s1")
        found = replace(found, rows=(row, *found.rows))
    found = replace(found, reasoning_model=work.model, **more)
    return wave_of(facts, findings=found, phrases=work)


Mapped = Callable[[str], str]


def with_texts(value: Any, write: Mapped) -> Any:
    """The same work with every free text written anew; words of closed lists stay."""
    if is_dataclass(value) and not isinstance(value, type):
        made = {one.name: with_texts(getattr(value, one.name), write) for one in fields(value)}
        return type(value)(**made)
    if isinstance(value, tuple):
        return tuple(with_texts(one, write) for one in value)
    return write(value) if type(value) is str else value


def hostile_work(text: str, session_ids: Sequence[str]) -> PhraseWork:
    """Work in which every text is hostile; half of what names a session names one there is."""
    work: PhraseWork = with_texts(every_fate(), lambda own: f"{own} {text}")
    known = tuple(SessionId(one) for one in session_ids)
    there = tuple(
        replace(fate, support=(*fate.support, *(support(one, quote=text) for one in known)))
        for fate in work.proposals
    )
    sent = tuple(SentSession(one, (0, 1), 2, 9, 1) for one in known)
    return replace(work, proposals=there, sent=(*work.sent, *sent), rail=f"gateway {text}")


def every_fate() -> PhraseWork:
    """A model's work in which every state occurs, and every part of the ledger has something."""
    rejected, unverified = ProposalState.REJECTED, ProposalState.UNVERIFIED
    return work_of(
        proposal(
            support=(support(), support("s2", by_person=True, answer=SupportAnswer.CANNOT_TELL))
        ),
        proposal(
            key="1" * 16,
            fix_refused=True,
            refusals=(Refusal(PhraseRule.NOT_CONTROLLABLE, "fixPhrase", "it speaks of the user"),),
            fix_phrase="Train the users to ask differently.",
            mechanism_phrase="The tool answers with a page that holds no list.",
        ),
        proposal(
            ProposalState.CONFIRMED,
            PhraseRule.NEAR_DUPLICATE,
            key="2" * 16,
            mechanism_phrase="The desk refuses and does not say what would be accepted.",
        ),
        proposal(
            unverified,
            PhraseRule.NOT_ASKED,
            key="3" * 16,
            mechanism_phrase="The catalogue lists books that were given away.",
            support=(
                support("s2", answer=None, unanswered=ReplyState.TIMED_OUT),
                support("s3", answer=None, unanswered=ReplyState.OVER_BUDGET),
            ),
        ),
        proposal(
            rejected,
            key="4" * 16,
            group=OTHER,
            stage=None,
            refusals=(
                Refusal(PhraseRule.PERSONA_NAMED, "mechanismPhrase", "“Ana”"),
                Refusal(PhraseRule.SCOPE_OVERREACH, "outcomePhrase", "“every”"),
                Refusal(PhraseRule.QUOTE_NOT_FOUND, "", ""),
            ),
            outcome_phrase="every visitor was turned away",
            mechanism_phrase="Ana did not read the answer of the desk.",
            fix_phrase=None,
            support=(
                support("s1", citations=(), answer=None, quote="the desk was closed yesterday"),
                support("s99", citations=(), answer=None, turns=(0, 7), quote="nobody said this"),
            ),
        ),
        proposal(
            rejected,
            PhraseRule.CONTRADICTED,
            key="5" * 16,
            mechanism_phrase="The desk gives no answer at all.",
            support=(support("s3", answer=SupportAnswer.CONTRADICTS),),
        ),
        groups=(
            GroupFate(KEY, 3, S1_S2, ReplyState.ANSWERED, 6),
            GroupFate(OTHER, 1, (), ReplyState.OVER_BUDGET, 0),
        ),
        reports=(
            ReportFate(S1, True, "The desk said no.", "I gave up.", ("s1/m:1",)),
            ReportFate(
                S2,
                False,
                "The visitor failed to ask.",
                None,
                (),
                (Refusal(PhraseRule.BLAMES_PERSON, "actual", "“visitor failed”"),),
            ),
            ReportFate(S3, False, "", None, (), reply=ReplyState.FAILED),
        ),
        states={
            ReplyState.ANSWERED: 7,
            ReplyState.FAILED: 1,
            ReplyState.TIMED_OUT: 1,
            ReplyState.OVER_BUDGET: 2,
        },
        spent=Spent(8, 12_400, 1_310, unmeasured=1, cost_usd="0.0312"),
        stale=3,
        by_person=1,
        changed=1,
    )


TALK: Sequence[Json] = (
    user("Pay my fine."),
    call("c1", "pay_fine"),
    result("c1", "No: the desk is closed today.", isError=True),
    assistant("I am sorry, the desk is closed today.", index=1),
)
MODEL_TALK = transcripts_of(dict.fromkeys(("s1", "s2", "s3", "s4"), TALK))
"""The transcripts of the sessions that models were asked about."""


def long_ledger(count: int = 45) -> PhraseWork:
    """More proposals than a page shows, in every state."""
    states = (ProposalState.REJECTED, ProposalState.UNVERIFIED, ProposalState.REJECTED)
    rules = (PhraseRule.DIGIT, PhraseRule.NOT_SETTLED, PhraseRule.EMPTY)
    made = [
        proposal(
            states[number % 3],
            rules[number % 3],
            key=f"{number:016x}",
            mechanism_phrase=f"The desk says no in way {number}.",
        )
        for number in range(count * 2)
    ]
    return work_of(*made)
