from collections.abc import Sequence

import pytest
from finding_waves import build, chain, facts_of, idle
from hypothesis import given
from hypothesis import strategies as st
from report_waves import report_of, wave_of

from reporter.models.chain import Chain, StageRow
from reporter.models.facts import SessionFacts
from reporter.view.chain import FULL, ChainView, chain_view, mini_chain, published_chain
from reporter.vocabulary import (
    Disposition,
    SessionVerdictReason,
    Stage,
    StageReason,
    StageState,
    Tone,
)

P, F, R, U, A = (
    StageState.PASSED,
    StageState.FAILED,
    StageState.NOT_REACHED,
    StageState.NOT_MEASURED,
    StageState.NOT_APPLICABLE,
)
WELL = (P, P, P, P, P, P)


def states(*row: StageState, reason: StageReason | None = None) -> Chain:
    return Chain(
        tuple(
            StageRow(stage, state, reason if state is F else None)
            for stage, state in zip(Stage, row, strict=True)
        )
    )


def drawn(*rows: Sequence[StageState]) -> ChainView:
    view = chain_view([facts_of(f"s{n}", chain=states(*row)) for n, row in enumerate(rows)])
    assert view is not None
    return view


def line(view: ChainView, after: int) -> dict[str, float]:
    """Thickness of the line behind a link, by kind."""
    x1 = view.links[after].x
    return {stroke.kind: float(stroke.width) for stroke in view.strokes if stroke.x1 == x1}


@pytest.mark.parametrize(
    ("rows", "after", "expected"),
    [
        ([WELL], 2, {"on": 12}),
        ([(P, P, F, R, R, R)], 2, {"off": 1.5}),
        ([(P, P, F, R, R, R), WELL, WELL, WELL], 2, {"on": 9}),
        ([(P, P, F, R, R, F), WELL], 2, {"on": 6}),
        ([(P, P, F, R, R, F), WELL], 4, {"on": 6}),
        ([(P, P, F, R, R, F)], 4, {"off": 1.5}),
        ([(P, P, F, P, P, P)], 2, {"on": 12}),
        ([(P, P, U, U, U, U)], 2, {"unknown": 12}),
        ([(U, U, U, U, U, P)], 0, {"on": 12}),
        ([(U, U, U, U, F, U)], 0, {"on": 12}),
        ([(U, U, U, U, U, F)], 0, {"unknown": 12}),
        ([(U, U, U, U, U, F)], 4, {"on": 12}),
        ([(P, P, U, U, U, F), WELL], 2, {"unknown": 12, "on": 6}),
        ([(P, P, P, U, U, U), WELL], 2, {"unknown": 12, "on": 6}),
        ([(P, P, P, A, A, P)], 3, {"on": 12}),
        ([(F, R, R, R, R, R)] * 3 + [WELL], 0, {"on": 3}),
        ([(F, R, R, R, R, R)] * 99 + [WELL], 0, {"on": 1.5}),
    ],
)
def test_the_line_is_as_thick_as_the_share_that_went_on(
    rows: list[Sequence[StageState]], after: int, expected: dict[str, float]
) -> None:
    assert line(drawn(*rows), after) == expected


sessions = st.lists(st.lists(st.sampled_from(StageState), min_size=6, max_size=6), min_size=1)


@given(sessions)
def test_every_state_of_every_session_is_counted(rows: list[list[StageState]]) -> None:
    view = drawn(*rows)
    for link in view.links:
        words = f"{link.worst}; {link.rest}" if link.rest else link.worst
        counts = [int(part.split(" in ")[1].split(" ")[0]) for part in words.split("; ")]
        assert sum(counts) == len(rows)


@given(sessions)
def test_a_link_is_green_only_where_it_passed_and_failed_nowhere(
    rows: list[list[StageState]],
) -> None:
    view = drawn(*rows)
    for index, link in enumerate(view.links):
        found = {row[index] for row in rows}
        assert (link.mark.tone is Tone.OK) == (P in found and F not in found)
        assert (link.mark.tone is Tone.FAIL) == (F in found)


@given(sessions)
def test_the_line_is_never_thicker_than_whole_and_enters_whole(
    rows: list[list[StageState]],
) -> None:
    view = drawn(*rows)
    assert view.strokes[0].kind == "on"
    assert float(view.strokes[0].width) == FULL
    assert all(float(stroke.width) <= FULL for stroke in view.strokes)


def test_words_carry_the_reason_of_the_worst_state() -> None:
    view = chain_view(
        [
            facts_of("s1", chain=states(P, P, P, F, R, R, reason=StageReason.TOOL_ERROR)),
            facts_of("s2", chain=states(P, P, P, F, R, R, reason=StageReason.TOOL_ERROR)),
            facts_of("s3", chain=states(P, P, P, F, R, R, reason=StageReason.ARGUMENT_MISMATCH)),
        ]
    )
    assert view is not None
    link = view.links[3]
    assert link.worst == "failed in 3 of 3"
    assert link.reason == (
        "Because the server reported a tool error (2); "
        "the call arguments did not match what the case expects (1)."
    )


def test_not_measured_says_that_it_is_no_pass() -> None:
    assert drawn((U, U, U, U, U, U)).links[0].reason == "Not a pass."


def test_an_inferred_state_names_its_rule() -> None:
    rule = "text starts with Error"
    fact = facts_of(chain=states(P, P, P, P, F, R), inferred_stages={Stage.RESPONSE: (rule,)})
    view = chain_view([fact])
    assert view is not None
    assert view.links[4].inferred == (
        f"Rests on a field that was not recorded but follows from the rule “{rule}”."
    )
    assert view.links[3].inferred == ""


def test_sessions_that_never_started_are_in_no_count() -> None:
    view = chain_view([facts_of("s1", chain=states(*WELL)), idle("s2")])
    assert view is not None
    assert view.sessions == 1
    assert view.links[0].worst == "passed in 1 of 1"
    assert chain_view([idle("s2")]) is None


def test_the_first_failed_link_is_the_earliest_over_all_sessions() -> None:
    assert drawn((P, P, P, P, F, R), (P, P, F, R, R, R), WELL).first_failed == "Selection"
    assert drawn(WELL).first_failed == ""
    assert not drawn((U, U, U, U, U, U)).measured


def test_lanes_are_the_client_and_the_server() -> None:
    assert [link.lane for link in drawn(WELL).links] == [
        "client",
        "client",
        "client",
        "server",
        "server",
        "client",
    ]


def test_one_session_says_its_states_in_words() -> None:
    assert mini_chain(states(P, U, F, R, A, R)).words == (
        "connection passed, discovery not measured, selection failed, tool call never ran, "
        "response not applicable, user value never ran"
    )
    assert mini_chain(None).links == ()


def broken(session_id: str, **more: object) -> SessionFacts:
    made = chain(Stage.RESPONSE, [Stage.CONNECTION, Stage.CALL], after=R)
    return facts_of(session_id, Disposition.BLOCKED_BY_RESPONSE, chain=made, **more)


def test_a_published_document_draws_what_its_rows_say_and_no_share() -> None:
    view = published_chain(build([broken("s1"), broken("s2", session_index=1)]).rows)
    assert view is not None
    assert {stroke.kind for stroke in view.strokes} == {"unknown"}
    assert view.entry == "unknown-6"
    assert view.ways[0] == "unknown-6"
    assert [link.mark.wire for link in view.links] == [
        "notMeasured",
        "notMeasured",
        "notMeasured",
        "notMeasured",
        "failed",
        "notMeasured",
    ]
    assert view.links[4].worst == "failed, 2 of 2 sessions"
    assert view.links[0].reason == "No finding speaks of this link. That is not a pass."


def test_rows_that_say_nothing_of_a_link_draw_no_chain() -> None:
    assert published_chain(build([facts_of(chain=None)]).rows) is None


def test_a_rule_that_some_sessions_rest_on_is_not_said_of_all() -> None:
    rules = {Stage.RESPONSE: ("text starts with Error", "text does not start with Error")}
    facts = [
        facts_of("a", chain=chain(passed=[Stage.RESPONSE]), inferred_stages=rules),
        facts_of("b", chain=chain(passed=[Stage.RESPONSE])),
    ]
    view = chain_view(facts)
    assert view is not None
    assert view.links[4].inferred == (
        "In 1 of 2 sessions it rests on a field that was not recorded but follows from the rules "
        "“text does not start with Error” and “text starts with Error”."
    )
    alone = chain_view(facts[:1])
    assert alone is not None
    assert alone.links[4].inferred.startswith("Rests on a field that was not recorded")


NOT_ASKED, OWED = StageReason.JUDGE_NOT_REQUESTED, StageReason.JUDGE_PENDING


@pytest.mark.parametrize(
    ("said", "reason", "words"),
    [
        (NOT_ASKED, SessionVerdictReason.JUDGE_PENDING, "the judge's word is still owed"),
        (NOT_ASKED, SessionVerdictReason.GRADING_NOT_CLAIMED, "no grader took the session up"),
        (NOT_ASKED, SessionVerdictReason.UNGRADED, NOT_ASKED.label),
        (OWED, SessionVerdictReason.CRITERIA_PENDING, "check results are still owed"),
        (
            OWED,
            SessionVerdictReason.GATING_CRITERION_UNMEASURED,
            "a required check could not be scored",
        ),
        (OWED, SessionVerdictReason.JUDGE_PENDING, OWED.label),
    ],
)
def test_a_link_does_not_deny_what_the_verdict_waits_for(
    said: StageReason, reason: SessionVerdictReason, words: str
) -> None:
    row = StageRow(Stage.USER_VALUE, StageState.NOT_MEASURED, said)
    rows = (*chain().rows[:-1], row)
    fact = facts_of("a", Disposition.NOT_MEASURED, reason=reason, chain=Chain(rows))
    view = chain_view([fact])
    assert view is not None
    assert view.links[-1].reason == f"Not a pass. Because {words}."
    groups = report_of(wave_of([fact])).words.groups
    used = {one.meaning for group in groups for one in group.words}
    assert (said.meaning in used) == (words == said.label)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([WELL], ("on-12", "on-12", "on-12 in", "on-12", "on-12 out", "")),
        (
            [(P, P, F, R, R, R), WELL, WELL],
            ("on-12", "on-12", "on-8 in", "on-8", "on-8 out", ""),
        ),
        ([(P, P, F, R, R, R)], ("on-12", "on-12", "off-1 in", "off-1", "off-1 out", "")),
        (
            [(P, P, P, U, U, U), WELL],
            ("on-12", "on-12", "unknown-12 on-6 in", "unknown-12 on-6", "unknown-12 on-6 out", ""),
        ),
    ],
)
def test_the_way_down_a_narrow_page_says_the_same(
    rows: list[Sequence[StageState]], expected: tuple[str, ...]
) -> None:
    view = drawn(*rows)
    assert (view.entry, view.ways) == ("on-12", expected)


@given(sessions)
def test_the_way_down_is_never_thicker_than_the_line(rows: list[list[StageState]]) -> None:
    view = drawn(*rows)
    for after, names in enumerate(view.ways[:-1]):
        across = line(view, after)
        down = {kind: int(px) for kind, px in (n.split("-") for n in names.split() if "-" in n)}
        assert down.keys() == across.keys()
        assert all(1 <= down[kind] <= across[kind] for kind in down)
