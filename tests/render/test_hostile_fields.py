"""Every field in which a recording may hold a text is hostile, and the page is the same page.

Which fields there are is asked of the models, not of a list.
"""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hostile import HARMLESS, TEXTS, hostile_document, hostile_wave, text_fields
from model_waves import hostile_work
from report_waves import NOW, Page, dead_links, derived_from, page_of, parsed, repeated, report_of

from reporter.cli import main
from reporter.models.wave import DerivedWave, Transcripts
from reporter.render.assets import page_assets
from reporter.render.html import render_session
from reporter.render.pdf import print_page, write_pdf
from reporter.view.report import build_report
from reporter.view.terminal import summary_lines
from reporter.view.text import clean

ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Characters that act where they stand, or hide in a name."""
ISOLATED = re.compile(
    "\u2068([^\u2066-\u2069]*[\u05d0-\u05ea\u0620-\u06ff][^\u2066-\u2069]*)\u2069"
)
"""Words that run from the right, kept apart from the sentence that they stand in."""
OF_MARKDOWN = {
    *("em", "strong", "s", "code", "hr", "blockquote", "h1", "p", "br", "span", "div"),
    *("ul", "ol", "li", "table", "thead", "tbody", "tr", "td", "th"),
    # The source of a message that was set otherwise, and what is left out of a long one.
    *("details", "summary", "pre", "small"),
}
OF_ITS_ATTRIBUTES = {("table", "role"), ("td", "class"), ("th", "scope"), ("ol", "start")}
EVERYTHING = " ".join(text for name, text in TEXTS.items() if name not in {"long", "surrogate"})


def derived(text: str, folder: Path) -> tuple[DerivedWave, Transcripts]:
    return derived_from(hostile_wave(text).write(folder / "wave"))


def skeleton(page: Page) -> set[tuple[str, str]]:
    """Every element of a page with every attribute it has, by name."""
    found = {(one.tag, name) for one in page.elements for name in ("", *one.attributes)}
    return found - {(tag, "") for tag in OF_MARKDOWN} - OF_ITS_ATTRIBUTES


def classes(page: Page) -> set[str]:
    found = {name for one in page.elements for name in (one.attributes.get("class") or "").split()}
    return found - {"ad", "ln", "hd", "th", "raw", "fin", "as", "long", "tall", "ca", "cut"}


@pytest.fixture(scope="session")
def harmless(tmp_path_factory: pytest.TempPathFactory) -> Page:
    return parsed(page_of(*derived(HARMLESS, tmp_path_factory.mktemp("harmless"))))


@cache
def not_free() -> set[str]:
    """Fields that hold no text of somebody's, though their type would let them."""
    return {
        # A session is named by letters, digits and a few marks (recording.md section 2).
        *(name for name in text_fields() if name.endswith(".session_id")),
        # A name inside the recording's folder; anything else is refused.
        "CatalogEntry.path",
        # Planted by hand, on the message that answers a call.
        "Message.tool_call_id",
    }


def test_every_field_that_may_hold_a_text_holds_a_canary() -> None:
    planted = hostile_wave(HARMLESS).planted
    assert text_fields() - set(planted) == not_free()
    assert len(set(planted.values())) > 180


def test_the_fields_that_people_read_reach_the_page(harmless: Page) -> None:
    planted = hostile_wave(HARMLESS).planted
    shown = {name for name, canary in planted.items() if canary in harmless.text}
    assert {
        *("Manifest.swarm_name", "Goal.title", "Goal.goal", "Persona.name", "Persona.role"),
        *("Target.label", "Target.model_id", "Criterion.label", "CriterionResult.reason"),
        *("Attempt.error_code", "Attempt.error_message", "ToolCall.tool_name", "ToolCall.args"),
        *("ToolResult.result", "TextPart.text", "OtherPart.note", "ImagePart.mime_type"),
        *("Message.content", "GoalJudge.reason", "SelfReport.account", "ErrorRecord.message"),
        *("SessionNotice.message", "ConnectionFailure.message"),
    } <= shown


@pytest.mark.parametrize("name", TEXTS)
def test_the_page_is_the_same_page(name: str, harmless: Page, tmp_path: Path) -> None:
    html = page_of(*derived(TEXTS[name], tmp_path))
    page = parsed(html)
    assert skeleton(page) - skeleton(harmless) == set()
    assert classes(page) - classes(harmless) == set()
    for tag in ("script", "style", "svg", "meta", "title", "form", "iframe", "img", "link"):
        assert len(page.named(tag)) == len(harmless.named(tag)), tag
    assert {link[:1] for link in page.links()} == {"#"}
    assert dead_links(page) == []
    assert repeated(page.ids()) == []
    assert all(re.fullmatch(r"[A-Za-z0-9._~-]+", one) for one in page.ids())
    assert ACTING.search(ISOLATED.sub(r"\1", html)) is None


def session_page(text: str, folder: Path) -> Page:
    wave, transcripts = derived(text, folder)
    report = build_report(wave, generated_at=NOW, layout="site")
    pieces = render_session(report, "s1", transcripts, assets=page_assets(session=True))
    return parsed("".join(pieces))


def paper(text: str, folder: Path) -> Page:
    wave, transcripts = derived(text, folder)
    html = print_page(report_of(wave), evidence="all", transcripts=transcripts)
    assert ACTING.search(ISOLATED.sub(r"\1", html)) is None
    return parsed(html)


def published_page(text: str, folder: Path) -> Page:
    folder.mkdir(exist_ok=True)
    wave, transcripts = derived_from(hostile_document(text, folder / "findings.json"))
    wave = replace(wave, provenance=replace(wave.provenance, input_name=clean(text)[:200]))
    html = page_of(wave, transcripts)
    assert ACTING.search(ISOLATED.sub(r"\1", html)) is None
    return parsed(html)


def published_paper(text: str, folder: Path) -> Page:
    folder.mkdir(exist_ok=True)
    wave, transcripts = derived_from(hostile_document(text, folder / "findings.json"))
    return parsed(print_page(report_of(wave), transcripts=transcripts))


def with_work(text: str, folder: Path) -> tuple[DerivedWave, Transcripts]:
    """The hostile wave with what a model made of it, hostile in every text of it too."""
    wave, transcripts = derived(text, folder)
    return replace(wave, phrases=hostile_work(text, ("s1", "s2"))), transcripts


def model_page(text: str, folder: Path) -> Page:
    wave, transcripts = with_work(text, folder)
    html = page_of(wave, transcripts)
    assert ACTING.search(ISOLATED.sub(r"\1", html)) is None
    page = parsed(html)
    assert dead_links(page) == []
    return page


def model_paper(text: str, folder: Path) -> Page:
    wave, transcripts = with_work(text, folder)
    html = print_page(report_of(wave), evidence="cited", transcripts=transcripts)
    assert ACTING.search(ISOLATED.sub(r"\1", html)) is None
    return parsed(html)


@pytest.fixture(
    scope="session",
    params=[session_page, paper, published_page, published_paper, model_page, model_paper],
)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A way to make a page, with the page it makes of harmless words."""
    make = request.param
    return make, make(HARMLESS, tmp_path_factory.mktemp(make.__name__))


@pytest.mark.parametrize("name", TEXTS)
def test_every_other_page_is_the_same_page(name: str, made: Any, tmp_path: Path) -> None:
    make, ours = made
    theirs = make(TEXTS[name], tmp_path / "x")
    assert skeleton(theirs) - skeleton(ours) == set()
    assert classes(theirs) - classes(ours) == set()
    assert len(theirs.named("script")) == len(ours.named("script"))
    assert repeated(theirs.ids()) == []
    leading = re.compile(r"#|$|\.\./index\.html(?:#[A-Za-z0-9._~-]*)?$|[A-Za-z0-9._~-]+\.html$")
    assert [link for link in theirs.links() if not leading.match(link)] == []


def test_a_pdf_of_everything_is_made_and_bounded(tmp_path: Path) -> None:
    wave, transcripts = derived(EVERYTHING, tmp_path)
    target = tmp_path / "report.pdf"
    made = write_pdf(report_of(wave), target, evidence="cited", transcripts=transcripts)
    assert target.read_bytes().startswith(b"%PDF-")
    assert b"/JavaScript" not in target.read_bytes()
    assert b"/URI" not in target.read_bytes()
    assert 3 <= made.pages <= 60


@pytest.mark.parametrize("name", TEXTS)
def test_a_terminal_is_told_words_only(name: str, tmp_path: Path) -> None:
    folder = hostile_wave(TEXTS[name]).write(tmp_path / "wave")
    for arguments in (
        ["report", str(folder), "-o", str(tmp_path / "out"), "--format", "html"],
        ["check", str(folder)],
    ):
        result = CliRunner().invoke(main, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        said = result.stdout + result.stderr
        assert said
        assert ACTING.search(said) is None
        assert "Traceback" not in said


@pytest.mark.parametrize("depth", [30, 190, 900, 20_000])
def test_very_deep_json_costs_its_own_place_at_most(depth: int, tmp_path: Path) -> None:
    whole = hostile_wave(HARMLESS)
    call = next(one for one in whole.records if one["type"] == "tool_call")
    folder = whole.write(tmp_path / "wave")
    file = folder / "sessions" / "s1.jsonl"
    nested = "[" * depth + "]" * depth
    lines = file.read_text(encoding="ascii").splitlines()
    at = next(i for i, line in enumerate(lines) if '"type": "tool_call"' in line)
    lines[at] = lines[at].replace('"args": {', f'"args": {{"deep": {nested}, ', 1)
    file.write_text("\n".join(lines) + "\n", encoding="ascii")
    wave, transcripts = derived_from(folder)
    page = parsed(page_of(wave, transcripts))
    assert [fact.started for fact in wave.facts] == [True, False]
    assert "plain words" in page.by_id("session.s1").text
    assert call["toolName"] in page.text or any(
        "line" in one.place for fact in wave.facts for one in fact.problems
    )


def test_what_a_model_wrote_without_end_is_bounded_and_masked(tmp_path: Path) -> None:
    wave, transcripts = derived(HARMLESS, tmp_path)
    before = len(page_of(wave, transcripts))
    secret = "ghp_" + "a1" * 20
    long = f"{secret} {'w' * 1_000_000}"
    made = replace(wave, phrases=hostile_work(long, ("s1", "s2")))
    html = page_of(made, transcripts)
    paper = print_page(report_of(made), transcripts=transcripts)
    assert len(html) - before < 200_000
    assert len(paper) < 400_000
    for text in (html, paper, *summary_lines(made)):
        assert secret not in text
    assert "[redacted]" in parsed(html).by_id("verification").text


def test_a_word_of_a_million_letters_is_bounded_on_the_page(tmp_path: Path) -> None:
    whole = hostile_wave(HARMLESS)
    long: dict[str, Any] = {
        "message": {"content": "w" * 1_000_000},
        "tool_call": {"args": {"w" * 1_000_000: "v" * 1_000_000}},
        "tool_result": {"result": {"w" * 1_000_000: "v" * 1_000_000}},
        "error": {"message": "w" * 1_000_000},
        "self_report": {"account": "w" * 1_000_000},
        "goal_judge": {"reason": "w" * 1_000_000},
    }
    for record in whole.records:
        record.update(long.pop(record["type"], {}))
    assert long == {}
    html = page_of(*derived_from(whole.write(tmp_path / "wave")))
    document = parsed(html).by_id("findings").text
    assert len(html) - len(document) < 500_000
    assert "characters left out" in html
