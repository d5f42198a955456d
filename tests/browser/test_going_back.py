"""Back from a session: the row or the finding that one came from, where it stood."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

ON = "document.activeElement.getAttribute('href')"


def top(link: Any) -> float:
    return float(link.evaluate("one => one.getBoundingClientRect().top"))


def follow_and_return(page: Any, link: Any) -> None:
    link.scroll_into_view_if_needed()
    before, href = top(link), link.get_attribute("href")
    link.click()
    page.wait_for_function("href => location.hash.split('?')[0] === href", arg=href)
    page.go_back()
    page.wait_for_function(f"href => {ON} === href", arg=href)
    page.wait_for_timeout(200)
    assert abs(top(link) - before) < 2


@pytest.mark.parametrize("fragment", ["sessions?persona=Ben", "sessions"])
def test_from_a_session_to_its_row(fragment: str, visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["dense"], fragment, reduced_motion="reduce").page
    follow_and_return(page, page.locator("#list tr[data-k] th a").nth(30))
    assert page.url.endswith(f"#{fragment}")


def test_from_a_row_that_was_shown_later(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["dense"], "sessions", reduced_motion="reduce").page
    page.get_by_role("button", name="Show 80 more of 80").click()
    follow_and_return(page, page.locator("#list tr[data-k] th a").nth(110))


def test_from_a_turn_to_the_finding_that_cites_it(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["small"], "sessions?disp=not%20met", reduced_motion="reduce").page
    follow_and_return(page, page.locator("#goals a[href^='#session.']:visible").first)


def test_a_link_that_is_followed_anew_leads_where_it_says(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"], "sessions", reduced_motion="reduce").page
    follow_and_return(page, page.locator("#list tr[data-k] th a").last)
    page.locator(".toc a[href='#causes']").click()
    page.wait_for_function("location.hash === '#causes'")
    page.locator(".toc a[href='#sessions']").click()
    page.wait_for_function("location.hash === '#sessions'")
    page.wait_for_timeout(200)
    assert 0 <= top(page.locator("#sessions")) < 120
