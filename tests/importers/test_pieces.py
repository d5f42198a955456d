"""A large file in pieces: the same as the file in one go, whatever stands in it."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imported import Json, session, take, write

from reporter.importers import wave as wave_module
from reporter.importers.identify import identify
from reporter.importers.jsonarray import Piece
from reporter.importers.wave import ImportedWave
from reporter.models.manifest import Manifest
from reporter.pipeline.options import Options
from reporter.pipeline.source import ForeignSource, Gathered, open_source

modest = settings(max_examples=40, deadline=None)

BORDER = '},\n {\n  "task_id"'


def crashed(task_id: int) -> Json:
    return session(task_id, traj=[], reward=0.0, info={"error": "it broke"})


def unasked(task_id: int, trial: int) -> Json:
    return session(task_id, trial, info={"reward_info": None})


def saying(task_id: int, text: str) -> Json:
    return session(task_id, 0, traj=[{"role": "user", "content": text}])


elements = st.one_of(
    st.builds(session, st.integers(0, 3), st.sampled_from([None, 0, 1])),
    st.builds(crashed, st.integers(0, 3)),
    st.builds(unasked, st.integers(0, 3), st.integers(0, 1)),
    st.builds(
        saying, st.integers(0, 3), st.sampled_from([BORDER, "}, {", "ä\u20ac\U0001f600", ""])
    ),
    st.just({"task_id": 1, "traj": [BORDER], "reward": float("nan"), "info": {}}),
    st.just({"task_id": 1, "traj": 7, "reward": 1e308}),
    st.sampled_from([7, None, "text", [], {}, {"a": BORDER}]),
)


def gathered(path: Path, piece: int, jobs: int = 1) -> tuple[Gathered, ForeignSource, Manifest]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wave_module, "PIECE_BYTES", piece)
        source = open_source(path, Options(jobs=jobs))
        assert isinstance(source, ForeignSource)
        return source.gather(), source, source.manifest()


def the_same(path: Path, piece: int, jobs: int = 1) -> None:
    whole, at_once, manifest = gathered(path, 10**9)
    parts, in_pieces, joined = gathered(path, piece, jobs)
    assert parts == whole
    assert joined == manifest
    for facts in whole.facts:
        assert in_pieces.transcript(facts.session_id) == at_once.transcript(facts.session_id)


@modest
@given(
    st.lists(elements, min_size=2, max_size=14), st.sampled_from([None, 1]), st.integers(40, 900)
)
def test_pieces_of_any_size_give_the_same(
    tmp_path_factory: pytest.TempPathFactory, document: list[Any], indent: int | None, piece: int
) -> None:
    first = session(9, 0)
    path = tmp_path_factory.mktemp("pieces") / "a.json"
    write(path, json.dumps([first, *document], indent=indent, ensure_ascii=False))
    the_same(path, piece)


@modest
@given(st.data(), st.integers(60, 900))
def test_pieces_of_a_damaged_file_give_the_same(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, piece: int
) -> None:
    whole = bytearray(json.dumps([session(n) for n in range(9)], indent=1).encode())
    at = data.draw(st.integers(700, len(whole) - 1))
    if data.draw(st.booleans()):
        whole[at] = data.draw(st.integers(0, 255))
    else:
        del whole[at:]
    path = tmp_path_factory.mktemp("damaged") / "a.json"
    path.write_bytes(whole)
    the_same(path, piece)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    document = [session(n, n % 3) for n in range(600)] + [crashed(5), crashed(900)]
    return write(tmp_path / "a.json", json.dumps(document, indent=2))


def test_two_processes_share_one_file(large: Path) -> None:
    the_same(large, 4000, jobs=2)


def test_a_large_file_is_cut_and_its_pieces_hold_everything_once(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wave_module, "PIECE_BYTES", 4000)
    work = ImportedWave(identify(large)).work()
    assert len(work) > 10
    parts = [unit.part for unit in work]
    pieces = [part for part in parts if isinstance(part, Piece)]
    assert len(pieces) == len(work)
    data = large.read_bytes()
    assert pieces[0].start == 0
    assert pieces[-1].end is None
    for before, after in pairwise(pieces):
        assert before.end is not None
        assert data[before.end : after.start].split() == [b","]
    assert sum(unit.size for unit in work) < len(data)


def test_only_what_cannot_be_moved_is_read_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[int] = []
    path = write(
        tmp_path / "a.json",
        json.dumps(
            [*(session(n) for n in range(50)), 7, *(session(n) for n in range(50, 99))], indent=1
        ),
    )
    from reporter.importers.chat_reward import _Reading  # noqa: PLC0415  its door is counted

    rest = _Reading.rest

    def counted(reading: _Reading, start: int) -> Iterator[Any]:
        reads.append(start)
        return rest(reading, start)

    monkeypatch.setattr(_Reading, "rest", counted)
    parts, _, _ = gathered(path, 2000)
    assert len(parts.facts) == 99
    (start,) = reads
    assert 0 < start < path.stat().st_size // 2 + 2000


def test_a_transcript_is_read_alone(large: Path) -> None:
    taken = take(large)
    reads: list[tuple[int, int | None]] = []
    for session_id, recording in taken.recordings.items():
        assert taken.wave.transcript(session_id) == recording
        reads += [key for key in taken.wave._read if key not in reads]
    assert len(reads) > 1
    assert all(kept.bytes < 300_000 for kept in taken.wave._read.values())
