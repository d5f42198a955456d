"""How spans come out of files: every spelling, streams and lines, and what is broken."""

import json
from pathlib import Path
from typing import Any

import pytest
from imported import Json, Taken, take, write
from traces import (
    CONTAINERS,
    agent,
    answers,
    chat,
    hexadecimal,
    in_base64,
    jaeger,
    jaeger_trace,
    otlp,
    otlp_lines,
    says,
    span,
    visit,
)

from reporter.errors import RecordingError
from reporter.importers.mapping import FileMapping
from reporter.importers.otel import containers, gather
from reporter.importers.otel.importer import OtelGenAi
from reporter.importers.otel.messages import unflattened
from reporter.importers.otel.values import (
    SpanValue,
    attributes_of,
    identifier,
    nanoseconds,
    span_kind,
    status_of,
)
from reporter.importers.source import LocalFile, look_at
from reporter.models.records import Message, ToolCall


def claims(path: Path) -> bool:
    return OtelGenAi().claims(look_at(LocalFile(path=path, name=path.name, prefix="x")))


def spoken(taken: Taken) -> list[Any]:
    return [
        record.content
        for recording in taken.recordings.values()
        for record in recording.records
        if isinstance(record, Message)
    ]


@pytest.mark.parametrize(
    ("value", "digits", "read"),
    [
        ("00000000000000ab", 16, "00000000000000ab"),
        ("AB", 16, "00000000000000ab"),
        ("0xab", 16, "00000000000000ab"),
        ("AAAAAAAAAKs=", 16, "00000000000000ab"),
        ("AAAAAAAAAAA=", 16, None),
        ("0000000000000000", 16, None),
        ("", 16, None),
        (None, 16, None),
        (171, 16, "00000000000000ab"),
        (True, 16, None),
        ("not an id", 16, "not an id"),
        ("AAA=", 16, "AAA="),
        (in_base64(7, 32), 32, hexadecimal(7, 32)),
    ],
)
def test_ids_are_the_same_however_they_are_spelled(
    value: object, digits: int, read: str | None
) -> None:
    assert identifier(value, digits) == read


@pytest.mark.parametrize(
    ("value", "scale", "read"),
    [
        (1_770_000_000_000_000_000, 1, 1_770_000_000_000_000_000),
        ("1770000000000000000", 1, 1_770_000_000_000_000_000),
        (1_770_000_000_000_000, 1000, 1_770_000_000_000_000_000),
        ("2026-02-02T02:40:00Z", 1, 1_770_000_000_000_000_000),
        ("2026-02-02T02:40:00", 1, None),
        ("yesterday", 1, None),
        (0, 1, None),
        (-5, 1, None),
        (True, 1, None),
        (10**30, 1, None),
        (1e300, 1, None),
        ("9" * 400, 1, None),
        ({"low": 1}, 1, None),
    ],
)
def test_a_time_that_cannot_be_meant_is_none(value: object, scale: int, read: int | None) -> None:
    assert nanoseconds(value, scale) == read


def test_kinds_and_statuses_have_numbers_and_words() -> None:
    assert [span_kind(kind) for kind in (3, "SPAN_KIND_CLIENT", "SpanKind.CLIENT", "client")] == [
        "client"
    ] * 4
    assert [span_kind(kind) for kind in (9, None, "other", True)] == ["unspecified"] * 4
    assert [status_of(code) for code in (2, "STATUS_CODE_ERROR", "ERROR", "2")] == ["error"] * 4
    unset: list[object] = [0, None, "UNSET", 7, True, []]
    assert [status_of(code) for code in unset] == [None] * 6


def test_attributes_are_plain_values_whatever_wraps_them() -> None:
    deep: Any = "x"
    for _ in range(200):
        deep = {"arrayValue": {"values": [deep]}}
    held = [
        {"key": "a", "value": {"stringValue": "t"}},
        {"key": "b", "value": {"intValue": "7"}},
        {"key": "c", "value": {"boolValue": False}},
        {
            "key": "d",
            "value": {"kvlistValue": {"values": [{"key": "e", "value": {"intValue": 1}}]}},
        },
        {"key": "f", "value": {}},
        {"key": "g", "value": deep},
        {"key": "h", "type": "string", "value": '{"stringValue": "as it is"}'},
        {"key": "i", "value": {"intValue": "many"}},
        {"key": 7, "value": {"stringValue": "no key"}},
        "no pair",
    ]
    assert attributes_of(held) == {
        "a": "t",
        "b": 7,
        "c": False,
        "d": {"e": 1},
        "f": None,
        "h": '{"stringValue": "as it is"}',
        "i": None,
    }
    # A mapping is no protobuf: what it holds is meant.
    assert attributes_of({"a": {"stringValue": "t"}}) == {"a": {"stringValue": "t"}}
    assert attributes_of(7) == {}


def test_flattened_lists_close_their_gaps_and_bound_their_numbers() -> None:
    held = {
        "p.2.role": "b",
        "p.0.role": "a",
        "p.10.role": "c",
        "p.99999999999.role": "never",
        "p.x.role": "no number",
        "p.0.calls.0.name": "n",
        "other.0.role": "z",
    }
    assert unflattened(held, "p") == [
        {"role": "a", "calls": [{"name": "n"}]},
        {"role": "b"},
        {"role": "c"},
    ]


@pytest.mark.parametrize("container", CONTAINERS)
def test_the_containers_are_claimed(tmp_path: Path, container: str) -> None:
    assert claims(write(tmp_path / "t.json", CONTAINERS[container](*visit())))


@pytest.mark.parametrize(
    "document",
    [
        {"resourceMetrics": [{"scopeMetrics": []}]},
        {"data": [{"id": 1, "spans": 3}]},
        {"batches": [{"id": "b-1"}]},
        {"traceID": "ab", "name": "x"},
        {"spans": []},
        {"trace": {"steps": []}},
        {"context": {"user": 1}, "name": "x"},
        {"info": {}, "tasks": [], "simulations": []},
        [{"task_id": 1, "traj": [], "reward": 1}],
        {"type": "wave", "format": "swarm-recording"},
        [],
        "text",
    ],
)
def test_what_is_no_container_is_not_claimed(tmp_path: Path, document: Any) -> None:
    assert not claims(write(tmp_path / "t.json", json.dumps(document)))


@pytest.mark.parametrize(
    "document",
    [
        [otlp(*visit())],
        [jaeger_trace(visit())],
        jaeger_trace(visit()),
        {"result": otlp(*visit())},
    ],
)
def test_containers_inside_others_are_read(tmp_path: Path, document: Any) -> None:
    path = write(tmp_path / "t.json", document)
    assert claims(path)
    assert list(take(path).recordings) == ["visit-1"]


@pytest.mark.parametrize("container", ["otlp", "otlp-words", "tempo", "tempo-v2", "jaeger"])
def test_a_document_that_is_too_large_to_parse_is_read_as_a_stream(
    tmp_path: Path, container: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "t.json", CONTAINERS[container](*visit()))
    whole = take(path)
    monkeypatch.setattr(containers, "MOST_AT_ONCE", 500)
    streamed = take(path)
    assert streamed.wave.problems == []
    assert streamed.manifest == whole.manifest
    assert [list(one.records) for one in streamed.recordings.values()] == [
        list(one.records) for one in whole.recordings.values()
    ]


def test_a_line_that_is_too_large_is_left_out_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = [
        agent(11, trace=2, attributes={"gen_ai.conversation.id": "visit-2"}),
        chat(12, [says("x" * 5000)], [answers("y")], trace=2, parent=11),
    ]
    path = write(tmp_path / "t.jsonl", otlp_lines(*more, *visit()))
    monkeypatch.setattr(containers, "MOST_AT_ONCE", 3000)
    taken = take(path)
    assert list(taken.recordings) == ["visit-1", "visit-2"]
    (problem, untold) = taken.wave.problems
    assert (problem.rule, problem.place) == ("source-file-broken", "line 5")
    assert (untold.rule, untold.severity) == ("source-texts-not-captured", "note")
    assert not taken.manifest.terminal


def test_a_broken_line_costs_itself_alone(tmp_path: Path) -> None:
    lines = otlp_lines(*visit()).splitlines(keepends=True)
    for broken in range(len(lines) + 1):
        text = "".join([*lines[:broken], '{"resourceSpans": [{\n', *lines[broken:]])
        taken = take(write(tmp_path / f"t{broken}.jsonl", text))
        assert spoken(taken) == ["Where is The Salt Road?", "", "On shelf 4."]
        assert [problem.place for problem in taken.wave.problems] == [f"line {broken + 1}"]
        assert not taken.manifest.terminal


def test_spans_before_a_break_are_used(tmp_path: Path) -> None:
    text = json.dumps(otlp(*visit()))
    cut = text[: text.index("execute_tool find_book")]
    taken = take(write(tmp_path / "t.json", cut))
    assert spoken(taken) == ["Where is The Salt Road?", ""]
    assert [problem.rule for problem in taken.wave.problems] == ["source-file-broken"]
    assert [entry.kind for entry in taken.wave.lost] == ["unreadable"]


def test_the_traces_before_a_break_of_jaegers_are_used(tmp_path: Path) -> None:
    text = json.dumps(jaeger(*visit()))
    taken = take(write(tmp_path / "t.json", text[: text.index('"processes"')]))
    assert spoken(taken) == ["Where is The Salt Road?", "", "On shelf 4."]


def test_a_file_that_cannot_be_read_stops_no_other(tmp_path: Path) -> None:
    write(tmp_path / "in" / "a.json", otlp(*visit()))
    path = tmp_path / "in" / "b.json"
    write(path, otlp(*visit()))

    class Unreadable(LocalFile):
        def open(self) -> Any:
            raise OSError(5, "Input/output error")

    files = [
        LocalFile(path=tmp_path / "in" / "a.json", name="a.json", prefix="a"),
        Unreadable(path=path, name="b.json", prefix="b"),
    ]
    items = list(OtelGenAi().sessions(files, FileMapping()))
    kinds = [type(item).__name__ for item in items]
    assert kinds.count("ImportedSession") == 1
    assert any("Input/output error" in str(item) for item in items)


def test_golden_cases_beside_the_traces_are_told_and_are_no_sessions(tmp_path: Path) -> None:
    cases: Json = {
        "eval_set_id": "desk",
        "eval_cases": [{"eval_id": "one", "conversation": [{"invocation_id": "i"}]}],
    }
    write(tmp_path / "in" / "cases.json", cases)
    write(tmp_path / "in" / "t.json", otlp(*visit()))
    taken = take(tmp_path / "in")
    assert list(taken.recordings) == ["visit-1"]
    assert [str(entry) for entry in taken.wave.lost] == [
        "cases.json: eval_cases: golden cases say what should happen, not what happened"
    ]
    with pytest.raises(RecordingError, match="holds no session"):
        take(tmp_path / "in" / "cases.json")


def test_traces_of_something_else_are_refused_with_what_was_read(tmp_path: Path) -> None:
    path = write(tmp_path / "t.json", otlp(span("GET /", 1, {"http.method": "GET"})))
    with pytest.raises(RecordingError, match="holds no session"):
        take(path)


def test_more_than_is_kept_is_left_out_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "t.json", otlp(*visit()))
    monkeypatch.setattr(gather, "MOST_SPANS", 2)
    taken = take(path)
    assert spoken(taken) == ["Where is The Salt Road?", ""]
    assert [problem.rule for problem in taken.wave.problems] == ["source-too-large"]
    monkeypatch.setattr(gather, "MOST_SPANS", 10)
    monkeypatch.setattr(gather, "MOST_TEXT", 80)
    taken = take(path)
    assert spoken(taken) == ["Where is The Salt Road?"]
    assert [problem.rule for problem in taken.wave.problems] == ["source-too-large"]


def test_what_many_requests_repeat_is_kept_once(tmp_path: Path) -> None:
    history: list[Json] = []
    spans = [agent(1, lasts=10_000)]
    for number in range(40):
        history.append(says(f"Question {number} " + "x" * 200))
        answer = answers(f"Answer {number} " + "y" * 200)
        spans.append(chat(2 + number, list(history), [answer], parent=1, at=10 * number))
        history.append(answer)
    gathering = gather.Gathering()
    entry = LocalFile(path=write(tmp_path / "t.json", otlp(*spans)), name="t.json", prefix="t")
    for item in containers.read_spans(entry, gathering.unknown):
        if isinstance(item, SpanValue):
            gathering.add(item, "t.json")
    recorded = entry.path.stat().st_size
    assert gathering.kept_text < recorded / 15
    taken = take(entry.path)
    assert len(spoken(taken)) == 80
    assert not [
        r for one in taken.recordings.values() for r in one.records if isinstance(r, ToolCall)
    ]
