import gc
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import Json, assistant, manifest, run, sequenced, slot, user

from reporter.recording.reader import open_wave

Writer = Callable[..., Path]

MESSAGES = 200
TEXT = "word " * 100


def whole(count: int) -> Json:
    runs = [run(f"r{one}", sessionsPerTarget=1) for one in range(count)]
    slots = [slot(f"s{one}", f"r{one}") for one in range(count)]
    return manifest(runs=runs, slots=slots)


def lines(session_id: str | None = None) -> bytes:
    more = {"sessionId": session_id} if session_id else {}
    turns = [
        record
        for turn in range(MESSAGES // 2)
        for record in (user(TEXT, turn), assistant("", turn))
    ]
    return b"".join(json.dumps({**one, **more}).encode() + b"\n" for one in sequenced(*turns))


def peak_of_reading(path: Path) -> int:
    """Bytes at the most while every session is read and let go, beyond what opening keeps."""
    wave = open_wave(path)
    gc.collect()
    tracemalloc.start()
    try:
        for one in wave.plan.slots:
            assert len(wave.read(one.session_id).records) == MESSAGES
        wave.source_revision()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("form", ["folder", "single"])
def test_reading_more_sessions_takes_no_more_memory(
    folder: Writer, single: Writer, form: str, tmp_path: Path
) -> None:
    peaks = []
    for count in (2, 30):
        if form == "folder":
            path = folder(whole(count), {f"s{one}": lines() for one in range(count)})
            path = path.rename(tmp_path / f"wave-{count}")
        else:
            head = {"type": "wave", **whole(count)}
            path = single(*(lines(f"s{one}") for one in range(count)), first=head)
        peaks.append(peak_of_reading(path))
    assert peaks[1] < 1.3 * peaks[0]


def test_the_index_of_a_single_file_keeps_places_and_no_text(single: Writer) -> None:
    count = 30
    path = single(
        *(lines(f"s{one}") for one in range(count)), first={"type": "wave", **whole(count)}
    )
    size = path.stat().st_size
    tracemalloc.start()
    try:
        wave = open_wave(path)
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(wave.plan.slots) == count
    assert kept < size / 4
    assert peak < size / 4
