from typing import Any

from finding_waves import facts_of
from model_waves import with_mechanism
from report_waves import page_of, published, wave_of

from reporter.findings.projection import project
from reporter.models.wave import DerivedWave
from reporter.view.published import SHOWN, published_view
from reporter.vocabulary import Disposition

FACTS = [facts_of("s1", Disposition.GOAL_MISSED), facts_of("s2", session_index=1)]
INSIGHT = {
    "title": "lend_book refuses a title",
    "recommendation": "Say in the description that it takes an id.",
    "actionTarget": "mcp_server",
    "actionability": "ready",
    "affected": {"count": 1, "total": 6, "unit": "sessions"},
}


def wave(**said: Any) -> DerivedWave:
    return wave_of(FACTS, published=said)


def document() -> Any:
    return project(with_mechanism(*FACTS))[0]


def test_a_source_that_published_nothing_has_no_such_part() -> None:
    assert published_view(wave()) is None
    assert published_view(wave(decision={"verdict": "passed"})) is None
    assert published_view(wave(findings={"odd": 1}, insights=7)) is None
    # Of a document without its recording the whole report is what was published.
    assert published_view(published(with_mechanism(*FACTS))) is None


def test_causes_stand_with_their_counts_and_their_fix() -> None:
    view = published_view(wave(findings=document()))
    assert view is not None
    assert view.summary.startswith("Goals blocked: 2 sessions configured, 2 started")
    (row,) = view.rows
    assert row.kind == "Cause, in 1 session"
    assert row.words.text == "No tool is named for rooms."
    assert row.fix.text == "Say room in the name."


def test_a_suggestion_is_a_fix_only_where_it_is_the_servers_and_ready() -> None:
    other = {**INSIGHT, "actionability": "needs_review"}
    broken = [{"title": ""}, 7, {"title": "Bare", "affected": {"count": "1"}}]
    view = published_view(wave(insights={"findings": [INSIGHT, other, *broken]}))
    assert view is not None
    assert view.summary == ""
    assert [(row.kind, row.fix.text) for row in view.rows] == [
        ("Insight, in 1 of 6 sessions", INSIGHT["recommendation"]),
        ("Insight, in 1 of 6 sessions", ""),
        ("Insight", ""),
    ]


def test_what_is_too_much_is_counted() -> None:
    view = published_view(wave(insights={"findings": [INSIGHT] * (SHOWN + 3)}))
    assert view is not None
    assert (len(view.rows), view.more) == (SHOWN, "3 more not shown.")


def test_the_page_marks_the_publishers_words() -> None:
    page = page_of(wave(findings=document(), insights={"findings": [INSIGHT]}))
    part = page[page.index("What the source published itself") :]
    assert "words: “</span>lend_book refuses a title" in part
    assert "No tool is named for rooms" in part
