import pytest
from finding_waves import FAILING, build, facts_of, idle

from reporter.findings.summary import summary_tone
from reporter.models.facts import SessionFacts
from reporter.vocabulary import Disposition, Lifecycle, ReadState, SummaryKind, Tone

D, K = Disposition, SummaryKind


def wave(*words: Disposition, read: int | None = None) -> list[SessionFacts]:
    """One goal a word; the first so many are read."""
    limit = len(words) if read is None else read
    return [
        facts_of(
            f"s{n}",
            word,
            run_id=f"r{n}",
            read_state=ReadState.READ if n < limit else ReadState.TRANSCRIPT_MISSING,
        )
        for n, word in enumerate(words)
    ]


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        pytest.param([], K.NOT_LAUNCHED, id="nothing planned"),
        pytest.param([idle("a", Lifecycle.WITHDRAWN)], K.NOT_LAUNCHED, id="all withdrawn"),
        pytest.param([idle("a", Lifecycle.LIMITED)], K.NOT_LAUNCHED, id="all limited"),
        pytest.param([idle("a", Lifecycle.RAN)], K.NOT_LAUNCHED, id="completed in silence"),
        pytest.param(wave(D.GOAL_MISSED, D.GOAL_MET, read=0), K.UNREAD, id="none read"),
        pytest.param(wave(D.GOAL_MISSED, D.GOAL_MET, read=1), K.BROKEN, id="exactly half read"),
        pytest.param(wave(D.GOAL_MET, D.GOAL_MET, D.GOAL_MET, read=1), K.UNREAD, id="a third read"),
        pytest.param(wave(*[D.GOAL_MET] * 9, D.GOAL_MISSED), K.BROKEN, id="one goal of many"),
        *(pytest.param(wave(D.GOAL_MET, word), K.BROKEN, id=word) for word in FAILING),
        pytest.param(wave(D.GOAL_MET, D.GOAL_MET_WITH_FRICTION), K.FRICTION, id="friction"),
        pytest.param(wave(D.GOAL_MET, D.NOT_MEASURED), K.LANDED, id="met or not measured"),
        pytest.param([*wave(D.GOAL_MET), idle("z", run_id="r9")], K.LANDED, id="met or not run"),
        pytest.param(wave(D.NOT_MEASURED), K.UNGRADED, id="ungraded"),
        pytest.param(
            [facts_of("a", D.BLOCKED_CONNECTING, message_count=0, started_by="refused")],
            K.BROKEN,
            id="refused without any message",
        ),
        pytest.param(
            [facts_of("a", D.NOT_MEASURED, message_count=0, started_by="refused")],
            K.UNGRADED,
            id="refused, and our own network unproven",
        ),
    ],
)
def test_the_summary_is_the_first_kind_that_fits(
    facts: list[SessionFacts], kind: SummaryKind
) -> None:
    assert build(facts).summary_kind is kind


@pytest.mark.parametrize(
    ("kind", "words", "tone"),
    [
        (K.BROKEN, [D.GOAL_MET, D.GOAL_MISSED], Tone.FAIL),
        (K.FRICTION, [D.GOAL_MET_WITH_FRICTION], Tone.WARN),
        (K.LANDED, [D.GOAL_MET, D.NOT_RUN], Tone.OK),
        (K.UNREAD, [D.GOAL_MISSED], Tone.MUTED),
        (K.UNGRADED, [D.NOT_MEASURED], Tone.MUTED),
        (K.NOT_LAUNCHED, [], Tone.MUTED),
    ],
)
def test_a_summary_that_claims_nothing_has_no_colour(
    kind: SummaryKind, words: list[Disposition], tone: Tone
) -> None:
    assert summary_tone(kind, words) is tone
