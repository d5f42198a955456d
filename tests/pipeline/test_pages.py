import os
import re
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag

import pytest
from click.testing import CliRunner, Result
from report_waves import parsed
from small_wave import SESSIONS, WAVE
from waves import session_lines, write_folder

from reporter.cli import main
from reporter.errors import Problem, RecordingError
from reporter.render.html import render_html
from reporter.view.places import page_files

PLACE = "reporter.pipeline.pages.render_html"
AT = ["--generated-at", "2026-03-12T10:30:00"]


@pytest.fixture(scope="module")
def wave(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sessions = {name: session_lines(records) for name, records in SESSIONS.items()}
    return write_folder(tmp_path_factory.mktemp("pages") / "wave", WAVE, sessions)


def report(wave: Path, out: Path, *more: str) -> Result:
    arguments = ["report", str(wave), "-o", str(out), "--format", "html", *AT, *more]
    return CliRunner().invoke(main, arguments)


def written(out: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def dead(out: Path) -> list[str]:
    """Links that lead to no file, or to no place in it."""
    pages = {path: parsed(path.read_text("utf-8")) for path in out.rglob("*.html")}
    ids = {path.resolve(): set(page.ids()) for path, page in pages.items()}
    bad = []
    for path, page in pages.items():
        for link in page.links():
            address, fragment = urldefrag(link)
            to = (path.parent / address).resolve() if address else path.resolve()
            if to not in ids or (fragment and fragment not in ids[to]):
                bad.append(f"{path.name}: {link}")
    return bad


def test_a_site_has_a_page_for_every_session_and_every_link_lands(
    wave: Path, tmp_path: Path
) -> None:
    result = report(wave, tmp_path, "--layout", "site")
    assert result.exit_code in {0, 4}
    pages = [path for path in (tmp_path / "pages").iterdir() if path.suffix == ".html"]
    assert len(pages) == len(WAVE["slots"])
    assert dead(tmp_path) == []
    assert not (tmp_path / "report.html").exists()
    assert "pages of their own, as was asked for" in result.stdout
    assert "pages of their own, as was asked for" in (tmp_path / "index.html").read_text("utf-8")


def test_the_pages_of_a_group_lead_to_each_other_and_back(wave: Path, tmp_path: Path) -> None:
    report(wave, tmp_path, "--layout", "site")
    page = parsed((tmp_path / "pages" / "s-s2.html").read_text("utf-8"))
    relations = {
        one.attributes["rel"]: one.attributes["href"]
        for one in page.elements
        if one.attributes.get("rel") in {"prev", "next"}
    }
    assert relations
    assert "../index.html#session.s2" in page.links()


@pytest.mark.parametrize("layout", ["single", "site"])
@pytest.mark.parametrize("assets", ["embed", "split"])
def test_the_same_input_gives_the_same_bytes_whoever_works(
    layout: str, assets: str, wave: Path, tmp_path: Path
) -> None:
    asked = ("--layout", layout, "--assets", assets)
    report(wave, tmp_path / "a", *asked, "--jobs", "1")
    report(wave, tmp_path / "b", *asked, "--jobs", "2")
    first = written(tmp_path / "a")
    assert len(first) > 1 or (layout, assets) == ("single", "embed")
    assert first == written(tmp_path / "b")


@pytest.mark.parametrize("layout", ["single", "site"])
def test_split_assets_stand_beside_the_page_and_nothing_else_is_allowed(
    layout: str, wave: Path, tmp_path: Path
) -> None:
    report(wave, tmp_path, "--layout", layout, "--assets", "split")
    for path in tmp_path.rglob("*.html"):
        page = parsed(path.read_text("utf-8"))
        policy = next(
            one.attributes["content"] or ""
            for one in page.named("meta")
            if one.attributes.get("http-equiv") == "Content-Security-Policy"
        )
        assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self';")
        assert page.named("style") == []
        named = [one.attributes.get("href") for one in page.named("link")]
        named += [one.attributes["src"] for one in page.named("script") if "src" in one.attributes]
        assert len(named) == 3
        for name in named:
            assert name is not None
            assert (path.parent / name).read_bytes()


def test_pages_of_an_earlier_report_do_not_survive(wave: Path, tmp_path: Path) -> None:
    report(wave, tmp_path, "--layout", "site", "--assets", "split")
    (tmp_path / "pages" / "s-old.html").write_text("old", encoding="utf-8")
    report(wave, tmp_path, "--layout", "site")
    assert not (tmp_path / "pages" / "s-old.html").exists()
    assert not (tmp_path / "assets").exists()
    report(wave, tmp_path, "--layout", "single")
    assert set(written(tmp_path)) == {"report.html"}
    report(wave, tmp_path, "--layout", "site")
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize("layout", ["single", "site"])
def test_a_folder_with_somebody_elses_about_is_nobody_elses_to_remove(
    layout: str, wave: Path, tmp_path: Path
) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "about.txt").write_text("About my pages.", encoding="utf-8")
    (tmp_path / "pages" / "mine.txt").write_text("mine", encoding="utf-8")
    result = report(wave, tmp_path, "--layout", layout)
    assert result.exit_code == (3 if layout == "site" else 0)
    assert {"pages/about.txt", "pages/mine.txt"} <= set(written(tmp_path))


def test_nobody_elses_files_are_replaced(wave: Path, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "mine.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "index.html").write_text("<p>mine", encoding="utf-8")
    result = report(wave, tmp_path, "--layout", "site")
    assert result.exit_code == 3
    assert "pages: something of that name is in the folder already" in result.stderr
    report(wave, tmp_path, "--layout", "single")
    assert set(written(tmp_path)) == {"pages/mine.txt", "index.html", "report.html"}


@pytest.mark.parametrize("name", ["index.html", "pages/about.txt", "assets/about.txt"])
def test_a_pipe_of_a_name_of_ours_is_not_waited_for(name: str, wave: Path, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    os.mkfifo(tmp_path / name)
    result = report(wave, tmp_path, "--layout", "single")
    assert result.exit_code == 0
    assert (tmp_path / name).is_fifo()


@pytest.mark.parametrize(("ours", "theirs"), [("single", "site"), ("site", "single")])
def test_what_another_run_wrote_in_the_meantime_gives_way_too(
    ours: str, theirs: str, wave: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report(wave, tmp_path / "alone", "--layout", ours)
    out = tmp_path / "out"

    def another_run_first(*args: Any, **more: Any) -> Iterator[str]:
        monkeypatch.setattr(PLACE, render_html)
        report(wave, out, "--layout", theirs, "--assets", "split")
        return render_html(*args, **more)

    monkeypatch.setattr(PLACE, another_run_first)
    assert report(wave, out, "--layout", ours).exit_code == 0
    assert written(out) == written(tmp_path / "alone")


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_an_interrupted_site_leaves_the_earlier_one(
    error: Any, wave: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report(wave, tmp_path, "--layout", "site")
    before = written(tmp_path)

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("reporter.pipeline.pages._write_pages", fail)
    result = report(wave, tmp_path, "--layout", "site", "--jobs", "1")
    assert result.exit_code in {3, 130}
    assert written(tmp_path) == before


@pytest.mark.parametrize("layout", ["single", "site"])
def test_an_interrupt_while_the_earlier_report_is_removed_leaves_all_of_the_new_one(
    layout: str, wave: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("--layout", layout)
    report(wave, tmp_path / "new", *asked)
    out = tmp_path / "out"
    report(wave, out, "--layout", "site", "--assets", "split")
    remove = shutil.rmtree

    def interrupted(*args: Any, **more: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        remove(*args, **more)

    monkeypatch.setattr("shutil.rmtree", interrupted)
    result = report(wave, out, *asked)
    assert result.exit_code == 130
    assert written(out) == written(tmp_path / "new")
    assert {one.name for one in out.iterdir()} == {one.name for one in (tmp_path / "new").iterdir()}


@pytest.mark.parametrize("assets", ["embed", "split"])
def test_a_page_that_cannot_take_its_name_leaves_the_earlier_report(
    assets: str, wave: Path, tmp_path: Path
) -> None:
    report(wave, tmp_path, "--layout", "site", "--assets", "split")
    (tmp_path / "index.html").unlink()
    (tmp_path / "index.html").mkdir()
    (tmp_path / "pages" / "s-old.html").write_text("old", encoding="utf-8")
    before = written(tmp_path)
    result = report(wave, tmp_path, "--layout", "site", "--assets", assets)
    assert result.exit_code == 3
    assert "index.html was not written: Is a directory" in result.stderr
    assert written(tmp_path) == before
    assert {one.name for one in tmp_path.iterdir()} == {"index.html", "pages", "assets"}


def test_a_process_that_was_ended_is_no_fault_of_a_template(
    wave: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_: object, **__: object) -> Iterator[str]:
        raise RecordingError([Problem("", "", "A process was ended.", "Free some memory.")])
        yield ""

    monkeypatch.setattr("reporter.pipeline.pages.spread", ended)
    result = report(wave, tmp_path, "--layout", "single")
    assert result.exit_code == 3
    said = "report.html was not written: A process was ended. Free some memory."
    assert said in result.stderr.replace("\n", " ")


def test_a_template_that_fails_leaves_no_page(
    wave: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> Iterator[str]:
        yield "<!doctype html>"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("reporter.pipeline.pages.render_html", fail)
    result = report(wave, tmp_path, "--layout", "site")
    assert result.exit_code == 3
    assert "index.html was not written: No space left on device" in result.stderr
    assert not (tmp_path / "index.html").exists()


def test_names_of_pages_are_safe_and_no_name_is_given_twice() -> None:
    ids = [
        "Ana",
        "ana",
        "ANA",
        "ana.2",
        "../up",
        "a/b",
        "",
        "con",
        "日本" * 60,
        "日本" * 61,
        "x" * 300,
    ]
    files = page_files(ids)
    assert len({name.lower() for name in files.values()}) == len(ids)
    for name in files.values():
        assert re.fullmatch(r"s-[A-Za-z0-9_~-]*(\.\d+)?\.html", name)
        assert len(name) < 160


def test_a_small_wave_is_one_page_and_the_report_says_so(wave: Path, tmp_path: Path) -> None:
    result = report(wave, tmp_path)
    said = "One page, chosen because every transcript has room in it."
    assert f"Layout: {said}" in result.stdout
    assert said in (tmp_path / "report.html").read_text("utf-8")
