"""No word is there for show: each is produced by something, or it is said why it cannot be yet."""

import ast
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from asked_waves import Scripted, asked_wave, derive_asked, proposal
from builders import (
    assistant,
    call,
    goal,
    manifest,
    persona,
    result,
    run,
    slot,
    target,
    user,
)
from chain_cases import check, derive, span, turn
from shared import ROOT, shared
from waves import session_lines, write_folder

from reporter import vocabulary
from reporter.models.wave import DerivedWave
from reporter.phrases.asking import AskingOptions
from reporter.pipeline.derive import derive_wave
from reporter.pipeline.options import Options
from reporter.pipeline.source import open_source
from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    CoverageNote,
    Disposition,
    FailureCategory,
    ReplyState,
    ScopeLevel,
    Signal,
    Stage,
    StageState,
    SummaryKind,
    Tone,
    Verdict,
    WiderFact,
    Word,
)

EXAMPLE = ROOT / "examples" / "lending-desk" / "wave"
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)

PRODUCED_ELSEWHERE: dict[type[Word], str] = {
    vocabulary.Lifecycle: "derive/test_session.py",
    vocabulary.SessionVerdictReason: "derive/test_session.py",
    vocabulary.GraderReadiness: "derive/test_session.py",
    vocabulary.ReadState: "derive/test_session.py",
    vocabulary.FrictionReason: "derive/test_session.py",
    vocabulary.StageReason: "derive/chain/test_reasons.py",
    vocabulary.ExclusionClass: "wave/test_analytics.py",
    vocabulary.CoverageDetailKey: "wave/test_analytics.py",
    vocabulary.StageReachState: "wave/test_analytics.py",
    vocabulary.MaterializationState: "wave/test_analytics.py",
    vocabulary.AnalyticsDimension: "wave/test_analytics.py",
    vocabulary.SetupPhase: "wave/test_analytics.py",
    vocabulary.ParityBlocker: "wave/test_analytics.py",
    vocabulary.FallbackNextAction: "wave/test_decision.py",
    vocabulary.VerdictSource: "wave/test_decision.py",
    vocabulary.MeasurementUnit: "wave/test_decision.py",
    vocabulary.UndecidedReason: "wave/test_decision.py",
    vocabulary.ValidityFinding: "wave/test_decision.py",
    vocabulary.TrialExclusionReason: "wave/test_decision.py",
    vocabulary.FrictionSignal: "derive/friction/test_friction_signals.py",
    vocabulary.FrictionOrdering: "derive/friction/test_friction_signals.py",
    vocabulary.FrictionState: "derive/friction/test_friction_signals.py",
    vocabulary.FrictionNotMeasuredReason: "derive/friction/test_friction_signals.py",
    vocabulary.SuspectedCondition: "derive/friction/test_friction_signals.py",
    vocabulary.SuspectedConditionConfidence: "derive/friction/test_friction_signals.py",
    vocabulary.SuspectedConditionStatus: "derive/friction/test_friction_signals.py",
    vocabulary.SuspectedConditionSkipReason: "derive/friction/test_friction_signals.py",
    vocabulary.ProposalState: "phrases/test_every_state.py",
    vocabulary.SupportAnswer: "phrases/test_every_state.py",
    vocabulary.ReplyState: "phrases/test_every_state.py",
    vocabulary.PhraseRule: "phrases/test_every_state.py",
}
"""Classes whose every member a test of its own produces, with the file that does."""

NOT_YET: dict[type[Word], str] = {
    vocabulary.StageReasonGroup: "a property of stage reasons, which carry it",
}
"""Classes that nothing derives so far, each with the reason."""

POLICY = {"judge": {"automatic": True, "role": "required"}}
TALK = (user(), call(), result(), assistant())


def judged(passed: bool) -> dict[str, Any]:  # a case's outcome
    return {"type": "goal_judge", "status": "completed", "passed": passed, "reason": "Seen."}


def catalog(*names: str) -> dict[str, Any]:
    tools = [{"name": name} for name in names]
    return {"type": "catalog", "tools": tools, "complete": True}


def two_goals(**more: Any) -> dict[str, Any]:
    return manifest(
        policy=POLICY,
        goals=[goal(), goal("g2", "Return a book")],
        targets=[target(), target("t2")],
        runs=[run(target_ids=["t1", "t2"]), run("r2", "g2")],
        slots=[slot(), slot("s2", target_id="t2"), slot("s3", "r2")],
        **more,
    )


def waves() -> dict[str, tuple[dict[str, Any], dict[str, bytes]]]:
    good = session_lines([catalog("find_book"), *TALK, judged(True)])
    bad = session_lines([*TALK, judged(False)])
    refused = {"status": "failed", "errorCode": "sandbox_unavailable"}
    never = manifest(slots=[slot(attempt=refused, recorded=False)])
    return {
        "landed": (manifest(policy=POLICY), {"s1": good}),
        "broken": (two_goals(), {"s1": bad, "s2": bad, "s3": bad}),
        "not launched": (never, {}),
        "ungraded": (manifest(), {"s1": session_lines(TALK)}),
        "unread": (manifest(slots=[slot(messageCount=4)]), {}),
        "friction": (
            manifest(policy=POLICY),
            {"s1": session_lines([*TALK[:2], result(isError=True), assistant(), judged(True)])},
        ),
        "partly read": (
            manifest(
                runs=[run(sessionsPerTarget=2)],
                personas=[persona()],
                slots=[slot(), slot("s2", index=1, messageCount=3)],
            ),
            {"s1": session_lines(TALK)},
        ),
    }


@cache
def corpus(folder: Path) -> tuple[DerivedWave, ...]:
    paths = [
        write_folder(folder / name, whole, sessions) for name, (whole, sessions) in waves().items()
    ]
    sources = [*(open_source(path, Options()) for path in paths), open_source(EXAMPLE, Options())]
    sources.append(open_source(EXAMPLE, Options(scan_cap=3)))
    return (
        *(derive_wave(source, generated_at=MOMENT) for source in sources),
        *with_a_model(folder / "asked"),
    )


def with_a_model(folder: Path) -> Iterable[DerivedWave]:
    """What only a model's reading or proposals come to."""
    wave = asked_wave(folder)
    causes = AskingOptions(with_reports=False)
    yield derive_asked(wave, Scripted(propose=[proposal()]), options=causes)
    yield derive_asked(wave, Scripted(propose=ReplyState.OVER_BUDGET), options=causes)
    yield derive_asked(wave, Scripted(report="no account"))
    yield derive_asked(wave, Scripted(), context_chars=1)


@pytest.fixture(scope="module")
def derived(tmp_path_factory: pytest.TempPathFactory) -> tuple[DerivedWave, ...]:
    return corpus(tmp_path_factory.mktemp("words"))


def words_of(wave: DerivedWave) -> Iterable[Word]:
    """Every word that a derived wave holds."""
    findings = wave.findings
    yield findings.summary_kind
    yield from findings.coverage_notes
    for rollup in findings.personas:
        yield rollup.disposition
        yield rollup.tone
    for row in findings.rows:
        one = row.finding
        yield from (one.basis, one.scope_level, one.verdict_seen, one.chain_stage_basis, one.tone)
        yield from (one.disposition, *one.coverage_notes)
        yield from (word for word in (one.signal, one.chain_stage, row.fact) if word)
    for facts in wave.facts:
        yield facts.disposition
        yield facts.verdict.verdict
        yield from (match.signal for match in facts.signals)
        if facts.chain is not None:
            yield from (stage.state for stage in facts.chain.rows)
            yield from (stage.stage for stage in facts.chain.rows)


PRODUCED_HERE: tuple[type[Word], ...] = (
    Stage,
    StageState,
    Verdict,
    Tone,
    Disposition,
    SummaryKind,
    CoverageNote,
    Basis,
    ScopeLevel,
    WiderFact,
    Signal,
    ChainStageBasis,
)


PRODUCED_ALONE: tuple[type[Word], ...] = (
    FailureCategory,
    vocabulary.IterationStatus,
    vocabulary.AnsweredBy,
    vocabulary.VerificationCounter,
)
"""Classes with a test of their own below."""


@pytest.mark.parametrize("words", PRODUCED_HERE)
def test_waves_produce_every_word(words: type[Word], derived: tuple[DerivedWave, ...]) -> None:
    produced = {word for wave in derived for word in words_of(wave) if isinstance(word, words)}
    if words is StageState:
        # In a session somebody always asked for something, so every link has its place.
        produced.add(derive({}, {"mode": "model_free"}).row(Stage.USER_VALUE).state)
    assert set(words) - produced == set()


def test_the_analyzer_produces_every_failure_category() -> None:
    cases = {
        FailureCategory.SETUP: derive({}, status="cancelled"),
        FailureCategory.METADATA: derive(
            evidence={
                "prompts": [turn(missing=[1])],
                "metadataAttribution": {"status": "scored", "attributed": True, "reasons": ["x"]},
            }
        ),
        FailureCategory.SELECTION: derive(evidence={"prompts": [turn(missing=[1])]}),
        FailureCategory.ARGUMENTS: derive(evidence={"prompts": [turn(argumentMismatches=[1])]}),
        FailureCategory.SERVER_DATA: derive(evidence={"spans": [span(status="error")]}),
        FailureCategory.USER_VALUE: derive(
            evidence={"predicateResults": [check("responseContains", passed=False)]}
        ),
        FailureCategory.EVALUATOR: derive(evidence={"evaluatorErrored": True}),
    }
    assert {word: chain.failure_category for word, chain in cases.items()} == {
        word: word for word in FailureCategory
    }


def test_every_word_list_is_accounted_for_once() -> None:
    classes = {
        one
        for one in vars(vocabulary).values()
        if isinstance(one, type) and issubclass(one, Word) and one is not Word
    }
    ledger = [*PRODUCED_HERE, *PRODUCED_ELSEWHERE, *NOT_YET, *PRODUCED_ALONE]
    assert len(ledger) == len(set(ledger))
    assert set(ledger) == classes


def test_a_list_that_is_not_produced_yet_is_used_by_no_derivation() -> None:
    used: set[str] = set()
    for room in ("derive", "findings", "wave", "pipeline"):
        for path in (ROOT / "reporter" / room).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    stale = {words.__name__ for words in NOT_YET if words.__name__ in used}
    assert stale == set(), "derived by now: produce these words in a test"


@pytest.mark.parametrize(("words", "file"), PRODUCED_ELSEWHERE.items())
def test_the_file_that_produces_a_list_names_it(words: type[Word], file: str) -> None:
    text = (ROOT / "tests" / file).read_text(encoding="utf-8")
    assert f"set({words.__name__})" in text or f"in {words.__name__}" in text


def test_every_iteration_status_gives_six_rows() -> None:
    for status in vocabulary.IterationStatus:
        assert len(derive({}, status=status).rows) == 6


def test_who_answered_a_call_is_kept(tmp_path: Path) -> None:
    said = [call("c1"), result("c1"), call("c2"), result("c2", answeredBy="client")]
    wave = write_folder(tmp_path / "wave", None, {"s1": session_lines([user(), *said])})
    (facts,) = derive_wave(open_source(wave, Options()), generated_at=MOMENT).facts
    assert {one.answered_by for one in facts.tool_calls} == set(vocabulary.AnsweredBy)


def test_a_published_document_carries_every_verification_counter() -> None:
    path = shared("oracle", "findings", "swarm-findings-wire.json")
    wave = derive_wave(open_source(path, Options()), generated_at=MOMENT)
    assert set(wave.document["verification"]) == {
        word.value for word in vocabulary.VerificationCounter
    }
