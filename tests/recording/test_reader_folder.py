import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import Json, assistant, call, manifest, result, run, sequenced, slot, target, user

from reporter.errors import RecordingError
from reporter.models.records import Message
from reporter.recording.limits import Limits
from reporter.recording.reader import looks_native, open_wave

FolderWriter = Callable[..., Path]


def as_line(record: Json) -> bytes:
    return json.dumps(record).encode() + b"\n"


def refusal(path: Path, limits: Limits = Limits()) -> list[tuple[str, str, str]]:  # noqa: B008
    with pytest.raises(RecordingError) as caught:
        open_wave(path, limits)
    return [(one.rule, one.file, one.place) for one in caught.value.problems]


def test_a_wave_is_opened_by_its_folder_or_its_manifest(
    folder: FolderWriter, conversation: list[Json]
) -> None:
    root = folder(sessions={"s1": conversation})
    for path in (root, root / "wave.json"):
        wave = open_wave(path)
        assert wave.name == "wave"
        assert wave.problems == ()
        assert wave.manifest is not None
        recording = wave.read("s1")
        assert [record.type for record in recording.records] == ["message", "message"]
        assert list(recording.lines) == [1, 2]
        assert recording.file == "sessions/s1.jsonl"
        assert recording.present
        assert not recording.damaged
        assert list(recording.problems) == []
        assert recording.bytes == (root / "sessions" / "s1.jsonl").stat().st_size


def test_the_whole_manifest_is_read_again_and_slots_are_kept_once(folder: FolderWriter) -> None:
    failed: Json = {"status": "failed", "errorCode": "timeout"}
    slots = [slot(attempt=failed, note="kept"), slot("s2", index=1, attempt=failed)]
    root = folder(manifest(runs=[run(sessionsPerTarget=2)], slots=slots))
    wave = open_wave(root)
    assert wave.manifest is not None
    assert wave.manifest.slots == []
    one, other = wave.plan.slots
    assert one.attempt is not None
    assert one.attempt is other.attempt
    whole = wave.whole_manifest()
    assert whole is not None
    assert [(one.session_id, one.model_extra) for one in whole.slots] == [
        ("s1", {"note": "kept"}),
        ("s2", {}),
    ]
    (root / "wave.json").unlink()
    with pytest.raises(RecordingError) as caught:
        wave.whole_manifest()
    assert [one.file for one in caught.value.problems] == ["wave.json"]


def test_a_relative_dot_has_the_folders_name(
    folder: FolderWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder())
    assert open_wave(Path()).name == "wave"
    assert open_wave(Path("wave.json")).name == "wave"


def test_a_wave_can_be_sent_to_another_process(
    folder: FolderWriter, conversation: list[Json]
) -> None:
    wave = open_wave(folder(sessions={"s1": conversation}))
    copy = pickle.loads(pickle.dumps(wave))  # noqa: S301  our own bytes
    assert copy == wave
    assert copy.read("s1") == wave.read("s1")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ("manifest-invalid", "wave.json", "")),
        (b"{", ("manifest-invalid", "wave.json", "")),
        (b"\xff\xfe", ("manifest-invalid", "wave.json", "")),
        (b"[]", ("manifest-invalid", "wave.json", "")),
        (b"null", ("manifest-invalid", "wave.json", "")),
        (b"[" * 100_000, ("manifest-invalid", "wave.json", "")),
        (
            json.dumps(manifest(formatVersion=2)).encode(),
            ("manifest-version", "wave.json", ""),
        ),
        (
            json.dumps(manifest(swarmRunGroupId="")).encode(),
            ("manifest-invalid", "wave.json", "swarmRunGroupId"),
        ),
        (
            json.dumps({**manifest(), "published": {"a": float("nan")}}).encode(),
            ("manifest-invalid", "wave.json", ""),
        ),
        (
            json.dumps({k: v for k, v in manifest().items() if k != "format"}).encode(),
            ("manifest-invalid", "wave.json", ""),
        ),
    ],
)
def test_a_manifest_that_cannot_be_used_is_refused_with_its_place(
    folder: FolderWriter, data: bytes, expected: tuple[str, str, str]
) -> None:
    assert refusal(folder(data)) == [expected]


def test_every_bad_place_of_a_manifest_is_named_at_once_in_our_words(folder: FolderWriter) -> None:
    bad = manifest(
        runs=[run(status="done", sessionsPerTarget=0, targetIds=[5])],
        slots=[slot(recorded="yes"), {}],
        terminal=None,
    )
    with pytest.raises(RecordingError) as caught:
        open_wave(folder(bad))
    places = [one.place for one in caught.value.problems]
    assert places[:5] == [
        "terminal",
        "runs[0].targetIds[0]",
        "runs[0].sessionsPerTarget",
        "runs[0].status",
        "slots[0].recorded",
    ]
    assert places[5:] == [
        f"slots[1].{key}"
        for key in ("sessionId", "runId", "targetId", "sessionIndex", "attempt", "recorded")
    ]
    said = str(caught.value)
    assert '"done"; allowed: running, completed, partial, failed, rate_limited' in said
    assert "pydantic" not in said
    assert "Input should" not in said


def test_nothing_and_an_empty_folder_are_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere") == [("not-found", "nowhere", "")]
    assert refusal(tmp_path) == [("empty-folder", tmp_path.name, "")]
    (tmp_path / "sessions").mkdir()
    assert refusal(tmp_path) == [("empty-folder", tmp_path.name, "")]


def test_a_manifest_without_sessions_is_a_wave_that_recorded_nothing(folder: FolderWriter) -> None:
    wave = open_wave(folder())
    assert [(one.rule, one.file, one.session_id) for one in wave.problems] == [
        ("session-file-missing", "sessions/s1.jsonl", "s1")
    ]
    recording = wave.read("s1")
    assert not recording.present
    assert not recording.records
    assert recording.sha256 is None


def test_a_slot_that_recorded_nothing_needs_no_file(folder: FolderWriter) -> None:
    wave = open_wave(folder(manifest(slots=[slot(recorded=False)])))
    assert wave.problems == ()
    assert not wave.read("s1").present


def test_ids_are_percent_decoded_and_unplanned_sessions_kept_apart(
    folder: FolderWriter, conversation: list[Json]
) -> None:
    root = folder(
        manifest(slots=[slot("a:b")]), {"a%3Ab": conversation, "z": conversation, "b": conversation}
    )
    wave = open_wave(root)
    assert len(wave.read("a:b").records) == 2
    assert wave.unplanned == ("b", "z")
    assert [(one.rule, one.file) for one in wave.problems] == [
        ("session-without-slot", "sessions/b.jsonl"),
        ("session-without-slot", "sessions/z.jsonl"),
    ]
    assert len(wave.read("z").records) == 2
    assert not wave.read("never").present


def test_a_session_may_be_filed_under_its_document_id(
    folder: FolderWriter, conversation: list[Json]
) -> None:
    wave = open_wave(folder(manifest(slots=[slot(documentId="d1")]), {"d1": conversation}))
    assert wave.problems == ()
    assert wave.unplanned == ()
    recording = wave.read("s1")
    assert recording.session_id == "s1"
    assert recording.file == "sessions/d1.jsonl"
    assert len(recording.records) == 2


def test_a_file_under_the_second_name_of_a_session_is_said_to_be_left_out(
    folder: FolderWriter, conversation: list[Json]
) -> None:
    files = {"s1": conversation, "d1": conversation[:1]}
    wave = open_wave(folder(manifest(slots=[slot(documentId="d1")]), files))
    assert [(one.rule, one.file, one.session_id) for one in wave.problems] == [
        ("duplicate-session-file", "sessions/d1.jsonl", "s1")
    ]
    assert wave.unplanned == ()
    assert len(wave.read("s1").records) == 2
    assert {file.name for file in wave.files()} >= {"sessions/d1.jsonl", "sessions/s1.jsonl"}


@pytest.mark.parametrize("stem", ["%2E%2E%2Fevil", "a%2Fb", "a b", "%FF", "%00", "x" * 201])
def test_a_file_name_that_stands_for_no_session_id_is_left_out(
    folder: FolderWriter, conversation: list[Json], stem: str
) -> None:
    wave = open_wave(folder(sessions={"s1": conversation, stem: conversation}))
    assert [(one.rule, one.file) for one in wave.problems] == [
        ("bad-session-id", f"sessions/{stem}.jsonl")
    ]
    assert wave.unplanned == ()


@pytest.mark.parametrize("session_id", ["../wave", "../../etc/passwd", "/etc/passwd", "s1/../s1"])
def test_an_id_is_never_a_path(
    folder: FolderWriter, conversation: list[Json], session_id: str
) -> None:
    wave = open_wave(folder(sessions={"s1": conversation}))
    assert not wave.read(session_id).present


def test_two_files_of_one_session_are_not_mixed(
    folder: FolderWriter, conversation: list[Json]
) -> None:
    root = folder(manifest(slots=[slot("a:b")]), {"a%3Ab": conversation, "a:b": conversation[:1]})
    wave = open_wave(root)
    assert [(one.rule, one.file, one.session_id) for one in wave.problems] == [
        ("duplicate-session-file", "sessions/a:b.jsonl", "a:b")
    ]
    assert len(wave.read("a:b").records) == 2


def test_links_that_lead_outside_are_not_followed(
    folder: FolderWriter, conversation: list[Json], tmp_path: Path
) -> None:
    root = folder(sessions={"s1": conversation})
    secret = tmp_path / "secret.jsonl"
    secret.write_bytes(as_line(conversation[0]))
    (root / "sessions" / "s2.jsonl").symlink_to(secret)
    (root / "sessions" / "s3.jsonl").symlink_to(root / "sessions" / "s1.jsonl")
    wave = open_wave(root)
    assert [(one.rule, one.file) for one in wave.problems] == [
        ("outside-folder", "sessions/s2.jsonl"),
        ("session-without-slot", "sessions/s3.jsonl"),
    ]
    assert "s2" not in wave.form.session_ids()


def test_a_linked_manifest_or_session_folder_is_not_followed(
    folder: FolderWriter, conversation: list[Json], tmp_path: Path
) -> None:
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (outside / "s1.jsonl").write_bytes(as_line(conversation[0]))
    root = folder()
    (root / "sessions").symlink_to(outside)
    assert [one.rule for one in open_wave(root).problems] == [
        "outside-folder",
        "session-file-missing",
    ]
    (outside / "wave.json").write_bytes((root / "wave.json").read_bytes())
    (root / "wave.json").unlink()
    (root / "wave.json").symlink_to(outside / "wave.json")
    assert [one[0] for one in refusal(root)] == [
        "outside-folder",
        "outside-folder",
        "empty-folder",
    ]


def test_pipes_folders_and_other_files_are_named_and_not_opened(
    folder: FolderWriter, conversation: list[Json]
) -> None:
    root = folder(sessions={"s1": conversation})
    (root / "sessions" / "notes.txt").write_text("x")
    (root / "sessions" / ".hidden").write_text("x")
    (root / "sessions" / "dir.jsonl").mkdir()
    os.mkfifo(root / "sessions" / "pipe.jsonl")
    wave = open_wave(root)
    assert [(one.rule, one.file) for one in wave.problems] == [
        ("unexpected-file", "sessions/dir.jsonl"),
        ("unexpected-file", "sessions/notes.txt"),
        ("unexpected-file", "sessions/pipe.jsonl"),
    ]


def test_a_file_name_that_is_no_text_is_shown_and_not_used(
    folder: FolderWriter, conversation: list[Json]
) -> None:
    root = folder(sessions={"s1": conversation})
    try:
        (root / "sessions" / os.fsdecode(b"\xff.jsonl")).write_bytes(b"")
    except OSError:
        pytest.skip("this file system holds only UTF-8 names")
    wave = open_wave(root)
    assert [one.rule for one in wave.problems] == ["unexpected-file"]
    assert str(wave.problems[0]).encode()
    assert len(wave.source_revision()) == 64


def test_a_file_name_with_control_characters_is_shown_without_them(
    folder: FolderWriter, conversation: list[Json]
) -> None:
    root = folder(sessions={"s1": conversation, "\x1b[31m": conversation})
    assert [(one.rule, one.file) for one in open_wave(root).problems] == [
        ("unexpected-file", "sessions/?[31m.jsonl")
    ]


def test_a_line_with_thousands_of_bad_places_is_one_problem(folder: FolderWriter) -> None:
    lines = [{**user(), "seq": 0, "index": 0, "content": [5] * 2000}]
    recording = open_wave(folder(sessions={"s1": lines})).read("s1")
    assert [(one.rule, one.place) for one in recording.problems] == [("invalid-record", "line 1")]
    assert "places in it are wrong" in recording.problems[0].what


def test_a_session_that_cannot_be_opened_is_damaged(
    folder: FolderWriter, conversation: list[Json]
) -> None:
    root = folder(sessions={"s1": conversation})
    wave = open_wave(root)
    (root / "sessions" / "s1.jsonl").unlink()
    recording = wave.read("s1")
    assert recording.damaged
    assert [one.rule for one in recording.problems] == ["unreadable-file"]
    assert wave.source_revision() != ""
    assert [one.name for one in wave.files()] == ["wave.json"]


AT = "line 3: at"
ODD = 'line 3: inferred["a b"]'
GOOD = sequenced(user(), assistant(), user(turn=1), assistant(turn=1))


@pytest.mark.parametrize(
    ("line", "rule", "place"),
    [
        (b"{oops}\n", "unreadable-line", "line 3"),
        (b"[1]\n", "invalid-record", "line 3"),
        (b"5\n", "invalid-record", "line 3"),
        (b'{"seq": 2}\n', "invalid-record", "line 3"),
        (b'{"type": 5, "seq": 2}\n', "invalid-record", "line 3"),
        (b'{"type": "message", "seq": 2, "at\xff": 1}\n', "bad-utf8", "line 3"),
        (b"\xff\xfe\n", "bad-utf8", "line 3"),
        (
            b'{"type": "tool_result", "seq": 2, "toolCallId": "c", "result": NaN}\n',
            "unreadable-line",
            "line 3",
        ),
        (
            b'{"type": "tool_result", "seq": 2, "toolCallId": "c", "result": -Infinity}\n',
            "unreadable-line",
            "line 3",
        ),
        (
            as_line({**user(), "seq": 2, "index": 2, "role": "boss"}),
            "invalid-record",
            "line 3: role",
        ),
        (
            as_line({**user(), "seq": 2, "index": 2, "content": [{"kind": "text", "text": 5}]}),
            "invalid-record",
            "line 3: content[0].text",
        ),
        (b'{"type": "error", "seq": 2, "message": "\\ud83d\n', "unreadable-line", "line 3"),
        (b'{"type": "error", "seq": 2, "message": "NaN", "at": "x"}\n', "invalid-record", AT),
        (as_line({**user(), "seq": 2, "index": 2, "inferred": {"a b": 5}}), "invalid-record", ODD),
        (b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}\n", "unreadable-line", "line 3"),
    ],
)
def test_a_line_that_cannot_be_read_ends_the_session_there(
    folder: FolderWriter, line: bytes, rule: str, place: str
) -> None:
    data = b"".join([*map(as_line, GOOD[:2]), line, *map(as_line, GOOD[2:])])
    recording = open_wave(folder(sessions={"s1": data})).read("s1")
    assert recording.damaged
    assert [record.seq for record in recording.records] == [0, 1]
    assert list(recording.lines) == [1, 2]
    assert [(one.rule, one.file, one.place) for one in recording.problems] == [
        (rule, "sessions/s1.jsonl", place)
    ]
    assert recording.problems[0].session_id == "s1"
    assert recording.bytes == len(data)


def test_a_manifest_and_a_catalogue_that_cannot_be_opened_are_named(
    folder: FolderWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = folder(manifest(slots=[slot(recorded=False)]), catalogs={"lib": {"tools": []}})
    whole = Path.read_bytes

    def locked(name: str) -> Callable[[Path], bytes]:
        def read(path: Path) -> bytes:
            if path.name == name:
                raise PermissionError(13, "Permission denied")
            return whole(path)

        return read

    monkeypatch.setattr(Path, "read_bytes", locked("lib.json"))
    assert [(one.rule, one.file) for one in open_wave(root).problems] == [
        ("unreadable-file", "catalogs/lib.json")
    ]
    monkeypatch.setattr(Path, "read_bytes", locked("wave.json"))
    assert refusal(root) == [("unreadable-file", "wave.json", "")]


def test_every_unreadable_line_is_named_up_to_a_bound(folder: FolderWriter) -> None:
    data = b"".join([as_line(GOOD[0]), *[b"{\n"] * 60])
    recording = open_wave(folder(sessions={"s1": data})).read("s1")
    assert len(recording.problems) == 51
    assert "10 more" in recording.problems[-1].what


def test_every_bad_place_of_a_record_is_named(folder: FolderWriter) -> None:
    bad = {"type": "tool_call", "seq": -1, "turnIndex": 1.5, "args": [], "toolName": 3}
    recording = open_wave(folder(sessions={"s1": [bad]})).read("s1")
    assert [one.place for one in recording.problems] == [
        "line 1: seq",
        "line 1: turnIndex",
        "line 1: toolCallId",
        "line 1: toolName",
        "line 1: args",
    ]


def test_a_truncated_last_line_is_told_from_a_broken_one(folder: FolderWriter) -> None:
    data = b"".join(map(as_line, GOOD))[:-10]
    recording = open_wave(folder(sessions={"s1": data})).read("s1")
    assert [(one.rule, one.place) for one in recording.problems] == [("truncated-line", "line 4")]
    assert recording.damaged
    assert len(recording.records) == 3


def test_a_last_line_without_line_feed_is_whole(folder: FolderWriter) -> None:
    data = b"".join(map(as_line, GOOD)).rstrip(b"\n")
    recording = open_wave(folder(sessions={"s1": data})).read("s1")
    assert not recording.damaged
    assert len(recording.records) == 4


def test_blank_lines_a_byte_order_mark_and_carriage_returns_do_no_harm(
    folder: FolderWriter,
) -> None:
    lines = [as_line(one).replace(b"\n", b"\r\n") for one in GOOD]
    data = b"\xef\xbb\xbf" + lines[0] + b"\n  \r\n" + b"".join(lines[1:])
    recording = open_wave(folder(sessions={"s1": data})).read("s1")
    assert not recording.damaged
    assert list(recording.lines) == [1, 4, 5, 6]


def test_the_words_nan_and_infinity_are_ordinary_text(folder: FolderWriter) -> None:
    data = as_line({**user("NaN of the Infinity"), "seq": 0, "index": 0})
    recording = open_wave(folder(sessions={"s1": data})).read("s1")
    assert not recording.damaged
    assert len(recording.records) == 1


def test_half_a_character_is_replaced_and_noted(folder: FolderWriter) -> None:
    raw = as_line({**user("TEXT"), "seq": 0, "index": 0})
    data = raw.replace(b"TEXT", rb"a\ud83d b\uDE00 c\ud83d\ude00 d\\ud83d e\u00e9")
    recording = open_wave(folder(sessions={"s1": data})).read("s1")
    message = recording.records[0]
    assert isinstance(message, Message)
    assert message.content == "a\ufffd b\ufffd c\U0001f600 d\\ud83d e\u00e9"
    assert [(one.rule, one.place) for one in recording.problems] == [("lone-surrogate", "line 1")]
    assert not recording.damaged


def test_unknown_types_are_counted_and_left_out(folder: FolderWriter) -> None:
    lines = [
        {"type": "session_mood", "seq": 0},
        {**user(), "seq": 1, "index": 0},
        {"type": "session_mood", "seq": 2},
        {"type": "x", "seq": 3},
    ]
    recording = open_wave(folder(sessions={"s1": lines})).read("s1")
    assert recording.unknown_types == {"session_mood": 2, "x": 1}
    assert list(recording.lines) == [2]
    assert not recording.damaged
    assert [(one.rule, one.place, one.severity) for one in recording.problems] == [
        ("unknown-record-type", "line 1", "note"),
        ("unknown-record-type", "line 4", "note"),
    ]


def test_unknown_keys_are_kept(folder: FolderWriter) -> None:
    line = {**user(), "seq": 0, "index": 0, "mood": "fine"}
    record = open_wave(folder(sessions={"s1": [line]})).read("s1").records[0]
    assert record.model_extra == {"mood": "fine"}


def test_a_line_over_its_limit_is_unreadable(folder: FolderWriter) -> None:
    long = as_line({**user("x" * 500), "seq": 1, "index": 1})
    data = as_line(GOOD[0]) + long + as_line(GOOD[2])
    root = folder(sessions={"s1": data})
    recording = open_wave(root, Limits(line_bytes=len(long) - 2)).read("s1")
    assert recording.damaged
    assert len(recording.records) == 1
    assert [(one.rule, one.place) for one in recording.problems] == [("line-too-long", "line 2")]
    whole = open_wave(root, Limits(line_bytes=len(long) - 1)).read("s1")
    assert not whole.damaged
    assert len(whole.records) == 3


def test_a_line_of_ten_megabytes_is_unreadable(folder: FolderWriter) -> None:
    data = as_line(GOOD[0]) + as_line({**user("x" * 10_000_000), "seq": 1, "index": 1})
    recording = open_wave(folder(sessions={"s1": data})).read("s1")
    assert recording.damaged
    assert len(recording.records) == 1
    assert "8,388,608 bytes" in recording.problems[0].what


def test_a_session_over_its_limit_is_read_up_to_it(folder: FolderWriter) -> None:
    data = b"".join(map(as_line, GOOD))
    root = folder(sessions={"s1": data})
    first_three = sum(len(as_line(one)) for one in GOOD[:3])
    for limit, expected in ((first_three, 3), (first_three - 1, 2), (len(data) - 1, 3), (5, 0)):
        recording = open_wave(root, Limits(session_bytes=limit)).read("s1")
        assert recording.damaged
        assert len(recording.records) == expected
        assert [(one.rule, one.place) for one in recording.problems] == [
            ("session-too-large", f"line {expected + 1}")
        ]
        assert recording.bytes == len(data)
        assert recording.sha256 == open_wave(root).read("s1").sha256
    assert not open_wave(root, Limits(session_bytes=len(data))).read("s1").damaged


def test_the_text_of_a_message_is_cut_and_marked(folder: FolderWriter) -> None:
    parts = [
        {"kind": "text", "text": "abcdef"},
        {"kind": "tool_call", "toolCallId": "c", "toolName": "t", "args": {}},
        {"kind": "text", "text": "ghijkl"},
        {"kind": "text", "text": "m"},
    ]
    lines = sequenced(user("x" * 11), assistant(content=parts), user("x" * 10))
    recording = open_wave(folder(sessions={"s1": lines}), Limits(message_chars=10)).read("s1")
    first, second, third = (one for one in recording.records if isinstance(one, Message))
    assert first.content == "x" * 10
    assert first.truncated is True
    assert [getattr(part, "text", None) for part in second.content] == ["abcdef", None, "ghij", ""]
    assert second.truncated is True
    assert third.truncated is None
    assert [(one.rule, one.place) for one in recording.problems] == [
        ("message-text-cut", "line 1"),
        ("message-text-cut", "line 2"),
    ]
    assert not recording.damaged


def test_one_broken_session_costs_the_others_nothing(folder: FolderWriter) -> None:
    root = folder(
        manifest(runs=[run(sessionsPerTarget=2)], slots=[slot(), slot("s2", index=1)]),
        {"s1": b"\x00\x01\x02", "s2": GOOD},
    )
    wave = open_wave(root)
    assert wave.read("s1").damaged
    assert len(wave.read("s2").records) == 4


@pytest.mark.parametrize(
    ("listed", "filed", "expected"),
    [
        (None, {"lib": {"tools": [{"name": "a"}], "complete": True}}, (["a"], True)),
        (None, {"lib": {"tools": []}}, ([], False)),
        ([{"catalogId": "lib", "tools": [{"name": "b"}], "complete": True}], {}, (["b"], True)),
        ([{"catalogId": "lib", "tools": [{"name": "b"}]}], {}, (["b"], False)),
        (
            [{"catalogId": "lib", "path": "catalogs/other.json", "complete": True}],
            {"other": {"tools": [{"name": "c"}]}},
            (["c"], True),
        ),
        (
            [{"catalogId": "lib", "path": "catalogs/other.json", "complete": True}],
            {"other": {"tools": [{"name": "c"}], "complete": False}},
            (["c"], False),
        ),
        (
            [{"catalogId": "lib"}],
            {"lib": {"tools": [{"name": "d", "visibility": ["app"]}], "complete": True}},
            (["d"], True),
        ),
    ],
)
def test_catalogues_come_from_the_manifest_or_from_files(
    folder: FolderWriter, listed: list[Json] | None, filed: Json, expected: tuple[list[str], bool]
) -> None:
    whole = manifest(targets=[target(catalogId="lib")], slots=[slot(recorded=False)])
    if listed is not None:
        whole["catalogs"] = listed
    wave = open_wave(folder(whole, catalogs=filed))
    assert wave.problems == ()
    catalog = wave.plan.contexts()[0].catalog
    assert catalog is not None
    assert (sorted(catalog.tools), catalog.complete) == expected


@pytest.mark.parametrize(
    ("listed", "filed", "rule", "file"),
    [
        ([{"catalogId": "lib", "path": "../lib.json"}], {}, "outside-folder", "wave.json"),
        ([{"catalogId": "lib", "path": "/etc/passwd"}], {}, "outside-folder", "wave.json"),
        ([{"catalogId": "lib", "path": "a\x00b"}], {}, "outside-folder", "wave.json"),
        ([{"catalogId": "lib", "path": "no.json"}], {}, "catalog-file-missing", "wave.json"),
        ([{"catalogId": "lib", "path": "x" * 5000}], {}, "catalog-file-missing", "wave.json"),
        ([{"catalogId": "lib"}], {}, "catalog-without-tools", "wave.json"),
        ([], {"lib": b"{"}, "catalog-invalid", "catalogs/lib.json"),
        ([], {"lib": {"tools": [{}]}}, "catalog-invalid", "catalogs/lib.json"),
        (
            [{"catalogId": "lib", "tools": []}, {"catalogId": "lib", "tools": []}],
            {},
            "duplicate-catalog",
            "wave.json",
        ),
    ],
)
def test_a_catalogue_that_cannot_be_used_is_reported(
    folder: FolderWriter, listed: list[Json], filed: Json, rule: str, file: str
) -> None:
    whole = manifest(catalogs=listed, slots=[slot(recorded=False)])
    wave = open_wave(folder(whole, catalogs=filed))
    assert [(one.rule, one.file) for one in wave.problems] == [(rule, file)]


def test_a_folder_or_a_file_is_known_by_its_beginning(
    folder: FolderWriter, single: FolderWriter, tmp_path: Path
) -> None:
    root = folder()
    assert looks_native(root)
    assert looks_native(root / "wave.json")
    assert looks_native(single())
    other = tmp_path / "other.json"
    other.write_text("[]")
    assert not looks_native(other)
    assert not looks_native(tmp_path)
    assert not looks_native(tmp_path / "nowhere")


def test_calls_and_results_come_back_as_they_were_written(folder: FolderWriter) -> None:
    lines = sequenced(user(), call(args={"n": [1, 2.5, None]}), result(value={"ok": True}))
    records = open_wave(folder(sessions={"s1": lines})).read("s1").records
    assert [record.model_dump(exclude_unset=True) for record in records] == lines
