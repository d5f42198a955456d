import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from builders import assistant, call, result, user
from finding_waves import chain, facts_of, failed_checks, idle, reported, signals, some_wave
from hypothesis import HealthCheck, given, settings
from report_waves import (
    Page,
    dead_links,
    nothing,
    page_of,
    parsed,
    published,
    repeated,
    report_of,
    transcripts_of,
    wave_of,
)

from reporter.models.facts import CallFact, SessionFacts
from reporter.models.plan import Plan
from reporter.models.wave import DerivedWave
from reporter.render.environment import template_root
from reporter.render.html import page_assets, render_html
from reporter.vocabulary import Disposition, Lifecycle, Signal, Stage


def some_facts() -> list[SessionFacts]:
    """A few sessions of most kinds."""
    return [
        facts_of(
            "s1",
            Disposition.BLOCKED_BY_RESPONSE,
            chain=chain(Stage.RESPONSE, [Stage.CONNECTION, Stage.CALL]),
            tool_calls=(CallFact("c1", "pay_fine", 0, error="isError", error_text="No."),),
            **signals(Signal.TOOL_ERRORED),
            **failed_checks("check:1"),
            **reported(),
        ),
        facts_of("s2", Disposition.GOAL_MET, persona_name="Ben", run_id="r2"),
        facts_of("s3", Disposition.NOT_MEASURED, run_id="r3", target_id="t2", goal_id="g2"),
        idle("s4", Lifecycle.LIMITED, run_id="r3", target_id="t2", goal_id="g2"),
    ]


RECORDS = {
    "s1": (user("Pay my fine."), call("c1", "pay_fine"), result("c1", "No.", isError=True)),
    "s2": (user(), assistant("**Done**, see [the desk](https://desk.example).")),
    "s3": (user(), assistant("Nobody knows.")),
}


@pytest.fixture(scope="module")
def page() -> Page:
    return parsed(page_of(wave_of(some_facts()), transcripts_of(dict(RECORDS))))


def test_every_id_is_unique(page: Page) -> None:
    assert repeated(page.ids()) == []


def test_every_link_lands_inside_the_page(page: Page) -> None:
    assert dead_links(page) == []


def test_there_is_one_heading_of_the_first_level(page: Page) -> None:
    assert len(page.named("h1")) == 1


def test_headings_never_skip_a_level(page: Page) -> None:
    levels = [int(one.tag[1]) for one in page.elements if re.fullmatch(r"h[1-6]", one.tag)]
    assert all(below <= above + 1 for above, below in pairwise(levels))


def test_every_table_has_a_caption_or_stands_in_a_titled_figure(page: Page) -> None:
    assert len(page.named("table")) == len(page.named("caption")) + 1


def test_nothing_loads(page: Page) -> None:
    loading = {"src", "srcset", "data", "poster", "action", "background", "formaction"}
    assert not [one for one in page.elements if loading & one.attributes.keys()]
    assert not [one.tag for one in page.elements if one.tag in {"link", "img", "iframe", "object"}]
    styles = page.named("style")
    assert len(styles) == 1
    assert "url(" not in styles[0].text.replace("url(#hatch)", "")
    assert "@import" not in styles[0].text


def test_no_attribute_is_a_style_or_a_handler(page: Page) -> None:
    """The policy would block both, so either would be lost silently."""
    bad = [
        name
        for one in page.elements
        for name in one.attributes
        if name == "style" or name.startswith("on")
    ]
    assert bad == []


def test_the_policy_allows_what_the_page_embeds_and_nothing_else(page: Page) -> None:
    policies = [
        one.attributes.get("content")
        for one in page.named("meta")
        if one.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policies == [page_assets().policy]
    assert policies[0] is not None
    assert policies[0].startswith("default-src 'none'; ")
    assert policies[0].count("sha256-") == 3
    scripts = [one for one in page.named("script") if not one.attributes.get("type")]
    assert [one.text for one in scripts] == [page_assets().theme, page_assets().script]
    assert page.named("style")[0].text == page_assets().style


def test_the_findings_document_is_embedded_for_machines() -> None:
    wave = wave_of(some_facts())
    embedded = parsed(page_of(wave)).by_id("findings")
    assert json.loads(embedded.text) == wave.document


def test_the_same_view_gives_the_same_bytes() -> None:
    reader = transcripts_of(dict(RECORDS))
    assert page_of(wave_of(some_facts()), reader) == page_of(wave_of(some_facts()), reader)


def test_a_report_without_a_model_says_that_nothing_was_sent(page: Page) -> None:
    assert "No model was used; nothing was sent." in page.text


INLINE = r"(?:</?(?:a|b|i|em|strong|span|small|code|svg|use)\b[^>]*>)+"


def test_words_stand_apart_where_styles_are_blocked() -> None:
    body = page_of(wave_of(some_facts()), transcripts_of(dict(RECORDS))).partition("<body>")[2]
    body = re.sub(r"<(style|script)\b.*?</\1>", "", body, flags=re.DOTALL)
    assert re.findall(rf"[\w.:;,”)]{INLINE}[\w“]", body) == []


def test_a_cell_of_one_session_says_its_outcome_once() -> None:
    facts = [
        facts_of("s1", Disposition.GOAL_MISSED, persona_name="Ana", run_id="r1"),
        facts_of("s2", Disposition.GOAL_MET, persona_name="Ben", run_id="r2", target_id="t2"),
    ]
    matrix = page_of(wave_of(facts)).partition('id="matrix"')[2].partition("</section>")[0]
    cells = matrix.partition("<tbody")[2].split("<td")[1:]
    assert [cell.count("Stalled") for cell in cells] == [1, 0]
    assert "t2" in cells[1]


def test_every_coverage_note_stands_in_the_page() -> None:
    wave = wave_of(some_facts())
    text = parsed(page_of(wave)).text.lower()
    assert wave.findings.coverage_notes
    for note in wave.findings.coverage_notes:
        assert note.label.lower() in text


def test_every_finding_has_a_place(page: Page) -> None:
    findings = wave_of(some_facts()).findings
    assert len([one for one in page.ids() if one.startswith("finding.")]) == len(findings.rows)


def test_sections_stand_in_order(page: Page) -> None:
    found = [one.attributes.get("id") for one in page.named("section")]
    assert found == [
        "summary",
        "matrix",
        "causes",
        "goals",
        "recorded",
        "funnel",
        "targets",
        "checks",
        "sessions",
        "verification",
        "integrity",
        "words",
        "provenance",
    ]


def test_the_page_is_written_while_it_is_rendered() -> None:
    read: list[str] = []

    def transcript(session_id: str) -> None:
        read.append(session_id)

    pieces = render_html(report_of(wave_of(some_facts())), transcript)
    next(pieces)
    assert read != ["s1", "s2", "s3"]
    assert "".join(pieces)
    assert read == ["s1", "s2", "s3"]


def test_no_template_marks_text_as_safe() -> None:
    names = [path.name for path in Path(str(template_root())).rglob("*.html")]
    assert len(names) > 20
    for path in Path(str(template_root())).rglob("*.html"):
        assert not re.search(r"\|\s*safe\b", path.read_text(encoding="utf-8")), path.name


@given(some_wave())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_wave_makes_a_page_whose_ids_are_unique_and_whose_links_land(
    drawn: tuple[Plan, list[SessionFacts]],
) -> None:
    plan, facts = drawn
    page = parsed(page_of(wave_of(facts, plan)))
    assert repeated(page.ids()) == []
    assert dead_links(page) == []
    assert "Undefined" not in page.text


@given(some_wave())
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_published_document_makes_a_page_without_a_recording(
    drawn: tuple[Plan, list[SessionFacts]],
) -> None:
    plan, facts = drawn
    findings = wave_of(facts, plan).findings
    page = parsed(page_of(published(findings)))
    assert repeated(page.ids()) == []
    assert dead_links(page) == []
    assert "came without its recording" in page.text
    # How sessions are laid out is nothing to say where there is none.
    assert "One page" not in page.text


def test_a_wave_of_no_session_makes_a_page() -> None:
    page = parsed(page_of(wave_of([])))
    assert "Not launched" in page.text
    assert dead_links(page) == []


@pytest.mark.parametrize("budget", [0, 5_000, 10_000])
def test_links_land_whatever_transcripts_are_left_out(budget: int) -> None:
    wave = wave_of(some_facts())
    page = parsed(page_of(wave, transcripts_of(dict(RECORDS)), transcript_chars=budget))
    assert dead_links(page) == []
    assert repeated(page.ids()) == []
    carried = len([one for one in page.named("details") if one.attributes.get("class") == "tx"])
    assert carried == min(3, budget // 4_000)


def test_a_session_of_a_lost_file_keeps_its_place() -> None:
    page = parsed(page_of(wave_of(some_facts()), nothing))
    assert "No file of this session was recorded." in page.text
    assert dead_links(page) == []


def wave_without_plan() -> DerivedWave:
    return published(wave_of(some_facts()).findings, job={"status": "failed", "errorCode": "x"})


def test_a_published_document_says_what_became_of_its_job() -> None:
    assert "The findings job failed" in parsed(page_of(wave_without_plan())).text
