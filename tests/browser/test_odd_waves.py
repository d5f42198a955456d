"""Waves of odd words in a real browser: no word is too long, no page asks or complains."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import assistant, call, goal, manifest, persona, result, run, slot, target, user
from hostile import hostile_document, hostile_wave
from looking import fits, violations
from model_waves import hostile_work
from odd_waves import write_odd_wave
from report_waves import NOW, derived_from, page_of
from waves import session_lines, write_folder

from reporter.render.assets import page_assets
from reporter.render.html import render_session
from reporter.view.report import build_report

pytestmark = pytest.mark.browser

WORD = "w" * 160
OPEN = "document.querySelectorAll('details').forEach(one => one.open = true)"


def several(folder: Path) -> Path:
    """A wave of several of everything, each called by one long word."""
    names = [f"{letter}{'w' * 70}" for letter in "ab"]
    runs = [
        run(f"r{who}{what}", f"g{what}", names[who], ["t0", "t1"])
        for who in (0, 1)
        for what in (0, 1)
    ]
    slots = [
        slot(f"s{at}-{where}", one["runId"], where)
        for at, one in enumerate(runs)
        for where in one["targetIds"]
    ]
    whole = manifest(
        personas=[persona(one) for one in names],
        goals=[goal(f"g{at}", name) for at, name in enumerate(names)],
        targets=[target(f"t{at}", name, modelId=name) for at, name in enumerate(names)],
        runs=runs,
        slots=[*slots, slot("s-a-b", "nowhere" + WORD)],
    )
    talk = (user(), call("c1", f"tool_{WORD}"), result("c1", WORD, isError=True), assistant(WORD))
    sessions = {one["sessionId"]: session_lines(talk) for one in slots}
    return write_folder(folder / "several", whole, sessions)


def many(folder: Path) -> Path:
    """So many goals that the matrix stands by target, whose names are long, and a wide table."""
    places = range(45)
    whole = manifest(
        goals=[goal(f"g{at}", f"Goal {at}") for at in places],
        targets=[target(f"t{at}", f"Target {at} {'of many words ' * 12}") for at in (0, 1)],
        runs=[run(f"r{at}", f"g{at}", target_ids=["t0", "t1"]) for at in places],
        slots=[slot(f"s{at}", f"r{at}", "t0") for at in places],
    )
    row = "|" + "something |" * 15
    table = "\n".join(["Here it is:\n", row, "|" + "-|" * 15, row, row])
    sessions = {f"s{at}": session_lines((user(), assistant(table))) for at in places}
    return write_folder(folder / "many", whole, sessions)


@pytest.fixture(scope="module")
def wordy(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Pages on which every recorded text is or holds one long word."""
    folder = tmp_path_factory.mktemp("wordy")
    wave, transcripts = derived_from(hostile_wave(WORD).write(folder / "wave"))
    asked = replace(wave, phrases=hostile_work(WORD, ("s1", "s2")))
    made = {
        "asked": page_of(asked, transcripts),
        "published": page_of(*derived_from(hostile_document(WORD, folder / "findings.json"))),
        "several": page_of(*derived_from(several(folder))),
        "many": page_of(*derived_from(many(folder))),
    }
    site = build_report(wave, generated_at=NOW, layout="site")
    assets = page_assets(session=True)
    made["session"] = "".join(render_session(site, "s1", transcripts, assets=assets))
    for name, html in made.items():
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in made}


@pytest.mark.parametrize("name", ["asked", "published", "several", "many", "session"])
def test_no_word_is_too_long_for_its_place(name: str, visit: Any, wordy: dict[str, Path]) -> None:
    page = visit(wordy[name]).page
    for _ in range(2):
        # What waited is there after the first time, and may be closed itself.
        page.evaluate(OPEN)
        page.wait_for_timeout(100)
    wide = []
    for width in (320, 360, 700, 900, 1000, 1280, 2000):
        page.set_viewport_size({"width": width, "height": 800})
        wide += [] if fits(page) else [width]
    assert wide == []


@pytest.mark.parametrize(("seed", "width"), [(41, 900), (186, 360)])
def test_a_wave_of_odd_words_is_quiet_accessible_and_fits(
    seed: int, width: int, visit: Any, tmp_path: Path
) -> None:
    html = page_of(*derived_from(write_odd_wave(tmp_path / "wave", seed)))
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    seen = visit(tmp_path / "page.html", width=width)
    assert violations(seen.page) == []
    seen.page.evaluate(OPEN)
    assert fits(seen.page)
    assert seen.page.evaluate("typeof pwned") == "undefined"
    assert seen.requests == []
    assert seen.messages == []


def test_a_wide_table_of_a_message_moves_in_its_own_place(
    visit: Any, wordy: dict[str, Path]
) -> None:
    page = visit(wordy["many"], "session.s1", width=360).page
    table = page.locator("[id='session.s1'] .wide")
    assert table.evaluate("one => one.scrollWidth > one.clientWidth")
    # No letter by letter: a word of it has a line, or is broken once.
    assert table.locator("td").first.bounding_box()["height"] < 60
    table.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(400)
    assert table.evaluate("one => one.scrollLeft > 0")
    assert violations(page) == []
