# ruff: noqa: C901, PLR0912, PLR0915, PLR0917  naive on purpose: one rule after the other
"""The six stages of a session, worked out a second time."""

from itertools import zip_longest
from typing import Any

from second_grades import last

Json = dict[str, Any]
Chain = list[tuple[str, str, str | None]]

STAGES = ("connection", "discovery", "selection", "call", "response", "userValue")
STATES = ("passed", "failed", "notReached", "notMeasured", "notApplicable")
COUNTED = ("user", "assistant", "tool")
SELECTION = {
    "toolCalledAtLeastOnce": "missingToolCall",
    "firstToolWas": "unexpectedToolCall",
    "toolNeverCalled": "unexpectedToolCall",
    "onlyToolsCalled": "unexpectedToolCall",
    "toolCallCountUnder": "unexpectedToolCall",
    "toolCalledBefore": "unexpectedToolCall",
    "noDeprecatedToolCalled": "unexpectedToolCall",
    "noDestructiveToolCalled": "unexpectedToolCall",
}
CALL = ("argumentsMatchToolSchema", "noRepeatedIdenticalCall", "toolInputMatches")
RESPONSE = (
    "noToolErrors",
    "toolLatencyUnder",
    "toolResultContains",
    "toolResultMatches",
    "toolResultMatchesSchema",
    "toolResultSizeUnder",
    "toolErrorNamesInput",
    "fullPageHasContinuation",
)
DISCOVERY = (
    "toolDescriptionsPresent",
    "toolAnnotationsPresent",
    "toolNamesUnique",
    "noDeprecatedToolExposed",
    "toolInputSchemasWellFormed",
    "toolOutputSchemasPresent",
)
USER_VALUE = (
    "toolCalledWith",
    "responseContains",
    "responseMatches",
    "responseCloseTo",
    "finalAssistantMessageNonEmpty",
    "tokenBudgetUnder",
    "turnCountUnder",
    "widgetRendered",
    "widgetRenderLatencyUnder",
    "widgetNoConsoleErrors",
    "noEndingQuestion",
)
ERROR_REASONS = ("protocolError", "toolError", None)


def server(record: Json) -> str | None:
    """Which server a connection record speaks of."""
    return record.get("serverId") or record.get("serverName")


def is_span(call: Json) -> bool:
    """Whether a call is evidence about a server."""
    return (
        call["caller"] == "assistant"
        and call["answered"]
        and not call["blocked"]
        and call["answeredBy"] == "server"
    )


def recorded_chain(records: list[Json]) -> Chain | None:
    """The chain on record, where it is sound and no newer than version 11."""
    record = last(records, "chain")
    if record is None:
        return None
    version, rows = record.get("analyzerVersion"), record.get("stages")
    if type(version) is not int or not 0 <= version <= 11:
        return None
    if not isinstance(rows, list) or [row.get("stage") for row in rows] != list(STAGES):
        return None
    if any(row.get("state") not in STATES for row in rows):
        return None
    return [(row["stage"], row["state"], row.get("reason")) for row in rows]


def setup_signal(records: list[Json], phases: tuple[str, ...], target: Json) -> Json | None:
    """What connecting, or listing tools, came to over all servers."""
    final: dict[str | None, Json] = {}
    for record in records:
        is_told = record["type"] == "connection" and record["phase"] in phases
        if is_told and record["outcome"] != "skipped":
            final[server(record)] = record
    failed = [one for one in final.values() if one["outcome"] == "failed"]
    if not final:
        return None
    if failed:
        blamed = [one for one in failed if one.get("attributable") == "server"]
        ours = all(one.get("attributable") == "client" for one in failed)
        return {
            "outcome": "failed",
            "attribution": "theirs" if blamed else "ours" if ours else "unknown",
            "verified": any(one.get("egressVerified") is True for one in blamed),
        }
    ids, names = target.get("serverIds") or [], target.get("serverNames") or []
    named = list(zip_longest(ids, names))
    if len(named) > 1 and not all(set(one) & set(final) for one in named):
        return None
    return {"outcome": "ok"}


def chain_of(
    lifecycle: str,
    records: list[Json],
    calls: list[Json],
    grades: Json,
    target: Json,
    offered: Json,
) -> Chain:
    """Six rows of stage, state and reason, for a session that somebody asked something in."""
    if lifecycle == "withdrawn":
        return [(stage, "notMeasured", "lifecycleStopped") for stage in STAGES]
    spans = [call for call in calls if is_span(call)]
    messages = [one for one in records if one["type"] == "message" and one["role"] in COUNTED]
    absent = not messages and not calls
    nothing = ("notMeasured", "traceAbsent" if absent else "noEvidenceCaptured")
    ready = last(records, "readiness") or {}
    if ready.get("advertisedToolsKnown") is True:
        tools = (ready.get("advertisedToolCount") or 0) > 0
    else:
        tools = offered["own"] and offered["complete"] and bool(offered["names"])

    rows = []
    results = grades["results"]
    for key, entry in grades["rubric"].items():
        if key in results:
            kind = (entry.get("predicate") or {}).get("type")
            route = (
                "selection"
                if kind in SELECTION
                else "call"
                if kind in CALL
                else "response"
                if kind in RESPONSE
                else None
                if kind in DISCOVERY
                else "userValue"
            )
            rows.append({**results[key], "kind": kind, "route": route, "role": entry["role"]})
    errored, judge = False, None
    required, score, criteria = grades["required"], grades["score"], grades["criteria"]
    if grades["decisive"]:
        listed = (*SELECTION, *CALL, *RESPONSE, *DISCOVERY, *USER_VALUE)
        rows = [
            row
            for row in rows
            if not row["passed"]
            or row.get("status") == "error"
            or row["route"] != "userValue"
            or (row["kind"] is not None and row["kind"] not in listed)
        ]
        if score is None:
            judge = ("notMeasured", "judgeNotRequested")
        elif score["status"] == "running":
            judge = ("notMeasured", "judgePending")
        elif score["status"] == "failed":
            judge = ("notMeasured", "evaluatorError")
        elif score["passed"]:
            judge = ("passed", "judgeObserved")
        else:
            judge = ("failed", "judgeFailed")
    spoken = judge
    if criteria == "failed" and required:
        errored = True
    if required:
        gates = [
            {**result, "role": "required"}
            for key, result in grades["results"].items()
            if grades["rubric"][key]["role"] == "required"
        ]
        failed = any(one.get("status") != "error" and not one["passed"] for one in gates)
        if not failed and criteria != "failed":
            if criteria in (None, "pending"):
                judge = ("notMeasured", "judgePending")
                rows = [row for row in rows if row["passed"] is False]
            elif len(gates) < len(required) or any(one.get("status") == "error" for one in gates):
                errored = True
    if grades["decisive"] and spoken == ("failed", "judgeFailed"):
        errored, judge = False, spoken
    rows = [row for row in rows if row["role"] == "required" and row.get("status") != "error"]

    def routed(stage: str) -> list[Json]:
        return [row for row in rows if row["route"] == stage]

    def fallen(stage: str) -> list[Json]:
        return [row for row in routed(stage) if not row["passed"]]

    coded = [span for span in spans if span["code"] is not None]
    domain = [span for span in spans if span["code"] is None and span["error"]]
    reached = [span for span in spans if span["code"] not in (-32000, -32001)]
    connect = setup_signal(records, ("connect", "initialize"), target)
    listing = setup_signal(records, ("tools_list",), target)

    if connect is not None and connect["outcome"] == "ok":
        connection = ("passed", "observed")
    elif reached or tools:
        connection = ("passed", "impliedByLaterEvidence")
    elif connect is not None and connect["attribution"] == "theirs" and connect["verified"]:
        connection = ("failed", "connectFailed")
    elif connect is not None:
        ours = connect["attribution"] == "ours"
        connection = ("notMeasured", "setupAborted" if ours else "egressUnverified")
    else:
        connection = nothing
    if (listing is not None and listing["outcome"] == "ok") or tools:
        discovery = ("passed", "observed")
    elif spans:
        discovery = ("passed", "impliedByLaterEvidence")
    elif listing is not None and listing["attribution"] == "ours":
        discovery = ("notMeasured", "setupAborted")
    elif listing is not None:
        known = connect is not None and connect["outcome"] == "ok"
        theirs = listing["attribution"] == "theirs"
        discovery = (
            ("failed", "toolsListFailed")
            if theirs and known
            else ("notMeasured", "egressUnverified")
        )
    else:
        discovery = nothing
    if fallen("selection"):
        words = {SELECTION[row["kind"]] for row in fallen("selection")}
        word = "missingToolCall" if "missingToolCall" in words else "unexpectedToolCall"
        selection = ("failed", word)
    elif routed("selection"):
        selection = ("passed", "observed")
    elif spans and not absent:
        selection = ("notMeasured", "matchVerdictUnavailable")
    else:
        selection = nothing
    if fallen("call"):
        call = ("failed", "argumentMismatch")
    elif coded:
        call = ("failed", "protocolError")
    elif spans or routed("call"):
        call = ("passed", "observed")
    else:
        call = nothing
    if domain:
        response = ("failed", "toolError")
    elif fallen("response"):
        response = ("failed", "predicateFailed")
    elif len(spans) > len(coded) or routed("response"):
        response = ("passed", "observed")
    else:
        response = nothing
    upstream = [connection, discovery, selection, call, response]
    if any(state == "failed" for state, _ in upstream):
        judge = None
    if errored:
        value = ("notMeasured", "evaluatorError")
    elif fallen("userValue"):
        value = ("failed", "predicateFailed")
    elif routed("userValue"):
        value = ("passed", "observed")
    elif absent:
        value = ("notMeasured", "traceAbsent")
    else:
        value = judge or ("notMeasured", "noEvidenceCaptured")
    chain: Chain = []
    broken = False
    for stage, (state, reason) in zip(STAGES, [*upstream, value], strict=True):
        if broken and state == "notMeasured":
            chain.append((stage, "notReached", "earlierStageFailed"))
        else:
            chain.append((stage, state, reason))
        broken = broken or state == "failed"
    return chain


def does_stand(stage: str, chain: Chain, own: list[Json], grades: Json) -> bool:
    """Whether nothing explains a failed call or response stage away."""
    row = next(one for one in chain if one[0] == stage)
    if row[1] != "failed":
        return False
    kinds = CALL if stage == "call" else RESPONSE
    results = grades["results"]
    for key in grades["required"]:
        kind = (grades["rubric"][key].get("predicate") or {}).get("type")
        result = results.get(key)
        if kind in kinds and result and result.get("status") != "error" and not result["passed"]:
            return True
    if row[2] not in ERROR_REASONS:
        return True
    spans = [call for call in own if is_span(call)]
    errored = [
        (place, span)
        for place, span in enumerate(spans)
        if span["error"] and (span["code"] is not None) is (stage == "call")
    ]
    return not errored or any(
        not any(
            later["tool"] == span["tool"] and not later["error"] for later in spans[place + 1 :]
        )
        for place, span in errored
    )
