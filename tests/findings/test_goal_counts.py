from collections.abc import Sequence
from typing import Any

import pytest
from finding_waves import build, facts_of, idle, plan_for

from reporter.findings.goal_counts import goal_sentences
from reporter.findings.goal_reading import read_goals
from reporter.models.facts import SessionFacts
from reporter.models.manifest import PERSONA_UNRECORDED
from reporter.vocabulary import Disposition

D = Disposition


def said(facts: Sequence[SessionFacts]) -> list[str]:
    findings = build(facts)
    goals = read_goals(findings, plan_for(facts))
    return [text for _, text in goal_sentences(goals, findings.population)]


def wave(*words: Sequence[Disposition], people: str = "AAAA", tasks: str = "1234") -> Any:
    """One run an entry, with one session a disposition."""
    facts = []
    for run, dispositions in enumerate(words):
        name = PERSONA_UNRECORDED if people[run] == "-" else people[run]
        for index, word in enumerate(dispositions):
            place: dict[str, Any] = {
                "run_id": f"r{run}",
                "persona_name": name,
                "goal_id": f"g{tasks[run]}",
                "goal_title": f"Goal {tasks[run]}",
                "session_index": index,
            }
            name_of = f"s{run}{index}"
            is_idle = word is D.NOT_RUN
            facts.append(idle(name_of, **place) if is_idle else facts_of(name_of, word, **place))
    return facts


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ([D.GOAL_MISSED], "The one goal was not met."),
        ([D.GOAL_MISSED, D.GOAL_MET], "The one goal was not met in at least one session."),
        ([D.GOAL_MET_WITH_FRICTION], "The one goal was met with friction."),
        (
            [D.GOAL_MET_WITH_FRICTION, D.GOAL_MET],
            "The one goal was met, with friction in at least one session.",
        ),
        ([D.GOAL_MET, D.GOAL_MET], "The one goal was met."),
        ([D.GOAL_MET, D.NOT_MEASURED], "The one goal was met wherever it was measured."),
        ([D.GOAL_MET, D.NOT_RUN], "The one goal was met wherever it was measured."),
        ([D.NOT_MEASURED, D.NOT_RUN], "The one goal was not measured."),
    ],
)
def test_one_goal_says_no_more_than_its_sessions(words: list[Disposition], text: str) -> None:
    assert said(wave(words)) == [text]


def test_no_goal_has_no_sentence() -> None:
    assert said([]) == []


def test_goals_that_were_tried_once_each_need_one_sentence() -> None:
    facts = wave([D.GOAL_MISSED], [D.GOAL_MET], [D.GOAL_MET], people="ABB")
    assert said(facts) == ["Of 3 goals, 1 was not met and 2 met."]


def test_the_worst_session_gives_the_word_and_the_sentences_say_so() -> None:
    facts = wave([D.GOAL_MISSED, D.GOAL_MET], [D.GOAL_MET], people="AB", tasks="11")
    assert said(facts) == [
        "The one goal was not met in at least one session.",
        "Of 2 persona and goal pairs, each by its worst known session, 1 was not met and 1 met.",
    ]


def test_goals_that_are_not_all_known_are_not_said_to_be_free() -> None:
    facts = wave([D.GOAL_MET], [D.NOT_MEASURED], [D.GOAL_MET], people="ABB", tasks="112")
    assert said(facts)[0] == "None of 2 goals is known to have been missed."
    assert said(facts[:2])[0] == "The one goal is not known to have been missed."
    assert said([facts[0], facts[2]]) == ["Of 2 goals, 2 were met."]


def test_nothing_measured_is_said_once() -> None:
    assert said(wave([D.NOT_MEASURED], [D.NOT_MEASURED], people="AB", tasks="11")) == [
        "The one goal was not measured."
    ]
    assert said(wave([D.NOT_MEASURED], [D.NOT_RUN])) == ["None of 2 goals was measured."]


def test_personas_that_were_not_recorded_are_not_counted() -> None:
    facts = wave([D.GOAL_MISSED], [D.GOAL_MET], [D.GOAL_MET], people="A--", tasks="112")
    assert said(facts) == ["1 of 2 goals was not met.", "Of 3 runs, 1 was not met and 2 met."]


def test_two_runs_of_one_pair_are_counted_as_runs() -> None:
    facts = wave([D.GOAL_MISSED], [D.GOAL_MET], people="AA", tasks="11")
    assert said(facts)[1] == "Of 2 runs, 1 was not met and 1 met."
