"""From the first screen to the step that failed, and from there to somebody else."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import goal, manifest, persona, run, slot
from long_wave import dense_facts, dense_records
from looking import shown, violations
from report_waves import derived_from, page_of, transcripts_of, wave_of
from waves import session_lines, write_folder

pytestmark = pytest.mark.browser

OUT = "#sessions .filt output"
TAKE = (
    "Object.defineProperty(navigator, 'clipboard',"
    "{value: {writeText: text => { window.taken = text; return Promise.resolve(); }}})"
)


def wait_for(page: Any, words: str) -> None:
    page.locator(OUT).filter(has_text=words).wait_for()


def test_a_number_of_the_first_screen_leads_to_the_sessions_it_counts(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"]).page
    ledger = page.locator("#summary .ledger")
    counted = ledger.locator("[data-show='disp=not met'] a")
    number = counted.inner_text().split()[0]
    counted.click()
    wait_for(page, f"Showing {number} of 5 sessions")
    assert page.url.endswith("#sessions?disp=not%20met")
    assert shown(page) == int(number)
    tones = page.locator("#list tr[data-k]:not([hidden]) td:nth-child(2) > span:first-child")
    assert {tones.nth(at).get_attribute("class") for at in range(tones.count())} == {"nb fail"}


def test_what_broke_first_leads_to_the_sessions_in_which_it_did(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"]).page
    counted = page.locator("#summary [data-show*='link=']").first
    assert counted.inner_text() == "the connection in 1"
    counted.locator("a").click()
    wait_for(page, "Showing 1 of 5 sessions")
    bar = page.locator("#sessions .filt")
    assert bar.get_by_label("First failed link").input_value() == "connection"
    assert page.locator("#list tr[data-k]:not([hidden])").get_attribute("id") == "row.s5"
    assert page.locator("#goals details.j:not([hidden])").count() == 1


def test_an_outcome_is_chosen_alone_or_with_all_that_mean_the_same(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"]).page
    field = page.locator("#sessions .filt").get_by_label("Outcome")
    groups = field.locator("optgroup").evaluate_all("all => all.map(one => one.label)")
    assert groups == ["All that", "One outcome"]
    labels = (
        field.locator("optgroup")
        .first.locator("option")
        .evaluate_all("all => all.map(one => one.label)")
    )
    assert labels == ["met with friction", "not met", "not known"]
    field.select_option(label="not known")
    wait_for(page, "Showing 2 of 5 sessions")
    again = visit(pages["small"], page.url.split("#")[1]).page
    wait_for(again, "Showing 2 of 5 sessions")


def test_hundreds_of_goals_are_typed_and_offered_and_stay_in_the_address(
    visit: Any, pages: dict[str, Path]
) -> None:
    seen = visit(pages["dense"])
    page = seen.page
    assert page.locator("datalist").count() == 0
    field = page.locator("#sessions .filt").get_by_label("Goal", exact=True)
    field.focus()
    assert page.locator("datalist option").count() == 60
    page.keyboard.type("GOAL 5")
    wait_for(page, "Showing 22 of 120 sessions")
    assert violations(page) == []
    again = visit(pages["dense"], page.url.split("#")[1]).page
    wait_for(again, "Showing 22 of 120 sessions")
    assert again.locator("#goals .filt").get_by_label("Goal", exact=True).input_value() == "GOAL 5"
    field.fill("no such goal")
    wait_for(page, "Showing 0 of 120 sessions")
    page.go_back()
    wait_for(page, "Showing 120 of 120 sessions")
    assert seen.messages == []


def test_a_session_says_first_where_it_failed_and_leads_there(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"], "session.s1").page
    session = page.locator("[id='session.s1']")
    first = session.locator(".ff")
    assert first.inner_text().strip().startswith("First failed link: response, because")
    assert first.bounding_box()["y"] < session.locator(".side").first.bounding_box()["y"]
    first.get_by_role("link", name="call c2").click()
    page.wait_for_url("**#session.s1.call.c2")
    assert page.locator("[id='session.s1.call.c2']").is_visible()
    assert page.locator("[id='session.s3'] .ff").count() == 0


def test_a_session_leads_back_to_its_goal(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["small"], "session.s1").page
    page.locator("[id='session.s1'] .side > p a").click()
    page.wait_for_url("**#run.ana-hold")
    assert page.locator("[id='run.ana-hold']").evaluate("one => one.open")


def test_one_goes_through_what_is_listed_by_keyboard(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["small"], "sessions?disp=not%20met").page
    page.evaluate("location.hash = 'session.s1'")
    page.locator("[id='session.s1'][open]").wait_for()
    acts = page.locator("[id='session.s1'] .acts")
    assert acts.locator(".small").inner_text() == "1 of 2 listed"
    assert acts.get_by_role("button", name="Previous").is_disabled()
    acts.get_by_role("button", name="Next", exact=True).focus()
    page.keyboard.press("Enter")
    page.locator("[id='session.s5'][open]").wait_for()
    assert not page.locator("[id='session.s1']").evaluate("one => one.open")
    inside = "document.activeElement.closest('details.tx').id"
    assert page.evaluate(inside) == "session.s5"
    last = page.locator("[id='session.s5'] .acts")
    assert last.locator(".small").inner_text() == "2 of 2 listed"
    assert last.get_by_role("button", name="Next", exact=True).is_disabled()


def test_where_one_stands_follows_the_filter(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["dense"], "session.s05-0").page
    place = page.locator("[id='session.s05-0'] .acts .small")
    # The list stands by persona and target.
    assert place.inner_text() == "33 of 120 listed"
    page.locator("#sessions .filt").get_by_label("Persona").select_option(label="Ben")
    page.locator("[id='session.s05-0']").wait_for(state="hidden")
    assert place.text_content() == "not in the list as it is filtered"


def test_a_whole_session_can_be_taken_into_an_issue(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["small"], "session.s1").page
    page.evaluate(TAKE)
    page.locator("[id='session.s1'] .acts").get_by_role("button", name="Copy as text").click()
    lines = page.evaluate("window.taken").split("\n")
    assert lines[0].startswith("s1 Frustrated Ana, Browser host.")
    assert lines[1].endswith("#session.s1")
    assert "File: sessions/s1.jsonl" in lines
    assert any(line.startswith("First failed link: response") for line in lines)
    assert any(line.startswith("m0 Ana Turn 1") for line in lines)
    # What was set from Markdown is taken as it was recorded.
    assert "I could **not** place it:" in lines
    assert any(line.startswith("c2 Called place_hold(") for line in lines)
    assert "    branch: not a valid code" in lines


def test_a_text_that_cannot_be_copied_stands_there_to_be_taken(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"], "session.s1").page
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.evaluate("document.execCommand = () => false")
    acts = page.locator("[id='session.s1'] .acts")
    acts.get_by_role("button", name="Copy as text").click()
    field = acts.get_by_label("Text to copy")
    assert field.input_value().startswith("s1 Frustrated")
    assert violations(page) == []


def copied(page: Any, place: str) -> list[str]:
    page.evaluate(TAKE)
    page.locator(place).get_by_role("button", name="Copy as Markdown").first.click()
    text: str = page.evaluate("window.taken")
    return text.split("\n")


def test_a_cause_can_be_taken_as_markdown_with_what_it_rests_on(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["model"]).page
    cause = page.locator("article.cause").first
    lines = copied(page, "article.cause >> nth=0")
    phrase = cause.locator(".ph .mw").evaluate("one => one.childNodes[1].data").strip()
    assert lines[0].startswith("### Cause 1: *")
    assert lines[0].endswith("* (a model’s words)")  # noqa: RUF001  as it is set
    assert lines[0].replace("\\", "").count(phrase) == 1
    # A page on this computer is called by its name; the folders above it say who made it.
    assert lines[2].endswith(f"model.html#{cause.get_attribute('id')}")
    assert "file:" not in " ".join(lines)
    assert f"**{cause.locator('.reach b').inner_text()}**." in lines
    quote = cause.locator("blockquote p").first.text_content()
    assert lines[lines.index("```text") + 1] == quote
    assert any(line.startswith("Counted sessions: ") and line[18:] for line in lines)
    cautions = page.locator("#coverage summary").inner_text()
    assert lines[-2].replace("\\", "") == " ".join(cautions.split())


def test_a_goal_can_be_taken_as_markdown_with_every_link_and_its_evidence(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"]).page
    run = page.locator("#goals details.j[open]").first
    lines = copied(page, "#goals details.j[open] >> nth=0")
    title = page.locator("#goals .goalh h3").first.inner_text()
    assert lines[0].startswith(f"### {title}: ")
    links = [line for line in lines if line.startswith("- **") and " side**: " in line]
    assert len(links) == run.locator(".chain li").count() == 6
    evidence = [line for line in lines if line.startswith("- **") and ":** " in line]
    assert len(evidence) == run.locator(".ev dd").count()
    assert not any("Copy link" in line for line in lines)


def test_the_next_session_that_missed_its_goal_is_one_step_away(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"], "session.s2").page
    tone = "#list tr[data-k] td:nth-child(2) > span:first-child"
    tones = page.locator(tone).evaluate_all("all => all.map(one => one.className)")
    ids = page.locator("#list tr[data-k]").evaluate_all("all => all.map(one => one.id)")
    missed = [
        one.removeprefix("row.") for one, name in zip(ids, tones, strict=True) if name == "nb fail"
    ]
    page.locator(f"[id='session.{missed[0]}']").evaluate("one => { one.open = true }")
    acts = page.locator(f"[id='session.{missed[0]}'] .acts")
    acts.get_by_role("button", name="Next not met").click()
    page.locator(f"[id='session.{missed[1]}'][open]").wait_for()
    last = page.locator(f"[id='session.{missed[-1]}']")
    last.evaluate("one => { one.open = true }")
    assert last.locator(".acts").get_by_role("button", name="Next not met").is_disabled()


def test_filters_that_leave_nothing_say_so_where_something_stood(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["model"]).page
    none = page.get_by_text("No cause matches the filters")
    assert none.is_hidden()
    bar = page.locator("#goals .filt")
    bar.get_by_label("Words of goals").fill("nobody ever said this")
    page.locator("#goals output").filter(has_text="none matches").wait_for()
    none.wait_for()
    page.locator(OUT).filter(has_text="none matches").wait_for()
    bar.get_by_role("button", name="Clear").click()
    none.wait_for(state="hidden")
    assert page.locator("article.cause:not([hidden])").count() >= 1


def test_recorded_words_are_only_words_in_what_is_copied(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"]).page
    words = "<img src=x> *b* [a](javascript:1) `c` #1 | ```"
    page.evaluate("words => { document.querySelector('#goals .ev dd').textContent = words }", words)
    lines = copied(page, "#goals details.j[open] >> nth=0")
    said = next(line for line in lines if "img src" in line)
    assert said.split(":** ")[1] == (r"\<img src=x\> \*b\* \[a\](javascript:1) \`c\` \#1 \| \`\`\`")


@pytest.fixture(scope="module")
def alike(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two goals of one title, and a persona whose name is the place of another one."""
    folder = tmp_path_factory.mktemp("alike")
    names = ["#1", "0", "Ana"]
    runs = [
        run(f"r{who}{what}", f"g{what}", name) for who, name in enumerate(names) for what in (0, 1)
    ]
    slots = [slot(f"s-{one['runId']}", one["runId"]) for one in runs]
    whole = manifest(
        personas=[persona(name) for name in names],
        goals=[goal("g0"), goal("g1")],
        runs=runs,
        slots=slots,
    )
    sessions = {one["sessionId"]: session_lines() for one in slots}
    html = page_of(*derived_from(write_folder(folder / "wave", whole, sessions)))
    (folder / "alike.html").write_text(html, encoding="utf-8")
    return folder / "alike.html"


@pytest.mark.parametrize(
    ("label", "at", "ids"),
    [
        ("Goal", 1, ["row.s-r00", "row.s-r10", "row.s-r20"]),
        ("Goal", 2, ["row.s-r01", "row.s-r11", "row.s-r21"]),
        ("Persona", 2, ["row.s-r10", "row.s-r11"]),
    ],
)
def test_a_link_to_a_choice_leads_to_that_choice_whatever_it_is_called(
    label: str, at: int, ids: list[str], visit: Any, alike: Path
) -> None:
    page = visit(alike).page
    page.locator("#sessions .filt").get_by_label(label, exact=True).select_option(index=at)
    again = visit(alike, page.url.split("#")[1]).page
    for one in (page, again):
        wait_for(one, f"Showing {len(ids)} of 6 sessions")
        rows = one.locator("#list tr[data-k]:not([hidden])")
        assert sorted(rows.evaluate_all("all => all.map(one => one.id)")) == ids


@pytest.mark.parametrize("name", ["small", "dense"])
def test_all_sessions_in_which_one_tool_errored_are_one_click_away(
    name: str, visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages[name]).page
    counted = page.locator("#recorded [data-show^='tool=']").first
    if name == "dense":
        # No call is on record there, so no tool is offered.
        assert counted.count() == 0
        assert page.locator("#sessions .filt").get_by_label("Tool with an error").count() == 0
        return
    number = counted.inner_text().split()[0]
    tool = counted.locator("xpath=..").locator("th").inner_text()
    counted.locator("a").click()
    wait_for(page, f"Showing {number} of 5 sessions")
    assert page.url.endswith(f"#sessions?tool={tool}")
    field = page.locator("#sessions .filt").get_by_label("Tool with an error")
    assert field.locator("option:checked").get_attribute("label") == tool
    bar = page.locator("#goals .filt")
    assert bar.locator("output").inner_text().startswith("Showing 1 of ")
    # Of the one goal, the session whose call failed is the one whose outcome is asked.
    bar.get_by_label("Outcome").select_option(label="not known")
    bar.locator("output").filter(has_text="Showing 0 of ").wait_for()


def test_a_search_says_what_it_did_not_search(
    visit: Any, pages: dict[str, Path], tmp_path: Path
) -> None:
    facts = dense_facts()[:4]
    path = tmp_path / "part.html"
    view = wave_of([replace(fact, has_transcript=True) for fact in facts])
    path.write_text(page_of(view, transcripts_of(dense_records()), transcript_chars=9_000))
    page = visit(path).page
    carried = page.locator("details.tx").count()
    assert 0 < carried < 4
    box = page.locator("#sessions .filt").get_by_role("searchbox")
    box.fill("nobody said this")
    away = 4 - carried
    wait_for(page, "none matches")
    said = f"; {away} transcript{'s that are' if away > 1 else ' that is'} not on this page"
    assert said in page.locator(OUT).inner_text()
    box.fill("")
    wait_for(page, "Showing 4 of 4 sessions")
    assert "searched" not in page.locator(OUT).inner_text()
    whole = visit(pages["small"]).page
    whole.locator("#sessions .filt").get_by_role("searchbox").fill("nobody said this")
    wait_for(whole, "none matches")
    assert "searched" not in whole.locator(OUT).inner_text()


@pytest.mark.parametrize("place", ["sessions", "goals"])
@pytest.mark.parametrize(("key", "value"), [("disp", "Delighted"), ("persona", "Zoe 1")])
def test_a_link_from_another_report_does_not_show_what_it_did_not_ask_for(
    key: str, value: str, place: str, visit: Any, pages: dict[str, Path]
) -> None:
    address = f"{place}?{key}={value.replace(' ', '%20')}"
    page = visit(pages["small"], address).page
    wait_for(page, "Showing 0 of 5 sessions: none matches")
    assert page.locator("#goals output").inner_text().startswith("Showing 0 of 3 ")
    label = {"disp": "Outcome", "persona": "Persona"}[key]
    field = page.locator("#sessions .filt").get_by_label(label)
    chosen = field.locator("option:checked").get_attribute("label")
    assert chosen == f"{value} (not in this report)"
    # The next choice keeps what was asked in the address.
    page.locator("#sessions .filt").get_by_label("Target").select_option(index=1)
    assert f"{key}={value.replace(' ', '%20')}" in page.url.split("?")[1].split("&")
    field.select_option(label="All")
    page.locator(OUT).filter(has_not_text="none matches").wait_for()


def test_facts_wider_than_a_goal_are_told_of_where_no_goal_matches(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"], "goals?scope=wave").page
    said = page.locator("#goals output")
    said.filter(has_text="Showing 0 of ").wait_for()
    facts = page.locator("#recorded li[data-k='wave']:visible").count()
    assert facts == page.locator("#recorded li[data-k]:visible").count() > 0
    one = "fact" if facts == 1 else "facts"
    assert said.inner_text().endswith(f"; {facts} {one} wider than one goal under Recorded facts")
    page.locator("#goals .filt").get_by_label("Speaks of").select_option(label="All")
    said.filter(has_text="Showing 3 of 3 ").wait_for()
    assert "Recorded facts" not in said.inner_text()


@pytest.mark.parametrize("number", [4, 120])
@pytest.mark.parametrize("fragment", ["", "sessions?q=nobody"])
def test_a_link_into_a_transcript_that_is_not_carried_leads_to_its_session(
    fragment: str, number: int, visit: Any, tmp_path: Path
) -> None:
    facts = dense_facts()[:number]
    path = tmp_path / "part.html"
    view = wave_of([replace(fact, has_transcript=True) for fact in facts])
    path.write_text(page_of(view, transcripts_of(dense_records()), transcript_chars=9_000))
    page = visit(path, fragment).page
    carried = set(re.findall(r' id="(session\.[^".]+)\.m', path.read_text()))
    anchors = re.findall(r' id="(session\.[^".]+)"', path.read_text())
    away = next(one for one in reversed(anchors) if one not in carried)
    # Such as one of an earlier run, which carried more.
    page.evaluate("id => { location.hash = id }", f"{away}.m1")
    row = page.locator(f"[id='{away}']")
    row.wait_for(state="visible")
    assert 0 <= row.bounding_box()["y"] < page.viewport_size["height"]
    assert row.evaluate("one => one.matches(':target')")
