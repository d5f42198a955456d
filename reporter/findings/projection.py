"""The full set as the wire carries it: caps, what they leave out, and the bytes."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from reporter.findings.rows import mechanism_support
from reporter.models.finding import Finding, FindingRow, FindingSet, ReportExcerpt
from reporter.redaction import dump_masked
from reporter.vocabulary import Disposition, Tone, tone_of

ROW_LIMIT: Final = 200
SESSION_LIMIT: Final = 1000
CITATION_LIMIT: Final = 30
CONTRACT_VERSION: Final = 1

_SURROGATES: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]")
_CONTRACT_ORDER: Final = {word: place for place, word in enumerate(Disposition)}


def project(findings: FindingSet) -> tuple[dict[str, Any], dict[int, int]]:
    """Project the full set onto the wire.

    Returns:
        The document, and how many rows it has no room for, by list number; a list that is
        whole has no entry.

    Rule: findings.md section 12.2.
    """
    kept, dropped_mechanisms = _keep(findings.rows)
    left_out: dict[int, int] = defaultdict(int)
    for place, row in enumerate(findings.rows):
        if place not in kept:
            left_out[row.order] += 1
    document: dict[str, Any] = {
        "contractVersion": CONTRACT_VERSION,
        "generatedAt": findings.generated_at_ms,
        "sourceRevision": findings.source_revision,
        "pipelineVersion": findings.pipeline_version,
        "extractionVersion": findings.extraction_version,
        "extractionModel": findings.extraction_model,
        "reasoningModel": findings.reasoning_model,
        "summaryKind": findings.summary_kind.value,
        "population": findings.population.model_dump(by_alias=True),
        "coverageNotes": [note.value for note in findings.coverage_notes],
        "disclosure": findings.disclosure.model_dump(by_alias=True),
        "personas": [rollup.model_dump(by_alias=True) for rollup in findings.personas],
        "findings": [
            wire_row(row.finding) for place, row in enumerate(findings.rows) if place in kept
        ],
    }
    if findings.verification is not None:
        counters = findings.verification.model_dump(by_alias=True)
        document["verification"] = {
            **counters,
            "omitted": counters["omitted"] + dropped_mechanisms,
        }
    return document, dict(sorted(left_out.items()))


def wire_row(finding: Finding) -> dict[str, Any]:
    """Return one row as the wire carries it: a key that was not set stays absent.

    Rule: findings.md section 12.2, 1000 session ids and 30 citations a row.
    """
    update: dict[str, Any] = {
        "session_ids": finding.session_ids[:SESSION_LIMIT],
        "citations": _citations(finding),
    }
    excerpt = finding.report_excerpt
    if excerpt is not None and len(excerpt.citations) > CITATION_LIMIT:
        update["report_excerpt"] = _short(excerpt)
    return finding.model_copy(update=update).model_dump(by_alias=True, exclude_unset=True)


def dump_document(document: Mapping[str, Any]) -> str:
    """Write a document in the one layout that gives equal bytes for equal input.

    Lone surrogates are escaped, the only characters that UTF-8 cannot hold. Names and titles
    that a recording has unmasked are masked here.

    Rule: findings.md section 12.2, layout; report.md section 2, last rule.
    """
    return _SURROGATES.sub(_joined, dump_masked(document, _laid)) + "\n"


def _laid(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2, sort_keys=True)


def _keep(rows: Sequence[FindingRow]) -> tuple[set[int], int]:
    """Return the places of the rows to keep, and how many mechanisms were dropped."""
    if len(rows) <= ROW_LIMIT:
        return set(range(len(rows))), 0
    kept: set[int] = set()
    dropped = 0
    # A mechanism that does not fit whole is dropped, and a smaller one may still fit.
    for places in _mechanisms(rows):
        if len(kept) + len(places) <= ROW_LIMIT:
            kept.update(places)
        else:
            dropped += 1
    for place in _by_worth(rows):
        if len(kept) == ROW_LIMIT:
            break
        kept.add(place)
    return kept, dropped


def _mechanisms(rows: Sequence[FindingRow]) -> list[list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        if row.order == 1:
            places[row.finding.mechanism_id or row.finding.id].append(place)
    support = mechanism_support(row for row in rows if row.order == 1)
    order = sorted(places, key=lambda mechanism: (-len(support.get(mechanism, ())), mechanism))
    return [places[mechanism] for mechanism in order]


def _by_worth(rows: Sequence[FindingRow]) -> Iterator[int]:
    outcomes = [place for place, row in enumerate(rows) if row.order == 2]  # noqa: PLR2004  list 2
    outcomes.sort(key=lambda place: _CONTRACT_ORDER[rows[place].finding.disposition])
    by_tone: dict[Tone, list[int]] = defaultdict(list)
    for place in outcomes:
        by_tone[tone_of(rows[place].finding.disposition)].append(place)
    yield from by_tone[Tone.FAIL]
    yield from by_tone[Tone.WARN]
    for number in (3, 5, 4):
        yield from (place for place, row in enumerate(rows) if row.order == number)
    yield from by_tone[Tone.MUTED]
    yield from by_tone[Tone.OK]


def _citations(finding: Finding) -> list[str]:
    citations = finding.citations
    if len(finding.session_ids) > SESSION_LIMIT:
        # A citation of a session that the cap took out of the row would hang in the air.
        named = set(finding.session_ids[:SESSION_LIMIT])
        citations = [each for each in citations if each.split("/", 1)[0] in named]
    return citations[:CITATION_LIMIT]


def _short(excerpt: ReportExcerpt) -> ReportExcerpt:
    return excerpt.model_copy(update={"citations": excerpt.citations[:CITATION_LIMIT]})


def _joined(found: re.Match[str]) -> str:
    units = found.group()
    if len(units) == 1:
        return f"\\u{ord(units):04x}"
    return units.encode("utf-16", "surrogatepass").decode("utf-16")
