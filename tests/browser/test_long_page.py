"""A page that is too long to be built at once: whole without scripts, quick with them."""

from pathlib import Path
from typing import Any

import pytest
from long_wave import HOSTILE, dense_facts
from looking import shown, violations

pytestmark = pytest.mark.browser

NODES = "() => document.querySelectorAll('*').length"
OUT = "#sessions .filt output"


def said(page: Any) -> str:
    return str(page.locator(OUT).inner_text())


def test_a_browser_builds_a_part_of_it_and_reads_all_of_it(
    visit: Any, pages: dict[str, Path]
) -> None:
    built = visit(pages["dense"]).page.evaluate(NODES)
    whole = visit(pages["dense"], java_script_enabled=False).page.evaluate(NODES)
    assert built < 5_000 < whole


def test_without_scripts_every_session_and_every_word_stands_there(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["dense"], java_script_enabled=False).page
    assert page.locator("#list tr[data-k]").count() == 120
    assert page.locator("details.tx").count() == 120
    assert page.locator("#goals details.g").count() == 60
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    text = page.locator("main").inner_text()
    for number, fact in enumerate(dense_facts()):
        assert f"shelfmark{number:03}" in text
        assert fact.session_id in text


@pytest.mark.parametrize("scripts", [True, False])
def test_recorded_text_never_gets_out_of_its_place(
    scripts: bool, visit: Any, pages: dict[str, Path]
) -> None:
    seen = visit(pages["dense"], "session.s00-0", java_script_enabled=scripts)
    page = seen.page
    if scripts:
        page.locator("#sessions .filt").get_by_role("button", name="Open all").click()
        assert page.locator("details.tx[open]").count() == 20
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert "ran" not in page.title()
    assert page.locator("img").count() == 0
    assert page.locator("[id='session.evil']").count() == 0
    assert HOSTILE.split("<img")[0] in page.locator("[id='session.s00-0']").inner_text()
    assert seen.messages == []
    assert seen.requests == []


def test_more_rows_come_when_they_are_asked_for(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["dense"]).page
    page.get_by_role("button", name="Show 80 more of 80").click()
    assert shown(page) == 120
    assert page.locator("#list thead").count() == 1
    assert not page.locator("#list .mb").is_visible()


def test_words_of_transcripts_that_are_not_built_are_found(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["dense"]).page
    page.locator("#sessions .filt").get_by_role("searchbox").fill("shelfmark077")
    assert said(page) == "Showing 1 of 120 sessions"
    page.locator("#list tr[data-k] a").first.click()
    page.wait_for_selector("details.tx[open]")
    assert "shelfmark077" in page.locator("details.tx[open]").inner_text()


def test_markup_is_no_word(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["dense"]).page
    page.locator("#sessions .filt").get_by_role("searchbox").fill("scope=")
    assert said(page) == "Showing 0 of 120 sessions: none matches"


@pytest.mark.parametrize(
    "fragment",
    ["session.s42-1", "session.s42-1.m1", "session.s42-1.call.c1", "session.s42-1.turn0"],
)
def test_a_deep_link_builds_what_it_leads_to(
    fragment: str, visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["dense"], fragment).page
    place = page.locator(f"[id='{fragment}']")
    assert place.count() == 1
    assert page.evaluate("id => document.getElementById(id).closest('details.tx').open", fragment)
    top = place.evaluate("one => one.getBoundingClientRect().top")
    assert -10 < top < 800
    assert place.evaluate("one => one.matches(':target')")


def test_every_place_that_a_long_page_names_can_be_reached(
    visit: Any, pages: dict[str, Path]
) -> None:
    whole = visit(pages["dense"], java_script_enabled=False).page
    ids = whole.evaluate(
        "() => [...document.querySelectorAll('main [id]')].map(e => e.id)"
        ".filter(id => /^(finding|goal|run|row)\\./.test(id))"
    )
    assert len(ids) > 300
    page = visit(pages["dense"]).page
    lost = page.evaluate(
        """async ids => {
            const lost = [];
            for (const id of ids) {
                location.hash = id;
                swarm.reveal();
                const one = document.getElementById(id);
                if (!one || one.hasAttribute("data-wait") || !one.getClientRects().length)
                    lost.push(id);
            }
            return lost;
        }""",
        ids,
    )
    assert lost == []
    repeated = "() => { const i = [...document.querySelectorAll('[id]')].map(e => e.id);"
    assert page.evaluate(repeated + "return i.length - new Set(i).size }") == 0


def test_the_back_button_takes_a_filter_back(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["dense"]).page
    bar = page.locator("#sessions .filt")
    bar.get_by_label("Persona").select_option(label="Ana")
    bar.get_by_label("Outcome").select_option(value="goalMissed")
    both = said(page)
    page.go_back()
    assert said(page) == "Showing 60 of 120 sessions"
    page.go_back()
    assert said(page) == "Showing 120 of 120 sessions"
    page.go_forward()
    page.go_forward()
    assert said(page) == both


def test_a_fragment_says_the_same_when_it_is_opened_again(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["dense"]).page
    bar = page.locator("#sessions .filt")
    bar.get_by_label("Persona").select_option(label="Ben")
    bar.get_by_role("searchbox").fill("100% & more?")
    bar.get_by_role("searchbox").fill("goal 1")
    fragment = page.evaluate("location.hash.slice(1)")
    again = visit(pages["dense"], fragment).page
    assert said(again) == said(page)
    assert again.locator("#sessions .filt").get_by_role("searchbox").input_value() == "goal 1"


def test_findings_are_filtered_by_what_they_rest_on_and_how_far_they_speak(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["dense"]).page
    bar = page.locator("#goals .filt")
    bar.get_by_label("Speaks of").select_option(value="goal")
    assert page.locator("#goals [data-k]:not([hidden])").count() > 0
    assert page.locator("#recorded [data-k='persona']:not([hidden])").count() == 0
    bar.get_by_label("Speaks of").select_option(value="persona")
    assert page.locator("#goals details.g:not([hidden])").count() == 0
    assert page.locator("#recorded [data-k='persona']:not([hidden])").count() > 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_filtered_and_opened_page_is_accessible_and_fits(
    width: int, scheme: str, visit: Any, pages: dict[str, Path]
) -> None:
    seen = visit(pages["dense"], "sessions?persona=Ana&q=goal", width=width, color_scheme=scheme)
    page = seen.page
    page.locator("#sessions .filt").get_by_role("button", name="Open all").click()
    page.locator("#goals .filt").get_by_role("button", name="Open all").click()
    page.wait_for_timeout(200)
    assert page.locator("details.tx[open]").count() == 20
    assert violations(page) == []
    assert seen.messages == []
    fits = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.evaluate(fits)


def test_a_link_can_be_copied_or_at_least_taken(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["dense"], "session.s01-0").page
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.evaluate("document.execCommand = () => false")
    page.locator("[id='session.s01-0'] .cl").first.click()
    field = page.get_by_label("Link to copy")
    assert field.input_value().endswith("#session.s01-0")
    assert page.evaluate("getSelection().toString() || document.activeElement.value").endswith(
        "#session.s01-0"
    )


def test_a_copied_view_carries_its_filter(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["dense"], "sessions?persona=Ana").page
    page.evaluate(
        "Object.defineProperty(navigator, 'clipboard',"
        "{value: {writeText: text => { window.taken = text; return Promise.resolve(); }}})"
    )
    page.locator("#sessions .filt").get_by_role("button", name="Copy link to this view").click()
    assert page.evaluate("window.taken").endswith("#sessions?persona=Ana")
    page.get_by_role("button", name="Copied").wait_for()


def test_what_is_filtered_is_said_politely(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["dense"]).page
    assert page.locator(OUT).get_attribute("aria-live") == "polite"
    bar = page.locator("#sessions .filt")
    bar.get_by_label("Persona").select_option(label="Ana")
    bar.get_by_role("button", name="Clear").click()
    assert said(page) == "Showing 120 of 120 sessions"
    assert page.url.endswith("#sessions")


def test_a_host_that_forbids_scripts_leaves_a_sentence(visit: Any, pages: dict[str, Path]) -> None:
    without = visit(pages["dense"], java_script_enabled=False).page
    assert "whoever serves this page forbids its script" in without.locator("#blocked").inner_text()
    assert visit(pages["dense"]).page.locator("#blocked").count() == 0


def test_while_words_are_typed_the_first_matches_stand_there_and_the_rest_follows(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["dense"]).page
    box = page.locator("#sessions .filt").get_by_role("searchbox")
    rows = "document.querySelectorAll('#list tr[data-k]').length"
    page.evaluate(
        "() => { window.counts = []; new MutationObserver(() => window.counts.push("
        + rows
        + ")).observe(document.querySelector('#list tbody'), {childList: true}); }"
    )
    box.focus()
    page.keyboard.type("goal")
    page.locator("#list tr[data-k]").nth(99).wait_for(state="attached")
    counts = page.evaluate("window.counts")
    assert 25 in counts
    assert counts[-1] == 100
    assert said(page) == "Showing 120 of 120 sessions"
    assert (
        page.locator("#list tr[data-k]").evaluate_all("all => new Set(all.map(one => one.id)).size")
        == 100
    )
    heads = page.locator("#list tr.grp th").all_inner_texts()
    assert len(heads) == len(set(heads))


def test_a_newer_letter_ends_the_search_for_an_older_one(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["dense"]).page
    box = page.locator("#sessions .filt").get_by_role("searchbox")
    # A clock that is always over makes every search stop after its first slice.
    page.evaluate("() => { let at = 0; performance.now = () => (at += 1000); }")
    box.focus()
    page.keyboard.type("shelfmark07")
    page.keyboard.type("7")
    page.locator(OUT).filter(has_text="Showing 1 of 120 sessions").wait_for()
    page.wait_for_timeout(400)
    assert said(page) == "Showing 1 of 120 sessions"
    assert page.url.endswith("#sessions?q=shelfmark077")
    page.go_back()
    page.locator(OUT).filter(has_text="Showing 120 of 120 sessions").wait_for()


def test_rows_that_the_script_adds_are_rows_of_the_table(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["dense"], width=360).page
    page.get_by_role("button", name="Show 80 more of 80").click()
    roles = page.locator("#list tbody tr > *").evaluate_all(
        "all => [...new Set(all.map(one => one.tagName + ' ' + one.getAttribute('role')))].sort()"
    )
    assert roles == ["TD cell", "TH rowheader"]
    assert page.locator("#list tbody tr:not([role='row'])").count() == 0
