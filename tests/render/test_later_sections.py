"""Sections whose numbers come later have their place: they show when their data does."""

from dataclasses import replace

from finding_waves import build, facts_of
from report_waves import nothing, parsed, published, report_of, wave_of

from reporter.render.html import render_html
from reporter.render.pdf import print_page
from reporter.view.checks import ChecksRow, ChecksView
from reporter.view.count import bar
from reporter.view.funnel import FunnelCell, FunnelRow, FunnelView

FUNNEL = FunnelView(
    lead="Rows share sessions and must not be added.",
    caption="1 of 3 sessions is left out: withdrawn.",
    key=(("ok", "ok", "passed"),),
    rows=(
        FunnelRow(
            "Selection",
            bar([("ok", 1), ("fail", 1)], "1 passed, 1 failed, of 2 sessions"),
            (FunnelCell("Reached", 2), FunnelCell("Failed", 1)),
        ),
    ),
)
CHECKS = ChecksView(
    lead="A link that nothing measures can never be seen to fail.",
    rows=(
        ChecksRow("Connection", (), "", "no check can be written"),
        ChecksRow("Selection", ("onlyToolsCalled",), "the goal judge", "2 of 2 sessions"),
    ),
)


def test_without_their_data_the_sections_are_not_there() -> None:
    report = report_of(published(build([facts_of()])))
    page = parsed("".join(render_html(report, nothing)))
    assert not {"funnel", "checks"} & set(page.ids())
    assert not {"funnel", "checks"} & {one.anchor for one in report.sections}


def test_with_their_data_they_stand_in_order_on_page_and_paper() -> None:
    report = replace(report_of(wave_of([facts_of()])), funnel=FUNNEL, checks=CHECKS)
    page = parsed("".join(render_html(report, nothing)))
    sections = [one.attributes.get("id") for one in page.named("section")]
    order = ["recorded", "funnel", "targets", "checks", "sessions"]
    assert [one for one in sections if one in order] == order
    assert {"#funnel", "#checks"} <= set(page.links())
    assert "no check can be written" in page.by_id("checks").text
    assert "1 of 3 sessions is left out: withdrawn." in page.by_id("funnel").text
    paper = parsed(print_page(report))
    assert {"funnel", "checks"} <= set(paper.ids())
    assert "no check can be written" in paper.text
