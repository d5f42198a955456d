"""A source in, the derived wave out: the one value that every view is built from."""

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from reporter.errors import Problem
from reporter.findings.build import build_findings
from reporter.findings.document import findings_of_document
from reporter.findings.projection import project
from reporter.findings.published import findings_differences
from reporter.findings.scope import check_document
from reporter.models.finding import NO_ANALYSIS, Analysis
from reporter.models.wave import DerivedWave, Provenance
from reporter.pipeline.collector import collector_paused
from reporter.pipeline.options import Progress, quietly
from reporter.pipeline.source import (
    DocumentSource,
    ForeignSource,
    Gathered,
    NativeSource,
    Source,
)
from reporter.version import VERSION
from reporter.wave.published import wave_differences

if TYPE_CHECKING:
    from reporter.pipeline.phrases import PhraseChoices

LOSSES: Final = frozenset(
    {
        "archive-member-refused",
        "bad-session-id",
        "bad-utf8",
        "catalog-file-missing",
        "catalog-invalid",
        "catalog-path",
        "duplicate-session-file",
        "duplicate-slot",
        "invalid-record",
        "line-too-long",
        "message-text-cut",
        "outside-folder",
        "record-without-session",
        "second-manifest",
        "session-file-missing",
        "session-too-large",
        "session-without-slot",
        "slot-of-unknown-run",
        "slot-of-unknown-target",
        "source-file-broken",
        "source-page-missing",
        "source-session-repeated",
        "source-session-unreadable",
        "source-unreadable",
        "truncated-line",
        "unreadable-file",
        "unreadable-line",
    }
)
"""Rules of problems that mean: something was recorded, and the report does not have it."""


def derive_wave(
    source: Source,
    *,
    generated_at: datetime,
    progress: Progress = quietly,
    phrases: "PhraseChoices | None" = None,
) -> DerivedWave:
    """Derive everything there is to say about a source.

    Args:
        source: What was opened.
        generated_at: The time the caller gives; equal input and time give equal bytes.
        progress: Told how far it is.
        phrases: A model to ask, or what it answered before; None leaves it to code alone.

    Raises:
        RecordingError: There is no session in the source.

    Rule: findings.md sections 3 to 12.
    """
    if isinstance(source, DocumentSource):
        return _published(source)
    with collector_paused():
        gathered = source.gather(progress)
        if phrases is None:
            return _recorded(source, gathered, generated_at)
    return _phrased(source, gathered, generated_at, phrases)


def lost_input(wave: DerivedWave) -> list[Problem]:
    """Return the problems that mean that recorded data did not make it into the report."""
    sessions = (problem for facts in wave.facts for problem in facts.problems)
    return [problem for problem in (*wave.problems, *sessions) if problem.rule in LOSSES]


def epoch_ms(moment: datetime) -> int:
    """Return a time as epoch milliseconds, as the wire has it."""
    return round(moment.timestamp() * 1000)


def _recorded(
    source: NativeSource | ForeignSource,
    gathered: Gathered,
    generated_at: datetime,
    analysis: Analysis = NO_ANALYSIS,
) -> DerivedWave:
    scan_cap = source.options.scan_cap
    findings = build_findings(
        gathered.plan,
        gathered.facts,
        generated_at_ms=epoch_ms(generated_at),
        source_revision=gathered.source_revision,
        scan_cap=scan_cap,
        analysis=analysis,
    )
    document, left_out = project(findings)
    manifest_file = (
        source.wave.form.manifest_file if isinstance(source, NativeSource) else source.name
    )
    differences = findings_differences(
        gathered.published, findings, gathered.plan, gathered.facts, file=manifest_file
    )
    counted = wave_differences(
        gathered.published, gathered.plan, gathered.facts, file=manifest_file
    )
    return DerivedWave(
        plan=gathered.plan,
        facts=gathered.facts,
        findings=findings,
        document=document,
        left_out=left_out,
        provenance=Provenance(
            input_name=source.name,
            input_kind=source.kind,
            files=gathered.files,
            lost=gathered.lost,
            reporter_version=VERSION,
            recorder=gathered.recorder,
            graded_by=gathered.graded_by,
            scan_cap=scan_cap,
        ),
        problems=(*gathered.problems, *differences, *counted),
        violations=check_document(document, gathered.plan, gathered.facts),
        published=gathered.published,
    )


def _phrased(
    source: NativeSource | ForeignSource,
    gathered: Gathered,
    generated_at: datetime,
    choices: "PhraseChoices",
) -> DerivedWave:
    # What asks a model is loaded only where one is asked.
    from reporter.pipeline.phrases import gist_of, phrased  # noqa: PLC0415

    found = phrased(gist_of(source, gathered), choices)
    wave = _recorded(source, replace(gathered, facts=found.facts), generated_at, found.analysis)
    return replace(wave, phrases=found.work)


def _published(source: DocumentSource) -> DerivedWave:
    return DerivedWave(
        plan=None,
        facts=(),
        findings=findings_of_document(source.document),
        document=source.raw,
        left_out={},
        provenance=Provenance(
            input_name=source.name,
            input_kind=source.kind,
            files=(source.file,),
            reporter_version=VERSION,
        ),
        violations=check_document(source.raw, None, None),
        job=source.job,
    )
