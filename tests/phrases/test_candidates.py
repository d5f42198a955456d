"""Which sessions a model is asked about."""

from typing import Any

from builders import session_facts
from hypothesis import given
from hypothesis import strategies as st

from reporter.models.facts import SessionFacts, SignalMatch
from reporter.phrases.candidates import candidate_groups
from reporter.vocabulary import Disposition, ReadState, Signal


def failed(session_id: str, **more: Any) -> SessionFacts:
    return session_facts(session_id, disposition=Disposition.GOAL_MISSED, **more)


def test_groups_share_signal_link_and_disposition_and_the_largest_comes_first() -> None:
    signals = (SignalMatch(Signal.TOOL_ERRORED, 0),)
    groups = candidate_groups(
        [failed("b"), failed("a"), failed("c", signals=signals), session_facts("fine")]
    )
    assert [[one.session_id for one in group.sessions] for group in groups] == [["a", "b"], ["c"]]
    assert groups[1].key.text == "toolErrored/none/goalMissed"


def test_what_was_not_read_or_said_nothing_is_no_candidate() -> None:
    assert not candidate_groups(
        [
            failed("a", read_state=ReadState.TRANSCRIPT_MISSING),
            failed("b", message_count=0),
            session_facts("c", disposition=Disposition.NOT_MEASURED),
        ]
    )


@given(st.integers(1, 60), st.integers(1, 50))
def test_a_sample_is_spread_over_its_group(count: int, most: int) -> None:
    (group,) = candidate_groups(failed(f"s{n:02}") for n in range(count))
    sample = [one.session_id for one in group.sample(most)]
    assert len(sample) == min(count, most)
    assert sample == sorted(set(sample))
    if count >= 2 * most > 2:
        assert sample[-1] >= f"s{count // 2:02}"


@given(st.permutations([failed(f"s{n}") for n in range(6)]))
def test_the_order_of_sessions_changes_nothing(sessions: list[SessionFacts]) -> None:
    assert candidate_groups(sessions) == candidate_groups(sorted(sessions, key=str))
