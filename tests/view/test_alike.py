from dataclasses import replace

from builders import goal
from finding_waves import facts_of, plan_for
from hypothesis import given
from hypothesis import strategies as st
from report_waves import wave_of

from reporter.models.manifest import Goal
from reporter.view.alike import ALIKE, differs_from
from reporter.view.matrix import matrix_view
from reporter.view.outline import outline

TASK = "Your objective is to find a flag, which is a string. Task: "


def test_each_text_is_told_by_the_word_with_which_it_first_differs() -> None:
    texts = {"a": TASK + "crackme.py", "b": TASK + "crates", "c": "Return a book."}
    assert differs_from(texts) == {"a": len(TASK), "b": len(TASK)}


def test_a_text_that_says_nothing_of_its_own_has_no_place() -> None:
    assert differs_from({"a": TASK, "b": TASK, "c": f"{TASK}more"}).keys() == {"c"}


@given(st.dictionaries(st.integers(), st.text("ab ", max_size=60), max_size=8))
def test_what_stands_before_the_place_is_said_by_another_too(texts: dict[int, str]) -> None:
    named = {str(key): text for key, text in texts.items()}
    for key, place in differs_from(named).items():
        others = [text for other, text in named.items() if other != key]
        assert any(text.startswith(named[key][:place]) for text in others)
        assert any(text.startswith(named[key][:ALIKE]) for text in others)
        assert not any(text.startswith(named[key]) for text in others)


def test_goals_that_begin_alike_are_called_by_what_is_their_own() -> None:
    ends = {"g1": "crackme.py", "g2": "vault", "g3": ""}
    titles = {key: f"Task {key}: {TASK[:46]}…" for key in ends}
    goals = [
        goal(key, titles[key], goal=TASK + end) if end else goal(key, "Return a book")
        for key, end in ends.items()
    ]
    facts = [facts_of(f"s{n}", goal_id=key, run_id=key) for n, key in enumerate(ends)]
    plan = replace(plan_for(facts), goals=tuple(map(Goal.model_validate, goals)))
    laid = outline(wave_of(facts, plan))
    assert [one.short_title for one in laid.goals.values()] == [
        "Task g1: Your objective is to find a flag… crackme.py",
        "Task g2: Your objective is to find a flag… vault",
        "Return a book",
    ]
    rows = matrix_view(laid).groups[0].table.rows
    assert {row.head.name for row in rows} == {one.short_title for one in laid.goals.values()}
