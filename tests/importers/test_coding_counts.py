"""What the READMEs of the coding agents' recordings count is what their import holds."""

from collections import Counter

import pytest
from imported import take
from shared import shared

from reporter.errors import RecordingError

pytestmark = pytest.mark.shared


def test_the_pi_session_holds_what_its_readme_counts() -> None:
    taken = take(shared("recordings", "pi-coding-agent"))
    counts = taken.counts()
    assert (counts["sessions"], counts["messages"], counts["user turns"]) == (1, 914, 88)
    assert (counts["tool calls"], counts["tool results"], counts["tool errors"]) == (391, 373, 19)
    (recording,) = taken.recordings.values()
    names = Counter(one.tool_name for one in recording.records if one.type == "tool_call")
    assert names == {"bash": 192, "edit": 146, "read": 50, "write": 3}
    steps = Counter(one.finish_reason for one in recording.records if one.type == "step_finish")
    assert steps == {"tool_use": 366, "stop": 65, "aborted": 21, "error": 1}
    assert [one.kind for one in recording.records if one.type == "session_notice"] == ["model"]
    (context,) = taken.contexts.values()
    assert context.target.model_id == "anthropic/claude-sonnet-4-5"
    assert taken.wave.problems == []


def test_the_claude_code_records_are_counted_like_their_readme() -> None:
    taken = take(shared("recordings", "claude-code-records"))
    counts, lost = taken.counts(), taken.wave.lost
    # Single lines torn from many sessions: two files are the bytes of two others.
    assert len(taken.wave.files) == 58
    copies = [one.place for one in lost if one.reason.startswith("the same bytes as")]
    assert len(copies) == 2
    unmatched = sum(one.count or 0 for one in lost if one.kind == "unmatched")
    assert counts["tool calls"] == 18
    assert counts["tool results"] + unmatched + len(copies) == 26
    # Ten results say that they are errors: those of both copies and of no recorded call too.
    assert (counts["tool errors"], unmatched) == (2, 6)
    assert taken.wave.problems == []


def test_every_claude_code_record_is_a_session_or_says_why_not() -> None:
    sessions, reasons = 0, []
    for path in sorted(shared("recordings", "claude-code-records").rglob("*.jsonl")):
        try:
            sessions += len(take(path).recordings)
        except RecordingError as error:
            reasons.append(str(error))
    assert (sessions, len(reasons)) == (47, 11)
    assert all("so there is no session" in reason for reason in reasons)
