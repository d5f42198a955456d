import base64
import io
import os
import re
import socket
import subprocess
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import pikepdf
import pytest
from processes import children

from reporter.errors import RenderError
from reporter.render import pdf_process
from reporter.render.pdf_child import MISSING_NOTE, OUT_OF_MEMORY, missing_note, spelled_out
from reporter.render.pdf_process import RenderedPdf, render_in_child

NOON = datetime(2026, 3, 12, 12, tzinfo=UTC)


def page(body: str) -> str:
    return f'<!doctype html><html lang="en"><title>Test</title><body><h1>Test</h1>{body}</html>'


def made(body: str, *, timeout_s: float = 60, memory_mb: int = 1024) -> RenderedPdf:
    return render_in_child(page(body), created=NOON, timeout_s=timeout_s, memory_mb=memory_mb)


def text_of(pdf: RenderedPdf) -> str:
    ran = subprocess.run(
        ["pdftotext", "-", "-"], input=pdf.content, capture_output=True, check=True
    )
    return ran.stdout.decode()


def test_a_page_comes_back_as_a_tagged_pdf_with_its_number_of_pages() -> None:
    pdf = made('<p style="break-after: page">first</p><p>second</p>')
    assert pdf.pages == 2
    assert pdf.spelled_out == ()
    with pikepdf.open(io.BytesIO(pdf.content)) as read:
        assert len(read.pages) == 2
        assert read.Root.Lang == "en"
        assert "/StructTreeRoot" in read.Root


def test_two_processes_make_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    first = made("<p>the same <b>words</b>, <i>twice</i></p>")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert made("<p>the same <b>words</b>, <i>twice</i></p>").content == first.content


@pytest.mark.parametrize(
    "body",
    [
        '<img src="file:///etc/hostname">',
        '<img src="https://example.org/x.png">',
        '<link rel="stylesheet" href="http://127.0.0.1:9/x.css">',
        '<style>@import "ftp://example.org/x.css";</style>',
        "<style>@font-face { font-family: x; src: url(https://example.org/x.woff) }</style>",
        '<p style="background: url(HTTPS://example.org/x.png)">x</p>',
        '<object data="file:///etc/hostname"></object>',
    ],
)
def test_nothing_is_fetched(body: str) -> None:
    with pytest.raises(RenderError, match=r"more than it holds"):
        made(body)


def test_a_drawing_that_names_another_file_reaches_nobody() -> None:
    # WeasyPrint leaves such a part of a drawing out instead of failing.
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        there = f"http://127.0.0.1:{server.getsockname()[1]}/x.svg"
        parts = f'<image href="{there}" width="9" height="9"/><use href="{there}#a"/>'
        made(f'<svg width="20" height="20">{parts}</svg>')
        with pytest.raises(TimeoutError):
            server.accept()


def test_what_the_page_holds_itself_is_drawn() -> None:
    dot = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"
    assert made(f'<img alt="dot" src="{dot}">').pages == 1


def test_a_rendering_that_takes_too_long_is_killed() -> None:
    before = children()
    began = time.monotonic()
    with pytest.raises(RenderError, match=r"the PDF took longer than 1\.5 s.*--pdf-timeout"):
        made("<table>" + "<tr><td>x<td>y</tr>" * 60_000 + "</table>", timeout_s=1.5)
    assert time.monotonic() - began < 20
    assert children() == before


def test_a_rendering_that_needs_too_much_memory_ends() -> None:
    before = children()
    with pytest.raises(RenderError, match=r"more than 150 MB of memory.*--pdf-evidence none"):
        made("<p>" + "word " * 10 + "</p>" * 1 + "<p>x</p>" * 60_000, memory_mb=150)
    assert children() == before


FONT = Path("/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf")


@pytest.mark.skipif(not FONT.exists(), reason="needs the Debian package fonts-liberation")
@pytest.mark.parametrize(("timeout_s", "pages"), [(60.0, 1), (3.0, 0)])
def test_nothing_stays_in_the_temporary_folder(
    timeout_s: float, pages: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    data = base64.b64encode(FONT.read_bytes()).decode()
    face = f"@font-face {{ font-family: own; src: url(data:font/ttf;base64,{data}) }}"
    body = f"<style>{face} p {{ font-family: own }}</style><p>x</p>"
    if pages:
        pdf = made(body, timeout_s=timeout_s)
        assert pdf.pages == pages
        with pikepdf.open(io.BytesIO(pdf.content)) as read:
            fonts = read.pages[0].Resources.Font
            assert any("own" in str(fonts[one].BaseFont) for one in fonts.keys())  # noqa: SIM118  a PDF's dictionary has keys and no order
    else:
        with pytest.raises(RenderError, match="took longer"):
            made(body + "<p>x</p>" * 60_000, timeout_s=timeout_s)
    assert list(tmp_path.iterdir()) == []


def test_a_place_without_a_temporary_folder_gets_its_paper_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere/at/all")
    assert made("<p>x</p>").pages == 1


def test_parent_and_child_agree_on_the_word_for_it() -> None:
    assert pdf_process._OUT_OF_MEMORY == OUT_OF_MEMORY


def test_a_child_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_process, "_CHILD", "reporter.render.no_such_module")
    with pytest.raises(RenderError, match=r"No module named .*--format html,json"):
        made("<p>x</p>")


def test_a_library_in_the_current_folder_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "weasyprint.py").write_text("raise SystemExit('taken over')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert made("<p>x</p>").pages == 1


def test_the_child_is_told_nothing_of_the_callers_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "s")
    environment = pdf_process._environment(NOON)
    assert "AWS_SECRET_ACCESS_KEY" not in environment
    assert environment["SOURCE_DATE_EPOCH"] == str(int(NOON.timestamp()))
    assert os.environ["PATH"] == environment["PATH"]


def test_characters_without_a_glyph_stand_as_their_code_points() -> None:
    pdf = made(f"{MISSING_NOTE}<p>before \U000f0000 after</p>")
    assert pdf.spelled_out == ("U+F0000",)
    text = text_of(pdf)
    assert "before [U+F0000] after" in text
    assert re.search(r"No font on the machine .* 1 character .*U\+F0000", " ".join(text.split()))


def test_a_page_whose_characters_can_all_be_drawn_carries_no_note() -> None:
    text = text_of(made(f"{MISSING_NOTE}<p>naïve ½ → ✓</p>"))
    assert "No font" not in text
    assert "naïve ½ → ✓" in text


def test_many_missing_characters_are_counted_and_not_all_named() -> None:
    characters = {chr(0xF0000 + number) for number in range(40)}
    assert "40 different characters" in missing_note(characters)
    assert "and 28 more" in missing_note(characters)
    assert spelled_out("a\U000f0001", characters) == "a[U+F0001]"


LETTERS = ("Ελληνικά", "Жук", "שלום", "مرحبا", "नमस्ते", "สวัสดี")
"""Words that the fonts of the packages named in the README can draw."""
OTHERS = ("中文字", "日本語", "한국어", "\U0001f600", "\U0001f469")


@pytest.mark.parametrize("words", OTHERS)
def test_words_come_out_or_are_spelled_out(words: str) -> None:
    pdf = made(f"{MISSING_NOTE}<p>before {words} after</p>")
    text = text_of(pdf)
    for one in words:
        code = f"U+{ord(one):04X}"
        assert (f"[{code}]" if code in pdf.spelled_out else one) in text
    assert ("No font" in text) == bool(pdf.spelled_out)


def test_what_the_usual_fonts_hold_is_never_spelled_out() -> None:
    pdf = made("".join(f"<p>{words}</p>" for words in LETTERS))
    assert pdf.spelled_out == ()
    assert set("".join(LETTERS)) - set(text_of(pdf)) == set()
