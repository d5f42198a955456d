from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imported import session, take, write

from reporter.identifiers import SessionId
from reporter.importers import reread
from reporter.importers.reread import Rereader
from reporter.models.records import ErrorRecord
from reporter.models.session import SessionRecording


class Counted:
    """Sessions of a file, and how many of them were read."""

    def __init__(self, sizes: list[int], names: list[str] | None = None) -> None:
        names = names or [str(number) for number in range(len(sizes))]
        self.sessions = [
            SessionRecording(
                SessionId(name), [ErrorRecord(seq=n, message=name) for n in range(size)], lines=[at]
            )
            for at, (name, size) in enumerate(zip(names, sizes, strict=True))
        ]
        self.read = 0

    def __call__(self) -> Iterator[SessionRecording]:
        for one in self.sessions:
            self.read += 1
            yield one


def test_in_the_order_of_the_file_it_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reread, "_KEPT", 3)
    source = Counted([5] * 20)
    reader = Rereader(source)
    for number in range(20):
        assert reader.find(SessionId(str(number))) is source.sessions[number]
    assert source.read == 20
    assert len(reader._kept) == 3


def test_what_is_behind_is_read_anew_and_what_is_not_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reread, "_KEPT", 1)
    source = Counted([5] * 4)
    reader = Rereader(source)
    assert reader.find(SessionId("3")) is source.sessions[3]
    assert reader.find(SessionId("0")) is source.sessions[0]
    assert source.read == 5
    assert reader.find(SessionId("x")) is None
    assert reader.find(SessionId("2")) is source.sessions[2]


def test_small_sessions_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reread, "_KEPT", 1)
    source = Counted([1, 5, 5, 5])
    reader = Rereader(source)
    reader.find(SessionId("3"))
    assert reader.find(SessionId("0")) is source.sessions[0]
    assert source.read == 4


@given(st.lists(st.sampled_from("abcdef"), max_size=12), st.lists(st.sampled_from("abcdefg")))
def test_whatever_the_order_the_first_of_an_id_is_found(names: list[str], asked: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reread, "_KEPT", 2)
        source = Counted([5] * len(names), names)
        reader = Rereader(source)
        for name in asked:
            first = next((one for one in source.sessions if one.session_id == name), None)
            assert reader.find(SessionId(name)) is first


def test_a_large_file_is_never_held_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reporter.importers.wave._KEPT_BYTES", 1)
    taken = take(write(tmp_path / "a.json", [session(number) for number in range(5)]))
    for own, recording in reversed(taken.recordings.items()):
        assert taken.wave.transcript(own) == recording
