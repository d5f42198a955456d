from typing import Any

import pytest
from finding_waves import build, chain, facts_of, reported, rows_of

from reporter.findings.text import utf16_length
from reporter.models.facts import JudgeFact, SelfReportFact
from reporter.models.finding import Finding
from reporter.vocabulary import (
    Basis,
    CoverageNote,
    Disposition,
    ReadState,
    ScopeLevel,
    Stage,
    StageState,
    Tone,
    Verdict,
)

D = Disposition
BOOK = "\U0001f4d6"


def report(**more: Any) -> Finding | None:
    rows = rows_of(build([facts_of("s1", D.GOAL_MISSED, **{**reported(), **more})]), 4)
    return rows[0].finding if rows else None


def test_a_report_is_one_session_in_two_voices() -> None:
    finding = report(chain=chain(Stage.CALL), last_assistant_index=7)
    assert finding is not None
    assert finding.id == "session:s1"
    assert (finding.basis, finding.scope_level) == (Basis.SESSION_REPORT, ScopeLevel.SESSION)
    assert (finding.population.count, finding.population.total) == (1, 1)
    assert finding.session_ids == ["s1"]
    assert finding.citations == ["s1/m:7"]
    assert finding.report_excerpt is not None
    assert finding.report_excerpt.actual == "It was refused."
    assert finding.report_excerpt.account == "I gave up."
    assert finding.report_excerpt.citations == ["s1/m:7"]
    assert (finding.disposition, finding.tone) == (D.GOAL_MISSED, Tone.FAIL)
    assert finding.verdict_seen is Verdict.FAILED
    assert (finding.chain_stage, finding.chain_stage_state) == (Stage.CALL, StageState.FAILED)
    assert finding.outcome_phrase is None
    assert finding.mechanism_id is None


@pytest.mark.parametrize(
    "missing",
    [
        pytest.param({"report": None}, id="no self-report"),
        pytest.param({"report": SelfReportFact(" \n\u00a0")}, id="blank account"),
        pytest.param({"judge": None}, id="no judge"),
        pytest.param({"judge": JudgeFact("completed", passed=True)}, id="no reason"),
        pytest.param({"judge": JudgeFact("completed", reason=" \n ")}, id="blank reason"),
        pytest.param({"judge": JudgeFact("completed", reason="x" * 1801)}, id="reason too long"),
        pytest.param(
            {"judge": JudgeFact("completed", reason=BOOK * 901)}, id="too long in code units"
        ),
        pytest.param({"last_assistant_index": None}, id="no assistant message"),
        pytest.param({"read_state": ReadState.TRANSCRIPT_MISSING}, id="not read"),
    ],
)
def test_no_report_without_both_voices_and_a_turn_to_cite(missing: dict[str, Any]) -> None:
    assert report(**missing) is None


@pytest.mark.parametrize(
    ("reason", "actual"),
    [
        ("  It was\r\n\trefused. \u2028 Twice. ", "It was refused. Twice."),
        ("x" * 1800, "x" * 1800),
        (BOOK * 900, BOOK * 900),
        (" " * 1000 + "x" * 1800, "x" * 1800),
    ],
)
def test_the_judges_reason_is_folded_to_one_line(reason: str, actual: str) -> None:
    finding = report(judge=JudgeFact("completed", reason=reason))
    assert finding is not None
    assert finding.report_excerpt is not None
    assert finding.report_excerpt.actual == actual


@pytest.mark.parametrize(
    ("account", "kept"),
    [
        ("  verbatim\n\nkept  \n", "verbatim\n\nkept"),
        ("y" * 600, "y" * 600),
        ("y" * 601, "y" * 600),
        (BOOK * 301, BOOK * 300),
        ("y" + BOOK * 300, "y" + BOOK * 299),
        ("y" * 599 + ". Then", "y" * 599 + "."),
        ("y" * 600 + ". Then", "y" * 600),
        ("Done. " + "y" * 600, "Done."),
        ("word " * 200, ("word " * 120).strip()),
    ],
)
def test_an_account_is_kept_verbatim_and_cut_at_a_sentence(account: str, kept: str) -> None:
    finding = report(report=SelfReportFact(account))
    assert finding is not None
    assert finding.report_excerpt is not None
    assert finding.report_excerpt.account == kept
    assert utf16_length(kept) <= 600


def test_a_failed_judge_with_a_reason_is_still_a_voice() -> None:
    finding = report(judge=JudgeFact("failed", reason="It broke."))
    assert finding is not None


def test_reports_carry_their_own_notes_and_stand_by_session_id() -> None:
    facts = [
        facts_of("s9", run_id="r1", **reported()),
        facts_of("s1", run_id="r2", persona_name="Zoe", **reported(), chain=None),
        facts_of("s5", run_id="r1", **reported()),
    ]
    rows = rows_of(build(facts), 4)
    assert [row.finding.id for row in rows] == ["session:s1", "session:s5", "session:s9"]
    assert [row.finding.coverage_notes for row in rows] == [[CoverageNote.CHAIN_UNMEASURED], [], []]
