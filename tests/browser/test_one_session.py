"""Filters that are set at once hold of one and the same session, also where goals are listed."""

from pathlib import Path
from typing import Any

import pytest
from finding_waves import chain, facts_of, plan_for, signals
from report_waves import page_of, transcripts_of, wave_of

from reporter.vocabulary import Disposition, Signal, Stage

pytestmark = pytest.mark.browser

OUT = "#goals .filt output"
MET, MISSED = Disposition.GOAL_MET, Disposition.GOAL_MISSED


@pytest.fixture(scope="module")
def split(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """In goal A a met session has the fact and the target; in goal B the one that missed it has."""
    errored, capped = signals(Signal.TOOL_ERRORED), signals(Signal.TURN_CAP_REACHED)
    call, response = {"chain": chain(Stage.CALL)}, {"chain": chain(Stage.RESPONSE)}
    facts = []
    for name, seen, other in (("a", MET, MISSED), ("b", MISSED, MET)):
        one = {"run_id": name, "goal_id": name, "goal_title": f"Goal {name.upper()}"}
        facts += [
            facts_of(f"{name}1", seen, target_id="t1", **one, **errored, **call),
            facts_of(f"{name}2", other, target_id="t2", **one, **capped, **response),
        ]
    path = tmp_path_factory.mktemp("split") / "page.html"
    path.write_text(page_of(wave_of(facts, plan_for(facts)), transcripts_of({})))
    return path


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("Recorded fact", "toolErrored"),
        ("First failed link", "call"),
        ("Target", "0"),
    ],
)
def test_a_goal_is_kept_where_one_session_has_all_that_is_asked(
    label: str, value: str, visit: Any, split: Path
) -> None:
    page = visit(split).page
    bar = page.locator("#goals .filt")
    bar.get_by_label("Outcome").select_option(label="not met")
    assert page.locator(OUT).inner_text().startswith("Showing 2 of 2 ")
    bar.get_by_label(label).select_option(value=value)
    page.locator(OUT).filter(has_text="Showing 1 of 2 ").wait_for()
    assert page.locator("#goals .goalh:not([hidden]) h3").all_inner_texts() == ["Goal B"]
    assert page.locator("#sessions .filt output").inner_text() == "Showing 1 of 4 sessions"
