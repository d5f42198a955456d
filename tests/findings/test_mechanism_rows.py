"""Rows of verified explanations are given; here they are ordered, folded in and capped."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from finding_waves import build, facts_of, plan_for, reported, rows_of

from reporter.canonical import canonical_json
from reporter.findings.build import build_findings
from reporter.findings.headline import headline
from reporter.findings.projection import project, wire_row
from reporter.findings.scope import check_document
from reporter.identifiers import GoalId
from reporter.models.facts import SessionFacts
from reporter.models.finding import (
    Analysis,
    Finding,
    FindingRow,
    ReportExcerpt,
    RowPopulation,
    Verification,
)
from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    Disposition,
    Stage,
    StageState,
    tone_of,
)

D = Disposition


def mechanism(
    name: str,
    facts: Sequence[SessionFacts],
    *,
    stage: Stage = Stage.RESPONSE,
    disposition: Disposition = D.BLOCKED_BY_RESPONSE,
    phrase: str = "The change was refused.",
    fix: str | None = "Accept the change.",
    basis: ChainStageBasis = ChainStageBasis.REPORTED,
) -> FindingRow:
    """A mechanism row over sessions of one cell, made from that cell's outcome row."""
    outcome = rows_of(build(facts), 2)[0]
    cell = outcome.finding
    key = [cell.persona.persona_ref_id, cell.goal.run_id, outcome.target_id]
    update = {
        "id": f"{name}:{canonical_json(key)}",
        "basis": Basis.VERIFIED_MECHANISM,
        "mechanism_id": name,
        "mechanism_phrase": phrase,
        "outcome_phrase": "could not save",
        "fix_phrase": fix,
        "disposition": disposition,
        "tone": tone_of(disposition),
        "chain_stage": stage,
        "chain_stage_state": StageState.FAILED,
        "chain_stage_basis": basis,
        "population": RowPopulation(count=len(facts), total=len(facts), unit="sessions"),
        "session_ids": sorted(each.session_id for each in facts),
        "citations": [],
    }
    values = {**{name: getattr(cell, name) for name in Finding.model_fields}, **update}
    del values["signal"]
    return FindingRow(finding=Finding(**values), order=1, target_id=outcome.target_id)


def made(count: int) -> Verification:
    return Verification(proposed=count, confirmed=count, rejected=0, unverified=0, omitted=0)


FACTS = [
    facts_of("s1", D.GOAL_MISSED, run_id="r1"),
    facts_of("s2", D.GOAL_MISSED, run_id="r2", persona_name="Ben"),
    facts_of("s3", D.GOAL_MISSED, run_id="r2", persona_name="Ben"),
]


def test_mechanisms_stand_first_by_support_then_id_then_persona() -> None:
    rows = [
        mechanism("b", FACTS[1:2]),
        mechanism("c", FACTS[1:]),
        mechanism("a", FACTS[:1]),
        mechanism("c", FACTS[:1]),
    ]
    for given in (rows, rows[::-1]):
        found = build(FACTS, mechanisms=given, verification=made(3)).rows
        told = [(row.finding.mechanism_id, row.finding.persona.name) for row in found[:4]]
        assert told == [("c", "Ana"), ("c", "Ben"), ("a", "Ana"), ("b", "Ben")]
        assert [row.order for row in found] == sorted(row.order for row in found)


def test_a_mechanism_counts_in_its_personas_word_and_not_in_the_goals() -> None:
    found = build(FACTS, mechanisms=[mechanism("a", FACTS[:1])], verification=made(1))
    assert [each.disposition for each in found.personas] == [D.BLOCKED_BY_RESPONSE, D.GOAL_MISSED]
    assert {row.finding.disposition for row in rows_of(found, 2)} == {D.GOAL_MISSED}


def test_a_wave_with_a_mechanism_breaks_no_rule() -> None:
    found = build(FACTS, mechanisms=[mechanism("a", FACTS[:1])], verification=made(1))
    assert check_document(project(found)[0], plan_for(FACTS), FACTS) == ()


@pytest.mark.parametrize(
    ("stage", "disposition", "breaks"),
    [
        (Stage.RESPONSE, D.BLOCKED_BY_RESPONSE, False),
        (Stage.CALL, D.BLOCKED_CALLING_TOOL, False),
        (Stage.CALL, D.BLOCKED_BY_RESPONSE, True),
        (Stage.USER_VALUE, D.GOAL_MET_WITH_FRICTION, True),
    ],
)
def test_a_mechanisms_word_follows_from_its_stage_and_its_sessions(
    stage: Stage, disposition: Disposition, breaks: bool
) -> None:
    plan = plan_for(FACTS)
    row = mechanism("a", FACTS[:1], stage=stage, disposition=disposition)
    found = build(FACTS, plan, mechanisms=[row], verification=made(1))
    assert [each.rule for each in check_document(project(found)[0], plan, FACTS)] == (
        ["S7"] if breaks else []
    )


def test_a_mechanism_that_every_session_got_past_is_friction() -> None:
    facts = [facts_of("s1", D.GOAL_MET_WITH_FRICTION)]
    plan = plan_for(facts)
    for word, rules in ((D.GOAL_MET_WITH_FRICTION, []), (D.BLOCKED_BY_RESPONSE, ["S7"])):
        row = mechanism("a", facts, disposition=word)
        found = build(facts, plan, mechanisms=[row], verification=made(1))
        broken = check_document(project(found)[0], plan, facts)
        assert [each.rule for each in broken] == rules


@pytest.mark.parametrize(
    ("basis", "stage"),
    [
        (
            ChainStageBasis.DERIVED,
            "The link that broke is the response, measured in all 3.",
        ),
        (
            ChainStageBasis.REPORTED,
            "The explanation points at the response; the recorded chains do not all show it.",
        ),
    ],
)
def test_the_headline_leads_with_the_cause_and_its_reach(
    basis: ChainStageBasis, stage: str
) -> None:
    facts = [
        FACTS[0],
        *(replace(each, goal_id=GoalId("g2"), goal_title="Pay a fine") for each in FACTS[1:]),
    ]
    rows = [mechanism("m", facts[:1], basis=basis), mechanism("m", facts[1:], basis=basis)]
    told = headline(build(facts, mechanisms=rows, verification=made(1)))
    assert [(item.key, item.text, item.is_model_words) for item in told.items] == [
        ("cause", "The change was refused.", True),
        ("reach", "Seen in 3 of 3 read sessions, across 2 goals.", False),
        ("stage", stage, False),
        ("where", "The cause was seen most often in “Pay a fine”, there for Ben.", False),
    ]
    assert told.fix is not None
    assert (told.fix.text, told.fix.is_model_words) == ("Accept the change.", True)
    assert told.has_model_words
    assert told.text.startswith("A model's words: “The change was refused.” Seen in 3 of 3 ")


def test_one_measured_session_is_that_session() -> None:
    row = mechanism("m", FACTS[:1], basis=ChainStageBasis.DERIVED, fix=None)
    told = headline(build(FACTS, mechanisms=[row], verification=made(1)))
    assert told.items[2].text == "The link that broke is the response, measured in that session."
    assert told.fix is None


def test_a_cause_without_words_or_a_shared_stage_says_what_is_left() -> None:
    rows = [
        mechanism("m", FACTS[:1], phrase="", stage=Stage.CALL),
        mechanism("m", FACTS[1:], phrase=""),
    ]
    told = headline(build(FACTS, mechanisms=rows, verification=made(1)))
    assert [item.key for item in told.items] == ["reach", "where"]


def test_an_excerpt_keeps_thirty_citations_on_the_wire() -> None:
    many = [f"s1/m:{n}" for n in range(31)]
    row = rows_of(build([facts_of("s1", D.GOAL_MISSED, **reported())]), 4)[0].finding
    excerpt = ReportExcerpt(actual="It was refused.", account="I left.", citations=many)
    wire = wire_row(row.model_copy(update={"report_excerpt": excerpt, "citations": many}))
    assert wire["citations"] == wire["reportExcerpt"]["citations"] == many[:30]


def test_a_mechanism_that_does_not_fit_whole_is_dropped_and_counted() -> None:
    cells = [facts_of(f"s{n:03}", D.GOAL_MISSED, run_id=f"r{n:03}") for n in range(150)]
    rows = [
        *(mechanism("large", [cell]) for cell in cells),
        *(mechanism("medium", [cell]) for cell in cells[:60]),
        *(mechanism("small", [cell]) for cell in cells[:10]),
    ]
    plan = plan_for(cells)
    found = build_findings(
        plan,
        cells,
        generated_at_ms=0,
        source_revision="",
        analysis=Analysis(mechanisms=tuple(rows), verification=made(3)),
    )
    document, left_out = project(found)
    kept = [row["mechanismId"] for row in document["findings"] if row["mechanismId"]]
    assert (kept.count("large"), kept.count("medium"), kept.count("small")) == (150, 0, 10)
    assert document["verification"]["omitted"] == 1
    assert len(document["findings"]) == 200
    # 150 outcome rows have 40 places left, and the persona's fact stands behind them.
    assert left_out == {1: 60, 2: 110, 5: 1}
    assert check_document(document, plan, cells) == ()
