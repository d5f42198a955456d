"""The facts of one session as one line of JSON."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from reporter.models.chain import Chain
from reporter.models.facts import CriterionFact, SessionFacts
from reporter.models.manifest import Attempt
from reporter.redaction import dump_masked
from reporter.vocabulary import tone_of

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def facts_line(facts: SessionFacts) -> str:
    """Write a session's facts as one compact line, without the line feed.

    Equal facts give equal text, and the text always encodes to UTF-8. Secrets that a recording
    has in names, titles and labels are masked.

    Rule: recording.md section 5; report.md section 2, last rule.
    """
    line = dump_masked(facts_object(facts), _compact)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", line)


def _compact(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def facts_object(facts: SessionFacts) -> dict[str, Any]:
    """Return a session's facts as a JSON object, keys in the order of the format.

    `turns` counts what the persona began, `signalTurns` gives the turn of each match,
    `tone` the tone of the disposition.

    Rule: recording.md section 5.
    """
    usage, report = facts.usage, facts.report
    return {
        "sessionId": facts.session_id,
        "runId": facts.run_id,
        "targetId": facts.target_id,
        "sessionIndex": facts.session_index,
        "persona": {"personaRefId": facts.persona_ref_id, "name": facts.persona_name},
        "goal": {"journeyRefId": facts.goal_id, "title": facts.goal_title},
        "attempt": None if facts.attempt is None else _attempt(facts.attempt),
        "lifecycle": facts.lifecycle,
        "messageCount": facts.message_count,
        "hasTranscript": facts.has_transcript,
        "started": facts.started,
        "neverRan": facts.never_ran,
        "readState": facts.read_state,
        "turns": facts.turns,
        "turnsUsed": facts.turns_used,
        "maxTurns": facts.max_turns,
        "endReason": facts.end_reason,
        "toolCalls": [
            {
                "toolCallId": call.tool_call_id,
                "toolName": call.tool_name,
                "turnIndex": call.turn_index,
                "caller": call.caller,
                "answeredBy": call.answered_by,
                "policyBlocked": call.policy_blocked,
                "error": call.error,
            }
            for call in facts.tool_calls
        ],
        "finishReasons": [
            {"turnIndex": step.turn_index, "stepNumber": step.step_number, "reason": step.reason}
            for step in facts.finish_reasons
        ],
        "usage": None
        if usage is None
        else {
            "inputTokens": usage.input_tokens,
            "outputTokens": usage.output_tokens,
            "totalTokens": usage.total_tokens,
        },
        "catalogComplete": facts.catalog_complete,
        "catalogTools": None if facts.catalog_tools is None else sorted(facts.catalog_tools),
        "connection": facts.connection,
        "verdict": facts.verdict.to_wire(),
        "chain": None if facts.chain is None else _chain(facts.chain, facts.chain_source),
        "signals": [match.signal for match in facts.signals],
        "signalKey": facts.signal_key,
        "signalTurns": {match.signal: match.turn_index for match in facts.signals},
        "friction": list(facts.friction),
        "disposition": facts.disposition,
        "tone": tone_of(facts.disposition),
        "report": None
        if report is None
        else {
            "account": report.account,
            "feeling": report.feeling,
            "goalReached": report.goal_reached,
        },
        "notes": list(facts.notes),
        "frictionSignals": None
        if facts.friction_signals is None
        else facts.friction_signals.to_wire(),
        "models": [
            {"provider": model.provider, "modelId": model.model_id} for model in facts.models
        ],
        "criteria": [_criterion(one) for one in facts.criteria],
    }


def _attempt(attempt: Attempt) -> Mapping[str, Any]:
    pairs = (
        ("errorCode", attempt.error_code),
        ("errorMessage", attempt.error_message),
        ("retryAfterMs", attempt.retry_after_ms),
    )
    return {
        "status": attempt.status,
        **{name: value for name, value in pairs if value is not None},
    }


def _criterion(fact: CriterionFact) -> Mapping[str, Any]:
    pairs = (
        ("label", fact.label),
        ("kind", fact.predicate_type),
        ("role", fact.role),
        ("outcome", fact.outcome),
        ("reason", fact.reason),
        ("inferred", fact.inferred),
    )
    return {
        "criterionId": fact.criterion_id,
        **{name: value for name, value in pairs if value is not None},
    }


def _chain(chain: Chain, source: str | None) -> Mapping[str, Any]:
    whole: dict[str, Any] = {
        "analyzerVersion": chain.analyzer_version,
        "source": source,
        "stages": [row.to_wire() for row in chain.rows],
    }
    if chain.first_failed_stage is not None:
        whole["firstFailedStage"] = chain.first_failed_stage.value
    if chain.failure_category is not None:
        whole["failureCategory"] = chain.failure_category.value
    return whole
