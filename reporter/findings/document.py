"""A published findings document: read strictly, and shown without a recording."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from reporter.errors import DocumentError, Problem
from reporter.findings.contract import WireDocument, WireFinding, WireJob
from reporter.findings.coverage import in_contract_order
from reporter.findings.grouping import null_first, persona_order
from reporter.findings.projection import CONTRACT_VERSION
from reporter.findings.row_id import stated_fact
from reporter.findings.rows import mechanism_support
from reporter.models.finding import (
    Disclosure,
    Finding,
    FindingRow,
    FindingSet,
    PersonaRollup,
    Population,
    Verification,
)
from reporter.vocabulary import Basis, CoverageNote, ScopeLevel, Signal, WiderFact

_Model = TypeVar("_Model", bound=BaseModel)

_DOCUMENT_KEY: Final = "journeyFindings"
_JOB_KEY: Final = "journeyFindingsJob"
_JOB_SAYS: Final = {
    "pending": "the findings job has not finished, so there is no document yet",
    "failed": "the findings job failed, so there is no document",
    "skipped": "the findings job was skipped, so there is no document",
    "completed": "the findings job completed, and its document is not in this file",
}
_WIDER: Final = (ScopeLevel.PERSONA, ScopeLevel.TARGET, ScopeLevel.WAVE)
_SIGNAL_ORDER: Final = {signal: place for place, signal in enumerate(Signal)}
_SCOPE_ORDER: Final = {level: place for place, level in enumerate(ScopeLevel)}

_LONGEST_PLACE: Final = 200
_MESSAGES: Final = {
    "missing": "the key is missing",
    "extra_forbidden": "the key is not part of the contract",
    "string_type": "is not a text",
    "list_type": "is not an array",
    "model_type": "is not an object",
}


def is_document(raw: object) -> bool:
    """Tell whether a JSON value looks like a findings document or an envelope around one."""
    if not isinstance(raw, Mapping):
        return False
    return _is_envelope(raw) or {"contractVersion", "findings", "personas"} <= set(raw)


def read_document(raw: Any, *, file: str) -> tuple[WireDocument, Mapping[str, Any] | None]:  # noqa: ANN401  any JSON value
    """Read a findings document, bare or inside an insights envelope.

    Args:
        raw: The parsed JSON.
        file: Name of the file, for messages.

    Returns:
        The document, and the findings job beside it where the envelope has one.

    Raises:
        DocumentError: The document breaks the contract; every place is named at once. Also
            where there is an envelope and no document in it, with the state of its job.

    Rule: findings.md sections 3 and 3.5, `contract`.
    """
    if not isinstance(raw, Mapping):
        raise DocumentError([Problem(file, "", "is not a JSON object.", rule="document-shape")])
    if not _is_envelope(raw):
        return _document(raw, file, ()), None
    problems: list[Problem] = []
    job = _job(raw.get(_JOB_KEY), file, problems)
    if raw.get(_DOCUMENT_KEY) is None:
        says = _JOB_SAYS[job["status"]] if job else "the envelope holds no findings document"
        missing = f"{says}; that is not the same as no findings."
        problems.append(Problem(file, _DOCUMENT_KEY, missing, rule="document-missing"))
        raise DocumentError(problems)
    try:
        document = _document(raw[_DOCUMENT_KEY], file, (_DOCUMENT_KEY,))
    except DocumentError as error:
        raise DocumentError([*error.problems, *problems]) from None
    if problems:
        raise DocumentError(problems)
    return document, job


def findings_of_document(document: WireDocument) -> FindingSet:
    """Turn a published document into findings that can be shown without a recording.

    Rows get the list they belong to and the order of the full set, as far as the document
    tells: it carries no target ids and no plan, so runs stand in the order of `personas`.

    Rule: findings.md sections 12 and 13.
    """
    extracted = bool(document.extraction_model)
    rows = [_row(finding, extracted=extracted) for finding in document.findings]
    population = _as(Population, document.population)
    verification = None
    if "verification" in document.model_fields_set:
        verification = _as(Verification, document.verification)
    return FindingSet(
        generated_at_ms=document.generated_at,
        source_revision=document.source_revision,
        summary_kind=document.summary_kind,
        population=population,
        coverage_notes=tuple(in_contract_order(document.coverage_notes)),
        personas=tuple(_as(PersonaRollup, rollup) for rollup in document.personas),
        rows=_in_order(rows, document),
        disclosure=_as(Disclosure, document.disclosure),
        pipeline_version=document.pipeline_version,
        extraction_version=document.extraction_version,
        extraction_model=document.extraction_model,
        reasoning_model=document.reasoning_model,
        verification=verification,
        note_sessions=_known_counts(document.coverage_notes, population, verification),
    )


def _is_envelope(raw: Mapping[str, Any]) -> bool:
    return _DOCUMENT_KEY in raw or _JOB_KEY in raw


def _document(raw: object, file: str, prefix: tuple[str, ...]) -> WireDocument:
    version = raw.get("contractVersion") if isinstance(raw, Mapping) else None
    if isinstance(version, int) and version > CONTRACT_VERSION:
        raise DocumentError(
            [
                Problem(
                    file,
                    _path((*prefix, "contractVersion")),
                    f"is {version}: the document was written under a newer contract than "
                    f"version {CONTRACT_VERSION}, the only one that this reader knows.",
                    "Update swarm-reporter, or ask the source for a version "
                    f"{CONTRACT_VERSION} document.",
                    rule="newer-contract",
                )
            ]
        )
    try:
        return WireDocument.model_validate(raw)
    except ValidationError as error:
        raise DocumentError(_problems(error, file, prefix)) from None


def _job(raw: object, file: str, problems: list[Problem]) -> Mapping[str, Any] | None:
    if raw is None:
        return None
    try:
        return WireJob.model_validate(raw).to_wire()
    except ValidationError as error:
        problems += _problems(error, file, (_JOB_KEY,))
        return None


def _problems(error: ValidationError, file: str, prefix: tuple[str, ...]) -> list[Problem]:
    return [
        Problem(
            file,
            _path((*prefix, *detail["loc"])),
            f"{_message(detail['type'], detail['msg'])}.",
            rule="document-contract",
        )
        for detail in error.errors(include_url=False, include_input=False)
    ]


def _message(kind: str, text: str) -> str:
    if kind == "literal_error":
        return text.replace("Input should be", "is not")
    return _MESSAGES.get(kind, text)


def _path(places: Iterable[str | int]) -> str:
    path = ""
    for place in places:
        if isinstance(place, int):
            path += f"[{place}]"
        else:
            path += f".{place}" if path else place
    return path if len(path) <= _LONGEST_PLACE else path[:_LONGEST_PLACE] + "…"


def _as(model: type[_Model], wire: BaseModel) -> _Model:
    return model.model_validate(wire.model_dump(by_alias=True, exclude_unset=True))


def _row(wire: WireFinding, *, extracted: bool) -> FindingRow:
    finding = _as(Finding, wire)
    notes = in_contract_order(finding.coverage_notes)
    if notes != finding.coverage_notes:
        finding = finding.model_copy(update={"coverage_notes": notes})
    order = _list_of(finding)
    by_model = extracted and order == 4  # noqa: PLR2004  list 4
    return FindingRow(
        finding=finding,
        order=order,
        fact=stated_fact(finding),
        by_model=by_model,
        account_by_model=by_model,
    )


def _list_of(finding: Finding) -> Literal[1, 2, 3, 4, 5]:
    if finding.basis is Basis.VERIFIED_MECHANISM:
        return 1
    if finding.basis is Basis.SESSION_REPORT:
        return 4
    if finding.scope_level in _WIDER:
        return 5
    return 2 if finding.signal is None else 3


def _in_order(rows: Sequence[FindingRow], document: WireDocument) -> tuple[FindingRow, ...]:
    support = mechanism_support(row for row in rows if row.order == 1)
    runs = {
        run_id: place
        for rollup in document.personas
        for place, run_id in enumerate(rollup.goal_run_ids)
    }

    def inside_list(row: FindingRow) -> tuple[object, ...]:
        finding = row.finding
        match row.order:
            case 1:
                mechanism = finding.mechanism_id or ""
                return (-len(support.get(mechanism, ())), mechanism)
            case 2:
                return ()
            case 3:
                return (_SIGNAL_ORDER[finding.signal] if finding.signal else -1,)
            case 4:
                return (finding.session_ids,)
            case 5:
                return (_SCOPE_ORDER[finding.scope_level],)

    def order(row: FindingRow) -> tuple[object, ...]:
        finding, target = row.finding, row.finding.target
        return (
            row.order,
            inside_list(row),
            persona_order((finding.persona.persona_ref_id, finding.persona.name)),
            runs.get(finding.goal.run_id, len(runs)),
            finding.goal.run_id,
            (target.label, target.kind, target.id, null_first(target.model_id)),
            row.fact is WiderFact.NOT_MET,
            finding.id,
        )

    return tuple(sorted(rows, key=order))


def _known_counts(
    notes: Iterable[CoverageNote], population: Population, verification: Verification | None
) -> dict[CoverageNote, int]:
    # The wire has no counts of its own; only these four follow from it exactly.
    known = {
        CoverageNote.SESSIONS_WITHDRAWN: population.withdrawn,
        CoverageNote.PARTIAL_READ: population.unread,
    }
    if verification is not None:
        known[CoverageNote.MECHANISMS_REJECTED] = verification.rejected
        known[CoverageNote.ANALYSIS_UNAVAILABLE] = verification.unverified
    raised = set(notes)
    return {note: count for note, count in known.items() if note in raised and count}
