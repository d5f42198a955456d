"""How the sessions of an MCPJam run were graded, as far as an export tells."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from reporter.importers.mcpjam_documents import Export
from reporter.importers.mcpjam_values import mapping, rows, text
from reporter.models.manifest import Criterion, JudgePolicy
from reporter.models.value import value

Json = Mapping[str, Any]

PUBLISHED: Final = Criterion(
    id="published-verdict",
    label="Verdict as published; how the session was graded is not exported",
    role="required",
)
"""Stands for everything that graded a session, where it cannot be graded again."""

_JUDGED: Final = ("scored", "errored", "pending")
_ROLES: Final = ("required", "advisory")


@value(frozen=True, slots=True)
class Grading:
    """The checks of one run and who decides."""

    rubric: tuple[Criterion, ...]
    judge: JudgePolicy | None = None
    by_published: bool = False
    """The sessions cannot be graded again, so their published verdict decides."""
    inferred: Mapping[str, str] = field(default_factory=dict)


def grading_of(run_id: str, body: Json, sessions: Sequence[Json], export: Export) -> Grading:
    """Gather what graded a run: ids and kinds of its checks, their roles, and the judge.

    A session can be graded again only where every role is known. Where it is not, the
    published verdict stands in as the one check that decides, or nothing does.

    Rule: import-mcpjam.md section 4.4.
    """
    listed = _scorecard(run_id, export)
    seen = _observed(body, sessions)
    checks = listed if listed is not None else {}
    for own, kind in _ids(seen, sessions):
        checks.setdefault(own, Criterion(id=own, role=None, predicate=_predicate(kind)))
    rubric = [_with_role(one, seen.get(one.id, {})) for one in checks.values()]
    is_known = bool(rubric) or listed is not None or _is_unchecked(run_id, body, sessions, export)
    if not is_known or any(one.role is None for one in rubric):
        rule = {"rubric": "the export does not say how the run was graded"}
        return Grading((*rubric, PUBLISHED), by_published=True, inferred=rule)
    judge, inferred = _judge(rubric, sessions)
    return Grading(tuple(rubric), judge, inferred=inferred)


def _scorecard(run_id: str, export: Export) -> dict[str, Criterion] | None:
    found = [one.body for one in export.of("scorecard") if one.body.get("runId") == run_id]
    if not found:
        return None
    checks: dict[str, Criterion] = {}
    for one in rows(found[-1].get("criteria")):
        own = text(one.get("id"))
        if own is not None:
            checks.setdefault(
                own,
                Criterion(
                    id=own,
                    label=text(one.get("label")),
                    role=None,
                    predicate=_predicate(text(one.get("kind"))),
                ),
            )
    return checks


def _observed(body: Json, sessions: Sequence[Json]) -> dict[str, Json]:
    """Return what is said of each check's role and kind, by its id."""
    found: dict[str, Json] = {}
    report = mapping(body.get("report")).get("observations")
    for listed in (*(one.get("observations") for one in sessions), report):
        for one in rows(listed):
            own = text(one.get("evaluatorId"))
            if own is not None and one.get("role") in _ROLES:
                found.setdefault(own, one)
    return found


def _ids(seen: Mapping[str, Json], sessions: Sequence[Json]) -> list[tuple[str, str | None]]:
    """Return every check that some session names, with its kind where one is named."""
    found: dict[str, str | None] = {}
    for session in sessions:
        criteria = mapping(session.get("criteria"))
        claimed = criteria.get("criterionIds")
        for own in claimed if isinstance(claimed, list) else ():
            if text(own) is not None:
                found.setdefault(str(own), None)
        for one in rows(criteria.get("results")):
            if (own := text(one.get("criterionId"))) is not None:
                found.setdefault(own, None)
    for own, one in seen.items():
        found[own] = text(one.get("predicateType"))
    return list(found.items())


def _with_role(criterion: Criterion, seen: Json) -> Criterion:
    role, kind = seen.get("role"), text(seen.get("predicateType"))
    predicate = criterion.predicate or _predicate(kind)
    return criterion.model_copy(update={"role": role, "predicate": predicate})


def _predicate(kind: str | None) -> dict[str, Any] | None:
    return None if kind is None else {"type": kind}


def _is_unchecked(run_id: str, body: Json, sessions: Sequence[Json], export: Export) -> bool:
    """Tell whether something shows that the run has no checks at all."""
    if any(run_id in name and "scorecard" in name for name in export.not_there):
        return True
    if isinstance(mapping(body.get("report")).get("observations"), list):
        return True
    return any(_graders(one).get("criteria") == "notConfigured" for one in sessions)


def _judge(
    rubric: Sequence[Criterion], sessions: Sequence[Json]
) -> tuple[JudgePolicy | None, Mapping[str, str]]:
    """Return the judge's policy where the published verdicts show that its word decides.

    Without a required check a judge decides by itself; beside one it may be asked or not.
    """
    if not any(one.role == "required" for one in rubric):
        return None, {}
    words = {text(_graders(one).get("judge")) for one in sessions}
    if not words.intersection(_JUDGED):
        return None, {}
    is_automatic = bool(words.intersection(("pending", "errored")))
    rule = {"judge": "graders.judge of the published verdicts"}
    return JudgePolicy(automatic=is_automatic, role="required"), rule


def _graders(session: Json) -> Json:
    return mapping(mapping(session.get("verdict")).get("graders"))
