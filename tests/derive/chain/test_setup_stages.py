from typing import Any

import pytest
from chain_cases import EXPECTING, Json, derive, outcome, span

from reporter.vocabulary import Stage

IMPLIED = "impliedByLaterEvidence"
LISTED: Json = {"toolSignals": {"toolsTotalBefore": 3}}
LOCAL = span("local", mcpErrorCode=-32000)
SIX = [f"run-connect-{number}" for number in range(6)]


def signal(outcome: str, attribution: str | None = None, **more: Any) -> Json:
    named = {} if attribution is None else {"attribution": attribution}
    return {"outcome": outcome, **named, **more}


def connecting(*args: Any, **more: Any) -> Json:
    return {"setupSignals": {"connection": signal(*args, **more)}}


def listing(*args: Any, connection: Json | None = None, **more: Any) -> Json:
    phases = {"discovery": signal(*args, **more)}
    if connection is not None:
        phases["connection"] = connection
    return {"setupSignals": phases}


CONNECTION = [
    # line 1
    (connecting("ok"), "passed", "observed", None),
    (connecting("ok", spanIds=["run-connect-a"]), "passed", "observed", ["run-connect-a"]),
    (connecting("ok", spanIds=SIX), "passed", "observed", SIX[:5]),
    (connecting("ok") | {"spans": [span()]}, "passed", "observed", None),
    # line 2
    ({"spans": [span()]}, "passed", IMPLIED, ["s1"]),
    ({"spans": [span(status="error")]}, "passed", IMPLIED, ["s1"]),
    ({"spans": [span(mcpErrorCode=-32603)]}, "passed", IMPLIED, ["s1"]),
    ({"spans": [LOCAL, span()]}, "passed", IMPLIED, ["s1"]),
    ({"spans": [span(None)]}, "passed", IMPLIED, []),
    (
        connecting("failed", "theirs", egressVerified=True) | {"spans": [span()]},
        "passed",
        IMPLIED,
        ["s1"],
    ),
    # line 3
    (LISTED, "passed", IMPLIED, None),
    (LISTED | {"spans": [LOCAL]}, "passed", IMPLIED, None),
    (connecting("failed", "theirs", egressVerified=True) | LISTED, "passed", IMPLIED, None),
    # line 4
    (connecting("failed", "theirs", egressVerified=True), "failed", "connectFailed", None),
    (
        connecting("failed", "theirs", egressVerified=True, spanIds=SIX) | {"spans": [LOCAL]},
        "failed",
        "connectFailed",
        SIX[:5],
    ),
    # line 5
    (connecting("failed", "theirs"), "notMeasured", "egressUnverified", None),
    (connecting("failed", "theirs", egressVerified=False), "notMeasured", "egressUnverified", None),
    (connecting("failed", "theirs", egressVerified=1), "notMeasured", "egressUnverified", None),
    (connecting("failed", "unknown", egressVerified=True), "notMeasured", "egressUnverified", None),
    (connecting("failed", egressVerified=True), "notMeasured", "egressUnverified", None),
    (connecting("failed", "theirs", spanIds=["a"]), "notMeasured", "egressUnverified", ["a"]),
    # line 6
    (connecting("failed", "ours"), "notMeasured", "setupAborted", None),
    (connecting("failed", "ours", spanIds=["a"]), "notMeasured", "setupAborted", ["a"]),
    (connecting("failed", "somebody"), "notMeasured", "setupAborted", None),
    (connecting("failed", "ours") | {"traceAbsent": True}, "notMeasured", "setupAborted", None),
    # line 7
    ({"traceAbsent": True}, "notMeasured", "traceAbsent", None),
    ({"traceAbsent": True, "spans": [LOCAL]}, "notMeasured", "traceAbsent", None),
    # line 8
    ({}, "notMeasured", "noEvidenceCaptured", None),
    ({"spans": []}, "notMeasured", "noEvidenceCaptured", None),
    ({"spans": [LOCAL]}, "notMeasured", "noEvidenceCaptured", None),
    ({"spans": [span(mcpErrorCode=-32001)]}, "notMeasured", "noEvidenceCaptured", None),
    ({"spans": [span(category="llm")]}, "notMeasured", "noEvidenceCaptured", None),
    ({"toolSignals": {"toolsTotalBefore": 0}}, "notMeasured", "noEvidenceCaptured", None),
    ({"toolSignals": {"toolsTotalBefore": True}}, "notMeasured", "noEvidenceCaptured", None),
    ({"toolSignals": {"toolsExposed": 3}}, "notMeasured", "noEvidenceCaptured", None),
    ({"traceLacksSpanChannel": True}, "notMeasured", "noEvidenceCaptured", None),
    (listing("ok"), "notMeasured", "noEvidenceCaptured", None),
]

DISCOVERY = [
    # line 1
    (listing("ok"), "passed", "observed", None),
    (listing("ok", spanIds=["run-toolslist-a"]), "passed", "observed", ["run-toolslist-a"]),
    (listing("ok") | {"spans": [span()]}, "passed", "observed", None),
    # line 2
    (LISTED, "passed", "observed", None),
    (LISTED | {"spans": [span()]}, "passed", "observed", None),
    (listing("failed", "theirs") | LISTED, "passed", "observed", None),
    # line 3
    ({"spans": [span()]}, "passed", IMPLIED, ["s1"]),
    ({"spans": [LOCAL]}, "passed", IMPLIED, ["local"]),
    (listing("failed", "ours") | {"spans": [LOCAL]}, "passed", IMPLIED, ["local"]),
    # line 4
    (listing("failed", "theirs", connection=signal("ok")), "failed", "toolsListFailed", None),
    (
        listing("failed", "theirs", connection=signal("ok"), spanIds=SIX, egressVerified=False),
        "failed",
        "toolsListFailed",
        SIX[:5],
    ),
    # line 5
    (listing("failed", "ours"), "notMeasured", "setupAborted", None),
    (
        listing("failed", "ours", connection=signal("ok"), spanIds=["a"]),
        "notMeasured",
        "setupAborted",
        ["a"],
    ),
    # line 6
    (listing("failed", "theirs"), "notMeasured", "egressUnverified", None),
    (
        listing("failed", "theirs", connection=signal("failed", "theirs")),
        "notMeasured",
        "egressUnverified",
        None,
    ),
    (listing("failed", "theirs", egressVerified=True), "notMeasured", "egressUnverified", None),
    (listing("failed", "unknown"), "notMeasured", "egressUnverified", None),
    (listing("failed", spanIds=["a"]), "notMeasured", "egressUnverified", ["a"]),
    (
        listing("failed", "somebody", connection=signal("ok")),
        "notMeasured",
        "egressUnverified",
        None,
    ),
    (listing("failed") | {"traceAbsent": True}, "notMeasured", "egressUnverified", None),
    # line 7
    ({"traceAbsent": True}, "notMeasured", "traceAbsent", None),
    # line 8
    ({}, "notMeasured", "noEvidenceCaptured", None),
    ({"spans": [span(category="llm")]}, "notMeasured", "noEvidenceCaptured", None),
    ({"traceLacksSpanChannel": True}, "notMeasured", "noEvidenceCaptured", None),
]


@pytest.mark.parametrize(("evidence", "state", "reason", "span_ids"), CONNECTION)
def test_connection_follows_its_table(
    evidence: Json, state: str, reason: str, span_ids: list[str] | None
) -> None:
    expected = None if span_ids is None else {"spanIds": span_ids}
    assert outcome(derive(evidence), Stage.CONNECTION) == (state, reason, expected)


@pytest.mark.parametrize(("evidence", "state", "reason", "span_ids"), DISCOVERY)
def test_discovery_follows_its_table(
    evidence: Json, state: str, reason: str, span_ids: list[str] | None
) -> None:
    expected = None if span_ids is None else {"spanIds": span_ids}
    assert outcome(derive(evidence), Stage.DISCOVERY) == (state, reason, expected)


def test_connection_and_discovery_apply_to_every_case() -> None:
    nothing: Json = {"mode": "model_free"}
    for authored in (nothing, EXPECTING):
        chain = derive({}, authored)
        assert outcome(chain, Stage.CONNECTION)[0] == "notMeasured"
        assert outcome(chain, Stage.DISCOVERY)[0] == "notMeasured"
