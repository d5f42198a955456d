"""Whatever happens to a source on its way: sessions, or a refusal that names the place."""

from pathlib import Path

import pytest
from claude_logs import SESSION
from hypothesis import given, settings
from hypothesis import strategies as st
from imported import SAMPLES, Taken, take
from saved_export import export, save

from reporter.derive.session import derive_session
from reporter.errors import Problem, RecordingError
from reporter.recording.plan import resolve_plan

modest = settings(max_examples=60, deadline=None)
whole_or_nothing = st.sampled_from(
    [
        "desk_runs.json",
        "results.json",
        "eval_run.json",
        "library_desk.json",
        "library_desk.eval",
        "shelf__desk-7.traj",
        "shelf__desk-8.traj.json",
        "trajectory.json",
        "trace_openllmetry.json",
        "trace_openinference.json",
        "trace_mcp.json",
        "trace_jaeger.json",
    ]
)
"""Documents of one piece: what is cut off anywhere is seen to be."""
by_line = st.sampled_from(
    [f"claude-code/allotment/{SESSION}.jsonl", "press.jsonl", "kiln.jsonl", "rollout.jsonl"]
)
"""Lines that are appended: a file that ends between two of them is whole."""
samples = st.one_of(whole_or_nothing, by_line, st.just("trace_lines.jsonl"))


def survives(folder: Path, name: str, data: bytes) -> Taken | None:
    path = folder / Path(name).name
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
@given(whole_or_nothing, st.data())
def test_cut_off_anywhere(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    whole = (SAMPLES / name).read_bytes()
    end = data.draw(st.integers(min_value=0, max_value=len(whole) - 2))
    taken = survives(tmp_path_factory.mktemp("cut"), name, whole[:end])
    if taken is not None:
        assert not taken.manifest.terminal
        rules = [problem.rule for problem in taken.wave.problems]
        # What is left of a trace may be the part without words.
        assert [rule for rule in rules if rule != "source-texts-not-captured"] == [
            "source-file-broken"
        ]


@modest
@given(by_line, st.data())
def test_cut_off_inside_of_a_line_or_between_two(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    whole = (SAMPLES / name).read_bytes()
    end = data.draw(st.integers(min_value=0, max_value=len(whole) - 2))
    # A line without its line feed is still whole.
    is_cut = whole[end - 1 : end] != b"\n" and whole[end : end + 1] != b"\n" and end > 0
    taken = survives(tmp_path_factory.mktemp("cut"), name, whole[:end])
    if taken is not None:
        assert taken.manifest.terminal is not is_cut
        notes = [(one.rule, one.severity) for one in taken.wave.problems]
        assert notes == [("source-file-broken", "note")] * is_cut


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


exports = st.sampled_from(sorted(export()))


@modest
@given(exports, st.data())
def test_an_export_with_one_damaged_file(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    folder = save(tmp_path_factory.mktemp("export"))
    whole = (folder / name).read_bytes()
    at = data.draw(st.integers(min_value=0, max_value=len(whole) - 2))
    match data.draw(st.sampled_from(["cut", "flip", "drop", "gone"])):
        case "cut":
            (folder / name).write_bytes(whole[:at])
        case "flip":
            byte = data.draw(st.integers(min_value=0, max_value=255))
            (folder / name).write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])
        case "drop":
            lines = whole.splitlines(keepends=True)
            del lines[at % len(lines)]
            (folder / name).write_bytes(b"".join(lines))
        case _:
            (folder / name).unlink()
    refused: tuple[Problem, ...] = ()
    try:
        taken = take(folder)
    except RecordingError as error:
        refused = error.problems
    if refused:
        assert all(problem.file and problem.what for problem in refused)
        return
    resolve_plan(taken.manifest, file="wave.json", catalogs={})
    assert taken.manifest.model_dump_json()
    for own, recording in taken.recordings.items():
        for record in recording.records:
            assert record.model_dump_json()
        derive_session(taken.contexts[own], recording)
