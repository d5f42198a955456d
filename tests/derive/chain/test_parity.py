import copy
import json
from typing import Any

import pytest
from shared import shared

from reporter.derive.chain import derive_chain
from reporter.derive.chain.wire import chain_input_from_wire

pytestmark = pytest.mark.shared

NUMBERS = range(1, 20)


def oracle_record(number: int) -> dict[str, Any]:
    path = shared("oracle", "chain", "parity-v1", f"iteration-{number:04}.json")
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def differences(record: dict[str, Any]) -> list[str]:
    """Every place where the derivation says something else than the record."""
    chain = derive_chain(chain_input_from_wire(record))
    expected = record["recorded"]
    rows = [row.to_wire() for row in chain.rows]
    found = [
        f"row {index}: {row} is not {want}"
        for index, (row, want) in enumerate(zip(rows, expected["stageResults"], strict=True))
        if row != want or list(row) != list(want)
    ]
    for key, value in (
        ("firstFailedStage", chain.first_failed_stage),
        ("failureCategory", chain.failure_category),
    ):
        if value != expected.get(key):
            found.append(f"{key}: {value} is not {expected.get(key)}")
    return found


@pytest.mark.parametrize("number", NUMBERS)
def test_a_recorded_derivation_is_reproduced_row_by_row(number: int) -> None:
    assert differences(oracle_record(number)) == []


def test_the_oracle_holds_nineteen_records_of_six_rows() -> None:
    folder = shared("oracle", "chain", "parity-v1")
    manifest = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))
    on_disk = sorted(path.name for path in folder.glob("iteration-*.json"))
    assert on_disk == sorted(entry["path"] for entry in manifest["files"])
    assert on_disk == [f"iteration-{number:04}.json" for number in NUMBERS]
    rows = sum(len(oracle_record(number)["recorded"]["stageResults"]) for number in NUMBERS)
    assert rows == 114


@pytest.mark.parametrize("number", NUMBERS)
def test_a_corrupted_record_is_caught(number: int) -> None:
    whole = oracle_record(number)
    for index, row in enumerate(whole["recorded"]["stageResults"]):
        broken = copy.deepcopy(whole)
        other = "failed" if row["state"] != "failed" else "passed"
        broken["recorded"]["stageResults"][index]["state"] = other
        assert any(text.startswith(f"row {index}:") for text in differences(broken))
        widened = copy.deepcopy(whole)
        widened["recorded"]["stageResults"][index].setdefault("evidence", {})["spanIds"] = ["x"]
        assert any(text.startswith(f"row {index}:") for text in differences(widened))
    relabelled = copy.deepcopy(whole)
    relabelled["recorded"]["failureCategory"] = "metadata"
    assert any(text.startswith("failureCategory") for text in differences(relabelled))
