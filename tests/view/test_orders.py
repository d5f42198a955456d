"""Orders of the session list: offered only by what the wave recorded."""

import pytest
from finding_waves import facts_of
from report_waves import report_of, wave_of

from reporter.models.facts import CallError, CallFact, SessionFacts, UsageFact
from reporter.view.orders import duration_ms, session_orders
from reporter.vocabulary import Disposition, ReadState


def calls(*errors: CallError | None) -> tuple[CallFact, ...]:
    return tuple(CallFact(f"c{at}", "find_book", at, error=one) for at, one in enumerate(errors))


def values(name: str, *facts: SessionFacts) -> tuple[int | None, ...] | None:
    return next((one.values for one in session_orders(facts) if one.name == name), None)


def met(session: str, **changed: object) -> SessionFacts:
    return facts_of(session, Disposition.GOAL_MET, **changed)


def test_errors_are_those_that_a_tool_returned_to_the_assistant() -> None:
    byhand = CallFact("c", "find_book", 0, caller="persona", error="isError")
    assert values(
        "errors",
        met("s1", tool_calls=calls("isError", "protocol", "noResult", None)),
        met("s2", tool_calls=(byhand,)),
    ) == (2, 0)


def test_a_session_that_was_not_read_has_no_value() -> None:
    unread = met("s3", tool_calls=calls("isError"), read_state=ReadState.TRANSCRIPT_MISSING)
    made = met("s1", tool_calls=calls("isError")), met("s2"), unread
    assert values("errors", *made) == (1, 0, None)
    assert values("calls", *made) == (1, 0, None)


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (UsageFact(1, 2, 9), 9),
        (UsageFact(1, 2, None), 3),
        (UsageFact(1, None, None), None),
        (None, None),
    ],
)
def test_tokens_are_a_sum_only_where_each_part_is_recorded(
    usage: UsageFact | None, tokens: int | None
) -> None:
    many = [met(f"s{at}", usage=UsageFact(None, None, at + 20)) for at in range(2)]
    assert values("tokens", *many, met("s9", usage=usage)) == (20, 21, tokens)


@pytest.mark.parametrize(
    ("start", "end", "took"), [(5, 7, 2), (5, 5, None), (5, None, None), (None, 7, None)]
)
def test_one_recorded_moment_is_no_duration(
    start: int | None, end: int | None, took: int | None
) -> None:
    assert duration_ms(met("s1", started_at_ms=start, ended_at_ms=end)) == took


def test_what_is_not_recorded_or_the_same_everywhere_is_no_order() -> None:
    assert session_orders([met("s1"), met("s2")]) == ()
    timed = met("s1", started_at_ms=1, ended_at_ms=9)
    assert session_orders([timed, met("s2")]) == ()
    assert report_of(wave_of([])).sessions.orders == ()


def test_an_outcome_that_is_not_known_is_no_better_than_a_good_one() -> None:
    words = (
        Disposition.GOAL_MET,
        Disposition.NOT_MEASURED,
        Disposition.GOAL_MISSED,
    )
    assert values("outcome", *(facts_of(f"s{word}", word) for word in words)) == (0, 1, 3)


def test_values_stand_in_the_order_of_the_list() -> None:
    made = [
        facts_of("s1", Disposition.GOAL_MET, run_id="r1", persona_name="Ben"),
        facts_of("s2", Disposition.GOAL_MISSED, run_id="r2", persona_name="Ana"),
        facts_of("s3", Disposition.GOAL_MET, run_id="r3", persona_name="Ben"),
    ]
    view = report_of(wave_of(made)).sessions
    listed = [one for group in view.groups for one in group.session_ids]
    severe = dict(zip(listed, view.orders[0].values, strict=True))
    assert severe == {"s1": 0, "s2": 3, "s3": 0}
    assert view.orders[0].table["values"].split().index("3") == listed.index("s2")
