import json
import pickle
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from builders import Json, assistant, manifest, run, sequenced, slot, user

from reporter.errors import RecordingError
from reporter.recording.limits import Limits
from reporter.recording.reader import NativeWave, open_wave
from reporter.recording.validate import check

Writer = Callable[..., Path]

TWO = manifest(runs=[run(sessionsPerTarget=2)], slots=[slot(), slot("s2", index=1)])
HEAD: Json = {"type": "wave", **TWO}


def of(session_id: str, *records: Json) -> list[Json]:
    return [{**record, "sessionId": session_id} for record in sequenced(*records)]


ONE = of("s1", user(), assistant(), user(turn=1), assistant(turn=1))
OTHER = of("s2", user(), assistant())


def seqs(wave: NativeWave, session_id: str) -> list[int]:
    return [record.seq for record in wave.read(session_id).records]


def places(wave: NativeWave) -> list[tuple[str, str]]:
    return [(one.rule, one.place) for one in wave.problems]


def test_interleaved_sessions_are_told_apart(single: Writer) -> None:
    path = single(ONE[0], OTHER[0], ONE[1], OTHER[1], ONE[2], ONE[3], first=HEAD)
    wave = open_wave(path)
    assert wave.problems == ()
    assert wave.name == "wave.jsonl"
    whole = wave.whole_manifest()
    assert whole is not None
    assert [slot.session_id for slot in whole.slots] == ["s1", "s2"]
    one, other = wave.read("s1"), wave.read("s2")
    assert list(one.lines) == [2, 4, 6, 7]
    assert list(other.lines) == [3, 5]
    assert one.file == "wave.jsonl"
    assert not one.damaged
    assert one.bytes + other.bytes == sum(map(len, path.read_bytes().splitlines(True)[1:]))


def test_lines_under_either_name_of_a_session_are_its_lines(single: Writer) -> None:
    talk = sequenced(user("a"), assistant("b"), user("c"), assistant("d"))
    names = ("d1", "s1", "d1", "s1")
    lines = [{**one, "sessionId": name} for one, name in zip(talk, names, strict=True)]
    path = single(*lines, first={"type": "wave", **manifest(slots=[slot(documentId="d1")])})
    wave = open_wave(path)
    assert (wave.problems, wave.unplanned) == ((), ())
    recording = wave.read("s1")
    assert [one.content for one in recording.records if one.type == "message"] == list("abcd")
    assert check(path) == []
    written = path.read_bytes().splitlines(keepends=True)
    assert recording.sha256 == sha256(b"".join(written[1:])).hexdigest()


def test_both_forms_give_the_same_records(single: Writer, folder: Writer) -> None:
    whole = open_wave(single(*ONE, *OTHER, first=HEAD))
    split = open_wave(folder(TWO, {"s1": ONE, "s2": OTHER}))
    for session_id in ("s1", "s2"):
        assert whole.read(session_id).records == split.read(session_id).records
    assert whole.plan == split.plan


def test_it_can_be_sent_to_another_process(single: Writer) -> None:
    wave = open_wave(single(*ONE, first=HEAD))
    assert pickle.loads(pickle.dumps(wave)).read("s1") == wave.read("s1")  # noqa: S301  ours


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        (b'{"type": "message", "sessionId": "s1", "seq": \n', "unreadable-line"),
        (b'{"sessionId" :  "s1" \xff}\n', "bad-utf8"),
        (b'{"type": "message", "sessionId": "s1"}\n', "invalid-record"),
        (b'{"type": "x", "sessionId": "s1", "n": NaN}\n', "unreadable-line"),
        (b'["sessionId":"s1"\n', "unreadable-line"),
    ],
)
def test_a_broken_line_belongs_to_the_session_it_names(
    single: Writer, broken: bytes, rule: str
) -> None:
    wave = open_wave(single(ONE[0], OTHER[0], broken, *ONE[1:], OTHER[1], first=HEAD))
    assert wave.problems == ()
    one, other = wave.read("s1"), wave.read("s2")
    assert [record.seq for record in one.records] == [0]
    assert one.damaged
    assert {(found.rule, found.place.split(":")[0]) for found in one.problems} == {(rule, "line 4")}
    assert [record.seq for record in other.records] == [0, 1]
    assert not other.damaged


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        (b'{"type": "message", \n', "unreadable-line"),
        (b"\xff\xff\n", "bad-utf8"),
        (b'{"text": "a \\"sessionId\\":\\"s1\\"" oops\n', "unreadable-line"),
        (b'["s1"]\n', "unreadable-line"),
        (b'{"type": "message", "seq": 3}\n', "record-without-session"),
        (b'{"type": "message", "seq": 3, "sessionId": 5}\n', "record-without-session"),
        (b'{"type": "message", "seq": 3, "sessionId": "../s1"}\n', "bad-session-id"),
        (json.dumps(HEAD).encode() + b"\n", "second-manifest"),
    ],
)
def test_a_line_that_names_no_session_is_reported_for_the_wave_only(
    single: Writer, broken: bytes, rule: str
) -> None:
    wave = open_wave(single(ONE[0], broken, *ONE[1:], *OTHER, first=HEAD))
    assert places(wave) == [(rule, "line 3")]
    assert wave.problems[0].session_id is None
    assert seqs(wave, "s1") == [0, 1, 2, 3]
    assert not wave.read("s1").damaged
    assert not wave.read("s2").damaged


def test_an_argument_called_session_id_does_not_take_the_blame(single: Writer) -> None:
    broken = b'{"args": {"sessionId": "cart-9"}, "sessionId": "s2", "seq": oops}\n'
    wave = open_wave(single(*ONE, broken, *OTHER, first=HEAD))
    assert wave.unplanned == ()
    assert wave.read("s2").damaged
    assert not wave.read("s1").damaged


def test_an_argument_called_session_id_does_not_make_a_session(single: Writer) -> None:
    record = {**OTHER[0], "type": "tool_call", "toolCallId": "c", "toolName": "t"}
    record["args"] = {"sessionId": "s1"}
    wave = open_wave(single(*ONE, record, first=HEAD))
    assert seqs(wave, "s1") == [0, 1, 2, 3]
    assert seqs(wave, "s2") == [0]


def test_a_broken_line_of_a_session_that_nobody_knows_makes_it_unplanned(single: Writer) -> None:
    wave = open_wave(single(*ONE, *OTHER, b'{"sessionId": "s9", oops\n', first=HEAD))
    assert wave.unplanned == ("s9",)
    assert places(wave) == [("session-without-slot", "")]
    assert wave.read("s9").damaged


def test_many_homeless_lines_are_counted(single: Writer) -> None:
    wave = open_wave(single(*ONE, *OTHER, b"{\n" * 60, first=HEAD))
    assert len(wave.problems) == 51
    assert "10 more" in wave.problems[-1].what


def test_the_last_line_may_be_cut(single: Writer) -> None:
    path = single(*OTHER, *ONE, first=HEAD)
    whole = path.read_bytes()
    path.write_bytes(whole[:-2])
    wave = open_wave(path)
    recording = wave.read("s1")
    assert [(one.rule, one.place) for one in recording.problems] == [("truncated-line", "line 7")]
    assert len(recording.records) == 3
    assert not wave.read("s2").damaged
    path.write_bytes(whole[:-5])
    wave = open_wave(path)
    assert places(wave) == [("truncated-line", "line 7")]
    assert not wave.read("s1").damaged


@pytest.mark.parametrize("before", [True, False])
def test_a_long_line_is_unreadable_wherever_it_names_its_session(
    single: Writer, before: bool
) -> None:
    filler = "x" * 3_000_000
    long = {"sessionId": "s1", "text": filler} if before else {"text": filler, "sessionId": "s1"}
    path = single(ONE[0], OTHER[0], long, *ONE[1:], OTHER[1], first=HEAD)
    wave = open_wave(path, Limits(line_bytes=100_000))
    one = wave.read("s1")
    assert [record.seq for record in one.records] == [0]
    assert [(found.rule, found.place) for found in one.problems] == [("line-too-long", "line 4")]
    assert one.bytes > 3_000_000
    assert seqs(wave, "s2") == [0, 1]
    assert one.sha256 == open_wave(path).read("s1").sha256


def test_a_long_line_that_names_no_session_is_the_waves(single: Writer) -> None:
    long = {"text": "x" * 3_000_000}
    wave = open_wave(single(*ONE, long, *OTHER, first=HEAD), Limits(line_bytes=100_000))
    assert places(wave) == [("line-too-long", "line 6")]
    assert seqs(wave, "s2") == [0, 1]


def test_a_session_is_read_up_to_its_limit(single: Writer) -> None:
    path = single(ONE[0], OTHER[0], *ONE[1:], first=HEAD)
    lines = path.read_bytes().splitlines(keepends=True)
    wave = open_wave(path, Limits(session_bytes=len(lines[1]) + len(lines[3])))
    one = wave.read("s1")
    assert [record.seq for record in one.records] == [0, 1]
    assert [(found.rule, found.place) for found in one.problems] == [
        ("session-too-large", "line 5")
    ]
    assert one.damaged
    assert one.sha256 == open_wave(path).read("s1").sha256


@pytest.mark.parametrize(
    ("first", "rule"),
    [
        (b"\n", "manifest-invalid"),
        (b"{oops\n", "manifest-invalid"),
        (b'{"type": "message", "seq": 0, "sessionId": "s1"}\n', "manifest-missing"),
        (json.dumps(TWO).encode() + b"\n", "manifest-missing"),
        (json.dumps({**HEAD, "formatVersion": 3}).encode() + b"\n", "manifest-version"),
        (json.dumps({**HEAD, "terminal": 1}).encode() + b"\n", "manifest-invalid"),
    ],
)
def test_a_file_whose_first_line_is_no_manifest_is_refused(
    single: Writer, first: bytes, rule: str
) -> None:
    with pytest.raises(RecordingError) as caught:
        open_wave(single(*ONE, first=first))
    assert [one.rule for one in caught.value.problems] == [rule]
    assert caught.value.problems[0].file == "wave.jsonl"
    assert caught.value.problems[0].remedy


def test_an_empty_file_and_a_manifest_over_the_line_limit_are_refused(
    single: Writer, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    for path, limits in ((empty, Limits()), (single(first=HEAD), Limits(line_bytes=50))):
        with pytest.raises(RecordingError):
            open_wave(path, limits)


def test_catalogues_stand_in_the_manifest_only(single: Writer) -> None:
    head = {
        **HEAD,
        "catalogs": [
            {"catalogId": "lib", "tools": [{"name": "a"}], "complete": True},
            {"catalogId": "far", "path": "wave.jsonl"},
        ],
    }
    wave = open_wave(single(*ONE, *OTHER, first=head))
    assert [(one.rule, one.place) for one in wave.problems] == [
        ("catalog-path", "catalogs[1].path")
    ]
    assert [str(key) for key in wave.plan.catalogs] == ["lib"]


def test_a_file_that_is_gone_damages_its_sessions_and_no_more(single: Writer) -> None:
    path = single(*ONE, *OTHER, first=HEAD)
    wave = open_wave(path)
    path.unlink()
    recording = wave.read("s1")
    assert recording.damaged
    assert [one.rule for one in recording.problems] == ["unreadable-file"]
    assert len(wave.source_revision()) == 64


def test_a_file_that_cannot_be_opened_is_refused(
    single: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = single(*ONE, *OTHER, first=HEAD)

    def locked(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", locked)
    with pytest.raises(RecordingError, match="cannot be read: Permission denied"):
        open_wave(path)


def test_a_slot_that_recorded_nothing_is_reported(single: Writer) -> None:
    wave = open_wave(single(*ONE, first=HEAD))
    assert [(one.rule, one.file, one.session_id) for one in wave.problems] == [
        ("session-file-missing", "wave.jsonl", "s2")
    ]
    assert not wave.read("s2").present
