"""The worked example of a look of one's own, as a reader meets it."""

from pathlib import Path
from typing import Any

import pytest
from looking import fits, violations
from report_waves import derived_from, report_of
from shared import ROOT

from reporter.render.assets import page_assets
from reporter.render.html import render_html
from reporter.render.look import read_look

pytestmark = pytest.mark.browser

THEME = ROOT / "examples" / "theme"


@pytest.fixture(scope="session")
def themed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    look = read_look(THEME / "templates", THEME / "theme.css")
    wave, transcripts = derived_from(ROOT / "examples" / "lending-desk" / "wave")
    assets = page_assets(look.overrides, theme=look.theme)
    pieces = render_html(report_of(wave), transcripts, look.overrides, assets=assets)
    page = tmp_path_factory.mktemp("theme") / "report.html"
    page.write_text("".join(pieces), encoding="utf-8")
    return page


@pytest.mark.parametrize(
    ("scheme", "paper"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(19, 18, 22)")]
)
def test_a_house_style_keeps_contrast_in_both_themes(
    scheme: str, paper: str, visit: Any, themed: Path
) -> None:
    seen = visit(themed, color_scheme=scheme)
    assert seen.requests == []
    assert seen.messages == []
    assert violations(seen.page) == []
    assert fits(seen.page)
    shown = "getComputedStyle(document.documentElement).backgroundColor"
    assert seen.page.evaluate(shown) == paper
    assert seen.page.get_by_text("Library systems team.").is_visible()
