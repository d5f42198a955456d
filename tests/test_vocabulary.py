import functools
import inspect
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, cast

import pytest
import yaml
from shared import shared

from reporter import vocabulary as words
from reporter.vocabulary import Word

Row = dict[str, Any]

LISTS: dict[str, type[Word]] = {
    "stages": words.Stage,
    "stage_states": words.StageState,
    "stage_reason_groups": words.StageReasonGroup,
    "stage_reasons": words.StageReason,
    "failure_categories": words.FailureCategory,
    "fallback_next_actions": words.FallbackNextAction,
    "verdicts": words.Verdict,
    "verdict_sources": words.VerdictSource,
    "measurement_units": words.MeasurementUnit,
    "undecided_reasons": words.UndecidedReason,
    "validity_findings": words.ValidityFinding,
    "trial_exclusion_reasons": words.TrialExclusionReason,
    "iteration_statuses": words.IterationStatus,
    "friction_signals": words.FrictionSignal,
    "friction_orderings": words.FrictionOrdering,
    "friction_states": words.FrictionState,
    "friction_not_measured_reasons": words.FrictionNotMeasuredReason,
    "suspected_conditions": words.SuspectedCondition,
    "suspected_condition_confidences": words.SuspectedConditionConfidence,
    "suspected_condition_statuses": words.SuspectedConditionStatus,
    "suspected_condition_skip_reasons": words.SuspectedConditionSkipReason,
    "exclusion_classes": words.ExclusionClass,
    "coverage_detail_keys": words.CoverageDetailKey,
    "stage_reach_states": words.StageReachState,
    "materialization_states": words.MaterializationState,
    "analytics_dimensions": words.AnalyticsDimension,
    "setup_phases": words.SetupPhase,
    "parity_blockers": words.ParityBlocker,
    "disposition_tones": words.Tone,
    "dispositions": words.Disposition,
    "summary_kinds": words.SummaryKind,
    "coverage_notes": words.CoverageNote,
    "bases": words.Basis,
    "scope_levels": words.ScopeLevel,
    "lifecycles": words.Lifecycle,
    "session_verdict_reasons": words.SessionVerdictReason,
    "grader_readiness": words.GraderReadiness,
    "read_states": words.ReadState,
    "friction_reasons": words.FrictionReason,
    "wider_facts": words.WiderFact,
    "answered_by": words.AnsweredBy,
    "signals": words.Signal,
    "chain_stage_bases": words.ChainStageBasis,
    "verification_counters": words.VerificationCounter,
}

NOT_WORDS = {"vocabulary_version", "friction_pagination_keys"}

COMPARED = {
    "value",
    "label",
    "label_source",
    "meaning",
    "groups",
    "question",
    "good",
    "measured",
    "is_pass",
    "group",
    "may_carry_explanation",
    "next_owner",
    "one",
    "many",
    "used_by",
    "phase",
    "scope",
    "family",
    "benign",
    "class",
    "tone",
    "verdict",
    "graders",
    "scopes",
}
"""Every attribute that some test below looks at; a new one must not pass unseen."""


@functools.cache
def published() -> dict[str, Any]:
    text = shared("spec", "vocabulary.yaml").read_text(encoding="utf-8")
    return cast("dict[str, Any]", yaml.safe_load(text))


def rows(name: str) -> list[Row]:
    return [row if isinstance(row, dict) else {"value": row} for row in published()[name]]


def attribute(name: str, key: str) -> dict[str, Any]:
    return {row["value"]: row[key] for row in rows(name) if key in row}


def plain(table: Mapping[Any, Any]) -> dict[str, Any]:
    """Undo enums: the published file knows strings and lists only."""
    return {
        str(key): [str(item) for item in value] if isinstance(value, tuple) else str(value)
        for key, value in table.items()
    }


OURS = {words.PhraseRule, words.ProposalState, words.ReplyState, words.SupportAnswer}
"""Lists of this product alone: nobody else reads or writes them."""


def word_classes() -> set[type[Word]]:
    return {
        found
        for _, found in inspect.getmembers(words, inspect.isclass)
        if issubclass(found, Word) and found is not Word
    }


def test_every_list_has_a_class_and_every_class_a_list() -> None:
    assert set(published()) - NOT_WORDS == set(LISTS)
    assert word_classes() - OURS == set(LISTS.values())
    assert published()["vocabulary_version"] == words.VOCABULARY_VERSION


def test_no_published_attribute_goes_unlooked_at() -> None:
    assert {key for name in LISTS for row in rows(name) for key in row} == COMPARED


@pytest.mark.parametrize(("name", "kind"), LISTS.items(), ids=LISTS)
def test_members_are_the_published_ones_in_order(name: str, kind: type[Word]) -> None:
    assert [member.value for member in kind] == [row["value"] for row in rows(name)]


@pytest.mark.parametrize(("name", "kind"), LISTS.items(), ids=LISTS)
def test_labels_are_the_published_ones(name: str, kind: type[Word]) -> None:
    ours = {member.value: member.label for member in kind}
    theirs = attribute(name, "label")
    assert {value: ours[value] for value in theirs} == theirs


@pytest.mark.parametrize("kind", LISTS.values(), ids=LISTS)
def test_every_word_can_be_read(kind: type[Word]) -> None:
    labels = [member.label for member in kind]
    assert all(label.strip() == label != "" for label in labels)
    assert len(set(labels)) == len(labels)
    meanings = [member.meaning for member in kind]
    assert len(set(meanings)) == len(meanings)
    for meaning in meanings:
        assert re.fullmatch(r"[A-Z].{6,160}\.", meaning), meaning


def test_no_published_sentence_is_repeated() -> None:
    source = " ".join(inspect.getsource(words).split())
    ours = " ".join(re.sub(r'"\s+"', "", source).split())
    sentences = [
        sentence
        for name in LISTS
        for row in rows(name)
        for key in ("meaning", "groups", "question", "benign")
        for sentence in re.split(r"(?<=[.?!]) ", row.get(key, ""))
        if len(sentence.split()) > 3
    ]
    assert len(sentences) > 100
    assert [sentence for sentence in sentences if sentence.rstrip(".?!") in ours] == []


TABLES: list[tuple[str, str, Mapping[Any, Any]]] = [
    ("stages", "good", words.STAGE_GOOD),
    ("stage_reasons", "group", words.STAGE_REASON_GROUP),
    ("failure_categories", "next_owner", words.NEXT_OWNER),
    ("measurement_units", "one", words.MEASUREMENT_UNIT_ONE),
    ("measurement_units", "many", {unit: unit.label for unit in words.MeasurementUnit}),
    ("measurement_units", "used_by", words.MEASUREMENT_UNIT_USED_BY),
    ("validity_findings", "phase", words.VALIDITY_FINDING_PHASE),
    ("friction_signals", "family", words.FRICTION_FAMILY),
    ("exclusion_classes", "scope", words.EXCLUSION_SCOPE),
    ("coverage_detail_keys", "class", words.COVERAGE_DETAIL_CLASS),
    ("dispositions", "tone", words.DISPOSITION_TONE),
    ("session_verdict_reasons", "verdict", words.SESSION_VERDICT),
    ("grader_readiness", "graders", words.GRADER_STATES),
    ("wider_facts", "scopes", words.WIDER_FACT_SCOPES),
]


@pytest.mark.parametrize(
    ("name", "key", "table"), TABLES, ids=[f"{name}-{key}" for name, key, _ in TABLES]
)
def test_tables_are_the_published_ones(name: str, key: str, table: Mapping[Any, Any]) -> None:
    assert plain(table) == attribute(name, key)


@pytest.mark.parametrize(
    ("name", "key", "members"),
    [
        ("stage_states", "measured", words.MEASURED_STATES),
        ("stage_states", "is_pass", words.PASS_STATES),
        ("stage_reasons", "may_carry_explanation", words.REASONS_WITH_EXPLANATION),
    ],
)
def test_sets_are_the_published_ones(name: str, key: str, members: frozenset[StrEnum]) -> None:
    theirs = {value for value, holds in attribute(name, key).items() if holds}
    assert {member.value for member in members} == theirs


def test_the_scope_of_a_task_finding_is_the_published_one() -> None:
    theirs = {
        value: scope.split(" and ")
        for value, scope in attribute("validity_findings", "scope").items()
    }
    assert plain(words.VALIDITY_FINDING_SCOPE) == theirs


def test_pagination_keys_are_the_published_ones_in_order() -> None:
    assert list(words.FRICTION_PAGINATION_KEYS) == published()["friction_pagination_keys"]


@pytest.mark.parametrize(
    ("table", "kind"),
    [(words.STAGE_QUESTION, words.Stage), (words.FRICTION_BENIGN, words.FrictionSignal)],
)
def test_tables_in_our_own_words_are_whole(table: Mapping[Any, str], kind: type[Word]) -> None:
    assert list(table) == list(kind)
    assert all(text[0].isupper() and text[-1] in ".?" for text in table.values())


@pytest.mark.parametrize("disposition", words.Disposition)
def test_the_tone_of_a_disposition_has_one_source(disposition: words.Disposition) -> None:
    assert words.tone_of(disposition) is words.DISPOSITION_TONE[disposition]


def test_tables_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        cast("dict[Any, Any]", words.DISPOSITION_TONE)[words.Disposition.GOAL_MET] = words.Tone.FAIL
