"""What code itself writes into a row: fixed phrases, and the stage a signal stands at."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from reporter.vocabulary import Disposition, Signal, Stage, WiderFact

SIGNAL_STAGE: Final[Mapping[Signal, Stage]] = MappingProxyType(
    {
        Signal.OUTPUT_TRUNCATED: Stage.RESPONSE,
        Signal.HALLUCINATED_TOOL: Stage.DISCOVERY,
        Signal.TOOL_ERRORED: Stage.RESPONSE,
        Signal.NO_TOOL_CALLED: Stage.SELECTION,
        Signal.TURN_CAP_REACHED: Stage.USER_VALUE,
    }
)
"""Where the rows of a signal stand (findings.md section 8)."""

SIGNAL_PHRASE: Final[Mapping[Signal, str]] = MappingProxyType(
    {
        Signal.OUTPUT_TRUNCATED: "reply was cut off",
        Signal.HALLUCINATED_TOOL: "called a tool that does not exist",
        Signal.TOOL_ERRORED: "a tool call returned an error",
        Signal.NO_TOOL_CALLED: "finished without using any tool",
        Signal.TURN_CAP_REACHED: "used every allowed turn",
    }
)
"""The outcome phrase of a signal's rows (findings.md section 8)."""

FACT_PHRASE: Final[Mapping[WiderFact, str]] = MappingProxyType(
    {
        WiderFact.NOT_STARTED: "did not start",
        WiderFact.NOT_MET: "did not meet the goal",
    }
)
"""The outcome phrase of a wider fact (findings.md section 12.1)."""

FIXED_PHRASES: Final = frozenset({*SIGNAL_PHRASE.values(), *FACT_PHRASE.values()})
"""Phrases that are code's own words wherever they stand."""

OWN_WORD: Final[Mapping[Stage, Disposition]] = MappingProxyType(
    {
        Stage.CONNECTION: Disposition.BLOCKED_CONNECTING,
        Stage.DISCOVERY: Disposition.LOST_FINDING_TOOL,
        Stage.SELECTION: Disposition.LOST_FINDING_TOOL,
        Stage.CALL: Disposition.BLOCKED_CALLING_TOOL,
        Stage.RESPONSE: Disposition.BLOCKED_BY_RESPONSE,
        Stage.USER_VALUE: Disposition.GOAL_MISSED,
    }
)
"""The disposition that says a stage's failure is what stopped the goal (findings.md section 5)."""
