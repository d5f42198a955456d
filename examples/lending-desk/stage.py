"""One session on its way: plays the lines, asks the server, records what comes of both."""

import time
from dataclasses import dataclass, field

from cast import MODEL, SERVER_ID, Seat
from grading import JUDGE, JUDGES, Answered, Evidence, Undecided, graded
from host import NOT_FROM_SERVER, answers_elsewhere, list_every_tool
from mcp import ClientSession, MCPError
from script import Calls, Line, Play, Replies, Reports, Says, Withdrawn

from reporter.canonical import canonical_digest
from reporter.models.manifest import Attempt
from reporter.models.records import ConnectionFailure, EndReason
from reporter.recording.recorder import WaveRecorder
from reporter.recording.session_recorder import SessionRecorder


class OffScript(Exception):  # noqa: N818  the script is out of date, nothing else is wrong
    """The server did something that the play does not go on from."""


def since(began: float) -> float:
    """Return the milliseconds that went by."""
    return round((time.perf_counter() - began) * 1000, 1)


@dataclass
class Stage:
    """Where one session takes place."""

    seat: Seat
    record: SessionRecorder
    evidence: Evidence = field(default_factory=Evidence)
    end_reason: EndReason = "personaEnded"
    step: int = 0
    answered: set[int] = field(default_factory=set)
    """Turns in which the assistant did anything."""

    @property
    def turn(self) -> int:
        """The current turn, from zero."""
        return self.evidence.turns - 1

    async def connect(self, client: ClientSession, wave: WaveRecorder) -> str | None:
        """Initialize and list the tools; return the refusal, or None."""
        # The process was started: over stdio that is all there is to reaching a server.
        self.record.connection("connect", "ok", server_id=SERVER_ID)
        began = time.perf_counter()
        try:
            await client.initialize()
        except MCPError as error:
            took, theirs = since(began), error.code not in NOT_FROM_SERVER
            self.record.connection(
                "initialize",
                "failed",
                server_id=SERVER_ID,
                error=ConnectionFailure(code=error.code, message=error.message),
                attributable="server" if theirs else "unknown",
                egress_verified=await answers_elsewhere(self.seat.target.id) if theirs else None,
                duration_ms=took,
            )
            return error.message
        self.record.connection("initialize", "ok", server_id=SERVER_ID, duration_ms=since(began))
        began = time.perf_counter()
        tools = await list_every_tool(client)
        self.record.connection("tools_list", "ok", server_id=SERVER_ID, duration_ms=since(began))
        listed = [tool.model_dump(by_alias=True, exclude_unset=True) for tool in tools]
        catalog_id = f"{SERVER_ID}-{canonical_digest(listed)[:8]}"
        wave.add_catalog(catalog_id, tools, complete=True)
        self.record.catalog(complete=True, catalog_id=catalog_id, server_id=SERVER_ID)
        self.record.capture(
            tool_results="complete",
            tool_call_timings="complete",
            tool_inventory="complete",
            tool_declarations="complete",
        )
        return None

    async def perform(self, play: Play, client: ClientSession, wave: WaveRecorder) -> Attempt:
        """Connect, play every line up to the cap on turns, and return how it ended."""
        refusal = await self.connect(client, wave)
        if refusal is not None:
            self.end_reason = "error"
        for line in play.lines:
            if self.end_reason == "personaEnded" or isinstance(line, Reports):
                await self.perform_line(line, client)
        if refusal is not None:
            return Attempt(status="failed", error_code="session_failed", error_message=refusal)
        if isinstance(last := play.lines[-1], Withdrawn):
            return Attempt(status="failed", error_code="canceled", error_message=last.why)
        return Attempt(status="succeeded")

    async def perform_line(self, line: Line, client: ClientSession) -> None:
        """Play one line of the conversation."""
        match line:
            case Says() if self.evidence.turns == self.seat.run.max_turns:
                self.end_reason = "turnCap"
            case Says(text):
                self.evidence.turns += 1
                self.step = 0
                self.record.message("user", text, turn_index=self.turn)
            case Replies(text, finish_reason):
                self.evidence.last_reply = text
                self.record.message("assistant", text, turn_index=self.turn)
                self.finish_step(finish_reason)
            case Calls():
                await self.call(line, client)
                self.finish_step("tool-calls")
            case Withdrawn():
                self.end_reason = "aborted"
            case Reports(account, feeling, goal_reached):
                self.record.self_report(account, feeling=feeling, goal_reached=goal_reached)

    async def call(self, line: Calls, client: ClientSession) -> None:
        """Make one call and record what came back."""
        call_id = f"call-{len(self.evidence.calls) + 1}"
        self.record.tool_call(
            call_id,
            line.tool,
            line.args,
            turn_index=self.turn,
            step_index=self.step,
            server_id=SERVER_ID,
        )
        began = time.perf_counter()
        try:
            result = await client.call_tool(line.tool, dict(line.args))
        except MCPError as error:
            if error.code in NOT_FROM_SERVER:
                raise
            self.record.tool_result(
                call_id,
                mcp_error_code=error.code,
                error=error.message,
                duration_ms=since(began),
                timing="span",
            )
            answered = Answered(line.tool, {}, error.message)
        else:
            wire = result.model_dump(mode="json", by_alias=True, exclude_unset=True)
            self.record.tool_result(
                call_id,
                wire,
                is_error=result.is_error,
                duration_ms=since(began),
                timing="span",
            )
            answered = Answered(
                line.tool,
                result.structured_content or {},
                str(wire["content"][0]["text"]) if result.is_error else None,
            )
        self.evidence.calls.append(answered)
        if line.fails != (answered.error is not None):
            expected = "an error" if line.fails else "an answer"
            raise OffScript(
                f"{self.seat.session_id}: {line.tool} was to return {expected} and returned"
                f" {answered.error or answered.content}. Write the play anew from there."
            )

    def finish_step(self, finish_reason: str) -> None:
        """Record that one step of the assistant ended."""
        self.record.step_finish(
            self.step, turn_index=self.turn, finish_reason=finish_reason, model_id=MODEL
        )
        self.step += 1
        self.answered.add(self.turn)

    def grade(self) -> None:
        """Record every grade of a session that ran to its end."""
        rubric = self.seat.run.rubric
        self.record.criteria(
            "completed",
            [graded(criterion, self.evidence) for criterion in rubric],
            criterion_ids=[criterion.id for criterion in rubric],
        )
        judge = JUDGES.get(self.seat.run.journey_ref_id)
        if judge is not None:
            try:
                passed, reason = judge(self.evidence)
            except Undecided as undecided:
                self.record.goal_judge("failed", model=JUDGE, error=str(undecided))
            else:
                self.record.goal_judge("completed", passed=passed, reason=reason, model=JUDGE)
        self.record.grading("settled")
