from itertools import permutations, product

import pytest
from finding_waves import FAILING, chain, facts_of

from reporter.findings.fold import (
    UNPLACED,
    StageShown,
    first_failed,
    fold,
    fold_verdicts,
    stage_of_session,
    stage_of_sessions,
)
from reporter.models.chain import Chain
from reporter.vocabulary import (
    ChainStageBasis,
    Disposition,
    Stage,
    StageState,
    Tone,
    Verdict,
    tone_of,
)

D = Disposition
NEVER_WINS = (D.NOT_RUN, D.NOT_MEASURED)


def expected(pair: tuple[Disposition, Disposition]) -> Disposition:
    """The rule in its own words, two at a time."""
    failing = [word for word in pair if tone_of(word) is Tone.FAIL]
    if failing:
        return min(failing, key=list(Disposition).index)
    for word in (D.GOAL_MET_WITH_FRICTION, D.GOAL_MET):
        if word in pair:
            return word
    return D.NOT_RUN if set(pair) == {D.NOT_RUN} else D.NOT_MEASURED


@pytest.mark.parametrize("pair", list(product(Disposition, repeat=2)))
def test_every_pair_folds_alike_in_both_orders(pair: tuple[Disposition, Disposition]) -> None:
    assert fold(pair) is expected(pair)
    assert fold(reversed(pair)) is expected(pair)


def test_nothing_folds_to_not_run() -> None:
    assert fold([]) is D.NOT_RUN


def test_one_failing_session_makes_the_goal_fail() -> None:
    for word in FAILING:
        assert fold([D.GOAL_MET, D.GOAL_MET, word, D.NOT_MEASURED, D.NOT_RUN]) is word


def test_folds_can_be_folded_again() -> None:
    for words in product(Disposition, repeat=3):
        assert fold([fold(words[:1]), fold(words[1:])]) is fold(words)


@pytest.mark.parametrize(
    ("verdicts", "whole"),
    [
        ([], Verdict.NOT_ESTABLISHED),
        ([Verdict.PASSED], Verdict.PASSED),
        ([Verdict.PASSED, Verdict.PASSED], Verdict.PASSED),
        ([Verdict.PASSED, Verdict.FAILED], Verdict.FAILED),
        ([Verdict.INCONCLUSIVE, Verdict.FAILED], Verdict.FAILED),
        ([Verdict.PASSED, Verdict.INCONCLUSIVE], Verdict.INCONCLUSIVE),
        ([Verdict.NOT_ESTABLISHED, Verdict.INCONCLUSIVE], Verdict.INCONCLUSIVE),
        ([Verdict.PASSED, Verdict.NOT_ESTABLISHED], Verdict.NOT_ESTABLISHED),
    ],
)
def test_verdicts_fold_like_runs(verdicts: list[Verdict], whole: Verdict) -> None:
    for order in permutations(verdicts):
        assert fold_verdicts(order) is whole


FAILED, PASSED = StageState.FAILED, StageState.PASSED
DERIVED = ChainStageBasis.DERIVED


@pytest.mark.parametrize(
    ("recorded", "shown"),
    [
        (None, UNPLACED),
        (chain(), UNPLACED),
        (chain(Stage.CALL, [Stage.CONNECTION]), StageShown(Stage.CALL, FAILED, DERIVED)),
        (
            chain(Stage.CALL, [Stage.USER_VALUE]),
            StageShown(Stage.CALL, FAILED, DERIVED),
        ),
        (
            chain(passed=[Stage.CONNECTION, Stage.RESPONSE]),
            StageShown(Stage.RESPONSE, PASSED, DERIVED),
        ),
    ],
)
def test_a_session_shows_its_first_failed_else_its_last_passed_stage(
    recorded: Chain | None, shown: StageShown
) -> None:
    assert stage_of_session(recorded) == shown


def test_the_first_failed_stage_is_the_first_in_stage_order() -> None:
    twice = Chain(
        (
            *chain(Stage.SELECTION).rows[:4],
            *chain(Stage.RESPONSE).rows[4:],
        )
    )
    assert first_failed(twice) is Stage.SELECTION
    assert first_failed(None) is None


def test_sessions_show_a_stage_only_where_they_agree_on_it_and_its_state() -> None:
    failed = facts_of("a", chain=chain(Stage.CALL))
    assert stage_of_sessions([failed, facts_of("b", chain=chain(Stage.CALL))]) == StageShown(
        Stage.CALL, FAILED, DERIVED
    )
    passed = facts_of("b", chain=chain(passed=[Stage.CALL]))
    other = facts_of("b", chain=chain(Stage.RESPONSE))
    unknown = facts_of("b", chain=None)
    for disagreeing in (passed, other, unknown):
        assert stage_of_sessions([failed, disagreeing]) == UNPLACED
    assert stage_of_sessions([]) == UNPLACED
