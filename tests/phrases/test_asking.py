"""What becomes of asking: every state, counter and note, and never a false finding."""

from pathlib import Path
from typing import Any

import pytest
from asked_waves import (
    ACCOUNT,
    ASKED,
    ERROR,
    POLICY,
    SAID,
    Scripted,
    asked_wave,
    derive_asked,
    failing,
    lost,
    passing,
    proposal,
    support,
)
from builders import assistant, manifest, run, slot, user
from waves import session_lines, write_folder

from reporter.findings.scope import check_findings
from reporter.models.finding import Finding, Verification
from reporter.models.wave import DerivedWave
from reporter.phrases.asking import AskingOptions
from reporter.phrases.exchange import Question
from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    CoverageNote,
    Disposition,
    PhraseRule,
    ProposalState,
    ReadState,
    ReplyState,
    Stage,
    SummaryKind,
    SupportAnswer,
)

CAUSES = AskingOptions(with_reports=False)
NOTE = CoverageNote


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asked_wave(tmp_path_factory.mktemp("asked") / "wave")


def large(*proposals: Any) -> Any:
    return lambda question: list(proposals) if '"s3"' in question.prompt else []


def ask(folder: Path, *, options: AskingOptions = CAUSES, **kinds: Any) -> DerivedWave:
    found = derive_asked(folder, Scripted(**kinds), options=options)
    assert found.violations == ()
    assert found.plan is not None
    assert check_findings(found.findings, found.plan, found.facts) == ()
    return found


def counts(found: DerivedWave) -> tuple[int, int, int, int, int]:
    made = found.findings.verification
    assert made is not None
    return (made.proposed, made.confirmed, made.rejected, made.unverified, made.omitted)


def causes(found: DerivedWave) -> list[Finding]:
    return [row.finding for row in found.findings.rows if row.order == 1]


def notes(found: DerivedWave) -> set[CoverageNote]:
    # The wave has no catalogue, whatever a model says.
    return set(found.findings.coverage_notes) - {NOTE.TOOL_CATALOG_MISSING}


def test_without_a_model_nothing_is_asked_and_the_note_says_so(folder: Path) -> None:
    from datetime import UTC, datetime  # noqa: PLC0415

    from reporter.pipeline.derive import derive_wave  # noqa: PLC0415
    from reporter.pipeline.options import Options  # noqa: PLC0415
    from reporter.pipeline.source import open_source  # noqa: PLC0415

    found = derive_wave(
        open_source(folder, Options()), generated_at=datetime(2026, 1, 1, tzinfo=UTC)
    )
    assert found.phrases is None
    assert found.findings.verification is None
    assert notes(found) == {NOTE.ANALYSIS_UNAVAILABLE}
    assert found.findings.note_sessions[NOTE.ANALYSIS_UNAVAILABLE] == 5


def test_a_confirmed_cause_is_published_where_it_was_seen(folder: Path) -> None:
    cited = [support("s1"), support("s2"), support("s3")]
    found = ask(folder, propose=large(proposal(support=cited)))
    assert counts(found) == (1, 1, 0, 0, 0)
    assert notes(found) == set()
    first, second = causes(found)
    assert (first.session_ids, second.session_ids) == (["s1", "s2"], ["s3"])
    assert (first.population.total, second.population.total) == (2, 2)
    assert first.mechanism_id == second.mechanism_id
    assert first.disposition is Disposition.BLOCKED_BY_RESPONSE
    assert first.chain_stage_basis is ChainStageBasis.DERIVED
    assert first.id == f'{first.mechanism_id}:[null,"r1","t1"]'
    assert found.findings.reasoning_model == "test:scripted"
    assert found.findings.extraction_model == ""


def test_a_link_that_the_chains_do_not_show_is_only_pointed_at(folder: Path) -> None:
    cited = [support("s1")]
    found = ask(folder, propose=large(proposal(stage="call", support=cited)))
    (row,) = causes(found)
    assert row.chain_stage is Stage.CALL
    assert row.chain_stage_basis is ChainStageBasis.REPORTED
    assert row.disposition is Disposition.BLOCKED_CALLING_TOOL


@pytest.mark.parametrize(
    ("answers", "state", "counted", "raised", "rule"),
    [
        (("supports", "supports"), ProposalState.CONFIRMED, ["s1", "s2"], set(), None),
        (("supports", "contradicts"), ProposalState.CONFIRMED, ["s1"], set(), None),
        (("cannotTell", "supports"), ProposalState.CONFIRMED, ["s2"], set(), None),
        (
            ("contradicts", "contradicts"),
            ProposalState.REJECTED,
            [],
            {NOTE.MECHANISMS_REJECTED},
            PhraseRule.CONTRADICTED,
        ),
        (
            ("contradicts", "cannotTell"),
            ProposalState.REJECTED,
            [],
            {NOTE.MECHANISMS_REJECTED},
            PhraseRule.CONTRADICTED,
        ),
        (
            ("contradicts", ReplyState.TIMED_OUT),
            ProposalState.REJECTED,
            [],
            {NOTE.MECHANISMS_REJECTED},
            PhraseRule.CONTRADICTED,
        ),
        (
            ("cannotTell", "cannotTell"),
            ProposalState.UNVERIFIED,
            [],
            {NOTE.ANALYSIS_UNAVAILABLE},
            PhraseRule.NOT_SETTLED,
        ),
        (
            ("nonsense", ReplyState.FAILED),
            ProposalState.UNVERIFIED,
            [],
            {NOTE.ANALYSIS_UNAVAILABLE},
            PhraseRule.NOT_ASKED,
        ),
        (
            (ReplyState.OVER_BUDGET, ReplyState.OVER_BUDGET),
            ProposalState.UNVERIFIED,
            [],
            {NOTE.ANALYSIS_UNAVAILABLE},
            PhraseRule.NOT_ASKED,
        ),
    ],
)
def test_second_looks_settle_a_proposal(  # noqa: PLR0917  a row of the table
    folder: Path,
    answers: tuple[Any, Any],
    state: ProposalState,
    counted: list[str],
    raised: set[CoverageNote],
    rule: PhraseRule | None,
) -> None:
    def verify(question: Question) -> Any:
        return answers[0] if question.session_ids == ("s1",) else answers[1]

    found = ask(folder, propose=large(proposal()), verify=verify)
    assert found.phrases is not None
    (fate,) = found.phrases.proposals
    assert fate.state is state
    assert [one for row in causes(found) for one in row.session_ids] == counted
    assert notes(found) == raised
    assert [refusal.rule for refusal in fate.refusals] == ([] if rule is None else [rule])
    assert sum(counts(found)[1:4]) == counts(found)[0] == 1


def test_nothing_to_propose_is_all_zeros_without_a_note(folder: Path) -> None:
    found = ask(folder)
    assert counts(found) == (0, 0, 0, 0, 0)
    assert notes(found) == set()
    assert causes(found) == []


@pytest.mark.parametrize(
    "state",
    [ReplyState.FAILED, ReplyState.TIMED_OUT, ReplyState.CUT_OFF, ReplyState.REFUSED],
)
def test_a_call_that_fails_is_a_note_and_never_a_finding(folder: Path, state: ReplyState) -> None:
    found = ask(folder, propose=state)
    assert counts(found) == (0, 0, 0, 0, 0)
    assert notes(found) == {NOTE.ANALYSIS_UNAVAILABLE}
    assert found.findings.note_sessions[NOTE.ANALYSIS_UNAVAILABLE] == 5
    assert found.phrases is not None
    assert found.phrases.states == {state: 2}
    assert causes(found) == []
    # It was asked, and sessions were sent.
    assert found.findings.reasoning_model == "test:scripted"
    assert [sent.session_id for sent in found.phrases.sent] == ["s1", "s2", "s3", "s4", "s5"]


def test_a_reply_that_is_no_json_is_rejected_and_no_analysis(folder: Path) -> None:
    found = ask(folder, propose=lambda question: "Sorry!" if '"s3"' in question.prompt else [])
    assert counts(found) == (1, 0, 1, 0, 0)
    assert notes(found) == {NOTE.MECHANISMS_REJECTED, NOTE.ANALYSIS_UNAVAILABLE}
    assert found.findings.note_sessions[NOTE.ANALYSIS_UNAVAILABLE] == 4


def test_where_the_budget_ends_sessions_were_not_read_and_nothing_was_sent(folder: Path) -> None:
    def propose(question: Question) -> Any:
        return ReplyState.OVER_BUDGET if '"s5"' in question.prompt else []

    found = ask(folder, propose=propose)
    facts = {str(one.session_id): one for one in found.facts}
    assert facts["s5"].read_state is ReadState.BUDGET_EXHAUSTED
    assert facts["s5"].signals == ()
    assert facts["s5"].disposition is Disposition.GOAL_MISSED
    assert facts["s1"].read_state is ReadState.READ
    assert notes(found) == {
        NOTE.BUDGET_EXHAUSTED,
        NOTE.PARTIAL_READ,
        NOTE.ANALYSIS_UNAVAILABLE,
    }
    assert found.findings.population.read == 5
    assert found.phrases is not None
    assert [sent.session_id for sent in found.phrases.sent] == ["s1", "s2", "s3", "s4"]
    row = next(r.finding for r in found.findings.rows if "s5" in r.finding.session_ids)
    assert NOTE.BUDGET_EXHAUSTED in row.coverage_notes


def test_where_no_request_fits_the_budget_no_model_was_used(folder: Path) -> None:
    found = ask(
        folder,
        options=AskingOptions(),
        report=ReplyState.OVER_BUDGET,
        propose=ReplyState.OVER_BUDGET,
    )
    assert found.findings.verification is None
    assert found.findings.reasoning_model == found.findings.extraction_model == ""
    assert found.findings.disclosure.evidence_sent == []
    assert found.findings.population.read == 1
    assert NOTE.BUDGET_EXHAUSTED in notes(found)
    assert NOTE.ANALYSIS_UNAVAILABLE in notes(found)


def test_a_session_whose_account_does_not_hold_was_not_read(folder: Path) -> None:
    def report(question: Question) -> Any:
        return {**ACCOUNT, "support": []} if '"s5"' in question.prompt else ACCOUNT

    found = ask(folder, options=AskingOptions(), report=report)
    facts = {str(one.session_id): one for one in found.facts}
    assert facts["s5"].read_state is ReadState.EXTRACTION_REJECTED
    assert {NOTE.EXTRACTION_REJECTED, NOTE.ANALYSIS_UNAVAILABLE} <= notes(found)
    assert found.phrases is not None
    assert found.phrases.groups[-1].reply is ReplyState.NOTHING_LEFT
    refused = [one for one in found.phrases.reports if not one.accepted]
    assert [one.session_id for one in refused] == ["s5"]
    assert [refusal.rule for refusal in refused[0].refusals] == [PhraseRule.NO_SUPPORT]
    rows = [row.finding.session_ids[0] for row in found.findings.rows if row.order == 4]
    assert rows == ["s1", "s2", "s3", "s4"]


def test_a_model_whose_accounts_do_not_hold_is_asked_for_no_more_of_them(folder: Path) -> None:
    """It costs two sessions their reading, and not the wave what code knows of it."""
    asker = Scripted(report="It went badly.", propose=large())
    found = derive_asked(folder, asker)
    assert [q.session_ids for q in asker.asked if q.kind == "report"] == [("s1",), ("s2",)]
    assert found.findings.population.read == 4
    assert found.findings.summary_kind is SummaryKind.BROKEN
    assert NOTE.EXTRACTION_REJECTED in notes(found)
    assert found.phrases is not None
    assert [group.shown for group in found.phrases.groups] == [("s3", "s4"), ("s5",)]


def test_an_account_that_holds_is_a_row_of_its_session(folder: Path) -> None:
    found = ask(folder, options=AskingOptions())
    rows = [row for row in found.findings.rows if row.order == 4]
    assert [row.finding.id for row in rows] == [f"session:s{n}" for n in range(1, 6)]
    excerpt = rows[0].finding.report_excerpt
    assert excerpt is not None
    assert excerpt.actual == ACCOUNT["actual"]
    assert excerpt.account is None
    assert excerpt.citations == ["s1/m:0"]
    assert rows[0].by_model
    assert found.findings.extraction_model == "test:scripted"


def test_a_call_for_an_account_that_fails_costs_the_session_nothing(folder: Path) -> None:
    found = ask(folder, options=AskingOptions(), report=ReplyState.FAILED)
    assert found.findings.population.read == 6
    assert notes(found) == set()
    assert [row for row in found.findings.rows if row.order == 4] == []


def test_what_judge_and_persona_recorded_is_not_asked_for_again(tmp_path: Path) -> None:
    told = {"type": "self_report", "account": "I left without my book. It was odd."}
    whole = manifest(
        policy={"judge": {"automatic": True, "role": "required"}},
        runs=[run(sessionsPerTarget=2)],
        slots=[slot(), slot("s2", index=1)],
    )
    sessions = {"s1": session_lines([*lost(), told]), "s2": session_lines(lost())}
    folder = write_folder(tmp_path / "wave", whole, sessions)
    asker = Scripted()
    found = derive_asked(folder, asker)
    assert [q.session_ids for q in asker.asked if q.kind == "report"] == [("s2",)]
    rows = {r.finding.session_ids[0]: r for r in found.findings.rows if r.order == 4}
    assert not rows["s1"].by_model
    assert rows["s2"].by_model


def test_a_transcript_too_long_for_a_model_is_said_and_not_sent(folder: Path) -> None:
    asker = Scripted()
    found = derive_asked(folder, asker, options=CAUSES, context_chars=len(ASKED) + 60)
    states = {str(one.session_id): one.read_state for one in found.facts}
    assert states["s1"] is ReadState.CONTEXT_TOO_LARGE
    assert states["s5"] is ReadState.READ
    assert NOTE.CONTEXT_TOO_LARGE in notes(found)
    assert {one for question in asker.asked for one in question.session_ids} == {"s5"}


def test_only_candidates_are_sent(folder: Path) -> None:
    asker = Scripted(propose=large(proposal()))
    derive_asked(folder, asker)
    assert {one for question in asker.asked for one in question.session_ids} == {
        *("s1", "s2", "s3", "s4", "s5")
    }
    assert not any("Lent until Friday" in question.prompt for question in asker.asked)
    assert not any(
        name in question.prompt for question in asker.asked for name in ("Ana", "Lending desk")
    )


def test_a_second_look_sends_the_cited_turns_alone(tmp_path: Path) -> None:
    talk = [
        user("The first wish of all", 0),
        assistant("THE OTHER TURN", 0),
        user(ASKED, 1),
        assistant("I could not do that, sorry.", 1),
        {"type": "goal_judge", "status": "completed", "passed": False, "reason": "No."},
    ]
    whole = manifest(policy={"judge": {"automatic": True, "role": "required"}})
    folder = write_folder(tmp_path / "wave", whole, {"s1": session_lines(talk)})
    said = proposal(
        stage="userValue",
        mechanismPhrase="No tool can borrow the atlas with a card.",
        fixPhrase=None,
        support=[support("s1", [1], "I could not do that, sorry.")],
    )
    asker = Scripted(propose=[said])
    found = derive_asked(folder, asker, options=CAUSES)
    look = asker.asked[-1]
    assert look.kind == "verify"
    assert ASKED in look.prompt
    assert "THE OTHER TURN" not in look.prompt
    assert found.findings.verification == Verification(
        proposed=1, confirmed=1, rejected=0, unverified=0, omitted=0
    )


def test_a_link_is_measured_in_the_rows_whose_sessions_all_failed_there(folder: Path) -> None:
    """One goal's sessions failed at the response, the other's at the person's own goal."""
    told = "I cannot find any way to reserve a seat here, sorry."
    mechanism = "No way was found to borrow the atlas with the card."

    def propose(question: Question) -> Any:
        large = '"s3"' in question.prompt
        cited = support("s3", quote=SAID) if large else support("s5", quote=told)
        return [proposal(mechanismPhrase=mechanism, fixPhrase=None, support=[cited])]

    rows = causes(ask(folder, propose=propose))
    assert len({row.mechanism_id for row in rows}) == 1
    assert {row.session_ids[0]: row.chain_stage_basis for row in rows} == {
        "s3": ChainStageBasis.DERIVED,
        "s5": ChainStageBasis.REPORTED,
    }


def test_the_same_cause_in_two_groups_is_one(tmp_path: Path) -> None:
    """One session never got the book, the other got it after the same error."""
    recovered = [*failing()[:3], *passing()[1:]]
    recovered[3:5] = [{**one, "toolCallId": "c2"} for one in recovered[3:5]]
    whole = manifest(
        policy=POLICY, runs=[run(sessionsPerTarget=2)], slots=[slot(), slot("s2", index=1)]
    )
    sessions = {"s1": session_lines(failing()), "s2": session_lines(recovered)}

    def propose(question: Question) -> Any:
        (session_id,) = question.session_ids
        outcome = "needed another call" if session_id == "s2" else "ended without the book"
        return [proposal(outcomePhrase=outcome, support=[support(session_id)])]

    found = ask(write_folder(tmp_path / "wave", whole, sessions), propose=propose)
    assert [one.disposition for one in found.facts] == [
        Disposition.BLOCKED_BY_RESPONSE,
        Disposition.GOAL_MET_WITH_FRICTION,
    ]
    (row,) = causes(found)
    assert row.session_ids == ["s1", "s2"]
    assert row.outcome_phrase == "ended without the book"
    assert counts(found) == (2, 2, 0, 0, 0)


def test_a_cause_that_is_nearly_another_is_left_out_and_counted(folder: Path) -> None:
    near = proposal(
        mechanismPhrase="borrow_book refuses the card number and names no other way to find one.",
        support=[support("s3")],
    )
    found = ask(folder, propose=large(near, proposal()))
    assert counts(found) == (2, 2, 0, 0, 1)
    assert [row.session_ids for row in causes(found)] == [["s1", "s2"]]
    assert found.phrases is not None
    dropped, kept = found.phrases.proposals
    assert [refusal.rule for refusal in dropped.refusals] == [PhraseRule.NEAR_DUPLICATE]
    assert dropped.mechanism_id is None
    assert kept.mechanism_id == causes(found)[0].mechanism_id


def test_a_person_counts_for_more_than_a_model(folder: Path) -> None:
    asker = Scripted(propose=large(proposal()), verify="contradicts")
    first = derive_asked(folder, asker, options=CAUSES)
    assert first.phrases is not None
    (fate,) = first.phrases.proposals
    assert fate.state is ProposalState.REJECTED
    assert {one.answer for one in fate.support} == {SupportAnswer.CONTRADICTS}


def test_a_wave_without_candidates_asks_nothing_and_says_that_no_model_was_used(
    tmp_path: Path,
) -> None:
    asker = Scripted()
    found = derive_asked(write_folder(tmp_path / "wave"), asker)
    assert asker.asked == []
    assert found.findings.verification is None
    assert found.findings.reasoning_model == ""


def test_every_row_of_a_cause_rests_on_a_basis_of_its_own(folder: Path) -> None:
    found = ask(folder, propose=large(proposal()))
    assert {row.basis for row in causes(found)} == {Basis.VERIFIED_MECHANISM}
    assert ERROR not in str([row.outcome_phrase for row in causes(found)])
