# ruff: noqa: PLR0913  a record has that many fields
"""Recording one session: one line a record, flushed as it happens."""

import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, BinaryIO, Literal, Self

from reporter.models.manifest import Attempt, Run, Target
from reporter.models.records import (
    RECORD,
    Capture,
    CatalogRecord,
    ChainRecord,
    Connection,
    ConnectionFailure,
    Criteria,
    CriterionResult,
    EndReason,
    ErrorRecord,
    GoalJudge,
    Grading,
    Message,
    Part,
    Record,
    ResultSize,
    SelfReport,
    SessionComplete,
    SessionNotice,
    SessionStart,
    StepFinish,
    Tool,
    ToolCall,
    ToolResult,
    TurnFinish,
    TurnStart,
    Usage,
    WidgetRender,
)
from reporter.recording.encode import json_line, wire_object

Clock = Callable[[], int | None]
"""Gives epoch milliseconds, or None where no time is to be recorded."""

Role = Literal["user", "assistant", "system", "tool"]
Author = Literal["persona", "assistant", "client", "tool"]
Phase = Literal["connect", "initialize", "tools_list", "resources_list", "prompts_list"]
Attributable = Literal["server", "client", "network", "unknown"]
Inferred = dict[str, str]
Seen = Literal["complete", "partial", "absent"]

_AUTHOR: dict[Role, Author] = {
    "user": "persona",
    "assistant": "assistant",
    "system": "client",
    "tool": "tool",
}


class SessionRecorder:
    """Appends the records of one session; made by `WaveRecorder.session`.

    Every method writes one record with the next `seq`. `at` is when it happened, by
    default now. A session that is closed without `complete` has no outcome of its own.
    """

    def __init__(self, session_id: str, stream: BinaryIO, clock: Clock) -> None:
        self.session_id = session_id
        self.message_count = 0
        """Messages written so far, system messages not counted."""
        self.outcome: Attempt | None = None
        """What `complete` said, or None."""
        self._stream = stream
        self._clock = clock
        self._lock = threading.Lock()
        self._seq = 0
        self._index = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        """True when nothing more can be recorded."""
        return self._stream.closed

    def close(self) -> None:
        """End the file; closing twice does nothing."""
        with self._lock:
            self._stream.close()

    def append(self, record: Record | Mapping[str, Any]) -> int:
        """Write one record of any type.

        Args:
            record: A record, or its JSON object. `seq`, and a message's `index`, are given
                here whatever it says; without `at` it gets the time.

        Returns:
            The record's `seq`, or a message's `index`, which citations point at.

        Raises:
            pydantic.ValidationError: The object is no record.
            ValueError: The session is closed.
        """
        if isinstance(record, Mapping):
            given = {"index": 0} if record.get("type") == "message" else {}
            record = RECORD.validate_python({**record, **given, "seq": 0})
        line = wire_object(record, masked=True)
        with self._lock:
            line["seq"] = self._seq
            if line["at"] is None:
                line["at"] = self._clock()
            place = self._seq
            if isinstance(record, Message):
                place = line["index"] = self._index
            self._stream.write(json_line(line))
            self._stream.flush()
            self._seq += 1
            if isinstance(record, Message):
                self._index += 1
                self.message_count += record.role != "system"
            if isinstance(record, SessionComplete):
                self.outcome = Attempt(
                    status=record.status,
                    error_code=record.error_code,
                    error_message=record.error_message,
                )
        return place

    def start(self, *, run: Run, target: Target, session_index: int, at: int | None = None) -> int:
        """Write `session_start`; `WaveRecorder.session` has done so already."""
        return self.append(
            SessionStart(
                seq=0,
                at=at,
                run_id=run.run_id,
                target_id=target.target_id,
                session_index=session_index,
                persona_name=run.persona_name,
                model_id=target.model_id,
                max_turns=run.max_turns,
            )
        )

    def message(
        self,
        role: Role,
        content: str | Sequence[Part],
        *,
        turn_index: int,
        author: Author | None = None,
        tool_call_id: str | None = None,
        truncated: bool | None = None,
        inferred: Inferred | None = None,
        at: int | None = None,
    ) -> int:
        """Write a message and return its index.

        Args:
            role: Whose message it is in the conversation.
            content: Text, or parts in order.
            turn_index: The turn, from zero; a turn begins with a message of the persona.
            author: Who really wrote it; by default the one that fits the role.
            tool_call_id: The call that a `tool` message answers.
            truncated: True when text was cut off here.
            inferred: Fields that were not observed as such, each with its rule.
            at: When.
        """
        return self.append(
            Message(
                seq=0,
                at=at,
                index=0,
                turn_index=turn_index,
                role=role,
                author=author or _AUTHOR[role],
                content=content if isinstance(content, str) else list(content),
                tool_call_id=tool_call_id,
                truncated=truncated,
                inferred=inferred,
            )
        )

    def turn_start(
        self, turn_index: int, prompt: str | None = None, *, at: int | None = None
    ) -> int:
        """Write that a turn began."""
        return self.append(TurnStart(seq=0, at=at, turn_index=turn_index, prompt=prompt))

    def turn_finish(self, turn_index: int, *, at: int | None = None) -> int:
        """Write that a turn ended."""
        return self.append(TurnFinish(seq=0, at=at, turn_index=turn_index))

    def step_finish(
        self,
        step_number: int,
        *,
        turn_index: int,
        finish_reason: str | None = None,
        usage: Usage | None = None,
        model_id: str | None = None,
        provider: str | None = None,
        response_id: str | None = None,
        ttfc_ms: float | None = None,
        at: int | None = None,
    ) -> int:
        """Write that one step of the assistant's model ended, and why."""
        return self.append(
            StepFinish(
                seq=0,
                at=at,
                turn_index=turn_index,
                step_number=step_number,
                finish_reason=finish_reason,
                usage=usage,
                model_id=model_id,
                provider=provider,
                response_id=response_id,
                ttfc_ms=ttfc_ms,
            )
        )

    def tool_call(
        self,
        tool_call_id: str,
        tool_name: str,
        args: Mapping[str, Any],
        *,
        turn_index: int,
        step_index: int | None = None,
        server_id: str | None = None,
        args_invalid: bool | None = None,
        caller: Literal["assistant", "persona"] | None = None,
        at: int | None = None,
    ) -> int:
        """Write a tool call; its id is unique within the session."""
        return self.append(
            ToolCall(
                seq=0,
                at=at,
                turn_index=turn_index,
                step_index=step_index,
                tool_call_id=tool_call_id,
                tool_name=tool_name,
                args=dict(args),
                server_id=server_id,
                args_invalid=args_invalid,
                caller=caller,
            )
        )

    def tool_result(
        self,
        tool_call_id: str,
        result: Any = None,  # noqa: ANN401  any JSON value
        *,
        is_error: bool | None = None,
        mcp_error_code: int | None = None,
        error: str | None = None,
        truncated: bool | None = None,
        duration_ms: float | None = None,
        timing: Literal["span", "evidence"] | None = None,
        size: ResultSize | None = None,
        raw_bytes: int | None = None,
        policy_blocked: bool | None = None,
        answered_by: Literal["server", "client"] | None = None,
        inferred: Inferred | None = None,
        at: int | None = None,
    ) -> int:
        """Write what came back for a call."""
        return self.append(
            ToolResult(
                seq=0,
                at=at,
                tool_call_id=tool_call_id,
                result=result,
                is_error=is_error,
                mcp_error_code=mcp_error_code,
                error=error,
                truncated=truncated,
                duration_ms=duration_ms,
                timing=timing,
                size=size,
                raw_bytes=raw_bytes,
                policy_blocked=policy_blocked,
                answered_by=answered_by,
                inferred=inferred,
            )
        )

    def connection(
        self,
        phase: Phase,
        outcome: Literal["ok", "failed", "skipped"],
        *,
        server_id: str | None = None,
        server_name: str | None = None,
        error: ConnectionFailure | None = None,
        attributable: Attributable = "unknown",
        egress_verified: bool | None = None,
        duration_ms: float | None = None,
        at: int | None = None,
    ) -> int:
        """Write how one phase of reaching one server came out, and whose doing a failure was."""
        return self.append(
            Connection(
                seq=0,
                at=at,
                phase=phase,
                outcome=outcome,
                server_id=server_id,
                server_name=server_name,
                error=error,
                attributable=attributable,
                egress_verified=egress_verified,
                duration_ms=duration_ms,
            )
        )

    def catalog(
        self,
        *,
        complete: bool,
        catalog_id: str | None = None,
        tools: Sequence[Tool] | None = None,
        server_id: str | None = None,
        view: Literal["model", "raw"] | None = None,
        at: int | None = None,
    ) -> int:
        """Write the tools that were listed, in line or by the id of a catalogue."""
        return self.append(
            CatalogRecord(
                seq=0,
                at=at,
                catalog_id=catalog_id,
                tools=None if tools is None else list(tools),
                complete=complete,
                server_id=server_id,
                view=view,
            )
        )

    def notice(
        self, kind: str, message: str, *, tool_id: str | None = None, at: int | None = None
    ) -> int:
        """Write something the runner had to say, such as `tool_suppressed`."""
        return self.append(SessionNotice(seq=0, at=at, kind=kind, message=message, tool_id=tool_id))

    def error(
        self,
        message: str,
        *,
        details: Any = None,  # noqa: ANN401  any JSON value
        turn_index: int | None = None,
        code: int | str | None = None,
        at: int | None = None,
    ) -> int:
        """Write an error of the runner."""
        return self.append(
            ErrorRecord(
                seq=0, at=at, message=message, details=details, turn_index=turn_index, code=code
            )
        )

    def capture(
        self,
        *,
        tool_results: Seen | None = None,
        tool_call_timings: Seen | None = None,
        tool_inventory: Seen | None = None,
        tool_declarations: Seen | None = None,
        at: int | None = None,
    ) -> int:
        """Write how much of the session the recorder could see."""
        return self.append(
            Capture(
                seq=0,
                at=at,
                tool_results=tool_results,
                tool_call_timings=tool_call_timings,
                tool_inventory=tool_inventory,
                tool_declarations=tool_declarations,
            )
        )

    def widget_render(
        self,
        tool_name: str,
        status: str,
        *,
        elapsed_ms: float | None = None,
        console_errors: Sequence[str] | None = None,
        tool_call_id: str | None = None,
        server_id: str | None = None,
        at: int | None = None,
    ) -> int:
        """Write that a widget was rendered, or was not."""
        return self.append(
            WidgetRender(
                seq=0,
                at=at,
                tool_name=tool_name,
                status=status,
                elapsed_ms=elapsed_ms,
                console_errors=None if console_errors is None else list(console_errors),
                tool_call_id=tool_call_id,
                server_id=server_id,
            )
        )

    def goal_judge(
        self,
        status: Literal["running", "completed", "failed"],
        *,
        passed: bool | None = None,
        score: float | None = None,
        threshold: float | None = None,
        reason: str | None = None,
        model: str | None = None,
        error: str | None = None,
        at: int | None = None,
    ) -> int:
        """Write the judge's word on the goal; the last one counts."""
        return self.append(
            GoalJudge(
                seq=0,
                at=at,
                status=status,
                passed=passed,
                score=score,
                threshold=threshold,
                reason=reason,
                model=model,
                error=error,
            )
        )

    def criteria(
        self,
        status: Literal["pending", "completed", "failed"],
        results: Sequence[CriterionResult] | None = None,
        *,
        criterion_ids: Sequence[str] | None = None,
        generation: int | None = None,
        graded_at: int | None = None,
        at: int | None = None,
    ) -> int:
        """Write the results of the run's checks; the last record counts."""
        return self.append(
            Criteria(
                seq=0,
                at=at,
                status=status,
                generation=generation,
                criterion_ids=None if criterion_ids is None else list(criterion_ids),
                results=None if results is None else list(results),
                graded_at=graded_at,
            )
        )

    def grading(
        self,
        state: Literal["notRequested", "queued", "running", "settled", "unavailable"],
        *,
        reason_code: str | None = None,
        at: int | None = None,
    ) -> int:
        """Write how far grading got; the last record counts."""
        return self.append(Grading(seq=0, at=at, state=state, reason_code=reason_code))

    def self_report(
        self,
        account: str,
        *,
        feeling: str | None = None,
        goal_reached: Literal["yes", "no", "partly", "unknown"] | None = None,
        turn_index: int | None = None,
        at: int | None = None,
    ) -> int:
        """Write the persona's own account; the last one counts."""
        return self.append(
            SelfReport(
                seq=0,
                at=at,
                account=account,
                feeling=feeling,
                goal_reached=goal_reached,
                turn_index=turn_index,
            )
        )

    def chain(
        self,
        analyzer_version: int,
        stages: Sequence[Mapping[str, Any]],
        *,
        at: int | None = None,
    ) -> int:
        """Write a chain that was derived elsewhere, six stage rows in stage order."""
        return self.append(
            ChainRecord(
                seq=0,
                at=at,
                analyzer_version=analyzer_version,
                stages=[dict(row) for row in stages],
            )
        )

    def complete(
        self,
        status: Literal["succeeded", "failed", "rate_limited"],
        *,
        end_reason: EndReason = "unknown",
        error_code: str | None = None,
        error_message: str | None = None,
        turns_used: int | None = None,
        at: int | None = None,
    ) -> int:
        """Write how the session ended; the slot's attempt follows unless it is set otherwise."""
        return self.append(
            SessionComplete(
                seq=0,
                at=at,
                status=status,
                end_reason=end_reason,
                error_code=error_code,
                error_message=error_message,
                turns_used=turns_used,
            )
        )
