"""The list as somebody filtered and ordered it, followed over the pages that sessions have."""

from pathlib import Path
from typing import Any

import pytest
from long_wave import dense_facts, dense_records
from looking import fits, violations
from report_waves import derived_from, transcripts_of, wave_of, write_site
from small_wave import SESSIONS, WAVE
from waves import session_lines, write_folder

pytestmark = pytest.mark.browser

LIST = "Your list"
ASKED = "disp=not%20met&order=errors"
OUT = "#sessions .filt output"
TARGET = "() => (document.querySelector(':target') || {}).id"


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page that is built whole and one that waits, each with a page for every session."""
    folder = tmp_path_factory.mktemp("sites")
    sessions = {name: session_lines(records) for name, records in SESSIONS.items()}
    small, transcripts = derived_from(write_folder(folder / "wave", WAVE, sessions))
    made = {
        "short": (small, transcripts),
        "long": (wave_of(dense_facts()), transcripts_of(dense_records())),
    }
    for name, (wave, read) in made.items():
        write_site(wave, read, folder / name)
    return {name: folder / name for name in made}


def rows(page: Any) -> Any:
    return page.locator("#list tr[data-k]:not([hidden]) th a")


def bar(page: Any) -> Any:
    return page.get_by_role("navigation", name=LIST)


def step(page: Any, word: str) -> None:
    before = page.url
    bar(page).get_by_role("link", name=f"{word} in your list").click()
    page.wait_for_url(lambda url: url != before and "/pages/" in url, wait_until="load")


def walk(page: Any, number: int) -> list[str]:
    seen = [page.locator("h1").inner_text().split()[0]]
    for _ in range(number - 1):
        step(page, "Next")
        seen.append(page.locator("h1").inner_text().split()[0])
    return seen


@pytest.mark.parametrize(
    ("name", "fragment", "number"),
    [("short", "order=outcome", 5), ("short", "disp=not%20met", 2), ("long", "persona=Ben", 4)],
)
def test_next_follows_the_list_as_it_was_filtered_and_ordered(
    name: str, fragment: str, number: int, visit: Any, sites: dict[str, Path]
) -> None:
    seen = visit(sites[name] / "index.html", f"sessions?{fragment}")
    page = seen.page
    page.locator(OUT).filter(has_text="Showing").wait_for()
    listed = rows(page).all_inner_texts()
    rows(page).first.click()
    page.wait_for_url("**/pages/**")
    total = 60 if name == "long" else len(listed)
    assert bar(page).inner_text().startswith(f"1 of {total} in your list.")
    assert bar(page).get_by_text("None before it").count() == 1
    assert walk(page, number) == listed[:number]
    assert bar(page).inner_text().startswith(f"{number} of {total} in your list.")
    assert bar(page).get_by_text("None after it").count() == (number == total)
    # The plan's own neighbours would only lead out of it.
    assert page.locator("nav.steps:visible").count() == 1
    step(page, "Previous")
    assert page.locator("h1").inner_text().split()[0] == listed[number - 2]
    assert [one for one in seen.requests if "/pages/" not in one and "index.html" not in one] == []
    assert seen.messages == []


@pytest.mark.parametrize("name", ["short", "long"])
def test_the_way_back_leads_to_the_row_in_the_list_as_it_was(
    name: str, visit: Any, sites: dict[str, Path]
) -> None:
    page = visit(sites[name] / "index.html", "sessions?order=outcome").page
    if name == "long":
        page.get_by_role("button", name="Show 20 more of 20").click()
    listed = rows(page).all_inner_texts()
    rows(page).nth(-2).click()
    page.wait_for_url("**/pages/**")
    step(page, "Next")
    bar(page).get_by_role("link", name="Back to it").click()
    page.wait_for_url("**/index.html#sessions?order=outcome&at=session.**")
    page.wait_for_function(f"() => document.activeElement.textContent === '{listed[-1]}'")
    assert page.locator(OUT).inner_text().endswith("worst outcome first")
    box = page.evaluate("document.activeElement.getBoundingClientRect().top")
    assert 0 < box < 800
    # The footer and the head of the page know the same way.
    page.go_back()
    page.get_by_role("link", name="Back to the list of sessions").click()
    page.wait_for_url("**/index.html#sessions?order=outcome&at=session.**")


def test_a_page_that_was_opened_elsewhere_asks_the_report_for_the_next(
    visit: Any, sites: dict[str, Path]
) -> None:
    page = visit(sites["short"] / "index.html", "sessions?order=outcome").page
    listed = rows(page).all_inner_texts()
    href = rows(page).nth(1).get_attribute("href")
    file, _, fragment = href.partition("#")
    seen = visit(sites["short"] / file, fragment)
    onward = bar(seen.page).get_by_role("link", name="Next in your list")
    assert onward.get_attribute("href").startswith("../index.html#step?order=outcome&from=")
    assert walk(seen.page, 2) == listed[1:3]
    # From here on the list is known in this window, and no detour is made.
    assert onward.get_attribute("href").startswith("s-")
    assert bar(seen.page).inner_text().startswith("3 of 5 in your list.")
    seen.page.go_back()
    assert seen.page.locator("h1").inner_text().split()[0] == listed[1]
    assert seen.messages == []


def test_the_list_goes_with_a_link_to_a_turn(visit: Any, sites: dict[str, Path]) -> None:
    page = visit(sites["short"] / "index.html", f"sessions?{ASKED}").page
    rows(page).first.click()
    page.wait_for_url("**/pages/**")
    page.locator(".play a.no").nth(1).click()
    page.wait_for_url(f"**.call.c1?{ASKED}&n=1&of=2&list=*")
    assert page.evaluate(TARGET).endswith(".call.c1")
    file, _, fragment = page.url.partition("#")
    there = visit(sites["short"] / "pages" / file.rsplit("/", 1)[1], fragment).page
    there.wait_for_function("() => document.querySelector(':target')")
    assert there.evaluate(TARGET).endswith(".call.c1")
    assert there.url == page.url
    assert bar(there).inner_text().startswith("1 of 2 in your list.")


def test_what_another_report_numbered_is_not_said_of_this_one(
    visit: Any, sites: dict[str, Path]
) -> None:
    path = sites["short"] / "pages/s-s1.html"
    for junk in ("n=2&of=9&list=00000000", "n=9&of=2&list=x", "", "n=1&of=2&list=<b>"):
        page = visit(path, f"session.s1?{ASKED}&{junk}").page
        assert bar(page).inner_text().startswith("In your list.")
        assert "00000000" not in page.locator("main").inner_text()
    assert visit(path, "session.s1").page.get_by_role("navigation", name=LIST).count() == 0


def test_nothing_that_another_page_left_is_followed(visit: Any, sites: dict[str, Path]) -> None:
    page = visit(sites["short"] / "pages/s-s1.html").page
    edition = page.locator("main").get_attribute("data-list")
    page.evaluate(
        """edition => sessionStorage.setItem("swarm-list", JSON.stringify({edition: edition,
        asked: "disp=not%20met&order=errors", pages: ["s-s1.html#session.s1", "javascript:1"]}))""",
        edition,
    )
    # Another page in between: a reload right behind a new fragment overtakes what that starts.
    uri = page.url
    page.goto("about:blank")
    page.goto(f"{uri}#session.s1?{ASKED}")
    href = bar(page).get_by_role("link", name="Next in your list").get_attribute("href")
    assert href == f"../index.html#step?{ASKED}&from=session.s1&by=1"


def test_a_step_that_leads_nowhere_leads_to_the_list(visit: Any, sites: dict[str, Path]) -> None:
    page = visit(sites["short"] / "index.html", f"step?{ASKED}&from=session.s5&by=1").page
    page.wait_for_url(f"**/index.html#sessions?{ASKED}&at=session.s5")
    assert page.locator(OUT).inner_text().startswith("Showing 2 of 5 sessions")
    assert page.evaluate("document.activeElement.textContent") == "s5"


def test_rows_lead_to_plain_pages_again_when_nothing_is_asked(
    visit: Any, sites: dict[str, Path]
) -> None:
    for name in ("short", "long"):
        page = visit(sites[name] / "index.html", "sessions?persona=Ana").page
        field = page.locator("#sessions .filt").get_by_label("Persona")
        assert "?persona=Ana&n=1&of=" in rows(page).first.get_attribute("href")
        field.select_option(label="All")
        page.locator(OUT).filter(
            has_text="Showing " + ("5" if name == "short" else "120")
        ).wait_for()
        assert not any("?" in one.get_attribute("href") for one in rows(page).all())


@pytest.mark.parametrize("width", [360, 1280])
def test_a_page_in_a_list_is_accessible_and_fits(
    width: int, visit: Any, sites: dict[str, Path]
) -> None:
    fragment = f"session.s1?{ASKED}&n=1&of=2&list=0"
    page = visit(sites["short"] / "pages/s-s1.html", fragment, width=width).page
    assert bar(page).count() == 1
    assert violations(page) == []
    assert fits(page)


def test_on_one_page_the_address_of_a_turn_keeps_the_list(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"], f"sessions?{ASKED}", reduced_motion="reduce").page
    rows(page).first.click()
    page.locator("details.tx[open] .play a.no").nth(1).click()
    page.wait_for_url(f"**#session.s1.call.c1?{ASKED}")
    assert page.evaluate(TARGET) == "session.s1.call.c1"
    there = visit(pages["small"], page.url.split("#")[1]).page
    there.wait_for_function("() => document.querySelector(':target')")
    assert there.evaluate(TARGET) == "session.s1.call.c1"
    assert there.locator("[id='session.s1'] .acts .small").inner_text() == "1 of 2 listed"
    assert there.locator(OUT).inner_text().startswith("Showing 2 of 5 sessions, most tool errors")
