"""The funnel as it is shown: every count in words, nothing added over links, all left out named."""

from dataclasses import replace

from finding_waves import build, chain, facts_of, idle, plan_for
from report_waves import page_of, parsed, published, report_of, wave_of

from reporter.models.chain import StageEvidence, StageRow
from reporter.models.facts import CallFact, ModelFact, SessionFacts
from reporter.models.verdict import TrialObservation
from reporter.render.pdf import print_page
from reporter.view.funnel import FunnelView
from reporter.vocabulary import Disposition, Lifecycle, SessionVerdictReason, Stage, StageState


def funnel_of(*facts: SessionFacts) -> FunnelView:
    view = report_of(wave_of(facts)).funnel
    assert view is not None
    return view


def cells(view: FunnelView, stage: Stage) -> dict[str, int]:
    row = next(row for row in view.rows if row.label == stage.label)
    return {cell.label: cell.count for cell in row.cells}


def test_a_row_says_every_count_of_its_link() -> None:
    view = funnel_of(
        facts_of("a", chain=chain(passed=[Stage.SELECTION])),
        facts_of("b", chain=chain(failed=Stage.SELECTION)),
        facts_of("c", chain=chain(passed=[Stage.USER_VALUE])),
    )
    found = cells(view, Stage.SELECTION)
    assert found["Passed"] == 1
    assert found["Failed"] == 1
    assert found["Measured"] == found["Passed"] + found["Failed"]
    assert found["Applicable"] == found["Reached"] + found["Not reached"] + found["Reach unknown"]
    assert [row.label for row in view.rows] == [stage.label for stage in Stage]


def test_the_bar_says_the_same_as_the_row() -> None:
    view = funnel_of(facts_of("a", chain=chain(failed=Stage.CONNECTION)))
    row = view.rows[0]
    assert "0 passed, 1 failed" in row.bar.label
    assert row.bar.label.endswith("of 1 session")
    assert [piece.kind for piece in row.bar.pieces] == ["fail"]


def test_goals_that_were_met_past_a_failed_link_are_not_left_to_contradict_the_last_row() -> None:
    """Sixteen met goals beside twelve passes at user value look like a miscount."""
    gone = chain(failed=Stage.RESPONSE, after=StageState.NOT_REACHED)
    view = funnel_of(
        facts_of("a", Disposition.GOAL_MET_WITH_FRICTION, chain=gone),
        facts_of("b", Disposition.GOAL_MISSED, chain=gone, session_index=1),
        facts_of("c", chain=chain(passed=[Stage.USER_VALUE]), session_index=2),
    )
    assert "In 1 session the goal was met although user value was not reached:" in view.lead
    assert "although" not in funnel_of(facts_of("a", chain=chain(passed=[Stage.USER_VALUE]))).lead


def test_every_session_that_is_left_out_is_named_by_its_class() -> None:
    view = funnel_of(
        facts_of("a"),
        idle("b", Lifecycle.LIMITED, session_index=1),
        idle("c", Lifecycle.RAN, session_index=2),
        facts_of("d", reason=SessionVerdictReason.JUDGE_ERRORED, session_index=3),
    )
    assert view.caption.startswith("3 of 4 sessions are left out altogether: by lifecycle, ")
    for words in (
        "1 refused or failed before the first message",
        "1 inconclusive",
        "by integrity, 1 no chain",
    ):
        assert words in view.caption


def test_when_all_are_counted_the_caption_says_so() -> None:
    assert funnel_of(facts_of("a")).caption == "The one session is counted."
    both = funnel_of(facts_of("a"), facts_of("b", session_index=1))
    assert both.caption == "All 2 sessions are counted."


def test_no_funnel_is_drawn_over_nothing() -> None:
    assert report_of(wave_of([idle("a")])).funnel is None
    assert report_of(published(build([facts_of()]))).funnel is None


def test_the_page_has_no_row_of_totals() -> None:
    page = parsed(page_of(wave_of([facts_of("a"), facts_of("b", session_index=1)])))
    text = page.by_id("funnel").text
    assert "must not be added" in text
    assert "Total" not in text


def test_how_long_calls_took_is_said_only_where_it_was_recorded() -> None:
    cited = StageRow(Stage.CALL, StageState.PASSED, evidence=StageEvidence(span_ids=("a",)))
    rows = chain(passed=[Stage.CALL])
    made = replace(rows, rows=tuple(cited if r.stage is Stage.CALL else r for r in rows.rows))
    timed = CallFact("a", "find", 0, started_at=1_000, ended_at=2_500)
    view = funnel_of(
        facts_of("s", chain=made, tool_calls=(timed,)),
        facts_of("t", chain=made, tool_calls=(CallFact("a", "find", 0),), session_index=1),
    )
    assert [row.took for row in view.rows] == [
        "",
        "",
        "",
        "Mean time of the calls it rests on: 1.5 s a session, over 1 timed session.",
        "",
        "",
    ]


def served(session_id: str, provider: str | None, model: str, index: int) -> SessionFacts:
    return facts_of(
        session_id,
        chain=chain(failed=Stage.SELECTION) if index else chain(passed=[Stage.SELECTION]),
        models=(ModelFact(provider, model),),
        session_index=index,
    )


def test_models_stand_beside_each_other_with_what_was_measured() -> None:
    view = funnel_of(served("a", "openai", "m-1", 0), served("b", "anthropic", "m-2", 1))
    (by_model,) = view.slices
    assert by_model.head == "By model"
    assert [row.name for row in by_model.rows] == ["m-2 (anthropic)", "m-1 (openai)"]
    selection = [row.cells[2].text for row in by_model.rows]
    assert selection == ["0 of 1", "1 of 1"]
    assert by_model.rows[0].cells[0].text == "not measured"
    assert "must not be added" in by_model.caption


def test_one_model_is_no_slice_worth_showing() -> None:
    view = funnel_of(served("a", "openai", "m-1", 0), served("b", "openai", "m-1", 1))
    assert view.slices == ()


def test_sessions_whose_provider_is_not_on_record_are_named_and_no_row_is_made_up() -> None:
    view = funnel_of(served("a", None, "m-1", 0), served("b", "openai", "m-1", 1))
    assert view.slices == ()
    assert view.unsliced == (
        "1 session cannot be split by provider or model, as no single one is on record."
    )


def test_one_session_is_spoken_of_in_the_singular() -> None:
    assert "whether the one counted session came that far" in funnel_of(facts_of("a")).lead
    assert "how many of the 2 counted sessions came" in funnel_of(facts_of("a"), facts_of("b")).lead


def test_where_sessions_started_and_none_is_counted_that_is_said() -> None:
    broken = facts_of("a", Disposition.NOT_MEASURED, reason=SessionVerdictReason.JUDGE_ERRORED)
    trial = TrialObservation(status="completed", evaluator_error=True)
    broken = replace(broken, verdict=broken.verdict.model_copy(update={"trial": trial}))
    wave = wave_of([broken])
    view = funnel_of(broken)
    assert view.rows == ()
    text = parsed(page_of(wave)).by_id("funnel").text
    assert "No session is counted, so no link is measured here." in text
    assert "1 of 1 session is left out altogether: by lifecycle, 1 inconclusive." in text
    paper = parsed(print_page(report_of(wave), evidence="none")).by_id("funnel").text
    assert "No session is counted" in paper


def test_hosts_of_one_name_are_told_apart_by_their_key() -> None:
    facts = [facts_of("a"), facts_of("b", target_id="t2")]
    plan = plan_for(facts)
    alike = tuple(one.model_copy(update={"label": "Desk"}) for one in plan.targets)
    plan = replace(plan, targets=alike)
    view = report_of(wave_of(facts, plan)).funnel
    assert view is not None
    (slices,) = view.slices
    assert [row.name for row in slices.rows] == ["Desk (host-t1)", "Desk (host-t2)"]
