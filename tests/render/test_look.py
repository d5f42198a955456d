"""A caller's own templates and theme: what they may change, and how they are refused."""

import base64
import hashlib
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from report_waves import derived_from, report_of
from shared import ROOT

from reporter.cli import main
from reporter.cli.statuses import INPUT_LOST, RENDERING_FAILED, UNREADABLE, WRITTEN
from reporter.errors import RecordingError
from reporter.render.assets import page_assets
from reporter.render.html import render_html
from reporter.render.look import read_look, template_names

EXAMPLE = ROOT / "examples" / "lending-desk" / "wave"
THEME = ROOT / "examples" / "theme"
WHEN = "--generated-at=2026-03-12T10:30:00Z"


def reported(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["report", str(EXAMPLE), WHEN, *map(str, arguments)])


def override(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return folder


def theme_of(folder: Path, text: str) -> Path:
    file = folder / "theme.css"
    file.write_bytes(text.encode())
    return file


def test_the_example_changes_colours_and_the_foot_and_nothing_else(tmp_path: Path) -> None:
    assert reported("-o", tmp_path / "ours", "--format", "html").exit_code in {WRITTEN, INPUT_LOST}
    theirs = reported(
        *("-o", tmp_path / "theirs", "--format", "html"),
        *("--theme", THEME / "theme.css", "--templates", THEME / "templates"),
    )
    assert theirs.exit_code in {WRITTEN, INPUT_LOST}
    page = (tmp_path / "theirs" / "report.html").read_text(encoding="utf-8")
    theme = (THEME / "theme.css").read_text(encoding="utf-8")
    assert theme in page
    added = "<p>Library systems team. Questions about this report: desk 4, weekdays.</p>"
    assert added in page
    ours = (tmp_path / "ours" / "report.html").read_text(encoding="utf-8")
    assert words(page).replace(words(added), "") == words(ours)


def words(page: str) -> str:
    """What stands on a page behind its style, whatever white space its template has."""
    return re.sub(r">\s+<", "><", page[page.find("<body>") + 1 :])


@pytest.mark.parametrize("where", ["embed", "split"])
@pytest.mark.parametrize("session", [False, True])
def test_the_policy_covers_the_theme(where: str, session: bool) -> None:
    theme = ":root { --accent: #123456 }\n"
    assets = page_assets((), where, session=session, theme=theme)  # type: ignore[arg-type]  # one of two
    assert assets.style.endswith(theme)
    digest = base64.b64encode(hashlib.sha256(assets.style.encode()).digest()).decode()
    assert ("style-src 'self'" if where == "split" else f"'sha256-{digest}'") in assets.policy


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("</style><script>alert(1)</script>", 1, "'</'"),
        (":root{}\n/* <!-- */", 2, "'<!--'"),
        (":root{}\n\n@import 'other.css';", 3, "'@import'"),
        ("@IMPORT 'other.css';", 1, "'@IMPORT'"),
        ("a{background:url(x.png)}", 1, "'url('"),
        ("a{background:URL( 'https://evil.example/x' )}", 1, "'URL('"),
        ("a{background:url(data:image/png;base64,AAAA)}", 1, "'url('"),
        ("\na{background:\\75 rl(x)}", 2, "'url('"),
        ("\na{background:\\75\nr\\6c(x)}", 2, "'url('"),
        ("a{background:u\\rl(x)}", 1, "'url('"),
        ("\\40 import 'x'", 1, "'@import'"),
        ("a{background:image-set('x.png' 1x)}", 1, "'image-set('"),
        ("a{background:-webkit-image-set('x.png' 1x)}", 1, "'-webkit-image-set('"),
        ("a{background:src('x.png')}", 1, "'src('"),
        ("a{content:'\0'}", 1, r"'\x00'"),
    ],
)
def test_a_theme_that_loads_or_breaks_out_is_refused_with_its_line(
    text: str, line: int, what: str, tmp_path: Path
) -> None:
    with pytest.raises(RecordingError) as caught:
        read_look(theme=theme_of(tmp_path, text))
    first = caught.value.problems[0]
    assert (first.file, first.place) == ("theme.css", f"line {line}")
    assert what in first.what
    assert first.remedy


@pytest.mark.parametrize(
    "text",
    [
        ":root { --accent: #123456; --curl: 1 }",
        "a::before { content: '\\2014 ' }",
        ".image { color: red } .source { color: blue }",
        "/* curl(1) */ a { width: calc(1px + 2px) }",
        "@media print { :root { --ink: #000 } }",
    ],
)
def test_a_theme_that_only_draws_is_taken(text: str, tmp_path: Path) -> None:
    assert read_look(theme=theme_of(tmp_path, text)).theme == text + "\n"


def test_line_ends_of_any_system_leave_the_policy_true(tmp_path: Path) -> None:
    assert read_look(theme=theme_of(tmp_path, "\ufeffa{}\r\nb{}\r\n")).theme == "a{}\nb{}\n\n"


def test_a_theme_that_is_no_text_says_so(tmp_path: Path) -> None:
    file = tmp_path / "theme.css"
    file.write_bytes(b"a{}\xff")
    result = reported("--theme", file, "-o", tmp_path / "out")
    assert result.exit_code == UNREADABLE
    assert "theme.css: The theme is not UTF-8 text. Save it as UTF-8." in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("parts/heads.html", "parts/head.html"),
        ("head.html", "parts/head.html"),
        ("templates/parts/causes.html", "parts/causes.html"),
        ("styles/goal.css", "styles/goals.css"),
        ("print/part/turns.html", "print/parts/turns.html"),
    ],
)
def test_a_name_that_no_template_has_is_refused_with_the_nearest(
    name: str, nearest: str, tmp_path: Path
) -> None:
    result = reported("--templates", override(tmp_path / "mine", name, "x"), "-o", tmp_path / "out")
    assert result.exit_code == UNREADABLE
    assert f"mine/{name}: There is no template of that name." in result.stderr
    assert nearest in result.stderr
    assert not (tmp_path / "out").exists()


def test_new_files_go_below_own(tmp_path: Path) -> None:
    mine = override(tmp_path / "mine", "own/contact.html", "Ask {{ report.head.name }}.")
    override(mine, "parts/foot.html", '<footer>{% include "own/contact.html" %}</footer>')
    override(mine, ".notes", "hidden files are nobody's business")
    wave, transcripts = derived_from(EXAMPLE)
    page = "".join(render_html(report_of(wave), transcripts, read_look(mine).overrides))
    assert f"<footer>Ask {wave.plan.name if wave.plan else ''}.</footer>" in page


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("parts/findings/goal.html", "\n\n{{ finding.session_id }}", "line 3: .*session_id"),
        ("parts/head.html", "{{ report.nothing }}", "line 1: .*nothing"),
        ("parts/head.html", "{{ 1 / 0 }}", "line 1: division by zero"),
        ("parts/head.html", "{{ [][3] }}", "line 1: .*"),
        ("parts/transcript.html", "\n{% macro conversation(x) %}{{ x.y }}{% endmacro %}", "line 2"),
        ("styles/page.css", "</style>", "an embedded asset must not hold"),
    ],
)
@pytest.mark.parametrize("layout", ["single", "site"])
def test_a_broken_override_names_itself_and_leaves_no_page(
    name: str, text: str, said: str, layout: str, tmp_path: Path
) -> None:
    mine = override(tmp_path / "mine", name, text)
    out = tmp_path / "out"
    result = reported(
        *("--templates", mine, "-o", out, "--format", "html,json", "--layout", layout),
        *("--jobs", 2),
    )
    assert result.exit_code == RENDERING_FAILED
    assert re.search(rf"\.html was not written: {name}.*{said}", result.stderr)
    assert sorted(one.name for one in out.iterdir()) == ["findings.json"]


def test_an_override_that_is_no_text_says_so(tmp_path: Path) -> None:
    mine = override(tmp_path / "mine", "parts/head.html", "")
    (mine / "parts" / "head.html").write_bytes(b"\xff")
    result = reported("--templates", mine, "-o", tmp_path / "out", "--format", "html")
    assert result.exit_code == RENDERING_FAILED
    assert "parts/head.html, line 1: the file is not UTF-8 text." in result.stderr


def test_an_override_of_print_reaches_the_pdf(tmp_path: Path) -> None:
    mine = override(tmp_path / "mine", "print/parts/summary.html", "{{ nothing_of_that_name }}")
    out = tmp_path / "out"
    result = reported("--templates", mine, "-o", out, "--format", "pdf,json")
    assert result.exit_code == RENDERING_FAILED
    assert "report.pdf was not written: print/parts/summary.html, line 1" in result.stderr
    assert not (out / "report.pdf").exists()


def test_every_template_is_known_by_its_name() -> None:
    names = template_names()
    assert "parts/head.html" in names
    assert "print/paper.css" in names
    assert "scripts/common.js" in names
    assert list(names) == sorted(set(names))


def test_overriding_every_template_with_itself_changes_nothing(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "templates", tmp_path / "mine")
    wave, transcripts = derived_from(EXAMPLE)
    view = report_of(wave)
    ours = "".join(render_html(view, transcripts))
    look = read_look(tmp_path / "mine")
    assert "".join(render_html(view, transcripts, look.overrides)) == ours
