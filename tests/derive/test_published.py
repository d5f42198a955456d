from pathlib import Path
from typing import Any

import pytest
from builders import Json, assistant, manifest, slot, user
from session_cases import chain_record, facts_of, judged, planned
from waves import session_lines, write_folder

from reporter.derive.published import published_differences
from reporter.pipeline.check import check_source

DERIVED = ("notMeasured",) * 5
DIFFERS = "The published chain differs from the session's: "


def stored(*states: str) -> Json:
    record = chain_record(*states)
    return {"analyzerVersion": record["analyzerVersion"], "stages": record["stages"]}


CASES: list[tuple[str, Any, list[str]]] = [
    ("nothing", {}, []),
    ("no object", 3, []),
    ("a verdict of no form", {"verdict": "passed"}, []),
    ("the same verdict", {"verdict": {"verdict": "passed", "reason": "judgePassed"}}, []),
    (
        "another verdict",
        {"verdict": {"verdict": "failed", "reason": "judgeFailed"}},
        [
            'Published is the verdict "failed", derived here "passed".',
            'Published is the reason "judgeFailed", derived here "judgePassed".',
        ],
    ),
    ("the same chain", {"chain": stored(*DERIVED, "passed")}, []),
    (
        "another chain",
        {"chain": stored(*DERIVED, "failed")},
        [
            DIFFERS + "userValue is failed, derived passed (judgeObserved).",
        ],
    ),
    (
        "another chain in stored form",
        {
            "chain": {
                "stageResults": stored("passed", *DERIVED[1:], "passed")["stages"],
                "stageAnalyzerVersion": 11,
            }
        },
        [
            DIFFERS + "connection is passed, derived notMeasured (noEvidenceCaptured).",
        ],
    ),
    (
        "a chain that is none",
        {"chain": {"analyzerVersion": 11, "stages": []}},
        ["The published chain cannot be compared: stages is not a list of exactly 6 stage rows."],
    ),
]


@pytest.mark.parametrize(
    ("said", "expected"), [pytest.param(*row, id=name) for name, *row in CASES]
)
def test_what_was_published_of_a_session_is_compared(said: Any, expected: list[str]) -> None:
    facts = facts_of(user(), assistant(), judged())
    found = published_differences(
        {"sessions": {"s1": said}}, [facts], [planned()], file="wave.json"
    )
    assert [one.what for one in found] == expected
    assert {one.severity for one in found} <= {"note"}


def test_a_published_chain_of_a_session_that_never_started_differs() -> None:
    facts = facts_of(present=False, slot=planned(recorded=False))
    published = {"sessions": {"s1": {"chain": stored(*DERIVED, "passed")}}}
    found = published_differences(published, [facts], [planned()], file="wave.json")
    assert [one.rule for one in found] == ["published-chain-differs"]


def test_a_published_word_is_found_by_either_name_and_changes_nothing(tmp_path: Path) -> None:
    whole = manifest(
        slots=[slot(documentId="d1")],
        published={"sessions": {"d1": {"verdict": {"verdict": "passed"}}, "s2": None}},
    )
    folder = write_folder(tmp_path / "wave", whole, {"s1": session_lines([user(), assistant()])})
    assert [(one.rule, one.file, one.place, one.session_id) for one in check_source(folder)] == [
        ("published-verdict-differs", "wave.json", 'published.sessions["d1"].verdict', "s1")
    ]


def test_sessions_of_no_form_are_left_alone() -> None:
    assert published_differences({"sessions": []}, [], [], file="wave.json") == []
