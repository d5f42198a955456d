"""What holds of every count of a wave: its unit, its parts, and what it is never added to."""

import dataclasses
import json
import random
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from finding_waves import some_wave
from hypothesis import given, settings
from hypothesis import strategies as st
from report_waves import report_of, wave_of

from reporter.checks.coverage import coverage_of
from reporter.checks.lists import links_seen, lists_of_wave
from reporter.models.facts import SessionFacts
from reporter.models.plan import Plan
from reporter.vocabulary import Stage
from reporter.wave.analytics.counting import StageTally
from reporter.wave.analytics.document import funnel_problems
from reporter.wave.analytics.rates import measured_pass_rate, measurement_coverage, reach_rate
from reporter.wave.trials import counted_document, wave_funnel

Wave = tuple[Plan, list[SessionFacts]]
waves = some_wave()
modest = settings(max_examples=40, deadline=None)

UNITS = "session|sessions|trial|trials|result|results|case|cases|variant|variants"
OF = re.compile(r"\d[\d,]* of \d[\d,]*")
WITH_UNIT = re.compile(rf"\d[\d,]* of \d[\d,]* (?:[a-z]+ ){{0,2}}(?:{UNITS})\b")


def texts(view: object) -> Iterator[str]:
    """Every text of a view, cells of tables left out: their caption says the unit."""
    if isinstance(view, str):
        yield view
    elif isinstance(view, list | tuple):
        for one in view:
            yield from texts(one)
    elif dataclasses.is_dataclass(view) and type(view).__name__ != "SliceCell":
        for field in dataclasses.fields(view):
            yield from texts(getattr(view, field.name))


@modest
@given(waves)
def test_no_share_is_shown_without_its_unit(wave: Wave) -> None:
    plan, facts = wave
    report = report_of(wave_of(facts, plan))
    for view in (report.funnel, report.checks, report.decision):
        for text in texts(view):
            assert len(OF.findall(text)) == len(WITH_UNIT.findall(text)), text
    for slices in report.funnel.slices if report.funnel else ():
        assert "sessions" in slices.caption


def test_a_share_without_a_unit_would_be_noticed() -> None:
    for bare in ("3 of 4", "Passed 3 of 4.", "3 of 4 (75 %)"):
        assert OF.findall(bare)
        assert not WITH_UNIT.findall(bare)
    for whole in ("3 of 4 sessions", "1 of 1 measured session passed.", "2 of 3 graded trials"):
        assert len(WITH_UNIT.findall(whole)) == 1


@modest
@given(waves)
def test_every_rate_carries_its_unit_and_nothing_over_nothing(wave: Wave) -> None:
    plan, facts = wave
    for tally in wave_funnel(facts, plan.target_by_id()).overall.stages:
        for rate in (reach_rate(tally), measurement_coverage(tally), measured_pass_rate(tally)):
            assert rate.unit == "trial"
            assert (rate.value is None) is (rate.denominator == 0)
            assert (rate.state == "notMeasured") is (rate.value is None)


@pytest.mark.parametrize(("left", "right"), list(combinations(Stage, 2)))
def test_counts_of_two_links_are_never_added(left: Stage, right: Stage) -> None:
    with pytest.raises(ValueError, match="never added"):
        StageTally(left) + StageTally(right)
    assert (StageTally(left) + StageTally(left)).stage is left


@modest
@given(waves, waves)
def test_counts_of_two_waves_are_never_merged(one: Wave, other: Wave) -> None:
    funnels = [wave_funnel(facts, wave_id=name) for name, (_, facts) in (("a", one), ("b", other))]
    with pytest.raises(ValueError, match="never merged"):
        funnels[0] + funnels[1]


@modest
@given(waves, st.randoms(use_true_random=False), st.integers(0, 20))
def test_order_and_parts_of_a_wave_change_no_count(
    wave: Wave, shuffle: random.Random, cut: int
) -> None:
    plan, facts = wave
    turned = list(facts)
    shuffle.shuffle(turned)
    targets = plan.target_by_id()
    whole = wave_funnel(facts, targets, plan.wave_id)
    parts = wave_funnel(turned[:cut], targets, plan.wave_id) + wave_funnel(
        turned[cut:], targets, plan.wave_id
    )
    # Maps of counts stand in the order of first occurrence; compared they are sets of pairs.
    assert unordered(counted_document(parts)) == unordered(counted_document(whole))
    assert links_seen(turned).keys() == links_seen(facts).keys()
    for stage, seen in links_seen(facts).items():
        other = links_seen(turned)[stage]
        assert dataclasses.replace(other, blind=()) == dataclasses.replace(seen, blind=())
        assert set(other.blind) == set(seen.blind)


def unordered(document: dict[str, Any]) -> Any:
    return json.loads(json.dumps(document, sort_keys=True))


@modest
@given(waves)
def test_every_funnel_of_a_wave_is_a_valid_document(wave: Wave) -> None:
    plan, facts = wave
    document = {**counted_document(wave_funnel(facts, plan.target_by_id())), "runId": "r"}
    assert funnel_problems({**document, "suiteId": "s"}, file="x") == []
    assert document["totalTrials"] == len(facts)
    assert document["includedTrials"] + sum(document["excludedTrials"].values()) == len(facts)
    overall, *others = document["slices"]
    intents = [one for one in others if one["slice"]["dimension"] == "intent"]
    assert sum(one["includedTrials"] for one in intents) == overall["includedTrials"]
    for one in others:
        assert one["includedTrials"] <= overall["includedTrials"]


@modest
@given(waves)
def test_what_is_measured_of_a_link_is_a_part_of_what_started(wave: Wave) -> None:
    plan, facts = wave
    started = sum(fact.started for fact in facts)
    assert all(seen.measured <= seen.started == started for seen in links_seen(facts).values())
    lists = lists_of_wave(plan, facts)
    for one in lists:
        assert one.seen is not None
        assert [row.stage for row in one.links] == [row.stage for row in coverage_of([])]
    measured = dict.fromkeys(Stage, 0)
    for one in lists:
        for stage, seen in (one.seen or {}).items():
            measured[stage] += seen.measured
    assert measured == {stage: seen.measured for stage, seen in links_seen(facts).items()}
