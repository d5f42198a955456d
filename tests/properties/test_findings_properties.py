"""What holds of the findings of any wave."""

import json
import random
from collections import Counter
from typing import Any

from finding_waves import build, facts_of, plan_for, some_session, some_wave
from hypothesis import given, settings
from hypothesis import strategies as st

from reporter.findings.coverage import coverage_of
from reporter.findings.document import findings_of_document, read_document
from reporter.findings.fold import fold
from reporter.findings.headline import headline
from reporter.findings.population import tally_of
from reporter.findings.projection import dump_document, project
from reporter.findings.reading import (
    footnotes,
    persona_account,
    persona_accounts,
    read_goals,
    stage_colour,
)
from reporter.findings.scope import check_document, check_findings
from reporter.findings.text import cut_account, excerpt, trim, utf16_length, utf16_prefix
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingSet
from reporter.models.plan import Plan
from reporter.vocabulary import CoverageNote, Disposition, Stage, SummaryKind, Tone, tone_of

Wave = tuple[Plan, list[SessionFacts]]
waves = some_wave()
modest = settings(max_examples=40, deadline=None)


def shown(findings: FindingSet) -> FindingSet:
    document: Any = json.loads(dump_document(project(findings)[0]))
    return findings_of_document(read_document(document, file="x")[0])


@modest
@given(waves, st.randoms(use_true_random=False))
def test_permuting_sessions_changes_nothing(wave: Wave, shuffle: random.Random) -> None:
    plan, facts = wave
    turned = list(facts)
    shuffle.shuffle(turned)
    assert build(turned, plan) == build(facts, plan)
    assert headline(build(turned, plan), plan, turned) == headline(build(facts, plan), plan, facts)


@modest
@given(waves, st.randoms(use_true_random=False))
def test_permuting_rows_changes_nothing_that_is_read(wave: Wave, shuffle: random.Random) -> None:
    plan, facts = wave
    document: Any = project(build(facts, plan))[0]
    rows = list(document["findings"])
    shuffle.shuffle(rows)
    turned = findings_of_document(read_document({**document, "findings": rows}, file="x")[0])
    found = findings_of_document(read_document(document, file="x")[0])
    assert turned == found
    assert headline(turned, plan) == headline(found, plan)
    accounts = persona_accounts(found)
    for persona in found.personas:
        told = persona_account(turned, persona.persona)
        assert accounts[persona.persona.persona_ref_id, persona.persona.name] == told
        assert told.text


@modest
@given(waves)
def test_no_wave_breaks_a_rule(wave: Wave) -> None:
    plan, facts = wave
    findings = build(facts, plan)
    assert check_findings(findings, plan, facts) == ()
    assert check_document(project(findings)[0], plan, facts) == ()


@modest
@given(waves)
def test_writing_and_reading_a_document_is_identity(wave: Wave) -> None:
    plan, facts = wave
    document, left_out = project(build(facts, plan))
    text = dump_document(document)
    read, _ = read_document(json.loads(text), file="x")
    assert read.to_wire() == document
    assert dump_document(read.to_wire()) == text
    again = findings_of_document(read)
    assert shown(again) == again
    assert left_out == {}


@modest
@given(waves)
def test_populations_add_up(wave: Wave) -> None:
    plan, facts = wave
    whole = tally_of(facts)
    counts = whole.population
    assert whole.launch.total == counts.configured - counts.started
    assert whole.partition.total == counts.configured == len(facts)
    assert sum(count for _, count in whole.ungraded_reasons) == counts.started - counts.graded
    rows = build(facts, plan).rows
    outcomes = [row for row in rows if row.order == 2]
    told = Counter[Disposition]()
    for row in outcomes:
        told[row.finding.disposition] += row.finding.population.count
        told.update(dict(row.others))
    assert told == Counter(session.disposition for session in facts)


@modest
@given(waves, st.integers(0, 12))
def test_parts_of_a_wave_can_be_counted_apart(wave: Wave, cut: int) -> None:
    facts = wave[1]
    assert tally_of(facts[:cut]) + tally_of(facts[cut:]) == tally_of(facts)
    assert coverage_of(facts[:cut]) + coverage_of(facts[cut:]) == coverage_of(facts)


@modest
@given(waves)
def test_every_cell_has_one_outcome_row_and_each_session_at_most_one_signal_row(
    wave: Wave,
) -> None:
    plan, facts = wave
    rows = build(facts, plan).rows
    cells = Counter((row.finding.goal.run_id, row.target_id) for row in rows if row.order == 2)
    assert set(cells) == {(each.run_id, each.target_id) for each in facts}
    assert set(cells.values()) <= {1}
    keyed = [each for row in rows if row.order == 3 for each in row.finding.session_ids]
    assert len(keyed) == len(set(keyed))
    assert len({row.finding.id for row in rows}) == len(rows)


@modest
@given(waves)
def test_the_summary_follows_from_the_goals_it_reads(wave: Wave) -> None:
    plan, facts = wave
    findings = build(facts, plan)
    if findings.summary_kind in (SummaryKind.NOT_LAUNCHED, SummaryKind.UNREAD):
        return
    goals = read_goals(findings, plan)
    tone = tone_of(fold(goal.outcome for goal in goals))
    assert (
        findings.summary_kind
        is {
            Tone.FAIL: SummaryKind.BROKEN,
            Tone.WARN: SummaryKind.FRICTION,
            Tone.OK: SummaryKind.LANDED,
            Tone.MUTED: SummaryKind.UNGRADED,
        }[tone]
    )


@modest
@given(waves)
def test_notes_and_footnotes_stand_in_contract_order_and_rows_hold_a_part(wave: Wave) -> None:
    plan, facts = wave
    findings = build(facts, plan)
    assert list(findings.note_sessions) == list(findings.coverage_notes)
    assert list(footnotes(findings)) == [note.label for note in findings.coverage_notes]
    assert list(findings.coverage_notes) == [
        note for note in CoverageNote if note in set(findings.coverage_notes)
    ]
    for row in findings.rows:
        notes = row.finding.coverage_notes
        assert notes == [note for note in findings.coverage_notes if note in notes]


@modest
@given(st.lists(st.sampled_from(list(Disposition)[1:]), min_size=1, max_size=6))
def test_a_stage_that_no_chain_measured_is_never_coloured(words: list[Disposition]) -> None:
    facts = [facts_of(f"s{n}", word, chain=None) for n, word in enumerate(words)]
    rows = build(facts, plan_for(facts)).rows
    assert all(stage_colour(rows, stage) is None for stage in Stage)


@modest
@given(waves, some_session("extra"))
def test_one_more_session_never_makes_a_failing_goal_whole(wave: Wave, extra: SessionFacts) -> None:
    plan, facts = wave
    before = {goal.run_id: goal.outcome for goal in read_goals(build(facts, plan))}
    more = [*facts, extra]
    after = {goal.run_id: goal.outcome for goal in read_goals(build(more, plan_for(more)))}
    for run_id, outcome in before.items():
        if tone_of(outcome) is Tone.FAIL and run_id in after:
            assert tone_of(after[run_id]) is Tone.FAIL


@given(st.text(), st.integers(1, 40))
def test_what_is_cut_is_a_beginning_and_fits(text: str, limit: int) -> None:
    kept = cut_account(text, limit)
    assert trim(text).startswith(kept)
    assert utf16_length(kept) <= limit
    assert kept == trim(kept) or utf16_length(trim(text)) > limit
    assert utf16_length(utf16_prefix(text, limit)) <= limit
    assert utf16_length(excerpt(text, limit)) <= limit
