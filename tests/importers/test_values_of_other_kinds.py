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
from inspect_logs import (
    call,
    done,
    evaluation,
    failed,
    members,
    model,
    packed,
    sample,
    says,
    tool,
    user,
)

from reporter.derive.session import derive_session
from reporter.errors import RecordingError

LOG = f"claude-code/allotment/{SESSION}"
NAMES = (
    f"{LOG}.jsonl",
    f"{LOG}/subagents/agent-a7f05e.jsonl",
    "press.jsonl",
    "kiln.jsonl",
    "rollout.jsonl",
    "trajectory.json",
    "library_desk.json",
    "shelf__desk-7.traj",
    "shelf__desk-8.traj.json",
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

# Everything at once that a sample of a log may hold.
RICH = sample(
    1,
    messages=[
        user([{"type": "text", "text": "attachment://a"}, {"type": "image", "image": "data:x"}]),
        says([{"type": "tool_use", "id": "p", "name": "n", "arguments": "{}"}], call(), id="m"),
        tool(**failed("parsing")),
        says("x"),
    ],
    events=[
        {"event": "span_begin", "id": "t", "type": "tool", "span_id": "t", "parent_id": None},
        model(says("", call(), call("s"), id="m"), input_refs=[[0, 1]], retries=1, role=None),
        done(working_time=1.0, truncated=[1, 2]),
        {"event": "approval", "decision": "modify"},
        model(says("x")),
    ],
    events_data={"messages": [user()]},
    attachments={"a": "b"},
    limit={"type": "message", "limit": 3, "reason": "r"},
    error={"message": "boom"},
    error_retries=[{"message": "x"}],
    invalidation={"reason": "r"},
    model_usage={"m": {"total_cost": 1}},
    scores={"right": {"value": {"a": 1, "b": "C"}, "answer": "y", "explanation": "z"}},
    uuid="U",
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
    survives(path)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["header", "summaries", "samples"]), st.data(), st.sampled_from(ODD))
def test_a_value_of_another_kind_in_a_member_of_a_log(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject, odd: Any
) -> None:
    found = json.loads(json.dumps(members(RICH, status="error", eval=evaluation([1, 2], 2))))
    name = next(name for name in found if name.startswith(kind))
    changed(found[name], data.draw(st.sampled_from(list(places(found[name])))), odd)
    path = tmp_path_factory.mktemp("odd") / "a.eval"
    path.write_bytes(packed(found))
    survives(path)


def survives(path: Path) -> None:
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
