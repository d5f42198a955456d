"""The funnel of one model or one host beside those of others."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from reporter.view.count import Count
from reporter.view.text import one_line, plural
from reporter.vocabulary import AnalyticsDimension
from reporter.wave.analytics.counting import StageTally
from reporter.wave.analytics.funnel import Funnel, Slice
from reporter.wave.analytics.rates import measured_pass_rate

SLICES_SHOWN: Final = 12
"""Slices of one dimension that are listed; the rest are counted."""

_NAME: Final = 80
_DIMENSIONS: Final = (
    (AnalyticsDimension.MODEL, "model", "provider or model"),
    (AnalyticsDimension.HOST, "host", "host"),
)


@dataclass(frozen=True, slots=True)
class SliceCell:
    """What the counted sessions of a slice came to at one link."""

    label: str
    """Name of the link."""
    text: str
    """Such as `3 of 4`: passed, of those in which the link was measured."""
    is_blank: bool
    """Whether nothing was measured there."""


@dataclass(frozen=True, slots=True)
class SliceRow:
    """One slice; its cells share sessions and are never added."""

    name: str
    counted: str
    """Such as `3 of 4 sessions`: counted, of those of the slice."""
    cells: tuple[SliceCell, ...]
    """One a link, in the order of the chain."""


@dataclass(frozen=True, slots=True)
class SlicesView:
    """The slices of one dimension."""

    head: str
    word: str
    """What a row is, such as `Model`."""
    caption: str
    rows: tuple[SliceRow, ...]


def slices_views(funnel: Funnel) -> tuple[SlicesView, ...]:
    """Lay out the slices of each dimension of which there are several.

    Rule: analytics.md section 5; report.md section 3.7.
    """
    found = []
    for dimension, word, _ in _DIMENSIONS:
        slices = funnel.of_dimension(dimension)
        if len(slices) > 1:
            found.append(_view(slices, word))
    return tuple(found)


def unsliced_words(funnel: Funnel) -> str:
    """Say of how many sessions no model or no host is on record, so that no slice holds them."""
    said = []
    for dimension, _, word in _DIMENSIONS:
        held = sum(_trials(one) for one in funnel.of_dimension(dimension))
        if held < funnel.total:
            left = plural(funnel.total - held, "session")
            said.append(f"{left} cannot be split by {word}, as no single one is on record.")
    return " ".join(said)


def _view(slices: list[Slice], word: str) -> SlicesView:
    # Most counted first, as a document keeps them; ties in the order of their sort keys.
    ranked = sorted(slices, key=lambda one: -one.tally.included)
    left = len(ranked) - SLICES_SHOWN
    # Models have their provider beside them; hosts of one name have nothing but their key.
    names = Counter(_named(one.identity) for one in ranked)
    more = f" {plural(left, f'more {word}')} not listed." if left > 0 else ""
    return SlicesView(
        head=f"By {word}",
        word=word.capitalize(),
        caption=(
            f"Passed, of the counted sessions of each {word} in which the link was measured; "
            f"links share sessions and must not be added.{more}"
        ),
        rows=tuple(
            _row(one, alike=names[_named(one.identity)] > 1) for one in ranked[:SLICES_SHOWN]
        ),
    )


def _row(one: Slice, *, alike: bool) -> SliceRow:
    tally = one.tally
    name = _named(one.identity)
    if alike:
        name = f"{name} ({one.identity['hostKey']})"
    return SliceRow(
        name=one_line(name, _NAME),
        counted=Count(tally.included, _trials(one)).text,
        cells=tuple(_cell(stage_tally) for stage_tally in tally.stages),
    )


def _cell(tally: StageTally) -> SliceCell:
    passed = measured_pass_rate(tally)
    text = Count(passed.numerator, passed.denominator).short
    return SliceCell(tally.stage.label, text, is_blank=passed.state == "notMeasured")


def _named(identity: Mapping[str, Any]) -> str:
    if "model" in identity:
        return f"{identity['model']} ({identity['provider']})"
    return str(identity.get("hostName") or identity["hostKey"])


def _trials(one: Slice) -> int:
    return one.tally.included + sum(one.tally.excluded.values())
