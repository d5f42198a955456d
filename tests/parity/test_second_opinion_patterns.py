"""Patterns of calls, looked for a second time: plainly, over whole transcripts, sharing no code."""

import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from report_waves import derived_from
from shared import ROOT, shared

from reporter.models.friction import Surfaced
from reporter.models.records import ToolCall, ToolResult
from reporter.models.session import SessionRecording
from reporter.vocabulary import FrictionSignal

KEPT = 24
PATHS_KEPT = 8


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every scalar of a JSON value with the keys that lead to it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, f"{path}[]")
    elif value is not None:
        yield path, str(value)


def parsed(result: Any) -> Any:
    if isinstance(result, dict) and "structuredContent" in result:
        return result["structuredContent"]
    if not isinstance(result, str):
        return result
    try:
        return json.loads(result)
    except ValueError:
        return result


def adjacent(calls: list[ToolCall]) -> Counter[str]:
    """How often a tool was called twice in a row, with the same arguments or others."""
    counts: Counter[str] = Counter()
    for before, after in pairwise(calls):
        if before.tool_name == after.tool_name:
            same = json.dumps(before.args, sort_keys=True) == json.dumps(after.args, sort_keys=True)
            counts["same" if same else "changed"] += 1
    return counts


def wrong(found: Surfaced, calls: list[ToolCall], results: dict[str, Any]) -> str | None:
    """Say what a plain look at the later calls says against a signal; None: nothing."""
    given = parsed(results[calls[found.information_call_index].tool_call_id])
    values = {text for path, text in leaves(given) if path in found.identifier_key_paths}
    later = calls[found.information_call_index + 1 :]
    used = {text for call in later for _, text in leaves(call.args)} & values
    if len(found.identifier_key_paths) < PATHS_KEPT and len(values) < found.identifier_count:
        return f"{len(values)} values stand there, {found.identifier_count} were counted"
    if found.kind is FrictionSignal.IDENTIFIER_SURFACED_UNUSED and used:
        return f"{len(used)} values were used"
    names = {calls[index].tool_name for index in found.repeat_call_indexes}
    return None if names <= {found.tool_name} else f"repeats of other tools: {sorted(names)}"


def recorded(session: SessionRecording) -> tuple[list[ToolCall], dict[str, Any]]:
    calls = [one for one in session.records if isinstance(one, ToolCall)]
    results = {r.tool_call_id: r.result for r in session.records if isinstance(r, ToolResult)}
    return calls, results


def disagreements(source: Path) -> tuple[list[str], Counter[FrictionSignal]]:
    wave, transcripts = derived_from(source)
    said: list[str] = []
    kinds: Counter[FrictionSignal] = Counter()
    for facts in wave.facts:
        document, session = facts.friction_signals, transcripts(facts.session_id)
        if document is None or session is None or not document.signals:
            continue
        calls, results = recorded(session)
        counts = Counter(one.kind for one in document.signals)
        kinds += counts
        plain = adjacent(calls)
        changed = counts[FrictionSignal.CHANGED_RETRY]
        changed += counts[FrictionSignal.PAGINATION_CONTINUATION]
        if len(document.signals) < KEPT and (
            (plain["same"], plain["changed"]) != (counts[FrictionSignal.IDENTICAL_RETRY], changed)
        ):
            said.append(f"{facts.session_id}: {dict(plain)} against {dict(counts)}")
        for one in document.signals:
            why = wrong(one, calls, results) if isinstance(one, Surfaced) else None
            if why:
                said.append(f"{facts.session_id} {one.to_wire()}: {why}")
    return said, kinds


@pytest.mark.parametrize(
    ("source", "signals"), [("tau-trait", 1288), ("tau-bench", 665), ("tau2-bench-runs", None)]
)
def test_patterns_of_real_calls_are_seen_alike(source: str, signals: int | None) -> None:
    said, kinds = disagreements(shared("recordings", source))
    assert said == []
    assert signals is None or kinds.total() == signals


def test_patterns_of_the_example_are_seen_alike() -> None:
    said, kinds = disagreements(ROOT / "examples" / "lending-desk" / "wave")
    assert said == []
    assert kinds.total() > 0
