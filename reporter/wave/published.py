"""The decisions and funnels that a source published, compared with what is counted here.

Neither gives way: what was published is shown as it is, and each number that differs is named.

Rule: recording.md section 5a.
"""

import base64
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from reporter.derive.excerpt import quoted
from reporter.errors import Problem
from reporter.identifiers import RunId
from reporter.models.facts import SessionFacts
from reporter.models.manifest import Run
from reporter.models.plan import Plan
from reporter.vocabulary import Verdict
from reporter.wave.analytics.document import funnel_problems
from reporter.wave.decision.decide import decide
from reporter.wave.decision.refusal import DecisionRefusedError
from reporter.wave.decision.stored import decision_faults
from reporter.wave.trials import counted_document, wave_funnel

MOST_NAMED: Final = 40
"""Differences of one document that are named; the rest are counted."""

_DECISION: Final = "published.decision"
_FUNNEL: Final = "published.analytics"
_ADDED: Final = frozenset({"runId", "status"})
"""What an importer adds to a decision."""
_ABOUT: Final = frozenset(
    {
        *("runId", "suiteId", "runGroupId", "configRevision", "caseSetFingerprint"),
        *("organizationId", "workspaceId", "projectId", "runCompletedAt", "sourceMaxUpdatedAt"),
        *("materializationState", "createdAt", "updatedAt", "setup", "sliceTruncation"),
    }
)
"""What says which run a funnel is of, when it was made, and what nobody counts here."""

Difference = tuple[str, str]
"""A place in a document, and what is different there."""


def wave_differences(
    published: Mapping[str, Any], plan: Plan, facts: Sequence[SessionFacts], *, file: str
) -> list[Problem]:
    """Return where a source's own decisions and funnels differ from what is counted here.

    Args:
        published: What the source derived itself, as its manifest holds it.
        plan: The plan of the recording.
        facts: One entry a slot.
        file: Where it was published, for problems.
    """
    found: list[Problem] = []
    for place, raw in _listed(published.get("decision"), _DECISION):
        found += _named(file, place, "published-decision-differs", _decision(raw, plan, facts))
    for place, raw in _listed(published.get("analytics"), _FUNNEL):
        found += _named(file, place, "published-funnel-differs", _funnel(raw, plan, facts))
    return found


def _listed(raw: object, place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(raw, Mapping):
        yield place, raw
    elif isinstance(raw, list):
        yield from (
            (f"{place}[{at}]", one) for at, one in enumerate(raw) if isinstance(one, Mapping)
        )


def _named(file: str, place: str, rule: str, differences: Iterator[Difference]) -> list[Problem]:
    every = list(differences)
    found = [
        Problem(file, f"{place}.{where}" if where else place, what, "", rule, None, "note")
        for where, what in every[:MOST_NAMED]
    ]
    left = len(every) - len(found)
    if left:
        what = f"{left:,} more of its numbers differ."
        found.append(Problem(file, place, what, "", rule, None, "note"))
    return found


def _decision(
    raw: Mapping[str, Any], plan: Plan, facts: Sequence[SessionFacts]
) -> Iterator[Difference]:
    """Decide a run by the policy that was published, over the sessions that are on record."""
    held = raw.get("decision")
    is_summary = "diagnostics" in raw
    said = held if is_summary and isinstance(held, Mapping) else raw
    body = {key: item for key, item in said.items() if key not in _ADDED}
    if raw.get("verdict") is None:
        return
    known = next((run for run in plan.runs if run.run_id == raw.get("runId")), None)
    if known is None:
        name = quoted(str(raw.get("runId")))
        yield "runId", f"The recording has no run {name}, so it is not compared."
        return
    own = [one for one in facts if one.run_id == known.run_id]
    if is_summary and not isinstance(held, Mapping):
        yield from _trial_counts(raw.get("counts"), own)
    elif not decision_faults(body):
        # One that contradicts itself is shown without its numbers, and that is said there.
        yield from _decided(body, known, own)


def _trial_counts(counts: object, own: Sequence[SessionFacts]) -> Iterator[Difference]:
    """Compare the counts of a run that a threshold over all trials decided."""
    if not isinstance(counts, Mapping) or counts.get("measurementUnit") != "trial":
        return
    words = Counter(one.verdict.verdict for one in own)
    ours = {
        "total": len(own),
        "passed": words[Verdict.PASSED],
        "failed": words[Verdict.FAILED],
    }
    theirs = {key: counts[key] for key in ours if key in counts}
    yield from differences(theirs, {key: ours[key] for key in theirs}, "counts")


def _decided(
    body: Mapping[str, Any], run: Run, own: Sequence[SessionFacts]
) -> Iterator[Difference]:
    names = {target_case(target_id): target_id for target_id in run.target_ids}
    by_target: dict[str, list[SessionFacts]] = {}
    for one in own:
        by_target.setdefault(one.target_id, []).append(one)
    cases = []
    for case in body["cases"]:
        sessions = by_target.get(names.get(case["caseId"], ""), [])
        if not sessions or "executionVariant" in case:
            what = f"The case {quoted(case['caseId'])} is no target of the run on record"
            yield "cases", f"{what}, so nothing is compared."
            return
        silent = sum(one.verdict.trial is None for one in sessions)
        if silent:
            what = f"{silent} of {len(sessions)} sessions of a case are undecided here"
            yield "cases", f"{what}, so nothing is compared."
            return
        cases.append(
            {
                "caseId": case["caseId"],
                "configuredTrials": len(sessions),
                "effectivePassThreshold": case["effectivePassThreshold"],
                "trials": [one.verdict.trial.to_wire() for one in sessions if one.verdict.trial],
            }
        )
    try:
        ours = decide({"policy": body["validity"]["policy"], "cases": cases})
    except DecisionRefusedError as error:
        yield "cases", f"It cannot be decided over the sessions on record: {error}."
        return
    coded = {f"cases[{case}]": f"Target {quoted(target_id)}, " for case, target_id in names.items()}
    for where, what in differences(body, ours):
        yield where, next((of for case, of in coded.items() if where.startswith(case)), "") + what


def target_case(target_id: str) -> str:
    """Return what the case of a target is called in a decision.

    Rule: import-mcpjam.md section 4.
    """
    coded = base64.urlsafe_b64encode(target_id.encode("utf-8", "surrogatepass"))
    return f"target_{coded.decode('ascii').rstrip('=')}"


def _funnel(
    raw: Mapping[str, Any], plan: Plan, facts: Sequence[SessionFacts]
) -> Iterator[Difference]:
    """Count the same sessions by the same rules."""
    faults = funnel_problems(raw, file="")
    if faults:
        first = faults[0]
        yield first.place, f"It does not stand up to checking, so it is not compared: {first.what}"
        return
    run_id = raw["runId"]
    own = [one for one in facts if one.run_id == run_id]
    if run_id == plan.wave_id:
        own = list(facts)
    elif RunId(run_id) not in {run.run_id for run in plan.runs}:
        yield "runId", f"The recording has no run {quoted(run_id)}, so it is not compared."
        return
    ours = counted_document(wave_funnel(own, plan.target_by_id()))
    yield from differences(
        {key: item for key, item in raw.items() if key not in _ABOUT},
        {key: item for key, item in ours.items() if key not in _ABOUT},
    )


def differences(theirs: object, ours: object, place: str = "") -> Iterator[Difference]:
    """Yield each word and number in which two documents differ, with its place.

    Rows of a list are told by what they are of, not by where they stand.
    """
    if isinstance(theirs, Mapping) and isinstance(ours, Mapping):
        for key in dict.fromkeys([*theirs, *ours]):
            where = f"{place}.{key}" if place else str(key)
            yield from _either(theirs.get(key, _ABSENT), ours.get(key, _ABSENT), where)
    elif isinstance(theirs, list) and isinstance(ours, list):
        left = {_name(one, at): one for at, one in enumerate(theirs)}
        right = {_name(one, at): one for at, one in enumerate(ours)}
        for name in dict.fromkeys([*left, *right]):
            where = f"{place}[{name}]"
            yield from _either(left.get(name, _ABSENT), right.get(name, _ABSENT), where)
    elif theirs != ours:
        yield place, f"{_of(place)}published is {_shown(theirs)}, counted here {_shown(ours)}."


_ABSENT: Final = object()


def _either(theirs: object, ours: object, place: str) -> Iterator[Difference]:
    if theirs is _ABSENT:
        yield place, f"{_of(place)}nothing is published, counted here is {_shown(ours)}."
    elif ours is _ABSENT:
        yield place, f"{_of(place)}published is {_shown(theirs)}, and nothing is counted here."
    else:
        yield from differences(theirs, ours, place)


def _of(place: str) -> str:
    """Return what a difference is of: the last words of its place, behind the row's name."""
    row, _, word = place.rpartition("]")
    return f"{word.lstrip('.') or row[row.rfind('[') + 1 :]}: "


def _name(row: object, at: int) -> str:
    """Return what a row of a list is of: its slice, stage, case, reason or category."""
    if not isinstance(row, Mapping):
        return str(at)
    of = row.get("slice")
    if isinstance(of, Mapping):
        named = [of[key] for key in ("intent", "provider", "model", "hostKey") if key in of]
        return " ".join([str(of.get("dimension")), *(repr(one) for one in named)])
    for key in ("stage", "caseId", "reason", "category"):
        if key in row:
            return str(row[key])
    return str(at)


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        counted = next(
            (f"{key} {value[key]}" for key in ("includedTrials", "count") if key in value), ""
        )
        return counted or "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return quoted(value) if isinstance(value, str) else json.dumps(value)
