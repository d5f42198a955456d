"""One recorded session in, everything that is derived from it out."""

from collections.abc import Mapping
from dataclasses import field
from typing import Final, Literal

from reporter.derive.calls import call_facts
from reporter.derive.catalog import JudgedCatalog, judged_catalog
from reporter.derive.connection import summarize_connections
from reporter.derive.contradictions import contradictions_of
from reporter.derive.disposition import disposition_of
from reporter.derive.evidence import SessionEvidence, gather_evidence, inferred_pair
from reporter.derive.excerpt import bounded, refusal_text
from reporter.derive.friction import friction_of, is_marginal
from reporter.derive.friction_signals.derive import friction_of_session
from reporter.derive.grades import Grades, grades_of
from reporter.derive.inferred import inferred_stages
from reporter.derive.lifecycle import lifecycle_of
from reporter.derive.notes import notes_of
from reporter.derive.options import DeriveOptions
from reporter.derive.session_chain import SessionChain, chain_of
from reporter.derive.signals import NOT_LOOKED, SessionSignals, signals_of
from reporter.derive.spans import chain_input_of
from reporter.derive.stands import standing_failures
from reporter.derive.started import read_state_of, start_of
from reporter.derive.suspicions import suspicions_of
from reporter.derive.unread import LOADED
from reporter.errors import Problem
from reporter.identifiers import GoalId
from reporter.models.chain import Chain
from reporter.models.facts import SelfReportFact, SessionFacts
from reporter.models.manifest import Attempt
from reporter.models.plan import SessionContext
from reporter.models.records import SelfReport, SessionComplete
from reporter.models.session import SessionRecording
from reporter.models.value import value
from reporter.models.verdict import SessionVerdict
from reporter.redaction import mask_text
from reporter.vocabulary import FrictionReason, ReadState, Stage

_FIRST_WORDS_CHARS: Final = 200
_USUAL: Final = DeriveOptions()
_NO_COUNTS: Final[Mapping[str, int]] = {}
"""One for all sessions: each empty mapping of its own takes 64 bytes."""


def derive_session(
    context: SessionContext, recording: SessionRecording, options: DeriveOptions = _USUAL
) -> SessionFacts:
    """Derive everything that one session comes to.

    Args:
        context: The session's slot, and the run, persona, goal and target it belongs to.
        recording: What could be read of it.
        options: What the caller decides about reading and friction.

    Returns:
        The facts, with every problem of the session: those the reader met, then those that
        the derivation found.

    Rule: recording.md section 5; findings.md sections 4, 5, 8 and 11.
    """
    slot, run = context.slot, context.run
    evidence = gather_evidence(recording)
    complete = evidence.complete
    attempt = _attempt(slot.attempt, complete)
    lifecycle = lifecycle_of(attempt, has_transcript=evidence.message_count > 0)
    grades = grades_of(context, recording, evidence, attempt)
    verdict = grades.judged.verdict
    connection = summarize_connections(evidence.connections)
    start = start_of(
        slot,
        recording,
        message_count=evidence.message_count,
        lifecycle=lifecycle,
        refused=connection.refused,
    )
    catalog = judged_catalog(context, evidence.catalogs)
    chars = _transcript_chars(evidence, masked=options.with_model)
    read_state = read_state_of(start, options, damaged=recording.damaged, transcript_chars=chars)
    # What a model could not use was loaded all the same: it keeps its disposition.
    is_loaded = read_state in LOADED
    seen = signals = NOT_LOOKED
    if is_loaded:
        seen = signals_of(
            evidence, catalog, context.target, lifecycle=lifecycle, max_turns=run.max_turns
        )
    if read_state is ReadState.READ:
        signals = seen
    journey = _NOWHERE
    if start.started:
        gathered = _Gathered(context, recording, evidence, grades, verdict, catalog, seen)
        journey = _journey(gathered, options)
    suspicions, unused = suspicions_of(recording, evidence.suspicions)
    return SessionFacts(
        session_id=slot.session_id,
        run_id=slot.run_id,
        target_id=slot.target_id,
        session_index=slot.session_index,
        persona_ref_id=context.persona.persona_ref_id,
        persona_name=context.persona.name,
        goal_id=GoalId(context.goal.journey_ref_id),
        goal_title=context.goal.title,
        attempt=attempt,
        lifecycle=lifecycle,
        message_count=evidence.message_count,
        has_transcript=evidence.message_count > 0,
        started=start.started,
        started_by=start.started_by,
        never_ran=start.never_ran,
        read_state=read_state,
        turns_used=len(evidence.turns),
        max_turns=run.max_turns,
        end_reason=_end_reason(complete),
        verdict=verdict,
        disposition=disposition_of(
            verdict.verdict,
            journey.chain,
            refused=connection.refused,
            standing=journey.standing,
            friction=bool(journey.friction),
        ),
        turns=evidence.persona_messages,
        messages_loaded=evidence.messages_loaded,
        tool_calls=call_facts(evidence.calls),
        finish_reasons=tuple(evidence.finishes),
        usage=evidence.usage,
        models=evidence.models,
        catalog_complete=catalog.complete,
        catalog_tools=catalog.tools,
        connection=connection.word,
        connection_failures=connection.failures,
        has_connection_record=bool(evidence.connections),
        chain=journey.chain,
        chain_source=journey.chain_source,
        call_failure_stands=Stage.CALL in journey.standing,
        response_failure_stands=Stage.RESPONSE in journey.standing,
        inferred_stages=journey.inferred_stages,
        signals=signals.matches,
        signals_not_evaluated=signals.not_evaluated if start.started else (),
        hallucinated_tools=signals.hallucinated_tools,
        friction=journey.friction,
        friction_signals=friction_of_session(evidence.calls, is_whole=is_loaded)
        if start.started
        else None,
        suspicions=suspicions,
        criteria=grades.criteria,
        judge=grades.judge,
        judge_policy_recorded=grades.judge_policy_recorded,
        grading_recorded=grades.grading_recorded,
        report=_report(evidence.self_report),
        last_assistant_index=evidence.last_assistant_index,
        first_words=_first_words(evidence.persona_text),
        notes=notes_of(
            start,
            verdict,
            read_state=read_state,
            attempt=attempt,
            chain=journey.chain,
            catalog=catalog,
            beyond_scan_cap=options.beyond_scan_cap,
            damaged=recording.damaged,
        ),
        problems=(
            *recording.problems,
            *contradictions_of(context, recording, evidence, catalog),
            *grades.problems,
            *unused,
            *journey.problems,
        ),
        unknown_types=recording.unknown_types or _NO_COUNTS,
        inferred=_inferred(slot.inferred, evidence, grades),
        masked=slot.masked or _NO_COUNTS,
        started_at_ms=evidence.started_at_ms,
        ended_at_ms=evidence.ended_at_ms,
        transcript_chars=chars,
        file=recording.file,
        sha256=recording.sha256,
        bytes=recording.bytes,
    )


@value(frozen=True, slots=True)
class _Gathered:
    """What the journey of a started session is derived from."""

    context: SessionContext
    recording: SessionRecording
    evidence: SessionEvidence
    grades: Grades
    verdict: SessionVerdict
    catalog: JudgedCatalog
    signals: SessionSignals


@value(frozen=True, slots=True)
class _Journey:
    """How far a session came, and what stood in its way."""

    chain: Chain | None = None
    chain_source: Literal["recorded", "derived"] | None = None
    standing: frozenset[Stage] = frozenset()
    friction: tuple[FrictionReason, ...] = ()
    inferred_stages: Mapping[Stage, tuple[str, ...]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


_NOWHERE: Final = _Journey()


def _journey(gathered: _Gathered, options: DeriveOptions) -> _Journey:
    evidence, grades, verdict = gathered.evidence, gathered.grades, gathered.verdict
    source = chain_input_of(
        evidence,
        grades,
        verdict.lifecycle,
        target=gathered.context.target,
        catalog=gathered.catalog,
    )
    chosen = chain_of(gathered.recording, evidence.chain, source)
    chain = chosen.chain
    return _Journey(
        chain=chain,
        chain_source=chosen.source,
        standing=standing_failures(chain, evidence.calls, grades.criteria),
        friction=friction_of(
            chain,
            gathered.signals.names,
            lifecycle=verdict.lifecycle,
            advisory_failed=verdict.counts.advisory_failed,
            marginal=options.marginal_score and is_marginal(grades.judge),
        ),
        inferred_stages=_inferred_stages(chosen, evidence, grades),
        problems=chosen.problems,
    )


def _inferred_stages(
    chosen: SessionChain, evidence: SessionEvidence, grades: Grades
) -> Mapping[Stage, tuple[str, ...]]:
    """Return the rules behind stage rows; a recorded chain rests on what its maker read."""
    if chosen.source == "recorded" or not (evidence.inferred or grades.inferred):
        return {}
    return inferred_stages(chosen.chain, evidence, grades.criteria, grades.judge)


def _attempt(planned: Attempt | None, complete: SessionComplete | None) -> Attempt | None:
    """Return the manifest's attempt, else the session's own last word, fit to be shown.

    Rule: recording.md sections 3 (Attempt) and 4.
    """
    if planned is not None:
        message = refusal_text(planned.error_message)
        if message == planned.error_message:
            return planned
        return planned.model_copy(update={"error_message": message})
    if complete is None:
        return None
    return Attempt(
        status=complete.status,
        error_code=complete.error_code,
        error_message=refusal_text(complete.error_message),
    )


def _end_reason(complete: SessionComplete | None) -> str | None:
    if complete is None or "end_reason" not in complete.model_fields_set:
        return None
    return complete.end_reason


def masked_chars(recording: SessionRecording) -> int:
    """Return the length of a transcript as a model would be shown it.

    Rule: findings.md section 4.3, `contextTooLarge`.
    """
    return _transcript_chars(gather_evidence(recording), masked=True)


def _transcript_chars(evidence: SessionEvidence, *, masked: bool) -> int:
    """Count the transcript's characters; masking costs much, and only a model needs it."""
    texts = evidence.transcript_texts
    return sum(len(mask_text(text)) for text in texts) if masked else sum(map(len, texts))


def _report(record: SelfReport | None) -> SelfReportFact | None:
    if record is None:
        return None
    return SelfReportFact(
        account=mask_text(record.account),
        feeling=None if record.feeling is None else mask_text(record.feeling),
        goal_reached=record.goal_reached,
    )


def _first_words(text: str | None) -> str | None:
    return None if text is None else bounded(text, _FIRST_WORDS_CHARS)


def _inferred(
    slot: Mapping[str, str], evidence: SessionEvidence, grades: Grades
) -> tuple[tuple[str, str], ...]:
    pairs = [inferred_pair("slot", name, rule) for name, rule in slot.items()]
    return tuple(dict.fromkeys([*pairs, *evidence.inferred, *grades.inferred]))
