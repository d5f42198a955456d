"""What the records of one session say about each other, and about their slot."""

from collections.abc import Mapping
from typing import Any, Final

from reporter.models.manifest import predicate_role
from reporter.models.plan import SessionContext
from reporter.models.records import (
    Criteria,
    CriterionResult,
    GoalJudge,
    Message,
    Record,
    SessionComplete,
    SessionStart,
    StepFinish,
    ToolCall,
    ToolCallPart,
    ToolResult,
    ToolResultPart,
)
from reporter.models.session import SessionRecording
from reporter.recording.problems import Complaints, shown

_RENUMBER: Final = "Number the records in the order they happened."


class SessionLook:
    """One pass over the records of a session, then what only all of them together tell."""

    def __init__(self, context: SessionContext | None, recording: SessionRecording) -> None:
        self.report = Complaints(recording.file)
        self._context = context
        self._recording = recording
        self._calls: set[str] = set()
        self._recorded_calls: set[str] = set()
        self._results: list[tuple[int, str]] = []
        self._turns: set[int] = set()
        self._call_turns: dict[str, int | None] = {}
        """The assistant's turn of a call, by id; None for a call of the persona."""
        self._starts: list[tuple[int, SessionStart]] = []
        self._complete: tuple[int, SessionComplete] | None = None
        self._judge: tuple[int, GoalJudge] | None = None
        self._criteria: tuple[int, Criteria] | None = None

    def go_through(self) -> None:
        """Look at every record once: every session of every report pays for this.

        So fields are read from a record's mapping: an attribute of a pydantic model costs
        four times as much.
        """
        last_seq, next_index = -1, 0
        names = self._names()
        for position, record in enumerate(self._recording.records):
            kind, values = type(record), record.__dict__
            seq, said = values["seq"], values["session_id"]
            if seq <= last_seq:
                what = f"`seq` is {seq} behind {last_seq}; it has to grow from record to record."
                self._add(position, "seq", "seq-order", what, _RENUMBER)
            last_seq = seq
            if said is not None and said not in names:
                what = f"The record says that it belongs to session {shown(said)}."
                remedy = "File every record under its own session."
                self._add(position, "sessionId", "session-id-differs", what, remedy)
            if kind is Message:
                index = values["index"]
                if index != next_index:
                    what = f"`index` is {index} where {next_index} comes next."
                    remedy = "Number the messages from 0 without a gap."
                    self._add(position, "index", "message-index", what, remedy)
                next_index = index + 1
                self._take_message(position, values)
            elif kind is ToolCall:
                self._take_call(position, values)
            elif kind is ToolResult:
                self._results.append((position, values["tool_call_id"]))
            elif kind is StepFinish:
                self._turns.add(values["turn_index"])
            else:
                self._take_rare(position, record)
        self._calls |= self._recorded_calls

    def compare(self) -> None:
        """Say what does not fit together."""
        for position, call_id in self._results:
            if call_id not in self._calls:
                what = f"A result names the call {shown(call_id)}, which was not recorded."
                remedy = "Record every call before its result."
                self._add(position, "toolCallId", "result-for-unknown-call", what, remedy)
        for position, start in self._starts:
            self._compare_start(position, start)
        self._compare_outcome()
        self._compare_judge()
        self._compare_criteria()

    def _names(self) -> set[str]:
        names = {str(self._recording.session_id)}
        if self._context is not None and self._context.slot.document_id is not None:
            names.add(self._context.slot.document_id)
        return names

    def _take_call(self, position: int, call: Mapping[str, Any]) -> None:
        call_id = call["tool_call_id"]
        if call_id in self._recorded_calls:
            what = f"A second call has the id {shown(call_id)}."
            remedy = "Give every call its own id; only the first counts."
            self._add(position, "toolCallId", "duplicate-tool-call", what, remedy)
            return
        self._recorded_calls.add(call_id)
        # What a part said of the call before does not count beside its record.
        by_persona = call["caller"] == "persona"
        self._call_turns[call_id] = None if by_persona else call["turn_index"]

    def _take_message(self, position: int, message: Mapping[str, Any]) -> None:
        role, content = message["role"], message["content"]
        if role == "assistant":
            self._turns.add(message["turn_index"])
        elif role == "tool" and message["tool_call_id"] is not None:
            self._results.append((position, message["tool_call_id"]))
        if isinstance(content, str):
            return
        for part in content:
            if isinstance(part, ToolCallPart):
                self._calls.add(part.tool_call_id)
                turn = None if role == "user" else message["turn_index"]
                self._call_turns.setdefault(part.tool_call_id, turn)
            elif isinstance(part, ToolResultPart):
                self._results.append((position, part.tool_call_id))

    def _take_rare(self, position: int, record: Record) -> None:
        if record.type == "session_start":
            self._starts.append((position, record))
        elif record.type == "session_complete":
            self._complete = (position, record)
        elif record.type == "goal_judge":
            self._judge = (position, record)
        elif record.type == "criteria":
            self._criteria = (position, record)

    def _compare_start(self, position: int, start: SessionStart) -> None:
        if self._context is None:
            return
        slot, run = self._context.slot, self._context.run
        if start.persona_name != run.persona_name:
            self._add(
                position,
                "personaName",
                "persona-differs",
                f"The session's persona {shown(start.persona_name)} is not its run's,"
                f" {shown(run.persona_name)}.",
                "A run has one persona; give the other one a run of its own.",
            )
        here = (start.run_id, start.target_id, start.session_index)
        if here != (slot.run_id, slot.target_id, slot.session_index):
            self._add(
                position,
                "",
                "session-start-differs",
                f"The session calls itself index {start.session_index} of run"
                f" {shown(start.run_id)} on target {shown(start.target_id)}, its slot does not.",
                "The slot counts; mend whichever is wrong.",
            )

    def _compare_outcome(self) -> None:
        called = {turn for turn in self._call_turns.values() if turn is not None}
        counted = len(self._turns | called)
        most = self._context.run.max_turns if self._context is not None else None
        if most is not None and counted > most:
            what = f"The assistant took {counted} turns where the run allows {most}."
            self._add(None, "", "max-turns-exceeded", what, "Check the run's `maxTurns`.")
        if self._complete is None:
            return
        position, complete = self._complete
        said = complete.turns_used
        if said is not None and said != counted and not self._recording.damaged:
            what = f"`turnsUsed` is {said}; the records hold {counted}, and those count."
            self._add(position, "turnsUsed", "turns-used-differs", what, severity="note")
        attempt = self._context.slot.attempt if self._context is not None else None
        if attempt is None:
            return
        remedy = "The manifest counts; mend whichever is wrong."
        if attempt.status != complete.status:
            what = f"The session ended as {complete.status}; its slot says {attempt.status}."
            self._add(position, "status", "attempt-differs", what, remedy)
        codes = (complete.error_code, attempt.error_code)
        if None not in codes and codes[0] != codes[1]:
            what = f"The session's error code is {shown(codes[0])}, its slot's {shown(codes[1])}."
            self._add(position, "errorCode", "attempt-differs", what, remedy)

    def _compare_judge(self) -> None:
        if self._judge is None:
            return
        position, judge = self._judge
        has_numbers = judge.score is not None and judge.threshold is not None
        if judge.status == "completed" and judge.passed is None and not has_numbers:
            what = "The judge is done and says neither `passed` nor a score and its threshold."
            remedy = "It counts as not recorded; record the decision."
            self._add(position, "", "judge-without-decision", what, remedy)

    def _compare_criteria(self) -> None:
        """Look at the record that counts, the last one.

        Rule: recording.md section 4, which grades count.
        """
        if self._criteria is None:
            return
        position, record = self._criteria
        rubric = {one.id for one in self._context.run.rubric} if self._context else None
        claimed = record.criterion_ids
        seen: set[str] = set()
        for number, criterion_id in enumerate(claimed or ()):
            place = f"criterionIds[{number}]"
            if rubric is not None and criterion_id not in rubric:
                what = f"No criterion {shown(criterion_id)} is defined for the run."
                self._add(position, place, "criterion-unknown", what, "It is left out.")
            elif criterion_id in seen:
                what = f"Criterion {shown(criterion_id)} is claimed twice."
                self._add(position, place, "criterion-duplicate", what, "It counts once.")
            seen.add(criterion_id)
        seen.clear()
        for number, result in enumerate(record.results or ()):
            name, place = result.criterion_id, f"results[{number}].criterionId"
            self._compare_echo(position, number, result)
            if rubric is not None and name not in rubric:
                what = f"No criterion {shown(name)} is defined for the run;"
                what += " the result is left out."
                self._add(position, place, "criterion-unknown", what, "Define it in `rubric`.")
            elif claimed is not None and name not in claimed:
                what = f"Criterion {shown(name)} is not among the claimed ones;"
                what += " its result is left out."
                self._add(position, place, "criterion-unclaimed", what, "Claim it.")
            elif name in seen:
                what = f"Criterion {shown(name)} has a second result; the first counts."
                self._add(position, place, "criterion-duplicate", what, "Record one result each.")
            seen.add(name)

    def _compare_echo(self, position: int, number: int, result: CriterionResult) -> None:
        """Compare what a result repeats of its check with the check itself.

        Rule: chain.md section 12.3, criteria.
        """
        echo = result.predicate
        if echo is None:
            return
        rubric = self._context.run.rubric if self._context is not None else ()
        criterion = next((one for one in rubric if one.id == result.criterion_id), None)
        if criterion is None or criterion.role is None:
            return
        for key, said, defined in (
            ("type", echo.get("type"), criterion.predicate_type),
            ("role", predicate_role(echo), criterion.role),
        ):
            if said is None or said == defined:
                continue
            what = f"Criterion {shown(criterion.id)} has the {key} {shown(said)} in its result"
            what += f" and {'none' if defined is None else shown(defined)} in the rubric"
            self._add(
                position,
                f"results[{number}].predicate.{key}",
                "criterion-echo-differs",
                f"{what}, which counts.",
                "Mend whichever is wrong.",
            )

    def _add(  # noqa: PLR0913  a problem has that many parts
        self,
        position: int | None,
        field: str,
        rule: str,
        what: str,
        remedy: str = "",
        *,
        severity: str = "error",
    ) -> None:
        recording = self._recording
        where = ""
        if position is not None:
            has_lines = len(recording.lines) > position
            where = f"line {recording.lines[position]}" if has_lines else f"record {position + 1}"
        self.report.add(
            ": ".join(part for part in (where, field) if part),
            rule,
            what,
            remedy,
            session_id=recording.session_id,
            severity=severity,
        )
