"""A page in the states that pictures of it seldom show."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser


def test_forced_colours_mark_cited_turns_alone(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["small"], "session.s1", forced_colors="active").page
    rule = "one => getComputedStyle(one).borderLeftColor"
    session = page.locator("[id='session.s1'] .play")
    cited = session.locator(":scope > li.cited").first.evaluate(rule)
    plain = {one.evaluate(rule) for one in session.locator(":scope > li:not(.cited)").all()}
    assert plain == {"rgb(255, 255, 255)"}
    assert cited not in plain


def test_forced_colours_say_what_a_link_led_to(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["small"], "session.s1", forced_colors="active").page
    head = page.locator("[id='session.s1'] > summary")
    assert head.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"


@pytest.mark.parametrize("name", ["small", "dense"])
def test_no_heads_stand_over_nothing(name: str, visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages[name], "sessions?q=nobody-said-this").page
    page.locator("#sessions output").filter(has_text="none matches").wait_for()
    assert page.locator("#list").is_hidden()
    assert page.locator("#transcripts").is_hidden()
    page.locator("#sessions .filt").get_by_role("button", name="Clear").click()
    page.locator("#list").wait_for()
    assert page.locator("#transcripts").is_visible()


def test_more_contrast_leaves_no_grey_text(visit: Any, pages: dict[str, Path]) -> None:
    for scheme in ("light", "dark"):
        page = visit(pages["small"], contrast="more", color_scheme=scheme).page
        colour = "one => getComputedStyle(one).color"
        ink = page.locator("body").evaluate(colour)
        assert page.locator("#matrix caption").first.evaluate(colour) == ink


@pytest.mark.parametrize("chosen", ["", "dark"])
def test_paper_is_white_whatever_the_screen_is(
    chosen: str, visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"], color_scheme="dark").page
    if chosen:
        page.get_by_label("Dark").check()
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("html").evaluate("one => getComputedStyle(one).backgroundColor") == (
        "rgb(255, 255, 255)"
    )


def test_an_underline_keeps_clear_of_the_underscores_of_a_name(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"]).page
    style = page.locator("#list th a").first.evaluate(
        "one => [getComputedStyle(one).textUnderlineOffset, getComputedStyle(one).fontSize]"
    )
    offset, size = (float(one.removesuffix("px")) for one in style)
    # The underscore of the usual faces ends a fifth of the size below the line.
    assert offset > size / 5
