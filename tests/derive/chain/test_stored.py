import copy
from typing import Any

import pytest
from builders import records
from chain_cases import EXPECTING, Json, derive, span, turn

from reporter.derive.chain.stored import (
    ChainRefusal,
    public_projection,
    read_chain_record,
    read_stored_chain,
)
from reporter.models.chain import ANALYZER_VERSION, Chain
from reporter.models.records import ChainRecord
from reporter.vocabulary import Stage, StageReason

CHAIN = derive({"spans": [span(status="error")], "prompts": [turn()]}, EXPECTING)
ROWS = [row.to_wire() for row in CHAIN.rows]


def record(version: Any = ANALYZER_VERSION, stages: Any = None, **more: Any) -> ChainRecord:
    raw = {
        "type": "chain",
        "analyzerVersion": version,
        "stages": ROWS if stages is None else stages,
        **more,
    }
    (read,) = records(raw)
    assert isinstance(read, ChainRecord)
    return read


def changed(index: int, **more: Any) -> list[Json]:
    rows = copy.deepcopy(ROWS)
    rows[index].update(more)
    return rows


def without(index: int, key: str) -> list[Json]:
    rows = copy.deepcopy(ROWS)
    del rows[index][key]
    return rows


def stored(**more: Any) -> Json:
    whole: Json = {
        "stageResults": ROWS,
        "firstFailedStage": "response",
        "failureCategory": "serverData",
        "stageAnalyzerVersion": ANALYZER_VERSION,
        **more,
    }
    return {key: value for key, value in whole.items() if value is not ...}


def test_a_recorded_chain_is_read_as_it_was_derived() -> None:
    chain = read_chain_record(record())
    assert isinstance(chain, Chain)
    assert [row.to_wire() for row in chain.rows] == ROWS
    assert chain.first_failed_stage is Stage.RESPONSE
    assert chain.failure_category is None
    assert chain.analyzer_version == ANALYZER_VERSION


@pytest.mark.parametrize("version", range(ANALYZER_VERSION + 1))
def test_every_version_up_to_ours_is_used_and_keeps_its_number(version: int) -> None:
    chain = read_chain_record(record(version))
    assert isinstance(chain, Chain)
    assert chain.analyzer_version == version


def test_a_reason_and_evidence_may_be_absent() -> None:
    chain = read_chain_record(record(stages=without(4, "reason")))
    assert isinstance(chain, Chain)
    assert chain.row(Stage.RESPONSE).reason is None
    bare = read_chain_record(record(stages=changed(4, evidence={}, reason=None)))
    assert isinstance(bare, Chain)
    assert bare.row(Stage.RESPONSE).evidence is None


def test_a_reason_that_is_no_longer_written_is_still_read() -> None:
    rows = changed(0, state="notMeasured", reason="noSpanChannel")
    chain = read_chain_record(record(1, rows))
    assert isinstance(chain, Chain)
    assert chain.rows[0].reason is StageReason.NO_SPAN_CHANNEL


def test_an_explanation_on_a_setup_row_is_kept() -> None:
    rows = changed(0, reason="connectFailed", state="failed")
    rows[0]["evidence"] = {"predicateReasons": ["refused"], "spanIds": []}
    chain = read_chain_record(record(stages=rows))
    assert isinstance(chain, Chain)
    assert chain.rows[0].to_wire() == rows[0] | {
        "evidence": {"spanIds": [], "predicateReasons": ["refused"]}
    }
    assert chain.first_failed_stage is Stage.CONNECTION


BROKEN_ROWS = [
    ({}, "stages"),
    ("rows", "stages"),
    (ROWS[:5], "stages"),
    ([*ROWS, ROWS[5]], "stages"),
    (ROWS[::-1], "stages[0].stage"),
    ([*ROWS[:2], ROWS[3], ROWS[2], *ROWS[4:]], "stages[2].stage"),
    ([*ROWS[:5], None], "stages[5]"),
    (without(1, "stage"), "stages[1].stage"),
    (without(3, "state"), "stages[3].state"),
    (changed(3, state="PASSED"), "stages[3].state"),
    (changed(3, state=None), "stages[3].state"),
    (changed(3, state=["passed"]), "stages[3].state"),
    (changed(2, reason="because"), "stages[2].reason"),
    (changed(2, reason=7), "stages[2].reason"),
    (changed(2, evidence="s1"), "stages[2].evidence"),
    (changed(2, evidence={"spanIds": "s1"}), "stages[2].evidence.spanIds"),
    (changed(2, evidence={"spanIds": [1]}), "stages[2].evidence.spanIds"),
    (changed(2, evidence={"promptIndexes": [True]}), "stages[2].evidence.promptIndexes"),
    (changed(2, evidence={"promptIndexes": ["0"]}), "stages[2].evidence.promptIndexes"),
    (changed(2, evidence={"predicateReasons": [None]}), "stages[2].evidence.predicateReasons"),
]


@pytest.mark.parametrize(("rows", "place"), BROKEN_ROWS)
def test_rows_that_do_not_hold_up_are_refused_with_their_place(rows: Any, place: str) -> None:
    refusal = read_chain_record(record().model_copy(update={"stages": rows}))
    assert isinstance(refusal, ChainRefusal)
    assert refusal.place == place
    assert refusal.what.endswith(".")
    assert not refusal.newer


@pytest.mark.parametrize("version", [None, "11", True, -1, 11.0])
def test_a_version_that_is_no_whole_number_is_refused(version: Any) -> None:
    refusal = read_chain_record(record(version))
    assert isinstance(refusal, ChainRefusal)
    assert (refusal.place, refusal.newer) == ("analyzerVersion", False)


def test_a_newer_chain_is_refused_without_a_look_at_its_rows() -> None:
    for rows in (ROWS, changed(0, state="quantum"), []):
        refusal = read_chain_record(record(ANALYZER_VERSION + 1, rows))
        assert isinstance(refusal, ChainRefusal)
        assert refusal.newer
        assert "12" in refusal.what


def test_a_refusal_quotes_recorded_text_shortly() -> None:
    refusal = read_chain_record(record(stages=changed(3, state="x" * 5000)))
    assert isinstance(refusal, ChainRefusal)
    assert len(refusal.what) < 300


def test_a_stored_chain_is_read_with_its_category() -> None:
    assert read_stored_chain(stored()) == CHAIN


def test_metadata_without_rows_holds_no_chain() -> None:
    assert read_stored_chain({"stageAnalyzerVersion": 11}) is None
    assert public_projection({"stageAnalyzerVersion": 11}) == {}


INVALID_STORED = [
    (stored(firstFailedStage="call"), "firstFailedStage"),
    (stored(firstFailedStage=...), "firstFailedStage"),
    (stored(stageResults=changed(4, state="passed", reason="observed")), "firstFailedStage"),
    (stored(failureCategory="bad luck"), "failureCategory"),
    (stored(stageAnalyzerVersion=...), "stageAnalyzerVersion"),
    (stored(stageAnalyzerVersion=-1), "stageAnalyzerVersion"),
    (stored(stageResults=ROWS[:3]), "stageResults"),
    (stored(stageResults=None), "stageResults"),
    (stored(stageResults=changed(1, reason="because")), "stageResults[1].reason"),
]


@pytest.mark.parametrize(("metadata", "place"), INVALID_STORED)
def test_a_stored_chain_that_does_not_hold_up_is_refused(metadata: Json, place: str) -> None:
    refusal = read_stored_chain(metadata)
    assert isinstance(refusal, ChainRefusal)
    assert refusal.place == place


def test_a_stored_chain_of_a_newer_analyzer_is_not_used() -> None:
    refusal = read_stored_chain(stored(stageAnalyzerVersion=12))
    assert isinstance(refusal, ChainRefusal)
    assert refusal.newer


def test_a_valid_stored_chain_is_shown_as_it_is() -> None:
    assert public_projection(stored(other="left out")) == stored()
    passed = changed(4, state="passed", reason="observed")
    clean = stored(stageResults=passed, firstFailedStage=..., failureCategory=...)
    assert public_projection(clean) == clean


@pytest.mark.parametrize(
    ("metadata", "shown"),
    [
        (stored(stageResults=[]), {"stageResultsUnverified": True, "stageAnalyzerVersion": 11}),
        (
            stored(stageResults=changed(0, state="quantum"), stageAnalyzerVersion=12),
            {"stageResultsUnverified": True, "stageAnalyzerVersion": 12},
        ),
        (stored(stageAnalyzerVersion="11"), {"stageResultsUnverified": True}),
        (stored(stageAnalyzerVersion=True), {"stageResultsUnverified": True}),
    ],
)
def test_an_invalid_stored_chain_is_shown_as_unverified(metadata: Json, shown: Json) -> None:
    assert public_projection(metadata) == shown
