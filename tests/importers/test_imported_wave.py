import pickle
from pathlib import Path

import pytest
from imported import SAMPLES, results, session, simulation, take, write

from reporter.derive.session import derive_session
from reporter.errors import AmbiguousFormatError, RecordingError
from reporter.importers.identify import identify
from reporter.importers.importer import ImportedSession, context_of
from reporter.importers.mapping import FileMapping
from reporter.importers.mapping_file import read_mapping
from reporter.importers.wave import ImportedWave, WorkUnit
from reporter.models.facts import SessionFacts
from reporter.recording.reader import open_wave
from reporter.recording.recorder import write_wave
from reporter.vocabulary import Disposition, ReadState, SessionVerdictReason


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three files, of which two hold the same tasks."""
    write(tmp_path / "a.json", [session(1, 0), session(2, 0), session(1, 1)])
    write(tmp_path / "b.json", [session(1, 0), session(3, 0)])
    write(tmp_path / "c" / "d.json", [session(2, 5)])
    return tmp_path


def in_pieces(folder: Path) -> tuple[ImportedWave, list[SessionFacts]]:
    """Derive every unit as another process would, then put everything together."""
    wave = ImportedWave(identify(folder))
    facts: dict[str, SessionFacts] = {}
    for sent in [pickle.dumps(unit) for unit in wave.units()]:
        unit: WorkUnit = pickle.loads(sent)  # noqa: S301  made one line above
        for item in unit.items():
            note = item.head if isinstance(item, ImportedSession) else item
            note = pickle.loads(pickle.dumps(note))  # noqa: S301  the same
            if wave.add(note) and isinstance(item, ImportedSession):
                own = derive_session(context_of(item.head), item.recording)
                facts[own.session_id] = own
    return wave, [wave.settled(facts[session_id]) for session_id in wave.placements()]


def test_pieces_put_together_are_the_whole(folder: Path) -> None:
    wave, facts = in_pieces(folder)
    taken = take(folder)
    assert wave.manifest() == taken.manifest
    assert wave.lost == taken.wave.lost
    assert [(one.session_id, one.run_id, one.session_index) for one in facts] == [
        (slot.session_id, slot.run_id, slot.session_index) for slot in taken.manifest.slots
    ]


def test_settled_facts_are_those_of_the_resolved_plan(folder: Path) -> None:
    _, facts = in_pieces(folder)
    taken = take(folder)
    contexts = taken.plan.contexts()
    assert facts == [
        derive_session(context, taken.recordings[context.slot.session_id]) for context in contexts
    ]


def test_the_manifest_names_the_files_and_the_importer(folder: Path) -> None:
    source = take(folder).manifest.source
    assert source is not None
    assert (source.importer, source.importer_version) == ("chat-reward", 1)
    assert [file.name for file in source.files] == ["a.json", "b.json", "c/d.json"]
    assert all(len(file.sha256) == 64 and file.bytes > 0 for file in source.files)


def test_the_id_of_the_wave_is_that_of_its_bytes(folder: Path, tmp_path: Path) -> None:
    first = take(folder).manifest.swarm_run_group_id
    assert first.startswith("import-")
    assert take(folder).manifest.swarm_run_group_id == first
    write(tmp_path / "a.json", [session(9)])
    assert take(folder).manifest.swarm_run_group_id != first


def test_a_file_twice_is_counted_once(tmp_path: Path) -> None:
    write(tmp_path / "a.json", [session(1)])
    write(tmp_path / "copy.json", [session(1)])
    taken = take(tmp_path)
    assert list(taken.recordings) == ["a.1.0"]
    assert [(e.place, e.reason) for e in taken.wave.lost if "bytes" in e.reason] == [
        ("copy.json", "the same bytes as a.json, counted once")
    ]
    assert len(taken.wave.files) == 2


def test_a_session_id_twice_is_counted_once_and_reported(tmp_path: Path) -> None:
    write(tmp_path / "a.json", results([simulation()]))
    write(tmp_path / "b.json", results([simulation(), simulation(id="other", trial=1)]))
    taken = take(tmp_path)
    assert list(taken.recordings) == ["sim-1", "other"]
    (problem,) = taken.wave.problems
    assert (problem.file, problem.rule) == ("b.json", "source-session-repeated")
    assert "already in a.json" in problem.what


def test_transcripts_are_found_again(folder: Path) -> None:
    taken = take(folder)
    for session_id, recording in reversed(taken.recordings.items()):
        assert taken.wave.transcript(session_id) == recording
    assert taken.wave.transcript("nobody") is None


def test_transcripts_of_more_files_than_are_kept_are_found_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reporter.importers.wave._KEPT_BYTES", 1)
    taken = take(folder)
    for session_id in ["a.1.0", "b.1.0", "a.1.1", "c.d.2.5", "b.3.0"]:
        assert taken.wave.transcript(session_id) == taken.recordings[session_id]
        assert len(taken.wave._read) == 1


def test_a_session_that_cannot_be_read_is_not_taken_for_one_that_was_silent(
    tmp_path: Path,
) -> None:
    broken = session(1, traj=[{"role": "user", "content": "Hi."}, 7])
    taken = take(write(tmp_path / "a.json", [broken, session(2)]))
    facts = derive_session(taken.contexts["a.1.0"], taken.recordings["a.1.0"])
    assert facts.started_by == "lost"
    assert facts.read_state is ReadState.TRANSCRIPT_MISSING
    assert facts.verdict.reason is SessionVerdictReason.GRADING_UNAVAILABLE
    assert [problem.rule for problem in facts.problems] == ["source-session-unreadable"]


@pytest.mark.parametrize(
    ("session_id", "disposition"),
    [
        ("desk_runs.7.0", Disposition.GOAL_MET_WITH_FRICTION),
        ("desk_runs.7.1", Disposition.GOAL_MISSED),
        ("desk_runs.7.2", Disposition.NOT_RUN),
        ("desk_runs.8.0", Disposition.GOAL_MISSED),
    ],
)
def test_what_the_sample_sessions_come_to(session_id: str, disposition: Disposition) -> None:
    taken = take(SAMPLES / "desk_runs.json")
    facts = derive_session(taken.contexts[session_id], taken.recordings[session_id])
    assert facts.disposition is disposition


def test_what_the_sample_simulations_come_to() -> None:
    taken = take(SAMPLES / "results.json")
    facts = {
        session_id: derive_session(taken.contexts[session_id], recording)
        for session_id, recording in taken.recordings.items()
    }
    assert [one.disposition for one in facts.values()] == [
        Disposition.GOAL_MET_WITH_FRICTION,
        Disposition.GOAL_MISSED,
        Disposition.NOT_RUN,
        Disposition.NOT_RUN,
    ]
    first = next(iter(facts.values()))
    assert first.usage is not None
    assert (first.usage.input_tokens, first.usage.output_tokens) == (230, 25)


def test_two_rules_for_one_file_stop_before_reading() -> None:
    mapping = read_mapping(SAMPLES / "map.toml")
    twice = FileMapping(rules=(*mapping.rules, mapping.rules[0]), file="map.toml")
    with pytest.raises(AmbiguousFormatError):
        ImportedWave(identify(SAMPLES / "desk_runs.json"), twice)


def test_an_unused_rule_is_a_note_of_the_wave() -> None:
    taken = take(SAMPLES / "desk_runs.json", read_mapping(SAMPLES / "map.toml"))
    assert [(p.rule, p.severity) for p in taken.wave.problems] == [("mapping-rule-unused", "note")]


def test_a_file_that_vanishes_is_a_problem_and_costs_no_other(folder: Path) -> None:
    wave = ImportedWave(identify(folder))
    (folder / "b.json").unlink()
    ids = [recording.session_id for _, recording in wave.sessions()]
    assert ids == ["a.1.0", "a.2.0", "a.1.1", "c.d.2.5"]
    assert [(p.file, p.rule) for p in wave.problems] == [("b.json", "source-unreadable")]
    assert "b.json" in [entry.place for entry in wave.lost]


def test_a_source_without_session_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "results.json", results([], tasks=[]))
    with pytest.raises(RecordingError, match="holds no session"):
        take(path)


@pytest.mark.parametrize("sample", ["desk_runs.json", "results.json", "broken"])
def test_written_down_and_read_again_it_comes_to_the_same(sample: str, tmp_path: Path) -> None:
    if sample == "broken":
        broken = session(1, traj=[{"role": "user", "content": "Hi."}, 7])
        path = write(tmp_path / "a.json", [broken, session(2)])
    else:
        path = SAMPLES / sample
    taken = take(path)
    kept = ((key, one.records) for key, one in taken.recordings.items() if one.records)
    write_wave(tmp_path / "wave", taken.manifest, kept)
    wave = open_wave(tmp_path / "wave")
    for context in wave.plan.contexts():
        session_id = context.slot.session_id
        again = derive_session(context, wave.read(session_id))
        first = derive_session(context, taken.recordings[session_id])
        assert (again.disposition, again.verdict) == (first.disposition, first.verdict)
        assert (again.started_by, again.read_state) == (first.started_by, first.read_state)
        assert (again.tool_calls, again.usage) == (first.tool_calls, first.usage)
        assert again.chain == first.chain
