import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from finding_waves import facts_of
from waves import write_folder

from reporter.cli import main
from reporter.errors import RecordingError, RenderError
from reporter.pipeline.swap import Together
from reporter.pipeline.write import layout_words
from reporter.view.embed import embed_plan


def report(folder: Path) -> Result:
    wave = folder / "wave"
    if not wave.exists():
        write_folder(wave)
    arguments = ["report", str(wave), "-o", str(folder / "out"), "--format", "html,pdf,json"]
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RenderError("page.html, line 3: no such thing"), "page.html, line 3: no such thing"),
        (RecordingError([]), ""),
        (OSError(28, "No space left on device"), "No space left on device"),
        (IndexError("list index out of range"), "IndexError: list index out of range"),
    ],
)
def test_a_page_that_fails_takes_nothing_with_it(
    error: Exception, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> Iterator[str]:
        yield "<!doctype html>"
        raise error

    monkeypatch.setattr("reporter.pipeline.pages.render_html", fail)
    monkeypatch.delenv("SWARM_REPORTER_DEBUG", raising=False)
    result = report(tmp_path)
    assert result.exit_code == 3
    assert "report.html was not written: " in result.stderr
    assert said in result.stderr
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"report.pdf", "findings.json"}


@pytest.mark.parametrize(
    ("formats", "is_there"), [("pdf", False), ("html,pdf", True), ("pdf,json", False)]
)
def test_the_paper_speaks_of_the_page_only_where_it_is_written_beside_it(
    formats: str, is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages: list[str] = []

    def keep(page: str, **_: object) -> None:
        pages.append(page)
        raise RenderError("No paper today.")

    monkeypatch.setattr("reporter.render.pdf.render_in_child", keep)
    arguments = ["report", str(write_folder(tmp_path / "wave")), "-o", str(tmp_path / "out")]
    CliRunner().invoke(main, [*arguments, "--format", formats])
    assert ("the HTML report" in pages[0]) is is_there
    assert ("No HTML report was written with this file" in pages[0]) is not is_there


def test_the_command_counts_the_transcripts_that_its_page_leaves_out() -> None:
    facts = [facts_of("s1", bytes=10), facts_of("s2", bytes=99_999)]
    assert layout_words(embed_plan(facts, frozenset(), 5_000)) == (
        "One page. It leaves out 1 of 2 transcripts; --layout site writes all of them."
    )
    assert layout_words(embed_plan(facts, frozenset())) == "One page."


def test_a_defect_shows_itself_to_those_who_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> Iterator[str]:
        raise IndexError

    monkeypatch.setattr("reporter.pipeline.pages.render_html", fail)
    monkeypatch.setenv("SWARM_REPORTER_DEBUG", "1")
    result = report(tmp_path)
    assert isinstance(result.exception, IndexError)


def test_a_source_that_cannot_be_read_leaves_no_folder(tmp_path: Path) -> None:
    source = tmp_path / "nothing.json"
    source.write_text("{}", encoding="utf-8")
    result = CliRunner().invoke(main, ["report", str(source), "-o", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert not (tmp_path / "out").exists()


def test_findings_that_cannot_be_written_take_nothing_with_them(tmp_path: Path) -> None:
    (tmp_path / "out" / "findings.json").mkdir(parents=True)
    result = report(tmp_path)
    assert result.exit_code == 3
    said = "findings.json was not written: Is a directory. Name another folder with -o."
    assert said in result.stderr.replace("\n", " ")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *("report.html", "report.pdf", "findings.json")
    }


def everything(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    "stage", ["reporter.pipeline.pages.render_html", "reporter.render.pdf._put"]
)
def test_an_interrupt_leaves_every_file_of_the_earlier_report(
    stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report(tmp_path)
    for path in (tmp_path / "out").iterdir():
        path.write_bytes(path.read_bytes() + b"\nearlier")
    before = everything(tmp_path / "out")

    def interrupted(*_: object, **__: object) -> Iterator[str]:
        raise KeyboardInterrupt

    monkeypatch.setattr(stage, interrupted)
    assert report(tmp_path).exit_code == 130
    assert everything(tmp_path / "out") == before


def test_a_page_that_stays_behind_the_others_is_called_an_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report(tmp_path)

    def full(*_: object, **__: object) -> Iterator[str]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("reporter.pipeline.pages.render_html", full)
    said = report(tmp_path).stderr.replace("\n", " ")
    assert "No space left on device. Make room, or name another folder with -o." in said
    assert "The report.html that stands there is an earlier one." in said


def test_what_a_killed_run_left_is_removed_and_nothing_that_somebody_works_on(
    tmp_path: Path,
) -> None:
    out = tmp_path / "out"
    left, busy = (f".report.html.{digit * 32}.part" for digit in "ab")
    folder = f".pages.{'c' * 32}.old"
    others = {f".notes.html.{'d' * 32}.part", ".report.html.part"}
    (out / folder).mkdir(parents=True)
    (out / folder / "s1.html").touch()
    for name in (left, busy, *others):
        (out / name).touch()
    with (out / busy).open() as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        assert report(tmp_path).exit_code == 0
        assert {path.name for path in out.iterdir() if path.name[0] == "."} == {busy, *others}
    assert report(tmp_path).exit_code == 0
    assert {path.name for path in out.iterdir() if path.name[0] == "."} == others


def test_runs_into_one_folder_take_their_names_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, waits = Together.commit, []

    def another_run_asks(self: Together) -> None:
        opened = os.open(tmp_path / "out", os.O_RDONLY)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waits.append(True)
        os.close(opened)
        commit(self)

    monkeypatch.setattr(Together, "commit", another_run_asks)
    assert report(tmp_path).exit_code == 0
    assert waits == [True]
