"""Which of a session's recorded grades count, and what they come to."""

from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from typing import Final

from reporter.derive.evidence import SessionEvidence
from reporter.derive.excerpt import quoted
from reporter.derive.judged import Check, Judged, Mark, Marks, judged
from reporter.derive.problems import session_problem
from reporter.errors import Problem
from reporter.identifiers import CriterionId
from reporter.models.facts import CriterionFact, CriterionWord, JudgeFact
from reporter.models.manifest import Attempt, Criterion
from reporter.models.plan import SessionContext
from reporter.models.records import Criteria, CriterionResult, GoalJudge
from reporter.models.session import SessionRecording
from reporter.models.value import value
from reporter.redaction import mask_text

SCORE_RULE: Final = "score at or above threshold"
"""The rule that gives a judge's decision where only its numbers were recorded."""


@value(frozen=True, slots=True)
class Grades:
    """The grades that count, in the form that the verdict and the chain read."""

    judged: Judged
    """The verdict and its input."""
    criteria: tuple[CriterionFact, ...]
    """One entry a check of known role, in rubric order."""
    judge: JudgeFact | None
    """None also for a completed record that does not say what was decided."""
    judge_policy_recorded: bool
    grading_recorded: bool
    problems: tuple[Problem, ...] = ()
    inferred: tuple[tuple[str, str], ...] = ()
    """What was inferred here, as in `SessionFacts.inferred`."""


def grades_of(
    context: SessionContext,
    recording: SessionRecording,
    evidence: SessionEvidence,
    attempt: Attempt | None,
) -> Grades:
    """Choose the grades that count for one session.

    What does not count is dropped and reported, so the verdict's input is always consistent.

    Rule: recording.md sections 3 (Policy, Criterion) and 4 (which grades count).
    """
    problems: list[Problem] = []
    judge = _judge(recording, evidence.goal_judge, problems)
    rubric = _rubric(context.run.rubric)
    record = evidence.criteria
    problems += _regraded(recording, record)
    results = _results(recording, record, context.run.rubric, rubric, problems)
    # An advisory check with nothing to judge is none for this session: nothing failed by it
    # and nothing is owed. A required one stays, without a result.
    checks = [
        check
        for name, (_, check) in rubric.items()
        if check.role == "required" or not _is_not_applicable(results.get(name))
    ]
    policy, grading = context.judge, evidence.grading
    marks = Marks(
        attempt=None if attempt is None else (attempt.status, attempt.error_code),
        has_transcript=evidence.message_count > 0,
        rubric=tuple(checks),
        criteria=None if record is None else record.status,
        claimed=_claimed(record, checks),
        results=_marked(record, checks, results),
        score=None if judge is None else (judge.status, judge.passed),
        judge=_UNRECORDED_POLICY
        if policy is None
        else (policy.automatic, policy.role, policy.requested),
        grading=_NOT_REQUESTED if grading is None else (grading.state, grading.reason_code),
    )
    by_score = judge is not None and judge.inferred == SCORE_RULE
    return Grades(
        judged=judged(marks),
        criteria=tuple(
            [_fact(criterion, check, record, results) for criterion, check in rubric.values()]
        ),
        judge=judge,
        judge_policy_recorded=context.judge is not None,
        grading_recorded=grading is not None,
        problems=tuple(problems),
        inferred=(("goal_judge.passed", SCORE_RULE),) if by_score else (),
    )


_UNRECORDED_POLICY: Final = (False, "advisory", None)
_NOT_REQUESTED: Final = ("notRequested", None)


def _rubric(criteria: Sequence[Criterion]) -> dict[str, tuple[Criterion, Check]]:
    """Return the checks whose role is known, by id; the first of two with one id counts."""
    rubric: dict[str, tuple[Criterion, Check]] = {}
    for criterion in criteria:
        name, role = criterion.id, criterion.role
        if role is not None and name not in rubric:
            rubric[name] = (criterion, Check(name, role, criterion.predicate_type))
    return rubric


def _results(
    recording: SessionRecording,
    record: Criteria | None,
    defined: Sequence[Criterion],
    rubric: Container[str],
    problems: list[Problem],
) -> dict[str, tuple[int, CriterionResult]]:
    """Return the results that count, each with its place in the record."""
    if record is None or record.status != "completed":
        return {}
    # A check of unknown role is out with its results; the plan has reported it once.
    silent = {criterion.id for criterion in defined if criterion.id not in rubric}
    kept: dict[str, tuple[int, CriterionResult]] = {}
    for index, result in enumerate(record.results or ()):
        name = result.criterion_id
        if name in silent:
            continue
        rule = _refusal(name, rubric, record.criterion_ids, kept)
        if rule is None:
            kept[name] = (index, result)
            continue
        problems.append(
            session_problem(
                recording,
                record,
                f"The result of criterion {quoted(name)} {_REFUSALS[rule]}, so it does not count.",
                rule=rule,
                place=f"results[{index}].criterionId",
            )
        )
    return kept


_REFUSALS: Final[Mapping[str, str]] = {
    "criterion-unknown": "belongs to no entry of the run's rubric",
    "criterion-unclaimed": "is outside the criterionIds that the record claims",
    "criterion-duplicate": "stands in the record already",
}


def _refusal(
    name: str, rubric: Container[str], claimed: Sequence[str] | None, kept: Container[str]
) -> str | None:
    if name not in rubric:
        return "criterion-unknown"
    if claimed is not None and name not in claimed:
        return "criterion-unclaimed"
    return "criterion-duplicate" if name in kept else None


def _regraded(recording: SessionRecording, record: Criteria | None) -> list[Problem]:
    """Name the results that another look came out otherwise for, with who looked.

    Rule: checks.md section 13, a second evaluation that disagrees.
    """
    raw = None if record is None else (record.model_extra or {}).get("gradedBy")
    found: list[Problem] = []
    for one in raw if isinstance(raw, list) else ():
        told = one.get("disagreements") if isinstance(one, Mapping) else None
        for said in told if isinstance(told, list) else ():
            if not isinstance(said, Mapping):
                continue
            name, before, now = (str(said.get(key)) for key in ("criterionId", "recorded", "now"))
            what = (
                f"Criterion {quoted(name)} was recorded as {_said(before)} and graded {_said(now)}"
            )
            found.append(
                session_problem(
                    recording,
                    record,
                    f"{what} by {quoted(str(one.get('name')))}; the later word counts.",
                    rule="regrade-differs",
                    place="gradedBy",
                    severity="note",
                )
            )
    return found


def _said(word: str) -> str:
    return {"error": "not measured"}.get(word, word if word in {"passed", "failed"} else "unknown")


def _is_not_applicable(found: tuple[int, CriterionResult] | None) -> bool:
    return found is not None and found[1].not_applicable is not None


def _claimed(record: Criteria | None, checks: Sequence[Check]) -> tuple[str, ...] | None:
    if record is None or record.criterion_ids is None:
        return None
    ids = set(record.criterion_ids)
    return tuple([check.id for check in checks if check.id in ids])


def _marked(
    record: Criteria | None,
    checks: Sequence[Check],
    results: Mapping[str, tuple[int, CriterionResult]],
) -> tuple[Mark, ...] | None:
    if record is None or record.status != "completed":
        return None
    marked: list[Mark] = []
    for check in checks:
        found = results.get(check.id)
        if found is not None and not _is_not_applicable(found):
            marked.append((check.id, found[1].passed, found[1].status))
    return tuple(marked)


def _fact(
    criterion: Criterion,
    check: Check,
    record: Criteria | None,
    results: Mapping[str, tuple[int, CriterionResult]],
) -> CriterionFact:
    found = results.get(check.id)
    outcome: CriterionWord = "missing"
    reason: str | None = None
    inferred: str | None = None
    if found is not None:
        index, result = found
        outcome, reason = _outcome_word(result), result.reason
        if result.not_applicable is not None:
            reason = result.not_applicable.reason or reason
        if record is not None and record.inferred is not None:
            inferred = result_rule(record.inferred, index)
    return _criterion_fact(check, criterion.label, outcome, reason, inferred)


# Most sessions of a wave say one of a few things of a check, and masking looks long at each.
@lru_cache(maxsize=1024)
def _criterion_fact(
    check: Check,
    label: str | None,
    outcome: CriterionWord,
    reason: str | None,
    inferred: str | None,
) -> CriterionFact:
    return CriterionFact(
        criterion_id=CriterionId(check.id),
        label=label,
        role=check.role,
        outcome=outcome,
        reason=None if reason is None else mask_text(reason),
        predicate_type=check.kind,
        inferred=inferred,
    )


def _outcome_word(result: CriterionResult) -> CriterionWord:
    if result.not_applicable is not None:
        return "notApplicable"
    if result.status == "error":
        return "error"
    return "passed" if result.passed else "failed"


def result_rule(inferred: Mapping[str, str], index: int) -> str | None:
    """Return the rule that gave one result, or None where it was recorded as such.

    Args:
        inferred: Of the `criteria` record; a rule may be stated of all of its results.
        index: The place of the result in the record.
    """
    keys = (f"results[{index}].passed", f"results[{index}]", "results", "passed")
    return next((inferred[key] for key in keys if key in inferred), None)


def _judge(
    recording: SessionRecording, record: GoalJudge | None, problems: list[Problem]
) -> JudgeFact | None:
    if record is None:
        return None
    passed = record.passed if record.status == "completed" else None
    inferred = None if record.inferred is None else record.inferred.get("passed")
    if record.status == "completed" and passed is None:
        if record.score is None or record.threshold is None:
            problems.append(
                session_problem(
                    recording,
                    record,
                    "The judge is done and says neither whether the goal was met nor by which"
                    " score and threshold, so its word counts as not recorded.",
                    rule="judge-without-decision",
                    remedy="Record `passed`, or both `score` and `threshold`.",
                )
            )
            return None
        passed, inferred = record.score >= record.threshold, SCORE_RULE
    return JudgeFact(
        status=record.status,
        passed=passed,
        score=record.score,
        threshold=record.threshold,
        reason=None if record.reason is None else mask_text(record.reason),
        inferred=inferred,
    )
