import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from finding_waves import (
    build,
    document_of,
    facts_of,
    failed_checks,
    idle,
    plan_for,
    reported,
    signals,
)
from shared import shared

from reporter.findings.projection import dump_document, project
from reporter.findings.scope import check_document
from reporter.models.facts import SessionFacts
from reporter.vocabulary import Disposition, Lifecycle, Signal, Tone

D = Disposition


def list_of(row: dict[str, Any]) -> int:
    kinds = {"goal": 2, "signal": 3, "session": 4, "persona": 5, "target": 5, "wave": 5}
    return kinds[row["id"].split(":", 1)[0]]


def large(goals: int = 120) -> list[SessionFacts]:
    """A wave with every list that needs no model, and more rows than the wire takes."""
    words = [D.GOAL_MET, D.GOAL_MISSED, D.GOAL_MET_WITH_FRICTION, D.BLOCKED_CALLING_TOOL]
    facts = []
    for number in range(goals):
        place = {"run_id": f"r{number:03}", "target_id": f"t{number % 2}"}
        if number % 6 == 5:
            facts.append(idle(f"s{number:03}", Lifecycle.LIMITED, **place))
            continue
        more: dict[str, Any] = signals(Signal.TOOL_ERRORED) if number % 6 == 1 else {}
        if number % 3:
            more |= reported()
        facts.append(facts_of(f"s{number:03}", words[number % 4], **place, **more))
    return facts


def test_two_hundred_rows_are_kept_in_the_order_of_their_worth() -> None:
    facts = large()
    findings = build(facts)
    assert len(findings.rows) > 200
    document, left_out = project(findings)
    rows = document["findings"]
    assert len(rows) == 200
    lists = [list_of(row) for row in rows]
    assert lists == sorted(lists)
    kept = Counter(lists)
    assert sum(left_out.values()) == len(findings.rows) - 200
    assert {n: kept[n] + left_out.get(n, 0) for n in (2, 3, 4, 5)} == dict(
        Counter(row.order for row in findings.rows)
    )
    # Every fail and warn goal, every signal, wider fact and report is kept before a muted goal.
    tones = Counter(row["tone"] for row in rows if list_of(row) == 2)
    whole = Counter(row.finding.tone for row in findings.rows if row.order == 2)
    assert (tones["fail"], tones["warn"]) == (whole[Tone.FAIL], whole[Tone.WARN])
    assert set(left_out) == {2}
    assert tones["muted"] + tones["ok"] < whole[Tone.MUTED] + whole[Tone.OK]
    assert tones["muted"] == whole[Tone.MUTED] or tones["ok"] == 0
    assert check_document(document, plan_for(facts), facts) == ()
    assert document["population"]["configured"] == 120
    assert [each["disposition"] for each in document["personas"]] == ["blockedCallingTool"]


@pytest.mark.parametrize(
    ("counts", "left_out"),
    [
        # Goals by word: blocked, missed, friction, muted, met; then reports among the met.
        ((200, 1, 0, 0, 0, 0), {2: 1, 5: 1}),
        ((0, 200, 1, 0, 0, 0), {2: 1, 5: 1}),
        ((1, 0, 199, 0, 1, 0), {2: 1, 5: 1}),
        ((1, 0, 100, 2, 100, 90), {2: 94}),
        ((0, 0, 100, 0, 120, 110), {4: 10, 2: 120}),
        ((1, 0, 100, 0, 120, 110), {4: 12, 2: 120}),
        ((0, 0, 0, 150, 60, 0), {2: 10}),
        ((0, 0, 0, 40, 160, 0), {}),
    ],
)
def test_what_is_left_out_is_what_matters_least(
    counts: tuple[int, ...], left_out: dict[int, int]
) -> None:
    blocked, missed, friction, muted, met, reports = counts
    words = (
        [D.BLOCKED_BY_RESPONSE] * blocked
        + [D.GOAL_MISSED] * missed
        + [D.GOAL_MET_WITH_FRICTION] * friction
        + [D.NOT_MEASURED] * muted
        + [D.GOAL_MET] * met
    )
    facts = [
        facts_of(
            f"s{n:03}",
            word,
            run_id=f"r{n:03}",
            **(reported() if word is D.GOAL_MET and n >= len(words) - reports else {}),
        )
        for n, word in enumerate(words)
    ]
    document, found = project(build(facts))
    assert found == left_out
    assert len(document["findings"]) == min(200, sum(left_out.values()) + len(document["findings"]))


def test_within_a_tone_the_earliest_broken_link_is_kept_first() -> None:
    facts = [
        facts_of(f"s{n:03}", D.GOAL_MISSED if n < 150 else D.LOST_FINDING_TOOL, run_id=f"r{n:03}")
        for n in range(300)
    ]
    rows = document_of(facts)["findings"]
    assert Counter(row["disposition"] for row in rows) == {
        "lostFindingTool": 150,
        "goalMissed": 50,
    }
    kept = [row["goal"]["runId"] for row in rows]
    assert kept == [f"r{n:03}" for n in [*range(50), *range(150, 300)]]


def test_a_row_keeps_a_thousand_sessions_and_thirty_citations() -> None:
    facts = [
        facts_of(f"s{n:04}", D.GOAL_MISSED, **(failed_checks("c1") if n % 100 == 0 else {}))
        for n in range(1001)
    ]
    (row,) = document_of(facts)["findings"]
    assert len(row["sessionIds"]) == 1000
    assert row["population"]["count"] == 1001
    # The session that the cap left out is cited in the full set and not on the wire.
    assert "s1000/c:c1" in build(facts).rows[0].finding.citations
    assert row["citations"] == [f"s{n:04}/c:c1" for n in range(0, 1000, 100)]
    many = [facts_of(f"s{n:04}", D.GOAL_MISSED, **failed_checks("c1")) for n in range(31)]
    assert document_of(many)["findings"][0]["citations"] == [f"s{n:04}/c:c1" for n in range(30)]
    assert len(build(many).rows[0].finding.citations) == 31


def test_the_bytes_follow_one_layout() -> None:
    document = document_of([facts_of("s1", goal_title='Ångström "a/b"\u2028\t' + chr(0x1F4D6))])
    text = dump_document(document)
    assert text.endswith("}\n")
    assert not text.endswith("\n\n")
    assert json.loads(text) == document
    assert 'Ångström \\"a/b\\"\u2028\\t\U0001f4d6' in text
    assert '\n  "coverageNotes": [],\n' in text
    keys = [line.strip().split('"')[1] for line in text.split("\n") if line.startswith('  "')]
    assert keys == sorted(keys)
    assert dump_document(dict(reversed(document.items()))) == text


def test_half_a_character_is_escaped_so_that_the_file_is_utf8() -> None:
    document = document_of([facts_of("s1", goal_title="a\ud800b\ud83d\udcd6c")])
    text = dump_document(document)
    assert text.encode()
    assert "a\\ud800b\U0001f4d6c" in text


def test_no_number_but_json_numbers() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        dump_document({"a": float("nan")})


def test_no_model_no_claim_of_one() -> None:
    document = document_of([facts_of("s1")])
    assert document["extractionModel"] == document["reasoningModel"] == ""
    assert document["disclosure"] == {"rail": "gateway", "evidenceSent": []}
    assert document["pipelineVersion"] == document["extractionVersion"] == 1
    assert "verification" not in document


@pytest.mark.shared
@pytest.mark.parametrize(
    "facts",
    [
        pytest.param([], id="nothing planned"),
        pytest.param([idle("s1")], id="nothing started"),
        pytest.param(large(30), id="small"),
        pytest.param(large(), id="large"),
    ],
)
def test_an_independent_reader_accepts_what_is_written(
    facts: list[SessionFacts], tmp_path: Path
) -> None:
    path = tmp_path / "findings.json"
    path.write_text(dump_document(document_of(facts)), encoding="utf-8")
    check = shared("tools", "wire_check.py")
    done = subprocess.run(
        [sys.executable, str(check), str(path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "1 document(s) hold\n")


@pytest.mark.shared
def test_the_independent_reader_is_not_asleep(tmp_path: Path) -> None:
    document = document_of(large(30))
    document["population"]["read"] += 1
    path = tmp_path / "findings.json"
    path.write_text(dump_document(document), encoding="utf-8")
    check = shared("tools", "wire_check.py")
    done = subprocess.run(
        [sys.executable, str(check), str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "A1" in done.stdout
