"""Limits on the counts: every coverage note with what it touches and what it means here."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingSet
from reporter.models.phrases import PhraseWork
from reporter.models.wave import DerivedWave
from reporter.view.count import Count
from reporter.view.outline import Outline
from reporter.view.text import capital, listed, plural
from reporter.view.work_words import groups_words, not_analysed, rules_words
from reporter.vocabulary import (
    CoverageNote,
    Disposition,
    GraderReadiness,
    Lifecycle,
    ProposalState,
    ReadState,
    ReplyState,
    Signal,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class Caution:
    """One coverage note of the wave."""

    label: str
    touches: str
    """Such as `8 of 48 sessions`, `2 explanations`; empty where it is not known."""
    brief: str
    """The same for the one sentence: `8 sessions`."""
    meaning: str
    """What the note means, then what it comes to here in exact counts."""


@dataclass(frozen=True, slots=True)
class CautionsView:
    """Every limit on the numbers of a report; always printed."""

    cautions: tuple[Caution, ...]
    unrecorded: tuple[str, ...]
    """Sentences about what was not recorded at all and was therefore assumed or left unknown."""
    heading: str
    """Such as `7 cautions on these numbers:`."""
    sentence: str
    """Every label with its count, in one sentence; or that there is none."""


def cautions_view(outline: Outline) -> CautionsView:
    """Lay the cautions out.

    Rule: report.md section 3.2; findings.md section 11.
    """
    findings = outline.wave.findings
    facts = list(outline.facts.values())
    cautions = tuple(_caution(note, outline.wave, facts) for note in findings.coverage_notes)
    unrecorded = tuple(_unrecorded(outline, facts))
    said = [
        f"{caution.label[0].lower()}{caution.label[1:]}"
        + (f" ({caution.brief})" if caution.brief else "")
        for caution in cautions
    ]
    total = len(cautions)
    if not total:
        heading = "No coverage note was raised on these numbers."
    else:
        heading = f"{plural(total, 'caution')} on these numbers:"
    return CautionsView(
        cautions=cautions,
        unrecorded=unrecorded,
        heading=heading,
        sentence=", ".join(said) + "." if said else "",
    )


_NO_MANIFEST: Final = (
    "The wave has no manifest, so it was interrupted or is still being written: how many "
    "sessions were planned is not known, and what only the manifest says (goal titles, "
    "checks, policies) is filled in from the sessions and marked unknown."
)
_NO_RECORDING: Final = (
    "This is a published findings document without its recording: single sessions, their "
    "turns and their chains are not here, and rules that need them were not checked."
)


def touched_words(wave: DerivedWave, note: CoverageNote) -> str:
    """Say what a note of the wave touches: `8 sessions`, `2 explanations`; empty if unknown."""
    findings = wave.findings
    if note is CoverageNote.ANALYSIS_UNAVAILABLE and wave.phrases is not None:
        sessions, unverified = _unexplained(wave.phrases)
        parts = [plural(sessions, "session")] if sessions else []
        parts += [plural(unverified, "explanation")] if unverified else []
        return listed(parts)
    count = findings.note_sessions.get(note)
    if count is None:
        return ""
    asked = note is CoverageNote.ANALYSIS_UNAVAILABLE and findings.verification is not None
    explanations = asked or note is CoverageNote.MECHANISMS_REJECTED
    return plural(count, "explanation" if explanations else "session")


def _unexplained(work: PhraseWork) -> tuple[int, int]:
    """Count sessions of groups that nobody analysed, and proposals that nobody could check."""
    sessions = sum(one.sessions for one in not_analysed(work))
    return sessions, sum(one.state is ProposalState.UNVERIFIED for one in work.proposals)


def _caution(note: CoverageNote, wave: DerivedWave, facts: Sequence[SessionFacts]) -> Caution:
    findings = wave.findings
    count = findings.note_sessions.get(note)
    touches = brief = touched_words(wave, note)
    if count is not None and touches == plural(count, "session"):
        touches = Count(count, findings.population.configured).text
    writer, asked = _MEANINGS.get(note), _OF_WORK.get(note)
    parts = [note.meaning]
    if asked is not None and wave.phrases is not None:
        parts.append(asked(wave.phrases))
    if writer and facts and not (asked in _INSTEAD and wave.phrases is not None):
        parts.append(writer(facts, findings))
    return Caution(note.label, touches, brief, " ".join(part for part in parts if part))


def _judge(facts: Sequence[SessionFacts], _: FindingSet) -> str:
    """Say in exact counts what became of the judge, because the label is too coarse.

    Rule: report.md section 3.2, coarse labels.
    """
    said: dict[GraderReadiness, str] = {
        GraderReadiness.NOT_CONFIGURED: "none has spoken and none is awaited",
        GraderReadiness.SILENT: "its word does not decide",
        GraderReadiness.PENDING: "its word is still owed",
        GraderReadiness.ERRORED: "it ran and failed, or could not run",
        GraderReadiness.NOT_CLAIMED: "it was not begun",
    }
    touched = [
        fact
        for fact in facts
        if fact.started
        and fact.verdict.verdict not in (Verdict.PASSED, Verdict.FAILED)
        and fact.verdict.graders.judge is not GraderReadiness.SCORED
    ]
    judges = Counter(fact.verdict.graders.judge for fact in touched)
    checks = Counter(fact.verdict.graders.criteria for fact in touched)
    parts = [f"{said[state]} for {plural(n, 'session')}" for state, n in _ranked(judges)]
    if not parts:
        return ""
    # A grader that broke and a check that it could not score are one state of the contract.
    words = {GraderReadiness.ERRORED: "not all scored"}
    graded = ", ".join(f"{words.get(state, state.label)} for {n:,}" for state, n in _ranked(checks))
    return f"Of the judge: {'; '.join(parts)}. Their required checks: {graded}."


def _ranked(counts: Counter[GraderReadiness]) -> list[tuple[GraderReadiness, int]]:
    order = list(GraderReadiness)
    return sorted(counts.items(), key=lambda item: (-item[1], order.index(item[0])))


def _withdrawn(facts: Sequence[SessionFacts], _: FindingSet) -> str:
    found = [fact for fact in facts if fact.lifecycle is Lifecycle.WITHDRAWN]
    before = sum(not fact.started for fact in found)
    after = len(found) - before
    parts = []
    if before:
        parts.append(f"{before:,} before the first message")
    if after:
        parts.append(f"{after:,} after it had started")
    return f"{capital(listed(parts))}." if parts else ""


def _limited(facts: Sequence[SessionFacts], _: FindingSet) -> str:
    never = sum(fact.lifecycle is Lifecycle.LIMITED for fact in facts)
    ended = sum(
        fact.started and fact.attempt is not None and fact.attempt.status == "rate_limited"
        for fact in facts
    )
    parts = []
    if never:
        parts.append(f"{never:,} never started")
    if ended:
        parts.append(f"{ended:,} started and ended at a limit")
    return f"{', '.join(parts)}." if parts else ""


def _read_state(state: ReadState) -> Callable[[Sequence[SessionFacts], FindingSet], str]:
    def said(facts: Sequence[SessionFacts], _: FindingSet) -> str:
        found = [fact for fact in facts if fact.read_state is state]
        known = sum(fact.disposition is not Disposition.NOT_MEASURED for fact in found)
        if not found:
            return ""
        silent = sum(bool(fact.tool_calls) and not fact.has_transcript for fact in found)
        words = (
            f" Of {Count(silent, len(found)).text} calls are on record and no words: "
            "nothing that was said was captured."
            if silent
            else ""
        )
        return (
            f"The outcome is known all the same for {Count(known, len(found)).text} of this kind; "
            f"{'its' if len(found) == 1 else 'their'} recorded facts are not evaluated.{words}"
        )

    return said


def _partial(facts: Sequence[SessionFacts], findings: FindingSet) -> str:
    population = findings.population
    states = Counter(
        fact.read_state for fact in facts if fact.started and fact.read_state is not None
    )
    why = [f"{state.label} ({n:,})" for state, n in states.items() if state is not ReadState.READ]
    was = "was" if population.read == 1 else "were"
    lead = f"{Count(population.read, population.started, kind='started').text} {was} read"
    return f"{lead}; not read: {listed(why)}." if why else f"{lead}."


def _catalog(facts: Sequence[SessionFacts], _: FindingSet) -> str:
    read = [fact for fact in facts if fact.is_read]
    undecided = sum(Signal.HALLUCINATED_TOOL in fact.signals_not_evaluated for fact in read)
    if not undecided:
        return ""
    return (
        f"“{Signal.HALLUCINATED_TOOL.label}” was not evaluated in "
        f"{Count(undecided, len(read), kind='read').text}."
    )


def _unmeasured(facts: Sequence[SessionFacts], _: FindingSet) -> str:
    read = [fact for fact in facts if fact.is_read]
    blank = sum(fact.chain is None or fact.chain.is_unmeasured for fact in read)
    return f"No link is known in {Count(blank, len(read), kind='read').text}."


def _analysis(facts: Sequence[SessionFacts], findings: FindingSet) -> str:
    del facts
    if findings.verification is None and findings.reasoning_model:
        return "A model is named, and what it proposed is not counted."
    if findings.verification is None:
        groups = findings.candidate_groups
        return (
            f"No model was used; {plural(groups, 'group')} of sessions that look alike "
            f"{'waits' if groups == 1 else 'wait'} for an explanation."
        )
    return f"{plural(findings.verification.unverified, 'explanation')} could not be checked."


def _rejected(facts: Sequence[SessionFacts], findings: FindingSet) -> str:
    del facts
    return (
        f"{plural(findings.verification.rejected, 'explanation')} rejected."
        if findings.verification
        else ""
    )


_MEANINGS: Final[Mapping[CoverageNote, Callable[[Sequence[SessionFacts], FindingSet], str]]] = {
    CoverageNote.SESSION_SCAN_CAPPED: _read_state(ReadState.SCAN_CAPPED),
    CoverageNote.BUDGET_EXHAUSTED: _read_state(ReadState.BUDGET_EXHAUSTED),
    CoverageNote.TRANSCRIPT_MISSING: _read_state(ReadState.TRANSCRIPT_MISSING),
    CoverageNote.CONTEXT_TOO_LARGE: _read_state(ReadState.CONTEXT_TOO_LARGE),
    CoverageNote.EXTRACTION_REJECTED: _read_state(ReadState.EXTRACTION_REJECTED),
    CoverageNote.CHAIN_UNMEASURED: _unmeasured,
    CoverageNote.JUDGE_NOT_RUN: _judge,
    CoverageNote.SESSIONS_WITHDRAWN: _withdrawn,
    CoverageNote.SESSIONS_RATE_LIMITED: _limited,
    CoverageNote.PARTIAL_READ: _partial,
    CoverageNote.TOOL_CATALOG_MISSING: _catalog,
    CoverageNote.MECHANISMS_REJECTED: _rejected,
    CoverageNote.ANALYSIS_UNAVAILABLE: _analysis,
}


def _over_budget(work: PhraseWork) -> str:
    """Say what was not asked for want of budget."""
    short = ReplyState.OVER_BUDGET
    reports = sum(one.reply is short for one in work.reports)
    groups = sum(one.reply is short for one in work.groups)
    looks = sum(one.unanswered is short for fate in work.proposals for one in fate.support)
    parts = [
        said
        for count, said in (
            (reports, f"what happened in {plural(reports, 'session')}"),
            (groups, f"the cause of {plural(groups, 'group')} of sessions"),
            (looks, plural(looks, "second look")),
        )
        if count
    ]
    return f"Not asked for that reason: {listed(parts)}." if parts else ""


def _refused_reports(work: PhraseWork) -> str:
    """Say how many accounts of sessions were refused, and by which rules."""
    refused = [one for one in work.reports if not one.accepted and one.reply is ReplyState.ANSWERED]
    if not refused:
        return ""
    rules = rules_words(refusal for one in refused for refusal in one.refusals)
    why = f", by {rules}" if rules else ""
    return f"Of {Count(len(refused), len(work.reports)).text} the model’s account was refused{why}."  # noqa: RUF001  the sign is meant


def _rejected_work(work: PhraseWork) -> str:
    """Say how many proposals were rejected by code, and how many after a second look."""
    rejected = [one for one in work.proposals if one.state is ProposalState.REJECTED]
    looked = sum(any(each.answer is not None for each in one.support) for one in rejected)
    if not rejected:
        return ""
    by_code = len(rejected) - looked
    parts = [f"{by_code:,} by code before a second look"] if by_code else []
    parts += [f"{looked:,} after one"] if looked else []
    of = Count(len(rejected), len(work.proposals), "explanation").text
    return f"{of} rejected: {listed(parts)}."


def _analysis_work(work: PhraseWork) -> str:
    """Say which groups nobody analysed, and how many proposals nobody could check."""
    _, unverified = _unexplained(work)
    parts = [groups_words(work)] if not_analysed(work) else []
    if unverified:
        parts.append(f"{plural(unverified, 'explanation')} could not be checked.")
    return " ".join(parts)


_OF_WORK: Final[Mapping[CoverageNote, Callable[[PhraseWork], str]]] = {
    CoverageNote.BUDGET_EXHAUSTED: _over_budget,
    CoverageNote.EXTRACTION_REJECTED: _refused_reports,
    CoverageNote.MECHANISMS_REJECTED: _rejected_work,
    CoverageNote.ANALYSIS_UNAVAILABLE: _analysis_work,
}
"""What a note comes to where a model was asked and it is known what became of that."""
_INSTEAD: Final = (_rejected_work, _analysis_work)
"""Those that say all that is said without that knowledge."""


def _unrecorded(outline: Outline, facts: Sequence[SessionFacts]) -> list[str]:
    plan = outline.wave.plan
    if plan is None:
        return [_NO_RECORDING]
    said = []
    if plan.manifest_missing:
        said.append(_NO_MANIFEST)
    elif not plan.terminal:
        said.append("The wave was not over when it was recorded: some run was still going.")
    started = [fact for fact in facts if fact.started]
    return [*said, *_ungoverned(started)]


def _ungoverned(started: Sequence[SessionFacts]) -> Iterator[str]:
    """Say of how many sessions policy or grading were not recorded, at once where it is both."""
    policy = [fact.session_id for fact in started if not fact.judge_policy_recorded]
    grading = [fact.session_id for fact in started if not fact.grading_recorded]
    if policy and policy == grading:
        yield (
            f"How judge and grading were set up is {_of_started(policy, started)}: "
            "the judge is taken as advisory and not automatic, grading as not requested."
        )
        return
    if policy:
        yield (
            f"How the judge was set up is {_of_started(policy, started)}: "
            "it is taken as advisory and not automatic."
        )
    if grading:
        yield (
            f"How grading was set up is {_of_started(grading, started)}: "
            "it is taken as not requested."
        )


def _of_started(some: Sequence[str], started: Sequence[SessionFacts]) -> str:
    if len(some) == len(started) > 1:
        return f"recorded for none of {len(started):,} started sessions"
    return f"not recorded for {Count(len(some), len(started), kind='started').text}"
