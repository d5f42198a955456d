"""What a source derived of its sessions itself: shown as published, used nowhere else."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from reporter.errors import DocumentError
from reporter.findings.document import findings_of_document, read_document
from reporter.models.finding import Finding, FindingSet
from reporter.models.wave import DerivedWave
from reporter.view.author import ModelWords, model_words
from reporter.view.text import one_line, plural
from reporter.vocabulary import Basis

SHOWN: Final = 20
"""Causes and suggestions that are shown; the rest are counted."""


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One explanation or suggestion, in its publisher's words."""

    kind: str
    """What it is, and how often it was counted, in our words."""
    words: ModelWords
    fix: ModelWords
    """What its publisher suggests; empty where there is none for the server."""


@dataclass(frozen=True, slots=True)
class PublishedView:
    """What the source published."""

    summary: str
    """Its summary and counts; empty where no findings document was published."""
    rows: tuple[PublishedRow, ...]
    more: str


def published_view(wave: DerivedWave) -> PublishedView | None:
    """Lay out what the source of a recording published, or None where that is nothing.

    Where it differs from what is derived here is listed among the reader's notes.

    Rule: recording.md section 5a.
    """
    if wave.plan is None:
        return None
    findings = _findings(wave.published)
    rows = [*_causes(findings), *_suggestions(wave.published)]
    if findings is None and not rows:
        return None
    left_out = len(rows) - SHOWN
    return PublishedView(
        summary="" if findings is None else _summary(findings),
        rows=tuple(rows[:SHOWN]),
        more=f"{left_out:,} more not shown." if left_out > 0 else "",
    )


def _findings(published: Mapping[str, Any]) -> FindingSet | None:
    raw = published.get("findings")
    if raw is None:
        return None
    try:
        document, _ = read_document(raw, file="")
    except DocumentError:
        return None  # what is wrong with it stands among the reader's notes
    return findings_of_document(document)


def _summary(findings: FindingSet) -> str:
    count = findings.population
    said = f"{findings.summary_kind.label}: {plural(count.configured, 'session')} configured, "
    said += f"{count.started:,} started, {count.read:,} read, {count.graded:,} graded"
    people = [
        f"{one_line(one.persona.name, 60)} {one.disposition.label}" for one in findings.personas
    ]
    return f"{said}. {', '.join(people)}." if people else f"{said}."


def _causes(findings: FindingSet | None) -> Iterator[PublishedRow]:
    """Yield one row a cause: its rows of several goals share an id."""
    causes: dict[str, list[Finding]] = {}
    for row in findings.rows if findings is not None else ():
        found = row.finding
        if found.basis is Basis.VERIFIED_MECHANISM and found.mechanism_id is not None:
            causes.setdefault(found.mechanism_id, []).append(found)
    for rows in causes.values():
        first = min(rows, key=lambda one: one.id)
        sessions = len({session for one in rows for session in one.session_ids})
        goals = len({one.goal.run_id for one in rows})
        across = f" across {plural(goals, 'goal')}" if goals > 1 else ""
        yield PublishedRow(
            f"Cause, in {plural(sessions, 'session')}{across}",
            model_words(first.mechanism_phrase),
            model_words(next((one.fix_phrase for one in rows if one.fix_phrase), None)),
        )


def _suggestions(published: Mapping[str, Any]) -> Iterator[PublishedRow]:
    """Yield what the insights suggest; a fix only where it is one of the server, and ready.

    Rule: import-mcpjam.md section 4.7.
    """
    insights = published.get("insights")
    listed: object = insights.get("findings") if isinstance(insights, Mapping) else None
    for one in listed if isinstance(listed, Sequence) and not isinstance(listed, str) else ():
        title = one.get("title") if isinstance(one, Mapping) else None
        if not isinstance(title, str) or not title.strip():
            continue
        is_fix = one.get("actionTarget") == "mcp_server" and one.get("actionability") == "ready"
        advice = one.get("recommendation")
        yield PublishedRow(
            f"Insight{_affected(one.get('affected'))}",
            model_words(title),
            model_words(advice if is_fix and isinstance(advice, str) else None),
        )


def _affected(said: object) -> str:
    if not isinstance(said, Mapping):
        return ""
    count, total = said.get("count"), said.get("total")
    if type(count) is not int or type(total) is not int:
        return ""
    return f", in {count:,} of {plural(total, 'session')}"
