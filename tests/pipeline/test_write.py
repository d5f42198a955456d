from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from waves import write_folder

from reporter.cli import main
from reporter.errors import RecordingError, RenderError


def report(folder: Path) -> Result:
    wave = write_folder(folder / "wave")
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
