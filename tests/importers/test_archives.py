"""Archives and packed files: read where they lie, within bounds, and refused with a reason."""

import bz2
import gzip
import io
import json
import lzma
import stat
import struct
import tarfile
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from imported import session, take, write
from shared import shared

from reporter.errors import Problem, RecordingError
from reporter.importers import archives, stored, unpacking, wave
from reporter.importers.identify import identify
from reporter.importers.inputs import find_inputs
from reporter.importers.source import seekable
from reporter.pipeline.options import Options
from reporter.pipeline.source import ForeignSource, open_source

modest = settings(max_examples=80, deadline=None)

FILES = {
    "a.json": json.dumps([session(n) for n in range(4)]).encode(),
    "b/c.json": json.dumps([session(n, 1) for n in range(3)], indent=1).encode(),
}


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return whole.getvalue()


def tarred(files: Mapping[str, bytes], mode: str = "w", format_: int = tarfile.PAX_FORMAT) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode=mode, format=format_) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return whole.getvalue()


def zstd(data: bytes) -> bytes:
    """Packed without saying how much it unpacks to."""
    packer = zstandard.ZstdCompressor().compressobj()
    return packer.compress(data) + packer.flush()


ARCHIVES: dict[str, bytes] = {
    "runs.zip": zipped(FILES),
    "stored.zip": zipped(FILES, zipfile.ZIP_STORED),
    "bz.zip": zipped(FILES, zipfile.ZIP_BZIP2),
    "runs.tar": tarred(FILES),
    "gnu.tar": tarred(FILES, format_=tarfile.GNU_FORMAT),
    "runs.tar.gz": gzip.compress(tarred(FILES), mtime=0),
    "runs.tgz": gzip.compress(tarred(FILES), mtime=0),
    "runs.tar.zst": zstd(tarred(FILES)),
    "runs.tar.bz2": bz2.compress(tarred(FILES)),
    "runs.tar.xz": lzma.compress(tarred(FILES)),
    "packed.zip": zipped({f"{name}.gz": gzip.compress(data) for name, data in FILES.items()}),
    "packed.tar": tarred({f"{name}.zst": zstd(data) for name, data in FILES.items()}),
    # What an archive is called decides nothing where it is given alone.
    "nameless": zipped(FILES),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, data in FILES.items():
        write(tmp_path / "runs" / name, data.decode())
    return tmp_path / "runs"


def placed(tmp_path: Path, name: str, data: bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_reads_as_the_folder_that_it_holds(
    name: str, folder: Path, tmp_path: Path
) -> None:
    plain, packed = take(folder), take(placed(tmp_path, name, ARCHIVES[name]))
    assert packed.manifest == plain.manifest
    assert packed.recordings == plain.recordings
    assert packed.wave.problems == []
    for session_id, recording in packed.recordings.items():
        assert packed.wave.transcript(session_id) == recording


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name", ["runs.zip", "stored.zip", "runs.tar.gz", "packed.tar"])
def test_its_files_are_cut_and_shared_like_others(
    name: str, jobs: int, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wave, "PIECE_BYTES", 300)
    # Nothing stays in memory: every copy is a file that the processes share.
    monkeypatch.setattr(stored, "_IN_MEMORY", 0)
    plain = open_source(folder, Options(jobs=1))
    packed = open_source(placed(tmp_path, name, ARCHIVES[name]), Options(jobs=jobs))
    assert isinstance(plain, ForeignSource)
    assert isinstance(packed, ForeignSource)
    assert len(packed.wave.work()) > 2
    assert packed.gather() == plain.gather()


def test_of_a_packed_file_that_was_cut_the_size_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wave, "PIECE_BYTES", 2_000)
    data = json.dumps([session(n) for n in range(400)], indent=1).encode()
    path = placed(tmp_path, "a.json.gz", gzip.compress(data))
    seen: list[tuple[int, int]] = []
    source = open_source(path, Options(jobs=1))
    assert isinstance(source, ForeignSource)
    gathered = source.gather(lambda done, total: seen.append((done, total)))
    assert len(gathered.facts) == 400
    assert len(seen) > 20
    assert seen == sorted(seen)
    # Between two pieces stand a comma and spaces.
    assert 0.95 * len(data) < seen[-1][0] == seen[-1][1] <= len(data)


def test_a_tar_packed_in_many_small_pieces_is_one(tmp_path: Path) -> None:
    whole = tarred(FILES)
    pieces = [gzip.compress(whole[at : at + 100]) for at in range(0, len(whole), 100)]
    assert len(take(placed(tmp_path, "runs.tar.gz", b"".join(pieces))).recordings) == 7


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [(".gz", gzip.compress), (".zst", zstd), (".bz2", bz2.compress), (".xz", lzma.compress)],
)
def test_a_packed_file_reads_as_what_it_unpacks_to(
    suffix: str, pack: Callable[[bytes], bytes], folder: Path, tmp_path: Path
) -> None:
    plain = take(folder / "a.json")
    packed = take(placed(tmp_path, f"a.json{suffix}", pack(FILES["a.json"])))
    assert packed.manifest == plain.manifest
    assert packed.recordings == plain.recordings


def test_archives_and_packed_files_in_a_folder_are_folders_of_it(tmp_path: Path) -> None:
    placed(tmp_path, "old.zip", ARCHIVES["runs.zip"])
    placed(tmp_path, "new.tar.gz", ARCHIVES["runs.tar.gz"])
    placed(tmp_path, "a.json.gz", gzip.compress(FILES["a.json"]))
    placed(tmp_path, "a.json", FILES["a.json"])
    assert [file.name for file in find_inputs([tmp_path]).files] == [
        "a.json",
        "a.json (2)",
        "new.tar.gz/a.json",
        "new.tar.gz/b/c.json",
        "old.zip/a.json",
        "old.zip/b/c.json",
    ]
    taken = take(tmp_path)
    # The same bytes, however they are packed, are counted once.
    assert len(taken.recordings) == 7


def test_an_evaluation_log_that_is_a_zip_is_one_file(tmp_path: Path) -> None:
    log = zipped({"_journal/start.json": b"{}", "header.json": b"{}", "samples/1.json": b"{}"})
    head_first = zipped({"header.json": b"{}", "samples/1.json": b"{}"})
    for name, data in (("x.eval", log), ("unnamed.zip", log), ("y.eval", head_first)):
        (file,) = find_inputs([placed(tmp_path, name, data)]).files
        assert file.name == name
        assert file.read() == data
    whole = tarred({"logs/x.eval": log, "logs/y.eval": head_first})
    found = find_inputs([placed(tmp_path, "logs.tar", whole)])
    assert [file.name for file in found.files] == ["logs/x.eval", "logs/y.eval"]
    packed = find_inputs([placed(tmp_path, "logs.zip", zipped({"logs/x.eval": log}))])
    with seekable(packed.files[0]) as stream, zipfile.ZipFile(stream) as archive:
        assert archive.namelist() == ["_journal/start.json", "header.json", "samples/1.json"]


def refusals(path: Path) -> list[tuple[str, str, str]]:
    """What is not read: its place, why, and whether it is a problem."""
    found = find_inputs([path])
    loud = {one.file: one.rule for one in found.problems}
    return [(lost.place, lost.reason, loud.get(lost.place, "")) for lost in found.lost]


def test_what_an_archive_holds_beside_files_is_refused_and_the_rest_is_read(
    tmp_path: Path,
) -> None:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as archive:
        for name, kind in (
            ("link.json", tarfile.SYMTYPE),
            ("hard.json", tarfile.LNKTYPE),
            ("pipe.json", tarfile.FIFOTYPE),
            ("disk.json", tarfile.BLKTYPE),
            ("folder.json", tarfile.DIRTYPE),
        ):
            info = tarfile.TarInfo(name)
            info.type = kind
            info.linkname = "/etc/passwd"
            archive.addfile(info)
        for name in ("../up.json", "/abs.json", "in/../../up.json", "./a.json", "a.json", "i.zip"):
            info = tarfile.TarInfo(name)
            info.size = len(FILES["a.json"])
            archive.addfile(info, io.BytesIO(FILES["a.json"]))
    path = placed(tmp_path, "odd.tar", whole.getvalue())
    leads_out = "a path that leads out of the archive"
    loud = "archive-member-refused"
    assert refusals(path) == [
        ("link.json", "a link; links are not followed", ""),
        ("hard.json", "a link; links are not followed", ""),
        ("pipe.json", "neither a file nor a folder", ""),
        ("disk.json", "neither a file nor a folder", ""),
        ("../up.json", leads_out, loud),
        ("/abs.json", leads_out, loud),
        ("in/../../up.json", leads_out, loud),
        ("a.json", "the archive holds this name before; the first one is read", loud),
        ("i.zip", "an archive inside an archive; unpack the outer one", loud),
    ]
    assert len(take(path).recordings) == 4


def test_what_a_zip_holds_beside_files_is_refused_and_the_rest_is_read(tmp_path: Path) -> None:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        link = zipfile.ZipInfo("link.json")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        for name in ("C:\\abs.json", "..\\up.json", "dir\\ok.json", "__MACOSX/._a.json", ".h.json"):
            archive.writestr(name, FILES["a.json"])
        archive.writestr("lzma.json", FILES["a.json"], zipfile.ZIP_LZMA)
        archive.writestr("secret.json", FILES["a.json"])
    data = bytearray(whole.getvalue())
    # Nobody writes one here: the mark of an encrypted member is set by hand.
    data[data.rfind(b"PK\x01\x02") + 8] |= 1
    path = placed(tmp_path, "odd.zip", bytes(data))
    trust = "unpack the archive yourself, if you trust it"
    loud = "archive-member-refused"
    assert refusals(path) == [
        ("link.json", "a link; links are not followed", ""),
        ("C:\\abs.json", "a path that leads out of the archive", loud),
        ("..\\up.json", "a path that leads out of the archive", loud),
        ("lzma.json", f"it is packed in a way that is not read (method 14); {trust}", loud),
        ("secret.json", f"it is encrypted; {trust}", loud),
    ]
    assert [file.name for file in find_inputs([path]).files] == ["dir/ok.json"]


def test_a_recorded_wave_in_an_archive_is_refused_with_the_way_out(tmp_path: Path) -> None:
    manifest = json.dumps({"format": "swarm-recording"}).encode()
    path = placed(tmp_path, "wave.zip", zipped({"wave/wave.json": manifest}))
    with pytest.raises(RecordingError, match=r"a recorded wave.*Unpack it"):
        identify(path)
    path = placed(tmp_path, "f.json.gz", gzip.compress(b'{"contractVersion": 1, "findings": []}'))
    with pytest.raises(RecordingError, match="a findings document"):
        identify(path)


def deflated_zeros(size: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    step = bytes(1024 * 1024)
    return b"".join([*(packer.compress(step) for _ in range(size // len(step))), packer.flush()])


@pytest.fixture
def low_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds that small inputs reach; the ratio stays."""
    for module in (unpacking, archives):
        monkeypatch.setattr(module, "RATIO_FREE", 150_000)
        monkeypatch.setattr(module, "MOST_UNPACKED", 400_000)
    monkeypatch.setattr(archives, "MOST_TOTAL", 1_000_000)
    monkeypatch.setattr(archives, "MOST_MEMBERS", 20)


@pytest.mark.usefixtures("low_bounds")
@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("ratio.zip", zipped({"a.json": bytes(300_000)}), "more than 250 times its size"),
        ("size.zip", zipped({"a.json": bytes(500_000)}, zipfile.ZIP_STORED), "more than 0 MiB"),
        ("many.zip", zipped({f"{n}.json": b"[]" for n in range(21)}), "more than 20 members"),
        ("many.tar", tarred({f"{n}.json": b"[]" for n in range(21)}), "more than 20 members"),
        (
            "total.tar",
            tarred({f"{n}.json": bytes(390_000) for n in range(3)}),
            "the archive holds more than 0 MiB",
        ),
        ("nested.zip", zipped({"in.zip": ARCHIVES["runs.zip"]}), "an archive inside an archive"),
        ("nested.tar", tarred({"in.tar.gz": ARCHIVES["runs.tar.gz"]}), "archive inside an archive"),
    ],
)
def test_a_bomb_is_refused_by_its_reason(
    name: str, data: bytes, reason: str, tmp_path: Path
) -> None:
    (refusal, *_) = refusals(placed(tmp_path, name, data))
    assert reason in refusal[1]
    assert refusal[2] == "archive-member-refused"


@pytest.mark.usefixtures("low_bounds")
def test_a_packed_file_that_grows_too_much_is_refused_where_it_is_read(tmp_path: Path) -> None:
    start = FILES["a.json"][:-1] + b","
    for name, data in (
        ("ratio.json.gz", gzip.compress(start + bytes(2_000_000))),
        ("size.json.zst", zstd(start + b'"' + b" ".join(b"%d" % n for n in range(200_000)))),
    ):
        path = placed(tmp_path, name, data)
        taken = take(path)
        assert len(taken.recordings) == 4
        assert [one.rule for one in taken.wave.problems] == ["source-file-broken"]
        assert "unpacks to more than" in taken.wave.problems[0].what


@pytest.mark.parametrize("as_tar", [False, True])
def test_gigabytes_of_nothing_are_refused_fast(as_tar: bool, tmp_path: Path) -> None:
    name = "bomb.tar.gz" if as_tar else "bomb.json.gz"
    data = deflated_zeros(512 * 1024**2)
    if as_tar:
        header = tarfile.TarInfo("a.json")
        header.size = 512 * 1024**2
        data = gzip.compress(header.tobuf()) + data
    path = placed(tmp_path, name, data)
    start = time.process_time()
    with pytest.raises(RecordingError):
        take(path)
    # What may grow as it likes, and not what the bomb holds.
    assert time.process_time() - start < 5


def lying(data: bytes, members: int) -> bytes:
    """A ZIP whose end says that it has so many members."""
    at = data.rfind(b"PK\x05\x06")
    return data[: at + 8] + struct.pack("<HH", members, members) + data[at + 12 :]


def test_a_zip_that_lies_about_its_members_is_read_by_its_directory(tmp_path: Path) -> None:
    path = placed(tmp_path, "lying.zip", lying(ARCHIVES["runs.zip"], 65_534))
    assert len(find_inputs([path]).files) == 2


def test_a_million_members_are_refused_before_they_are_looked_at(tmp_path: Path) -> None:
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", *[0] * 9, 1, *[0] * 6) + b"a"
    directory = entry * 1_000_000
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(directory), 0, 0)
    path = placed(tmp_path, "million.zip", b"PK\x03\x04" + bytes(60) + directory + end)
    assert [reason for _, reason, _ in refusals(path)] == [
        "the archive has more than 100000 members; unpack it yourself, if you trust it"
    ]


def test_a_tar_header_that_says_it_is_huge_is_none(tmp_path: Path) -> None:
    info = tarfile.TarInfo("x")
    info.type = tarfile.XHDTYPE
    info.size = 8 * 1024**3
    members = tarred(FILES).rstrip(b"\0")
    members += bytes(-len(members) % tarfile.BLOCKSIZE)
    path = placed(tmp_path, "huge.tar", members + info.tobuf() + bytes(1024))
    (refusal,) = refusals(path)
    assert "damaged" in refusal[1]
    assert len(take(path).recordings) == 7


def survives(path: Path) -> None:
    refused: tuple[Problem, ...] = ()
    try:
        taken = take(path)
    except RecordingError as error:
        refused = error.problems
    if refused:
        assert all(problem.file and problem.what for problem in refused)
        return
    assert taken.manifest.model_dump_json()
    for session_id in taken.recordings:
        taken.wave.transcript(session_id)


DAMAGED = {
    **ARCHIVES,
    "a.json.gz": gzip.compress(FILES["a.json"]),
    "a.json.zst": zstd(FILES["a.json"]),
}


@modest
@given(st.sampled_from(sorted(DAMAGED)), st.data())
def test_cut_off_anywhere(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    whole = DAMAGED[name]
    end = data.draw(st.integers(min_value=0, max_value=len(whole) - 1))
    path = placed(tmp_path_factory.mktemp("cut"), name, whole[:end])
    survives(path)
    try:
        taken = take(path)
    except RecordingError:
        return
    # Something is missing, so something is said, unless only padding was cut.
    assert taken.wave.problems or len(taken.recordings) == (4 if name.startswith("a.") else 7)


@modest
@given(st.sampled_from(sorted(DAMAGED)), st.data(), st.integers(min_value=0, max_value=255))
def test_one_byte_changed(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject, byte: int
) -> None:
    whole = bytearray(DAMAGED[name])
    whole[data.draw(st.integers(min_value=0, max_value=len(whole) - 1))] = byte
    survives(placed(tmp_path_factory.mktemp("flip"), name, bytes(whole)))


@modest
@given(
    st.binary(max_size=600), st.sampled_from([b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"BZh9"])
)
def test_anything_behind_a_magic(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, magic: bytes
) -> None:
    survives(placed(tmp_path_factory.mktemp("any"), "a.zip", magic + data))


def test_nothing_is_left_in_the_temporary_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    monkeypatch.setattr(stored, "_IN_MEMORY", 0)
    taken = take(placed(tmp_path, "runs.tar.gz", ARCHIVES["runs.tar.gz"]))
    assert taken.recordings == take(folder).recordings
    # Copies are read, and have no name that could stay behind.
    assert list(scratch.iterdir()) == []


@pytest.mark.shared
@pytest.mark.parametrize(
    "folder",
    ["inspect-ai", "otel-genai-kagent", "pi-coding-agent", "swe-agent", "claude-code-records"],
)
def test_real_recordings_read_the_same_in_an_archive(folder: str, tmp_path: Path) -> None:
    root = shared("recordings", folder)
    files = {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
    path = placed(tmp_path, "runs.tar.gz", gzip.compress(tarred(files)))
    plain, packed = (open_source(one, Options(jobs=1)) for one in (root, path))
    assert isinstance(plain, ForeignSource)
    assert isinstance(packed, ForeignSource)
    assert packed.gather() == plain.gather()
    for facts in plain.gather().facts[:3]:
        assert packed.transcript(facts.session_id) == plain.transcript(facts.session_id)
