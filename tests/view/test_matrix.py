from dataclasses import replace
from typing import Any

import pytest
from finding_waves import facts_of, idle, plan_for
from report_waves import wave_of

from reporter.models.facts import SessionFacts
from reporter.models.manifest import PERSONA_UNRECORDED
from reporter.view.matrix import OPEN_ROWS, OPEN_ROWS_OF_GROUP, MatrixView, matrix_view
from reporter.view.outline import outline
from reporter.vocabulary import Disposition, Lifecycle

MET, MISSED, EASED, UNKNOWN = (
    Disposition.GOAL_MET,
    Disposition.GOAL_MISSED,
    Disposition.GOAL_MET_WITH_FRICTION,
    Disposition.NOT_MEASURED,
)


def tried(
    session_id: str, persona: str, goal: str, word: Disposition = MET, **more: Any
) -> SessionFacts:
    target = more.pop("target_id", "t1")
    return facts_of(
        session_id,
        word,
        run_id=f"{persona}-{goal}",
        persona_name=persona,
        goal_id=goal,
        goal_title=f"Goal {goal}",
        target_id=target,
        **more,
    )


def matrix_of(*facts: SessionFacts) -> MatrixView:
    return matrix_view(outline(wave_of(facts, plan_for(facts))))


def words(view: MatrixView) -> list[list[str]]:
    return [
        [row.head.name, *(cell.mark.word if cell.tried else "not tried" for cell in row.cells)]
        for group in view.groups
        for row in (*group.table.rows, *group.table.folded)
    ]


def test_personas_are_columns_and_the_goal_not_met_most_often_comes_first() -> None:
    view = matrix_of(
        tried("s1", "Ana", "g1"),
        tried("s2", "Ben", "g1"),
        tried("s3", "Ana", "g2", EASED),
        tried("s4", "Ben", "g2", MISSED),
        tried("s5", "Ana", "g3", MISSED),
        tried("s6", "Ben", "g3", MISSED),
    )
    assert view.rows_are == "Goal"
    assert [head.name for head in view.groups[0].table.columns] == ["Ana", "Ben"]
    assert words(view) == [
        ["Goal g3", "Stalled", "Stalled"],
        ["Goal g2", "Uneasy", "Stalled"],
        ["Goal g1", "Relieved", "Relieved"],
    ]


def test_a_goal_that_a_persona_did_not_try_is_an_empty_cell_that_says_so() -> None:
    view = matrix_of(tried("s1", "Ana", "g1"), tried("s2", "Ben", "g2"))
    assert words(view) == [
        ["Goal g1", "Relieved", "not tried"],
        ["Goal g2", "not tried", "Relieved"],
    ]


@pytest.mark.parametrize(
    ("dispositions", "note"),
    [
        ([MISSED, MISSED], "not met for 2 of 2 personas"),
        ([MISSED, MET], "not met for 1 of 2 personas"),
        ([MET, MET], "met wherever tried"),
        ([MET, UNKNOWN], "not missed where it is known"),
        ([UNKNOWN, UNKNOWN], "outcome not known"),
        ([EASED, MET], "met wherever tried"),
    ],
)
def test_a_goal_says_for_how_many_personas_it_was_not_met(
    dispositions: list[Disposition], note: str
) -> None:
    facts = [
        tried(f"s{n}", name, "g1", word)
        for n, (name, word) in enumerate(zip("AB", dispositions, strict=True))
    ]
    assert matrix_of(*facts).groups[0].table.rows[0].head.note == note


def test_a_cell_has_a_line_a_target_and_a_mark_a_session() -> None:
    view = matrix_of(
        tried("s1", "Ana", "g1", MISSED),
        tried("s2", "Ana", "g1", MET, session_index=1),
        tried("s3", "Ana", "g1", MET, target_id="t2"),
    )
    lines = view.groups[0].table.rows[0].cells[0].lines
    assert [(line.target, [m.word for m in line.marks], line.words) for line in lines] == [
        ("Host t1", ["Stalled", "Relieved"], "Stalled 1 of 2"),
        ("Host t2", ["Relieved"], "Relieved 1 of 1"),
    ]
    assert not view.single_sessions


def test_many_sessions_of_a_target_are_a_bar() -> None:
    view = matrix_of(*(tried(f"s{n}", "Ana", "g1", session_index=n) for n in range(7)))
    line = view.groups[0].table.rows[0].cells[0].lines[0]
    assert line.marks == ()
    assert line.outcomes is not None
    assert line.outcomes.words == "7 met"


def test_many_targets_show_the_worst_and_count_the_rest() -> None:
    view = matrix_of(
        *(
            tried(f"s{n}", "Ana", "g1", MISSED if n == 5 else MET, target_id=f"t{n}")
            for n in range(6)
        )
    )
    cell = view.groups[0].table.rows[0].cells[0]
    assert [line.words for line in cell.lines] == ["Stalled 1 of 1"] + ["Relieved 1 of 1"] * 2
    assert cell.more == "and 3 more targets"


def many(goals: int, targets: int = 1, personas: int = 2) -> list[SessionFacts]:
    return [
        tried(
            f"s{goal}-{person}",
            f"P{person:02}",
            f"g{goal:03}",
            MISSED if goal % 2 else MET,
            target_id=f"t{goal % targets}",
        )
        for goal in range(goals)
        for person in range(personas)
    ]


def test_many_goals_are_grouped_by_target_with_an_overview() -> None:
    view = matrix_of(*many(60, targets=3))
    assert [group.title for group in view.groups] == ["Host t0", "Host t1", "Host t2"]
    assert view.dense
    assert [line.persona for line in view.groups[0].overview] == ["P00", "P01"]
    assert view.groups[0].overview[0].outcomes.words == "10 met, 10 not met"
    assert len(view.groups[0].table.rows) == OPEN_ROWS_OF_GROUP
    assert view.groups[0].table.folded_words == (
        "12 more goals: 2 not met at least once, 10 met wherever tried"
    )


def test_the_picture_has_one_mark_a_goal_in_the_order_of_the_table() -> None:
    (group,) = matrix_of(*many(60)).groups
    heads = [*group.table.rows, *group.table.folded]
    assert len(group.table.rows) == OPEN_ROWS
    for at, line in enumerate(group.overview):
        assert [mark.mark for mark in line.marks if mark] == [
            row.cells[at].mark.mark for row in heads
        ]
        assert line.marks_label == "60 goals: 30 not met, 30 met"


def test_a_goal_that_a_persona_did_not_try_leaves_its_place_empty() -> None:
    facts = [one for one in many(60) if one.session_id != "s7-1"]
    (group,) = matrix_of(*facts).groups
    assert [line.marks.count(None) for line in group.overview] == [0, 1]


def test_a_wave_without_personas_has_one_column_and_says_so() -> None:
    facts = [
        replace(one, persona_ref_id=None, persona_name=PERSONA_UNRECORDED)
        for one in many(60, personas=1)
    ]
    view = matrix_of(*facts)
    assert [head.name for head in view.groups[0].table.columns] == ["Outcome"]
    assert [line.persona for line in view.groups[0].overview] == ["All sessions"]
    assert "No persona was recorded" in view.caption


def test_every_goal_of_every_group_stands_somewhere() -> None:
    view = matrix_of(*many(60, targets=3))
    assert len({row[0] for row in words(view)}) == 60


def test_few_goals_are_one_group_without_an_overview() -> None:
    view = matrix_of(*many(40))
    assert len(view.groups) == 1
    assert view.groups[0].title == ""
    assert view.groups[0].overview == ()
    assert view.groups[0].table.folded == ()


def test_many_personas_turn_the_matrix() -> None:
    view = matrix_of(*many(2, personas=13))
    assert view.rows_are == "Persona"
    assert [head.name for head in view.groups[0].table.columns] == ["Goal g000", "Goal g001"]
    assert len(view.groups[0].table.rows) == 13


def test_many_on_both_sides_leaves_marks_only() -> None:
    view = matrix_of(*many(13, personas=13))
    assert view.style == "marks"
    assert view.marks_caption.startswith("One mark a cell: its worst outcome")
    assert matrix_of(*many(2, personas=2)).marks_caption == ""


def test_more_columns_than_words_have_room_in_leave_the_sessions_to_the_goal() -> None:
    assert matrix_of(*many(2, personas=6)).marks_caption == ""
    view = matrix_of(*many(2, personas=7))
    assert view.style == "full"
    assert view.marks_caption.startswith("Each cell shows its worst outcome; its sessions stand")
    turned = matrix_of(*many(7, personas=13))
    assert turned.rows_are == "Persona"
    assert turned.marks_caption.startswith("Each cell shows its worst outcome")
    assert "Goals not met" not in turned.marks_caption


def test_the_key_names_only_marks_that_occur() -> None:
    view = matrix_of(tried("s1", "Ana", "g1"), idle("s2", Lifecycle.LIMITED, session_index=1))
    assert [text for _, text in view.key] == ["met", "did not run"]


NOBODY = PERSONA_UNRECORDED


def test_a_goal_is_met_wherever_tried_only_where_every_outcome_is_known() -> None:
    # Each persona's word is that it was met; a session beside it nobody graded, or never ran.
    for other in (
        tried("s2", "Ana", "g1", UNKNOWN, session_index=1),
        idle("s2", run_id="Ana-g1", persona_name="Ana", goal_id="g1", session_index=1),
    ):
        view = matrix_of(tried("s1", "Ana", "g1"), other, tried("s3", "Ben", "g1"))
        assert view.groups[0].table.rows[0].head.note == "met wherever it is known"
    whole = matrix_of(tried("s1", "Ana", "g1"), tried("s2", "Ana", "g1"), tried("s3", "Ben", "g1"))
    assert whole.groups[0].table.rows[0].head.note == "met wherever tried"


def test_sessions_of_nobody_are_counted_as_sessions_and_never_as_a_persona() -> None:
    view = matrix_of(tried("s1", "Ana", "g1"), tried("s2", NOBODY, "g1", MISSED))
    assert view.groups[0].table.rows[0].head.note == "not met in 1 of 2 sessions"
    met = matrix_of(tried("s1", "Ana", "g1"), tried("s2", NOBODY, "g1", MET))
    assert met.groups[0].table.rows[0].head.note == "met wherever tried"


def test_a_cell_of_two_targets_is_not_called_one_session() -> None:
    one = matrix_of(tried("s1", "Ana", "g1"), tried("s2", "Ana", "g2", target_id="t2"))
    assert one.caption.startswith("Each cell is one session.")
    two = matrix_of(tried("s1", "Ana", "g1"), tried("s2", "Ana", "g1", target_id="t2"))
    assert two.caption.startswith("Each line of a cell is one session, and each cell is named")
    several = matrix_of(tried("s1", "Ana", "g1"), tried("s2", "Ana", "g1", session_index=1))
    assert several.caption.startswith("Each mark is one session, and each cell is named")


def test_what_did_not_run_is_told_from_what_ran_and_was_not_graded() -> None:
    facts = [tried(f"s{n:02}", "Ana", f"g{n:02}") for n in range(40)]
    facts.append(tried("s90", "Ana", "g90", UNKNOWN))
    facts.append(idle("s91", run_id="Ana-g91", persona_name="Ana", goal_id="g91"))
    facts += [
        tried("s92", "Ana", "g92", MET),
        tried("s93", "Ana", "g92", UNKNOWN, session_index=1),
    ]
    (group,) = matrix_of(*facts).groups
    assert group.overview[0].marks_label == "43 goals: 41 met, 1 not measured, 1 not run"
    # Sorted to the front, so that no goal of which a part is unknown passes for a met one.
    unknown = [row.head.name for row in group.table.rows][:3]
    assert unknown == ["Goal g90", "Borrow a book", "Goal g92"]


def test_what_comes_first_is_said_by_what_it_is_ordered_by() -> None:
    two = [tried("s1", "Ana", "g1", MISSED), tried("s2", "Ben", "g1", MISSED, session_index=1)]
    assert matrix_of(*two).caption.endswith("Goals not met for most personas come first.")
    assert matrix_of(two[0]).caption.endswith("Goals not met come first.")


def test_goals_that_fold_are_counted_by_what_is_known_of_them() -> None:
    facts = [tried(f"s{n:02}", "Ana", f"g{n:02}", MISSED) for n in range(30)]
    facts += [tried(f"t{n:02}", "Ana", f"h{n:02}") for n in range(10)]
    facts.append(tried("u1", "Ana", "u1", UNKNOWN))
    facts.append(tried("v1", "Ana", "v1", Disposition.NOT_RUN, started=False))
    facts += [tried("u2", "Ana", "u2"), tried("u3", "Ana", "u2", UNKNOWN, session_index=1)]
    (group,) = matrix_of(*facts).groups
    # The marks above the table say `not run` of the same goal, and so does this line.
    assert "1 not measured, 1 not run" in group.overview[0].marks_label
    assert group.table.folded_words == (
        "31 more goals: 18 not met at least once, 1 not known, 1 not run, 1 not fully known, "
        "10 met wherever tried"
    )


def test_hundreds_of_personas_begin_with_those_that_missed_goals_and_fold_the_rest() -> None:
    facts = [
        tried(f"s{at}", f"Persona {at:03}", "g1", MISSED if at == 77 else MET) for at in range(90)
    ]
    view = matrix_of(*facts)
    (group,) = view.groups
    assert view.rows_are == "Persona"
    assert len(group.table.rows) == OPEN_ROWS
    assert group.table.rows[0].head.name == "Persona 077"
    assert len(group.table.folded) == 90 - OPEN_ROWS
    assert group.table.folded_words == "78 more personas: 78 met wherever tried"
