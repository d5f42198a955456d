"""Where the numbers come from: inputs, versions, what was sent, what wrote the words."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from reporter.models.chain import ANALYZER_VERSION
from reporter.models.finding import FindingSet
from reporter.models.wave import DerivedWave
from reporter.redaction import mask_value
from reporter.view.head import time_words
from reporter.view.outline import NAME_LIMIT, Outline
from reporter.view.text import listed, one_line, plural
from reporter.vocabulary import VOCABULARY_VERSION

FILES_SHOWN: Final = 30

NO_MODEL: Final = "No model was used; nothing was sent."
"""The sentence that every report without a model carries."""

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
    revision: str
    """The source revision, whole."""
    files: tuple[FileLine, ...]
    more_files: str
    versions: str
    sent: str
    """What was sent to which model; that nothing was, where no model was used."""
    written: str
    """Which words a model wrote."""
    generated: str
    left_out: str
    """Rows that the wire document has no room for, by list; may be empty."""
    inferred: tuple[InferredLine, ...]
    document: Mapping[str, Any]
    """The findings document, embedded for machines."""


def no_model(findings: FindingSet) -> bool:
    """Tell whether a document was made without any model."""
    return not (
        findings.extraction_model or findings.reasoning_model or findings.disclosure.evidence_sent
    )


def provenance_view(outline: Outline, generated_at: datetime) -> ProvenanceView:
    """Lay the provenance out.

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
        versions=_versions(source.reporter_version, findings),
        sent=sent_words(findings),
        written=_written(findings),
        generated=f"{time_words(generated_at)}, {_AS_GIVEN}",
        left_out=_left_out(wave.left_out),
        inferred=tuple(
            InferredLine(one_line(name, 120), one_line(rule, 240), count)
            for (name, rule), count in sorted(inferred.items())
        ),
        document=mask_value(wave.document),
    )


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
    for fact in wave.facts:
        behind = {
            "persona": personas[(fact.persona_ref_id, fact.persona_name)].inferred,
            "goal": goals[fact.goal_id].inferred,
            "target": targets[fact.target_id].inferred,
            "run": runs[fact.run_id].inferred,
        }
        for what, fields in behind.items():
            counted.update((f"{what}.{name}", rule) for name, rule in (fields or {}).items())
    return counted


def sent_words(findings: FindingSet) -> str:
    """Say what was sent to which model.

    Rule: report.md section 2, model words.
    """
    if no_model(findings):
        return NO_MODEL
    models = list(
        dict.fromkeys(m for m in (findings.extraction_model, findings.reasoning_model) if m)
    )
    evidence = [one_line(text, 200) for text in findings.disclosure.evidence_sent]
    what = listed(evidence) if evidence else "nothing is listed as sent"
    named = listed([one_line(model, NAME_LIMIT) for model in models]) or "a model that is not named"
    return f"{what}, to {named} through the {findings.disclosure.rail} rail."


def _versions(program: str, findings: FindingSet) -> str:
    said = [
        f"swarm-reporter {program}" if program else "swarm-reporter",
        "findings contract 1",
        f"pipeline {findings.pipeline_version}",
        f"extraction {findings.extraction_version}",
        f"chain analyzer {ANALYZER_VERSION}",
        f"vocabulary {VOCABULARY_VERSION}",
    ]
    return ", ".join(said)


def _written(findings: FindingSet) -> str:
    mechanisms = {row.finding.mechanism_id for row in findings.rows if row.finding.mechanism_id}
    fixes = {
        row.finding.mechanism_id
        for row in findings.rows
        if row.finding.mechanism_id and row.finding.fix_phrase
    }
    if not mechanisms:
        return (
            "Every word of this report that is not quoted from the recording was written by code."
        )
    parts = [plural(len(mechanisms), "cause")]
    if fixes:
        parts.append(plural(len(fixes), "fix", "fixes"))
    return (
        f"{listed(parts)}, and any other words in italic. "
        "What is not in italic was written by code or recorded."
    )


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
