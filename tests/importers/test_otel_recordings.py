"""What the README of the recorded traces counts is what their import holds."""

from collections import Counter
from functools import lru_cache

import pytest
from imported import Taken, take
from shared import shared

from reporter.derive.session import derive_session

pytestmark = pytest.mark.shared


@lru_cache
def traces() -> Taken:
    return take(shared("recordings", "otel-genai-kagent"))


# File: tool calls, tokens in and out of all requests, the agent, its model.
TRACE_FILES = {
    "helm.json": (1, 1820 + 1956, 13 + 117, "helm_agent", "gpt-4.1-mini"),
    "helm_3.json": (1, 1909 + 2138, 32 + 771, "helm_agent", "gpt-5-mini"),
    "k8s.json": (0, 2203, 139, "k8s_agent", "gpt-4.1-mini"),
}


def test_traces_hold_what_their_readme_counts() -> None:
    taken = traces()
    counts = taken.counts()
    assert (counts["sessions"], counts["user turns"]) == (3, 3)
    assert (counts["tool calls"], counts["tool results"], counts["tool errors"]) == (2, 2, 0)
    assert max(taken.wave.files, key=lambda file: file.bytes).name == "helm_3.json"
    assert max(file.bytes for file in taken.wave.files) == 373_309
    assert taken.manifest.terminal
    assert taken.wave.problems == []
    assert all(slot.listed and slot.in_plan and slot.recorded for slot in taken.plan.slots)


@pytest.mark.parametrize("name", TRACE_FILES)
def test_each_trace_file_holds_what_its_row_says(name: str) -> None:
    calls, tokens_in, tokens_out, agent, model = TRACE_FILES[name]
    taken = traces()
    ((own, recording),) = [
        (own, recording) for own, recording in taken.recordings.items() if recording.file == name
    ]
    assert own.startswith("ctx-")
    assert sum(record.type == "tool_call" for record in recording.records) == calls
    # Two spans tell of each request; its tokens count once.
    usage = [record.usage for record in recording.records if record.type == "step_finish"]
    assert sum(one.input_tokens or 0 for one in usage if one) == tokens_in
    assert sum(one.output_tokens or 0 for one in usage if one) == tokens_out
    target = taken.contexts[own].target
    assert (target.label, target.model_id) == (agent, model)
    facts = derive_session(taken.contexts[own], recording)
    assert facts.usage is not None
    assert facts.usage.input_tokens == tokens_in


def test_the_traces_tell_what_disagrees_and_what_is_left_out() -> None:
    taken = traces()
    lost = Counter({entry.kind: 0 for entry in taken.wave.lost})
    for entry in taken.wave.lost:
        lost[entry.kind] += entry.count or 1
    # Three answer keys and the plumbing; two requests of which two spans disagree.
    assert lost == {"noPlace": 3 + 263, "disagreement": 2}
    reasons = Counter(
        record.finish_reason
        for recording in taken.recordings.values()
        for record in recording.records
        if record.type == "step_finish"
    )
    assert reasons == {"tool_calls": 2, "stop": 3}
