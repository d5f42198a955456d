"""What a reader on a phone meets first."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

PHONE = 360


SESSION = "[id='session.s1']"


def tops(session: Any, *selectors: str) -> list[float]:
    return [session.locator(one).first.bounding_box()["y"] for one in selectors]


def test_what_happened_stands_before_the_words_and_the_rest_behind_them(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"], "session.s1", width=PHONE).page
    session = page.locator(SESSION)
    order = tops(session, "summary", ".ff", ".side:not(.rest)", ".play", ".rest")
    assert order == sorted(order)
    assert "did not hold" in session.locator(".side:not(.rest) dl").inner_text()
    session.get_by_role("link", name="More facts of this session").click()
    page.wait_for_timeout(600)
    assert session.locator(".rest").bounding_box()["y"] < page.viewport_size["height"]


def test_on_a_wide_page_the_facts_stand_beside_the_words(
    visit: Any, pages: dict[str, Path]
) -> None:
    session = visit(pages["small"], "session.s1").page.locator(SESSION)
    first, words, rest = tops(session, ".side:not(.rest)", ".conv", ".rest")
    assert first == words < rest
    assert session.locator(".jump:visible").count() == 0


def test_one_goal_is_open_and_the_others_make_a_list(visit: Any, pages: dict[str, Path]) -> None:
    wide = visit(pages["small"]).page
    assert wide.locator("#goals details.j[open]").count() > 1
    page = visit(pages["small"], width=PHONE).page
    assert page.locator("#goals details.j[open]").count() == 1
    assert page.locator("#goals details.j").first.evaluate("one => one.open")
    last = page.locator("#goals details.j").last.get_attribute("id")
    asked = visit(pages["small"], last, width=PHONE).page
    assert asked.locator("#goals details.j").last.evaluate("one => one.open")


def test_filters_wait_in_one_line_and_open_where_some_are_set(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"], width=PHONE).page
    assert page.locator("#sessions .filt").get_by_label("Persona").is_hidden()
    page.locator("#sessions .fb > summary").click()
    page.locator("#sessions .filt").get_by_label("Persona").select_option(label="Ben")
    assert page.locator("#sessions output").inner_text() == "Showing 2 of 5 sessions"
    filtered = visit(pages["small"], "sessions?persona=Ben", width=PHONE).page
    assert filtered.locator("#sessions .filt").get_by_label("Persona").is_visible()


def test_the_chain_keeps_its_thickness(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["small"], width=PHONE).page
    drawn = page.locator(".chain li").evaluate_all(
        "all => all.map(one => [one.className.split(' '), getComputedStyle(one, '::after')])"
        ".map(([names, way]) => [names, way.borderLeftWidth, way.borderRightWidth])"
    )
    seen = 0
    for names, left, right in drawn:
        for name in names:
            if name.startswith("on-"):
                seen += 1
                assert (right if "out" in names else left) == f"{name.removeprefix('on-')}px"
    assert seen > 1
