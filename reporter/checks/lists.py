"""Which goals are held to which checks, and what each list of checks measures.

Rule: checks.md section 10.
"""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reporter.canonical import canonical_json
from reporter.checks.coverage import Graders, LinkCoverage, coverage_of
from reporter.checks.lint import Linted, lint_of
from reporter.checks.suite import AuthoredCheck, Suite
from reporter.derive.chain.predicates import shown_at
from reporter.models.facts import SessionFacts
from reporter.models.manifest import Criterion, JudgePolicy, Run
from reporter.models.plan import Plan
from reporter.vocabulary import Stage, StageState

_MEASURED = (StageState.PASSED, StageState.FAILED)
_OUTCOMES = frozenset({"passed", "failed", "error"})


@dataclass(frozen=True, slots=True)
class LinkSeen:
    """What a run came to at one link."""

    started: int
    """Sessions that were started."""
    measured: int
    """Of them, those in which the link passed or failed."""
    scored: int
    """Results of checks filed there that hold or do not."""
    errors: int
    """Results that could not be scored."""
    blind: tuple[str, ...] = ()
    """Kinds filed there of which no result could be scored: what they read is not on record."""


@dataclass(frozen=True, slots=True)
class MeasuredList:
    """One list of checks, and the goals that are held to it."""

    goals: tuple[str, ...] | None
    """Titles of goals, or None for every goal that is not named elsewhere."""
    links: tuple[LinkCoverage, ...]
    lint: Linted
    seen: Mapping[Stage, LinkSeen] | None = None
    """What the sessions of these goals came to, by link; None without a recording."""

    def to_wire(self) -> dict[str, Any]:
        """Return the list in wire form, keys in a fixed order."""
        return {
            "goals": None if self.goals is None else list(self.goals),
            "canFail": self.lint.word,
            "links": [{**link.to_wire(), **self._seen(link.stage)} for link in self.links],
        }

    def _seen(self, stage: Stage) -> dict[str, Any]:
        if self.seen is None:
            return {}
        seen = self.seen[stage]
        return {
            "sessionsStarted": seen.started,
            "sessionsMeasured": seen.measured,
            "resultsScored": seen.scored,
            "resultsNotMeasured": seen.errors,
            "kindsNeverMeasured": list(seen.blind),
        }


def lists_of_suite(suite: Suite) -> tuple[MeasuredList, ...]:
    """Return the list that a file holds every goal to, then those of the goals it names."""
    asked: dict[str, tuple[list[str], tuple[AuthoredCheck, ...]]] = {}
    for name, own in suite.goals.items():
        checks = suite.effective(own)
        key = canonical_json([[one.check, one.turn] for one in checks])
        asked.setdefault(key, ([], checks))[0].append(name)
    usual = suite.effective()
    found = [_authored(None, usual)] if usual else []
    return (*found, *(_authored(tuple(names), checks) for names, checks in asked.values()))


def _authored(goals: tuple[str, ...] | None, listed: Sequence[AuthoredCheck]) -> MeasuredList:
    checks = [one.check for one in listed]
    turns = 1 + max((one.turn or 0 for one in listed), default=0)
    return MeasuredList(goals, coverage_of(checks), lint_of(checks, turns=turns))


def lists_of_wave(
    plan: Plan, facts: Sequence[SessionFacts], judged: Container[str] | None = None
) -> tuple[MeasuredList, ...]:
    """Return the lists that a wave's runs carry, with what the sessions came to.

    Runs of equal checks and judges are one list, in the order of the first of them.

    Args:
        plan: The wave's plan.
        facts: Its sessions.
        judged: Runs in which a judge has spoken; None looks for them in `facts`.
    """
    groups: dict[str, tuple[list[Run], list[Mapping[str, Any] | None], Graders]] = {}
    spoken = runs_judged(facts) if judged is None else judged
    for run in plan.runs:
        checks = _checks(run)
        graders = Graders(judge=judge_of(run, plan, spoke=run.run_id in spoken))
        key = canonical_json([checks, graders.judge])
        groups.setdefault(key, ([], checks, graders))[0].append(run)
    titles = {goal.journey_ref_id: goal.title for goal in plan.goals}
    by_run: dict[str, list[SessionFacts]] = {}
    for fact in facts:
        by_run.setdefault(fact.run_id, []).append(fact)
    return tuple(
        MeasuredList(
            goals=tuple(
                dict.fromkeys(titles.get(run.journey_ref_id, run.journey_ref_id) for run in runs)
            ),
            links=coverage_of(checks, graders),
            lint=_lint(checks, graders),
            seen=links_seen([fact for run in runs for fact in by_run.get(run.run_id, ())]),
        )
        for runs, checks, graders in groups.values()
    )


def _checks(run: Run) -> list[Mapping[str, Any] | None]:
    return [counted_check(one) for one in run.rubric if one.role is not None]


def counted_check(criterion: Criterion) -> Mapping[str, Any]:
    """Return a check as it is counted: the rubric's role is the one that holds."""
    return {**(criterion.predicate or {}), "role": criterion.role}


def runs_judged(facts: Iterable[SessionFacts]) -> frozenset[str]:
    """Return the runs in which a judge is on record with a word, or with a failure to give one."""
    return frozenset(fact.run_id for fact in facts if fact.judge is not None)


def judge_of(run: Run, plan: Plan, *, spoke: bool) -> Literal["required", "advisory"] | None:
    """Return how much the word of a run's goal judge weighs, or None where none has a say.

    One that is asked for advice alone decides all the same where no check has to be met.

    Args:
        run: The run.
        plan: Its wave, for the judge of runs that name none.
        spoke: A judge is on record in some session, whatever was asked for.

    Rule: findings.md section 4.2, `decisive`; checks.md section 10, `graders`.
    """
    policy = run.judge or plan.judge
    if not (spoke or _is_asked(policy)):
        return None
    is_required = policy is not None and policy.role == "required"
    has_checks = any(one.role == "required" for one in run.rubric)
    return "required" if is_required or not has_checks else "advisory"


def _is_asked(policy: JudgePolicy | None) -> bool:
    if policy is None:
        return False
    return policy.automatic or bool(policy.requested) or policy.role == "required"


def _lint(checks: Sequence[Mapping[str, Any] | None], graders: Graders) -> Linted:
    """Tell whether the list can fail; a grader of another kind than ours nobody can ask."""
    known = [one for one in checks if one is not None]
    others = any(one.get("type") is None and one.get("role") == "required" for one in known)
    own = [one for one in known if one.get("type") is not None]
    return lint_of(own, judged=others or graders.judge == "required")


def links_seen(facts: Iterable[SessionFacts]) -> dict[Stage, LinkSeen]:
    """Count what the sessions that started came to at each link, in the order of the chain."""
    started = 0
    measured, scored, errors = Counter[Stage](), Counter[Stage](), Counter[Stage]()
    blind: dict[tuple[Stage, str], bool] = {}
    for fact in facts:
        if not fact.started:
            continue
        started += 1
        if fact.chain is not None:
            measured.update(row.stage for row in fact.chain.rows if row.state in _MEASURED)
        for check in fact.criteria:
            stage = shown_at(check.predicate_type) or Stage.USER_VALUE
            scored[stage] += check.outcome in {"passed", "failed"}
            errors[stage] += check.outcome == "error"
            if check.predicate_type is not None and check.outcome in _OUTCOMES:
                key = (stage, check.predicate_type)
                blind[key] = blind.get(key, True) and check.outcome == "error"
    return {
        stage: LinkSeen(
            started,
            measured[stage],
            scored[stage],
            errors[stage],
            tuple(kind for (own, kind), is_blind in blind.items() if own is stage and is_blind),
        )
        for stage in Stage
    }
