"""The wire contract of a findings document, as strict as its publisher's."""

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationInfo
from pydantic import field_validator as validates
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from reporter.findings.projection import (
    CITATION_LIMIT,
    CONTRACT_VERSION,
    ROW_LIMIT,
    SESSION_LIMIT,
)
from reporter.findings.report_rows import ACCOUNT_LIMIT, ACTUAL_LIMIT
from reporter.findings.row_id import CITATION
from reporter.findings.text import js_word_count, utf16_length
from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    CoverageNote,
    Disposition,
    ScopeLevel,
    Signal,
    Stage,
    StageState,
    SummaryKind,
    Tone,
    Verdict,
    Word,
    tone_of,
)

OUTCOME_LENGTH: Final = 100
OUTCOME_WORDS: Final = 8

_Word = TypeVar("_Word", bound=Word)


def _refuse(what: str) -> PydanticCustomError:
    # The text goes through a template engine, so that it may hold no braces of its own.
    return PydanticCustomError("contract", "{what}", {"what": what})


def _count(value: object) -> object:
    # JSON has one kind of number, so 2.0 is the integer 2.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _refuse("is not an integer of 0 or more")
    return value


def _version(value: object) -> object:
    if isinstance(value, bool) or value != CONTRACT_VERSION:
        raise _refuse(f"is not {CONTRACT_VERSION}, the version that this reader knows")
    return CONTRACT_VERSION


def _word(words: type[_Word]) -> Callable[[object], object]:
    spellings = {word.value: word for word in words}

    def read(value: object) -> object:
        if not isinstance(value, str) or value not in spellings:
            raise _refuse(f"is not one of {', '.join(spellings)}")
        return spellings[value]

    return read


def _no_longer(limit: int) -> Callable[[str], str]:
    def check(text: str) -> str:
        if utf16_length(text) > limit:
            raise _refuse(f"is longer than {limit} characters ({utf16_length(text)})")
        return text

    return check


def _no_more(limit: int, what: str) -> Callable[[list[Any]], list[Any]]:
    def check(items: list[Any]) -> list[Any]:
        if len(items) > limit:
            raise _refuse(f"holds {len(items)} {what}; at most {limit} are allowed")
        return items

    return check


def _filled(text: str) -> str:
    if not text:
        raise _refuse("is empty")
    return text


def _citation(text: str) -> str:
    if not CITATION.fullmatch(text):
        raise _refuse("is not of the form sessionId/pointer")
    return text


def _outcome(text: str) -> str:
    if any(digit in text for digit in "0123456789"):
        raise _refuse("holds a digit; counts are not for a phrase")
    if js_word_count(text) > OUTCOME_WORDS:
        raise _refuse(f"has more than {OUTCOME_WORDS} words ({js_word_count(text)})")
    return _no_longer(OUTCOME_LENGTH)(text)


Count = Annotated[int, BeforeValidator(_count)]
Filled = Annotated[str, AfterValidator(_filled)]
Citation = Annotated[str, AfterValidator(_citation)]
Citations = Annotated[list[Citation], AfterValidator(_no_more(CITATION_LIMIT, "citations"))]
Notes = list[Annotated[CoverageNote, BeforeValidator(_word(CoverageNote))]]
DispositionWord = Annotated[Disposition, BeforeValidator(_word(Disposition))]
ToneWord = Annotated[Tone, BeforeValidator(_word(Tone))]


class _Contract(BaseModel):
    # Unlike the models that derivations use, only the wire's own spelling of a key counts.
    model_config = ConfigDict(
        alias_generator=to_camel, extra="forbid", frozen=True, strict=True, serialize_by_alias=True
    )

    def to_wire(self) -> dict[str, Any]:
        """Return the object with exactly the keys that it came with."""
        return self.model_dump(by_alias=True, exclude_unset=True)


class _Toned(_Contract):
    disposition: DispositionWord
    tone: ToneWord

    @validates("tone")
    @classmethod
    def _tone_of_disposition(cls, tone: Tone, info: ValidationInfo) -> Tone:
        disposition = info.data.get("disposition")
        if disposition is not None and tone is not tone_of(disposition):
            raise _refuse(f"is {tone}, but the tone of {disposition} is {tone_of(disposition)}")
        return tone


class WirePersona(_Contract):
    """Who."""

    persona_ref_id: str | None
    name: str


class WireGoal(_Contract):
    """Which task."""

    run_id: str
    journey_ref_id: str
    title: str


class WireTarget(_Contract):
    """Against what."""

    kind: Literal["environment", "host"]
    id: str
    label: str
    model_id: str | None


class WireRowPopulation(_Contract):
    """How many of how many."""

    count: Count
    total: Count
    unit: Literal["sessions"]


class WirePopulation(_Contract):
    """The counts of the wave."""

    configured: Count
    started: Count
    read: Count
    unread: Count
    withdrawn: Count
    limited: Count
    graded: Count


class WireExcerpt(_Contract):
    """What was reported of one session."""

    actual: Annotated[str, AfterValidator(_no_longer(ACTUAL_LIMIT))]
    account: Annotated[str, AfterValidator(_no_longer(ACCOUNT_LIMIT))] | None = None
    citations: Citations


class WireFinding(_Toned):
    """One row."""

    id: Filled
    basis: Annotated[Basis, BeforeValidator(_word(Basis))]
    scope_level: Annotated[ScopeLevel, BeforeValidator(_word(ScopeLevel))]
    persona: WirePersona
    goal: WireGoal
    target: WireTarget
    population: WireRowPopulation
    session_ids: Annotated[list[str], AfterValidator(_no_more(SESSION_LIMIT, "session ids"))]
    citations: Citations
    verdict_seen: Annotated[Verdict, BeforeValidator(_word(Verdict))]
    chain_stage: Annotated[Stage, BeforeValidator(_word(Stage))] | None
    chain_stage_state: Annotated[StageState, BeforeValidator(_word(StageState))] | None
    chain_stage_basis: Annotated[ChainStageBasis, BeforeValidator(_word(ChainStageBasis))]
    coverage_notes: Notes
    outcome_phrase: Annotated[str, AfterValidator(_outcome)] | None
    mechanism_phrase: str | None
    fix_phrase: str | None
    report_excerpt: WireExcerpt | None
    mechanism_id: str | None
    signal: Annotated[Signal, BeforeValidator(_word(Signal))] | None = None


class WireRollup(_Toned):
    """How one persona came out."""

    persona: WirePersona
    goal_run_ids: list[str]


class WireDisclosure(_Contract):
    """What was sent to a model."""

    rail: Literal["gateway", "openrouter"]
    evidence_sent: list[str]


class WireVerification(_Contract):
    """What became of a model's proposals."""

    proposed: Count
    confirmed: Count
    rejected: Count
    unverified: Count
    omitted: Count


class WireDocument(_Contract):
    """A findings document, valid at contract level.

    Rule: findings.md sections 3.1 to 3.3.
    """

    contract_version: Annotated[Literal[1], BeforeValidator(_version)]
    generated_at: Count
    source_revision: str
    pipeline_version: Count
    extraction_version: Count
    extraction_model: str
    reasoning_model: str
    summary_kind: Annotated[SummaryKind, BeforeValidator(_word(SummaryKind))]
    population: WirePopulation
    coverage_notes: Notes
    disclosure: WireDisclosure
    personas: list[WireRollup]
    findings: Annotated[list[WireFinding], AfterValidator(_no_more(ROW_LIMIT, "rows"))]
    verification: WireVerification = None  # type: ignore[assignment]  # absent, never null


class WireJob(_Contract):
    """The job that makes the document.

    Rule: findings.md section 3.4.
    """

    status: Literal["pending", "completed", "failed", "skipped"]
    error_code: str = None  # type: ignore[assignment]  # absent, never null
    updated_at: Annotated[int, BeforeValidator(_count)]
