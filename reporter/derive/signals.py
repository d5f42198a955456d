"""Facts about the assistant under test that no model has to judge."""

from typing import Final

from reporter.derive.catalog import JudgedCatalog, is_known_empty, tool_exists
from reporter.derive.evidence import SessionEvidence
from reporter.models.facts import SignalMatch
from reporter.models.manifest import Target
from reporter.models.value import value
from reporter.vocabulary import Lifecycle, Signal


@value(frozen=True, slots=True)
class SessionSignals:
    """What a session matches, and what its recording cannot decide."""

    matches: tuple[SignalMatch, ...] = ()
    """In priority order."""
    not_evaluated: tuple[Signal, ...] = ()
    """In priority order."""
    hallucinated_tools: tuple[str, ...] = ()
    """Names called that do not exist, in call order, each once."""

    @property
    def names(self) -> frozenset[Signal]:
        """Every signal that is matched."""
        return frozenset(match.signal for match in self.matches)


NOT_LOOKED: Final = SessionSignals(not_evaluated=tuple(Signal))
"""The signals of a session that was not read: none was looked for."""


def signals_of(
    evidence: SessionEvidence,
    catalog: JudgedCatalog,
    target: Target,
    *,
    lifecycle: Lifecycle,
    max_turns: int | None,
) -> SessionSignals:
    """Look for every signal in one read session.

    Args:
        evidence: What the session's records hold.
        catalog: The catalogue the session is judged by.
        target: For the client's own tools and its name prefix.
        lifecycle: What became of the attempt.
        max_turns: The run's turn limit, or None where none was recorded.

    Rule: findings.md section 8.
    """
    calls = evidence.assistant_calls
    strangers = (
        [call for call in calls if not tool_exists(call.tool_name, catalog, target)]
        if catalog.complete
        else []
    )
    errored = next((call for call, outcome in evidence.answered if outcome.errored), None)
    silent = lifecycle is Lifecycle.RAN and not calls and not is_known_empty(catalog, evidence)
    used = len(evidence.turns)
    capped = max_turns is not None and used > 0 and used >= max_turns
    turns = {
        Signal.OUTPUT_TRUNCATED: next(
            (step.turn_index for step in evidence.finishes if step.reason == "length"), None
        ),
        Signal.HALLUCINATED_TOOL: strangers[0].turn_index if strangers else None,
        Signal.TOOL_ERRORED: None if errored is None else errored.turn_index,
        Signal.NO_TOOL_CALLED: 0 if silent else None,
        Signal.TURN_CAP_REACHED: max(evidence.turns) if capped else None,
    }
    decidable = {
        Signal.OUTPUT_TRUNCATED: any(step.reason is not None for step in evidence.finishes),
        Signal.HALLUCINATED_TOOL: catalog.complete,
        Signal.TURN_CAP_REACHED: max_turns is not None,
    }
    return SessionSignals(
        matches=tuple(
            [SignalMatch(signal, turn) for signal, turn in turns.items() if turn is not None]
        ),
        not_evaluated=tuple([signal for signal, known in decidable.items() if not known]),
        hallucinated_tools=tuple(dict.fromkeys([call.tool_name for call in strangers])),
    )
