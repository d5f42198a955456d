import json
import tempfile
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

import pytest
from builders import Json
from hypothesis import given, settings
from hypothesis import strategies as st
from random_waves import random_wave
from second_opinion import compared, differences, opinions
from shared import ROOT, shared
from waves import write_folder

from reporter.derive.facts_json import facts_line
from reporter.derive.options import DeriveOptions
from reporter.derive.session import derive_session
from reporter.pipeline.import_ import import_source
from reporter.pipeline.options import Options
from reporter.recording.reader import open_wave
from reporter.vocabulary import Disposition, Lifecycle, Signal, Verdict


def all_facts(path: Path) -> list[Json]:
    """What the package derives of every slot."""
    wave = open_wave(path)
    return [
        json.loads(facts_line(derive_session(one, wave.read(one.slot.session_id), DeriveOptions())))
        for one in wave.plan.contexts()
    ]


def disagreements(folder: Path) -> tuple[list[str], Counter[str]]:
    """Where the two differ over a wave, and how often each word was given."""
    theirs = all_facts(folder)
    mine = opinions(folder)
    assert [one["sessionId"] for one in mine] == [one["sessionId"] for one in theirs]
    found: list[str] = []
    for own, facts in zip(mine, theirs, strict=True):
        found += differences(own, compared(facts))
    return found, Counter(one["disposition"] for one in mine)


def test_the_example_wave_is_seen_alike() -> None:
    found, words = disagreements(ROOT / "examples" / "lending-desk" / "wave")
    assert found == []
    assert len(words) == 9


@pytest.mark.parametrize(
    ("source", "sessions"), [("tau-trait", 354), ("tau-bench", 200), ("tau2-bench-runs", 16)]
)
def test_real_recordings_are_seen_alike(source: str, sessions: int, tmp_path: Path) -> None:
    import_source(shared("recordings", source), tmp_path / "wave", Options())
    found, words = disagreements(tmp_path / "wave")
    assert found == []
    assert words.total() == sessions
    assert len(words) > 1


def as_one_file(folder: Path, path: Path) -> Path:
    """The same wave in the other form; sessions without a line cannot be told from none."""
    whole = json.loads((folder / "wave.json").read_bytes())
    lines = [json.dumps({"type": "wave", **whole}).encode() + b"\n"]
    for file in sorted((folder / "sessions").iterdir()):
        name = unquote(file.stem)
        for line in file.read_bytes().splitlines(keepends=True):
            try:
                record = json.loads(line)
            except ValueError:
                lines.append(line)
            else:
                lines.append(json.dumps({**record, "sessionId": name}).encode() + b"\n")
    path.write_bytes(b"".join(lines))
    return path


@settings(max_examples=150, deadline=None)
@given(st.integers(min_value=0, max_value=2**32))
def test_random_waves_are_seen_alike(seed: int) -> None:
    whole, files = random_wave(seed)
    with tempfile.TemporaryDirectory() as place:
        found, _ = disagreements(write_folder(Path(place) / "wave", whole, files))
    assert found == []


@settings(max_examples=50, deadline=None)
@given(st.integers(min_value=0, max_value=2**32))
def test_both_forms_of_a_wave_say_the_same(seed: int) -> None:
    whole, files = random_wave(seed)
    spoken = {name: data for name, data in files.items() if data}
    with tempfile.TemporaryDirectory() as place:
        folder = write_folder(Path(place) / "wave", whole, spoken)
        single = as_one_file(folder, Path(place) / "wave.jsonl")
        assert all_facts(single) == all_facts(folder)


def test_random_waves_hold_every_word(tmp_path: Path) -> None:
    words: Counter[str] = Counter()
    for seed in range(60):
        whole, files = random_wave(seed)
        for one in opinions(write_folder(tmp_path / f"wave-{seed}", whole, files)):
            words.update(one["signals"])
            words.update([one["disposition"], one["lifecycle"], one["verdict"]["verdict"]])
    kinds = (Disposition, Signal, Verdict, Lifecycle)
    assert [word for kind in kinds for word in kind if not words[word]] == []


def test_a_difference_is_found(tmp_path: Path) -> None:
    whole, files = random_wave(0)
    mine = opinions(write_folder(tmp_path / "wave", whole, files))[0]
    assert list(differences(mine, mine)) == []
    theirs = {**mine, "disposition": None, "turnsUsed": -1}
    assert len(list(differences(mine, theirs))) == 2
