"""Writes small recorded waves to disk, well-formed or broken on purpose."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from builders import Json, assistant, call, manifest, result, sequenced, user

TALK: tuple[Json, ...] = (user(), call(), result(), assistant())


def session_lines(records: Sequence[Json] = TALK) -> bytes:
    return b"".join(
        json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in sequenced(*records)
    )


def write_folder(
    folder: Path,
    whole: Json | None = None,
    sessions: Mapping[str, bytes] | None = None,
) -> Path:
    """A wave's folder; by default one session that ran and was not graded."""
    (folder / "sessions").mkdir(parents=True)
    content = manifest() if whole is None else whole
    (folder / "wave.json").write_text(json.dumps(content), encoding="utf-8")
    for name, data in ({"s1": session_lines()} if sessions is None else sessions).items():
        (folder / "sessions" / f"{name}.jsonl").write_bytes(data)
    return folder
