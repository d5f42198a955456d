"""No two things of a wave are called alike on the page, and none by nothing."""

from typing import Any

import pytest
from builders import Json, goal, manifest, persona, run, slot, target
from hypothesis import given
from hypothesis import strategies as st
from report_waves import derived_from, report_of
from waves import session_lines, write_folder

from reporter.view.apart import says_nothing, told_apart
from reporter.view.report import ReportView

LONG = "You are Mei Kossi in 19122 and you received an order with two kettles that you wish to "
BLANK = ["", " ", "\u3164", "\u00ad", "\u2800 \u2800", "\u0301", "\u200b\u2060"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ([("a", ["1"]), ("b", ["2"])], ["a", "b"]),
        ([("a", ["1"]), ("b", ["2"]), ("a", ["3"])], ["a (1)", "b", "a (3)"]),
        ([("a", ["m", "1"]), ("a", ["m", "2"]), ("a", ["n"])], ["a (m, 1)", "a (m, 2)", "a (n)"]),
        ([("a", []), ("a", [])], ["a", "a (2)"]),
        ([("a", []), ("a", []), ("a (2)", [])], ["a", "a (3)", "a (2)"]),
        ([("", ["1"]), ("b", ["2"])], ["none (1)", "b"]),
        ([("", []), ("\u3164", [])], ["none", "none (2)"]),
        ([("a", [""]), ("a", ["\u3164"])], ["a", "a (2)"]),
    ],
)
def test_names_are_told_apart_by_what_is_plainest(
    names: list[tuple[str, list[str]]], said: list[str]
) -> None:
    assert told_apart(names, "none") == said


@given(
    st.lists(
        st.tuples(st.sampled_from(["", "a", "a (1)", "a (2)"]), st.lists(st.sampled_from("12")))
    )
)
def test_no_two_are_ever_called_alike(names: list[tuple[str, list[str]]]) -> None:
    found = told_apart(names, "none")
    assert len(set(found)) == len(found) == len(names)
    assert not [one for one in found if says_nothing(one)]


@pytest.mark.parametrize("text", BLANK)
def test_a_text_in_which_nothing_is_drawn_says_nothing(text: str) -> None:
    assert says_nothing(text)
    assert not says_nothing(f"{text}a")


def report(tmp_path: Any, **parts: Any) -> ReportView:
    whole: Json = manifest(**parts)
    sessions = {one["sessionId"]: session_lines() for one in whole["slots"]}
    return report_of(derived_from(write_folder(tmp_path / "wave", whole, sessions))[0])


def two_goals(*titles: str) -> dict[str, list[Json]]:
    ids = [f"g{at}" for at in range(len(titles))]
    return {
        "goals": [goal(one, title) for one, title in zip(ids, titles, strict=True)],
        "runs": [run(f"r{one}", one, sessionsPerTarget=2) for one in ids],
        "slots": [slot(f"s-{one}-{at}", f"r{one}", index=at) for one in ids for at in range(2)],
    }


@pytest.mark.parametrize(
    "titles", [("Borrow", "Borrow"), (f"{LONG}swap", f"{LONG}return"), ("", ""), ("", "\u3164")]
)
def test_goals_of_one_title_stay_two_goals(titles: tuple[str, str], tmp_path: Any) -> None:
    view = report(tmp_path, **two_goals(*titles))
    offered = [label for _, label in view.sessions.filters.table["goal"]]
    ends = ["swap", "turn"] if titles[0].endswith("swap") else ["(g0)", "(g1)"]
    assert [label[-4:] for label in offered] == ends
    assert len({group.title for group in view.sessions.groups}) == 2
    assert [len(group.facts) for group in view.sessions.groups] == [2, 2]
    assert len({row.goal for group in view.sessions.groups for row in group.rows}) == 2
    heads = [head for group in view.matrix.groups for head in group.table.columns]
    heads += [row.head for group in view.matrix.groups for row in group.table.rows]
    assert len({head.name for head in heads if head.href.startswith("#goal.")}) == 2


def test_a_long_title_is_whole_where_it_has_room(tmp_path: Any) -> None:
    view = report(tmp_path, **two_goals(f"{LONG}swap", f"{LONG}return"))
    assert [one.title for one in view.outline.goals.values()] == [f"{LONG}swap", f"{LONG}return"]


def test_targets_of_one_label_and_model_are_told_apart_by_their_ids(tmp_path: Any) -> None:
    view = report(
        tmp_path,
        targets=[target("t1", "Desk"), target("t2", "Desk"), target("t3", "Desk", modelId=None)],
        runs=[run(target_ids=["t1", "t2", "t3"])],
        slots=[slot(f"s{one}", target_id=one) for one in ("t1", "t2", "t3")],
    )
    labels = [one.label for one in view.outline.targets.values()]
    assert labels == [
        "Desk (model-one, host-t1)",
        "Desk (model-one, host-t2)",
        "Desk (no model recorded)",
    ]
    assert len({(one.plain, one.model) for one in view.outline.targets.values()}) == 3


def test_what_has_no_name_is_called_by_its_id(tmp_path: Any) -> None:
    view = report(
        tmp_path,
        personas=[persona(" ", "p1")],
        goals=[goal("g1", "\n")],
        targets=[target("t1", "\u3164")],
        runs=[run(personaRefId="p1", persona_name=" ")],
    )
    assert [one.name for one in view.outline.personas.values()] == ["no name recorded (p1)"]
    assert [one.title for one in view.outline.goals.values()] == ["no title recorded (g1)"]
    assert [one.label for one in view.outline.targets.values()] == ["no label recorded (model-one)"]
