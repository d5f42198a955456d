"""The list in another order: what stands first, what is said of it, where it is kept."""

from pathlib import Path
from typing import Any

import pytest
from finding_waves import facts_of, plan_for
from long_wave import dense_facts
from looking import fits, shown, violations
from report_waves import page_of, transcripts_of, wave_of

from reporter.models.facts import CallFact
from reporter.vocabulary import Disposition

pytestmark = pytest.mark.browser

OUT = "#sessions .filt output"


def erring(number: int) -> tuple[CallFact, ...]:
    return tuple(CallFact(f"c{at}", "find_book", at, error="isError") for at in range(number))


def timed(at: int) -> dict[str, Any]:
    """Every session has errors on record, every second one a time."""
    time = {"started_at_ms": 1_000, "ended_at_ms": 1_000 + 1_500 * (at + 1)} if at % 2 else {}
    return {"tool_calls": erring(at % 7), **time}


@pytest.fixture(scope="module")
def ordered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page that is built whole and one that waits, of sessions that differ."""
    folder = tmp_path_factory.mktemp("ordered")
    made = {}
    for name, number in (("short", 12), ("long", 120)):
        facts = [
            facts_of(
                one.session_id,
                one.disposition,
                run_id=one.run_id,
                persona_name=one.persona_name,
                goal_id=one.goal_id,
                goal_title=one.goal_title,
                target_id=one.target_id,
                **timed(at),
            )
            for at, one in enumerate(dense_facts()[:number])
        ]
        made[name] = folder / f"{name}.html"
        made[name].write_text(page_of(wave_of(facts, plan_for(facts)), transcripts_of({})))
    return made


def choose(page: Any, label: str) -> None:
    page.locator("#sessions .filt").get_by_label("Order").select_option(label=label)


def ids(page: Any) -> list[str]:
    rows = page.locator("#list tr[data-k]:not([hidden])")
    return [str(one) for one in rows.evaluate_all("all => all.map(one => one.id)")]


def wait_for(page: Any, words: str) -> None:
    page.locator(OUT).filter(has_text=words).wait_for()


BOTH = pytest.mark.parametrize("name", ["short", "long"])


@BOTH
def test_the_largest_value_stands_first_and_each_row_says_its_value_and_group(
    name: str, visit: Any, ordered: dict[str, Path]
) -> None:
    seen = visit(ordered[name])
    page = seen.page
    choose(page, "Most tool errors first")
    wait_for(page, "most tool errors first")
    first = page.locator("#list tr[data-k]:not([hidden])").first
    assert "6 tool errors" in first.inner_text()
    assert first.locator(".od").count() == 2
    assert page.locator("#list tr.grp:visible").count() == 0
    said = page.locator("#list tr[data-k] .od b").all_inner_texts()
    numbers = [int(one.split()[0]) for one in said]
    assert numbers == sorted(numbers, reverse=True)
    assert page.locator("#list caption").text_content() == "Sessions, most tool errors first"
    assert seen.messages == []


@BOTH
def test_as_planned_gives_the_list_back(name: str, visit: Any, ordered: dict[str, Path]) -> None:
    page = visit(ordered[name]).page
    before, heads = ids(page)[:12], page.locator("#list tr.grp:visible").count()
    caption = page.locator("#list caption").text_content()
    choose(page, "Longest first")
    choose(page, "Most tool errors first")
    choose(page, "As planned")
    assert ids(page)[:12] == before
    assert page.locator("#list .od").count() == 0
    page.locator("#list tr.grp:visible").nth(heads - 1).wait_for()
    assert page.locator("#list caption").text_content() == caption
    assert page.url.endswith("#sessions")


@BOTH
def test_sessions_without_a_value_stand_last_and_are_counted(
    name: str, visit: Any, ordered: dict[str, Path]
) -> None:
    page = visit(ordered[name]).page
    choose(page, "Longest first")
    number = 6 if name == "short" else 60
    wait_for(page, f"longest first; {number} without a recorded value last")
    more = page.locator("#list .mb")
    page.wait_for_timeout(300)
    if more.is_visible():
        more.click()
    said = page.locator("#list tr[data-k] .od b").all_inner_texts()
    assert len(said) == 2 * number
    assert all(one.endswith("\u00a0s") for one in said[:number])
    assert set(said[number:]) == {"duration not recorded"}


@BOTH
def test_an_order_and_filters_work_together_and_stay_in_the_address(
    name: str, visit: Any, ordered: dict[str, Path]
) -> None:
    page = visit(ordered[name]).page
    choose(page, "Most tool errors first")
    page.locator("#sessions .filt").get_by_label("Persona").select_option(label="Ana")
    assert page.url.endswith("#sessions?persona=Ana&order=errors")
    listed = ids(page)
    assert all(one.endswith("-0") for one in listed)
    again = visit(ordered[name], page.url.split("#")[1]).page
    wait_for(again, "most tool errors first")
    assert ids(again) == listed
    # Clearing the filters leaves the order; the way back leads through both.
    page.locator("#sessions .filt").get_by_role("button", name="Clear").click()
    assert page.url.endswith("#sessions?order=errors")
    wait_for(page, f"{12 if name == 'short' else 120} sessions, most tool errors first")
    page.go_back()
    assert ids(page) == listed
    page.go_back()
    page.go_back()
    page.locator(OUT).filter(has_not_text="first").wait_for()
    assert page.locator("#list .od").count() == 0


def test_words_are_searched_in_the_order_that_is_chosen(
    visit: Any, ordered: dict[str, Path]
) -> None:
    page = visit(ordered["long"], "sessions?order=errors").page
    page.locator("#sessions .filt").get_by_role("searchbox").fill("goal 1")
    wait_for(page, "Showing 22 of 120 sessions, most tool errors first")
    said = page.locator("#list tr[data-k] .od b").all_inner_texts()
    assert said == sorted(said, reverse=True)
    # What a row says of its value is no recorded word.
    page.locator("#sessions .filt").get_by_role("searchbox").fill("6 tool errors")
    wait_for(page, "Showing 0 of 120 sessions")


def test_more_rows_follow_in_the_same_order(visit: Any, ordered: dict[str, Path]) -> None:
    page = visit(ordered["long"]).page
    choose(page, "Longest first")
    page.get_by_role("button", name="Show 20 more of 20").click()
    listed = ids(page)
    assert len(listed) == len(set(listed)) == shown(page) == 120


def test_the_field_keeps_the_focus_and_the_choice_is_said(
    visit: Any, ordered: dict[str, Path]
) -> None:
    page = visit(ordered["long"]).page
    field = page.locator("#sessions .filt").get_by_label("Order")
    field.focus()
    page.keyboard.press("ArrowDown")
    wait_for(page, "first")
    assert field.evaluate("one => one === document.activeElement")
    assert page.locator(OUT).get_attribute("aria-live") == "polite"


def test_a_deep_link_is_found_in_another_order(visit: Any, ordered: dict[str, Path]) -> None:
    page = visit(ordered["long"], "sessions?order=errors").page
    page.evaluate("location.hash = 'session.s00-0'")
    row = page.locator("[id='session.s00-0']")
    row.wait_for()
    assert page.locator("#sessions .filt").get_by_label("Order").input_value() == "errors"


@BOTH
@pytest.mark.parametrize("width", [360, 1280])
def test_an_ordered_list_is_accessible_and_fits(
    width: int, name: str, visit: Any, ordered: dict[str, Path]
) -> None:
    page = visit(ordered[name], "sessions?order=time", width=width).page
    wait_for(page, "longest first")
    assert violations(page) == []
    assert fits(page)


def test_nothing_is_offered_where_nothing_tells_sessions_apart(tmp_path: Path, visit: Any) -> None:
    facts = [facts_of(f"s{at}", Disposition.GOAL_MET, run_id=f"r{at}") for at in range(2)]
    path = tmp_path / "alike.html"
    path.write_text(page_of(wave_of(facts, plan_for(facts)), transcripts_of({})))
    page = visit(path, "sessions?order=errors").page
    assert page.locator("#sessions .filt").get_by_label("Order").count() == 0
    assert page.locator(OUT).inner_text() == "Showing 2 of 2 sessions"
