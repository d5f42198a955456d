"""Orders that the session list may be read in, by what the wave recorded of its sessions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.models.facts import SessionFacts
from reporter.view.head import moment
from reporter.vocabulary import Tone, tone_of

_SEVERITY: Final = {Tone.FAIL: 3, Tone.WARN: 2, Tone.MUTED: 1, Tone.OK: 0}
"""An outcome that is not known stands before one that is good: it may be as bad as any."""

_TEN_MINUTES: Final = 600_000
"""Milliseconds from which on a duration is told in minutes."""

Value = Callable[[SessionFacts], int | None]


@dataclass(frozen=True, slots=True)
class SessionOrder:
    """One order, the largest value first, with the value of every session."""

    name: str
    """Its name in the page's address."""
    label: str
    """Such as `Most tool errors first`."""
    unit: str
    """What one of its values is; empty where the row says it anyway."""
    units: str
    """The same of several."""
    values: tuple[int | None, ...]
    """One a session, in the order of the list; None: not recorded, which stands last."""
    words: tuple[str, ...] = ()
    """What a row says of each, where that is no count: a duration as the session's own page
    has it; else empty."""

    @property
    def table(self) -> Mapping[str, str]:
        """The same for the page's script: values after spaces, `-` where there is none."""
        values = " ".join("-" if one is None else str(one) for one in self.values)
        return {
            "name": self.name,
            "label": self.label,
            "unit": self.unit,
            "units": self.units,
            "values": values,
            **({"words": "|".join(self.words)} if self.words else {}),
        }


def session_orders(facts: Sequence[SessionFacts]) -> tuple[SessionOrder, ...]:
    """Offer the orders that tell sessions apart.

    An order by something that no session has on record, or that is the same in all of them,
    is none.

    Args:
        facts: Every session, in the order of the list.

    Rule: report.md section 4, what scripts add.
    """
    offered = (
        ("outcome", "Worst outcome first", "", "", _severity),
        ("errors", "Most tool errors first", "tool error", "tool errors", _tool_errors),
        ("turns", "Most turns first", "turn", "turns", _turns),
        ("calls", "Most tool calls first", "tool call", "tool calls", _calls),
        ("tokens", "Most tokens first", "token", "tokens", _tokens),
        ("time", "Longest first", "duration", "duration", duration_ms),
    )
    made = (
        SessionOrder(
            name,
            label,
            unit,
            units,
            tuple(map(value, facts)),
            tuple(map(duration_words, facts)) if name == "time" else (),
        )
        for name, label, unit, units, value in offered
    )
    return tuple(
        one for one in made if len({value for value in one.values if value is not None}) > 1
    )


def duration_ms(fact: SessionFacts) -> int | None:
    """Return how long a session took in milliseconds; None where two moments are not on record."""
    start, end = fact.started_at_ms, fact.ended_at_ms
    # A single recorded moment is no duration.
    return end - start if start is not None and end is not None and end > start else None


def duration_words(fact: SessionFacts) -> str:
    """Say how long a session took, such as `12.3 s`; empty where that is not on record.

    Times in whole seconds measure no tenth of one.
    """
    long = duration_ms(fact)
    start, end = moment(fact.started_at_ms), moment(fact.ended_at_ms)
    if long is None or start is None or end is None:
        return ""
    if long >= _TEN_MINUTES:
        return f"{long / 60_000:,.0f}\u00a0min"
    whole = not (start.microsecond or end.microsecond)
    return f"{long / 1_000:,.{0 if whole else 1}f}\u00a0s"


def _severity(fact: SessionFacts) -> int:
    return _SEVERITY[tone_of(fact.disposition)]


def _tool_errors(fact: SessionFacts) -> int | None:
    if not fact.is_read:
        return None
    return sum(call.is_error for call in fact.own_calls)


def _turns(fact: SessionFacts) -> int | None:
    return fact.turns_used if fact.is_read else None


def _calls(fact: SessionFacts) -> int | None:
    return len(fact.own_calls) if fact.is_read else None


def _tokens(fact: SessionFacts) -> int | None:
    usage = fact.usage
    if usage is None:
        return None
    if usage.total_tokens is not None:
        return usage.total_tokens
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    return usage.input_tokens + usage.output_tokens
