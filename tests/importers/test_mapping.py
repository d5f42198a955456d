from pathlib import Path

import pytest
from imported import SAMPLES, write

from reporter.errors import AmbiguousFormatError, RecordingError
from reporter.importers.mapping import (
    FileMapping,
    MappingRule,
    Stated,
    mapping_of_options,
    stated_as,
)
from reporter.importers.mapping_file import read_mapping


def mapping(tmp_path: Path, text: str) -> FileMapping:
    return read_mapping(write(tmp_path / "map.toml", text))


def test_a_file_of_rules() -> None:
    read = read_mapping(SAMPLES / "map.toml")
    stated = read.stated("desk_runs.json")
    assert stated.persona is not None
    assert (stated.persona.name, stated.target, stated.model) == (
        "Impatient reader",
        "lending desk",
        "model-agent",
    )
    assert read.stated("other.json") == Stated()


@pytest.mark.parametrize(
    ("match", "name", "fits"),
    [
        ("a.json", "a.json", True),
        ("a.json", "x/a.json", True),
        ("a.json", "b.json", False),
        ("*_airline.json", "skeptical_airline.json", True),
        ("x/*.json", "x/a.json", True),
        ("x/*.json", "y/a.json", False),
        ("x/a.json", "a.json", False),
        ("A.json", "a.json", False),
        ("run[12].json", "run2.json", True),
    ],
)
def test_patterns(match: str, name: str, fits: bool) -> None:
    assert MappingRule(match, Stated(), "files[0]").matches(name) is fits


def test_options_hold_for_every_file_and_a_rule_stands_before_them(tmp_path: Path) -> None:
    path = write(tmp_path / "map.toml", '[[files]]\nmatch = "a.json"\npersona = "Ana"\n')
    read = read_mapping(path, stated_as(persona="Everybody", target="desk"))
    first, other = read.stated("a.json"), read.stated("b.json")
    assert first.persona is not None
    assert other.persona is not None
    assert (first.persona.name, first.target) == ("Ana", "desk")
    assert (other.persona.name, other.target) == ("Everybody", "desk")
    assert mapping_of_options(model="m").stated("any").model == "m"


def test_two_rules_that_claim_one_file_are_refused_and_named(tmp_path: Path) -> None:
    text = '[[files]]\nmatch = "a*"\npersona = "A"\n\n[[files]]\nmatch = "*.json"\ntarget = "B"\n'
    read = mapping(tmp_path, text)
    with pytest.raises(AmbiguousFormatError) as caught:
        read.check(["a.json", "ab.json", "b.json"])
    assert [problem.file for problem in caught.value.problems] == ["map.toml", "map.toml"]
    message = str(caught.value)
    assert 'files[0] (match = "a*") and files[1] (match = "*.json")' in message
    assert "a.json" in message
    assert "ab.json" in message


def test_a_rule_that_fits_no_file_is_a_note() -> None:
    (note,) = read_mapping(SAMPLES / "map.toml").check(["desk_runs.json", "more.json"])
    assert (note.file, note.place, note.severity) == ("map.toml", "files[1]", "note")
    assert 'match = "archive/*.json"' in note.what
    assert "desk_runs.json, more.json" in note.remedy


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ('[[files]]\nmatch = "a"\npersna = "x"\n', "files[0].persna", "persona-notes"),
        ('[file]\nmatch = "a"\n', "file", "[[files]]"),
        ('[files]\nmatch = "a"\n', "files", "[[files]]"),
        ("files = [1]\n", "files", "[[files]]"),
        ('[[files]]\npersona = "x"\n', "files[0]", "match"),
        ('[[files]]\nmatch = "a"\npersona = 3\n', "files[0].persona", 'persona = "..."'),
        ('[[files]]\nmatch = "a"\ntarget = "  "\n', "files[0].target", "text"),
        ('[[files]]\nmatch = "a"\npersona-role = "x"\n', "files[0]", "without name"),
        ("match = \n", "", "line 1, column 9"),
    ],
)
def test_a_mapping_that_means_nothing_is_refused_with_its_place(
    tmp_path: Path, text: str, place: str, said: str
) -> None:
    with pytest.raises(RecordingError) as caught:
        mapping(tmp_path, text)
    problem = caught.value.problems[0]
    assert (problem.file, problem.place) == ("map.toml", place)
    assert said in str(problem)
    assert problem.remedy


def test_every_bad_place_is_named_at_once(tmp_path: Path) -> None:
    text = '[[files]]\npersona = 1\n\n[[files]]\nmatch = "b"\nmodl = "x"\n'
    with pytest.raises(RecordingError) as caught:
        mapping(tmp_path, text)
    assert [problem.place for problem in caught.value.problems] == [
        "files[0].persona",
        "files[0]",
        "files[1].modl",
    ]


def test_one_persona_is_described_in_one_way(tmp_path: Path) -> None:
    rules = [
        '[[files]]\nmatch = "a"\npersona = "Ana"\npersona-role = "reader"\n',
        '[[files]]\nmatch = "b"\npersona = "Ana"\n',
    ]
    with pytest.raises(RecordingError, match=r"files\[1\]: The persona \"Ana\" is described"):
        mapping(tmp_path, "\n".join(rules))


def test_a_mapping_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"map\.toml: The mapping cannot be read"):
        read_mapping(tmp_path / "map.toml")
    (tmp_path / "map.toml").write_bytes(b'a = "\xff"')
    with pytest.raises(RecordingError, match="no UTF-8"):
        read_mapping(tmp_path / "map.toml")


def test_targets_are_the_same_only_when_all_of_them_is() -> None:
    stated = Stated(target="desk", model="m")
    assert stated.target_or(None) == stated.target_or("recorded")
    others = [
        Stated(target="desk", model="n").target_or(None),
        Stated(target="desk").target_or(None),
        Stated(model="m").target_or(None),
        stated.target_or(None, temperature=1.0),
    ]
    ids = {target.target_id for target in [stated.target_or(None), *others]}
    assert len(ids) == 5
