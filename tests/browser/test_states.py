"""A page in the states that pictures of it seldom show."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from finding_waves import facts_of, idle, plan_for
from looking import fits
from report_waves import page_of, wave_of

from reporter.models.facts import SessionFacts
from reporter.models.manifest import PERSONA_UNRECORDED
from reporter.vocabulary import Disposition, Lifecycle

pytestmark = pytest.mark.browser


def written(folder: Path, facts: Sequence[SessionFacts]) -> Path:
    """Write the page of a wave that is planned as its sessions say."""
    path = folder / "wave.html"
    path.write_text(page_of(wave_of(facts, plan_for(facts))), encoding="utf-8")
    return path


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


def test_outcomes_stand_in_one_line_where_transcripts_are_listed(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"]).page
    page.locator("#opened h4").first.evaluate("one => { one.textContent = 'a longer name' }")
    marks = page.locator("#opened > details > summary > b").all()
    assert len(marks) > 1
    assert len({one.bounding_box()["x"] for one in marks}) == 1


def test_a_phone_puts_what_nobody_tried_behind_what_was(visit: Any, tmp_path: Path) -> None:
    facts = [
        facts_of(
            f"s{at}",
            Disposition.GOAL_MISSED,
            run_id=f"r{at}",
            goal_id=f"g{at}",
            goal_title=f"update_task_with_history_and_env_assertions_{at}",
            persona_name=f"A direct communicator who writes in a clear and concise style {at}",
        )
        for at in range(3)
    ]
    path = written(tmp_path, facts)
    page = visit(path, width=360).page
    assert fits(page)
    rows = page.locator("#matrix .mx tbody tr").all()
    assert len(rows) == 3
    for row in rows:
        tried = row.locator("td:not(.c-none)").bounding_box()
        untried = [one.bounding_box()["y"] for one in row.locator("td.c-none").all()]
        assert len(untried) == 2
        assert min(untried) >= tried["y"] + tried["height"]


def test_escape_puts_a_text_away_that_was_not_copied(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["small"], "session.s1").page
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.evaluate("document.execCommand = () => false")
    acts = page.locator("[id='session.s1'] .acts")
    acts.get_by_role("button", name="Copy as text").click()
    page.keyboard.press("Escape")
    assert acts.get_by_label("Text to copy").count() == 0
    assert page.evaluate("document.activeElement.textContent") == "Copy as text"


SEEN = """() => {
  const one = document.activeElement, boxes = [...one.getClientRects()];
  return one === document.body || boxes.some(box => {
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return top && (one.contains(top) || top.contains(one));
  });
}"""


@pytest.mark.parametrize("width", [360, 1280])
def test_no_head_covers_what_is_in_focus(width: int, visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["small"], "session.s1", width=width, reduced_motion="reduce").page
    page.set_viewport_size({"width": width, "height": 320})
    page.locator("[id='session.s1'] .play a.no").last.focus()
    for _ in range(20):
        page.keyboard.press("Shift+Tab")
        assert page.evaluate(SEEN), page.evaluate("document.activeElement.outerHTML")


def test_a_tablet_shows_the_cells_of_a_goal_beside_one_another(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"], width=768).page
    cells = page.locator("#matrix .mx tbody tr").first.locator("td").all()
    assert len(cells) > 1
    assert len({one.bounding_box()["y"] for one in cells}) == 1
    narrow = visit(pages["small"], width=360).page
    cells = narrow.locator("#matrix .mx tbody tr").first.locator("td").all()
    assert len({one.bounding_box()["y"] for one in cells}) == len(cells)


def many_goals(folder: Path) -> Path:
    """Many goals that no persona tells apart, some tried twice and one never."""
    facts = [
        facts_of(
            f"s{goal:02}-{turn}",
            Disposition.GOAL_MISSED if goal < 9 else Disposition.GOAL_MET,
            run_id=f"r{goal:02}",
            goal_id=f"g{goal:02}",
            goal_title=f"goal-{goal:02}",
            persona_name=PERSONA_UNRECORDED,
        )
        for goal in range(45)
        for turn in range(1 + goal % 2)
    ]
    facts.append(
        idle(
            "s90",
            Lifecycle.LIMITED,
            run_id="r90",
            goal_id="g90",
            goal_title="goal-90",
            persona_name=PERSONA_UNRECORDED,
        )
    )
    return written(folder, facts)


def test_outcomes_of_many_goals_stand_near_their_names_and_in_line(
    visit: Any, tmp_path: Path
) -> None:
    page = visit(many_goals(tmp_path)).page
    table = page.locator("#matrix .mx.dense").first
    assert table.bounding_box()["width"] < 800
    counts = table.locator(".tl1 > span:last-child").all()
    assert len({one.bounding_box()["x"] for one in counts}) == 1


def test_a_goal_that_never_ran_has_its_outcome_beside_its_name(visit: Any, tmp_path: Path) -> None:
    page = visit(many_goals(tmp_path)).page
    summary = page.locator("#goals details.g", has_text="goal-90").locator("summary")
    name = summary.locator("h3").bounding_box()
    outcome = summary.locator(".who4 > span").last.bounding_box()
    assert abs(name["y"] - outcome["y"]) < 4


SPILLED = """() => [...document.querySelectorAll("#matrix .mx :is(th, td)")]
  .filter(one => one.clientWidth > 24 && one.scrollWidth > one.clientWidth + 2)
  .map(one => one.textContent)"""


@pytest.mark.parametrize("goals", [3, 45])
@pytest.mark.parametrize("people", [6, 12])
def test_words_stay_in_their_cells_however_many_personas(
    people: int, goals: int, visit: Any, tmp_path: Path
) -> None:
    facts = [
        facts_of(
            f"s{goal:02}-{person:02}-{turn}",
            Disposition.BLOCKED_BY_RESPONSE,
            run_id=f"r{goal:02}-{person:02}",
            goal_id=f"g{goal:02}",
            goal_title=f"Goal {goal}: find a book on the history of bread and reserve it",
            persona_name=f"Grandfather {person:02}",
            session_index=turn,
        )
        for goal in range(goals)
        for person in range(people)
        for turn in range(3)
        if (goal + person) % 4
    ]
    path = written(tmp_path, facts)
    page = visit(path).page
    for width in (360, 900, 1180, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert fits(page)
        assert page.evaluate(SPILLED) == [], width
        assert page.locator("#matrix .mx .pips").first.is_visible() == (people < 7 or width < 881)


def test_contents_stick_only_where_they_stand_in_one_line(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["model"]).page
    for width in (881, 960, 1019, 1020, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        toc = page.locator("nav.toc")
        sticks = toc.evaluate("one => getComputedStyle(one).position") == "sticky"
        assert sticks == (toc.bounding_box()["height"] < 36), width


@pytest.mark.parametrize("width", [720, 900, 1024, 1180, 1280])
def test_what_copies_a_goal_stands_on_no_other_words(
    width: int, visit: Any, tmp_path: Path
) -> None:
    facts = [
        facts_of(
            f"s{at:02}",
            Disposition.GOAL_MISSED,
            run_id=f"r{at:02}",
            goal_id=f"g{at:02}",
            goal_title=f"Task {at}: " + "You want to fly from one town to another one. " * 8,
            persona_name=PERSONA_UNRECORDED,
        )
        for at in range(45)
    ]
    path = written(tmp_path, facts)
    page = visit(path, width=width).page
    goal = page.locator("#goals details.g[open]").first
    copies, words = goal.locator(".gb > .cls").bounding_box(), goal.locator(".whole").bounding_box()
    beside = words["x"] + words["width"] <= copies["x"]
    assert beside or copies["y"] + copies["height"] <= words["y"]


def test_browser_paper_names_many_personas_whole(visit: Any, tmp_path: Path) -> None:
    facts = [
        facts_of(
            f"s{person:02}",
            Disposition.GOAL_MISSED,
            run_id=f"r{person:02}",
            persona_name=f"Grandfather {person:02}",
        )
        for person in range(10)
    ]
    path = written(tmp_path, facts)
    page = visit(path, width=700).page
    page.emulate_media(media="print")
    assert fits(page)
    assert page.evaluate(SPILLED) == []
    head = page.locator("#matrix .mx thead .up").first
    assert head.evaluate("one => getComputedStyle(one).writingMode") == "vertical-rl"


def test_an_outcome_stands_near_its_goal_where_nothing_ran(visit: Any, tmp_path: Path) -> None:
    facts = [idle(f"s{at}", run_id=f"r{at}", goal_id=f"g{at}", goal_title="Pay") for at in range(3)]
    path = written(tmp_path, facts)
    page = visit(path, width=2000).page
    assert page.locator("#matrix .mx").bounding_box()["width"] < 1000


def test_counts_of_a_link_stand_at_the_edge_of_a_phone(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["small"], width=360).page
    row = page.locator("#funnel .bars tbody tr").first
    edge = row.locator("th").bounding_box()["x"]
    words = "one => one.getBoundingClientRect().x + parseFloat(getComputedStyle(one).paddingLeft)"
    assert row.locator("td.n").first.evaluate(words) == edge


def test_a_name_of_any_length_breaks_in_the_overview_of_many_goals(
    visit: Any, tmp_path: Path
) -> None:
    facts = [
        facts_of(
            f"s{goal:02}-{person}-{target}",
            Disposition.GOAL_MISSED,
            run_id=f"r{goal:02}-{person}",
            goal_id=f"g{goal:02}",
            goal_title=f"goal-{goal:02}",
            persona_name=("A" * 400, "Ana")[person],
            target_id=target,
        )
        for goal in range(45)
        for person in range(2)
        for target in ("t1", "t2")
    ]
    path = written(tmp_path, facts)
    page = visit(path).page
    assert page.locator("#matrix .ov").first.is_visible()
    for width in (360, 900, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert fits(page)
        short = page.locator("#matrix .ov tbody th", has_text="Ana").first
        assert short.bounding_box()["width"] > 60
