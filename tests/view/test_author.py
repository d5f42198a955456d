"""Words a model wrote are marked wherever they stand, because nothing else can print them."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from finding_waves import facts_of, reported
from model_waves import with_mechanism
from report_waves import nothing, page_of, parsed, report_of, wave_of

from reporter.errors import RenderError
from reporter.render.html import render_html
from reporter.render.pdf import print_page
from reporter.view.author import ModelWords, model_words
from reporter.view.report import ReportView
from reporter.vocabulary import Disposition

PHRASES = ("No tool is named for rooms", "Say room in the name", "could not book")


def made() -> ReportView:
    facts = [
        facts_of("s1", Disposition.GOAL_MISSED, **reported("I gave up.", "It was refused.")),
        facts_of("s2", session_index=1),
    ]
    return report_of(wave_of(facts, findings=with_mechanism(*facts)))


@pytest.mark.parametrize(
    "text",
    [
        "{{ words }}",
        "{{ words ~ '' }}",
        "{{ words | upper }}",
        "{{ [words] | join }}",
        "{{ 'x %s' | format(words) }}",
        "{{ words | e }}",
        "{{ words | string }}",
        "{% set x %}{{ words }}{% endset %}{{ x }}",
    ],
)
def test_no_template_can_print_a_models_words_unmarked(text: str, tmp_path: Path) -> None:
    place = tmp_path / "parts" / "causes.html"
    place.parent.mkdir(parents=True)
    place.write_text("{% set words = report.causes.causes[0].phrase %}\n" + text, encoding="utf-8")
    with pytest.raises(RenderError, match=r"^parts/causes\.html, line 2: .*macro `model`"):
        list(render_html(made(), nothing, [tmp_path]))


def test_none_are_empty() -> None:
    assert not model_words(None)
    assert model_words(" a\n b ") == ModelWords("a b")


def test_on_the_page_each_is_in_italic_and_said_to_be_a_models() -> None:
    page = "".join(render_html(made(), nothing))
    shown = page[page.index("<main>") : page.index('<script type="application/json" id="findings"')]
    italic = re.findall(
        r'<i class="mw"><span class="vh">Model.s words: “</span>'
        r'([^<]*)<span class="vh">”</span></i>',
        shown,
    )
    for phrase in PHRASES:
        assert any(phrase in one for one in italic)
    rest = re.sub(r'<i class="mw">.*?</i>', "", shown)
    for phrase in PHRASES:
        assert phrase not in rest
    assert "The judge:" not in rest


def both_voices(*, account_by_model: bool = False) -> ReportView:
    """A wave in which a judge told of one session and a model of another."""
    facts = [
        facts_of("s1", Disposition.GOAL_MISSED, **reported("I gave up.", "It was refused.")),
        facts_of(
            "s2",
            Disposition.GOAL_MISSED,
            session_index=1,
            **reported("I left.", "The desk said no."),
        ),
    ]
    found = with_mechanism(*facts)
    rows = tuple(
        replace(
            row,
            by_model=row.by_model and row.finding.session_ids == ["s2"],
            account_by_model=account_by_model,
        )
        for row in found.rows
    )
    return report_of(wave_of(facts, findings=replace(found, rows=rows)))


def test_a_judge_and_a_model_may_each_have_told_of_a_session_of_one_wave() -> None:
    page = shown_of(both_voices())
    assert re.search(r"The judge:</span> <q>It was refused\.</q>", page)
    assert re.search(r's words: “</span>The desk said no\.<span class="vh">”</span></i>', page)
    for account in ("I gave up.", "I left."):
        assert f"<q>{account}</q>" in page
    assert page.count("own account of this one session") == len(("s1", "s2"))
    paper = print_page(both_voices(), evidence="none")
    assert re.search(r"The judge:</span> “It was refused\.”", paper)
    assert '<i class="mw">The desk said no.</i>' in paper
    assert "“I left.”" in paper


def test_an_account_that_a_model_may_have_written_is_set_as_a_models() -> None:
    page = shown_of(both_voices(account_by_model=True))
    assert re.search(r's words: “</span>I left\.<span class="vh">”</span></i></q>', page)
    assert "recorded or written by a model, not verified" in page
    assert "own account of this one session" not in page


def shown_of(report: ReportView) -> str:
    page = "".join(render_html(report, nothing))
    return page[page.index("<main>") : page.index('<script type="application/json" id="findings"')]


def test_on_the_page_italic_is_a_model_speaking_and_nothing_else() -> None:
    assert {one.attributes.get("class") for one in parsed(page_of(wave_of([]))).named("i")} == set()
    page = parsed("".join(render_html(made(), nothing)))
    assert {one.attributes.get("class") for one in page.named("i")} == {"mw"}
    assert page.named("em") == []


def test_on_paper_each_is_said_to_be_a_models_in_words_that_are_seen() -> None:
    page = print_page(made(), evidence="none")
    found = re.findall(
        r"(?:A model.s words:</span> “|in a model.s words</(?:h3|b)>(?:\s*<p class=\"phrase\">)?)"
        r'<i class="mw">([^<]*)</i>',
        page,
    )
    assert len(found) == len(re.findall('<i class="mw">', page))
    for phrase in PHRASES:
        assert any(phrase in one for one in found)
        assert phrase not in re.sub(r'<i class="mw">[^<]*</i>', "", page)


def test_each_cause_is_followed_by_what_it_rests_on() -> None:
    page = parsed("".join(render_html(made(), nothing)))
    cause = page.by_id(made().causes.causes[0].anchor)
    words = re.sub(r"\s+", " ", cause.text)
    after = words.partition("s words: “No tool is named for rooms")[2]
    assert "1 of 2 read sessions" in after
    assert "Cited: s1, message m0" in after
    summary = page.by_id("summary").text
    assert "rest on 1 session" in summary
