import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from builders import Json, manifest, run, sequenced, slot, target, user

from reporter.recording.reader import open_wave

Writer = Callable[..., Path]

TWO = manifest(
    runs=[run(sessionsPerTarget=2)],
    slots=[slot("s:1"), slot("s2", index=1)],
    targets=[target(catalogId="lib")],
)


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def revision(catalogs: Json, first: bytes | None, sessions: Json) -> str:
    """The same digest, from the bytes alone: every key here is in ASCII and in order."""
    whole = {
        "catalogs": sorted([key, sha(data)] for key, data in catalogs.items()),
        "manifest": None if first is None else sha(first),
        "sessions": sorted([key, sha(data)] for key, data in sessions.items()),
    }
    return sha(json.dumps(whole, separators=(",", ":")).encode())


def records(text: str, session_id: str | None = None) -> list[Json]:
    more = {"sessionId": session_id} if session_id else {}
    return sequenced({**user(text), **more}, {**user(text), **more})


def read(path: Path) -> bytes:
    return path.read_bytes()


def test_a_folder_counts_manifest_sessions_and_catalogues(folder: Writer) -> None:
    root = folder(
        {**TWO, "catalogs": [{"catalogId": "far", "path": "more/far.json"}]},
        {"s%3A1": records("a"), "s2": records("b"), "zz": b"broken", "%2F": b""},
        catalogs={"lib": {"tools": []}, "unused": b"broken"},
    )
    (root / "more").mkdir()
    (root / "more" / "far.json").write_bytes(b'{"tools":[]}')
    wave = open_wave(root)
    expected = revision(
        {
            "far": read(root / "more" / "far.json"),
            "lib": read(root / "catalogs" / "lib.json"),
            "unused": read(root / "catalogs" / "unused.json"),
        },
        read(root / "wave.json"),
        {
            "s:1": read(root / "sessions" / "s%3A1.jsonl"),
            "s2": read(root / "sessions" / "s2.jsonl"),
            "zz": b"broken",
            "/": b"",
        },
    )
    assert wave.source_revision() == expected
    for session_id in ("s:1", "s2", "zz"):
        wave.read(session_id)
    assert wave.source_revision() == expected
    assert open_wave(root / "wave.json").source_revision() == expected


def test_digests_computed_elsewhere_are_believed(folder: Writer) -> None:
    root = folder(TWO, {"s%3A1": records("a"), "s2": records("b")})
    wave = open_wave(root)
    digests = {one: str(wave.read(one).sha256) for one in ("s:1", "s2")}
    expected = wave.source_revision()
    again = open_wave(root)
    (root / "sessions" / "s2.jsonl").unlink()
    assert again.source_revision(digests) == expected
    assert again.source_revision() != expected


def test_a_file_named_by_its_document_id_counts_under_that_name(folder: Writer) -> None:
    root = folder(manifest(slots=[slot(documentId="d1")]), {"d1": records("a")})
    wave = open_wave(root)
    expected = revision({}, read(root / "wave.json"), {"d1": read(root / "sessions" / "d1.jsonl")})
    assert wave.source_revision() == expected
    assert wave.source_revision({"s1": str(wave.read("s1").sha256)}) == expected


def test_a_missing_manifest_counts_as_null(folder: Writer) -> None:
    root = folder(sessions={"s1": records("a")}, without_manifest=True)
    expected = revision({}, None, {"s1": read(root / "sessions" / "s1.jsonl")})
    assert open_wave(root).source_revision() == expected


def test_a_single_file_counts_by_lines(single: Writer) -> None:
    head = {"type": "wave", **TWO}
    one, other = records("a", "s:1"), records("b", "s2")
    named, nameless = b'{"sessionId":"s2" oops\n', b"oops\n"
    path = single(one[0], other[0], named, nameless, one[1], other[1], first=head)
    path.write_bytes(read(path).rstrip(b"\n"))
    lines = read(path).splitlines(keepends=True)
    expected = revision(
        {}, lines[0], {"s:1": lines[1] + lines[5], "s2": lines[2] + lines[3] + lines[6]}
    )
    wave = open_wave(path)
    assert wave.source_revision() == expected
    assert wave.read("s2").sha256 == sha(lines[2] + lines[3] + lines[6])
    assert wave.source_revision() == expected


def test_one_changed_byte_anywhere_changes_it(folder: Writer) -> None:
    root = folder(TWO, {"s%3A1": records("a"), "s2": records("b")}, catalogs={"lib": b"{}"})
    seen = {open_wave(root).source_revision()}
    for name in ("wave.json", "sessions/s2.jsonl", "catalogs/lib.json"):
        path = root / name
        path.write_bytes(read(path) + b" ")
        seen.add(open_wave(root).source_revision())
    assert len(seen) == 4


def test_files_are_listed_by_name_with_digest_and_size(folder: Writer, single: Writer) -> None:
    root = folder(TWO, {"s%3A1": records("a"), "%2F": b"x"}, catalogs={"lib": {"tools": []}})
    files = open_wave(root).files()
    assert [one.name for one in files] == [
        "catalogs/lib.json",
        "sessions/%2F.jsonl",
        "sessions/s%3A1.jsonl",
        "wave.json",
    ]
    for one in files:
        data = read(root / one.name)
        assert (one.sha256, one.bytes) == (sha(data), len(data))
    path = single(records("a", "s1")[0])
    (only,) = open_wave(path).files()
    assert (only.name, only.sha256, only.bytes) == (path.name, sha(read(path)), len(read(path)))
