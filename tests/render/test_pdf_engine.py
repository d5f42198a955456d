import ctypes.util
import io
import logging
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pydyf  # type: ignore[import-untyped]  # it has no stubs
import pytest
from finding_waves import chain, facts_of, failed_checks, reported, signals
from report_waves import derived_from, report_of, wave_of
from shared import ROOT
from weasyprint import document  # type: ignore[import-untyped]  # it has no stubs
from weasyprint.pdf.stream import Stream  # type: ignore[import-untyped]  # it has no stubs

from reporter.render import pdf_child, pdf_engine, pdf_memory
from reporter.render.pdf import print_page
from reporter.render.pdf_engine import parsed_as_xml, render_page
from reporter.vocabulary import Disposition, Signal, Stage

EXAMPLE = ROOT / "examples" / "lending-desk" / "wave"
HEAD = '<!doctype html><html lang="en"><head><title>Test</title></head>'

HARD = (
    "a < b & c > d \"e\" 'f' ]]> <!-- -- --> &amp; &ensp; <br>",
    "<![CDATA[ x ]]> <!DOCTYPE html [<!ENTITY x 'y'>]> &x; <?xml?>",
    "  two  spaces\tand a tab\r\n\nlines  ",
    "<svg><title>t</title></svg> <style>p { display: none }</style>",
)


def hard_page() -> str:
    facts = [
        facts_of(
            f"s{number}",
            Disposition.BLOCKED_BY_RESPONSE,
            run_id=f"r{number}",
            goal_id=f"g{number}",
            goal_title=text,
            persona_name=text,
            chain=chain(Stage.RESPONSE, [Stage.CONNECTION]),
            **signals(Signal.TOOL_ERRORED),
            **failed_checks(text),
            **reported(text, text),
        )
        for number, text in enumerate(HARD)
    ]
    return print_page(report_of(wave_of(facts)))


def example_page() -> str:
    wave, transcripts = derived_from(EXAMPLE)
    return print_page(report_of(wave), transcripts=transcripts)


def unusual_page(sheet: str, body: str) -> str:
    style = f"@page {{ size: 400px 300px; margin: 40px; @top-left {{ content: 'x' }} }} {sheet}"
    words = "<p>" + "word <b>bold</b> " * 60 + "</p>"
    return HEAD.replace("</head>", f"<style>{style}</style></head>") + (
        f"<body>{body}{words}{body}{words}<ol><li>one</li><li>two</li></ol></body></html>"
    )


UNUSUAL = {
    "footnote": unusual_page("em { float: footnote }", "<p>said<em>below</em></p>"),
    "own footnote": unusual_page("", '<p>said<span style="float: footnote">below</span></p>'),
    "escaped footnote": unusual_page(r"em { float: \66ootnote }", "<p>said<em>below</em></p>"),
    "list item": unusual_page("div { display: list-item; margin-left: 30px }", "<div>one</div>"),
    "marker": unusual_page(
        "li::marker { color: #f00; font-weight: bold }", "<ul><li>one</li></ul>"
    ),
    "list": unusual_page("", "<ul><li>one<ul><li>two</li></ul></li></ul>"),
    "running": unusual_page(
        "div { position: running(a) } @page { @top-right { content: element(a) } }",
        "<div>at <b>the</b> head</div>",
    ),
    "fixed": unusual_page("div { position: fixed; right: 0 }", "<div>on <b>all</b> pages</div>"),
    "absolute": unusual_page("div { position: absolute; right: 0 }", "<div>on <b>one</b></div>"),
    "broken image": unusual_page("", '<p><img alt="words" src="data:image/png,x"/></p>'),
    "drawing": unusual_page(
        "",
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>t</title>'
        '<rect width="9" height="9"/></svg>',
    ),
    "float, flex and grid": unusual_page(
        "h2 { float: right } div { display: flex } dl { display: grid }",
        "<h2>one</h2><div><p>two</p><p>three</p></div><dl><dt>four</dt><dd>five</dd></dl>",
    ),
    "links": unusual_page(
        "a::after { content: ' on ' target-counter(attr(href), page) }",
        '<p><a href="#x">there</a></p><p id="x">here</p>'
        "<table><caption>c</caption><thead><tr><th>h</th>"
        '<th colspan="2">i</th></tr></thead><tbody><tr><td>1</td><td>2</td><td>3</td></tr>'
        "</tbody></table>",
    ),
}


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use the library as it is."""
    monkeypatch.setattr(pdf_engine, "parsed_as_xml", lambda _: None)
    monkeypatch.setattr(pdf_engine, "_finished", None)
    monkeypatch.setattr(pydyf, "PDF", pydyf.PDF.__bases__[0])
    monkeypatch.setattr(Stream, "marked", pdf_engine._mark)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    pdf_memory.keep()
    yield
    pdf_memory.spare()


@pytest.mark.parametrize("page", [example_page, hard_page], ids=["example", "hard"])
def test_what_is_left_out_changes_no_byte(
    page: object, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(page)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    html = page()
    assert parsed_as_xml(html) is not None
    quick = render_page(html, "id")
    request.getfixturevalue("plainly")
    assert parsed_as_xml(html) is not None
    assert pdf_engine.parsed_as_xml(html) is None
    assert render_page(html, "id") == quick


@pytest.mark.parametrize("page", UNUSUAL.values(), ids=UNUSUAL)
def test_what_is_forgotten_is_not_asked_for_on_an_unusual_page(
    page: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert parsed_as_xml(page) is not None
    quick = render_page(page, "id")
    assert quick[1] > 1
    request.getfixturevalue("plainly")
    assert render_page(page, "id") == quick


def test_a_report_asks_for_no_style_of_notes() -> None:
    root = parsed_as_xml(example_page())
    assert root is not None
    assert not pdf_memory.makes_notes(root)


@pytest.mark.parametrize("name", ["footnote", "own footnote", "escaped footnote", "list item"])
def test_a_page_that_makes_notes_or_items_is_told(name: str) -> None:
    root = parsed_as_xml(UNUSUAL[name])
    assert root is not None
    assert pdf_memory.makes_notes(root)


def test_an_untried_version_is_used_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_memory, "TRIED", frozenset())
    pdf_memory.keep()
    try:
        pdf_memory.spare()
        assert document.Page.paint is pdf_memory._plain_paint
        assert document.layout_document is pdf_memory._plain_layout
    finally:
        monkeypatch.undo()
        pdf_memory.spare()
    assert document.Page.paint is not pdf_memory._plain_paint


def _faults_of_calls() -> int:
    """Return the pages of memory that calls at every depth of a stack ask for."""

    def nothing() -> None:
        pass

    def call(depth: int) -> None:
        if depth:
            call(depth - 1)
        for _ in range(200):
            nothing()

    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    call(400)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="frames of another interpreter")
def test_no_depth_of_calls_asks_for_memory_again_and_again() -> None:
    assert _faults_of_calls() > 200
    assert pdf_child.in_one_piece(_faults_of_calls) < 150


@pytest.mark.parametrize(
    "page",
    [
        HEAD + "<body><p>one<p>two<br></body></html>",
        HEAD + "<body><p>no entity of XML:&ensp;</p></body></html>",
        HEAD + "<body><p>\x0b</p></body></html>",
        HEAD.replace("</head>", "<style>p::after { content: '&amp;' }</style></head>")
        + "<body><p>x</p></body></html>",
        HEAD.replace("</head>", "<style>p > b { } /* <b></b> */</style></head>")
        + "<body><p>x</p></body></html>",
        '<!DOCTYPE html [<!ENTITY a "b">]><html lang="en"><title>&a;</title></html>',
        '<!doctype html [<!ENTITY a "b">]><html lang="en"><title>&a;</title></html>',
    ],
)
def test_a_page_that_xml_reads_otherwise_is_read_as_html(page: str) -> None:
    assert parsed_as_xml(page) is None
    assert render_page(page, "id")[1] == 1


def test_a_file_names_itself_and_its_state() -> None:
    made, _ = render_page(HEAD + "<body><p>x</p></body></html>", "0123")
    other, _ = render_page(HEAD + "<body><p>y</p></body></html>", "0123")
    with pikepdf.open(io.BytesIO(made)) as one, pikepdf.open(io.BytesIO(other)) as two:
        assert str(one.trailer.ID[0]) == "0123"
        assert one.trailer.ID[0] == two.trailer.ID[0]
        assert one.trailer.ID[1] != two.trailer.ID[1]


def test_every_glyph_of_a_letter_with_marks_stands_for_something() -> None:
    made, _ = render_page(HEAD + "<body><p>Z\u0351\u0322\u0351\u0322</p></body></html>", "0123")
    with pikepdf.open(io.BytesIO(made)) as pdf:
        maps = [
            one.ToUnicode.read_bytes()
            for one in pdf.objects
            if isinstance(one, pikepdf.Dictionary) and "/ToUnicode" in one
        ]
    assert maps
    assert all(b"<>" not in one for one in maps)
    assert any(b"<034f>" in one for one in maps)


SENTENCES = (
    "ที่นี่ ทหาร นก ผู้ใหญ่ ปู่ น้ำ",
    "नमस्ते दुनिया हिन्दी क्षत्रिय स्थिति",
    "বাংলা ভাষা কি",
    "தமிழ் மொழி கொ",
    "ភាសាខ្មែរ",
    "မြန်မာ",
    "Ế ạ̈ Z͑̉ Z",
    "שלום עולם",
    "مرحبا بالعالم",
)
"""Of scripts that the fonts of the packages named in the README can draw."""


@pytest.mark.parametrize("words", SENTENCES)
def test_whole_words_of_any_script_are_found_again(words: str) -> None:
    made, _ = render_page(f"{HEAD}<body><p>{words}</p></body></html>", "id")
    ran = subprocess.run(["pdftotext", "-", "-"], input=made, capture_output=True, check=True)
    # What tells a reader which way a line runs is no part of it.
    assert re.sub("[\u202a-\u202e\f]", "", ran.stdout.decode()).strip() == words


def test_a_line_of_simple_letters_is_told_by_its_glyphs_alone() -> None:
    made, _ = render_page(HEAD + "<body><p>naïve šíje</p></body></html>", "id")
    with pikepdf.open(io.BytesIO(made)) as pdf:
        assert b"ActualText" not in pdf.pages[0].Contents.read_bytes()


def test_libraries_are_searched_for_again_afterwards() -> None:
    assert ctypes.util.find_library is not pdf_engine._found_nowhere


def _rendered(monkeypatch: pytest.MonkeyPatch, body: str) -> tuple[list[str], set[str]]:
    """Return every page that was laid out for a body, and what was spelled out."""
    pages: list[str] = []

    def render(page: str, identifier: str) -> tuple[bytes, int]:
        pages.append(page)
        return render_page(page, identifier)

    monkeypatch.setattr(pdf_child, "render_page", render)
    log = logging.getLogger("weasyprint")
    monkeypatch.setattr(log, "handlers", [])
    _, _, spelled = pdf_child.render(f"{HEAD}<body><p>{body}</p></body></html>")
    return pages, spelled


def test_a_long_report_is_laid_out_once_whatever_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    pages, spelled = _rendered(monkeypatch, "word " * 50 + "\U000f0000 \U000f0001 שלום")
    assert spelled == {"\U000f0000", "\U000f0001"}
    assert [("word" in page) for page in pages] == [False, True]


def test_a_report_of_usual_letters_is_asked_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pages, spelled = _rendered(monkeypatch, "naïve → ½ “quoted” — ž")
    assert spelled == set()
    assert len(pages) == 1


def test_what_the_sample_does_not_show_is_still_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_child, "_sample", lambda _: "")
    pages, spelled = _rendered(monkeypatch, "before \U000f0000 after")
    assert spelled == {"\U000f0000"}
    assert "[U+F0000]" in pages[-1]


def test_every_print_template_writes_elements_that_xml_closes() -> None:
    for path in sorted(Path(ROOT / "templates" / "print").rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        assert "<br>" not in text, path
        assert "&ensp;" not in text, path
