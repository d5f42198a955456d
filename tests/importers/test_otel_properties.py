"""Whatever order, files and parts spans come in: the same session, or less of it, never more."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imported import Taken, take, write
from trace_dialects import DIALECTS
from traces import (
    CONTAINERS,
    MCP,
    TestSpan,
    agent,
    answers,
    chat,
    otlp,
    says,
    second_turn,
    span,
    visit,
)

from reporter.errors import RecordingError
from reporter.models.records import Message, ToolCall

modest = settings(max_examples=40, deadline=None)


def whole() -> list[TestSpan]:
    """Two turns, with everything that tells of one call twice."""
    return [
        *visit(),
        span("tools/call find_book", 5, MCP, parent=3, at=31, lasts=8, kind="client"),
        span("tools/call find_book", 6, MCP, parent=5, at=33, lasts=4, kind="server"),
        span("GET", 7, {"http.method": "GET"}, parent=1, at=3, status="error"),
        *second_turn(),
    ]


def records(taken: Taken) -> dict[str, list[Any]]:
    return {name: list(one.records) for name, one in taken.recordings.items()}


def took(folder: Path, *parts: Sequence[TestSpan]) -> Taken:
    for number, part in enumerate(parts):
        write(folder / f"{number}.json", otlp(*part))
    return take(folder)


@modest
@given(st.permutations(whole()))
def test_the_order_of_spans_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, spans: list[TestSpan]
) -> None:
    expected = records(took(tmp_path_factory.mktemp("whole"), whole()))
    assert records(took(tmp_path_factory.mktemp("mixed"), spans)) == expected


@modest
@given(st.lists(st.integers(min_value=0, max_value=2), min_size=9, max_size=9))
def test_the_files_that_spans_stand_in_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, places: list[int]
) -> None:
    spans = whole()
    expected = records(took(tmp_path_factory.mktemp("whole"), spans))
    parts = [
        [one for one, place in zip(spans, places, strict=True) if place == n] for n in range(3)
    ]
    assert records(took(tmp_path_factory.mktemp("parts"), *filter(None, parts))) == expected


@modest
@given(st.sets(st.integers(min_value=0, max_value=8), min_size=1))
def test_of_fewer_spans_comes_no_more(
    tmp_path_factory: pytest.TempPathFactory, kept: set[int]
) -> None:
    spans = [one for number, one in enumerate(whole()) if number in kept]
    try:
        taken = took(tmp_path_factory.mktemp("fewer"), spans)
    except RecordingError:
        return
    found = [record for one in taken.recordings.values() for record in one.records]
    calls = [record for record in found if isinstance(record, ToolCall)]
    personas = [r.content for r in found if isinstance(r, Message) and r.role == "user"]
    assert len(calls) <= 1
    assert len(set(personas)) == len(personas) <= 2


@modest
@given(
    st.sampled_from(sorted(DIALECTS)),
    st.sampled_from(sorted(CONTAINERS)),
    st.data(),
)
def test_no_attribute_is_needed_and_none_is_trusted(
    tmp_path_factory: pytest.TempPathFactory, dialect: str, container: str, data: st.DataObject
) -> None:
    spans = DIALECTS[dialect]()
    odd = st.sampled_from(
        [
            None,
            "",
            "{",
            "[]",
            "{}",
            "[1]",
            '{"a": {}}',
            "null",
            "9" * 30,
            -1,
            10**18,
            True,
            [],
            ["x"],
        ]
    )
    for one in spans:
        for name in sorted(one.attributes):
            if data.draw(st.integers(min_value=0, max_value=5)) == 0:
                one.attributes[name] = data.draw(odd)
    path = tmp_path_factory.mktemp("odd") / "trace.json"
    try:
        taken = take(write(path, CONTAINERS[container](*spans)))
    except RecordingError:
        return
    for recording in taken.recordings.values():
        assert all(record.model_dump_json() for record in recording.records)


@modest
@given(st.lists(st.sampled_from(["Yes", "No", "Yes ", "More"]), min_size=1, max_size=6))
def test_every_turn_is_told_once_whatever_was_said_before(
    tmp_path_factory: pytest.TempPathFactory, words: list[str]
) -> None:
    history: list[Any] = []
    spans: list[TestSpan] = []
    for turn, word in enumerate(words):
        history.append(says(word))
        answer = answers(f"Answer to {word}")
        run = turn + 1
        spans.append(agent(10 * run, trace=run, at=1000 * turn))
        spans.append(
            chat(
                10 * run + 1,
                list(history),
                [answer],
                trace=run,
                parent=10 * run,
                at=1000 * turn + 5,
            )
        )
        history.append(answer)
    taken = took(tmp_path_factory.mktemp("turns"), spans)
    (recording,) = taken.recordings.values()
    said = [record for record in recording.records if isinstance(record, Message)]
    assert [m.content for m in said if m.role == "user"] == words
    assert [m.turn_index for m in said if m.role == "user"] == list(range(len(words)))
    assert len(said) == 2 * len(words)
