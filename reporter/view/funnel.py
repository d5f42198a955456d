"""Where value stopped: for each link of the chain, who came that far and what was found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from reporter.view.count import Bar, bar
from reporter.view.funnel_slices import SlicesView, slices_views, unsliced_words
from reporter.view.outline import Outline
from reporter.view.text import listed, plural
from reporter.vocabulary import (
    CoverageDetailKey,
    ExclusionClass,
    Stage,
    StageState,
    Tone,
    tone_of,
)
from reporter.wave.analytics.counting import StageTally
from reporter.wave.analytics.funnel import Funnel
from reporter.wave.analytics.rates import mean_latency_ms
from reporter.wave.trials import wave_funnel

_SECOND: Final = 1000
"""Milliseconds."""
_COLUMNS: Final = (
    ("Applicable", "applicable"),
    ("Reached", "reached"),
    ("Measured", "measured"),
    ("Passed", "passed"),
    ("Failed", "failed"),
    ("Not reached", "not_reached"),
    ("Reach unknown", "reach_unknown"),
    ("Not measured", "not_measured"),
    ("Not applicable", "not_applicable"),
)
_KEY: Final = (
    ("ok", "ok", "passed"),
    ("fail", "fail", "failed"),
    ("unknown", "muted", "hatched: reach or result not known"),
    ("never", "muted", "outlined: not reached, or not applicable"),
)


@dataclass(frozen=True, slots=True)
class FunnelCell:
    """One count of a row, beside its column's head."""

    label: str
    """Head of the column, such as `Reached`."""
    count: int


@dataclass(frozen=True, slots=True)
class FunnelRow:
    """One link over the counted sessions; rows share sessions and are never added."""

    label: str
    bar: Bar
    """Passed, failed, not known, and what was not reached or does not apply."""
    cells: tuple[FunnelCell, ...]
    """In the same order in every row."""
    took: str = ""
    """How long the calls took that the link rests on; empty where no time was recorded."""


@dataclass(frozen=True, slots=True)
class FunnelView:
    """The stage funnel of one wave."""

    lead: str
    caption: str
    """Every session that is left out, with its class."""
    key: tuple[tuple[str, str, str], ...] = ()
    """What the bar's pieces say: mark name, tone, words."""
    rows: tuple[FunnelRow, ...] = ()
    """One a link, in the order of the chain; empty where no session is counted."""
    slices: tuple[SlicesView, ...] = ()
    """The same by model and by host, where there are several."""
    unsliced: str = ""
    """Which sessions are in no such slice, and why; may be empty."""


def funnel_view(outline: Outline) -> FunnelView | None:
    """Lay the funnel out.

    Returns:
        None for a document that came without a recording, and where no session started: the
        ledger says what became of them. Where sessions started and none is counted, no rows.

    Rule: report.md section 3.7; analytics.md sections 4 to 6.
    """
    plan = outline.wave.plan
    if plan is None:
        return None
    funnel = wave_funnel(outline.wave.facts, plan.target_by_id(), plan.wave_id)
    if not any(fact.started for fact in outline.wave.facts):
        return None
    if not funnel.included:
        return FunnelView("No session is counted, so no link is measured here.", _left_out(funnel))
    counted = plural(funnel.included, "counted session")
    how = (
        f"how many of the {counted} came"
        if funnel.included > 1
        else "whether the one counted session came"
    )
    return FunnelView(
        lead=(
            f"For each link of the chain, {how} that far and what was found there. Each row "
            f"stands alone: rows share sessions and must not be added.{_met_all_the_same(outline)}"
        ),
        caption=_left_out(funnel),
        key=_KEY,
        rows=tuple(_row(tally, funnel.included) for tally in funnel.overall.stages),
        slices=slices_views(funnel),
        unsliced=unsliced_words(funnel),
    )


def _met_all_the_same(outline: Outline) -> str:
    """Say why more sessions met their goal than passed the last link; empty where none did.

    Rule: chain.md, a link after a failed one without evidence of its own; findings.md section 4.
    """
    met = sum(
        fact.chain is not None
        and fact.chain.row(Stage.USER_VALUE).state is StageState.NOT_REACHED
        and tone_of(fact.disposition) in {Tone.OK, Tone.WARN}
        for fact in outline.wave.facts
    )
    if not met:
        return ""
    return (
        f" In {plural(met, 'session')} the goal was met although user value was not reached: "
        "checks and the judge decide whether a goal was met, and a link after a failed one "
        "counts as reached only where something was recorded at it."
    )


def _row(tally: StageTally, counted: int) -> FunnelRow:
    unknown = tally.reach_unknown + tally.not_measured
    gone = tally.not_reached + tally.not_applicable
    said = (
        f"{tally.passed:,} passed, {tally.failed:,} failed, {unknown:,} not known, "
        f"{tally.not_reached:,} not reached, {tally.not_applicable:,} not applicable, "
        f"of {plural(counted, 'session')}"
    )
    pieces = bar(
        [("ok", tally.passed), ("fail", tally.failed), ("unknown", unknown), ("gone", gone)], said
    )
    cells = tuple(FunnelCell(label, getattr(tally, name)) for label, name in _COLUMNS)
    return FunnelRow(tally.stage.label, pieces, cells, _took(tally))


def _took(tally: StageTally) -> str:
    """Say how long a link's calls took, where times were recorded.

    Rule: analytics.md section 2, latency: the time of the calls that a link cites, what ran
    side by side counted once.
    """
    mean = mean_latency_ms(tally.latency)
    if mean is None:
        return ""
    over = plural(tally.latency.samples, "timed session")
    return f"Mean time of the calls it rests on: {_lasting(mean)} a session, over {over}."


def _lasting(ms: float) -> str:
    return f"{ms:,.0f} ms" if ms < _SECOND else f"{ms / _SECOND:,.1f} s"


def _left_out(funnel: Funnel) -> str:
    """Name every session that is not counted, by its class and what exactly keeps it out."""
    left = funnel.total - funnel.included
    whole = plural(funnel.total, "session")
    if not left:
        return f"All {whole} are counted." if funnel.total > 1 else "The one session is counted."
    classes = [
        f"by {kind.label}, {listed(parts)}"
        for kind in ExclusionClass
        if (parts := [said for said, own in _details(funnel) if own is kind])
    ]
    verb = "is" if left == 1 else "are"
    return f"{left:,} of {whole} {verb} left out altogether: {'; '.join(classes)}."


def _details(funnel: Funnel) -> list[tuple[str, ExclusionClass]]:
    return [
        (f"{count:,} {key.label}", _CLASSES[key])
        for key in CoverageDetailKey
        if (count := funnel.detail[key])
    ]


_LIFECYCLE: Final = (
    CoverageDetailKey.NOT_TERMINAL,
    CoverageDetailKey.SKIPPED,
    CoverageDetailKey.CANCELLED,
    CoverageDetailKey.SETUP_FAILED,
    CoverageDetailKey.TIMED_OUT,
    CoverageDetailKey.EXECUTION_FAILED,
    CoverageDetailKey.EVALUATOR_ERROR,
)
_VERSION: Final = (
    CoverageDetailKey.CHAIN_VERSION_AHEAD,
    CoverageDetailKey.MEASUREMENTS_VERSION_AHEAD,
)
_CLASSES: Final[Mapping[CoverageDetailKey, ExclusionClass]] = {
    key: ExclusionClass.LIFECYCLE
    if key in _LIFECYCLE
    else ExclusionClass.VERSION
    if key in _VERSION
    else ExclusionClass.INTEGRITY
    for key in CoverageDetailKey
}
