from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from reporter.derive.chain import CHECK_KINDS, derive_chain
from reporter.derive.chain.applicability import applicable_stages
from reporter.derive.chain.reading import read_evidence
from reporter.derive.chain.stored import read_chain_record, read_stored_chain
from reporter.models.chain import (
    Authored,
    ChainEvidence,
    ChainInput,
    JudgeEvidence,
    MetadataAttribution,
    PhaseSignal,
    PredicateRow,
    Span,
    TurnSummary,
)
from reporter.models.records import ChainRecord
from reporter.vocabulary import IterationStatus, Stage, StageReason, StageState

FLAGS = st.one_of(st.none(), st.booleans())
TEXTS = st.one_of(st.none(), st.sampled_from(["", " ", "why", "x" * 501]))
REASONS = st.lists(st.sampled_from(["", "why", "y" * 501]), max_size=7).map(tuple)
IDS = st.lists(st.sampled_from("abc"), max_size=7).map(tuple)
STATUSES = st.sampled_from(["scored", "error", "skipped", "not_applicable", "pending"])

AUTHORED = st.builds(
    Authored,
    mode=st.sampled_from(["model_driven", "model_free"]),
    is_negative_test=FLAGS,
    expects_tool_call=FLAGS,
    expects_widget_render=FLAGS,
    assertion_count=st.integers(min_value=0, max_value=2),
    has_user_ask=FLAGS,
    tool_expectation=st.sampled_from(["required", "not_required", "open", None]),
)
SPANS = st.builds(
    Span,
    id=st.one_of(st.none(), st.sampled_from("abcdefg")),
    category=st.sampled_from(["tool", "tool", "llm", None]),
    status=st.sampled_from(["ok", "error", None]),
    mcp_error_code=st.sampled_from([None, None, -32000, -32001, -32603, 0]),
)
TURNS = st.builds(
    TurnSummary,
    prompt_index=st.one_of(st.none(), st.integers(min_value=0, max_value=9)),
    expected_tool_calls=st.booleans(),
    missing=st.booleans(),
    unexpected=st.booleans(),
    argument_mismatches=st.booleans(),
    passed=FLAGS,
)
CHECKS = st.builds(
    PredicateRow,
    passed=FLAGS,
    reason=TEXTS,
    status=st.sampled_from([None, None, "scored", "error"]),
    kind=st.one_of(st.none(), st.just("madeUpLater"), st.sampled_from(list(CHECK_KINDS))),
    role=st.sampled_from([None, "required", "advisory"]),
)
SIGNALS = st.one_of(
    st.none(),
    st.builds(
        PhaseSignal,
        outcome=st.sampled_from(["ok", "failed"]),
        attribution=st.sampled_from([None, "ours", "theirs", "unknown"]),
        egress_verified=FLAGS,
        span_ids=IDS,
    ),
)
JUDGES = st.builds(
    JudgeEvidence,
    status=STATUSES,
    pending_kind=st.sampled_from([None, "scheduled", "not_requested"]),
    verdict=st.sampled_from([None, "pass", "partial", "fail"]),
    reasons=REASONS,
)
EVIDENCE = st.builds(
    ChainEvidence,
    spans=st.lists(SPANS, max_size=7),
    trace_lacks_span_channel=st.booleans(),
    trace_absent=st.booleans(),
    prompts=st.lists(TURNS, max_size=3),
    predicate_results=st.lists(CHECKS, max_size=7),
    tool_error_kinds=st.lists(
        st.sampled_from(["content-error", "protocol-error", "tool_error"]), max_size=2
    ),
    step_error_source=st.sampled_from([None, None, "model", "setup"]),
    render_statuses=st.lists(st.sampled_from(["rendered", "error", None]), max_size=2),
    tools_total_before=st.sampled_from([None, 0, 3]),
    connection_signal=SIGNALS,
    discovery_signal=SIGNALS,
    evaluator_errored=st.booleans(),
    judge=st.one_of(st.none(), JUDGES),
    metadata=st.one_of(
        st.none(),
        st.builds(MetadataAttribution, status=STATUSES, attributed=FLAGS, reasons=REASONS),
    ),
)
INPUTS = st.builds(
    ChainInput,
    authored=AUTHORED,
    evidence=EVIDENCE,
    status=st.sampled_from(IterationStatus),
    policy_blocked=st.sampled_from([False, False, False, True]),
)


@given(INPUTS)
def test_six_rows_stand_in_stage_order_each_with_a_reason_still_in_use(
    source: ChainInput,
) -> None:
    chain = derive_chain(source)
    assert [row.stage for row in chain.rows] == list(Stage)
    assert not {row.reason for row in chain.rows} & {None, StageReason.NO_SPAN_CHANNEL}
    assert chain.analyzer_version == 11


@given(INPUTS)
def test_nothing_behind_a_failed_row_is_merely_unmeasured(source: ChainInput) -> None:
    rows = derive_chain(source).rows
    failed = [place for place, row in enumerate(rows) if row.state is StageState.FAILED]
    cut = [place for place, row in enumerate(rows) if row.state is StageState.NOT_REACHED]
    if failed:
        behind = rows[failed[0] + 1 :]
        assert all(row.state is not StageState.NOT_MEASURED for row in behind)
    assert all(failed and place > failed[0] for place in cut)


@given(INPUTS)
def test_what_does_not_apply_is_never_overwritten(source: ChainInput) -> None:
    applies = applicable_stages(read_evidence(source.authored, source.evidence))
    for row, applied in zip(derive_chain(source).rows, applies, strict=True):
        assert (row.state is StageState.NOT_APPLICABLE) == (not applied)
        assert (row.reason is StageReason.NOT_AUTHORED) == (not applied)
        assert applied or row.evidence is None


@given(INPUTS)
def test_the_same_input_gives_the_same_chain(source: ChainInput) -> None:
    before = repr(source)
    first = derive_chain(source)
    assert derive_chain(source) == first
    assert repr(source) == before


@given(INPUTS)
def test_the_first_failed_stage_is_the_first_failed_row(source: ChainInput) -> None:
    chain = derive_chain(source)
    failed = [row.stage for row in chain.rows if row.state is StageState.FAILED]
    assert chain.first_failed_stage is (failed[0] if failed else None)
    if failed:
        assert chain.failure_category is not None


@given(INPUTS)
def test_evidence_stays_within_its_bounds(source: ChainInput) -> None:
    for row in derive_chain(source).rows:
        evidence = row.evidence
        if evidence is None:
            continue
        assert evidence.to_wire() != {}
        assert len(evidence.span_ids or ()) <= 5
        texts = evidence.predicate_reasons
        assert texts is None or 1 <= len(texts) <= 5
        assert all(text.strip() and len(text) <= 500 for text in texts or ())


@given(INPUTS)
def test_a_derived_chain_is_a_valid_stored_one(source: ChainInput) -> None:
    chain = derive_chain(source)
    rows = [row.to_wire() for row in chain.rows]
    metadata: dict[str, object] = {
        "stageResults": rows,
        "firstFailedStage": chain.first_failed_stage,
        "failureCategory": chain.failure_category,
        "stageAnalyzerVersion": chain.analyzer_version,
    }
    assert read_stored_chain(metadata) == chain
    record = ChainRecord(seq=0, analyzer_version=11, stages=rows)
    assert read_chain_record(record) == replace(chain, failure_category=None)


@given(INPUTS, st.lists(CHECKS, max_size=3))
def test_advisory_and_unscored_rows_change_nothing(
    source: ChainInput, more: list[PredicateRow]
) -> None:
    unread = [replace(row, role="advisory") for row in more]
    unread += [replace(row, status="error") for row in more]
    rows = [*source.evidence.predicate_results, *unread]
    padded = replace(source, evidence=replace(source.evidence, predicate_results=rows))
    assert derive_chain(padded) == derive_chain(source)


@given(INPUTS)
def test_a_judge_never_overturns_a_check_or_an_earlier_failure(source: ChainInput) -> None:
    chain = derive_chain(source)
    silent = derive_chain(replace(source, evidence=replace(source.evidence, judge=None)))
    assert chain.rows[:5] == silent.rows[:5]
    settled = (StageState.PASSED, StageState.FAILED, StageState.NOT_REACHED)
    if silent.rows[5].state in settled:
        assert chain == silent
