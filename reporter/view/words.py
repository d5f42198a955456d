"""The words of this report, each with its label and meaning: only those that occur."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.models.facts import SessionFacts
from reporter.models.phrases import PhraseWork
from reporter.view.attempts import broke_off_unseen, is_open_ended, is_silent
from reporter.view.chain import is_said_otherwise
from reporter.view.outline import Outline
from reporter.view.text import capital
from reporter.view.tone import MarkName, state_mark, tone_mark
from reporter.vocabulary import (
    Basis,
    CoverageNote,
    Disposition,
    FrictionReason,
    GraderReadiness,
    Lifecycle,
    PhraseRule,
    ProposalState,
    ReadState,
    ReplyState,
    SessionVerdictReason,
    Signal,
    Stage,
    StageReason,
    StageState,
    SummaryKind,
    SupportAnswer,
    Tone,
    Verdict,
    Word,
)

_COUNTING: Final = (
    ("Run", "One persona trying one goal, over all targets."),
    ("Target", "A host or an environment and a model: the thing a session runs against."),
    ("Planned", "A session that the wave was to run; also called configured."),
    (
        "Started",
        "At least one message was recorded, or the server under test refused the connection.",
    ),
    ("Read", "Everything recorded of the session was loaded and its facts were computed."),
    ("Graded", "A verdict exists: passed or failed."),
)


@dataclass(frozen=True, slots=True)
class WordLine:
    """One word."""

    label: str
    meaning: str
    mark: MarkName | None
    """The mark it is drawn with; None for words without one."""
    tone: Tone | None


@dataclass(frozen=True, slots=True)
class WordGroup:
    """The words of one list."""

    title: str
    words: tuple[WordLine, ...]


@dataclass(frozen=True, slots=True)
class WordsView:
    """The words section."""

    groups: tuple[WordGroup, ...]


def _stage_reasons(facts: Sequence[SessionFacts]) -> set[StageReason | None]:
    return {
        link.reason
        for fact in facts
        if fact.chain is not None
        for link in fact.chain.rows
        if not is_said_otherwise(fact, link)
    }


def words_view(outline: Outline) -> WordsView:
    """Collect the words that occur.

    Rule: report.md section 3.13.
    """
    findings = outline.wave.findings
    facts = list(outline.facts.values())
    rows = [row.finding for row in findings.rows]
    dispositions = {fact.disposition for fact in facts} | {row.disposition for row in rows}
    dispositions |= {run.disposition for run in outline.runs}
    dispositions |= {person.disposition for person in outline.personas.values()}
    chains = [fact.chain for fact in facts if fact.chain is not None]
    links = [link for chain in chains for link in chain.rows]
    notes = {*findings.coverage_notes, *(note for row in rows for note in row.coverage_notes)}
    groups = (
        _group("The wave", SummaryKind, {findings.summary_kind}),
        _marked_dispositions(dispositions),
        WordGroup(
            "Counting", tuple(WordLine(label, text, None, None) for label, text in _COUNTING)
        ),
        _group("Links", Stage, set(Stage) if links or any(r.chain_stage for r in rows) else ()),
        _marked_states({link.state for link in links}),
        _group("Why a link has its state", StageReason, _stage_reasons(facts)),
        _group(
            "Recorded facts",
            Signal,
            {match.signal for fact in facts for match in fact.signals}
            | {row.signal for row in rows},
        ),
        _group("Friction reasons", FrictionReason, {r for fact in facts for r in fact.friction}),
        _group("Verdicts", Verdict, {fact.verdict.verdict for fact in facts}),
        _group(
            "Why a session has its verdict",
            SessionVerdictReason,
            {
                fact.verdict.reason
                for fact in facts
                if not (is_open_ended(fact) or broke_off_unseen(fact))
            },
        ),
        _group(
            "Attempts",
            Lifecycle,
            {fact.lifecycle for fact in facts if not (is_open_ended(fact) or is_silent(fact))},
        ),
        _group("Reading", ReadState, {fact.read_state for fact in facts}),
        _group(
            "Graders",
            GraderReadiness,
            {fact.verdict.graders.judge for fact in facts}
            | {fact.verdict.graders.criteria for fact in facts},
        ),
        _group("What a finding rests on", Basis, {row.basis for row in rows}),
        _group("Cautions", CoverageNote, notes),
        *_of_a_model(outline.wave.phrases),
    )
    return WordsView(tuple(group for group in groups if group.words))


def _of_a_model(work: PhraseWork | None) -> tuple[WordGroup, ...]:
    if work is None:
        return ()
    supports = [support for fate in work.proposals for support in fate.support]
    refusals = [one for fate in work.proposals for one in fate.refusals]
    refusals += [one for report in work.reports for one in report.refusals]
    replies = {
        *(state for state, count in work.states.items() if count),
        *(group.reply for group in work.groups),
        *(report.reply for report in work.reports),
        *(support.unanswered for support in supports),
    }
    return (
        _group("Proposals", ProposalState, {fate.state for fate in work.proposals}),
        _group("Answers of a second look", SupportAnswer, {one.answer for one in supports}),
        _group("Requests to a model", ReplyState, replies),
        _group("Why a model’s words were refused", PhraseRule, {one.rule for one in refusals}),  # noqa: RUF001  the sign is meant
    )


def _group(title: str, order: type[Word], used: Iterable[Word | None]) -> WordGroup:
    found = set(used)
    return WordGroup(
        title,
        tuple(
            WordLine(capital(word.label), word.meaning, None, None)
            for word in order
            if word in found
        ),
    )


def _marked_dispositions(used: set[Disposition]) -> WordGroup:
    lines = []
    for word in Disposition:
        if word in used:
            mark = tone_mark(word)
            lines.append(WordLine(mark.word, word.meaning, mark.mark, mark.tone))
    return WordGroup("How a goal ended", tuple(lines))


def _marked_states(used: set[StageState]) -> WordGroup:
    lines = []
    for word in StageState:
        if word in used:
            mark = state_mark(word)
            lines.append(WordLine(capital(mark.word), word.meaning, mark.mark, mark.tone))
    return WordGroup("State of a link", tuple(lines))
