"""Asks a model about a wave: accounts of sessions, explanations of groups, second looks.

What is asked follows from the recording and from the answers before, and from nothing else: the
same recording and the same answers give the same questions, so that kept answers can stand in
for a model.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Final

from reporter.derive.unread import as_unread
from reporter.findings.report_rows import recorded_excerpt
from reporter.identifiers import SessionId
from reporter.models.facts import SessionFacts
from reporter.models.phrases import (
    GroupFate,
    GroupKey,
    ProposalFate,
    ReportFate,
    SentSession,
    Spent,
)
from reporter.models.session import SessionRecording
from reporter.phrases.candidates import CandidateGroup, candidate_groups
from reporter.phrases.exchange import Answer, Asker, Keep, Question, is_sent
from reporter.phrases.guard import SpokenNames
from reporter.phrases.proposal import Readings, checked_proposals
from reporter.phrases.questions import propose_question, report_question, verify_question
from reporter.phrases.read_reply import answer_of, proposals_of
from reporter.phrases.report import checked_report, report_decision
from reporter.phrases.shown import ShownSession, shown_session, shown_turns
from reporter.phrases.transcript import ReadTranscript, read_transcript
from reporter.phrases.verdicts import Look, LookKey, awaiting, settled
from reporter.redaction import mask_text
from reporter.vocabulary import ReadState, ReplyState, Stage, SupportAnswer

SAMPLE: Final = 8
"""Sessions of a candidate group that a model is shown, where the caller sets no other number."""

SESSION_CHARS: Final = 12_000
"""Characters of one session that one request shows, where the caller sets no other number."""

GROUP_CHARS: Final = 60_000
"""Characters of all sessions that one request shows."""

FIRST_REPORTS: Final = 2
"""Accounts that are asked for first: where none of them holds, no further one is asked for."""

REPORTS_SHARE: Final = 0.4
"""How much of the budget accounts may take: a cause is worth more to a reader."""

Transcript = Callable[[str], SessionRecording | None]


@dataclass(frozen=True, slots=True)
class AskingOptions:
    """What a caller decides about asking; each choice changes the questions."""

    sample: int = SAMPLE
    session_chars: int = SESSION_CHARS
    with_reports: bool = True
    """Ask for an account of each shown session that has none of code's own."""


@dataclass(slots=True)
class Asked:
    """All that came of asking."""

    groups: tuple[GroupFate, ...] = ()
    proposals: tuple[ProposalFate, ...] = ()
    """In the order of asking; none of them is awaiting any more."""
    reports: tuple[ReportFate, ...] = ()
    exchanges: list[tuple[Question, Answer]] = field(default_factory=list)
    """Every question with its answer, in the order of asking."""
    refused_reports: frozenset[SessionId] = frozenset()
    """Sessions whose account did not pass the checks."""
    shown: dict[str, ShownSession] = field(default_factory=dict)
    """What each question shows of each session, by `<questionId>/<sessionId>`."""
    questions: dict[str, Question] = field(default_factory=dict)
    """Every question by id, also where no answer came."""
    decisions: dict[str, list[str]] = field(default_factory=dict)
    """What code made of each answer, by question id, in wire words."""
    asked_for: dict[GroupKey, str] = field(default_factory=dict)
    """The question of each group, by id."""

    @property
    def is_used(self) -> bool:
        """Tell whether anything was sent."""
        return any(is_sent(answer) for _, answer in self.exchanges)

    @property
    def over_budget(self) -> frozenset[str]:
        """Sessions that were to be shown and of which nothing was, because the budget ended."""
        wanted: set[str] = set()
        sent: set[str] = set()
        for question, answer in self.exchanges:
            is_over = answer.state is ReplyState.OVER_BUDGET
            (wanted if is_over else sent).update(question.session_ids)
        return frozenset(wanted - sent)

    @property
    def sent(self) -> tuple[SentSession, ...]:
        """What of each session left the machine, in session id order."""
        sent: dict[str, SentSession] = {}
        for question, answer in self.exchanges:
            if not is_sent(answer):
                continue
            for session_id in question.session_ids:
                shown = self.shown[f"{question.id}/{session_id}"]
                one = sent.get(session_id)
                before = () if one is None else one.turns
                sent[session_id] = SentSession(
                    session_id=shown.session_id,
                    turns=tuple(sorted({*before, *shown.turns})),
                    all_turns=shown.all_turns,
                    chars=shown.chars + (0 if one is None else one.chars),
                    requests=1 + (0 if one is None else one.requests),
                )
        return tuple(sent[one] for one in sorted(sent))

    @property
    def spent(self) -> Spent:
        """What the answers cost, as far as their provider counted it."""
        answers = [answer for _, answer in self.exchanges if is_sent(answer)]
        counted = [one for one in answers if one.input_tokens is not None]
        return Spent(
            requests=len(answers),
            input_tokens=sum(one.input_tokens or 0 for one in counted),
            output_tokens=sum(one.output_tokens or 0 for one in counted),
            unmeasured=len(answers) - len(counted),
            cost_usd=_cost(one.cost_usd for one in answers),
        )

    @property
    def states(self) -> dict[ReplyState, int]:
        """How many requests came to each state, in contract order."""
        counts = dict.fromkeys(ReplyState, 0)
        for _, answer in self.exchanges:
            counts[answer.state] += 1
        return {state: count for state, count in counts.items() if count}


@dataclass(frozen=True)
class Wanted:
    """What is asked about."""

    facts: Mapping[str, SessionFacts]
    """Every session of the wave by id, in slot order."""
    transcript: Transcript
    names: SpokenNames
    options: AskingOptions = field(default_factory=AskingOptions)
    persons: Mapping[LookKey, SupportAnswer] = field(default_factory=dict)
    """Answers that a person gave: each stands in for a second look of a model."""


class Asking:
    """One round of asking about one wave."""

    def __init__(self, wanted: Wanted, asker: Asker, keep: Keep) -> None:
        self._wanted = wanted
        self._asker = asker
        self._keep = keep
        self._asked = Asked()
        self._facts = dict(wanted.facts)
        self._read: dict[str, ReadTranscript] = {}

    def run(self) -> Asked:
        """Ask everything there is to ask.

        Rule: findings.md sections 9.1, 9.4 and 9.5.
        """
        before = candidate_groups(self._facts.values())
        if self._wanted.options.with_reports:
            self._ask_reports(self._sampled())
        groups = candidate_groups(self._facts.values())
        self._load(self._sampled())
        self._asked.proposals = self._ask_again(self._ask_groups(groups))
        asked = {fate.key for fate in self._asked.groups}
        self._asked.groups += tuple(
            GroupFate(group.key, len(group.sessions), (), ReplyState.NOTHING_LEFT, 0)
            for group in before
            if group.key not in asked
        )
        return self._asked

    def first_questions(self) -> list[Question]:
        """Return what would be sent before any answer: accounts and explanations.

        Second looks depend on what a model proposes, so they cannot be told beforehand.
        """
        questions: list[Question] = []
        sampled = self._sampled()
        self._load(sampled)
        if self._wanted.options.with_reports:
            questions += [self._report_question(one) for one in self._without_report(sampled)]
        for group in candidate_groups(self._facts.values()):
            if sample := self._readable(group):
                questions.append(self._group_question(group, sample))
        return questions

    @property
    def asked(self) -> Asked:
        """What came of it so far."""
        return self._asked

    @property
    def readings(self) -> Readings:
        """What proposals are checked against."""
        return Readings(self._facts, self._read, self._wanted.names)

    def _sampled(self) -> list[SessionFacts]:
        """Return the sessions of every sample, in session id order."""
        most = self._wanted.options.sample
        groups = candidate_groups(self._facts.values())
        return sorted(
            (one for group in groups for one in group.sample(most)),
            key=lambda one: one.session_id,
        )

    def _readable(self, group: CandidateGroup) -> list[SessionFacts]:
        sample = group.sample(self._wanted.options.sample)
        return [one for one in sample if one.session_id in self._read]

    def _load(self, sessions: Iterable[SessionFacts]) -> None:
        for session in sessions:
            if session.session_id in self._read:
                continue
            recording = self._wanted.transcript(session.session_id)
            if recording is not None:
                self._read[session.session_id] = read_transcript(recording)

    def _ask(self, questions: Sequence[Question], share: float = 1.0) -> list[Answer]:
        self._asked.questions |= {question.id: question for question in questions}
        given = self._asker.ask(questions, self._keep, share=share) if questions else []
        # A reply is looked at as it is kept, so that a kept one is looked at alike.
        answers = [replace(answer, text=mask_text(answer.text)) for answer in given]
        self._asked.exchanges += zip(questions, answers, strict=True)
        return answers

    def _without_report(self, sessions: Iterable[SessionFacts]) -> list[SessionFacts]:
        return [
            one
            for one in sessions
            if one.session_id in self._read and recorded_excerpt(one) is None
        ]

    def _report_question(self, session: SessionFacts) -> Question:
        shown = shown_session(self._read[session.session_id], self._wanted.options.session_chars)
        question = report_question(shown)
        self._asked.shown[f"{question.id}/{session.session_id}"] = shown
        return question

    def _ask_reports(self, sampled: Sequence[SessionFacts]) -> None:
        self._load(sampled)
        asked = self._without_report(sampled)
        fates = self._report_fates(asked[:FIRST_REPORTS])
        # A refused account costs its session its reading. A model whose accounts do not hold
        # must not cost the whole wave what code knows of it.
        if not all(_is_refused(fate) for fate in fates):
            fates += self._report_fates(asked[FIRST_REPORTS:])
        self._asked.reports = tuple(fates)
        refused = [one.session_id for one in fates if _is_refused(one)]
        self._asked.refused_reports = frozenset(refused)
        for session_id in refused:
            self._facts[session_id] = as_unread(
                self._facts[session_id], ReadState.EXTRACTION_REJECTED
            )

    def _report_fates(self, asked: Sequence[SessionFacts]) -> list[ReportFate]:
        questions = [self._report_question(one) for one in asked]
        fates: list[ReportFate] = []
        for session, answer in zip(asked, self._ask(questions, REPORTS_SHARE), strict=True):
            transcript = self._read[session.session_id]
            fate = checked_report(session, answer, transcript, self._wanted.names)
            fates.append(fate)
            self._asked.decisions[answer.question_id] = report_decision(fate)
        return fates

    def _group_question(self, group: CandidateGroup, sample: Sequence[SessionFacts]) -> Question:
        room = min(self._wanted.options.session_chars, GROUP_CHARS // len(sample))
        shown = [
            shown_session(self._read[one.session_id], room)
            for one in sample
            if one.session_id in self._read
        ]
        question = propose_question(group.key, shown)
        for one in shown:
            self._asked.shown[f"{question.id}/{one.session_id}"] = one
        return question

    def _ask_groups(self, groups: Sequence[CandidateGroup]) -> list[ProposalFate]:
        asked = [(group, sample) for group in groups if (sample := self._readable(group))]
        answers = self._ask([self._group_question(group, sample) for group, sample in asked])
        fates: list[GroupFate] = []
        proposals: list[ProposalFate] = []
        for (group, sample), answer in zip(asked, answers, strict=True):
            self._asked.asked_for[group.key] = answer.question_id
            own: tuple[ProposalFate, ...] = ()
            if answer.state is ReplyState.ANSWERED:
                shown = {str(one.session_id): self._read[one.session_id] for one in sample}
                readings = replace(self.readings, transcripts=shown)
                own = checked_proposals(group.key, proposals_of(answer.text), readings)
            proposals += own
            fates.append(
                GroupFate(
                    key=group.key,
                    sessions=len(group.sessions),
                    shown=tuple(one.session_id for one in sample),
                    reply=answer.state,
                    proposals=len(own),
                )
            )
        self._asked.groups = tuple(fates)
        return proposals

    def _ask_again(self, proposals: Sequence[ProposalFate]) -> tuple[ProposalFate, ...]:
        looks: dict[LookKey, Look] = {}
        asked: list[tuple[ProposalFate, str]] = []
        questions: list[Question] = []
        for fate, stage, session_id in awaiting(proposals):
            person = self._wanted.persons.get((fate.key, session_id))
            if person is not None:
                looks[fate.key, session_id] = Look(person, by_person=True)
                continue
            asked.append((fate, session_id))
            questions.append(self._look_question(fate, stage, session_id))
        for (fate, session_id), answer in zip(asked, self._ask(questions), strict=True):
            said = answer_of(answer.text) if answer.state is ReplyState.ANSWERED else None
            self._asked.decisions[answer.question_id] = [said.value if said else "no answer"]
            looks[fate.key, session_id] = Look(said, answer.state)
        return tuple(settled(fate, looks, self.readings) for fate in proposals)

    def _look_question(self, fate: ProposalFate, stage: Stage, session_id: str) -> Question:
        own = [one for one in fate.support if one.session_id == session_id]
        turns = [turn for one in own for turn in one.turns]
        shown = shown_turns(self._read[session_id], turns, own[0].quote)
        question = verify_question(stage, fate.outcome_phrase, fate.mechanism_phrase, shown)
        self._asked.shown[f"{question.id}/{session_id}"] = shown
        return question


def _is_refused(fate: ReportFate) -> bool:
    return fate.reply is ReplyState.ANSWERED and not fate.accepted


def _cost(costs: Iterable[str | None]) -> str | None:
    """Add up dollars; None where no answer has a price."""
    known: list[Decimal] = []
    for cost in costs:
        if cost is not None:
            try:
                known.append(Decimal(cost))
            except InvalidOperation:
                continue
    return str(sum(known, Decimal(0))) if known else None
