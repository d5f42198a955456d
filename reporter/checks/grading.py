"""Checks over one recorded session: which are evaluated, and the records that say how it went.

Rule: checks.md sections 5, 8 and 13.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from reporter.checks.authoring import TURN_SCOPABLE, check_faults
from reporter.checks.evaluate import evaluate
from reporter.checks.evidence import Evidence
from reporter.checks.expected import is_matcher, match_calls, match_outcome
from reporter.checks.outcome import Outcome, unknown
from reporter.checks.session_evidence import evidence_of_session
from reporter.checks.text import REASON_CAP, capped, counted
from reporter.checks.turns import evidence_of_turn, turn_scope, turns_of
from reporter.derive.chain.predicates import CALLS_MATCH, MATCHERS
from reporter.derive.evidence import SessionEvidence, gather_evidence
from reporter.derive.grades import result_rule
from reporter.derive.lifecycle import lifecycle_of
from reporter.derive.matched import turn_of_scope
from reporter.derive.session import derive_session
from reporter.models.manifest import Attempt, Criterion, JudgePolicy
from reporter.models.plan import SessionContext
from reporter.models.records import (
    ChainRecord,
    Criteria,
    CriterionResult,
    Grading,
    MatchCounts,
    Record,
    SessionComplete,
    WidgetRender,
)
from reporter.models.session import SessionRecording
from reporter.redaction import mask_text
from reporter.vocabulary import Lifecycle

Word = Literal["passed", "failed", "error"]
"""`error`: not measured."""

Ungraded = Literal[
    "noTranscript", "unfinished", "endUnrecorded", "damaged", "nothingToGrade", "beyondCap"
]
"""Why no check was evaluated over a session."""

STATED_ENDED: Final = "stated by whoever graded: the session is over"
"""The rule of an end that no recording holds."""

_UNFINISHED: Final = frozenset({Lifecycle.PENDING, Lifecycle.RUNNING, Lifecycle.LIMITED})


@dataclass(frozen=True, slots=True)
class Grader:
    """Who grades, and by what."""

    name: str
    version: str
    checks_name: str
    checks_sha256: str
    """Digest of the bytes of the file of checks."""

    def to_wire(self) -> dict[str, Any]:
        """Return what is written into a recording, keys in a fixed order."""
        return {
            "name": self.name,
            "version": self.version,
            "checks": {"name": self.checks_name, "sha256": self.checks_sha256},
        }


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A result on record that the checks do not come to."""

    session_id: str
    criterion_id: str
    recorded: Word
    now: Word
    reason: str
    """What the check saw."""


@dataclass(frozen=True, slots=True)
class GradedSession:
    """What came of one session."""

    records: tuple[Record, ...] = ()
    """To be written behind those that the session has; none where nothing was evaluated."""
    words: Mapping[str, Word] | None = None
    """Of the checks that were evaluated, by criterion id."""
    unmeasured: Mapping[str, str] = field(default_factory=dict)
    """Why a check could not be scored, by criterion id."""
    widgets_seen: bool = False
    """Whether a try to show a widget is on record."""
    kept: int = 0
    """Results on record that were not evaluated again."""
    disagreements: tuple[Disagreement, ...] = ()
    ungraded: Ungraded | None = None


@dataclass(slots=True)
class GradingTally:
    """What came of all sessions together."""

    sessions: int = 0
    """Slots of the plan."""
    graded: int = 0
    """Sessions over which at least one check was evaluated."""
    words: Counter[Word] = field(default_factory=Counter)
    """Evaluations, one a check and session."""
    kept: int = 0
    """Results on record that stand."""
    ungraded: Counter[Ungraded] = field(default_factory=Counter)
    """Sessions over which nothing was evaluated, by reason."""
    disagreements: list[Disagreement] = field(default_factory=list)
    by_check: dict[str, Counter[Word]] = field(default_factory=dict)
    """Evaluations of one check, by criterion id."""
    unmeasured: dict[str, str] = field(default_factory=dict)
    """Why a check could not be scored where that was first so, by criterion id."""
    widgets_seen: bool = False

    @property
    def blind(self) -> dict[str, str]:
        """The checks that could be scored in no session, each with a reason.

        Rule: checks.md section 10, sentence 5.
        """
        return {
            name: self.unmeasured[name]
            for name, words in self.by_check.items()
            if words["error"] and not words["passed"] and not words["failed"]
        }

    def take(self, one: GradedSession) -> None:
        """Count one session in."""
        self.sessions += 1
        self.kept += one.kept
        self.disagreements += one.disagreements
        if one.ungraded is not None:
            self.ungraded[one.ungraded] += 1
            return
        self.graded += 1
        self.widgets_seen = self.widgets_seen or one.widgets_seen
        for name, word in (one.words or {}).items():
            self.words[word] += 1
            self.by_check.setdefault(name, Counter())[word] += 1
        for name, reason in one.unmeasured.items():
            self.unmeasured.setdefault(name, reason)


def can_evaluate(criterion: Criterion) -> bool:
    """Tell whether an entry of a rubric is a check that this package evaluates."""
    predicate = criterion.predicate
    if criterion.role is None or predicate is None:
        return False
    if predicate.get("type") in MATCHERS:
        return is_matcher(predicate)
    if criterion.scope is not None:
        one_turn = turn_of_scope(criterion.scope) is not None
        if not one_turn or predicate.get("type") not in TURN_SCOPABLE:
            return False
    return not check_faults({**predicate, "role": criterion.role})


def grade_session(
    context: SessionContext,
    recording: SessionRecording,
    grader: Grader,
    *,
    regrade: bool = False,
    ended: bool = False,
) -> GradedSession:
    """Evaluate the checks of a session's run over what was recorded of it.

    A result on record is kept, unless `regrade` asks for another look; one of a single turn,
    and one that the recorder calls not applicable, is kept in any case. A session that broke
    off in its file is not graded: what came behind the break nobody has read.

    Args:
        context: The session's place; its run's rubric holds the checks.
        recording: What could be read of it.
        grader: Who is written down as having graded.
        regrade: Whether results on record are evaluated again.
        ended: Whether a session of which no end is on record is over, as somebody says who
            knows. It is written down as stated, and never said of one that is on record as
            waiting or running.
    """
    gathered = gather_evidence(recording)
    reason = _ungraded(context, recording, gathered)
    is_stated = ended and reason == "endUnrecorded"
    if reason is not None and not is_stated:
        return GradedSession(ungraded=reason)
    recorded = _Recorded(gathered.criteria)
    chosen = [
        one
        for one in _first_of_each(context.run.rubric)
        if can_evaluate(one) and not recorded.keeps(one, regrade=regrade)
    ]
    kept = len(recorded.counted) - sum(one.id in recorded.counted for one in chosen)
    if not chosen:
        return GradedSession(kept=kept, ungraded="nothingToGrade")
    scopes = _Scopes(context, recording, gathered)
    outcomes = {one.id: scopes.evaluated(one) for one in chosen}
    disagreements = recorded.disagreements(recording.session_id, outcomes)
    seq = _next_seq(recording)
    records: list[Record] = []
    if is_stated:
        stated = {"status": STATED_ENDED}
        records.append(SessionComplete(seq=seq, status="succeeded", inferred=stated))
    criteria = recorded.merged(outcomes, seq + len(records), grader, disagreements)
    records.append(criteria)
    if _settles(gathered, context.judge):
        records.append(Grading(seq=criteria.seq + 1, state="settled"))
    if gathered.chain is not None:
        records += _chain(context, recording, records)
    return GradedSession(
        records=tuple(records),
        words={name: _word(one.outcome) for name, one in outcomes.items()},
        unmeasured={
            name: mask_text(capped(one.outcome.reason, REASON_CAP))
            for name, one in outcomes.items()
            if one.outcome.state == "error"
        },
        widgets_seen=any(isinstance(one, WidgetRender) for one in recording.records),
        kept=kept,
        disagreements=disagreements,
    )


def _ungraded(
    context: SessionContext, recording: SessionRecording, gathered: SessionEvidence
) -> Ungraded | None:
    if recording.damaged:
        return "damaged"
    has_transcript = gathered.message_count > 0
    attempt = context.slot.attempt
    if attempt is None and gathered.complete is not None:
        attempt = Attempt(status=gathered.complete.status)
    if not has_transcript:
        return "noTranscript"
    if attempt is None:
        return "endUnrecorded"
    unfinished = lifecycle_of(attempt, has_transcript=has_transcript) in _UNFINISHED
    return "unfinished" if unfinished else None


def _first_of_each(rubric: Sequence[Criterion]) -> list[Criterion]:
    found: dict[str, Criterion] = {}
    for one in rubric:
        found.setdefault(one.id, one)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class _Evaluated:
    """One entry of a rubric over one session."""

    outcome: Outcome
    turn: int | None = None
    """Zero-based turn that it was evaluated over; None for the session."""
    match: MatchCounts | None = None


class _Scopes:
    """The evidence of one session and of its turns, each gathered once."""

    def __init__(
        self, context: SessionContext, recording: SessionRecording, gathered: SessionEvidence
    ) -> None:
        self._context = context
        self._recording = recording
        self._gathered = gathered
        self._turns: frozenset[int] | None = None
        self._found: dict[int | None, Evidence] = {}

    def evaluated(self, criterion: Criterion) -> _Evaluated:
        """Evaluate one entry over what it is scoped to."""
        check = criterion.predicate or {}
        turn = turn_of_scope(criterion.scope)
        if turn is not None and turn not in self._known_turns():
            last = max(self._known_turns(), default=-1) + 1
            what = f"Turn {turn + 1} is not on record; the session has {counted(last, 'turn')}."
            return _Evaluated(unknown(what), turn)
        evidence = self._evidence(turn)
        if check.get("type") not in MATCHERS:
            return _Evaluated(evaluate(check, evidence), turn)
        found = match_calls(check, evidence)
        counts = found.counts if check["type"] == CALLS_MATCH else None
        return _Evaluated(match_outcome(check, found), turn, counts)

    def _known_turns(self) -> frozenset[int]:
        if self._turns is None:
            self._turns = turns_of(self._recording, self._gathered)
        return self._turns

    def _evidence(self, turn: int | None) -> Evidence:
        if turn not in self._found:
            self._found[turn] = (
                evidence_of_session(self._context, self._recording, self._gathered)
                if turn is None
                else evidence_of_turn(self._recording, self._gathered, turn)
            )
        return self._found[turn]


class _Recorded:
    """The results that a session has on record."""

    def __init__(self, record: Criteria | None) -> None:
        self._record = record if record is not None and record.status == "completed" else None
        self._results = list((self._record and self._record.results) or ())
        claimed = self._record.criterion_ids if self._record else None
        self.counted: dict[str, CriterionResult] = {}
        """By criterion id; the first of two counts, and only what the record claims."""
        for result in self._results:
            if claimed is None or result.criterion_id in claimed:
                self.counted.setdefault(result.criterion_id, result)

    def keeps(self, criterion: Criterion, *, regrade: bool) -> bool:
        """Tell whether the result on record stands, also where it speaks of another scope."""
        result = self.counted.get(criterion.id)
        if result is None:
            return False
        return not regrade or result.not_applicable is not None or result.scope != criterion.scope

    def disagreements(
        self, session_id: str, outcomes: Mapping[str, _Evaluated]
    ) -> tuple[Disagreement, ...]:
        """Return where an evaluation comes to another word than the record."""
        found = []
        for name, evaluated in outcomes.items():
            before, outcome = self.counted.get(name), evaluated.outcome
            if before is None:
                continue
            recorded: Word = (
                "error" if before.status == "error" else "passed" if before.passed else "failed"
            )
            if recorded != _word(outcome):
                found.append(
                    Disagreement(
                        session_id,
                        name,
                        recorded,
                        _word(outcome),
                        mask_text(capped(outcome.reason, REASON_CAP)),
                    )
                )
        return tuple(found)

    def merged(
        self,
        outcomes: Mapping[str, _Evaluated],
        seq: int,
        grader: Grader,
        disagreements: Sequence[Disagreement],
    ) -> Criteria:
        """Return one record with what stands and what was evaluated."""
        left = dict(outcomes)
        results: list[CriterionResult] = []
        inferred: dict[str, str] = {}
        for at, before in enumerate(self._results):
            if before.criterion_id in outcomes:
                outcome = left.pop(before.criterion_id, None)
                if outcome is not None:
                    results.append(_result(before.criterion_id, outcome))
                continue
            rule = result_rule((self._record and self._record.inferred) or {}, at)
            if rule is not None:
                inferred[f"results[{len(results)}].passed"] = rule
            results.append(before)
        results += [_result(name, outcome) for name, outcome in left.items()]
        wire: dict[str, Any] = {
            **grader.to_wire(),
            "criterionIds": list(outcomes),
        }
        if disagreements:
            wire["disagreements"] = [
                {"criterionId": one.criterion_id, "recorded": one.recorded, "now": one.now}
                for one in disagreements
            ]
        return Criteria(
            seq=seq,
            status="completed",
            generation=self._record.generation if self._record else None,
            criterion_ids=self._claimed(outcomes),
            results=results,
            inferred=inferred or None,
            gradedBy=[*self._before(), wire],  # kept as an unknown key is
        )

    def _claimed(self, outcomes: Mapping[str, _Evaluated]) -> list[str] | None:
        if self._record is None:
            return list(outcomes)
        claimed = self._record.criterion_ids
        return None if claimed is None else list(dict.fromkeys([*claimed, *outcomes]))

    def _before(self) -> list[Any]:
        extra = (self._record and self._record.model_extra) or {}
        earlier = extra.get("gradedBy", [])
        return earlier if isinstance(earlier, list) else [earlier]


def _result(name: str, evaluated: _Evaluated) -> CriterionResult:
    outcome = evaluated.outcome
    return CriterionResult(
        criterion_id=name,
        passed=outcome.passed,
        status="error" if outcome.state == "error" else None,
        reason=mask_text(capped(outcome.reason, REASON_CAP)),
        scope=None if evaluated.turn is None else turn_scope(evaluated.turn),
        match=evaluated.match,
    )


def _word(outcome: Outcome) -> Word:
    return {"pass": "passed", "fail": "failed", "error": "error"}[outcome.state]  # type: ignore[return-value]


def _settles(gathered: SessionEvidence, policy: JudgePolicy | None) -> bool:
    """Tell whether the checks are all the grading that there was to wait for.

    A recorder may have been stopped while its own grading was queued; what was waited for is
    there now, unless a judge is owed.
    """
    if gathered.grading is not None and gathered.grading.state == "settled":
        return False
    judge = gathered.goal_judge
    if judge is not None:
        return judge.status != "running"
    return policy is None or not (policy.automatic or policy.requested)


def _next_seq(recording: SessionRecording) -> int:
    """Return a number behind every record's, also behind those that were not understood."""
    last = max((record.seq for record in recording.records), default=-1)
    return last + 1 + sum(recording.unknown_types.values())


def _chain(
    context: SessionContext, recording: SessionRecording, more: Sequence[Record]
) -> list[Record]:
    """Derive the chain anew: the one on record knows nothing of the new results."""
    kept = [one for one in recording.records if not isinstance(one, ChainRecord)]
    facts = derive_session(context, replace(recording, records=[*kept, *more], lines=()))
    if facts.chain is None:
        return []
    return [
        ChainRecord(
            seq=more[-1].seq + 1,
            analyzer_version=facts.chain.analyzer_version,
            stages=[row.to_wire() for row in facts.chain.rows],
        )
    ]
