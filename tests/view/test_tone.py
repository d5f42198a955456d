import pytest

from reporter.view.tone import SEVERITY, kind_mark, state_mark, tone_mark
from reporter.vocabulary import DISPOSITION_TONE, Disposition, StageState, SummaryKind, Tone


@pytest.mark.parametrize("disposition", Disposition)
def test_every_disposition_has_its_tone_its_mark_and_its_word(disposition: Disposition) -> None:
    mark = tone_mark(disposition)
    assert mark.tone is DISPOSITION_TONE[disposition]
    assert mark.word == disposition.label
    assert (mark.mark == "notrun") == (disposition is Disposition.NOT_RUN)


def test_nothing_unmeasured_is_green() -> None:
    words = (Disposition.NOT_MEASURED, Disposition.NOT_RUN)
    tones = [tone_mark(word).tone for word in words]
    tones += [state_mark(state).tone for state in StageState if state is not StageState.PASSED]
    assert Tone.OK not in tones


def test_states_that_are_no_pass_look_different_from_each_other() -> None:
    marks = [state_mark(state).mark for state in StageState]
    assert len(set(marks)) == len(marks)


@pytest.mark.parametrize(
    ("kind", "fold", "tone", "mark"),
    [
        (SummaryKind.BROKEN, Disposition.LOST_FINDING_TOOL, Tone.FAIL, "fail"),
        (SummaryKind.FRICTION, Disposition.GOAL_MET_WITH_FRICTION, Tone.WARN, "warn"),
        (SummaryKind.LANDED, Disposition.GOAL_MET, Tone.OK, "ok"),
        (SummaryKind.UNREAD, Disposition.GOAL_MISSED, Tone.MUTED, "unknown"),
        (SummaryKind.UNGRADED, Disposition.NOT_MEASURED, Tone.MUTED, "unknown"),
        (SummaryKind.NOT_LAUNCHED, Disposition.NOT_RUN, Tone.MUTED, "notrun"),
    ],
)
def test_a_summary_takes_the_tone_of_its_goals_or_none(
    kind: SummaryKind, fold: Disposition, tone: Tone, mark: str
) -> None:
    found = kind_mark(kind, fold)
    assert (found.tone, found.mark, found.word) == (tone, mark, kind.label)


def test_severity_ranks_fail_before_warn_before_muted_before_ok() -> None:
    assert sorted(SEVERITY, key=SEVERITY.__getitem__, reverse=True) == [
        Tone.FAIL,
        Tone.WARN,
        Tone.MUTED,
        Tone.OK,
    ]
