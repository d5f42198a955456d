import json
from pathlib import Path

import pytest
from builders import Json, assistant, call, manifest, result, run, sequenced, slot, user
from hypothesis import given, settings
from hypothesis import strategies as st

from reporter.errors import RecordingError
from reporter.recording.reader import open_wave
from reporter.recording.validate import check

COUNT = 3
IDS = [f"s{number}" for number in range(COUNT)]
WHOLE = manifest(
    runs=[run(sessionsPerTarget=COUNT)], slots=[slot(one, index=IDS.index(one)) for one in IDS]
)
TALK = sequenced(user("Grüße"), call(), result(), assistant(), user(turn=1), assistant(turn=1))

short = settings(max_examples=40, deadline=None)


def as_bytes(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def talk_of(session_id: str) -> list[bytes]:
    return [as_bytes({**record, "sessionId": session_id}) for record in TALK]


HEAD = as_bytes({"type": "wave", **WHOLE})
SESSION = b"".join(map(as_bytes, TALK))

damages = st.lists(
    st.tuples(st.integers(min_value=0, max_value=len(SESSION) - 1), st.binary(max_size=3)),
    min_size=1,
    max_size=3,
)


def damaged(data: bytes, places: list[tuple[int, bytes]]) -> bytes:
    whole = bytearray(data)
    for place, put in places:
        at = place % len(whole) if whole else 0
        whole[at : at + max(1, len(put))] = put
    return bytes(whole)


def fresh(factory: pytest.TempPathFactory) -> Path:
    root = factory.mktemp("any") / "wave"
    (root / "sessions").mkdir(parents=True)
    return root


@short
@given(damages)
def test_no_damage_to_a_session_does_more_than_end_it(
    tmp_path_factory: pytest.TempPathFactory, places: list[tuple[int, bytes]]
) -> None:
    root = fresh(tmp_path_factory)
    (root / "wave.json").write_bytes(as_bytes(WHOLE))
    for one in IDS:
        (root / "sessions" / f"{one}.jsonl").write_bytes(SESSION)
    (root / "sessions" / "s1.jsonl").write_bytes(damaged(SESSION, places))
    wave = open_wave(root)
    recording = wave.read("s1")
    assert recording.damaged <= any(one.severity == "error" for one in recording.problems)
    assert list(recording.lines) == sorted(recording.lines)
    assert len(recording.records) == len(recording.lines)
    for one in ("s0", "s2"):
        assert len(wave.read(one).records) == len(TALK)
    assert {one.session_id for one in check(root)} <= {"s1"}


@short
@given(damages)
def test_no_damage_to_a_single_file_escapes_as_anything_but_a_recording_error(
    tmp_path_factory: pytest.TempPathFactory, places: list[tuple[int, bytes]]
) -> None:
    path = fresh(tmp_path_factory) / "wave.jsonl"
    path.write_bytes(damaged(HEAD + b"".join(talk_of("s0")), places))
    try:
        wave = open_wave(path)
    except RecordingError as error:
        wave, said = None, list(error.problems)
    if wave is None:
        assert said
        assert check(path) == said
        return
    for one in (*IDS, *wave.unplanned):
        wave.read(one)
    assert len(wave.source_revision()) == 64


@short
@given(st.binary(max_size=60), st.binary(max_size=60))
def test_any_bytes_at_all_are_a_problem_and_no_crash(
    tmp_path_factory: pytest.TempPathFactory, first: bytes, rest: bytes
) -> None:
    root = fresh(tmp_path_factory)
    (root / "wave.json").write_bytes(first)
    (root / "sessions" / "s0.jsonl").write_bytes(rest)
    assert check(root)
    assert all(str(one).encode() for one in check(root))


@short
@given(st.permutations([one for one in IDS for _ in TALK]))
def test_however_sessions_interleave_each_comes_back_whole(
    tmp_path_factory: pytest.TempPathFactory, order: list[str]
) -> None:
    path = fresh(tmp_path_factory) / "wave.jsonl"
    left = {one: iter(talk_of(one)) for one in IDS}
    path.write_bytes(HEAD + b"".join(next(left[one]) for one in order))
    wave = open_wave(path)
    assert wave.problems == ()
    for one in IDS:
        recording = wave.read(one)
        assert [record.seq for record in recording.records] == list(range(len(TALK)))
        assert list(recording.problems) == []
    assert check(path) == []


@short
@given(st.sets(st.integers(min_value=0, max_value=COUNT * len(TALK) - 1), max_size=4))
def test_a_cut_line_costs_only_its_own_session_and_only_from_there(
    tmp_path_factory: pytest.TempPathFactory, cut: set[int]
) -> None:
    lines = [line for group in zip(*map(talk_of, IDS), strict=True) for line in group]
    broken = [
        line.replace(b'"seq"', b'"seq', 1) if number in cut else line
        for number, line in enumerate(lines)
    ]
    path = fresh(tmp_path_factory) / "wave.jsonl"
    path.write_bytes(HEAD + b"".join(broken))
    wave = open_wave(path)
    for position, one in enumerate(IDS):
        own = sorted(number // COUNT for number in cut if number % COUNT == position)
        recording = wave.read(one)
        assert recording.damaged == bool(own)
        assert len(recording.records) == (own[0] if own else len(TALK))
