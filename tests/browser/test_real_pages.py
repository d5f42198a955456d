"""What the issue asks of the example, of a real wave and of a published document, in Chromium."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from looking import SPACED, fits, lost, violations
from shared import ROOT, shared

from reporter.cli import main

pytestmark = pytest.mark.browser

MAP = "".join(
    f'[[files]]\nmatch = "{name}_{goal}.json"\npersona = "{persona}"\ntarget = "{goal}"\n'
    for goal in ("airline", "retail", "telecom", "telehealth")
    for name, persona in (("skeptical", "Skeptical"), ("impatience", "Impatient"))
)
BUSY = "document.querySelectorAll('details').forEach(one => one.open = true)"


def example(folder: Path) -> list[str]:
    del folder
    return [str(ROOT / "examples" / "lending-desk" / "wave")]


def trait(folder: Path) -> list[str]:
    (folder / "map.toml").write_text(MAP, encoding="utf-8")
    return [str(shared("recordings", "tau-trait")), "--map", str(folder / "map.toml")]


def wire(folder: Path) -> list[str]:
    del folder
    return [str(shared("oracle", "findings", "swarm-findings-wire.json"))]


SOURCES: dict[str, Callable[[Path], list[str]]] = {
    "example": example,
    "trait": trait,
    "wire": wire,
}


@pytest.fixture(scope="module", params=SOURCES)
def real(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("real")
    source = SOURCES[request.param](folder)
    arguments = ["report", *source, "-o", str(folder / "out"), "--format", "html"]
    done = CliRunner().invoke(main, [*arguments, "--generated-at", "2026-03-12"])
    assert done.exit_code in {0, 4}, done.output
    return folder / "out" / "report.html"


STILL = """() => new Promise(done => {
  const at = scrollY;
  setTimeout(() => done(scrollY === at), 150);
})"""
"""Tells whether the page stands still."""


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_it_asks_nothing_says_nothing_breaks_no_rule_and_fits(
    width: int, scheme: str, visit: Any, real: Path
) -> None:
    seen = visit(real, width=width, color_scheme=scheme)
    page = seen.page
    assert violations(page) == []
    assert fits(page)
    bar = page.locator("#sessions .filt")
    if bar.count():
        # Filtered, with a session, its calls and its source open.
        page.evaluate("location.hash = 'sessions?disp=not%20met'")
        page.locator("#sessions output").filter(has_text="Showing ").wait_for()
        page.locator("#list tr[data-k]:not([hidden]) a").first.click()
        page.locator("details.tx[open]").first.wait_for()
    page.evaluate("document.querySelectorAll('details.tx[open] details').forEach(o => o.open = 1)")
    page.evaluate("document.querySelectorAll('#summary details').forEach(o => o.open = true)")
    # A target that a sticky head passes over on the way is no smaller for it.
    page.wait_for_function(STILL)
    assert violations(page) == []
    assert fits(page)
    assert seen.requests == []
    assert seen.messages == []


WIDTHS = [320, 360, 768, 881, 960, 1060, 1180, 1280, 1560, 2000]


def test_no_width_breaks_a_word_or_pushes_one_out(visit: Any, real: Path) -> None:
    page = visit(real).page
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert (width, lost(page)) == (width, [])


def test_wider_spacing_pushes_nothing_out(visit: Any, real: Path) -> None:
    page = visit(real).page
    page.evaluate(SPACED)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert (width, fits(page)) == (width, True)
        assert (width, [one for one in lost(page) if one.startswith("outside")]) == (width, [])


def test_its_ids_are_unique_and_its_links_land(visit: Any, real: Path) -> None:
    page = visit(real, java_script_enabled=False).page
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))
    links = page.evaluate(
        "[...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.getAttribute('href'))"
    )
    assert {link[1:] for link in links} <= set(ids)


def test_all_of_its_words_stand_there_without_scripts(visit: Any, real: Path) -> None:
    without = visit(real, java_script_enabled=False).page
    without.evaluate(BUSY)
    whole = set(without.locator("main").inner_text().split())
    scripted = visit(real).page
    scripted.evaluate(BUSY)
    added = ".filt, .acts, .cls, .mb, .theme, datalist, [data-all] a"
    # In one step, as the page adds more of these whenever it is idle.
    said = set(
        scripted.evaluate(
            "added => { document.querySelectorAll(added).forEach(one => one.remove());"
            " return document.querySelector('main').innerText; }",
            added,
        ).split()
    )
    assert said
    waits = scripted.locator(".wait").all_inner_texts()
    assert said - whole <= set(" ".join(waits).split())


def test_each_stop_of_the_keyboard_can_be_seen(visit: Any, real: Path) -> None:
    page = visit(real, reduced_motion="reduce").page
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
        box, outline = page.evaluate(
            "() => { const one = document.activeElement, r = one.getBoundingClientRect();"
            "return [[r.width, r.height, r.bottom, r.top], getComputedStyle(one).outlineStyle] }"
        )
        assert outline == "solid"
        assert min(box[:2]) > 0
        assert box[2] > 0
        assert box[3] < 800
