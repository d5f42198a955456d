"""The published checks: which may be written, and what each reports on reviewed transcripts."""

import copy
import json
from typing import Any

import pytest
from shared import shared

from reporter.checks.authoring import check_faults
from reporter.checks.evaluate import EVALUATORS, evaluate
from reporter.checks.evidence import evidence_of_wire

pytestmark = pytest.mark.shared
Json = dict[str, Any]
NEWER, OLDER = "predicates-parity-fixtures.json", "predicates-parity-fixtures.6d550c0.json"
ROWS = {(NEWER, "accept"): 98, (NEWER, "reject"): 76, (OLDER, "accept"): 29, (OLDER, "reject"): 32}
FILES, OBSERVATIONS = 25, 81
COUNTS = {"pass": 50, "fail": 26, "error": 5}


def rows(file: str, kind: str) -> list[Json]:
    found: list[Json] = json.loads(shared("oracle", "checks", file).read_text("utf-8"))[kind]
    return found


def corpus() -> list[Json]:
    folder = shared("oracle", "checks", "uvc-corpus")
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]


def observations() -> list[tuple[Json, Json]]:
    return [(item, expected) for item in corpus() for expected in item["expect"]]


def every(kind: str) -> pytest.MarkDecorator:
    files = [file for file, own in ROWS if own == kind]
    return pytest.mark.parametrize(
        ("file", "at"), [(file, at) for file in files for at in range(ROWS[file, kind])]
    )


@pytest.mark.parametrize(("file", "kind"), ROWS)
def test_no_row_is_skipped(file: str, kind: str) -> None:
    assert len(rows(file, kind)) == ROWS[file, kind]


def test_no_transcript_is_skipped() -> None:
    assert len(corpus()) == FILES
    assert len(observations()) == OBSERVATIONS
    found = [expected["observation"] for _, expected in observations()]
    assert {state: found.count(state) for state in COUNTS} == COUNTS


@pytest.mark.parametrize(
    ("file", "at"), [(f, n) for f in (NEWER, OLDER) for n in range(ROWS[f, "accept"])]
)
def test_a_check_that_may_be_written(file: str, at: int) -> None:
    row = rows(file, "accept")[at]
    assert check_faults(row["value"]) == [], row["label"]


@pytest.mark.parametrize(
    ("file", "at"), [(f, n) for f in (NEWER, OLDER) for n in range(ROWS[f, "reject"])]
)
def test_a_check_that_is_refused(file: str, at: int) -> None:
    row = rows(file, "reject")[at]
    assert check_faults(row["value"]) != [], row["label"]


@pytest.mark.parametrize("at", range(OBSERVATIONS))
def test_what_a_check_reports(at: int) -> None:
    item, expected = observations()[at]
    found = evaluate(expected["predicate"], evidence_of_wire(item["transcript"]))
    assert found.state == expected["observation"], (item["id"], expected, found.reason)


def test_what_does_not_fire_is_neutral() -> None:
    for _, expected in observations():
        if expected["observation"] != "fail":
            assert expected["relevance"] == "neutral"


def test_every_kind_is_implemented() -> None:
    assert len(EVALUATORS) == 36


def test_a_corrupted_transcript_is_noticed() -> None:
    moved = 0
    for item, expected in observations():
        broken = copy.deepcopy(item["transcript"])
        broken["toolCalls"] = []
        broken["toolErrors"] = [{"kind": "content-error"}]
        broken["finalAssistantMessage"] = "Shall I?"
        found = evaluate(expected["predicate"], evidence_of_wire(broken))
        moved += found.state != expected["observation"]
    assert moved > OBSERVATIONS // 4


@pytest.mark.parametrize("file", [NEWER, OLDER])
def test_corrupted_rows_of_authors_are_noticed(file: str) -> None:
    for row in rows(file, "accept"):
        assert check_faults({**row["value"], "type": f"{row['value']['type']}s"})
        assert check_faults({**row["value"], "severity": "warm"})
    good = rows(file, "accept")[0]["value"]
    # What stands among the refused and is right would not be refused.
    assert check_faults(good) == []
