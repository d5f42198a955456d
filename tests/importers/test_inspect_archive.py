"""An `.eval` log as a ZIP: read member by member, within bounds, whatever state it is in."""

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import inspect_logs as logs
import pytest
import zstandard
from imported import SAMPLES, Taken, take
from inspect_logs import call, done, header, members, model, packed, sample, says, tool, user

from reporter.errors import RecordingError
from reporter.importers.inspect_ai import archive as archives
from reporter.importers.inspect_ai.archive import ArchiveError, LogArchive
from reporter.importers.inspect_ai.importer import InspectAi
from reporter.importers.inspect_ai.log import from_pool
from reporter.importers.source import LocalFile, look_at


def opened(data: bytes) -> LogArchive:
    return LogArchive(io.BytesIO(data))


def written(tmp_path: Path, found: dict[str, Any] | bytes) -> Taken:
    path = tmp_path / "a.eval"
    path.write_bytes(found if isinstance(found, bytes) else packed(found))
    return take(path)


def lost(found: Taken) -> dict[str, int]:
    return {one.reason: one.count or 1 for one in found.wave.lost}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_members_are_read_by_name(method: int) -> None:
    archive = opened(packed({"a.json": b"one", "b.json": b"two" * 100}, method))
    assert archive.names == ("a.json", "b.json")
    assert archive.read("b.json") == b"two" * 100
    with pytest.raises(ArchiveError, match="not in the log"):
        archive.read("c.json")


def test_the_last_member_of_a_name_counts() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.json", "old")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.json", "new")
    found = opened(buffer.getvalue())
    assert (found.read("a.json"), found.superseded) == (b"new", 1)


def as_zstandard(data: bytes, whole: bytes, name: bytes = b"a.json") -> bytes:
    """A ZIP of one member whose packed bytes are given, as newer logs pack them."""
    common = struct.pack(
        "<HHHHHIIIHH", 20, 0, 93, 0, 0, zlib.crc32(whole), len(data), len(whole), len(name), 0
    )
    local = b"PK\x03\x04" + common + name + data
    central = b"PK\x01\x02\x14\x00" + common + struct.pack("<HHHII", 0, 0, 0, 0, 0) + name
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 1, 1, len(central), len(local), 0)
    return local + central + end


def test_members_packed_with_zstandard_may_have_several_frames() -> None:
    pack = zstandard.ZstdCompressor().compress
    whole = b"first " * 50 + b"second"
    data = pack(b"first " * 50) + pack(b"second")
    assert opened(as_zstandard(data, whole)).read("a.json") == whole


@pytest.mark.parametrize(
    ("data", "whole", "why"),
    [
        (b"no zstandard", b"x", "cannot be unpacked"),
        (zstandard.compress(b"longer than said"), b"short", "larger than the ZIP says"),
        (zstandard.compress(b"short"), b"longer than it is", "not those that were written"),
        (zstandard.compress(b"other"), b"bytes", "not those that were written"),
    ],
)
def test_zstandard_that_lies_is_not_read(data: bytes, whole: bytes, why: str) -> None:
    with pytest.raises(ArchiveError, match=why):
        opened(as_zstandard(data, whole)).read("a.json")


def changed(data: bytes, at: int, value: bytes) -> bytes:
    """Change bytes of the only member's entry in the directory, counted from its mark."""
    start = data.rindex(b"PK\x01\x02") + at
    return data[:start] + value + data[start + len(value) :]


@pytest.mark.parametrize(
    ("at", "value", "why"),
    [
        (8, b"\x01\x00", "encrypted"),
        (10, b"\x0c\x00", "a method that is not read"),
        (24, struct.pack("<I", 3 << 30), "larger than 512 MiB"),
        (24, struct.pack("<I", 100 << 20), "more than 2,000 times"),
        (24, struct.pack("<I", 3), "cannot be unpacked"),
        (16, b"\0\0\0\0", "cannot be unpacked"),
    ],
)
def test_members_out_of_bounds_are_not_read(at: int, value: bytes, why: str) -> None:
    data = changed(packed({"a.json": b"x" * 1000}), at, value)
    with pytest.raises(ArchiveError, match=why):
        opened(data).read("a.json")


def test_a_member_that_unpacks_to_more_than_it_says_takes_no_more_memory() -> None:
    data = changed(packed({"a.json": b"x" * 2_000_000}), 24, struct.pack("<I", 10))
    with pytest.raises(ArchiveError, match="cannot be unpacked"):
        opened(data).read("a.json")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "has no end"),
        (b"PK\x03\x04 and nothing", "has no end"),
        (packed({"a": b"x"})[:-30], "has no end"),
        (b"PK\x05\x06" + b"\xff" * 18, "larger than 64 MiB|no ZIP"),
        (b"PK\x05\x06" + bytes(8) + struct.pack("<II", 65 << 20, 0) + bytes(2), "larger than 64"),
    ],
)
def test_what_is_no_zip_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(ArchiveError, match=why):
        opened(data)


def test_a_zip_of_too_many_or_overlapping_members_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = packed({f"{n}": b"" for n in range(20)})
    monkeypatch.setattr(archives, "MOST_MEMBERS", 10)
    with pytest.raises(ArchiveError, match="more than 10 members"):
        opened(data)
    monkeypatch.undo()
    with pytest.raises(ArchiveError, match="overlap"):
        opened(changed(packed({"a": b"x" * 100}), 20, struct.pack("<I", 1 << 20)))


def test_members_whose_name_leads_elsewhere_are_not_read(tmp_path: Path) -> None:
    odd = {f"{name}samples/9_epoch_1.json": sample(9) for name in ("../", "/", "a\\..\\")}
    found = written(tmp_path, {**members(sample(1)), **odd, "other.txt": b"?"})
    assert len(found.recordings) == 1
    reasons = lost(found)
    assert reasons["members whose name leads elsewhere"] == 3
    assert reasons["members of a name unknown here"] == 1


def test_a_log_that_was_never_finished_is_read_from_its_journal(tmp_path: Path) -> None:
    whole = members(sample(1), sample(2), eval=logs.evaluation([1, 2, 3]))
    del whole["header.json"], whole["summaries.json"]
    whole["_journal/summaries/1.json"] = [logs.summary(sample(1))]
    whole["_journal/summaries/2.json"] = [logs.summary(sample(2))]
    found = written(tmp_path, whole)
    assert [slot.recorded for slot in found.manifest.slots] == [True, True, False]
    assert found.manifest.slots[2].attempt is None
    assert [one.id for one in found.manifest.runs[0].rubric] == ["right"]
    assert any("never finished" in reason for reason in lost(found))


def test_samples_that_only_the_summaries_know_ran_and_have_no_transcript(tmp_path: Path) -> None:
    whole = members(sample(1), sample(2, scores=logs.score("I")), sample(3))
    del whole["samples/2_epoch_1.json"]
    whole["samples/3_epoch_1.json"] = b"{cut"
    found = written(tmp_path, whole)
    assert len(found.recordings) == 3
    by_count = {slot.session_id: slot.message_count for slot in found.manifest.slots}
    assert by_count == {"a.eval.1.1": 2, "a.eval.2.1": 2, "a.eval.3.1": 2}
    damaged = {own: one.damaged for own, one in found.recordings.items()}
    assert damaged == {"a.eval.1.1": False, "a.eval.2.1": True, "a.eval.3.1": True}
    problems = [problem.what for one in found.recordings.values() for problem in one.problems]
    assert any("the log does not hold it" in what for what in problems)
    assert any("stops being JSON" in what for what in problems)
    passed = [
        result.passed
        for one in found.recordings.values()
        for record in one.records
        if record.type == "criteria"
        for result in record.results or ()
    ]
    assert passed == [True, False, True]


def test_a_sample_that_nobody_can_read_is_a_loss(tmp_path: Path) -> None:
    whole = members(sample(1), sample(2))
    whole["samples/2_epoch_1.json"] = b"\xff\xfe"
    whole["summaries.json"] = whole["summaries.json"][:1]
    found = written(tmp_path, whole)
    assert len(found.recordings) == 1
    assert [problem.place for problem in found.wave.problems] == ["samples/2_epoch_1.json"]
    assert "no UTF-8" in found.wave.problems[0].what


@pytest.mark.parametrize("name", ["header.json", "summaries.json"])
def test_a_header_or_summaries_that_cannot_be_read_leave_the_samples(
    tmp_path: Path, name: str
) -> None:
    found = written(tmp_path, {**members(sample(1)), name: b"[1"})
    assert len(found.recordings) == 1
    assert found.manifest.targets[0].label == "desk"
    assert any(one.kind == "unreadable" for one in found.wave.lost)


def test_samples_in_chunks_are_the_same_sessions(tmp_path: Path) -> None:
    events = [model(says("", call())), done(), model(says("long text"))]
    whole = sample(1, messages=[user(), says("", call()), tool(), says("long text")], events=events)
    pool = [*whole["messages"][:3], user("unrelated"), says("attachment://1")]
    shell = {key: value for key, value in whole.items() if key not in ("messages", "events")}
    folder = "samples/1_epoch_1"
    apart = {
        f"{folder}/sample.json": {**shell, "message_refs": [[0, 3], [4, 5]]},
        f"{folder}/messages/0.json": pool[:2],
        f"{folder}/messages/2.json": pool[2:],
        f"{folder}/events/0.json": events,
        f"{folder}/events/stats.json": {},
        f"{folder}/attachments/0.json": ["other", "long text"],
        f"{folder}/skeleton.json": {},
    }
    finished = members(whole)
    del finished["samples/1_epoch_1.json"]
    told = [
        list(next(iter(written(tmp_path, found).recordings.values())).records)
        for found in (members(whole), {**finished, **apart})
    ]
    assert told[0] == told[1]


def test_samples_come_by_epoch_and_id(tmp_path: Path) -> None:
    ones = [sample(10, 2), sample(10, 1), sample(9, 2), sample(9, 1)]
    found = written(tmp_path, members(*ones, eval=logs.evaluation([9, 10], 2)))
    assert list(found.recordings) == ["a.eval.9.1", "a.eval.10.1", "a.eval.9.2", "a.eval.10.2"]


@pytest.mark.parametrize(
    ("names", "claims"),
    [
        (["_journal/start.json"], True),
        (["samples/a/b_epoch_12.json"], True),
        (["summaries.json"], True),
        (["header.json"], False),
        (["header.json", "samples/1_epoch_1.json"], True),
        (["word/document.xml"], False),
        (["samples/1.json"], False),
        (["data/samples/1_epoch_1.json"], False),
    ],
)
def test_a_zip_is_a_log_by_the_names_of_its_members(
    tmp_path: Path, names: list[str], claims: bool
) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(packed(dict.fromkeys(names, b"{}")))
    assert InspectAi().claims(look_at(LocalFile(path, "a.zip", "a"))) is claims


@pytest.mark.parametrize(
    ("refs", "found"),
    [
        ([[0, 2]], [0, 1]),
        ([[1, 2], [0, 1]], [1, 0]),
        ([[2, 99], [-5, 1]], [2, 0]),
        (None, []),
        ("x", []),
        ([[1], "a", [0, True], [2, 1]], []),
    ],
)
def test_places_in_a_shared_list(refs: Any, found: list[int]) -> None:
    assert from_pool(refs, [0, 1, 2]) == found


def test_places_that_name_the_same_messages_again_and_again_are_bounded() -> None:
    assert len(from_pool([[0, 1000]] * 10_000, list(range(1000)))) == 200_000


def test_a_log_cut_off_is_refused_with_its_reason(tmp_path: Path) -> None:
    data = (SAMPLES / "library_desk.eval").read_bytes()
    with pytest.raises(RecordingError, match="the ZIP has no end"):
        written(tmp_path, data[:-100])


def test_a_zip_without_header_and_journal_says_so(tmp_path: Path) -> None:
    found = written(tmp_path, {"samples/1_epoch_1.json": sample(1)})
    assert len(found.recordings) == 1
    assert found.manifest.targets[0].label == "no target recorded"
    assert any("does not say what was run" in reason for reason in lost(found))


def test_a_header_that_is_none_is_as_good_as_absent(tmp_path: Path) -> None:
    whole = members(sample(1))
    whole["header.json"], whole["_journal/start.json"] = json.dumps([1]).encode(), header()
    assert written(tmp_path, whole).manifest.targets[0].label == "desk"
