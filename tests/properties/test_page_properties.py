"""What holds of the page of any wave, however odd its words, ids and sizes are."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from odd_waves import write_odd_wave
from report_waves import NOW, derived_from, parsed, report_of
from strict_page import mistakes

from reporter.models.wave import DerivedWave, Transcripts
from reporter.render.assets import page_assets
from reporter.render.html import render_html, render_session
from reporter.view.report import ReportView, build_report

seeds = st.integers(0, 1_000_000)
few = settings(max_examples=16)
PAGES = 3
"""Session pages of a wave that are read; they are alike."""


def site_of(wave: DerivedWave, transcripts: Transcripts) -> tuple[ReportView, dict[str, str]]:
    """The view of a site, and its first session pages by session id."""
    view = build_report(wave, generated_at=NOW, layout="site", transcripts=transcripts)
    assets = page_assets(session=True)
    return view, {
        one: "".join(render_session(view, one, transcripts, assets=assets))
        for one in [*view.places.files][:PAGES]
    }


@few
@given(seeds)
def test_every_page_of_a_wave_is_sound(seed: int) -> None:
    with TemporaryDirectory() as folder:
        wave, transcripts = derived_from(write_odd_wave(Path(folder) / "wave", seed))
        html = "".join(render_html(report_of(wave, layout="single"), transcripts))
        _, pages = site_of(wave, transcripts)
        again = "".join(render_html(report_of(wave, layout="single"), transcripts))
    assert html == again
    for page in (html, *pages.values()):
        assert mistakes(page) == []
    # What stands there for machines is what was derived.
    assert json.loads(parsed(html).by_id("findings").text) == wave.document
