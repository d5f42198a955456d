"""Analyzer inputs in wire form, and what they come to: a case names only what it is about."""

from typing import Any

from reporter.derive.chain import derive_chain
from reporter.derive.chain.wire import chain_input_from_wire
from reporter.models.chain import Chain
from reporter.vocabulary import Stage

Json = dict[str, Any]

EXPECTING: Json = {"mode": "model_driven", "expectsToolCall": True, "assertionCount": 1}
"""A case that expects a call and asserts one thing, so that all six stages apply."""

CHAT: Json = {
    "mode": "model_driven",
    "expectsToolCall": False,
    "expectsWidgetRender": False,
    "assertionCount": 0,
    "hasUserAsk": True,
    "toolExpectation": "open",
}
"""What every chat session that somebody asked something in is taken for."""


def span(span_id: str | None = "s1", **more: Any) -> Json:
    """An ok tool span, unless said otherwise."""
    named: Json = {} if span_id is None else {"id": span_id}
    return {**named, "category": "tool", "status": "ok", "toolName": "find_book", **more}


def turn(index: int | None = 0, **more: Any) -> Json:
    """A turn that met its expectations, unless said otherwise."""
    named: Json = {} if index is None else {"promptIndex": index}
    return {**named, "expectedToolCalls": [{"toolName": "find_book"}], "passed": True, **more}


def check(
    kind: str | None = None, *, passed: bool = True, reason: str | None = None, **more: Any
) -> Json:
    """One predicate row; `role` goes into its predicate."""
    row: Json = {"passed": passed}
    if reason is not None:
        row["reason"] = reason
    predicate = {} if kind is None else {"type": kind}
    if "role" in more:
        predicate["role"] = more.pop("role")
    if predicate:
        row["predicate"] = predicate
    return {**row, **more}


def derive(
    evidence: Json,
    authored: Json | None = None,
    status: str = "completed",
    policy: Json | None = None,
) -> Chain:
    """Derive a chain from wire JSON."""
    record: Json = {
        "authored": EXPECTING if authored is None else authored,
        "evidence": evidence,
        "iteration": {"status": status},
    }
    if policy is not None:
        record["policy"] = policy
    return derive_chain(chain_input_from_wire(record))


def outcome(chain: Chain, stage: Stage) -> tuple[str, str, Json | None]:
    """State, reason and evidence of one stage, in wire words."""
    wire = chain.row(stage).to_wire()
    return wire["state"], wire["reason"], wire.get("evidence")


def states(chain: Chain) -> list[str]:
    """`state/reason` of each stage, in order."""
    return [f"{row.state.value}/{row.reason.value}" for row in chain.rows if row.reason is not None]
