"""A suggested map is a map: given back as it is, it states what it proposes and no more."""

import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from imported import SAMPLES, session, take, write
from shared import shared

from reporter.cli import main
from reporter.errors import AmbiguousFormatError, RecordingError
from reporter.importers.mapping import BY_MAPPING, mapping_of_options
from reporter.importers.mapping_file import read_mapping
from reporter.importers.suggest import Guess, guessed


def suggestion(source: Path) -> str:
    ran = CliRunner().invoke(main, ["import", str(source), "--suggest-map"])
    assert ran.exit_code == 0, ran.output
    return ran.output


def people_of(source: Path, text: str, folder: Path) -> dict[str, tuple[str, str]]:
    taken = take(source, read_mapping(write(folder / "map.toml", text)))
    return {
        taken.recordings[one].file: (context.persona.name, context.target.label)
        for one, context in taken.contexts.items()
    }


NOBODY, NOTHING = "no persona recorded", "no target recorded"


@pytest.mark.parametrize(
    ("names", "people"),
    [
        (
            ("keen_shelf", "keen_desk", "shy_desk", "desk_none"),
            {
                "keen_shelf.json": ("keen", "shelf"),
                "keen_desk.json": ("keen", "desk"),
                "shy_desk.json": ("shy", "desk"),
                "desk_none.json": (NOBODY, "desk"),
            },
        ),
        (
            ("desk_keen", "shelf_keen", "none_desk"),
            {
                "desk_keen.json": ("keen", "desk"),
                "shelf_keen.json": ("keen", "shelf"),
                "none_desk.json": (NOBODY, "desk"),
            },
        ),
        (("run_1", "other"), {"run_1.json": (NOBODY, NOTHING), "other.json": (NOBODY, NOTHING)}),
    ],
)
def test_parts_that_names_share_are_proposed_and_can_be_given_back(
    names: tuple[str, ...], people: dict[str, tuple[str, str]], tmp_path: Path
) -> None:
    source = tmp_path / "runs"
    for at, name in enumerate(names):
        write(source / f"{name}.json", [session(at)])
    text = suggestion(source)
    assert len(tomllib.loads(text)["files"]) == len(names)
    assert people_of(source, text, tmp_path) == people
    proposed = [line for line in text.splitlines() if line.startswith(("persona", "target"))]
    assert all(line.endswith("  # guess") for line in proposed)


def test_which_part_is_the_persona_is_said_to_be_unknown_without_a_baseline() -> None:
    guess = guessed(["keen_desk.json", "keen_shelf.json"])["keen_desk.json"]
    assert guess is not None
    assert "not to be told from names" in guess.note
    assert guessed(["a_b.json", "c_d.json"]) == {"a_b.json": None, "c_d.json": None}
    assert guessed(["desk_none.json", "x.json"])["x.json"] is None
    assert guessed(["keen_desk.json", "shy_desk.json", "none_none.json"])[
        "none_none.json"
    ] == Guess(None, None, "a baseline by its name: no persona is stated")


@pytest.mark.parametrize(
    "path",
    sorted(path for path in SAMPLES.iterdir() if path.name != "map.toml"),
    ids=lambda path: path.name,
)
def test_every_format_gets_a_map_that_changes_nothing_by_itself(path: Path, tmp_path: Path) -> None:
    text = suggestion(path)
    before = take(path)
    after = take(path, read_mapping(write(tmp_path / "map.toml", text)))
    assert after.manifest.personas == before.manifest.personas
    assert [one.label for one in after.manifest.targets] == [
        one.label for one in before.manifest.targets
    ]
    assert after.wave.problems == before.wave.problems


def test_many_files_without_a_word_in_their_names_get_a_rule_a_folder(tmp_path: Path) -> None:
    source = tmp_path / "runs"
    for at in range(45):
        write(source / f"day[{at % 2}]" / f"{at}.json", [session(at)])
    text = suggestion(source)
    assert [rule["match"] for rule in tomllib.loads(text)["files"]] == ["day[[]0]/*", "day[[]1]/*"]
    filled = text.replace('# persona = ""', 'persona = "Ana"')
    assert {name for name, _ in people_of(source, filled, tmp_path).values()} == {"Ana"}


def test_nothing_is_written_and_native_waves_need_no_map(tmp_path: Path) -> None:
    source = write(tmp_path / "a.json", [session()])
    suggestion(source)
    assert list(tmp_path.iterdir()) == [source]
    runner = CliRunner()
    missing = runner.invoke(main, ["import", str(source)])
    assert (missing.exit_code, "-o FOLDER" in missing.output) == (2, True)
    runner.invoke(main, ["import", str(source), "-o", str(tmp_path / "wave")])
    native = runner.invoke(main, ["import", str(tmp_path / "wave"), "--suggest-map"])
    assert native.exit_code == 2


def test_the_traits_get_the_map_that_their_readme_describes(tmp_path: Path) -> None:
    source = shared("recordings/tau-trait")
    people = people_of(source, suggestion(source), tmp_path)
    assert people == {
        "skeptical_airline.json": ("skeptical", "airline"),
        "impatience_airline.json": ("impatience", "airline"),
        "impatience_retail.json": ("impatience", "retail"),
        "skeptical_telecom.json": ("skeptical", "telecom"),
        "impatience_telecom.json": ("impatience", "telecom"),
        "telecom_none.json": (NOBODY, "telecom"),
        "skeptical_telehealth.json": ("skeptical", "telehealth"),
        "impatience_telehealth.json": ("impatience", "telehealth"),
        "telehealth_none.json": (NOBODY, "telehealth"),
    }


# The table, and what else a map may hold.


def test_a_table_states_a_rule_a_line(tmp_path: Path) -> None:
    table = 'file,persona,goal,target\na.json,Ana,"Borrow, then return",desk\n,,,\nb.json,,,shelf\n'
    read = read_mapping(write(tmp_path / "map.csv", table))
    first, second = read.stated("a.json"), read.stated("b.json")
    assert first.persona is not None
    assert first.goal is not None
    assert (first.persona.name, first.goal.goal, first.target) == (
        "Ana",
        "Borrow, then return",
        "desk",
    )
    assert (second.persona, second.goal, second.target) == (None, None, "shelf")
    tabs = read_mapping(write(tmp_path / "map.tsv", "match\tpersona\n*.json\tAna\n"))
    assert tabs.stated("x/y.json").persona is not None


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("persona,target\nAna,desk\n", "line 1: The first line must name the columns"),
        ("file,role\na.json,x\n", 'line 2.role: The key "role" is unknown'),
        ("file,persona\na.json,Ana,desk\n", "line 2: The line has 3 cells under 2 columns"),
        ('file,persona\na.json,"Ana\n', "The table cannot be read"),
        ("file,match,persona\na.json,a*,Ana\n", "names its files twice"),
        ("file,persona\n,Ana\n", "line 2: The rule names no file"),
    ],
)
def test_a_table_that_means_nothing_is_refused_with_its_line(
    table: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(RecordingError, match=re.escape(words)):
        read_mapping(write(tmp_path / "map.csv", table))


def test_two_rules_for_one_file_are_both_named_with_it(tmp_path: Path) -> None:
    table = "file,match,persona\na.json,,Ana\n,a*,Bo\n"
    read = read_mapping(write(tmp_path / "map.csv", table))
    with pytest.raises(AmbiguousFormatError) as error:
        read.check(["a.json", "b.json"])
    assert 'line 2 (file = "a.json") and line 3 (match = "a*")' in str(error.value)
    assert "2 rules claim the file a.json." in str(error.value)


def test_a_name_is_no_pattern(tmp_path: Path) -> None:
    read = read_mapping(
        write(tmp_path / "map.toml", '[[files]]\nfile = "a[1].json"\npersona = "A"')
    )
    assert read.stated("a[1].json").persona is not None
    assert read.stated("a1.json").persona is None
    (note,) = read.check(["b.json"])
    assert 'fits file = "a[1].json"' in note.what


def test_a_stated_goal_stands_in_place_of_the_recorded_ones_and_is_marked(tmp_path: Path) -> None:
    source = write(tmp_path / "runs.json", [session(1), session(2)])
    taken = take(source, mapping_of_options(goal="Borrow the atlas."))
    (goal,) = taken.plan.goals
    assert (goal.title, goal.goal) == ("Borrow the atlas.", "Borrow the atlas.")
    assert goal.inferred == {"title": BY_MAPPING, "goal": BY_MAPPING}
    assert {slot.session_id for slot in taken.manifest.slots} == {"runs.1.0", "runs.2.0"}
