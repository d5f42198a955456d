# ruff: noqa: C901, PLR0911, PLR0912, PLR0917  naive on purpose: one rule after the other
"""What each session of a wave came to, worked out a second time, from the raw files alone.

Nothing of the package is used here, and nothing here is meant to be quick or complete: it
stands for the rules as somebody else reads them, so that a test can compare the two.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from second_chain import COUNTED, Chain, chain_of, does_stand, recorded_chain, server
from second_grades import graded, last, verdict_of

Json = dict[str, Any]

WITHDRAWALS = ("canceled", "stale_runner", "runner_shutdown", "run_timeout")
FINISH = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content-filter",
    "tool_calls": "tool-calls",
    "tool_use": "tool-calls",
    "function_call": "tool-calls",
}
SAME = (
    "sessionId",
    "lifecycle",
    "messageCount",
    "hasTranscript",
    "started",
    "neverRan",
    "readState",
    "turnsUsed",
    "toolCalls",
    "usage",
    "signals",
    "signalTurns",
    "friction",
    "disposition",
)
SIGNALS = ("outputTruncated", "hallucinatedTool", "toolErrored", "noToolCalled", "turnCapReached")


def opinions(folder: Path) -> list[Json]:
    """One opinion a slot, in slot order, of a wave in a folder."""
    wave = json.loads((folder / "wave.json").read_text("utf-8"))
    catalogs = {
        unquote(path.stem): json.loads(path.read_text("utf-8"))
        for path in (folder / "catalogs").glob("*.json")
    }
    for entry in wave.get("catalogs") or []:
        if "tools" in entry:
            catalogs[entry["catalogId"]] = entry
    found = []
    for slot in slots(wave):
        file = None
        for name in (slot["sessionId"], slot.get("documentId")):
            path = folder / "sessions" / f"{quote(name or '', safe='')}.jsonl"
            if file is None and name and path.exists():
                file = path.read_bytes()
        found.append(opinion(wave, slot, catalogs, file))
    return found


def slots(wave: Json) -> list[Json]:
    """Slots that count: the listed ones, then the planned ones that are not listed."""
    runs = {run["runId"]: run for run in reversed(wave["runs"])}
    targets = {target["targetId"] for target in wave["targets"]}
    kept: list[Json] = []
    ids, places = set(), set()
    for slot in wave["slots"]:
        place = (slot["runId"], slot["targetId"], slot["sessionIndex"])
        if slot["runId"] not in runs or slot["targetId"] not in targets:
            continue
        if not re.fullmatch(r"[A-Za-z0-9._:-]{1,200}", slot["sessionId"]):
            continue
        if slot["sessionId"] in ids or place in places:
            continue
        ids.add(slot["sessionId"])
        places.add(place)
        kept.append(slot)
    for run_id, run in ((run["runId"], run) for run in wave["runs"]):
        for target_id in run["targetIds"]:
            for index in range(run["sessionsPerTarget"]):
                if (run_id, target_id, index) in places or target_id not in targets:
                    continue
                places.add((run_id, target_id, index))
                text = json.dumps([run_id, target_id, index], separators=(",", ":"))
                digest = hashlib.sha256(text.encode()).hexdigest()
                kept.append(
                    {
                        "sessionId": f"missing:{digest[:16]}",
                        "runId": run_id,
                        "targetId": target_id,
                        "sessionIndex": index,
                        "attempt": None,
                        "recorded": False,
                    }
                )
    return kept


def loaded(file: bytes | None) -> tuple[list[Json], bool]:
    """The records before the first line that is no JSON, and whether there was one."""
    records = []
    for line in (file or b"").split(b"\n"):
        if line.strip():
            try:
                records.append(json.loads(line))
            except ValueError:
                return records, True
    return records, False


def parts(message: Json, kind: str) -> list[Json]:
    """The parts of one kind in a message."""
    content = message["content"]
    return [part for part in content if part["kind"] == kind] if isinstance(content, list) else []


def joined_calls(records: list[Json]) -> list[Json]:
    """Every call once, at the place of its first mention, with all its results."""
    calls: dict[str, Json] = {}
    results: dict[str, list[Json]] = {}
    for record in records:
        if record["type"] == "tool_call":
            call = calls.setdefault(record["toolCallId"], {})
            if not call.get("is_record"):
                call.update(
                    id=record["toolCallId"],
                    tool=record["toolName"],
                    turn=record["turnIndex"],
                    caller=record.get("caller") or "assistant",
                    is_record=True,
                )
        elif record["type"] == "tool_result":
            results.setdefault(record["toolCallId"], []).append(record)
        elif record["type"] == "message":
            for part in parts(record, "tool_call"):
                calls.setdefault(
                    part["toolCallId"],
                    {
                        "id": part["toolCallId"],
                        "tool": part["toolName"],
                        "turn": record["turnIndex"],
                        "caller": "persona" if record["role"] == "user" else "assistant",
                    },
                )
            for part in parts(record, "tool_result"):
                results.setdefault(part["toolCallId"], []).append(part)
            if (
                record["role"] == "tool"
                and record.get("toolCallId")
                and not parts(record, "tool_result")
            ):
                results.setdefault(record["toolCallId"], []).append({})
    for call in calls.values():
        answers = results.get(call["id"], [])
        codes = [one["mcpErrorCode"] for one in answers if one.get("mcpErrorCode") is not None]
        call["code"] = codes[0] if codes else None
        call["blocked"] = any(one.get("policyBlocked") is True for one in answers)
        call["answeredBy"] = (
            "client" if any(one.get("answeredBy") == "client" for one in answers) else "server"
        )
        call["answered"] = bool(answers)
        if call["blocked"] or call["answeredBy"] == "client":
            call["error"] = None
        elif not answers:
            call["error"] = "noResult"
        elif codes:
            call["error"] = "protocol"
        elif any(one.get("isError") is True or one.get("error") for one in answers):
            call["error"] = "isError"
        else:
            call["error"] = None
    return list(calls.values())


def refused(records: list[Json]) -> bool:
    """Whether the server under test refused, and did not answer later."""
    open_refusals = set()
    for record in records:
        if record["type"] != "connection":
            continue
        if record["outcome"] == "ok":
            open_refusals.discard(server(record))
        elif (
            record["outcome"] == "failed"
            and record["phase"] in ("connect", "initialize")
            and record.get("attributable") == "server"
        ):
            open_refusals.add(server(record))
    return bool(open_refusals)


def lifecycle_of(attempt: Json | None, *, has_transcript: bool) -> str:
    """Where an attempt stands."""
    if attempt is None or attempt["status"] == "pending":
        return "pending"
    if attempt["status"] == "running":
        return "running"
    if attempt.get("errorCode") in WITHDRAWALS:
        return "withdrawn"
    if attempt["status"] == "rate_limited" and not has_transcript:
        return "limited"
    return "ran" if attempt["status"] == "succeeded" else "broke"


def opinion(wave: Json, slot: Json, catalogs: Json, file: bytes | None) -> Json:
    """What one session came to."""
    run = next(one for one in wave["runs"] if one["runId"] == slot["runId"])
    target = next(one for one in wave["targets"] if one["targetId"] == slot["targetId"])
    records, damaged = loaded(file)
    messages = [one for one in records if one["type"] == "message" and one["role"] in COUNTED]
    count = len(messages)
    attempt = slot["attempt"] or last(records, "session_complete")
    lifecycle = lifecycle_of(attempt, has_transcript=count > 0)

    said = slot.get("messageCount")
    lost = count == 0 and (
        said > 0 if said is not None else bool(slot["recorded"] and (file is None or damaged))
    )
    started = count > 0 or (lifecycle != "limited" and (lost or refused(records)))
    never_ran = lifecycle in ("broke", "limited", "withdrawn") and count == 0 and not started
    read = None
    if started:
        read = "transcriptMissing" if damaged or (count == 0 and lost) else "read"

    calls = joined_calls(records)
    own = [call for call in calls if call["caller"] == "assistant"]
    steps = [one for one in records if one["type"] == "step_finish"]
    turns = {one["turnIndex"] for one in messages if one["role"] == "assistant"}
    turns |= {call["turn"] for call in own} | {one["turnIndex"] for one in steps}

    grades = graded(wave, run, records)
    verdict = verdict_of(lifecycle, attempt, grades, has_transcript=count > 0)
    offered = catalog_of(records, target, catalogs)
    signals = {}
    if read == "read":
        signals = signals_of(lifecycle, own, steps, turns, offered, target, run["maxTurns"])
    chain = None
    if started:
        chain = recorded_chain(records) or chain_of(
            lifecycle, records, calls, grades, target, offered
        )
    friction = friction_of(lifecycle, chain, signals, verdict) if started else []
    stands = {
        stage: started and does_stand(stage, chain or [], own, grades)
        for stage in ("call", "response")
    }
    return {
        "sessionId": slot["sessionId"],
        "lifecycle": lifecycle,
        "messageCount": count,
        "hasTranscript": count > 0,
        "started": started,
        "neverRan": never_ran,
        "readState": read,
        "turnsUsed": len(turns),
        "toolCalls": [
            {
                "toolCallId": call["id"],
                "toolName": call["tool"],
                "turnIndex": call["turn"],
                "caller": call["caller"],
                "answeredBy": call["answeredBy"],
                "policyBlocked": call["blocked"],
                "error": call["error"],
            }
            for call in calls
        ],
        "finishReasons": [normal(one.get("finishReason")) for one in steps],
        "usage": usage_of(steps),
        "refused": refused(records),
        "verdict": verdict,
        "chain": None if chain is None else [(row[0], row[1]) for row in chain],
        "reasons": None if chain is None else [row[2] for row in chain],
        "signals": [signal for signal in SIGNALS if signal in signals],
        "signalTurns": signals,
        "friction": friction,
        "disposition": disposition_of(
            started, verdict["verdict"], chain, stands, friction, refused(records)
        ),
    }


def normal(reason: Any) -> str | None:
    """A finish reason in the common spelling."""
    if not isinstance(reason, str) or not reason.strip():
        return None
    word = reason.strip().lower()
    return FINISH.get(word, word)


def usage_of(steps: list[Json]) -> Json | None:
    """Token sums; one missing part and there is no sum."""
    if not any(step.get("usage") for step in steps):
        return None
    sums: Json = {}
    for key in ("inputTokens", "outputTokens", "totalTokens"):
        found = [(step.get("usage") or {}).get(key) for step in steps]
        sums[key] = None if None in found else sum(one or 0 for one in found)
    return sums


def catalog_of(records: list[Json], target: Json, catalogs: Json) -> Json:
    """The tools that the session is judged by, and whether it listed them itself."""
    own = [one for one in records if one["type"] == "catalog"]
    named = catalogs.get(str(target.get("catalogId")))
    lists = [] if named is None else [(named["tools"], named.get("complete"))]
    if own:
        lists = [(tools_of(one, catalogs), one.get("complete")) for one in own]
    names = {tool["name"] for tools, _ in lists for tool in tools or []}
    known = [tools for tools, _ in lists if tools is not None]
    complete = bool(lists) and all(tools is not None and said is True for tools, said in lists)
    ready = last(records, "readiness") or {}
    none = ready.get("advertisedToolsKnown") is True and ready.get("advertisedToolCount") == 0
    empty = complete and not names if known else none
    return {"names": names, "complete": complete, "own": bool(own), "empty": empty}


def tools_of(record: Json, catalogs: Json) -> list[Json] | None:
    """The tools of a catalogue record, or nothing where nobody knows them."""
    if "tools" in record:
        return list(record["tools"])
    named = catalogs.get(str(record.get("catalogId")))
    return None if named is None else list(named["tools"])


def signals_of(
    lifecycle: str,
    own: list[Json],
    steps: list[Json],
    turns: set[int],
    offered: Json,
    target: Json,
    most: int | None,
) -> dict[str, int]:
    """Every signal that fires, with its turn."""
    found: dict[str, int] = {}

    def fire(signal: str, turns: Iterable[int]) -> None:
        for turn in turns:
            found.setdefault(signal, turn)

    fire(
        "outputTruncated",
        (one["turnIndex"] for one in steps if normal(one.get("finishReason")) == "length"),
    )
    if offered["complete"]:
        prefix = target.get("toolNamePrefix") or ""
        known = offered["names"] | set(target.get("builtInToolIds") or [])
        fire(
            "hallucinatedTool",
            (
                call["turn"]
                for call in own
                if call["tool"] not in known
                and call["tool"].removeprefix(prefix) not in offered["names"]
            ),
        )
    fire("toolErrored", (call["turn"] for call in own if call["error"] in ("isError", "protocol")))
    if lifecycle == "ran" and not own and not offered["empty"]:
        found["noToolCalled"] = 0
    if most is not None and len(turns) >= most:
        found["turnCapReached"] = max(turns)
    return found


def friction_of(
    lifecycle: str,
    chain: Chain | None,
    signals: dict[str, int],
    verdict: Json,
) -> list[str]:
    """Why a met goal was not met smoothly."""
    found = []
    if any(state == "failed" for _, state, _ in (chain or [])[:5]):
        found.append("stageFailed")
    found += [one for one in SIGNALS if one in signals and one != "noToolCalled"]
    if verdict["counts"]["advisoryFailed"] > 0:
        found.append("advisoryFailed")
    if lifecycle == "broke":
        found.append("executionInterrupted")
    return found


def disposition_of(
    started: bool,
    verdict: str,
    chain: Chain | None,
    stands: dict[str, bool],
    friction: list[str],
    was_refused: bool,
) -> str:
    """The session's one word."""
    if not started or chain is None:
        return "notRun"
    if chain[0][1] == "failed" and (was_refused or chain[0][2] == "connectFailed"):
        return "blockedConnecting"
    if verdict == "failed":
        first = next((stage for stage, state, _ in chain if state == "failed"), None)
        if first in ("discovery", "selection"):
            return "lostFindingTool"
        if first == "call" and stands["call"]:
            return "blockedCallingTool"
        if first in ("call", "response") and stands["response"]:
            return "blockedByResponse"
        return "goalMissed"
    if verdict == "passed":
        return "goalMetWithFriction" if friction else "goalMet"
    return "notMeasured"


def compared(facts: Json) -> Json:
    """The part of a line of facts that an opinion speaks of, in the same form."""
    verdict = dict(facts["verdict"])
    del verdict["contractVersion"]
    verdict["state"] = verdict.pop("grading")["state"]
    same = {key: facts[key] for key in SAME}
    chain = facts["chain"]
    return {
        **same,
        "finishReasons": [one["reason"] for one in facts["finishReasons"]],
        "refused": facts["connection"] == "failedServer",
        "verdict": verdict,
        "chain": None if chain is None else [(r["stage"], r["state"]) for r in chain["stages"]],
        "reasons": None if chain is None else [r.get("reason") for r in chain["stages"]],
    }


def differences(mine: Json, theirs: Json) -> Iterator[str]:
    """One line a field in which an opinion and the facts differ."""
    for key, value in mine.items():
        if theirs[key] != value:
            yield f"{mine['sessionId']}: {key}: second {value!r}, facts {theirs[key]!r}"
