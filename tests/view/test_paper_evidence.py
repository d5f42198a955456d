import pytest
from finding_waves import facts_of, failed_checks
from report_waves import report_of, wave_of

from reporter.view.evidence import Evidence, EvidenceLine, FindingLine
from reporter.view.paper_evidence import NAMED, WHOLE, brief_evidence
from reporter.vocabulary import Disposition


def evidence_of_sessions(count: int) -> Evidence:
    """What one run rests on that so many sessions tried without success."""
    facts = [
        facts_of(
            f"s{number:03}",
            Disposition.BLOCKED_BY_RESPONSE,
            session_index=number,
            **failed_checks("the date is named"),
        )
        for number in range(count)
    ]
    report = report_of(wave_of(facts))
    (block,) = report.goals.goals
    (run,) = block.runs
    return run.evidence


def lines(evidence: Evidence) -> list[EvidenceLine | FindingLine]:
    parts = (evidence.outcomes, evidence.checks, evidence.next_owner, evidence.signals)
    return [line for part in parts for line in part]


@pytest.mark.parametrize("count", [1, WHOLE])
def test_few_sessions_are_all_named(count: int) -> None:
    evidence = evidence_of_sessions(count)
    assert brief_evidence(evidence) == evidence
    assert not evidence.more_sessions
    assert all(not line.more for line in lines(evidence))


@pytest.mark.parametrize("count", [WHOLE + 1, 60])
def test_of_many_sessions_a_few_are_named_and_the_rest_is_counted(count: int) -> None:
    evidence = evidence_of_sessions(count)
    brief = brief_evidence(evidence)
    assert lines(brief)
    for line, whole in zip(lines(brief), lines(evidence), strict=True):
        assert line.links == whole.links[:NAMED]
        assert line.more == f"and {line.total - NAMED:,} more"
        assert line.total == whole.total
    assert len(brief.sessions) == NAMED
    assert brief.more_sessions == f"and {count - NAMED:,} more"
