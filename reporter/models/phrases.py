"""What a model proposed, what became of it, and what was sent: the values behind the ledger."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reporter.identifiers import SessionId
from reporter.vocabulary import (
    Disposition,
    PhraseRule,
    ProposalState,
    ReplyState,
    Signal,
    Stage,
    SupportAnswer,
)

Slot = str
"""`outcomePhrase`, `mechanismPhrase`, `fixPhrase`, `actual` or `account`; empty for none."""


@dataclass(frozen=True, slots=True)
class GroupKey:
    """What the sessions of one candidate group have in common.

    Rule: findings.md section 9.4, candidate groups.
    """

    signal: Signal | None
    stage: Stage | None
    """The first failed link of their chains, or None."""
    disposition: Disposition

    @property
    def text(self) -> str:
        """The key in wire words, as files name it: `none/response/blockedByResponse`."""
        signal = "none" if self.signal is None else self.signal.value
        stage = "none" if self.stage is None else self.stage.value
        return f"{signal}/{stage}/{self.disposition.value}"


@dataclass(frozen=True, slots=True)
class Refusal:
    """One rule that proposed words broke."""

    rule: PhraseRule
    slot: Slot
    """The phrase it is about, or empty where it is about the whole proposal."""
    what: str
    """What broke it, in a few of code's words; masked, and empty where the rule says it all."""


@dataclass(frozen=True, slots=True)
class Support:
    """One session that a proposal cites."""

    session_id: str
    """As the model wrote it: the session need not exist."""
    turns: tuple[int, ...]
    """Zero-based turns, as written."""
    quote: str
    citations: tuple[str, ...] = ()
    """Where the quotation stands, `<sessionId>/<pointer>`; empty where it was not found."""
    answer: SupportAnswer | None = None
    """What the second look came to, or None where there was none."""
    by_person: bool = False
    """True: a person gave the answer, not a model."""
    unanswered: ReplyState | None = None
    """Why there is no answer; None where there is one, or where nobody was to be asked."""


@dataclass(frozen=True, slots=True)
class ProposalFate:
    """One proposal, and what became of it."""

    key: str
    """First 16 hex of a digest over its group and words: names it in files and prompts."""
    group: GroupKey
    stage: Stage | None
    """None where it names none of the six."""
    outcome_phrase: str
    mechanism_phrase: str
    fix_phrase: str | None
    support: tuple[Support, ...]
    state: ProposalState
    refusals: tuple[Refusal, ...] = ()
    """Why it is not confirmed; for a confirmed one, why a slot or the whole is not published."""
    mechanism_id: str | None = None
    """The published mechanism it became; None where it is not published."""
    fix_refused: bool = False
    """True: the fix alone was refused, and the proposal stands without it."""


@dataclass(frozen=True, slots=True)
class ReportFate:
    """What became of a model's account of one session."""

    session_id: SessionId
    accepted: bool
    actual: str
    account: str | None
    citations: tuple[str, ...]
    refusals: tuple[Refusal, ...] = ()
    reply: ReplyState = ReplyState.ANSWERED


@dataclass(frozen=True, slots=True)
class GroupFate:
    """What became of one candidate group."""

    key: GroupKey
    sessions: int
    """Sessions of the group."""
    shown: tuple[SessionId, ...]
    """Those whose turns the model was given, in session id order; the bounded sample."""
    reply: ReplyState
    proposals: int
    """How many explanations the reply held."""


@dataclass(frozen=True, slots=True)
class SentSession:
    """What of one session left the machine."""

    session_id: SessionId
    turns: tuple[int, ...]
    """Zero-based turns of which something was sent, ascending."""
    all_turns: int
    """Turns that the session has."""
    chars: int
    """Characters of its transcript that were sent, after masking, over all requests."""
    requests: int


@dataclass(frozen=True, slots=True)
class Spent:
    """What the replies cost, as their provider counted it."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    unmeasured: int = 0
    """Answers whose provider did not count tokens: the sums are then lower bounds."""
    cost_usd: str | None = None
    """Decimal dollars, or None where no price is known."""


@dataclass(frozen=True, slots=True)
class PhraseWork:
    """All that became of asking a model, in the order in which it was asked."""

    model: str
    """Its name, as the caller gave it."""
    rail: str
    """What the wire calls the way there: `gateway` or `openrouter`."""
    groups: tuple[GroupFate, ...]
    proposals: tuple[ProposalFate, ...]
    reports: tuple[ReportFate, ...]
    sent: tuple[SentSession, ...]
    """In session id order."""
    spent: Spent
    states: Mapping[ReplyState, int] = field(default_factory=dict)
    """How many requests came to each state, in contract order; no entry is zero."""
    stale: int = 0
    """Kept replies whose request this recording no longer gives; none of them was used."""
    by_person: int = 0
    """Answers that a person gave in place of a model."""
    changed: int = 0
    """Kept decisions that this version or recording no longer comes to."""
