"""What may be given as a source, and how the files behind it are named."""

import json
from pathlib import Path

import pytest
from imported import results, session, simulation, take, write

from reporter.errors import AmbiguousFormatError, RecordingError, UnknownFormatError
from reporter.importers.identify import identify
from reporter.importers.inputs import find_inputs, is_pattern
from reporter.pipeline.check import check_source
from reporter.pipeline.import_ import import_source
from reporter.pipeline.options import Options
from reporter.pipeline.source import ForeignSource, open_source


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    root = tmp_path / "runs"
    write(root / "a" / "x.json", [session(1)])
    write(root / "b" / "x.json", [session(2)])
    write(root / "b" / "deep" / "y.json", [session(3)])
    write(root / "z.json", [session(4)])
    write(root / "README.md", "words")
    write(root / ".hidden" / "h.json", [session(5)])
    return root


def names(*paths: Path) -> list[str]:
    return [file.name for file in find_inputs(paths).files]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("**/*.json", ["a/x.json", "b/deep/y.json", "b/x.json", "z.json"]),
        ("*.json", ["z.json"]),
        ("*/x.json", ["a/x.json", "b/x.json"]),
        ("**/x.json", ["a/x.json", "b/x.json"]),
        ("[ab]/?.json", ["a/x.json", "b/x.json"]),
        ("[!a]/*.json", ["b/x.json"]),
        ("b/**", ["deep/y.json", "x.json"]),
        # A folder that fits stands for the files in it.
        ("b*", ["b/deep/y.json", "b/x.json"]),
        ("**/[xy].json", ["a/x.json", "b/deep/y.json", "b/x.json"]),
    ],
)
def test_a_pattern_names_files_from_the_folder_that_it_begins_at(
    runs: Path, pattern: str, expected: list[str]
) -> None:
    assert names(runs / pattern) == expected


def test_a_pattern_that_fits_nothing_says_so(runs: Path) -> None:
    with pytest.raises(RecordingError, match=r"n\*pe.json: The pattern fits no file"):
        find_inputs([runs / "n*pe.json"])
    with pytest.raises(RecordingError, match="fits no file"):
        find_inputs([runs / "nowhere" / "*.json"])


def test_a_name_that_looks_like_a_pattern_is_a_name_first(tmp_path: Path) -> None:
    path = write(tmp_path / "run[1].json", [session(1)])
    assert not is_pattern(path)
    assert names(path) == ["run[1].json"]


def test_one_path_is_named_as_ever(runs: Path) -> None:
    assert names(runs / "z.json") == ["z.json"]
    assert names(runs) == ["a/x.json", "b/deep/y.json", "b/x.json", "z.json"]


def test_several_paths_are_told_apart_by_as_little_as_does_it(runs: Path, tmp_path: Path) -> None:
    assert names(runs / "a" / "x.json", runs / "z.json") == ["x.json", "z.json"]
    # Only those that would have one name get more.
    both = names(runs / "a" / "x.json", runs / "b" / "x.json", runs / "z.json")
    assert both == ["a/x.json", "b/x.json", "z.json"]
    assert names(runs / "a", runs / "b") == ["a/x.json", "b/deep/y.json", "b/x.json"]
    other = write(tmp_path / "other" / "a" / "x.json", [session(9)]).parent
    assert names(runs / "a", other) == ["other/a/x.json", "runs/a/x.json"]
    assert names(runs / "*.json", runs / "a") == ["a/x.json", "runs/z.json"]
    found = find_inputs([runs / "a", other])
    assert str(tmp_path) not in str([file.name for file in found.files])
    assert [file.prefix for file in found.files] == ["other.a.x", "runs.a.x"]


def test_relative_paths_are_named_like_others(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(runs / "a")
    assert names(Path("x.json"), Path("../b/x.json")) == ["a/x.json", "b/x.json"]
    assert names(Path(), Path("../b")) == ["a/x.json", "b/deep/y.json", "b/x.json"]


def test_what_is_given_twice_is_read_once(runs: Path) -> None:
    found = find_inputs([runs / "z.json", runs])
    assert [file.name for file in found.files] == [
        "runs/a/x.json",
        "runs/b/deep/y.json",
        "runs/b/x.json",
        "z.json",
    ]
    assert [(lost.place, lost.reason) for lost in found.lost] == [
        ("runs/z.json", "given twice, read as z.json")
    ]


def test_a_link_that_a_pattern_fits_is_a_loss(runs: Path) -> None:
    (runs / "link.json").symlink_to(runs / "z.json")
    found = find_inputs([runs / "*.json"])
    assert [file.name for file in found.files] == ["z.json"]
    assert [lost.place for lost in found.lost] == ["link.json"]


def test_several_paths_are_one_wave(runs: Path) -> None:
    paths = [runs / "a", runs / "b", runs / "z.json"]
    source = open_source(paths, Options(jobs=1))
    assert source.name == "a, b, z.json"
    assert isinstance(source, ForeignSource)
    gathered = source.gather()
    assert [facts.session_id for facts in gathered.facts] == [
        "a.x.1.0",
        "b.deep.y.3.0",
        "b.x.2.0",
        "z.4.0",
    ]
    assert [file.name for file in gathered.files] == [
        "a/x.json",
        "b/deep/y.json",
        "b/x.json",
        "z.json",
    ]
    assert check_source(paths) == []


def test_several_paths_can_be_imported(runs: Path, tmp_path: Path) -> None:
    imported = import_source([runs / "a", runs / "z.json"], tmp_path / "wave", Options())
    assert (imported.files, imported.sessions) == (2, 2)


def test_more_paths_than_are_named_are_counted(runs: Path) -> None:
    paths = [runs / "a", runs / "b" / "x.json", runs / "b" / "deep", runs / "z.json"]
    assert find_inputs(paths).name == "a, x.json, deep and 1 more"


def test_several_formats_are_refused_by_their_names(runs: Path, tmp_path: Path) -> None:
    other = write(tmp_path / "results.json", results([simulation()]))
    with pytest.raises(AmbiguousFormatError, match=r"z.json, results.json: Its files are of"):
        identify([runs / "z.json", other])


def test_of_several_paths_none_may_be_a_source_of_its_own(runs: Path, tmp_path: Path) -> None:
    document = write(tmp_path / "findings.json", {"contractVersion": 1, "population": {}})
    wave = tmp_path / "wave"
    import_source(runs, wave, Options())
    with pytest.raises(RecordingError) as caught:
        open_source([runs, wave, document], Options())
    assert [(one.file, one.rule) for one in caught.value.problems] == [
        ("wave", "not-alone"),
        ("findings.json", "not-alone"),
    ]


def test_paths_behind_which_nothing_is_known_are_all_named(tmp_path: Path) -> None:
    first = write(tmp_path / "a.json", {"a": 1})
    second = write(tmp_path / "b.json", json.dumps([1]))
    with pytest.raises(UnknownFormatError, match=r"knows any of its files \(a.json, b.json\)"):
        identify([first, second])


def test_an_unreadable_file_is_a_problem_and_costs_no_other(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reporter.importers.source import LocalFile  # noqa: PLC0415  its door is shut

    def head(file: LocalFile) -> bytes:
        if file.name == "z.json":
            raise PermissionError(13, "Permission denied")
        return file.read()

    monkeypatch.setattr(LocalFile, "head", head)
    taken = take(runs)
    assert len(taken.recordings) == 3
    assert [(one.file, one.rule) for one in taken.wave.problems] == [
        ("z.json", "source-unreadable")
    ]
