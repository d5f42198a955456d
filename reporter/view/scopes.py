"""One view type a scope level, with only the fields that the scope may name.

A template that reaches for more finds no such field and fails with its name and line.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, TypedDict

from reporter.findings.people import is_recorded
from reporter.models.finding import Finding, FindingRow
from reporter.models.manifest import TARGET_UNRECORDED
from reporter.view.anchor import finding_anchor
from reporter.view.author import ModelWords, model_words
from reporter.view.count import Count
from reporter.view.outline import NAME_LIMIT, SHORT_TITLE_LIMIT
from reporter.view.text import clip, one_line
from reporter.view.tone import ToneMark, tone_mark
from reporter.vocabulary import Basis, ChainStageBasis, Disposition, ScopeLevel, StageState

EXCERPT_LIMIT = 1_800


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scope:
    """What a finding of any scope may say."""

    anchor: str
    basis: str
    """Label of what it rests on."""
    rests_on: str
    """The same as the wire spells it, for filters."""
    level: str
    """How far it may speak, as the wire spells it, for filters."""
    mark: ToneMark
    population: Count
    verdict: str
    """Label of the verdict seen."""
    notes: tuple[str, ...]
    """Labels of the coverage notes it carries; always printed."""
    citations: tuple[str, ...]
    """`<sessionId>/<pointer>` each."""
    session_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionScope(_Scope):
    """A report of one session: it names that session and nothing beyond."""

    template: ClassVar[str] = "session.html"
    """The template that prints it."""

    persona: str
    goal: str
    target: str
    """Empty where no target was recorded."""
    session_id: str
    actual: str | ModelWords
    """What happened, cited: the recorded judge's words, or a model's."""
    account: str | ModelWords
    """The persona's own account, uncited; empty where there is none."""
    by_model: bool
    """True: a model wrote what happened, and not the recorded judge."""
    account_by_model: bool
    """True: a model may have written the account; a document came without its recording."""
    actual_note: str
    """Whose words `actual` is and what it rests on; empty where they are the recorded judge's."""
    account_note: str
    """Whose account it is, and that nobody verified it; empty where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalScope(_Scope):
    """A finding about one persona's run of one goal on one target."""

    template: ClassVar[str] = "goal.html"
    """The template that prints it."""

    persona: str
    goal: str
    target: str
    """Empty where no target was recorded."""
    phrase: str | ModelWords
    """The outcome phrase, or empty; on a mechanism's row a model wrote it."""
    mechanism: ModelWords
    """Empty on every row but a mechanism's."""
    fix: ModelWords
    """Empty where none was proposed."""
    signal: str
    """Label of the recorded fact; empty on all but signal rows."""
    stage: str
    """Label of the link it stands at; empty where none is measured."""
    stage_words: str
    """How the link is known: `measured`, or what the explanation points at; may be empty."""
    others: tuple[tuple[ToneMark, int], ...]
    """The cell's other dispositions and their sessions, for an outcome row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaScope(_Scope):
    """A fact about one persona: no goal, no target."""

    template: ClassVar[str] = "persona.html"
    """The template that prints it."""

    persona: str
    phrase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetScope(_Scope):
    """A fact about one target: no persona, no goal."""

    template: ClassVar[str] = "target.html"
    """The template that prints it."""

    target: str
    model: str
    phrase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WaveScope(_Scope):
    """A fact about the whole wave: no persona, no goal, no target."""

    template: ClassVar[str] = "wave.html"
    """The template that prints it."""

    phrase: str


ScopeView = SessionScope | GoalScope | PersonaScope | TargetScope | WaveScope


def scope_view(row: FindingRow) -> ScopeView:
    """Show a finding through the type of its scope level.

    Rule: findings.md section 10.
    """
    match row.finding.scope_level:
        case ScopeLevel.SESSION:
            return session_scope(row)
        case ScopeLevel.GOAL:
            return goal_scope(row)
        case ScopeLevel.PERSONA:
            return persona_scope(row)
        case ScopeLevel.TARGET:
            return target_scope(row)
        case ScopeLevel.WAVE:
            return wave_scope(row)


def session_scope(row: FindingRow, recorded: str = "") -> SessionScope:
    """Show a row of session scope.

    Args:
        row: The row.
        recorded: The persona's whole account, where it is on record.
    """
    finding = row.finding
    excerpt = finding.report_excerpt
    return SessionScope(
        **_shared(finding, "session"),
        persona=one_line(finding.persona.name, NAME_LIMIT),
        goal=one_line(finding.goal.title, SHORT_TITLE_LIMIT),
        target=_named(finding.target.label),
        session_id=finding.session_ids[0] if finding.session_ids else "",
        actual=_by(one_line(excerpt.actual, EXCERPT_LIMIT) if excerpt else "", row.by_model),
        account=_by(
            clip((excerpt and excerpt.account) or "", EXCERPT_LIMIT).text, row.account_by_model
        ),
        by_model=row.by_model,
        account_by_model=row.account_by_model,
        actual_note=(_ACTUAL_ALONE if row.account_by_model else _ACTUAL) if row.by_model else "",
        account_note=_account_note(row, recorded) if excerpt and excerpt.account else "",
    )


_ACTUAL: Final = "A model’s account of this one session, checked against what it cites."  # noqa: RUF001  the sign is meant
_ACTUAL_ALONE: Final = (
    "An account of this one session, by a model or by its judge; a document alone does not say"
    " which, nor whether it was checked against what it cites."
)
_ACCOUNT: Final = "The persona’s own account of this one session, not verified."  # noqa: RUF001  the same
_ACCOUNT_ALONE: Final = (
    "This one session in the persona’s voice, recorded or written by a model, not verified."  # noqa: RUF001  the same
)


def _account_note(row: FindingRow, recorded: str) -> str:
    if row.account_by_model:
        return _ACCOUNT_ALONE
    excerpt = row.finding.report_excerpt
    shown = excerpt.account if excerpt else None
    # A row holds 600 characters of it, cut at a sentence: nothing in it shows that more was said.
    if shown and len(recorded.strip()) > len(shown):
        return f"The beginning of {_ACCOUNT[0].lower()}{_ACCOUNT[1:]}"
    return _ACCOUNT


def goal_scope(row: FindingRow) -> GoalScope:
    """Show a row of goal scope."""
    finding = row.finding
    launch = finding.disposition is Disposition.NOT_RUN
    mechanism = finding.basis is Basis.VERIFIED_MECHANISM
    read = mechanism or finding.signal is not None
    return GoalScope(
        **_shared(finding, "configured" if launch else "read" if read else "started"),
        persona=one_line(finding.persona.name, NAME_LIMIT),
        goal=one_line(finding.goal.title, SHORT_TITLE_LIMIT),
        target=_named(finding.target.label),
        phrase=_by(one_line(finding.outcome_phrase or ""), mechanism),
        mechanism=model_words(finding.mechanism_phrase),
        fix=model_words(finding.fix_phrase),
        signal=finding.signal.label if finding.signal else "",
        stage=finding.chain_stage.label if finding.chain_stage else "",
        stage_words=_stage_words(finding),
        others=tuple((tone_mark(word), count) for word, count in row.others),
    )


def _by(text: str, model: bool) -> str | ModelWords:
    return ModelWords(text) if model else text


def persona_scope(row: FindingRow) -> PersonaScope:
    """Show a row of persona scope."""
    finding = row.finding
    return PersonaScope(
        **_shared(finding, "started"),
        persona=_person(finding.persona.persona_ref_id, finding.persona.name),
        phrase=one_line(finding.outcome_phrase or ""),
    )


def _person(ref: str | None, name: str) -> str:
    known = is_recorded((ref, name))
    return one_line(name, NAME_LIMIT) if known else "Sessions without a recorded persona"


def _named(label: str) -> str:
    return "" if label == TARGET_UNRECORDED else one_line(label, NAME_LIMIT)


def target_scope(row: FindingRow) -> TargetScope:
    """Show a row of target scope."""
    finding = row.finding
    launch = finding.disposition is Disposition.NOT_RUN
    return TargetScope(
        **_shared(finding, "configured" if launch else "started"),
        target=one_line(finding.target.label, NAME_LIMIT),
        model=one_line(finding.target.model_id or "", NAME_LIMIT),
        phrase=one_line(finding.outcome_phrase or ""),
    )


def wave_scope(row: FindingRow) -> WaveScope:
    """Show a row of wave scope."""
    return WaveScope(
        **_shared(row.finding, "configured"), phrase=one_line(row.finding.outcome_phrase or "")
    )


class _Shared(TypedDict):
    anchor: str
    basis: str
    rests_on: str
    level: str
    mark: ToneMark
    population: Count
    verdict: str
    notes: tuple[str, ...]
    citations: tuple[str, ...]
    session_ids: tuple[str, ...]


def _shared(finding: Finding, kind: str) -> _Shared:
    population = finding.population
    return {
        "anchor": finding_anchor(finding.id),
        "basis": finding.basis.label,
        "rests_on": finding.basis.value,
        "level": finding.scope_level.value,
        "mark": tone_mark(finding.disposition),
        "population": Count(
            population.count,
            population.total,
            population.unit.removesuffix("s"),
            "" if kind == "session" else kind,
        ),
        "verdict": finding.verdict_seen.label,
        "notes": tuple(note.label for note in finding.coverage_notes),
        "citations": tuple(finding.citations),
        "session_ids": tuple(finding.session_ids),
    }


def _stage_words(finding: Finding) -> str:
    """Say how the link of a row is known; never that it caused anything."""
    if finding.chain_stage is None:
        return ""
    name = finding.chain_stage.label
    if finding.chain_stage_basis is ChainStageBasis.DERIVED:
        said = "failed" if finding.chain_stage_state is StageState.FAILED else "passed"
        return f"{name}: measured, {said}"
    if finding.signal is not None:
        return f"Recorded at {name.lower()}"
    return f"{name}: what the explanation points at"
