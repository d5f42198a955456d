import json
from pathlib import Path
from typing import Any

import pytest
from builders import Json, manifest
from finding_waves import build, facts_of, idle, plan_for, signals
from report_waves import derived_from
from waves import write_folder

from reporter.findings.projection import dump_document, project
from reporter.findings.published import findings_differences
from reporter.vocabulary import Disposition, Signal

FACTS = [
    facts_of("s1", Disposition.GOAL_MISSED, **signals(Signal.TOOL_ERRORED)),
    facts_of("s2", session_index=1),
    idle("s3", session_index=2),
]
PLAN = plan_for(FACTS)
OWN = build(FACTS, PLAN)


def document() -> Json:
    whole: Json = json.loads(dump_document(project(OWN)[0]))
    return whole


def differences(published: Any) -> list[tuple[str, str, str]]:
    found = findings_differences(published, OWN, PLAN, FACTS, file="wave.json")
    assert all(one.severity == "note" and one.file == "wave.json" for one in found)
    return [(one.place, one.what, one.rule) for one in found]


def test_equal_findings_and_none_at_all_differ_nowhere() -> None:
    assert differences({}) == []
    assert differences({"findings": document()}) == []
    assert differences({"findings": {"journeyFindings": document()}}) == []


def test_every_difference_is_named_with_both_values() -> None:
    theirs = document()
    theirs["summaryKind"] = "landed"
    theirs["population"].update(graded=1)
    theirs["coverageNotes"] = ["toolCatalogMissing"]
    theirs["personas"][0].update(disposition="goalMet", tone="ok")
    theirs["personas"].append(
        {
            "persona": {"personaRefId": "p9", "name": "Zoe"},
            "disposition": "notRun",
            "tone": "muted",
            "goalRunIds": [],
        }
    )
    row = next(each for each in theirs["findings"] if each["id"].startswith("signal:"))
    row.update(verdictSeen="inconclusive", population={"count": 1, "total": 1, "unit": "sessions"})
    assert differences({"findings": theirs}) == [
        (f"published.findings.{place}", what, "published-findings-differ")
        for place, what in (
            ("summaryKind", "Published is landed, derived here broken."),
            ("population.graded", "Published is 1, derived here 2."),
            ("coverageNotes", "Published is toolCatalogMissing, which is not raised here."),
            ("coverageNotes", "Raised here is analysisUnavailable, which is not published."),
            ("personas[0].disposition", "Published is goalMet, derived here goalMissed."),
            ("personas[1]", "This persona is not in the recording."),
            (
                "findings[signal:toolErrored::r1:t1].verdictSeen",
                "Published is inconclusive, derived here failed.",
            ),
            (
                "findings[signal:toolErrored::r1:t1].population",
                "Published is 1 of 1, derived here 1 of 2.",
            ),
        )
    ]


def test_rules_that_published_findings_break_are_named_by_row() -> None:
    theirs = document()
    row = theirs["findings"][0]
    row.update(id="x", disposition="goalMet", tone="ok", sessionIds=["s9"])
    found = differences({"findings": theirs})
    assert {(place, what.split(":")[0], rule) for place, what, rule in found} == {
        ("published.findings.x", rule, "published-findings-break") for rule in ("S7", "A9")
    }


@pytest.mark.parametrize("theirs", [[], {"contractVersion": 2}, {"journeyFindings": None}, "text"])
def test_what_is_no_document_cannot_be_compared(theirs: Any) -> None:
    found = differences({"findings": theirs})
    assert found
    assert {rule for _, _, rule in found} == {"published-findings-unreadable"}
    assert all(what.startswith("It cannot be compared: ") for _, what, _ in found)


def test_a_wave_names_the_differences_and_keeps_its_own_findings(tmp_path: Path) -> None:
    theirs = document()
    folder = write_folder(tmp_path / "wave", manifest(published={"findings": theirs}))
    wave, _ = derived_from(folder)
    met = [one for one in wave.problems if one.rule.startswith("published-findings")]
    assert "published.findings.population.configured" in {one.place for one in met}
    assert wave.findings.population.configured == 1
    assert not [broken for broken in wave.violations if broken.checkable]
