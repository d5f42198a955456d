"""The findings that a source itself published, compared with those that are derived here."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from reporter.errors import DocumentError, Problem
from reporter.findings.document import findings_of_document, read_document
from reporter.findings.projection import SESSION_LIMIT
from reporter.findings.scope import check_findings
from reporter.models.facts import SessionFacts
from reporter.models.finding import Finding, FindingSet
from reporter.models.plan import Plan
from reporter.vocabulary import CoverageNote

_PLACE: Final = "published.findings"
_COUNTS: Final = ("configured", "started", "read", "unread", "withdrawn", "limited", "graded")

Difference = tuple[str, str]
"""A place in the published document, and what is different there."""


def findings_differences(
    published: Mapping[str, Any],
    own: FindingSet,
    plan: Plan,
    facts: Sequence[SessionFacts],
    *,
    file: str,
) -> list[Problem]:
    """Return where a source's own findings differ from ours, and which rules they break.

    Neither gives way: what was published is not repaired, and ours do not follow it.

    Args:
        published: What the source derived itself, as its manifest holds it.
        own: The full set derived here.
        plan: The plan of the recording.
        facts: One entry a slot.
        file: Where it was published, for problems.

    Rule: recording.md section 5a; findings.md section 3.5.
    """
    raw = published.get("findings")
    if raw is None:
        return []
    try:
        document, _ = read_document(raw, file=file)
    except DocumentError as error:
        return [
            _note(file, one.place, f"It cannot be compared: {one.what}", "findings-unreadable")
            for one in error.problems
        ]
    theirs = findings_of_document(document)
    said = [*_envelope(theirs, own), *_personas(theirs, own), *_rows(theirs, own)]
    return [
        *(_note(file, place, what, "findings-differ") for place, what in said),
        *(
            _note(file, broken.row_id or "", f"{broken.rule}: {broken.what}.", "findings-break")
            for broken in check_findings(theirs, plan, facts, id_cap=SESSION_LIMIT)
            if broken.checkable
        ),
    ]


def _note(file: str, place: str, what: str, rule: str) -> Problem:
    whole = f"{_PLACE}.{place}" if place else _PLACE
    return Problem(file, whole, what, "", f"published-{rule}", None, "note")


def _envelope(theirs: FindingSet, own: FindingSet) -> Iterator[Difference]:
    if theirs.summary_kind is not own.summary_kind:
        yield "summaryKind", _unlike(theirs.summary_kind, own.summary_kind)
    for name in _COUNTS:
        said, derived = getattr(theirs.population, name), getattr(own.population, name)
        if said != derived:
            yield f"population.{name}", _unlike(said, derived)
    for note in CoverageNote:
        if note in theirs.coverage_notes and note not in own.coverage_notes:
            yield "coverageNotes", f"Published is {note}, which is not raised here."
        if note in own.coverage_notes and note not in theirs.coverage_notes:
            yield "coverageNotes", f"Raised here is {note}, which is not published."


def _personas(theirs: FindingSet, own: FindingSet) -> Iterator[Difference]:
    derived = {
        (one.persona.persona_ref_id, one.persona.name): one.disposition for one in own.personas
    }
    for place, one in enumerate(theirs.personas):
        key = (one.persona.persona_ref_id, one.persona.name)
        if key not in derived:
            yield f"personas[{place}]", "This persona is not in the recording."
        elif derived[key] is not one.disposition:
            yield f"personas[{place}].disposition", _unlike(one.disposition, derived[key])


def _rows(theirs: FindingSet, own: FindingSet) -> Iterator[Difference]:
    """Compare rows of one id; how a publisher names its other rows is its own business."""
    derived = {row.finding.id: row.finding for row in own.rows}
    for row in theirs.rows:
        said, here = row.finding, derived.get(row.finding.id)
        if here is None:
            continue
        pairs: tuple[tuple[str, object, object], ...] = (
            ("disposition", said.disposition, here.disposition),
            ("verdictSeen", said.verdict_seen, here.verdict_seen),
            ("population", _share(said), _share(here)),
        )
        for name, published, found in pairs:
            if published != found:
                yield f"findings[{said.id}].{name}", _unlike(published, found)


def _share(row: Finding) -> str:
    return f"{row.population.count} of {row.population.total}"


def _unlike(published: object, derived: object) -> str:
    return f"Published is {published}, derived here {derived}."
