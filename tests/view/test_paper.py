from dataclasses import replace
from typing import Any

import pytest
from builders import assistant, call, result, user
from finding_waves import chain, facts_of, idle, signals
from report_waves import published, report_of, transcripts_of, wave_of

from reporter.models.facts import CallFact, SessionFacts
from reporter.view import paper as bounds
from reporter.view.beside import NO_PAGE, page_beside
from reporter.view.embed import embed_plan
from reporter.view.paper import PaperView, paper_view
from reporter.view.paper_first import _wrapped, first_page
from reporter.view.paper_turns import CITED_ROWS, CITED_SESSIONS, paper_turns
from reporter.view.report import ReportView
from reporter.vocabulary import Disposition, Lifecycle, Signal, Stage

WORDS = [
    Disposition.BLOCKED_BY_RESPONSE,
    Disposition.GOAL_MET,
    Disposition.GOAL_MET_WITH_FRICTION,
    Disposition.NOT_MEASURED,
]


def many(goals: int, personas: int = 1, targets: int = 1) -> list[SessionFacts]:
    """One session for each persona, goal and target, of every tone in turn."""
    return [
        facts_of(
            f"s{goal}-{person}-{target}",
            WORDS[(goal + person) % len(WORDS)],
            run_id=f"r{goal}-{person}",
            goal_id=f"g{goal}",
            goal_title=f"Goal number {goal}",
            persona_name=f"Persona {person}",
            target_id=f"t{target}",
            chain=chain(Stage.RESPONSE, [Stage.CONNECTION]),
        )
        for goal in range(goals)
        for person in range(personas)
        for target in range(targets)
    ]


def paper_of(facts: list[SessionFacts], **more: Any) -> PaperView:
    return paper_view(report_of(wave_of(facts)), **more)


def test_a_small_wave_is_printed_whole() -> None:
    paper = paper_of(many(3, 2))
    assert [len(goal.runs) for goal in paper.goals.whole] == [2, 2, 2]
    assert paper.goals.lines == ()
    assert paper.sessions is not None
    assert sum(len(group.rows) for group in paper.sessions.groups) == 6
    assert [len(table.rows) for group in paper.matrix for table in group.tables] == [3]
    assert paper.left_out == (
        "No turns are appended to this file; they are in the HTML report.",
        "Transcripts, with arguments and results, are in the HTML report.",
    )


def test_a_paper_alone_speaks_of_no_page_that_was_not_written() -> None:
    said = paper_of(many(150), beside=NO_PAGE).left_out
    assert len(said) > 3
    assert not [one for one in said if "the HTML report" in one or "The HTML report" in one]
    assert all(
        "an HTML report of the same recording" in one.lower().replace("html", "HTML")
        for one in said[:-1]
    )
    assert said[-1] == "No HTML report was written with this file; --format html writes one."


def test_what_the_page_has_no_room_for_is_not_said_to_be_there() -> None:
    plan = embed_plan([facts_of("s1", bytes=10), facts_of("s2", bytes=99_999)], frozenset(), 5_000)
    assert page_beside(plan).transcripts == (
        "Transcripts, with arguments and results, are in the HTML report, but for 1 of 2"
        " transcripts that it has no room for and the recording has."
    )


def test_a_large_wave_keeps_its_bounds_and_accounts_for_every_run() -> None:
    paper = paper_of(many(150, 2, 2))
    whole = [run for goal in paper.goals.whole for run in goal.runs]
    lines = [run for goal in paper.goals.whole for run in goal.lines]
    lines += [line.run for part in paper.goals.lines for line in part]
    assert len(whole) == bounds.RUNS_WHOLE
    assert len(lines) == bounds.RUNS_IN_LINES
    assert f"{300 - len(whole) - len(lines)} more runs" in paper.goals.more
    assert len({run.anchor for run in [*whole, *lines]}) == len(whole) + len(lines)
    assert paper.sessions is not None
    listed = [row for group in paper.sessions.groups for row in group.rows]
    assert len(listed) == bounds.SESSIONS_LISTED
    assert {row.mark.word for row in listed} == {Disposition.BLOCKED_BY_RESPONSE.label}
    rows = sum(len(table.rows) for group in paper.matrix for table in group.tables)
    assert rows <= bounds.MATRIX_ROWS
    assert [group.more != "" for group in paper.matrix] == [True, True]


def test_what_is_left_out_is_said_with_where_it_is() -> None:
    said = paper_of(many(150, 2, 2)).left_out
    assert len(said) == 5
    assert f"{bounds.RUNS_WHOLE} runs stand with their chain" in said[0]
    assert said[2].startswith(f"{bounds.SESSIONS_LISTED} of 600 planned sessions are listed")
    assert all("HTML report" in sentence for sentence in said)


def test_rows_of_the_matrix_that_are_not_printed_are_all_counted_by_how_they_came_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounds, "MATRIX_ROWS", 4)
    (group,) = paper_of(many(2, 13)).matrix
    # Personas are the rows here, and what stands beside their names is their role.
    assert group.more == "9 more personas not printed here: 6 Uneasy, 3 Frustrated."
    goals = [
        *(f for f in many(10, 8) if int(f.goal_id[1:]) < int(f.persona_name.split()[-1]) + 3),
    ]
    (group,) = paper_of(goals).matrix
    counted = [int(part.split()[0]) for part in group.more.partition(": ")[2].split(", ")]
    assert sum(counted) == int(group.more.split()[0]) == 6


def test_a_goal_with_more_runs_than_are_drawn_prints_the_rest_in_lines() -> None:
    paper = paper_of(many(1, bounds.RUNS_WHOLE + 5))
    assert len(paper.goals.whole[0].runs) == bounds.RUNS_WHOLE
    assert len(paper.goals.whole[0].lines) == 5


@pytest.mark.parametrize(
    ("goals", "personas", "widths"),
    [(2, 3, [3]), (2, 5, [5]), (2, 6, [3, 3]), (2, 12, [4, 4, 4]), (15, 15, [8, 7])],
)
def test_a_wide_matrix_is_split_into_tables_that_a_page_can_hold(
    goals: int, personas: int, widths: list[int]
) -> None:
    paper = paper_of(many(goals, personas))
    tables = paper.matrix[0].tables
    assert [len(table.columns) for table in tables] == widths
    assert all(len(row.cells) == len(table.columns) for table in tables for row in table.rows)
    assert [bool(table.part) for table in tables] == [len(widths) > 1] * len(widths)


def test_a_title_too_long_for_a_heading_stands_whole_beneath_it() -> None:
    title = "Borrow " + "a very long book " * 20
    (goal,) = paper_of([facts_of("s1", Disposition.GOAL_MET, goal_title=title)]).goals.whole
    assert len(goal.heading) < bounds.SHOWN_WHOLE
    assert goal.whole_title == title.strip()


def test_the_contents_name_what_is_there() -> None:
    lines = paper_of(many(2)).contents
    assert [line.title for line in lines if line.level == 2] == ["Goal number 0", "Goal number 1"]
    assert "turns" not in [line.anchor for line in lines]
    alone = paper_view(report_of(published(wave_of(many(2)).findings)))
    assert "sessions" not in [line.anchor for line in alone.contents]
    assert alone.sessions is None


def with_kind(report: ReportView, **more: Any) -> ReportView:
    return replace(report, summary=replace(report.summary, **more))


def test_the_first_page_shows_as_much_of_the_matrix_as_fits() -> None:
    report = report_of(wave_of(many(12, 3)))
    roomy = first_page(report, "a4")
    assert roomy.table is not None
    assert 4 <= len(roomy.table.rows) < 12
    assert f"{12 - len(roomy.table.rows)} more goals in the whole matrix." == roomy.more
    narrow = first_page(report, "letter")
    assert narrow.table is not None
    assert len(narrow.table.rows) < len(roomy.table.rows)
    crowded = first_page(with_kind(report, goals="word " * 400), "a4")
    assert crowded.table is None or len(crowded.table.rows) < len(roomy.table.rows)
    full = first_page(with_kind(report, goals="word " * 2_000), "a4")
    assert full.table is None
    assert full.full
    assert not roomy.full


def test_where_goals_are_many_the_first_page_shows_personas_with_their_outcomes() -> None:
    first = first_page(report_of(wave_of(many(50, 2, 2))), "a4")
    assert first.table is None
    assert [len(group.overview) for group in first.groups] == [2, 2]


def test_many_goals_on_one_target_show_both() -> None:
    first = first_page(report_of(wave_of(many(50, 2))), "a4")
    assert [len(group.overview) for group in first.groups] == [2]
    assert first.table is not None
    assert f"{50 - len(first.table.rows)} more goals in the whole matrix." == first.more


def erring(number: int, **more: Any) -> SessionFacts:
    return facts_of(
        f"s{number:03d}",
        Disposition.BLOCKED_BY_RESPONSE,
        run_id=f"r{number}",
        goal_id=f"g{number}",
        chain=chain(Stage.RESPONSE, [Stage.CONNECTION]),
        tool_calls=(CallFact("c1", "pay_fine", 0, error="isError", error_text="No."),),
        **signals(Signal.TOOL_ERRORED),
        **more,
    )


ERRING = (
    user("First."),
    assistant("Second."),
    assistant("Third.", turn=0),
    call("c1", "pay_fine", args={"amount": 5}),
    result("c1", "No.", isError=True),
    assistant("After."),
    assistant("Later."),
)


def test_a_cited_turn_stands_with_its_neighbours_only() -> None:
    report = report_of(wave_of([erring(1)]))
    (session,) = paper_turns(report, "cited", transcripts_of({"s001": ERRING})).sessions
    assert [(turn.who, turn.text) for turn in session.turns] == [
        ("Assistant", "Third."),
        ("Call", 'pay_fine {"amount": 5}'),
        ("Error", "No."),
        ("Assistant", "After."),
    ]
    assert [bool(turn.cites) for turn in session.turns] == [False, False, True, False]
    assert [turn.gap for turn in session.turns] == [True, False, False, False]


def test_whole_sessions_hold_every_turn() -> None:
    report = report_of(wave_of([erring(1), facts_of("s9", Disposition.GOAL_MET, run_id="r9")]))
    read = transcripts_of({"s001": ERRING, "s9": (user("Hello."), assistant("Done."))})
    failed = paper_turns(report, "failed", read)
    assert [session.anchor for session in failed.sessions] == ["session.s001"]
    assert [turn.text for turn in failed.sessions[0].turns][0::6] == ["First.", "Later."]
    assert failed.lead == "Every recorded turn of 1 session whose goal was not met."
    assert len(paper_turns(report, "all", read).sessions) == 2


def test_many_cited_sessions_are_cut_and_counted() -> None:
    facts = [erring(number) for number in range(90)]
    read = transcripts_of({fact.session_id: ERRING for fact in facts})
    turns = paper_turns(report_of(wave_of(facts)), "cited", read)
    assert len(turns.sessions) <= CITED_SESSIONS
    assert sum(len(session.turns) for session in turns.sessions) < CITED_ROWS + 10
    assert turns.left_out.startswith(f"Turns of {len(turns.sessions)} of 90 cited sessions")


def test_a_long_turn_is_cut_and_says_by_how_much() -> None:
    long = (
        user("First."),
        call("c1", "pay_fine", args={"note": "x" * 900}),
        result("c1", "y" * 5_000, isError=True),
    )
    (session,) = paper_turns(
        report_of(wave_of([erring(1)])), "cited", transcripts_of({"s001": long})
    ).sessions
    notes = {turn.who: turn.note for turn in session.turns}
    assert notes["Call"].endswith("characters left out")
    assert notes["Error"] == "3,800 characters left out"
    assert all(len(turn.text) <= 1_300 for turn in session.turns)


def test_a_turn_of_many_short_lines_is_cut_after_as_many_as_its_bound_fills() -> None:
    lines = "\n".join(f"key {number}" for number in range(150))
    talk = (user("First."), call("c1", "pay_fine"), result("c1", lines, isError=True))
    (session,) = paper_turns(
        report_of(wave_of([erring(1)])), "cited", transcripts_of({"s001": talk})
    ).sessions
    error = next(turn for turn in session.turns if turn.who == "Error")
    shown = lines.split("\n")[:30]
    assert error.text == "\n".join(shown)
    assert error.note == f"{len(lines) - len(error.text):,} characters left out"
    assert [turn.is_tall for turn in session.turns] == [turn is error for turn in session.turns]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", 1),
        ("one two", 1),
        ("one two three", 2),
        ("one three_two_one", 3),
        ("x" * 20, 2),
        ("x" * 21, 3),
    ],
)
def test_words_stay_whole_where_lines_are_counted(text: str, lines: int) -> None:
    assert _wrapped(text, 10) == lines


@pytest.mark.parametrize("evidence", ["cited", "failed", "all", "none"])
def test_without_a_recording_no_turn_is_promised(evidence: Any) -> None:
    alone = report_of(published(wave_of(many(2)).findings))
    assert paper_turns(alone, evidence, None).sessions == ()
    assert paper_turns(alone, evidence, None).left_out == ""


def test_a_session_that_never_ran_has_no_turns() -> None:
    report = report_of(wave_of([idle("s1", Lifecycle.LIMITED)]))
    assert paper_turns(report, "all", transcripts_of({})).sessions == ()
