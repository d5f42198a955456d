from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from finding_waves import FAILING, build, chain, facts_of, idle, plan_for, reported, signals

from reporter.findings.headline import Headline, headline
from reporter.models.facts import SessionFacts
from reporter.models.manifest import PERSONA_UNRECORDED, Attempt
from reporter.vocabulary import Disposition, Lifecycle, ReadState, Signal, Stage, SummaryKind

D = Disposition
OWN_SERVICE = "It came from the service that ran the swarm, not from a model provider."


TOO_LITTLE = "That is too little for a word on how the goals went."


def told(facts: Sequence[SessionFacts]) -> Headline:
    return headline(build(facts), plan_for(facts), facts)


def texts(found: Headline) -> dict[str, str]:
    return {item.key: item.text for item in found.items}


def refused(session_id: str, message: str | None, **more: Any) -> SessionFacts:
    attempt = Attempt(status="failed", error_code=more.pop("code", None), error_message=message)
    return idle(session_id, more.pop("lifecycle", Lifecycle.BROKE), attempt=attempt, **more)


def test_nothing_launched_says_why_and_claims_nothing() -> None:
    facts = [
        refused("s1", "No key."),
        refused("s2", "No key."),
        refused("s3", None),
        idle("s4", Lifecycle.LIMITED),
    ]
    found = told(facts)
    assert found.kind is SummaryKind.NOT_LAUNCHED
    assert texts(found) == {
        "failedToLaunch": "3 of 4 planned sessions did not start, rate limits apart.",
        "rateLimited": "1 of 4 planned sessions was rate limited.",
        "untested": "Nothing about the server was tested.",
        "reason": "The reason recorded most often, for 2 of 4 sessions that never ran: “No key.”",
    }
    assert found.goals == ()
    assert found.fix is None
    assert not found.has_model_words


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ([idle("s1", Lifecycle.PENDING)], "No reason was recorded."),
        ([refused("s1", "No key.")], "The recorded reason: “No key.”"),
        (
            [refused("s1", "No."), refused("s2", "No.")],
            "The recorded reason, the same for all 2 sessions: “No.”",
        ),
        ([refused("s1", "Quota gone")], "The recorded reason: “Quota gone”."),
        ([refused("s1", None, code="E1")], "The recorded reason: “E1”."),
        (
            [refused("s1", "Budget spent.", code="spend_budget_reached")],
            f"The recorded reason: “Budget spent.” {OWN_SERVICE}",
        ),
    ],
)
def test_the_recorded_reason_is_quoted(facts: list[SessionFacts], reason: str) -> None:
    assert texts(told(facts))["reason"] == reason


def test_a_document_alone_cannot_say_why_nothing_launched() -> None:
    found = headline(build([refused("s1", "No key.")]))
    assert texts(found)["reason"] == "The document does not say why."


def test_an_empty_plan_divides_by_nothing() -> None:
    assert texts(told([])) == {
        "failedToLaunch": "No session was planned.",
        "untested": "Nothing about the server was tested.",
    }


def test_too_little_read_claims_nothing_else() -> None:
    lost = {"read_state": ReadState.TRANSCRIPT_MISSING}
    found = told([facts_of("s1"), *(facts_of(f"x{n}", D.GOAL_MISSED, **lost) for n in range(2))])
    assert texts(found) == {"read": f"Only 1 of 3 started sessions was read. {TOO_LITTLE}"}
    assert found.goals == ()


def place(run_id: str, persona: str, goal_id: str, title: str) -> dict[str, Any]:
    return {"run_id": run_id, "persona_name": persona, "goal_id": goal_id, "goal_title": title}


BORROW = place("r1", "Ana", "g1", "Borrow a book")
BORROW_TOO = place("r2", "Ben", "g1", "Borrow a book")
FINE = place("r3", "Ben", "g2", "Pay a fine")


def test_a_broken_wave_names_goal_link_persona_and_feeling() -> None:
    facts = [
        facts_of("s1", D.BLOCKED_CALLING_TOOL, chain=chain(Stage.CALL), **BORROW),
        facts_of("s2", D.GOAL_MISSED, **BORROW_TOO),
        facts_of("s3", D.GOAL_MET, **FINE),
    ]
    found = told(facts)
    assert texts(found) == {
        "goal": "“Borrow a book” was not met for Ana. "
        "It was stopped at the tool call, the first failed link.",
        "others": "1 other persona also has a goal that was not met.",
        "feeling": "The goal named here left Ana annoyed.",
    }
    assert [item.text for item in found.goals] == [
        "1 of 2 goals was not met for at least one of 2 personas.",
        "Of 3 persona and goal pairs, 2 were not met and 1 met.",
    ]
    assert found.fix is None


def test_personas_of_one_name_are_told_apart_by_their_id() -> None:
    facts = [
        facts_of("s1", D.GOAL_MISSED, **BORROW, persona_ref_id="p1"),
        facts_of("s2", D.GOAL_MISSED, **FINE, persona_ref_id="p2"),
    ]
    facts[1] = replace(facts[1], persona_name="Ana")
    assert texts(told(facts))["others"] == "1 other persona also has a goal that was not met."
    assert texts(told(facts))["feeling"] == "The goal named here left Ana (p1) stalled."


def test_a_recovered_link_is_not_said_to_have_stopped_the_goal() -> None:
    found = told([facts_of("s1", D.GOAL_MISSED, chain=chain(Stage.CALL))])
    assert texts(found)["goal"] == (
        "“Borrow a book” was not met for Ana. The first failed link was the tool call."
    )
    assert texts(found)["others"] == "There is no other recorded persona."
    assert [item.text for item in found.goals] == ["The one goal was not met."]


@pytest.mark.parametrize("word", FAILING)
def test_a_persona_may_feel_and_never_fails(word: Disposition) -> None:
    found = told([facts_of("s1", word, chain=None)])
    assert texts(found)["feeling"] == f"The goal named here left Ana {word.label.lower()}."
    assert "Ana was" not in found.text
    assert "Ana failed" not in found.text


def test_friction_counts_measured_goals_only() -> None:
    facts = [
        facts_of("s1", D.GOAL_MET_WITH_FRICTION, chain=chain(Stage.RESPONSE), **BORROW),
        facts_of("s2", D.GOAL_MET, **BORROW_TOO),
        facts_of("s3", D.NOT_MEASURED, **FINE),
    ]
    found = told(facts)
    assert found.kind is SummaryKind.FRICTION
    assert texts(found) == {
        "count": "1 of 2 measured persona and goal pairs was met with friction; none was missed.",
        "goal": "“Borrow a book” was met for Ana, though not smoothly. "
        "A link failed on the way: the response.",
        "feeling": "The goal named here left Ana uneasy.",
    }
    assert [item.text for item in found.goals] == [
        "None of 2 goals is known to have been missed.",
        "Of 3 persona and goal pairs, 1 was met with friction, 1 met and 1 not measured.",
    ]


def test_landed_says_what_was_not_measured_beside_it() -> None:
    facts = [
        facts_of("s1", **BORROW),
        facts_of("s2", **BORROW_TOO),
        facts_of("s3", D.NOT_MEASURED, **FINE),
        idle("s4", **place("r4", "Ana", "g3", "Renew a loan")),
    ]
    found = told(facts)
    assert found.kind is SummaryKind.LANDED
    assert texts(found) == {
        "met": "Every measured goal was met: 1 goal, tried by 2 personas.",
        "notMeasured": "1 of 4 persona and goal pairs was not measured.",
        "notRun": "1 of 4 persona and goal pairs was not run.",
    }


@pytest.mark.parametrize(
    ("lifecycles", "key", "text"),
    [
        ([Lifecycle.RAN] * 2, "finished", "Both started sessions ended without a deciding grade."),
        ([Lifecycle.RAN], "finished", "The one started session ended without a deciding grade."),
        (
            [Lifecycle.PENDING, Lifecycle.RUNNING],
            "running",
            "2 of 2 started sessions have no recorded end, and no deciding grade.",
        ),
        (
            [Lifecycle.WITHDRAWN],
            "finished",
            "The one started session ended without a deciding grade.",
        ),
        (
            [Lifecycle.RAN, Lifecycle.RUNNING],
            "running",
            "1 of 2 started sessions has no recorded end, and no deciding grade.",
        ),
    ],
)
def test_ungraded_is_no_evidence_that_it_held(
    lifecycles: list[Lifecycle], key: str, text: str
) -> None:
    facts = [facts_of(f"s{n}", D.NOT_MEASURED, lifecycle=each) for n, each in enumerate(lifecycles)]
    found = told(facts)
    assert texts(found) == {key: text, "caution": "That is no evidence that the server held."}
    assert [item.text for item in found.goals] == ["The one goal was not measured."]
    alone = headline(build(facts))
    assert texts(alone)["graded"].startswith("0 of ")


def test_signals_lead_where_no_cause_is_known() -> None:
    facts = [
        facts_of("s1", D.GOAL_MISSED, **BORROW, **signals(Signal.TOOL_ERRORED)),
        facts_of("s2", D.GOAL_MET, **BORROW_TOO, **signals(Signal.TOOL_ERRORED)),
        facts_of("s3", D.GOAL_MET, **FINE, **signals(Signal.TURN_CAP_REACHED)),
        facts_of("s4", D.GOAL_MET, **FINE, read_state=ReadState.TRANSCRIPT_MISSING),
    ]
    found = told(facts)
    assert texts(found) == {
        "signal": "A tool errored in 2 of 3 read sessions; "
        "no other recorded fact was seen in more.",
        "where": "This fact was seen in “Borrow a book”, for Ana and Ben.",
    }
    assert found.goals[0].text.startswith("1 of 2 goals was not met")


def test_a_signal_of_several_goals_names_the_one_with_most() -> None:
    facts = [
        facts_of("s1", **BORROW, **signals(Signal.TOOL_ERRORED)),
        facts_of("s2", **FINE, **signals(Signal.TOOL_ERRORED)),
        facts_of("s3", **FINE, **signals(Signal.TOOL_ERRORED)),
    ]
    assert (
        texts(told(facts))["where"]
        == "This fact was seen most often in “Pay a fine”, there for Ben."
    )


def test_a_count_over_nothing_read_is_not_measured() -> None:
    findings = build([facts_of("s1", D.GOAL_MISSED, **signals(Signal.TOOL_ERRORED))])
    blank = findings.population.model_copy(update={"read": 0, "unread": 1})
    found = headline(replace(findings, population=blank))
    assert "in 1 session, of how many read is not measured" in texts(found)["signal"]


def test_goals_that_nobody_measured_are_said_to_be_so() -> None:
    found = told([facts_of("s1", D.NOT_MEASURED, **BORROW), facts_of("s2", D.NOT_MEASURED, **FINE)])
    assert [item.text for item in found.goals] == ["None of 2 goals was measured."]


def test_a_document_whose_rows_do_not_carry_its_kind_claims_no_goal() -> None:
    findings = replace(build([facts_of("s1", D.GOAL_MISSED)]), rows=())
    assert texts(headline(findings)) == {
        "goal": "At least one goal was not met; the rows do not say which."
    }
    friction = headline(replace(findings, summary_kind=SummaryKind.FRICTION))
    assert texts(friction) == {"count": "A goal was met with friction; the rows do not say which."}
    landed = headline(replace(findings, summary_kind=SummaryKind.LANDED))
    assert texts(landed)["met"] == "Every measured goal was met; the rows do not say which."


def test_friction_without_a_placed_stage_names_none() -> None:
    found = told([facts_of("s1", D.GOAL_MET_WITH_FRICTION, chain=None)])
    assert texts(found)["goal"] == "“Borrow a book” was met for Ana, though not smoothly."


def test_every_sentence_stands_alone_and_ends() -> None:
    for word in Disposition:
        facts = [idle("s1") if word is D.NOT_RUN else facts_of("s1", word)]
        found = told(facts)
        assert found.items
        for item in (*found.goals, *found.items):
            assert item.text.rstrip("”").endswith(".")
            assert item.text[0].isupper() or item.text[0] in "“0123456789"


NOBODY = {"persona_name": PERSONA_UNRECORDED}


@pytest.mark.parametrize("word", [*FAILING, D.GOAL_MET_WITH_FRICTION, D.GOAL_MET, D.NOT_MEASURED])
@pytest.mark.parametrize("more", [{}, signals(Signal.TOOL_ERRORED)])
def test_a_persona_that_was_not_recorded_is_in_no_sentence(
    word: Disposition, more: dict[str, Any]
) -> None:
    facts = [
        facts_of("s1", word, **NOBODY, **more),
        facts_of("s2", word, **{**FINE, **NOBODY}, **more),
    ]
    found = told(facts)
    assert PERSONA_UNRECORDED not in " ".join([found.text, *(each.text for each in found.goals)])
    assert "persona" not in found.text


def test_recorded_personas_are_counted_beside_those_that_were_not() -> None:
    facts = [
        facts_of("s1", D.BLOCKED_CONNECTING, chain=None, **{**BORROW, **NOBODY}),
        facts_of("s2", D.GOAL_MISSED, chain=None, **FINE),
    ]
    assert texts(told(facts)) == {
        "goal": "“Borrow a book” was not met.",
        "others": "1 recorded persona also has a goal that was not met.",
        "feeling": "The goal named here left the person stuck.",
    }
    facts[0] = facts_of("s1", D.GOAL_MET, **{**BORROW, **NOBODY})
    assert texts(told(facts))["others"] == "There is no other recorded persona."


def test_a_goal_that_most_sessions_met_is_not_said_to_be_missed_outright() -> None:
    sessions = [D.GOAL_MISSED, D.GOAL_MET, D.GOAL_MET]
    facts = [
        facts_of(f"s{n}", word, session_index=n, chain=None, **BORROW)
        for n, word in enumerate(sessions)
    ]
    assert texts(told(facts)) == {
        "goal": "“Borrow a book” was not met for Ana in at least one session.",
        "others": "There is no other recorded persona.",
        "feeling": "The goal named here left Ana stalled in 1 of 3 started sessions.",
    }


def test_the_first_failed_link_is_one_of_the_target_that_is_spoken_of() -> None:
    facts = [
        facts_of("s1", D.GOAL_MET_WITH_FRICTION, chain=chain(Stage.DISCOVERY), **BORROW),
        facts_of("s2", D.GOAL_MISSED, chain=chain(Stage.RESPONSE), target_id="t2", **BORROW),
    ]
    found = texts(told(facts))
    assert found["goal"] == (
        "“Borrow a book” was not met for Ana in at least one session. "
        "The first failed link was the response."
    )
    assert (
        found["feeling"]
        == "The goal named here left Ana stalled in 1 of 1 started session on Host t2."
    )


def test_other_personas_are_cleared_of_nothing_that_is_not_known() -> None:
    facts = [
        facts_of("s1", D.GOAL_MISSED, chain=None, **BORROW),
        facts_of("s2", D.NOT_MEASURED, **FINE),
    ]
    assert (
        texts(told(facts))["others"] == "No other persona is known to have a goal that was not met."
    )


def test_a_signal_is_counted_in_every_session_that_shows_it() -> None:
    both = signals(Signal.OUTPUT_TRUNCATED, Signal.TOOL_ERRORED)
    facts = [
        facts_of("s1", **BORROW, **both),
        facts_of("s2", session_index=1, **BORROW, **both),
        facts_of("s3", **FINE, **signals(Signal.TOOL_ERRORED)),
    ]
    assert texts(told(facts)) == {
        "signal": "Reply cut off in 2 of 3 read sessions; more sessions are counted first "
        "under this fact (2) than under any other.",
        "where": "This fact was seen in “Borrow a book”, for Ana.",
    }
    alone = headline(build(facts))
    assert texts(alone)["signal"] == (
        "Reply cut off in 2 of 3 read sessions; each session is counted under its first "
        "recorded fact."
    )


def test_a_goal_that_shares_its_place_is_not_the_one_with_most() -> None:
    facts = [
        facts_of("s1", **BORROW, **signals(Signal.TOOL_ERRORED)),
        facts_of("s2", **FINE, **signals(Signal.TOOL_ERRORED)),
    ]
    assert texts(told(facts))["where"] == (
        "This fact was seen in 2 goals, in none more often than in “Borrow a book”, there for Ana."
    )


def test_what_was_refused_speaks_only_for_those_that_never_ran() -> None:
    facts = [refused("s1", "No."), idle("s2", Lifecycle.PENDING), idle("s3", Lifecycle.RAN)]
    assert texts(told(facts))["reason"] == (
        "The recorded reason, for the 1 session that never ran: “No.”"
    )
    tied = [refused("s1", "No."), refused("s2", "Not now.")]
    assert texts(told(tied))["reason"] == (
        "One recorded reason, for 1 of 2 sessions that never ran: “No.”"
    )


@pytest.mark.parametrize(
    ("lost", "text"),
    [
        (
            1,
            f"The one started session was not read. {TOO_LITTLE}",
        ),
        (
            3,
            f"None of 3 started sessions was read. {TOO_LITTLE}",
        ),
    ],
)
def test_nothing_read_is_said_in_plain_words(lost: int, text: str) -> None:
    facts = [
        facts_of(f"s{n}", session_index=n, read_state=ReadState.TRANSCRIPT_MISSING)
        for n in range(lost)
    ]
    assert texts(told(facts)) == {"read": text}


def test_a_reported_session_alone_speaks_for_itself() -> None:
    facts = [
        facts_of(f"s{n}", D.GOAL_MISSED, session_index=n, chain=None, **reported()) for n in (1, 2)
    ]
    whole = build(facts)
    only = replace(whole, rows=tuple(row for row in whole.rows if row.order == 4)[:1])
    assert (
        texts(headline(only))["feeling"] == "The goal named here left Ana stalled in one session."
    )
    assert "in at least one session" in texts(headline(only))["goal"]


def test_a_run_beside_another_of_the_same_pair_does_not_speak_for_it() -> None:
    facts = [
        facts_of("a", D.GOAL_MISSED, run_id="r1", chain=chain(Stage.USER_VALUE)),
        facts_of("b", run_id="r2"),
    ]
    found = texts(told(facts))
    assert "was not met for Ana in at least one session." in found["goal"]
    assert (
        found["feeling"]
        == "The goal named here left Ana stalled in 1 of 1 started session of one run."
    )
    assert "in at least one session" not in texts(told(facts[:1]))["goal"]
