"""The only way from a disposition, a link state or a check to a mark, a word and a colour."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from reporter.vocabulary import (
    Disposition,
    StageState,
    SummaryKind,
    Tone,
    tone_of,
)

MarkName = Literal["fail", "warn", "ok", "unknown", "notrun", "never", "na"]
"""The shapes: cross, triangle, disc, ring with two strokes, long dash, dotted ring, short dash."""


@dataclass(frozen=True, slots=True)
class ToneMark:
    """How a disposition looks and reads: always a shape, a colour and a word together."""

    tone: Tone
    """Also the class name of the colour."""
    mark: MarkName
    word: str
    """The label, such as `Frustrated`."""
    wire: str
    """The wire spelling, for filters."""


@dataclass(frozen=True, slots=True)
class StateMark:
    """How the state of a link looks and reads."""

    tone: Tone
    """Failed is fail, passed is ok, everything else is muted; a link has no warn."""
    mark: MarkName
    word: str
    """Short words, such as `never ran`."""
    wire: str


SEVERITY: Final[Mapping[Tone, int]] = MappingProxyType(
    {Tone.FAIL: 3, Tone.WARN: 2, Tone.MUTED: 1, Tone.OK: 0}
)
"""How bad a tone is; the worst is shown first."""

_TONE_MARK: Final[Mapping[Tone, MarkName]] = MappingProxyType(
    {Tone.FAIL: "fail", Tone.WARN: "warn", Tone.OK: "ok", Tone.MUTED: "unknown"}
)

_STATES: Final[Mapping[StageState, StateMark]] = MappingProxyType(
    {
        StageState.PASSED: StateMark(Tone.OK, "ok", "passed", "passed"),
        StageState.FAILED: StateMark(Tone.FAIL, "fail", "failed", "failed"),
        StageState.NOT_REACHED: StateMark(Tone.MUTED, "never", "never ran", "notReached"),
        StageState.NOT_MEASURED: StateMark(Tone.MUTED, "unknown", "not measured", "notMeasured"),
        StageState.NOT_APPLICABLE: StateMark(Tone.MUTED, "na", "not applicable", "notApplicable"),
    }
)


def tone_mark(disposition: Disposition) -> ToneMark:
    """Return how a disposition looks and reads.

    Rule: findings.md section 13, `Tone is recomputed`.
    """
    tone = tone_of(disposition)
    mark: MarkName = "notrun" if disposition is Disposition.NOT_RUN else _TONE_MARK[tone]
    return ToneMark(tone, mark, disposition.label, disposition.value)


def state_mark(state: StageState) -> StateMark:
    """Return how the state of a link looks and reads."""
    return _STATES[state]


_CHECKS: Final[Mapping[str, StateMark]] = MappingProxyType(
    {
        "passed": StateMark(Tone.OK, "ok", "held", "passed"),
        "failed": StateMark(Tone.FAIL, "fail", "did not hold", "failed"),
        "error": StateMark(Tone.MUTED, "unknown", "could not be scored", "error"),
        "missing": StateMark(Tone.MUTED, "unknown", "no result recorded", "missing"),
        "notApplicable": StateMark(Tone.MUTED, "na", "nothing to judge here", "notApplicable"),
    }
)


def check_mark(outcome: str) -> StateMark:
    """Return how the outcome of a check, as the facts name it, looks and reads."""
    return _CHECKS[outcome]


def kind_mark(kind: SummaryKind, fold: Disposition) -> ToneMark:
    """Return how a summary kind looks and reads.

    Args:
        kind: The wave's kind.
        fold: The fold over the wave's goals, which gives the tone.

    Rule: report.md section 3.2.
    """
    if kind is SummaryKind.NOT_LAUNCHED:
        return ToneMark(Tone.MUTED, "notrun", kind.label, kind.value)
    if kind in (SummaryKind.UNREAD, SummaryKind.UNGRADED):
        return ToneMark(Tone.MUTED, "unknown", kind.label, kind.value)
    worst = tone_mark(fold)
    return ToneMark(worst.tone, worst.mark, kind.label, kind.value)
