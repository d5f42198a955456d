"""One failed session taken into an issue, or to an agent, from wherever it is listed."""

import json
from pathlib import Path
from typing import Any

import pytest
from builders import assistant, call, goal, manifest, persona, result, run, slot, user
from looking import fits, violations
from model_waves import MODEL_TALK, asked, every_fate
from report_waves import derived_from, page_of, write_site
from small_wave import SESSIONS, WAVE
from waves import session_lines, write_folder

from reporter.models.manifest import GOAL_UNRECORDED

pytestmark = pytest.mark.browser

CODE = 'def answer() -> str:\n    return "forty-two"\n' + "# a comment that makes it long\n" * 3
GIVEN = {"code": CODE, "rows": [1, {"deep": "a\nb" + "c" * 120}], "flag": None}
TAKE = (
    "Object.defineProperty(navigator, 'clipboard',"
    "{configurable: true, value:"
    " {writeText: text => { window.taken = text; return Promise.resolve(); }}})"
)
CALL = (
    'c2 Called place_hold(id: "b1", branch: "Dockside"), ',
    "    Arguments",
    '    {"id": "b1", "branch": "Dockside"}',
    "    Result",
    "    branch: not a valid code",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The small wave with no transcript on its page, and with a page for each session."""
    folder = tmp_path_factory.mktemp("taken")
    sessions = {name: session_lines(records) for name, records in SESSIONS.items()}
    wave, transcripts = derived_from(write_folder(folder / "wave", WAVE, sessions))
    (folder / "bare.html").write_text(page_of(wave, transcripts, transcript_chars=0))
    causes = asked(every_fate(), published=True)
    (folder / "model.html").write_text(page_of(causes, MODEL_TALK, transcript_chars=0))
    write_site(wave, transcripts, folder / "site")
    long = manifest(
        personas=[persona("Ana")],
        goals=[goal("g1")],
        runs=[run("r1", "g1", "Ana")],
        slots=[slot("s1", "r1")],
    )
    talk = (
        user(),
        call(tool="run_code", args=GIVEN),
        result(value="no: ```` is not code", isError=True),
        assistant(index=1),
    )
    written = write_folder(folder / "long", long, {"s1": session_lines(talk)})
    (folder / "long.html").write_text(page_of(*derived_from(written)))
    nameless = {**long, "goals": [goal("g1", GOAL_UNRECORDED)]}
    written = write_folder(folder / "nameless", nameless, {"s1": session_lines(talk)})
    (folder / "nameless.html").write_text(page_of(*derived_from(written)))
    return {
        "nameless": folder / "nameless.html",
        "bare": folder / "bare.html",
        "model": folder / "model.html",
        "long": folder / "long.html",
        "site": folder / "site/index.html",
        "own": folder / "site/pages/s-s1.html",
    }


def taken(page: Any, button: Any) -> list[str]:
    page.evaluate(f"window.taken = undefined; {TAKE}")
    button.click()
    page.wait_for_function("window.taken !== undefined")
    text: str = page.evaluate("window.taken")
    return text.split("\n")


def lost(lines: list[str], *wanted: str) -> list[str]:
    """What no line begins with, of lines that stand in this order."""
    left = iter(lines)
    return [one for one in wanted if not any(line.startswith(one) for line in left)]


def of_session(page: Any) -> Any:
    return page.locator(".acts").get_by_role("button", name="Copy for an issue")


def of_row(page: Any, session_id: str) -> Any:
    row = page.locator("#list tr[data-k]").filter(has=page.get_by_role("link", name=session_id))
    return row.get_by_role("button", name="Copy")


def test_a_session_is_taken_with_what_it_failed_at_and_where_the_rest_is(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"], "session.s1").page
    lines = taken(page, of_session(page))
    assert lines[:3] == ["### Session `s1`: frustrated", "", "```text"]
    assert lines[-2:] == ["```", ""]
    assert not lost(
        lines,
        "Goal: Place a hold",
        "Persona: Ana",
        "Ran on Browser host",
        "Outcome: Frustrated",
        "First failed link: response, because",
        "Verdict: failed: ",
        "Judge: goal not met",
        "Check: did not hold: A hold was placed",
        "File: sessions/s1.jsonl",
        *CALL,
        "Cited",
        "From the report of: Small desk",
        "The whole transcript: small.html#session.s1",
    )
    # Each call and turn once, and nothing that is not on the page.
    assert len([line for line in lines if line.startswith("c2 ")]) == 1
    whole = " ".join(page.locator("main").evaluate("one => one.textContent").split())
    said = [line.split(": ", 1)[1] for line in lines if line.startswith(("Verdict: ", "Judge: "))]
    assert said
    assert all(line in whole for line in said)


def test_a_session_without_a_goal_is_taken_as_one(visit: Any, made: dict[str, Path]) -> None:
    lines = taken(page := visit(made["nameless"], "session.s1").page, of_session(page))
    assert not lost(lines, f"Goal: {GOAL_UNRECORDED}", "Persona: Ana", "Ran on Host t1")
    assert "Persona: Ana" in lines


@pytest.mark.parametrize("width", [360, 1280])
def test_a_row_gives_the_same_as_its_session(
    width: int, visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"], "session.s1", width=width).page
    whole = taken(page, of_session(page))
    assert taken(page, of_row(page, "s1")) == whole
    # Those who cannot see the button change hear of it.
    assert page.locator("body > [role=status]").inner_text() == "Copied"
    page.wait_for_timeout(2_100)
    assert of_row(page, "s1").inner_text() == "Copy"
    assert page.locator("body > [role=status]").inner_text() == ""
    # Only sessions that missed their goal are taken.
    rows = page.locator("#list tr[data-k]")
    offered = [rows.nth(at).locator(".cp").count() for at in range(rows.count())]
    failed = [rows.nth(at).locator("td b").locator("..").get_attribute("class") for at in range(5)]
    assert offered == [int(one == "nb fail") for one in failed]


def test_a_goal_gives_its_first_failed_session(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["small"], "session.s1").page
    whole = taken(page, of_session(page))
    run = page.locator("[id='run.ana-hold']")
    assert taken(page, run.get_by_role("button", name="Copy failed session")) == whole
    met = page.locator("[id='run.ben-hold']")
    met.evaluate("one => { one.open = true }")
    met.get_by_role("button", name="Copy link").wait_for()
    assert met.get_by_role("button", name="failed session").count() == 0


def test_a_row_without_a_transcript_gives_what_the_page_says_of_it(
    visit: Any, made: dict[str, Path]
) -> None:
    page = visit(made["bare"], "sessions").page
    lines = taken(page, of_row(page, "s1"))
    assert not lost(
        lines,
        "### Session `s1`: frustrated",
        "Goal: Place a hold",
        "Persona: Ana",
        "Target: Browser host",
        "First failed link: Response",
        "Outcome, attempt: Frustrated; ran to its end, 1 turn",
        "Verdict and its reason: failed: ",
        "Chain: connection passed",
        "Of the sessions of its goal, this one among them:",
        "Recorded: A tool errored",
        "From the report of: Small desk",
        "This file carries",
        "bare.html#session.s1",
    )
    # Its call is not on the page, so it is not in what is taken.
    assert not any("Dockside" in line for line in lines)
    assert not any("s5" in line for line in lines)


def test_a_row_of_a_site_says_where_its_page_is(visit: Any, made: dict[str, Path]) -> None:
    page = visit(made["site"], "sessions?disp=not%20met").page
    lines = taken(page, of_row(page, "s1"))
    assert not lost(
        lines, "First failed link: Response", "Its transcript stands in pages/s-s1.html#"
    )
    assert not any("disp=" in line for line in lines)
    own = visit(made["own"]).page
    lines = taken(own, of_session(own))
    assert not lost(lines, "Goal: Place a hold", *CALL, "The whole transcript: pages/s-s1.html#")


def test_what_a_model_wrote_is_marked_in_what_is_taken(visit: Any, made: dict[str, Path]) -> None:
    page = visit(made["model"], "sessions").page
    button = page.locator("#list .cp").first
    lines = taken(page, button)
    words = page.locator("#goals .mw").first.evaluate("one => one.childNodes[1].data").strip()
    said = next(line for line in lines if words in line)
    assert f"Model’s words: “{words}”" in said  # noqa: RUF001  as it is set


def test_recorded_words_cannot_end_their_fence(visit: Any, made: dict[str, Path]) -> None:
    page = visit(made["long"], "session.s1").page
    lines = taken(page, of_session(page))
    assert lines[2] == "`````text"
    assert lines[-2] == "`````"


def test_what_cannot_be_copied_stands_in_the_row_to_be_taken(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"], "sessions", width=360).page
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.evaluate("document.execCommand = () => false")
    of_row(page, "s1").click()
    field = page.locator("#list").get_by_label("Text to copy")
    assert field.input_value().startswith("### Session `s1`")
    assert page.evaluate("getSelection().toString() || document.activeElement.value")
    assert violations(page) == []
    assert fits(page)


@pytest.mark.parametrize("name", ["small", "dense"])
def test_what_a_row_offers_is_no_recorded_word(
    name: str, visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages[name]).page
    page.locator("#list .cp").first.wait_for()
    page.locator("#sessions .filt").get_by_role("searchbox").fill("copy")
    page.locator("#sessions .filt output").filter(has_text="none matches").wait_for()


def test_rows_that_come_later_offer_it_too(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["dense"]).page
    page.get_by_role("button", name="Show 80 more of 80").click()
    assert page.locator("#list .cp").count() == 80
    lines = taken(page, of_row(page, "s59-0"))
    assert not lost(lines, "### Session `s59-0`", "The end")
    assert any("shelfmark118" in line for line in lines)


@pytest.mark.parametrize("name", ["long", "own"])
def test_the_arguments_of_a_failed_call_are_taken_as_json(
    name: str, visit: Any, made: dict[str, Path]
) -> None:
    page = visit(made[name], "session.s1" if name == "long" else "").page
    fold = page.locator(".call:has(.fail) > .fold")
    fold.locator("summary").click()
    lines = taken(page, fold.get_by_role("button", name="Copy arguments"))
    given = GIVEN if name == "long" else {"id": "b1", "branch": "Dockside"}
    assert json.loads("\n".join(lines)) == given
    # Without scripts they stand there all the same.
    page = visit(made[name], java_script_enabled=False).page
    page.locator(".call:has(.fail) > .fold > pre b", has_text="Arguments").wait_for(
        state="attached"
    )
