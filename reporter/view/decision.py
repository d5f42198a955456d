"""The published decision of a wave's runs: shown as published, never worked out here."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from reporter.view.text import capital, listed, one_line, plural
from reporter.vocabulary import (
    Stage,
    TrialExclusionReason,
    UndecidedReason,
    ValidityFinding,
    Verdict,
    VerdictSource,
)
from reporter.wave.decision.stored import decision_faults
from reporter.wave.decision.summary import variant_counts
from reporter.wave.decision.summary_faults import summary_faults

CASES_LIMIT: Final = 60
"""Cases of one decision that are listed; the rest are counted."""
ITEMS_LIMIT: Final = 40
"""Trials beneath one verdict that are listed; the rest are counted."""
RUNS_LIMIT: Final = 20
"""Decisions that are set out; the rest are counted."""

_OWN_KEYS: Final = frozenset({"runId", "status"})
"""What an importer adds to a decision: which run it is of, and how far it got."""
_TARGET_CASE: Final = "target_"
_WORDS: Final = {word: word.label for words in (ValidityFinding, UndecidedReason) for word in words}


@dataclass(frozen=True, slots=True)
class ValidityLine:
    """One check of whether the run covers enough to be decided."""

    label: str
    value: str
    """With unit and denominator; `not measured` over nothing."""
    asked: str
    """What the policy asks for."""


@dataclass(frozen=True, slots=True)
class CaseLine:
    """One case under one model."""

    name: str
    verdict: str
    passed: str
    """Such as `2 of 3 graded trials`."""
    asked: str
    """The case's own threshold, as the fraction that was recorded."""
    completed: str
    agreement: str
    """How far the graded trials agree, which is no quality; such as `3 of 3 graded trials`."""
    left_out: str
    """Trials that are not in the pass rate, by reason; may be empty."""
    reason: str


@dataclass(frozen=True, slots=True)
class TrialLine:
    """One trial beneath a verdict that did not pass."""

    name: str
    status: str
    place: str
    """The first failed link, where a checked chain names one; that is a place, no cause."""
    action: str


@dataclass(frozen=True, slots=True)
class RunDecision:
    """The decision of one run, as published."""

    run: str
    """Empty where it does not say of which run it is."""
    verdict: str
    source: str
    """Which grading decided; empty where none did or it is not said."""
    counts: str
    """With their unit; empty where none was recorded, which is not zero."""
    reasons: tuple[str, ...]
    """Why it was decided so: for an inconclusive run the checks that failed."""
    validity: tuple[ValidityLine, ...]
    cases: tuple[CaseLine, ...]
    more_cases: str
    trials: tuple[TrialLine, ...]
    trials_note: str
    """How far the trials were looked through; empty where none came with the decision."""
    refused: str
    """Why no number of it is shown; empty for a decision that stands up to checking."""


@dataclass(frozen=True, slots=True)
class DecisionView:
    """What was decided about the runs of a wave.

    Rule: report.md section 3.2; decision.md.
    """

    line: str
    """The decision line."""
    runs: tuple[RunDecision, ...]
    more: str


def decision_view(published: Mapping[str, Any]) -> DecisionView | None:
    """Set the published decisions out, or return None where there is none."""
    line = decision_words(published)
    if not line:
        return None
    found = [one for one in _decisions(published) if isinstance(one, Mapping)]
    shown = [one for one in found if _verdict(one) is not None or one.get("undecided")]
    left = len(shown) - RUNS_LIMIT
    return DecisionView(
        line=line,
        runs=tuple(_run(one) for one in shown[:RUNS_LIMIT]),
        more=f"{plural(left, 'more decision')} not set out here." if left > 0 else "",
    )


def decision_words(published: Mapping[str, Any]) -> str:
    """Write the decision line, or nothing where no decision was published.

    Several decisions fold into one line; runs without a recorded one are named as such.

    Rule: findings.md section 7, decision line.
    """
    found = _decisions(published)
    verdicts = [_verdict(one) for one in found]
    known = [verdict for verdict in verdicts if verdict is not None]
    if not known:
        return ""
    word = _fold(known)
    sources = {_source(one) for one in found} - {""}
    said = capital(word.label)
    if sources:
        said += f", by {listed(sorted(sources))}"
    missing = len(verdicts) - len(known)
    tail = f" {plural(missing, 'run')} without a recorded decision." if missing else ""
    return f"{said}.{tail}"


def _decisions(published: Mapping[str, Any]) -> Sequence[object]:
    decision = published.get("decision")
    found = [decision] if isinstance(decision, Mapping) else decision
    return found if isinstance(found, list) else ()


def _run(raw: Mapping[str, Any]) -> RunDecision:
    is_summary = "diagnostics" in raw
    body = {key: item for key, item in raw.items() if is_summary or key not in _OWN_KEYS}
    verdict = _verdict(raw)
    run = one_line(str(raw.get("runId") or ""), 120)
    word = verdict.label if verdict else Verdict.NOT_ESTABLISHED.label
    faults = summary_faults(body) if is_summary else decision_faults(body)
    if faults:
        return RunDecision(
            run=run,
            verdict=word,
            source=_source(raw),
            counts="",
            reasons=(),
            validity=(),
            cases=(),
            more_cases="",
            trials=(),
            trials_note="",
            refused=(
                "None of its numbers is shown: it does not stand up to checking "
                f"({one_line(faults[0], 160)})."
            ),
        )
    decision = body.get("decision") if is_summary else body
    return _checked(run, word, body, decision if isinstance(decision, Mapping) else None)


def _checked(
    run: str, word: str, body: Mapping[str, Any], decision: Mapping[str, Any] | None
) -> RunDecision:
    counts = variant_counts(decision) if decision else body.get("counts")
    cases = decision["cases"] if decision else []
    left = len(cases) - CASES_LIMIT
    trials, note = _trials(body.get("diagnostics"))
    return RunDecision(
        run=run,
        verdict=word,
        source=_source(body) or (VerdictSource.POLICY_V2.label if decision else ""),
        counts=_counts(counts) if counts else "",
        reasons=_reasons(body, decision),
        validity=_validity(decision["validity"]) if decision else (),
        cases=tuple(_case(case) for case in cases[:CASES_LIMIT]),
        more_cases=f"{plural(left, 'more case')} not listed." if left > 0 else "",
        trials=trials,
        trials_note=note,
        refused="",
    )


def _counts(counts: Mapping[str, Any]) -> str:
    unit = "case variant" if counts["measurementUnit"] == "caseVariant" else "trial"
    parts = [
        f"{counts[key]:,} {key}" for key in ("passed", "failed", "inconclusive") if key in counts
    ]
    said = ", ".join(parts)
    if "total" not in counts:
        return f"{said} ({unit}s; their total was not recorded)"
    whole = plural(counts["total"], unit)
    return f"{said}, of {whole}" if said else whole


def _reasons(body: Mapping[str, Any], decision: Mapping[str, Any] | None) -> tuple[str, ...]:
    if decision:
        return tuple(_label(reason) for reason in decision["reasons"])
    undecided = body.get("undecided")
    if not isinstance(undecided, Mapping):
        return ()
    detail = one_line(str(undecided.get("detail") or ""), 240)
    return (_label(undecided["reason"]), *([f"Recorded: {detail}"] if detail else []))


def _label(word: str) -> str:
    return next((label for known, label in _WORDS.items() if known == word), word)


def _validity(validity: Mapping[str, Any]) -> tuple[ValidityLine, ...]:
    policy, coverage = validity["policy"], validity["policy"]["coverage"]
    configured = validity["configuredTrials"]
    if coverage["kind"] == "minEligibleTrials":
        covered = f"at least {plural(coverage['minEligibleTrials'], 'graded trial')}"
    else:
        covered = "every configured trial attempted, and at least 1 graded"
    return (
        ValidityLine(
            "Coverage",
            f"{validity['attemptedTrials']:,} of {plural(configured, 'configured trial')} "
            f"attempted, {validity['eligibleTrials']:,} graded",
            covered,
        ),
        ValidityLine(
            "Completed",
            _rate(validity["completionRate"], "attempted trial"),
            f"a share of at least {policy['minCompletionRate']:g}",
        ),
        ValidityLine(
            "Grading broke",
            _rate(validity["evaluatorErrorRate"], "attempted trial"),
            f"a share of at most {policy['maxEvaluatorErrorRate']:g}",
        ),
    )


def _rate(rate: Mapping[str, Any], unit: str) -> str:
    if rate["state"] != "measured":
        return "not measured"
    return f"{rate['numerator']:,} of {plural(rate['denominator'], unit)}"


def _case(case: Mapping[str, Any]) -> CaseLine:
    excluded = case["passRate"]["exclusions"]
    parts = [
        f"{excluded[reason.value]:,} {reason.label}"
        for reason in TrialExclusionReason
        if excluded.get(reason.value)
    ]
    return CaseLine(
        name=_case_name(case),
        verdict=case["verdict"],
        passed=_rate(case["passRate"], "graded trial"),
        asked=f"a share of {case['effectivePassThreshold']:g}",
        completed=_rate(case["completionRate"], "attempted trial"),
        agreement=_rate(case["observedStability"], "graded trial"),
        left_out=", ".join(parts),
        reason=_label(case["reason"]),
    )


def _case_name(case: Mapping[str, Any]) -> str:
    variant = case.get("executionVariant")
    name = one_line(_target_of(case["caseId"]), 120)
    if not isinstance(variant, Mapping):
        return name
    model = "/".join(part for part in (variant.get("provider"), variant["model"]) if part)
    return f"{name}, {one_line(model, 120)}"


def _target_of(case_id: str) -> str:
    """Name the target that a case's id spells; any other id is its own name.

    Rule: import-mcpjam.md, case id of a target.
    """
    if not case_id.startswith(_TARGET_CASE):
        return case_id
    coded = case_id.removeprefix(_TARGET_CASE)
    try:
        return base64.urlsafe_b64decode(coded + "=" * (-len(coded) % 4)).decode()
    except (binascii.Error, ValueError):
        return case_id


def _trials(diagnostics: object) -> tuple[tuple[TrialLine, ...], str]:
    if not isinstance(diagnostics, Mapping):
        return (), ""
    items: Sequence[Mapping[str, Any]] = diagnostics["items"]
    scanned = plural(diagnostics["scannedIterations"], "trial")
    if diagnostics["complete"]:
        note = (
            f"All {scanned} were looked through; every one that did not pass is counted below."
            if items
            else f"All {scanned} were looked through, and none failed to pass."
        )
    else:
        note = (
            f"Only {scanned} were looked through; there may be more that did not pass."
            if items
            else f"Only {scanned} were looked through, and nothing was seen to fail yet."
        )
    left = len(items) - ITEMS_LIMIT
    if left > 0:
        note += f" {plural(left, 'more trial')} not listed."
    note += " A case can pass with trials in it that did not."
    return tuple(_trial(item) for item in items[:ITEMS_LIMIT]), note


def _trial(item: Mapping[str, Any]) -> TrialLine:
    failed = item["chain"].get("firstFailedStage")
    stage = next((stage for stage in Stage if stage == failed), None)
    place = f"First failed link: {stage.label.lower()}" if stage else ""
    if item["chain"]["status"] == "unverified":
        place = "Its chain does not stand up to checking"
    title = item.get("title") or item.get("caseId") or item["iterationId"]
    result = f", {item['result']}" if "result" in item else ""
    return TrialLine(
        name=one_line(title, 160),
        status=f"{one_line(item['status'], 40)}{result}",
        place=place,
        action=item["nextAction"],
    )


def _fold(verdicts: list[Verdict]) -> Verdict:
    for worst in (Verdict.FAILED, Verdict.INCONCLUSIVE):
        if worst in verdicts:
            return worst
    return Verdict.PASSED if set(verdicts) == {Verdict.PASSED} else Verdict.NOT_ESTABLISHED


def _verdict(decision: object) -> Verdict | None:
    word = decision.get("verdict") if isinstance(decision, Mapping) else None
    return next((verdict for verdict in Verdict if verdict == word), None)


def _source(decision: object) -> str:
    word = decision.get("verdictSource") if isinstance(decision, Mapping) else None
    named = (source.label for source in VerdictSource if source == word)
    return "" if word == VerdictSource.NONE else next(named, "")
