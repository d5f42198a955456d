"""Whatever stands where the format says something else: the rest is read, and nothing raises."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from claude_logs import SESSION
from hypothesis import given, settings
from hypothesis import strategies as st
from imported import SAMPLES, take

from reporter.derive.session import derive_session
from reporter.errors import RecordingError

LOG = f"claude-code/allotment/{SESSION}"
NAMES = (
    f"{LOG}.jsonl",
    f"{LOG}/subagents/agent-a7f05e.jsonl",
    "kiln.jsonl",
    "rollout.jsonl",
    "trajectory.json",
)
ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -5,
    1.5,
    1e300,
    10**30,
    "",
    "x",
    "\ud83d",
    [],
    ["a"],
    [1],
    [{}],
    {},
    {"type": "text"},
    {"a": {"b": [1]}},
    [[["x"]]],
)

Place = tuple[str | int, ...]


def places(value: Any, here: Place = ()) -> Iterator[Place]:
    """Every place inside of a JSON value."""
    children: Any = ()
    if isinstance(value, dict):
        children = value.items()
    elif isinstance(value, list):
        children = enumerate(value)
    for key, child in children:
        yield (*here, key)
        yield from places(child, (*here, key))


def changed(value: Any, place: Place, odd: Any) -> None:
    for key in place[:-1]:
        value = value[key]
    value[place[-1]] = odd


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(NAMES), st.data(), st.sampled_from(ODD))
def test_a_value_of_another_kind(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject, odd: Any
) -> None:
    source = SAMPLES / name
    text = source.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()] if name.endswith("l") else None
    whole = json.loads(text) if lines is None else data.draw(st.sampled_from(lines))
    changed(whole, data.draw(st.sampled_from(list(places(whole)))), odd)
    path = tmp_path_factory.mktemp("odd") / Path(name).name
    written = [whole] if lines is None else lines
    path.write_text("".join(json.dumps(one) + "\n" for one in written), encoding="utf-8")
    try:
        taken = take(path)
    except RecordingError:
        return
    assert taken.manifest.model_dump_json()
    assert taken.plan.slots
    for session_id, recording in taken.recordings.items():
        for record in recording.records:
            assert record.model_dump_json()
        assert derive_session(taken.contexts[session_id], recording).session_id == session_id
