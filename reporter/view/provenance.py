"""Where the numbers come from: inputs, versions, what was sent, what wrote the words."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from reporter.models.chain import ANALYZER_VERSION
from reporter.models.graded import GradedBy
from reporter.models.wave import DerivedWave
from reporter.redaction import mask_value
from reporter.view.head import time_words
from reporter.view.links import SessionLinks
from reporter.view.outline import NAME_LIMIT, Outline
from reporter.view.sent import SentView, sent_view, sent_words
from reporter.view.text import capital, listed, one_line, plural
from reporter.vocabulary import VOCABULARY_VERSION

GRADERS_SHOWN: Final = 12
"""Times that a recording was graded that are listed."""
FILES_SHOWN: Final = 30

_AS_GIVEN: Final = "as given by the caller. The same input gives the same bytes."

_LISTS: Final = {
    1: "mechanism",
    2: "goal outcome",
    3: "recorded fact",
    4: "session report",
    5: "wider fact",
}


@dataclass(frozen=True, slots=True)
class FileLine:
    """One input file."""

    name: str
    sha256: str
    size: str


@dataclass(frozen=True, slots=True)
class InferredLine:
    """A field that was not recorded as such, and the rule that gave it."""

    field: str
    rule: str
    sessions: int


@dataclass(frozen=True, slots=True)
class ProvenanceView:
    """The provenance section."""

    input: str
    """What was read, and as what."""
    recorder: str
    """Empty where none is named."""
    graded: tuple[str, ...]
    """Who graded the recording after it was made, by which file of checks; may be empty."""
    revision: str
    """The source revision, whole."""
    files: tuple[FileLine, ...]
    more_files: str
    versions: str
    sent: str
    """What was sent to which model; that nothing was, where no model was used."""
    sent_by_session: SentView | None
    """The same session by session, with tokens and cost; None where no model was asked, or
    where a document came alone."""
    written: str
    """Which words a model wrote."""
    generated: str
    left_out: str
    """Rows that the wire document has no room for, by list; may be empty."""
    inferred: tuple[InferredLine, ...]
    document: Mapping[str, Any]
    """The findings document, embedded for machines."""


def provenance_view(
    outline: Outline, generated_at: datetime, links: SessionLinks
) -> ProvenanceView:
    """Lay the provenance out.

    Args:
        outline: The wave.
        generated_at: The time the caller gives, in UTC.
        links: Leads to sessions.

    Rule: report.md section 3.14.
    """
    wave = outline.wave
    source, findings = wave.provenance, wave.findings
    files = source.files
    left = len(files) - FILES_SHOWN
    inferred = _inferred(wave)
    return ProvenanceView(
        input=f"{one_line(source.input_name, NAME_LIMIT)}, read as {source.input_kind}",
        recorder=one_line(source.recorder, NAME_LIMIT),
        graded=tuple(_graded(one) for one in source.graded_by[:GRADERS_SHOWN]),
        revision=one_line(findings.source_revision, 200),
        files=tuple(
            FileLine(one_line(one.name, NAME_LIMIT), one.sha256, f"{one.bytes:,} bytes")
            for one in files[:FILES_SHOWN]
        ),
        more_files=(
            f"and {plural(left, 'more file')}; the source revision above covers every one."
            if left > 0
            else ""
        ),
        versions=_versions(wave),
        sent=sent_words(wave),
        sent_by_session=sent_view(wave, links),
        written=_written(wave),
        generated=f"{time_words(generated_at)}, {_AS_GIVEN}",
        left_out=_left_out(wave.left_out),
        inferred=tuple(
            InferredLine(one_line(name, 120), one_line(rule, 240), count)
            for (name, rule), count in sorted(inferred.items())
        ),
        document=mask_value(wave.document),
    )


def _graded(one: GradedBy) -> str:
    """Say who graded by what, and what was stated or done again with it."""
    who = one_line(f"{one.name} {one.version}".strip(), NAME_LIMIT) or "somebody unnamed"
    said = f"{who} by {one_line(one.checks, NAME_LIMIT) or 'an unnamed file'}"
    if one.sha256:
        said += f" (sha256 {one_line(one.sha256, 64)})"
    more = []
    if one.regraded:
        more.append("results on record evaluated again")
    if one.ended:
        more.append("sessions without a recorded end stated to be over")
    return f"{said}; {listed(more)}" if more else said


def _inferred(wave: DerivedWave) -> Counter[tuple[str, str]]:
    """Count, per field and rule, the sessions that rest on it: their own and their plan's.

    Rule: recording.md section 5a.
    """
    counted: Counter[tuple[str, str]] = Counter()
    for fact in wave.facts:
        counted.update(fact.inferred)
    if wave.plan is None:
        return counted
    personas, goals = wave.plan.persona_by_key(), wave.plan.goal_by_id()
    targets, runs = wave.plan.target_by_id(), wave.plan.run_by_id()
    alike = Counter(
        [
            ((one.persona_ref_id, one.persona_name), one.goal_id, one.target_id, one.run_id)
            for one in wave.facts
        ]
    )
    for (persona, goal_id, target_id, run_id), sessions in alike.items():
        behind = {
            "persona": personas[persona].inferred,
            "goal": goals[goal_id].inferred,
            "target": targets[target_id].inferred,
            "run": runs[run_id].inferred,
        }
        for what, fields in behind.items():
            for name, rule in (fields or {}).items():
                counted[f"{what}.{name}", rule] += sessions
    return counted


def _versions(wave: DerivedWave) -> str:
    """Name the versions that made the numbers; those of a document alone are the document's."""
    program, findings = wave.provenance.reporter_version, wave.findings
    ours = [
        f"swarm-reporter {program}" if program else "swarm-reporter",
        f"vocabulary {VOCABULARY_VERSION}",
    ]
    of_findings = [
        "findings contract 1",
        f"pipeline {findings.pipeline_version}",
        f"extraction {findings.extraction_version}",
    ]
    if wave.plan is None:
        return f"{', '.join(ours)}. The document states {', '.join(of_findings)}."
    kept = sum(fact.chain_source == "recorded" for fact in wave.facts)
    beside = f" ({plural(kept, 'session')} with the chain recorded for it)" if kept == 1 else ""
    beside = f" ({kept:,} sessions with the chain recorded for them)" if kept > 1 else beside
    return ", ".join([ours[0], *of_findings, f"chain analyzer {ANALYZER_VERSION}{beside}", ours[1]])


def _written(wave: DerivedWave) -> str:
    findings, work = wave.findings, wave.phrases
    proposals = work.proposals if work is not None else ()
    refused = [one for one in (work.reports if work is not None else ()) if not one.accepted]
    unpublished = sum(one.mechanism_id is None for one in proposals)
    unpublished += sum(bool(one.actual) for one in refused)
    mechanisms = {row.finding.mechanism_id for row in findings.rows if row.finding.mechanism_id}
    fixes = {
        row.finding.mechanism_id
        for row in findings.rows
        if row.finding.mechanism_id and row.finding.fix_phrase
    }
    reports = sum(row.by_model for row in findings.rows)
    if not mechanisms and not reports and not unpublished:
        return (
            "Every word of this report that is not quoted from the recording was written by code."
        )
    parts = [plural(len(mechanisms), "cause")] if mechanisms else []
    if fixes:
        parts.append(plural(len(fixes), "fix", "fixes"))
    if reports:
        parts.append(f"what happened in {plural(reports, 'session report')}")
    if unpublished:
        parts.append(f"{plural(unpublished, 'proposal')} that {_is(unpublished)} published nowhere")
    return (
        f"{capital(listed(parts))}, and any other words in italic. "
        "What is not in italic was written by code or recorded."
    )


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _left_out(left_out: Mapping[int, int]) -> str:
    parts = [
        f"{plural(count, _LISTS.get(number, f'list {number}') + ' row')}"
        for number, count in sorted(left_out.items())
        if count
    ]
    if not parts:
        return ""
    return (
        f"The findings document holds at most 200 rows; this report shows {listed(parts)} "
        "that it has no room for."
    )
