import pytest
from chain_cases import CHAT, EXPECTING, Json, check, derive, outcome, span, turn

from reporter.vocabulary import Stage

EXTRA = [{"toolName": "burn_book"}]
MISSING = [{"toolName": "find_book"}]
UNEQUAL = [{"path": "isbn"}]
PLAIN = {"promptIndex": 0, "passed": True}
"""A turn that expects nothing."""

OPEN = [
    # lines 1 to 3
    ({"traceAbsent": True}, "notMeasured", "traceAbsent", None),
    ({"traceAbsent": True, "spans": [span()]}, "notMeasured", "traceAbsent", None),
    (
        {"spans": [span(), span("s2", status="error")]},
        "notMeasured",
        "matchVerdictUnavailable",
        {"spanIds": ["s1", "s2"]},
    ),
    (
        {"spans": [span(f"s{number}") for number in range(7)]},
        "notMeasured",
        "matchVerdictUnavailable",
        {"spanIds": ["s0", "s1", "s2", "s3", "s4"]},
    ),
    ({}, "notMeasured", "noEvidenceCaptured", None),
    ({"traceLacksSpanChannel": True}, "notMeasured", "noEvidenceCaptured", None),
    # the guard holds while no turn declares a call, whatever the turns say
    ({"prompts": [PLAIN]}, "notMeasured", "noEvidenceCaptured", None),
    ({"prompts": [{**PLAIN, "missing": MISSING}]}, "notMeasured", "noEvidenceCaptured", None),
    # an advisory or unscored row does not lift it
    (
        {"predicateResults": [check("toolNeverCalled", role="advisory")]},
        "notMeasured",
        "noEvidenceCaptured",
        None,
    ),
    (
        {"predicateResults": [check("toolNeverCalled", passed=False, status="error")]},
        "notMeasured",
        "noEvidenceCaptured",
        None,
    ),
    ({"predicateResults": [check("noToolErrors")]}, "notMeasured", "noEvidenceCaptured", None),
    # a routed row or a declared call does
    ({"predicateResults": [check("toolNeverCalled")]}, "passed", "observed", None),
    (
        {"predicateResults": [check("toolNeverCalled", passed=False, reason="it was")]},
        "failed",
        "unexpectedToolCall",
        {"predicateReasons": ["it was"]},
    ),
    ({"prompts": [turn()]}, "passed", "observed", None),
]

CLOSED = [
    # line 4
    (
        {"prompts": [turn(0), turn(1, missing=MISSING), turn(2, missing=MISSING)]},
        "failed",
        "missingToolCall",
        {"promptIndexes": [1, 2]},
    ),
    (
        {"prompts": [turn(None, missing=MISSING)]},
        "failed",
        "missingToolCall",
        {"promptIndexes": []},
    ),
    (
        {
            "prompts": [turn(0, missing=MISSING)],
            "predicateResults": [check("toolNeverCalled", passed=False, reason="why")],
        },
        "failed",
        "missingToolCall",
        {"promptIndexes": [0]},
    ),
    # line 5
    (
        {
            "prompts": [turn(0, unexpected=EXTRA, passed=False)],
            "predicateResults": [
                check("toolNeverCalled", passed=False, reason="one"),
                check("onlyToolsCalled", reason="held"),
                check("toolCalledAtLeastOnce", passed=False, reason="two"),
            ],
        },
        "failed",
        "missingToolCall",
        {"predicateReasons": ["one", "two"]},
    ),
    (
        {"predicateResults": [check("toolCalledBefore", passed=False)]},
        "failed",
        "unexpectedToolCall",
        None,
    ),
    # line 6
    (
        {"prompts": [turn(0), turn(1, unexpected=EXTRA, passed=False)]},
        "failed",
        "unexpectedToolCall",
        {"promptIndexes": [1]},
    ),
    (
        {
            "prompts": [
                turn(0, unexpected=EXTRA, passed=False, argumentMismatches=UNEQUAL),
                turn(1, unexpected=EXTRA, passed=False),
                {"promptIndex": 2, "unexpected": EXTRA},
            ]
        },
        "failed",
        "unexpectedToolCall",
        {"promptIndexes": [1]},
    ),
    # line 7
    (
        {"prompts": [turn(0, unexpected=EXTRA), {"promptIndex": 1, "unexpected": EXTRA}]},
        "notMeasured",
        "matchVerdictUnavailable",
        {"promptIndexes": [1]},
    ),
    # line 8
    (
        {"prompts": [turn(0), turn(1, unexpected=EXTRA), turn(2)]},
        "passed",
        "observed",
        {"promptIndexes": [0, 1, 2]},
    ),
    (
        {"prompts": [turn(0, unexpected=EXTRA, passed=False, argumentMismatches=UNEQUAL)]},
        "passed",
        "observed",
        {"promptIndexes": [0]},
    ),
    # line 9
    ({"prompts": [turn()]}, "passed", "observed", None),
    ({"prompts": [turn(passed=False)]}, "passed", "observed", None),
    ({"prompts": [PLAIN], "traceAbsent": True}, "passed", "observed", None),
    # line 10
    (
        {"predicateResults": [check("firstToolWas")], "traceAbsent": True},
        "passed",
        "observed",
        None,
    ),
    (
        {"predicateResults": [{"predicate": {"type": "firstToolWas"}}]},
        "passed",
        "observed",
        None,
    ),
    # line 11
    ({"traceAbsent": True, "traceLacksSpanChannel": True}, "notMeasured", "traceAbsent", None),
    # line 12
    ({"traceLacksSpanChannel": True}, "notMeasured", "executorEmitsNoSpans", None),
    # line 13
    ({}, "notMeasured", "noEvidenceCaptured", None),
    ({"spans": [span()]}, "notMeasured", "noEvidenceCaptured", None),
    ({"predicateResults": [check("responseContains")]}, "notMeasured", "noEvidenceCaptured", None),
]


@pytest.mark.parametrize(("evidence", "state", "reason", "shown"), OPEN)
def test_an_open_expectation_proves_nothing(
    evidence: Json, state: str, reason: str, shown: Json | None
) -> None:
    assert outcome(derive(evidence, CHAT), Stage.SELECTION) == (state, reason, shown)


@pytest.mark.parametrize(("evidence", "state", "reason", "shown"), CLOSED)
def test_selection_follows_its_table(
    evidence: Json, state: str, reason: str, shown: Json | None
) -> None:
    assert outcome(derive(evidence), Stage.SELECTION) == (state, reason, shown)


@pytest.mark.parametrize("expectation", ["required", "not_required", "sometimes", None])
def test_only_the_open_expectation_raises_the_guard(expectation: str | None) -> None:
    authored = {**EXPECTING, "toolExpectation": expectation}
    state, reason, _ = outcome(derive({"prompts": [PLAIN]}, authored), Stage.SELECTION)
    assert (state, reason) == ("passed", "observed")


def test_selection_does_not_apply_without_a_model() -> None:
    evidence = {"prompts": [turn(0, missing=MISSING)]}
    chain = derive(evidence, {**EXPECTING, "mode": "model_free"})
    assert outcome(chain, Stage.SELECTION) == ("notApplicable", "notAuthored", None)
