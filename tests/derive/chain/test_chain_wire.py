from typing import Any

import pytest
from chain_cases import EXPECTING, Json, check, derive, span, turn

from reporter.derive.chain.wire import chain_input_from_wire
from reporter.errors import RecordingError
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
from reporter.vocabulary import IterationStatus


def wire(evidence: Any = None, **more: Any) -> Json:
    return {
        "authored": {"mode": "model_free"},
        "evidence": evidence,
        "iteration": {"status": "completed"},
        **more,
    }


def evidence_of(raw: Json) -> ChainEvidence:
    return chain_input_from_wire(wire(raw)).evidence


def test_every_field_is_read() -> None:
    record = {
        "authored": {
            "mode": "model_driven",
            "isNegativeTest": True,
            "expectsToolCall": True,
            "expectsWidgetRender": True,
            "assertionCount": 2,
            "hasUserAsk": True,
            "toolExpectation": "required",
        },
        "evidence": {
            "spans": [span("s1", promptIndex=1, mcpErrorCode=-32603, finishReason="stop")],
            "traceLacksSpanChannel": True,
            "traceAbsent": True,
            "prompts": [
                turn(2, missing=[{}], unexpected=[{}], argumentMismatches=[{}], passed=False)
            ],
            "predicateResults": [
                check("noToolErrors", passed=False, reason="why", status="error", role="advisory")
            ],
            "toolErrors": [{"kind": "content-error", "toolName": "find_book"}],
            "stepError": {"source": "model"},
            "renderObservations": [{"status": "rendered"}],
            "toolSignals": {"toolsTotalBefore": 3, "toolsExposed": 2},
            "setupSignals": {
                "connection": {
                    "outcome": "failed",
                    "attribution": "theirs",
                    "egressVerified": True,
                    "spanIds": ["a", 7],
                    "durationMs": 12,
                },
                "discovery": {"outcome": "ok"},
            },
            "evaluatorErrored": True,
            "judgeEvidence": {
                "status": "scored",
                "pendingKind": "scheduled",
                "verdict": "pass",
                "reasons": ["fine"],
            },
            "metadataAttribution": {
                "status": "scored",
                "pendingKind": "scheduled",
                "attributed": True,
                "reasons": ["why"],
            },
        },
        "iteration": {"status": "timed_out", "error": "too slow"},
        "policy": {"blocked": True, "reason": "budget"},
    }
    assert chain_input_from_wire(record) == ChainInput(
        authored=Authored("model_driven", True, True, True, 2, True, "required"),
        evidence=ChainEvidence(
            spans=(Span("s1", "tool", "ok", "find_book", 1, -32603),),
            trace_lacks_span_channel=True,
            trace_absent=True,
            prompts=(TurnSummary(2, True, True, True, True, False),),
            predicate_results=(PredicateRow(False, "why", "error", "noToolErrors", "advisory"),),
            tool_error_kinds=("content-error",),
            step_error_source="model",
            render_statuses=("rendered",),
            tools_total_before=3,
            connection_signal=PhaseSignal("failed", "theirs", True, ("a",)),
            discovery_signal=PhaseSignal("ok"),
            evaluator_errored=True,
            judge=JudgeEvidence("scored", "scheduled", "pass", ("fine",)),
            metadata=MetadataAttribution("scored", "scheduled", True, ("why",)),
        ),
        status=IterationStatus.TIMED_OUT,
        policy_blocked=True,
    )


@pytest.mark.parametrize("value", [1, "true", "yes", [True], {}, None, False])
def test_a_switch_is_on_only_when_exactly_true(value: Any) -> None:
    keys = ("isNegativeTest", "expectsToolCall", "expectsWidgetRender", "hasUserAsk")
    raw = wire(
        {
            "traceAbsent": value,
            "traceLacksSpanChannel": value,
            "evaluatorErrored": value,
            "metadataAttribution": {"status": "scored", "attributed": value},
            "setupSignals": {"connection": {"outcome": "failed", "egressVerified": value}},
        },
        authored={"mode": "model_free", **dict.fromkeys(keys, value)},
        policy={"blocked": value},
    )
    read = chain_input_from_wire(raw)
    authored, evidence = read.authored, read.evidence
    assert not any(
        (
            authored.is_negative_test,
            authored.expects_tool_call,
            authored.expects_widget_render,
            authored.has_user_ask,
            evidence.trace_absent,
            evidence.trace_lacks_span_channel,
            evidence.evaluator_errored,
            read.policy_blocked,
        )
    )
    assert evidence.metadata is not None
    assert evidence.metadata.attributed is not True
    assert evidence.connection_signal is not None
    assert evidence.connection_signal.egress_verified is not True


@pytest.mark.parametrize("value", [True, False, "3", None, [3], float("nan"), float("inf")])
def test_what_is_no_number_is_absent(value: Any) -> None:
    raw: Json = {
        "spans": [{"promptIndex": value, "mcpErrorCode": value}],
        "prompts": [{"promptIndex": value}],
        "toolSignals": {"toolsTotalBefore": value},
    }
    authored: Json = {"mode": "model_free", "assertionCount": value}
    read = chain_input_from_wire(wire(raw, authored=authored))
    assert read.evidence.spans == (Span(),)
    assert read.evidence.prompts == (TurnSummary(),)
    assert read.evidence.tools_total_before is None
    assert read.authored.assertion_count == 0


@pytest.mark.parametrize(
    ("value", "expected"), [(True, True), (False, False), (0, None), ("", None)]
)
def test_passed_is_true_false_or_unknown(value: Any, expected: bool | None) -> None:
    read = evidence_of({"prompts": [{"passed": value}], "predicateResults": [{"passed": value}]})
    assert read.prompts[0].passed is expected
    assert read.predicate_results[0].passed is expected


@pytest.mark.parametrize("value", [[], None, "missing", {"a": 1}, 3])
def test_only_a_list_with_something_in_it_counts_as_one(value: Any) -> None:
    keys = ("expectedToolCalls", "missing", "unexpected", "argumentMismatches")
    read = evidence_of({"prompts": [dict.fromkeys(keys, value)]})
    assert read.prompts == (TurnSummary(),)


@pytest.mark.parametrize("raw", [None, [], "evidence", 7, {"spans": None, "prompts": {}}])
def test_evidence_that_is_none_reads_as_none(raw: Any) -> None:
    assert evidence_of(raw) == ChainEvidence()


def test_entries_that_are_no_objects_are_ignored() -> None:
    raw: Json = {
        "spans": ["s1", None],
        "prompts": [1],
        "predicateResults": [[]],
        "toolErrors": ["content-error", {"kind": 1}],
        "setupSignals": {"connection": "ok", "discovery": {"outcome": "maybe"}},
        "judgeEvidence": "pass",
        "metadataAttribution": {"attributed": True},
    }
    assert evidence_of(raw) == ChainEvidence()


def test_no_spans_a_missing_trace_and_a_missing_channel_are_three_things() -> None:
    cases: list[Json] = [{"spans": []}, {"traceAbsent": True}, {"traceLacksSpanChannel": True}]
    found = [derive(evidence).rows[3].reason for evidence in cases]
    assert found == ["noEvidenceCaptured", "traceAbsent", "executorEmitsNoSpans"]


def test_a_fraction_of_an_assertion_is_one() -> None:
    read = chain_input_from_wire(wire(authored={"mode": "model_free", "assertionCount": 0.5}))
    assert read.authored.assertion_count == 1


@pytest.mark.parametrize(
    ("more", "places"),
    [
        ({"authored": {}}, ["authored.mode"]),
        ({"authored": {"mode": "human_driven"}}, ["authored.mode"]),
        ({"iteration": {"status": "done"}}, ["iteration.status"]),
        ({"iteration": {"status": ["completed"]}}, ["iteration.status"]),
        ({"authored": None, "iteration": None}, ["authored.mode", "iteration.status"]),
    ],
)
def test_a_word_the_analyzer_does_not_know_is_an_error_with_its_place(
    more: Json, places: list[str]
) -> None:
    with pytest.raises(RecordingError) as caught:
        chain_input_from_wire(wire(**more), file="record.json")
    assert [problem.place for problem in caught.value.problems] == places
    assert all(problem.file == "record.json" for problem in caught.value.problems)
    assert all(problem.remedy.startswith("Use one of") for problem in caught.value.problems)


def test_a_derivation_says_nothing_about_keys_it_does_not_know() -> None:
    assert derive({"weather": "fine"}, {**EXPECTING, "mood": "good"}) == derive({})
