import json
from pathlib import Path

import pytest
from report_waves import derived_from, report_of
from small_wave import SESSIONS, WAVE
from waves import session_lines, write_folder

from reporter.render.html import COMMON, REPORT, STYLES, THEME, render_html

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Overrides that leave style and scripts out of the page."""
    folder = tmp_path_factory.mktemp("bare")
    for name in (*STYLES, THEME, COMMON, *REPORT):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("", encoding="utf-8")
    return folder


def compare(name: str, made: str, request: pytest.FixtureRequest) -> None:
    golden = HERE / f"{name}.html"
    actual = HERE / f"{name}.actual.html"
    actual.unlink(missing_ok=True)
    if request.config.getoption("--update-golden"):
        golden.write_text(made, encoding="utf-8")
    kept = golden.read_text(encoding="utf-8") if golden.exists() else ""
    if made != kept:
        actual.write_text(made, encoding="utf-8")
        pytest.fail(f"the page differs from {golden.name}; what was made now is {actual.name}")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sessions = {name: session_lines(records) for name, records in SESSIONS.items()}
    return write_folder(tmp_path_factory.mktemp("golden") / "small", WAVE, sessions)


def test_the_page_of_a_small_wave(small: Path, bare: Path, request: pytest.FixtureRequest) -> None:
    wave, transcripts = derived_from(small)
    compare("small-wave", "".join(render_html(report_of(wave), transcripts, [bare])), request)


def test_the_page_of_its_findings_alone(
    small: Path, bare: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    wave, _ = derived_from(small)
    document = tmp_path / "findings.json"
    document.write_text(json.dumps(wave.document), encoding="utf-8")
    alone, transcripts = derived_from(document)
    compare("published", "".join(render_html(report_of(alone), transcripts, [bare])), request)
