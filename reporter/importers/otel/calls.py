"""The tool calls of one session: asked for, run and answered in many places, counted once."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.canonical import canonical_json
from reporter.importers.jsontext import parse_arguments
from reporter.importers.otel.meaning import CallPart, ResultPart, Told, ToolRun
from reporter.importers.otel.tree import Operation, overlap
from reporter.importers.sound import sound_object, sound_text
from reporter.models.records import OtherPart, ToolCall, ToolResult

_NS_A_MS: Final = 1_000_000
_SIDES: Final = ("agent", "client", "server")
_BY_HISTORY: Final = "only the history of a later request holds it"
_NO_ID: Final = "the source gives the call no id"
_REPEATED: Final = "the source repeats the id"
_BY_SPAN: Final = "the span of the call ended without an error"
_NO_ARGUMENTS: Final = "the source holds no arguments of the call"
_NOT_CAPTURED: Final = [OtherPart(note="what the tool answered was not captured").model_dump()]
_TEXT_LIMIT: Final = 1_000_000


@dataclass(slots=True, eq=False)
class Call:
    """One tool call with everything that tells of it."""

    own_id: str
    name: str
    turn: int
    at: int | None
    arguments: Any
    call_id: str | None = None
    step: int | None = None
    inferred: dict[str, str] = field(default_factory=dict)
    runs: list[Told] = field(default_factory=list)
    """Spans that tell of its run, the outermost first."""
    answers: list[ResultPart] = field(default_factory=list)
    is_asked: bool = False
    """The model is on record as having asked for it."""
    is_answered: bool = False
    """Its result has its place among the records."""
    answered_at: int | None = None

    @property
    def has_answer(self) -> bool:
        """It is on record what came back, or at least whether that was an error.

        An agent's span that merely ended does not tell: a tool that answers with an error
        ends as well. MCP's own spans do, since they are to name such an error.
        """
        return bool(self.answers) or any(
            _run(run).has_result
            or _run(run).said_error is not None
            or _failed(run)
            or (run.end_ns is not None and _run(run).side != "agent")
            for run in self.runs
        )


def _run(told: Told) -> ToolRun:
    meaning = told.meaning
    assert isinstance(meaning, ToolRun)  # noqa: S101  what `Call.runs` holds
    return meaning


def arguments_of(value: object) -> dict[str, Any] | None:
    """Return a call's arguments; empty where none were captured, None where they are no object."""
    if value is None or value == "":
        return {}
    return parse_arguments(value) if isinstance(value, str) else sound_object(value)


def _key(value: object) -> str:
    found = arguments_of(value)
    return "?" if found is None else canonical_json(found)


class Calls:
    """The calls of one session, found again by id, by name or by their arguments."""

    def __init__(self, counts: Counter[str], disagreements: list[str]) -> None:
        self._counts = counts
        self._disagreements = disagreements
        self._all: list[Call] = []
        self._latest: dict[str, Call] = {}
        self._uses: dict[str, int] = {}
        self._open: list[Call] = []
        """Calls of the run at hand."""

    def begin_run(self) -> None:
        """Forget which calls still wait: another run of the agent begins."""
        self._open = []

    def asked(self, part: CallPart, turn: int, at: int | None, step: int | None) -> Call | None:
        """Take a call that the model asked for, or None where it names no tool."""
        if not part.name:
            self._counts["calls that name no tool"] += 1
            return None
        call = self._new(part.call_id, part.name, part.arguments, turn, at)
        call.step, call.is_asked = step, True
        return call

    def remembered(self, part: CallPart, turn: int, at: int | None) -> Call | None:
        """Take a call out of a request's history, or None where it is known already."""
        if self.known(part) is not None:
            return None
        call = self.asked(part, turn, at, None)
        if call is not None:
            call.inferred["turnIndex"] = _BY_HISTORY
        return call

    def known(self, part: CallPart) -> Call | None:
        """Return the call that a part of a request's history speaks of, or None."""
        if part.call_id is not None:
            found = self._latest.get(part.call_id)
            if found is not None:
                return found
        # A run without an id may be the very call.
        wanted = _key(part.arguments)
        for call in self._open:
            if (
                call.name == part.name
                and (call.call_id is None or part.call_id is None)
                and _key(call.arguments) in (wanted, "{}")
            ):
                if call.call_id is None and part.call_id is not None:
                    call.call_id = part.call_id
                    self._latest[part.call_id] = call
                return call
        return None

    def ran(self, operation: Operation, turn: int, at: int | None) -> tuple[Call | None, bool]:
        """Take the run of a tool.

        Returns:
            Its call and whether it is one that nobody was known to have asked for.
        """
        runs = operation.spans
        call = self._asked_for(runs)
        is_new = call is None
        if call is None:
            name = next((_run(one).name for one in runs if _run(one).name), None)
            if name is None:
                self._counts["calls that name no tool"] += 1
                return None, False
            call_id = next((_run(one).call_id for one in runs if _run(one).call_id), None)
            call = self._new(call_id, name, None, turn, at)
        call.runs.extend(runs)
        call.runs.sort(key=lambda one: _SIDES.index(_run(one).side))
        if arguments_of(call.arguments) in (None, {}):
            given = (_run(one).arguments for one in runs)
            call.arguments = next((one for one in given if one is not None), call.arguments)
        return call, is_new

    def answered(self, part: ResultPart) -> Call | None:
        """Take what the model was told of a call, or None where no such call is known."""
        call: Call | None = None
        if part.call_id is not None:
            call = self._latest.get(part.call_id)
        if call is None:
            waiting = [one for one in self._open if not one.answers]
            if part.call_id is not None:
                waiting = [one for one in waiting if one.call_id is None]
            named = [one for one in waiting if part.name in (None, one.name)]
            call = named[0] if named else None
        if call is None:
            return None
        if not call.answers:
            call.answers.append(part)
        return call

    def names_on_wires(self) -> list[str]:
        """Return the names of calls that only MCP clients and servers were seen to make."""
        return [
            call.name
            for call in self._all
            if call.runs
            and not call.is_asked
            and all(_run(one).side != "agent" for one in call.runs)
        ]

    def _asked_for(self, runs: list[Told]) -> Call | None:
        """Return the call whose run this is."""
        ids = [run.call_id for one in runs if (run := _run(one)).call_id]
        for call_id in ids:
            found = self._latest.get(call_id)
            # An id that an earlier run of the agent answered is used again for another call.
            if found is not None and (not found.runs or found in self._open):
                return found
        if ids:
            waiting = [one for one in self._open if not one.runs and one.call_id is None]
        else:
            waiting = [one for one in self._open if not one.runs]
        names: set[str | None] = {run.name for one in runs if (run := _run(one)).name}
        named = [one for one in waiting if one.name in names]
        if not named:
            # A client may put a prefix before the names that its servers give their tools.
            alike = [one for one in waiting if any(_ends(one.name, name) for name in names)]
            named = alike if len(alike) == 1 else []
        if not named:
            return self._beside(runs, names)
        given = {_key(run.arguments) for one in runs if (run := _run(one)).arguments is not None}
        exact = [one for one in named if _key(one.arguments) in given]
        return (exact or named)[0]

    def _beside(self, runs: list[Told], names: set[str | None]) -> Call | None:
        """Return the call that another instrumentation saw at the same time, or None."""
        for call in self._open:
            if call.name in names and any(
                _differ(one, other) and overlap(one, other) for one in call.runs for other in runs
            ):
                return call
        return None

    def _new(
        self, wanted: str | None, name: str, arguments: object, turn: int, at: int | None
    ) -> Call:
        own, rule = self._own_id(wanted)
        call = Call(own, sound_text(name), turn, at, arguments, call_id=wanted)
        if rule is not None:
            call.inferred["toolCallId"] = rule
        if wanted is not None:
            self._latest[wanted] = call
        self._all.append(call)
        self._open.append(call)
        return call

    def _own_id(self, wanted: str | None) -> tuple[str, str | None]:
        if wanted is None:
            return self._unused("call"), _NO_ID
        own = self._unused(sound_text(wanted))
        return own, None if own == wanted else _REPEATED

    def _unused(self, wanted: str) -> str:
        number = self._uses.get(wanted, 0) + 1
        own = wanted if number == 1 else f"{wanted}#{number}"
        while number > 1 and own in self._uses:
            number += 1
            own = f"{wanted}#{number}"
        self._uses[wanted] = number
        self._uses.setdefault(own, 1)
        return own

    def call_record(self, call: Call, seq: int) -> ToolCall:
        """Return the record of a call."""
        arguments = arguments_of(call.arguments)
        if call.arguments is None:
            call.inferred["args"] = _NO_ARGUMENTS
        more: dict[str, Any] = {}
        if arguments is None:
            raw = call.arguments if isinstance(call.arguments, str) else canonical_text(call)
            more["rawArgs"] = sound_text(raw)[:_TEXT_LIMIT]
        return ToolCall(
            seq=seq,
            at=call.at,
            inferred=dict(call.inferred) or None,
            turn_index=call.turn,
            step_index=call.step,
            tool_call_id=call.own_id,
            tool_name=call.name,
            args=arguments or {},
            server_id=next((_run(one).server for one in call.runs if _run(one).server), None),
            args_invalid=True if arguments is None else None,
            **more,
        )

    def result_record(self, call: Call, seq: int) -> ToolResult:
        """Return what a call came to, from every place that tells of it.

        An error stands when any place tells of one (recording.md 4.1); what disagrees with
        it is told.
        """
        value, truncated = _bounded(_value(call))
        wrong = [one for one in call.runs if _failed(one)]
        flags = [*_flags(call), *(part.is_error for part in call.answers)]
        said_error = True in flags
        said_fine = ["isError false in its result"] if False in flags else []
        said_fine += ["status OK of the span" for one in call.runs if one.is_ok]
        is_error: bool | None = None
        inferred: dict[str, str] = {}
        if said_error or wrong:
            is_error = True
            if said_fine:
                reason = "isError true in its result" if said_error else _why(wrong[0])
                self._disagreements.append(f"a call: {said_fine[0]}, {reason}; the error counts")
        elif False in flags:
            is_error = False
        elif any(one.end_ns is not None for one in call.runs):
            is_error = False
            inferred["isError"] = _BY_SPAN
        if not wrong and not call.answers and not any(_run(one).has_result for one in call.runs):
            value = _NOT_CAPTURED
        message = next((one.message for one in wrong if one.message), None)
        outer = next((one for one in call.runs if one.start_ns and one.end_ns), None)
        return ToolResult(
            seq=seq,
            at=call.answered_at,
            inferred=inferred or None,
            tool_call_id=call.own_id,
            result=value,
            is_error=is_error,
            mcp_error_code=next(
                (code for one in call.runs if (code := _run(one).rpc_code) is not None), None
            ),
            error=_words(message, wrong) if wrong and not said_error else None,
            truncated=truncated or None,
            duration_ms=_duration(outer),
            timing="span" if outer is not None else None,
        )


def _differ(one: Told, other: Told) -> bool:
    """Tell whether two spans can tell of one run: one recorder sees a run once on each side."""
    return one.scope != other.scope or _run(one).side != _run(other).side


def canonical_text(call: Call) -> str:
    """Return arguments that are no object as text."""
    try:
        return canonical_json(call.arguments)
    except (ValueError, TypeError, RecursionError):
        return ""


def _ends(name: str, end: str | None) -> bool:
    """Tell whether a name is another one with a prefix before it."""
    if not end or not name.endswith(end) or len(name) == len(end):
        return False
    return not name[-len(end) - 1].isalnum()


def _value(call: Call) -> Any:  # noqa: ANN401  any JSON value
    for one in call.runs:
        run = _run(one)
        if run.has_result:
            return run.result
    return call.answers[0].value if call.answers else None


def _bounded(value: Any) -> tuple[Any, bool]:  # noqa: ANN401  any JSON value
    if isinstance(value, str):
        text = sound_text(value)
        return text[:_TEXT_LIMIT], len(text) > _TEXT_LIMIT
    if isinstance(value, dict):
        return sound_object(value), False
    if isinstance(value, list):
        held = sound_object({"items": value})
        return (None if held is None else held["items"]), False
    return value, False


def _flags(call: Call) -> list[bool]:
    held = [_run(one).result for one in call.runs] + [part.value for part in call.answers]
    told = [_run(one).said_error for one in call.runs]
    return [flag for flag in (*map(flag_of, held), *told) if flag is not None]


def flag_of(value: object) -> bool | None:
    """Return what an MCP result says of itself, or None where it says nothing."""
    if not isinstance(value, Mapping):
        return None
    for name in ("isError", "is_error"):
        flag = value.get(name)
        if isinstance(flag, bool):
            return flag
    return None


def _failed(told: Told) -> bool:
    run = _run(told)
    return told.is_error or run.error_type is not None or run.rpc_code is not None


def _why(told: Told) -> str:
    kind = _run(told).error_type
    if kind is not None:
        return f"error.type {sound_text(kind)} of the span"
    return "error status of the span"


def _words(message: str | None, wrong: list[Told]) -> str:
    if message is not None:
        return sound_text(message)[:_TEXT_LIMIT]
    kind = next((run.error_type for one in wrong if (run := _run(one)).error_type), None)
    return f"the span of the call ended with an error ({kind or 'no details recorded'})"


def _duration(told: Told | None) -> float | None:
    if told is None or told.start_ns is None or told.end_ns is None:
        return None
    return max(0.0, (told.end_ns - told.start_ns) / _NS_A_MS)
