"""Asks a model about a gathered wave, or reads what it answered before, and adds what holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from reporter.derive.options import CONTEXT_CHARS
from reporter.derive.session import masked_chars
from reporter.derive.unread import as_unread
from reporter.findings.grouping import group_wave
from reporter.models.facts import SessionFacts
from reporter.models.finding import Analysis, Disclosure
from reporter.models.phrases import PhraseWork, SentSession
from reporter.models.plan import Plan
from reporter.phrases.asking import Asked, Asking, AskingOptions, Transcript, Wanted
from reporter.phrases.exchange import Answer, Asker, Question, is_sent
from reporter.phrases.guard import SpokenNames
from reporter.phrases.kept import (
    FORMAT,
    FORMAT_VERSION,
    KeptAsker,
    KeptReply,
    PhrasesDocument,
    by_id,
    is_kept,
    kept_reply,
    person_answers,
)
from reporter.phrases.mechanisms import Published, mechanism_rows, publish
from reporter.phrases.proposal import Readings, proposal_decision
from reporter.phrases.questions import QUESTIONS_VERSION
from reporter.phrases.report import model_report_row
from reporter.phrases.review import OpenLook, open_looks
from reporter.pipeline.options import Progress, quietly
from reporter.pipeline.source import ForeignSource, Gathered, NativeSource
from reporter.version import VERSION
from reporter.vocabulary import PhraseRule, ReadState, ReplyState

EXTRACTION_VERSION: Final = 1
"""Version of the way explanations are asked for, as the wire carries it."""

_LONGEST_MASK: Final = 4
"""How much longer masking can make a text at most, as a multiple; in truth far less."""


@dataclass(frozen=True)
class PhraseChoices:
    """What a caller decides about a model."""

    model: str
    """Its name as the caller gave it; the kept file's where no model is asked."""
    rail: Literal["gateway", "openrouter"] = "gateway"
    asker: Asker | None = None
    """Whom to ask; None sends nothing and uses kept replies alone."""
    kept: PhrasesDocument | None = None
    """Replies of an earlier run, or None."""
    options: AskingOptions = field(default_factory=AskingOptions)
    context_chars: int | None = None
    """Longest transcript that counts as read, or None for the usual limit."""
    library_version: str = ""
    """Version of the library that speaks to the model."""
    keep: Callable[[PhrasesDocument], None] | None = None
    """Takes the replies at the end, or as far as they came when asking is interrupted."""


@dataclass(frozen=True, slots=True)
class Phrased:
    """A wave with what a model contributes."""

    facts: tuple[SessionFacts, ...]
    """One entry a slot, in slot order; what a model could not read says so."""
    analysis: Analysis
    work: PhraseWork | None
    """None where there was nothing to ask."""


@dataclass(frozen=True, slots=True)
class Gist:
    """What asking needs of a wave."""

    plan: Plan
    facts: tuple[SessionFacts, ...]
    transcript: Transcript
    source_revision: str
    scan_cap: int | None


def phrased(gist: Gist, choices: PhraseChoices) -> Phrased:
    """Ask what there is to ask, and add what holds.

    Raises:
        KeyboardInterrupt: Asking was interrupted; what was answered went to `choices.keep`.

    Rule: findings.md sections 4.3, 9 and 11.
    """
    facts = _by_size(gist, choices.context_chars)
    asker = KeptAsker(by_id(choices.kept.replies) if choices.kept else {}, choices.asker)
    asking, answered = _asking(gist, facts, choices, asker)
    try:
        asked = asking.run()
    except KeyboardInterrupt:
        if choices.keep is not None and answered:
            choices.keep(_what_came(gist, choices, asking.asked, answered))
        raise
    facts = _settled(facts, asked)
    readings = replace(asking.readings, facts={one.session_id: one for one in facts})
    published = publish(asked.proposals, gist.plan.wave_id, EXTRACTION_VERSION)
    _decide(asked, published)
    if choices.keep is not None:
        choices.keep(_document(gist, choices, _replies(asked)))
    return Phrased(
        facts=facts,
        analysis=_analysis(_Came(gist, facts, asked, published, readings), choices),
        work=_work(choices, asked, published, asker) if asked.groups else None,
    )


def gist_of(source: NativeSource | ForeignSource, gathered: Gathered) -> Gist:
    """Return what asking a model needs of a gathered wave."""
    return Gist(
        plan=gathered.plan,
        facts=gathered.facts,
        transcript=source.transcript,
        source_revision=gathered.source_revision,
        scan_cap=source.options.scan_cap,
    )


def first_questions(
    source: NativeSource | ForeignSource, choices: PhraseChoices, progress: Progress = quietly
) -> list[Question]:
    """Return what would be sent before any answer; nothing is sent.

    Second looks follow from what a model proposes: one for each session that each proposal
    cites, with the cited turns alone.
    """
    gist = gist_of(source, source.gather(progress))
    asking, _ = _asking(gist, _by_size(gist, choices.context_chars), choices, KeptAsker({}))
    return asking.first_questions()


def kept_looks(
    source: NativeSource | ForeignSource, choices: PhraseChoices, progress: Progress = quietly
) -> tuple[OpenLook, ...]:
    """Return what a person may look at among kept proposals; nothing is sent.

    Rule: findings.md section 9.5, by a person.
    """
    gist = gist_of(source, source.gather(progress))
    asker = KeptAsker(by_id(choices.kept.replies) if choices.kept else {})
    asking, _ = _asking(gist, _by_size(gist, choices.context_chars), choices, asker)
    asked = asking.run()
    return open_looks(asked.proposals, asking.readings.transcripts)


def _asking(
    gist: Gist, facts: Sequence[SessionFacts], choices: PhraseChoices, asker: Asker
) -> tuple[Asking, dict[str, Answer]]:
    answered: dict[str, Answer] = {}

    def keep(answer: Answer) -> None:
        answered[answer.question_id] = answer

    wanted = Wanted(
        facts={session.session_id: session for session in facts},
        transcript=gist.transcript,
        names=_names(gist.plan, facts),
        options=choices.options,
        persons=person_answers(choices.kept) if choices.kept else {},
    )
    return Asking(wanted, asker, keep), answered


def _names(plan: Plan, facts: Sequence[SessionFacts]) -> SpokenNames:
    tools = {call.tool_name for session in facts for call in session.tool_calls}
    for session in facts:
        tools |= session.catalog_tools or frozenset()
    for catalog in plan.catalogs.values():
        tools |= catalog.tools
    # A goal's id is often a plain word; what may not be said is its title (findings.md 9.2).
    titles = frozenset(goal.title for goal in plan.goals)
    targets = {text for one in plan.targets for text in (one.label, one.id, one.target_id)}
    personas = frozenset(persona.name for persona in plan.personas)
    return SpokenNames(personas, titles, frozenset(targets), frozenset(tools))


def _by_size(gist: Gist, limit: int | None) -> tuple[SessionFacts, ...]:
    """Mark the sessions that are too long for a model to read.

    Rule: findings.md section 4.3, `contextTooLarge`.
    """
    most = CONTEXT_CHARS if limit is None else limit
    return tuple(
        as_unread(session, ReadState.CONTEXT_TOO_LARGE)
        if session.is_read
        and session.transcript_chars * _LONGEST_MASK > most
        and _masked_chars(gist, session) > most
        else session
        for session in gist.facts
    )


def _masked_chars(gist: Gist, session: SessionFacts) -> int:
    recording = gist.transcript(session.session_id)
    return 0 if recording is None else masked_chars(recording)


def _settled(facts: Sequence[SessionFacts], asked: Asked) -> tuple[SessionFacts, ...]:
    """Say of each session that a model could not use why it was not read."""
    states: dict[str, ReadState] = dict.fromkeys(asked.over_budget, ReadState.BUDGET_EXHAUSTED)
    states |= dict.fromkeys(asked.refused_reports, ReadState.EXTRACTION_REJECTED)
    return tuple(
        as_unread(session, states[session.session_id]) if session.session_id in states else session
        for session in facts
    )


def _decide(asked: Asked, published: Published) -> None:
    """Note beside each question of a group what became of the proposals in its reply."""
    for key, question_id in asked.asked_for.items():
        asked.decisions[question_id] = [
            proposal_decision(fate) for fate in published.proposals if fate.group == key
        ]


@dataclass(frozen=True, slots=True)
class _Came:
    """Everything that asking came to."""

    gist: Gist
    facts: Sequence[SessionFacts]
    asked: Asked
    published: Published
    readings: Readings


def _analysis(came: _Came, choices: PhraseChoices) -> Analysis:
    asked, published = came.asked, came.published
    wave = group_wave(came.gist.plan, came.facts, came.gist.scan_cap)
    kinds = {question.kind for question, answer in asked.exchanges if is_sent(answer)}
    fates = {fate.session_id: fate for fate in asked.reports if fate.accepted}
    reports = [
        model_report_row(cell, session, fates[session.session_id])
        for cell in wave.cells
        for session in cell.sessions
        if session.session_id in fates
    ]
    return Analysis(
        mechanisms=mechanism_rows(published.mechanisms, wave, came.readings),
        reports=tuple(row for row in reports if row is not None),
        verification=published.verification if "propose" in kinds else None,
        disclosure=Disclosure(
            rail=choices.rail, evidence_sent=[_sent_words(one) for one in asked.sent]
        ),
        extraction_model=choices.model if "report" in kinds else "",
        reasoning_model=choices.model if "propose" in kinds else "",
        unanalysed=_unanalysed(asked),
    )


def _unanalysed(asked: Asked) -> int:
    """Count the sessions of groups whose cause nobody told: no call, or no usable reply."""
    unusable = {
        fate.group
        for fate in asked.proposals
        if any(one.rule is PhraseRule.REPLY_NOT_JSON for one in fate.refusals)
    }
    return sum(
        group.sessions
        for group in asked.groups
        if group.reply is not ReplyState.ANSWERED or group.key in unusable
    )


def _sent_words(sent: SentSession) -> str:
    """Say in one line what of a session was sent."""
    turns = ", ".join(str(turn + 1) for turn in sent.turns)
    return (
        f"session {sent.session_id}: turns {turns} of {sent.all_turns}, masked, "
        f"{sent.chars} characters in {sent.requests} "
        f"{'request' if sent.requests == 1 else 'requests'}"
    )


def _work(
    choices: PhraseChoices, asked: Asked, published: Published, asker: KeptAsker
) -> PhraseWork:
    return PhraseWork(
        model=choices.model,
        rail=choices.rail,
        groups=asked.groups,
        proposals=published.proposals,
        reports=asked.reports,
        sent=asked.sent,
        spent=asked.spent,
        states=asked.states,
        # A run that asks anew keeps only what it used, so nothing in its file is stale.
        stale=0 if choices.asker is not None else asker.stale,
        by_person=sum(one.by_person for fate in published.proposals for one in fate.support),
        changed=sum(
            asker.replies[one].decision != asked.decisions.get(one, []) for one in asker.used
        ),
    )


def _replies(asked: Asked) -> list[KeptReply]:
    return [
        kept_reply(question, answer, asked.decisions.get(question.id, ()))
        for question, answer in asked.exchanges
        if is_kept(answer)
    ]


def _what_came(
    gist: Gist, choices: PhraseChoices, asked: Asked, answered: Mapping[str, Answer]
) -> PhrasesDocument:
    """Return the replies that were there when asking was interrupted, with those kept before."""
    before = by_id(choices.kept.replies) if choices.kept else {}
    fresh = {
        one: kept_reply(asked.questions[one], answer)
        for one, answer in answered.items()
        if is_kept(answer)
    }
    return _document(gist, choices, [*(before | fresh).values()])


def _document(gist: Gist, choices: PhraseChoices, replies: Sequence[KeptReply]) -> PhrasesDocument:
    return PhrasesDocument(
        format=FORMAT,
        format_version=FORMAT_VERSION,
        questions_version=QUESTIONS_VERSION,
        reporter_version=VERSION,
        library_version=choices.library_version,
        model=choices.model,
        rail=choices.rail,
        wave_id=gist.plan.wave_id,
        source_revision=gist.source_revision,
        sample=choices.options.sample,
        session_chars=choices.options.session_chars,
        with_reports=choices.options.with_reports,
        context_chars=choices.context_chars,
        replies=list(replies),
        persons=list(choices.kept.persons) if choices.kept else [],
    )
