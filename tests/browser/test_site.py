"""A report with a page for each session, and pages whose style and scripts stand beside them."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from looking import fits, violations
from small_wave import SESSIONS, WAVE
from waves import session_lines, write_folder

from reporter.cli import main

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def wave(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sessions = {name: session_lines(records) for name, records in SESSIONS.items()}
    return write_folder(tmp_path_factory.mktemp("site") / "wave", WAVE, sessions)


def report(wave: Path, out: Path, *more: str) -> Path:
    arguments = ["report", str(wave), "-o", str(out), "--format", "html", *more]
    CliRunner().invoke(main, [*arguments, "--generated-at", "2026-03-12"])
    return out


@pytest.fixture(scope="module")
def site(wave: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return report(wave, tmp_path_factory.mktemp("whole"), "--layout", "site")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("page", ["index.html", "pages/s-s1.html"])
def test_every_page_of_a_site_is_quiet_accessible_and_fits(
    page: str, width: int, scheme: str, visit: Any, site: Path
) -> None:
    seen = visit(site / page, width=width, color_scheme=scheme)
    assert seen.requests == []
    assert seen.messages == []
    assert violations(seen.page) == []
    fits = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert seen.page.evaluate(fits)


def test_a_reader_goes_from_the_report_to_a_session_and_back(visit: Any, site: Path) -> None:
    page = visit(site / "index.html").page
    page.locator("#list").get_by_role("link", name="s1", exact=True).click()
    page.wait_for_url("**/pages/s-s1.html#session.s1")
    assert page.locator("h1").inner_text().startswith("s1")
    page.get_by_role("link", name="Back to the list of sessions").click()
    page.wait_for_url("**/index.html#session.s1")
    assert page.locator("tr:target").count() == 1


def test_a_cited_turn_leads_into_the_page_of_its_session(visit: Any, site: Path) -> None:
    page = visit(site / "index.html").page
    href = page.locator("a[href^='pages/'][href*='.call.']").first.get_attribute("href")
    assert href is not None
    file, _, fragment = href.partition("#")
    there = visit(site / file, fragment).page
    place = there.locator(f"[id='{fragment}']")
    assert -10 < place.evaluate("one => one.getBoundingClientRect().top") < 800


def test_a_page_of_a_session_is_whole_without_scripts(visit: Any, site: Path) -> None:
    with_scripts = visit(site / "pages/s-s1.html").page
    without = visit(site / "pages/s-s1.html", java_script_enabled=False).page
    text = "() => { const b = document.querySelector('main').cloneNode(true);"
    text += "b.querySelectorAll('.cls').forEach(e => e.remove()); return b.textContent }"
    assert without.evaluate(text) == with_scripts.evaluate(text)


@pytest.mark.parametrize("layout", ["single", "site"])
def test_split_pages_take_their_own_files_and_nothing_else(
    layout: str, wave: Path, tmp_path: Path, visit: Any
) -> None:
    out = report(wave, tmp_path, "--layout", layout, "--assets", "split")
    for path in [*out.glob("*.html"), *list(out.glob("pages/*.html"))[:1]]:
        seen = visit(path)
        own = [(out / "assets").as_uri() in request for request in seen.requests]
        assert own == [True] * 3
        assert seen.messages == []
        assert seen.page.get_by_label("Dark").count() == 1
        fonts = seen.page.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily")
        assert "Charter" in fonts or "Georgia" in fonts


@pytest.mark.parametrize("place", ["turn0", "m1", "call.c2", "check.held"])
def test_a_link_to_a_place_of_a_session_leads_from_the_report_to_its_page(
    place: str, visit: Any, site: Path
) -> None:
    page = visit(site / "index.html", f"session.s1.{place}").page
    page.wait_for_url(f"**/pages/s-s1.html#session.s1.{place}")
    assert page.locator(f"[id='session.s1.{place}']").evaluate("one => one.matches(':target')")


def test_a_link_to_a_session_leads_to_its_row_and_stays(visit: Any, site: Path) -> None:
    page = visit(site / "index.html", "session.s1").page
    page.wait_for_timeout(200)
    assert page.url.endswith("index.html#session.s1")
    assert page.locator("tr:target").count() == 1


def test_a_page_of_a_session_leads_back_to_its_goal(visit: Any, site: Path) -> None:
    page = visit(site / "pages/s-s1.html").page
    page.locator(".side > p a").click()
    page.wait_for_url("**/index.html#run.ana-hold")
    assert page.locator("[id='run.ana-hold']").evaluate("one => one.open")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("layout", ["single", "site"])
def test_split_pages_are_accessible_and_fit(
    layout: str, scheme: str, wave: Path, tmp_path: Path, visit: Any
) -> None:
    out = report(wave, tmp_path, "--layout", layout, "--assets", "split")
    for path in [*out.glob("*.html"), *list(out.glob("pages/*.html"))[:1]]:
        for width in (360, 1280):
            page = visit(path, width=width, color_scheme=scheme).page
            page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
            assert violations(page) == []
            assert fits(page)


def test_sessions_that_missed_their_goal_stand_one_behind_the_other(visit: Any, site: Path) -> None:
    page = visit(site / "index.html").page
    rows = "#list tr[data-k]:has(td:nth-child(2) > span.fail) th a"
    missed = page.locator(rows).evaluate_all("all => all.map(one => one.textContent)")
    walked = [missed[0]]
    page = visit(site / f"pages/s-{missed[0]}.html").page
    beside = page.get_by_role("navigation", name="Sessions that did not meet the goal")
    assert beside.locator("p").inner_text().startswith(f"Goal not met: 1 of {len(missed)} ")
    assert beside.locator("li").first.inner_text() == "None before it"
    while (onward := beside.get_by_role("link", name="Next not met")).count():
        walked.append(onward.inner_text().removeprefix("Next not met: "))
        onward.click()
    assert walked == missed


def test_a_wide_screen_begins_head_and_session_at_one_edge(visit: Any, site: Path) -> None:
    page = visit(site / "pages" / "s-s1.html", width=2000).page
    left = "one => one.getBoundingClientRect().left"
    edges = {page.locator(one).evaluate(left) for one in ("header", "main", ".side >> nth=0")}
    assert len(edges) == 1


def test_a_session_without_neighbours_names_none(visit: Any, site: Path) -> None:
    pages = sorted((site / "pages").glob("s-*.html"))
    steps = [visit(one).page.locator("nav[aria-label='Other sessions']") for one in pages]
    assert {one.get_by_role("link").count() for one in steps if one.count()} <= {1, 2}
