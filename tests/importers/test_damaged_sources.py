"""Whatever happens to a source on its way: sessions, or a refusal that names the place."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imported import SAMPLES, Taken, take

from reporter.errors import Problem, RecordingError

modest = settings(max_examples=60, deadline=None)
samples = st.sampled_from(
    [
        "desk_runs.json",
        "results.json",
        "eval_run.json",
        "library_desk.json",
        "library_desk.eval",
    ]
)


def survives(folder: Path, name: str, data: bytes) -> Taken | None:
    path = folder / name
    path.write_bytes(data)
    refused: tuple[Problem, ...] = ()
    try:
        taken = take(path)
    except RecordingError as error:
        refused = error.problems
    if refused:
        assert all(problem.file and problem.what for problem in refused)
        return None
    # Everything that came of it can be written down.
    assert taken.manifest.model_dump_json()
    for recording in taken.recordings.values():
        for record in recording.records:
            assert record.model_dump_json()
    assert taken.plan.slots
    return taken


@modest
@given(samples, st.data())
def test_cut_off_anywhere(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    whole = (SAMPLES / name).read_bytes()
    end = data.draw(st.integers(min_value=0, max_value=len(whole) - 2))
    taken = survives(tmp_path_factory.mktemp("cut"), name, whole[:end])
    if taken is not None:
        assert not taken.manifest.terminal
        assert [problem.rule for problem in taken.wave.problems] == ["source-file-broken"]


@modest
@given(samples, st.data(), st.integers(min_value=0, max_value=255))
def test_one_byte_changed(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject, byte: int
) -> None:
    whole = bytearray((SAMPLES / name).read_bytes())
    whole[data.draw(st.integers(min_value=0, max_value=len(whole) - 1))] = byte
    survives(tmp_path_factory.mktemp("flip"), name, bytes(whole))


@modest
@given(samples, st.data())
def test_one_line_dropped(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    lines = (SAMPLES / name).read_bytes().splitlines(keepends=True)
    del lines[data.draw(st.integers(min_value=0, max_value=len(lines) - 1))]
    survives(tmp_path_factory.mktemp("drop"), name, b"".join(lines))
