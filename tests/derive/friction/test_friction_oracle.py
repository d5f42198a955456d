"""The published friction documents, compared as their own notes say."""

import copy
import json
from collections.abc import Mapping
from typing import Any, Literal

import pytest
from shared import shared

from reporter.derive.friction_signals.document import friction_faults, friction_projection

pytestmark = pytest.mark.shared
Json = dict[str, Any]
Kind = Literal["accept", "reject", "roundTrip"]
ROWS: dict[Kind, int] = {"accept": 6, "reject": 12, "roundTrip": 1}


def bare(value: Any) -> Any:
    """A value without the keys that only annotate it, at every level."""
    if isinstance(value, Mapping):
        return {key: bare(item) for key, item in value.items() if not key.startswith("__")}
    return [bare(item) for item in value] if isinstance(value, list) else value


def rows(kind: Kind) -> list[Json]:
    path = shared("oracle", "friction", "friction-signals-fixtures.json")
    found: list[Json] = json.loads(path.read_text(encoding="utf-8"))[kind]
    return found


@pytest.mark.parametrize("kind", ROWS)
def test_no_row_is_skipped(kind: Kind) -> None:
    assert len(rows(kind)) == ROWS[kind]


@pytest.mark.parametrize("at", range(ROWS["accept"]))
def test_an_accepted_document_is_valid(at: int) -> None:
    document = bare(rows("accept")[at])
    assert friction_faults(document) == []
    assert friction_projection({"frictionSignals": document}) == {"frictionSignals": document}


@pytest.mark.parametrize("at", range(ROWS["reject"]))
def test_a_refused_document_is_refused(at: int) -> None:
    document = bare(rows("reject")[at])
    assert friction_faults(document) != [], rows("reject")[at]["__label"]
    assert friction_projection({"frictionSignals": document}) == {"frictionSignalsUnverified": True}


@pytest.mark.parametrize("at", range(ROWS["roundTrip"]))
def test_a_document_is_written_back_key_for_key(at: int) -> None:
    document = bare(rows("roundTrip")[at])
    assert friction_faults(document) == []
    assert json.loads(json.dumps(document)) == document


def test_a_corrupted_row_is_noticed() -> None:
    for document in map(bare, rows("accept")):
        broken = copy.deepcopy(document)
        broken["resultAvailableCount"] = broken["callCount"] + 1
        assert friction_faults(broken) != []
