import copy
from typing import Any

from finding_waves import document_of, facts_of, failed_checks, reported

from reporter.findings.compaction import compact
from reporter.findings.text import utf16_length
from reporter.models.facts import JudgeFact, SelfReportFact
from reporter.vocabulary import Disposition


def wave() -> dict[str, Any]:
    facts = [
        facts_of(
            f"s{n:02}",
            Disposition.GOAL_MISSED,
            run_id=f"r{n % 7}",
            **{
                **reported(),
                "report": SelfReportFact("word " * 110),
                "judge": JudgeFact("completed", reason="x" * 900),
            },
            **failed_checks("c1", "c2"),
        )
        for n in range(42)
    ]
    document: dict[str, Any] = document_of(facts)
    return document


def test_eight_findings_stay_and_the_rest_is_counted() -> None:
    document = wave()
    short = compact(document)
    assert len(short["findings"]) == 8
    assert short["omittedFindings"] == len(document["findings"]) - 8
    assert short["population"] == document["population"]
    assert short["personas"] == document["personas"]


def test_rows_keep_five_sessions_and_two_citations_and_the_rest_is_counted() -> None:
    document = wave()
    short = compact(document)
    assert all(len(row["sessionIds"]) <= 5 for row in short["findings"])
    assert all(len(row["citations"]) <= 2 for row in short["findings"])
    # Seven goals of six sessions with two citations each, and one report that is whole.
    assert short["omittedEvidence"] == 7 * (1 + 10)


def test_excerpts_end_at_a_word_or_are_cut_hard() -> None:
    (report,) = [row for row in compact(wave())["findings"] if row["basis"] == "sessionReport"]
    account, actual = report["reportExcerpt"]["account"], report["reportExcerpt"]["actual"]
    assert account == ("word " * 80).rstrip() + "…"
    assert actual == "x" * 399 + "…"
    assert utf16_length(actual) == 400


def test_verified_explanations_come_first_whatever_their_place() -> None:
    document = wave()
    mechanism = {**document["findings"][-1], "id": "m", "basis": "verifiedMechanism"}
    document["findings"].append(mechanism)
    assert compact(document)["findings"][0]["id"] == "m"


def test_the_document_itself_is_left_alone() -> None:
    document = wave()
    before = copy.deepcopy(document)
    compact(document)
    assert document == before


def test_a_small_document_loses_nothing() -> None:
    document = document_of([facts_of("s1")])
    assert compact(document) == {**document, "omittedFindings": 0, "omittedEvidence": 0}
