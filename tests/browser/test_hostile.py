"""Hostile text in every field, in a real browser: nothing runs, nothing asks, nothing moves."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hostile import TEXTS, hostile_document, hostile_wave
from looking import fits, violations
from model_waves import hostile_work
from report_waves import derived_from, page_of, report_of

from reporter.render.assets import page_assets
from reporter.render.html import render_session
from reporter.view.report import build_report

pytestmark = pytest.mark.browser

LOUD = ["script", "closing", "handler", "attribute", "html-block", "cdata", "entity", "css"]
QUIET = ["link", "image", "template", "bidi", "rtl", "zero-width", "controls", "lines", "marks"]
TOGETHER = {
    "loud": " ".join(TEXTS[name] for name in LOUD),
    "quiet": " ".join(TEXTS[name] for name in QUIET),
    "markdown": TEXTS["markdown"],
    "fragment": TEXTS["fragment"],
    "long": "w" * 8_000,
    # Long enough that parts of the page wait for the script, which takes them out of their
    # element and puts them in.
    "late": " ".join(TEXTS[name] for name in LOUD) + " " + "w" * 6_000,
}


@pytest.fixture(scope="session")
def hostile_pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The report, a session's page and a published document, each of every kind of text."""
    folder = tmp_path_factory.mktemp("hostile")
    made: dict[str, str] = {}
    for name, text in TOGETHER.items():
        wave, transcripts = derived_from(hostile_wave(text).write(folder / name))
        made[name] = page_of(wave, transcripts)
    site = build_report(wave, generated_at=report_of(wave).generated_at, layout="site")
    assets = page_assets(session=True)
    made["session"] = "".join(render_session(site, "s1", transcripts, assets=assets))
    asked = replace(wave, phrases=hostile_work(TOGETHER["loud"], ("s1", "s2")))
    made["asked"] = page_of(asked, transcripts)
    published = hostile_document(TOGETHER["loud"], folder / "findings.json")
    made["published"] = page_of(*derived_from(published))
    for name, html in made.items():
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in made}


@pytest.mark.parametrize("name", [*TOGETHER, "session", "asked", "published"])
def test_nothing_runs_and_the_layout_holds(
    name: str, visit: Any, hostile_pages: dict[str, Path]
) -> None:
    seen = visit(hostile_pages[name], width=360)
    page = seen.page
    for _ in range(2):
        # What waited is there after the first time, and may be closed itself.
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        page.wait_for_timeout(100)
    assert page.evaluate("typeof pwned") == "undefined"
    assert seen.requests == []
    assert seen.messages == []
    assert fits(page)
    ids = "() => [...document.querySelectorAll('[id]')].map(one => one.id)"
    found = page.evaluate(ids)
    assert len(found) == len(set(found))
    assert page.evaluate("document.body.children.length") < 8


@pytest.mark.parametrize(
    ("name", "scheme"), [("loud", "light"), ("quiet", "dark"), ("markdown", "light")]
)
def test_hostile_text_is_accessible_too(
    name: str, scheme: str, visit: Any, hostile_pages: dict[str, Path]
) -> None:
    page = visit(hostile_pages[name], color_scheme=scheme).page
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert violations(page) == []


def test_a_large_page_of_hostile_text_has_parts_that_wait(hostile_pages: dict[str, Path]) -> None:
    assert "<noscript" in hostile_pages["late"].read_text(encoding="utf-8")
    assert "<noscript" not in hostile_pages["loud"].read_text(encoding="utf-8")


def test_filters_and_search_take_hostile_names_as_words(
    visit: Any, hostile_pages: dict[str, Path]
) -> None:
    seen = visit(
        hostile_pages["loud"],
        "sessions?persona=%3Cimg%20src=x%20onerror=pwned=1%3E&q=%22%3E%3Cscript%3Epwned=1%3C/script%3E&%&x",
    )
    page = seen.page
    page.evaluate(f"location.hash = {json.dumps('#' + TEXTS['fragment'])}")
    page.evaluate("location.hash = '#sessions?q=%E0%A4%A'")
    page.wait_for_timeout(200)
    assert page.evaluate("typeof pwned") == "undefined"
    assert seen.requests == []
    assert seen.messages == []
