import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from builders import Json, goal, manifest, persona, run, target
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from second_opinion import compared, differences, opinions
from session_cases import chain_record, ended, graded
from shared import ROOT, shared
from waves import write_folder

from reporter.derive.facts_json import facts_line
from reporter.derive.options import DeriveOptions
from reporter.derive.session import derive_session
from reporter.pipeline.import_ import import_source
from reporter.pipeline.options import Options
from reporter.recording.reader import open_wave


def disagreements(folder: Path) -> tuple[list[str], Counter[str]]:
    """Where the two differ over a wave, and how often each word was given."""
    wave = open_wave(folder)
    theirs = [
        json.loads(facts_line(derive_session(one, wave.read(one.slot.session_id), DeriveOptions())))
        for one in wave.plan.contexts()
    ]
    mine = opinions(folder)
    assert [one["sessionId"] for one in mine] == [one["sessionId"] for one in theirs]
    found: list[str] = []
    for own, facts in zip(mine, theirs, strict=True):
        found += differences(own, compared(facts))
    return found, Counter(one["disposition"] for one in mine)


def test_the_example_wave_is_seen_alike() -> None:
    found, words = disagreements(ROOT / "examples" / "lending-desk" / "wave")
    assert found == []
    assert len(words) == 9


@pytest.mark.parametrize(
    ("source", "sessions"), [("tau-trait", 354), ("tau-bench", 200), ("tau2-bench-runs", 16)]
)
def test_real_recordings_are_seen_alike(source: str, sessions: int, tmp_path: Path) -> None:
    import_source(shared("recordings", source), tmp_path / "wave", Options())
    found, words = disagreements(tmp_path / "wave")
    assert found == []
    assert words.total() == sessions
    assert len(words) > 1


CALL_IDS = st.sampled_from(["c1", "c2", "c3"])
TOOLS = st.sampled_from(["find_book", "lib__find_book", "shell", "lib__shell", "fly"])
TURNS = st.integers(min_value=0, max_value=3)
FLAGS = st.sampled_from([None, True, False])
CODES = st.sampled_from([None, None, -32602, -32001])


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    """Objects with these keys; what is None is left out."""
    return st.fixed_dictionaries(fields).map(
        lambda drawn: {key: value for key, value in drawn.items() if value is not None}
    )


TEXTS = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\n"), max_size=6)
PARTS = st.one_of(
    some(kind=st.just("text"), text=TEXTS),
    some(kind=st.just("tool_call"), toolCallId=CALL_IDS, toolName=TOOLS, args=st.just({})),
    some(kind=st.just("tool_result"), toolCallId=CALL_IDS, result=st.just("ok"), isError=FLAGS),
)
MESSAGES = some(
    type=st.just("message"),
    turnIndex=TURNS,
    role=st.sampled_from(["user", "assistant", "assistant", "system", "tool"]),
    author=st.just("client"),
    content=TEXTS | st.lists(PARTS, max_size=3),
    toolCallId=st.none() | CALL_IDS,
)
CALLS = some(
    type=st.just("tool_call"),
    turnIndex=TURNS,
    toolCallId=CALL_IDS,
    toolName=TOOLS,
    args=st.just({}),
    caller=st.sampled_from([None, None, "assistant", "persona"]),
)
RESULTS = some(
    type=st.just("tool_result"),
    toolCallId=CALL_IDS,
    result=st.just("ok"),
    isError=FLAGS,
    mcpErrorCode=CODES,
    error=st.sampled_from([None, None, "", "boom"]),
    policyBlocked=st.sampled_from([None, None, True, False]),
    answeredBy=st.sampled_from([None, None, "server", "client"]),
)
CONNECTIONS = some(
    type=st.just("connection"),
    phase=st.sampled_from(["connect", "initialize", "tools_list", "resources_list"]),
    outcome=st.sampled_from(["ok", "failed", "failed", "skipped"]),
    attributable=st.sampled_from(["server", "server", "client", "network", "unknown"]),
    egressVerified=FLAGS,
    serverId=st.sampled_from([None, "a", "b"]),
    serverName=st.sampled_from([None, None, "b"]),
)
STEPS = some(
    type=st.just("step_finish"),
    turnIndex=TURNS,
    stepNumber=st.just(0),
    finishReason=st.sampled_from([None, "stop", " Max_Tokens", "length", "tool_use", " "]),
    usage=st.sampled_from([None, {"inputTokens": 1, "outputTokens": 2}, {"inputTokens": 0}]),
)
SHELF = [{"name": "find_book"}, {"name": "return_book", "visibility": ["app"]}]
CATALOGS = st.sampled_from(
    [
        {"type": "catalog", "tools": SHELF, "complete": True},
        {"type": "catalog", "tools": [], "complete": True},
        {"type": "catalog", "tools": [{"name": "fly"}], "complete": False},
        {"type": "catalog", "catalogId": "lib", "complete": True, "view": "raw"},
        {"type": "catalog", "catalogId": "unheard-of", "complete": True},
    ]
)
JUDGES = some(
    type=st.just("goal_judge"),
    status=st.sampled_from(["running", "completed", "completed", "completed", "failed"]),
    passed=FLAGS,
    score=st.sampled_from([None, 0.5, 0.9]),
    threshold=st.sampled_from([None, 0.5, 0.7]),
)
OUTCOMES = some(
    criterionId=st.sampled_from(["a", "b", "c", "unheard-of"]),
    passed=st.booleans(),
    status=st.sampled_from([None, None, "scored", "error"]),
    notApplicable=st.sampled_from([None, None, None, {"class": "none", "reason": "no call"}]),
)
CHECKS = some(
    type=st.just("criteria"),
    status=st.sampled_from(["pending", "completed", "completed", "completed", "failed"]),
    results=st.none() | st.lists(OUTCOMES, max_size=5),
    criterionIds=st.none() | st.lists(st.sampled_from(["a", "b", "c", "unheard-of"]), max_size=3),
)
GRADING = st.sampled_from(["notRequested", "queued", "running", "settled", "unavailable"]).map(
    graded
)
STATES = st.sampled_from(["passed", "failed", "notMeasured", "notApplicable", "notReached"])
REASONED = STATES | st.tuples(STATES, st.sampled_from(["toolError", "protocolError", "observed"]))
CHAINS = st.builds(
    lambda states, version: chain_record(*states, version=version),
    st.lists(REASONED, min_size=6, max_size=6),
    st.sampled_from([11, 11, 3, 0, 12, -1, True, "11"]),
)
READINESS = some(
    type=st.just("readiness"),
    status=st.just("completed"),
    advertisedToolsKnown=FLAGS,
    advertisedToolCount=st.sampled_from([None, 0, 4]),
)
ENDS = st.sampled_from(
    [ended(), ended("failed"), ended("rate_limited"), ended("failed", errorCode="canceled")]
)
OTHERS = st.sampled_from([{"type": "unheard_of"}, {"type": "self_report", "account": "fine"}])
RECORDS = st.lists(
    st.one_of(
        MESSAGES,
        MESSAGES,
        CALLS,
        CALLS,
        RESULTS,
        RESULTS,
        CONNECTIONS,
        CONNECTIONS,
        STEPS,
        CATALOGS,
        JUDGES,
        CHECKS,
        CHECKS,
        GRADING,
        CHAINS,
        READINESS,
        ENDS,
        OTHERS,
    ),
    max_size=14,
)
BROKEN = b'{"type": "message", "seq": 7, "cont'
KINDS = st.sampled_from(
    [
        None,
        "toolCalledAtLeastOnce",
        "onlyToolsCalled",
        "argumentsMatchToolSchema",
        "noToolErrors",
        "responseContains",
        "toolCalledWith",
        "toolNamesUnique",
        "somethingNew",
    ]
)
ROLES = st.sampled_from(["required", "advisory", None])
ENTRIES = st.builds(
    lambda name, role, kind: {
        "id": name,
        "role": role,
        **({} if kind is None else {"predicate": {"type": kind}}),
    },
    st.sampled_from(["a", "b", "c"]),
    ROLES,
    KINDS,
)
POLICIES = st.none() | some(
    automatic=st.booleans(), role=st.sampled_from(["advisory", "required"]), requested=FLAGS
)
ATTEMPTS = st.none() | some(
    status=st.sampled_from(
        ["pending", "running", "succeeded", "succeeded", "succeeded", "failed", "rate_limited"]
    ),
    errorCode=st.sampled_from([None, None, None, "canceled", "spend_cap_exceeded", "boom"]),
)


@st.composite
def session_files(draw: st.DrawFn) -> bytes:
    """A session's file: numbered records, and now and then a line that breaks off."""
    lines: list[bytes] = []
    index = 0
    for seq, record in enumerate(draw(RECORDS)):
        whole = {"seq": seq, "at": None, **record}
        if whole["type"] == "message":
            whole["index"] = index
            index += 1
        lines.append(json.dumps(whole).encode() + b"\n")
    if draw(st.integers(min_value=0, max_value=7)) == 0:
        at = draw(st.integers(min_value=0, max_value=len(lines)))
        lines.insert(at, BROKEN + b"\n")
    return b"".join(lines)


@st.composite
def waves(draw: st.DrawFn) -> tuple[Json, dict[str, bytes]]:
    """A manifest with two runs, two targets and a few odd slots, and files for some."""
    runs = [
        run(
            name,
            target_ids=draw(st.sampled_from([["t1"], ["t1", "t2"], ["t2", "unheard-of"]])),
            sessionsPerTarget=draw(st.integers(min_value=1, max_value=2)),
            maxTurns=draw(st.sampled_from([None, 1, 2, 9])),
            rubric=draw(st.lists(ENTRIES, max_size=4)),
            judge=draw(POLICIES),
        )
        for name in ("r1", "r2")
    ]
    targets = [
        target("t1", catalogId="lib", serverIds=["a", "b"], builtInToolIds=["shell"]),
        target("t2", toolNamePrefix="lib__", serverNames=["b"]),
    ]
    slots = draw(
        st.lists(
            some(
                sessionId=st.sampled_from(["s1", "s2", "s3", "s:4", "no/good"]),
                runId=st.sampled_from(["r1", "r2", "r1", "r2", "unheard-of"]),
                targetId=st.sampled_from(["t1", "t2"]),
                sessionIndex=st.integers(min_value=0, max_value=2),
                attempt=ATTEMPTS,
                recorded=st.booleans(),
                messageCount=st.sampled_from([None, None, 0, 2]),
            ),
            min_size=1,
            max_size=5,
        )
    )
    for number, one in enumerate(slots):
        one.setdefault("attempt", None)
        if draw(st.integers(min_value=0, max_value=5)) == 0:
            one["documentId"] = f"doc-{number}"
    names = draw(st.sets(st.sampled_from(["s1", "s2", "s3", "s%3A4", "doc-0", "doc-1", "x"])))
    whole = manifest(
        personas=[persona()],
        goals=[goal()],
        targets=targets,
        runs=runs,
        slots=slots,
        terminal=False,
        catalogs=[{"catalogId": "lib", "tools": SHELF, "complete": draw(st.booleans())}],
    )
    policy = draw(POLICIES)
    if policy is not None:
        whole["policy"] = {"judge": policy}
    return whole, {name: draw(session_files()) for name in sorted(names)}


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(waves())
def test_random_waves_are_seen_alike(wave: tuple[Json, dict[str, bytes]]) -> None:
    whole, files = wave
    with tempfile.TemporaryDirectory() as folder:
        found, _ = disagreements(write_folder(Path(folder) / "wave", whole, files))
    assert found == []
