import ctypes.util
import io
import logging
import re
import subprocess
from pathlib import Path

import pikepdf
import pydyf  # type: ignore[import-untyped]  # it has no stubs
import pytest
from finding_waves import chain, facts_of, failed_checks, reported, signals
from report_waves import derived_from, report_of, wave_of
from shared import ROOT
from weasyprint.pdf.stream import Stream  # type: ignore[import-untyped]  # it has no stubs

from reporter.render import pdf_child, pdf_engine
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


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the library as it is."""
    monkeypatch.setattr(pdf_engine, "parsed_as_xml", lambda _: None)
    monkeypatch.setattr(pdf_engine, "_finished", None)
    monkeypatch.setattr(pydyf, "PDF", pydyf.PDF.__bases__[0])
    monkeypatch.setattr(Stream, "marked", pdf_engine._mark)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")


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
