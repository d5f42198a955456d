from pathlib import Path
from typing import Any

import pytest

from reporter.importers import jsonlines
from reporter.importers.jsonlines import JsonLines, first_objects, parse_line
from reporter.importers.source import LocalFile, digest_of


def read(path: Path, content: bytes) -> tuple[JsonLines, list[tuple[int, dict[str, Any]]]]:
    path.write_bytes(content)
    lines = JsonLines(LocalFile(path, path.name, "x"))
    return lines, list(lines.objects())


@pytest.mark.parametrize(
    ("content", "found", "unreadable", "cut"),
    [
        (b'{"a": 1}\n{"b": 2}\n', [1, 2], 0, False),
        (b'{"a": 1}\n{"b": 2}', [1, 2], 0, False),
        (b'\xef\xbb\xbf{"a": 1}\r\n\r\n{"b": 2}\r\n', [1, 3], 0, False),
        (b'{"a": 1}\n{"b": \n{"c": 3}\n', [1, 3], 1, False),
        (b'{"a": 1}\n{"b": ', [1], 0, True),
        (b'{"a": 1}\n{"b": "\xc3', [1], 0, True),
        (b'[1]\n7\n"x"\n{"a": 1}\n', [4], 3, False),
        (b"", [], 0, False),
        (b"\n\n", [], 0, False),
    ],
)
def test_what_is_read_and_what_is_not(
    tmp_path: Path, content: bytes, found: list[int], *, unreadable: int, cut: bool
) -> None:
    lines, objects = read(tmp_path / "x.jsonl", content)
    assert [number for number, _ in objects] == found
    assert (lines.unreadable, lines.is_cut) == (unreadable, cut)
    assert lines.file == digest_of(lines.entry)
    assert lines.is_damaged is (unreadable > 0)
    severities = [getattr(item, "severity", None) for item in lines.problems()]
    assert severities == (["error", None] * bool(unreadable) + ["note", None] * cut)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b'{"a": "\\ud83d"}', {"a": "\ufffd"}),
        (b'{"a": NaN}', {"a": None}),
        (b'{"a": 123456789012345678901234567890}', {"a": 123456789012345678901234567890}),
        (b"[" * 5_000, None),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, None),
        (b"\xff", None),
    ],
)
def test_lines_of_odd_values(line: bytes, value: object) -> None:
    assert parse_line(line) == value


def test_a_line_and_a_file_that_are_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonlines, "MOST_LINE", 40)
    content = b'{"a": 1}\n{"b": "' + b"x" * 100 + b'"}\n{"c": 3}\n'
    lines, objects = read(tmp_path / "x.jsonl", content)
    assert [number for number, _ in objects] == [1, 3]
    assert lines.unreadable == 1
    assert lines.file == digest_of(lines.entry)
    monkeypatch.setattr(jsonlines, "MOST_FILE", 20)
    lines, objects = read(tmp_path / "y.jsonl", b'{"a": 1}\n' * 5)
    assert len(objects) == 2
    assert lines.is_too_large
    assert lines.is_damaged
    assert lines.file == digest_of(lines.entry)
    assert [item.rule for item in lines.problems() if hasattr(item, "rule")] == [
        "source-file-broken"
    ]


def test_the_first_whole_objects() -> None:
    head = b'\xef\xbb\xbf{"a": 1}\nnothing\n[2]\n{"b": 2}\n{"c": '
    assert first_objects(head) == [{"a": 1}, {"b": 2}]
    assert first_objects(head, most=1) == [{"a": 1}]
