"""The records of one task of an mcpchecker run: each call once, wherever it is repeated."""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from reporter.canonical import canonical_json
from reporter.importers.conversation import (
    MESSAGE_LIMIT,
    BrokenElementError,
    Element,
    object_of,
)
from reporter.importers.jsontext import parse_arguments
from reporter.importers.losses import Losses
from reporter.importers.mcpchecker_outcome import Outcome
from reporter.importers.mcpchecker_run import EvalRun
from reporter.importers.naming import first_words
from reporter.importers.sound import sound_object, sound_text
from reporter.models.records import (
    CatalogRecord,
    Connection,
    Criteria,
    ErrorRecord,
    GoalJudge,
    Message,
    Record,
    SessionNotice,
    StepFinish,
    ToolCall,
    ToolResult,
    Usage,
)
from reporter.models.value import value

_NO_ID: Final = {"toolCallId": "the source gives the call no id"}
_AGENTS_OWN: Final = {
    "toolCallId": "the source gives the call no id",
    "toolName": "title of the call in the agent's own list; the proxy recorded no call",
}
_LISTED: Final = {"tools": "listed once for the whole run, not in this session"}
_GREETED: Final = {"outcome": "the server gave the session an id that the calls' headers carry"}
_NAMED: Final = 5
_MCP_SESSION: Final = re.compile(r"[A-Za-z0-9._:-]{1,200}")
_MOMENT: Final = re.compile(r"(.*?)(?:\.(\d{1,18}))?(Z|[+-]\d\d:\d\d)", re.ASCII)
_NANOSECONDS: Final = 1_000_000_000


@value(frozen=True, slots=True)
class SessionRecords:
    """What comes of one result."""

    records: Sequence[Record] = ()
    message_count: int | None = None
    inferred: Mapping[str, str] = field(default_factory=dict)
    """Of the slot."""
    mcp_sessions: Sequence[str] = ()
    """Ids that servers gave the session."""


def session_records(
    result: Element, run: EvalRun, outcome: Outcome, place: str, losses: Losses
) -> SessionRecords:
    """Return the records of one result.

    The same call stands in up to four places of a result. The proxy between agent and
    server saw what really reached it, so its history counts and the agent's own lists only
    tell where the agent spoke; what they hold beyond the history is counted and named.

    Raises:
        BrokenElementError: The history is not what the format says.
    """
    if not outcome.ran:
        words = outcome.trouble or "the task was never begun, and no reason is recorded"
        error = ErrorRecord(seq=0, message=words, code="setup_failed")
        return SessionRecords([error] if outcome.attempt else [], message_count=0)
    return _Session(result, run, outcome, place, losses).taken()


@value(frozen=True, slots=True)
class _Call:
    """One call as the proxy saw it."""

    name: str
    arguments: dict[str, Any] | None
    """None: what was recorded is no object."""
    raw: object
    server: str | None
    at_ns: int | None
    headers: Mapping[str, Any]
    result: Any
    is_error: bool | None
    error: str | None
    success: bool | None

    @property
    def key(self) -> str:
        return canonical_json(self.arguments or {})


@value(frozen=True, slots=True)
class _Step:
    """One step of the agent's own account: words, or a call by its title."""

    words: str | None
    title: str = ""
    arguments: Any = None
    output: object = None
    status: object = None


@dataclass
class _Session:
    """One result on its way in."""

    result: Element
    run: EvalRun
    outcome: Outcome
    place: str
    losses: Losses
    records: list[Record] = field(default_factory=list)
    messages: int = 0
    calls: int = 0

    def taken(self) -> SessionRecords:
        history = self.result.get("callHistory")
        if history is not None and not isinstance(history, dict):
            raise BrokenElementError(".callHistory", "an object or null was expected")
        calls = self._history(history or {})
        steps = self._steps()
        matched, unseen = _matched(calls, steps)
        is_own = not calls and bool(unseen)
        is_catalog_whole = all(self.run.lists(step.title) for step in unseen)
        if self.run.catalog is not None and (calls or unseen):
            # Where nothing was called, nothing shows that this session listed the tools.
            self._add(
                CatalogRecord(
                    seq=0,
                    catalog_id=self.run.catalog.catalog_id,
                    complete=bool(self.run.catalog.complete) and is_catalog_whole,
                    inferred=_LISTED,
                )
            )
        mcp_sessions = self._connections(calls)
        self._tell(calls, steps, matched, is_own=is_own)
        if not is_own:
            self._name_unseen(unseen)
        self._reads(history or {})
        self._usage()
        self._grades()
        inferred: dict[str, str] = {}
        if not self.messages:
            # The agent was prompted, so there was a message; none of its words are here.
            inferred["messageCount"] = "the agent ran, and neither prompt nor reply is recorded"
        return SessionRecords(
            self.records,
            message_count=self.messages or 1,
            inferred=inferred,
            mcp_sessions=mcp_sessions,
        )

    def _add(self, record: Record) -> None:
        self.records.append(record.model_copy(update={"seq": len(self.records)}))

    def _history(self, history: Element) -> list[_Call]:
        listed = _either(history, "ToolCalls")
        if listed is None:
            return []
        if not isinstance(listed, list):
            raise BrokenElementError(".callHistory.ToolCalls", "a list or null was expected")
        calls: list[_Call] = []
        for number, raw in enumerate(listed):
            where = f".callHistory.ToolCalls[{number}]"
            try:
                calls.append(self._call(object_of(raw), where))
            except BrokenElementError as error:
                error.raise_within(where)
        # Of several servers the histories stand one behind the other.
        if all(call.at_ns is not None for call in calls):
            calls.sort(key=lambda call: call.at_ns or 0)
        return calls

    def _call(self, raw: Element, where: str) -> _Call:
        params = _mapping(_mapping(raw.get("request")).get("Params"))
        name, asked = raw.get("name", raw.get("toolName")), params.get("name")
        if not isinstance(name, str) or not name:
            name = asked
        elif isinstance(asked, str) and asked and asked != name:
            self.losses.disagreement(
                f"{self.place}{where}", "a call whose request names another tool; `name` counts"
            )
        if not isinstance(name, str) or not name:
            raise BrokenElementError(".name", "the call names no tool")
        said = raw.get("result")
        flag = said.get("isError") if isinstance(said, dict) else None
        error = raw.get("error")
        arguments = params.get("arguments")
        return _Call(
            name=sound_text(name),
            arguments=_arguments(arguments),
            raw=arguments,
            server=_text(raw.get("serverName")),
            at_ns=_nanoseconds(raw.get("timestamp")),
            headers=_mapping(_mapping(_mapping(raw.get("request")).get("Extra")).get("Header")),
            result=_kept(said),
            is_error=flag if isinstance(flag, bool) else None,
            error=sound_text(error) if isinstance(error, str) and error else None,
            success=raw["success"] if isinstance(raw.get("success"), bool) else None,
        )

    def _steps(self) -> list[_Step]:
        """Return what the agent said and called, from the fullest of its lists."""
        output = _mapping(self.result.get("agentOutput"))
        details = _mapping(output.get("agentDetails"))
        steps = list(self._told(details.get("outputSteps")))
        if not steps:
            steps = [_step(call) for call in _list(details.get("toolCalls"))]
        if not steps:
            steps = list(_outline(output.get("Steps")))
        final = _text(self.result.get("taskOutput"))
        if final is not None and not any(step.words for step in steps):
            steps.append(_Step(final))
        return steps

    def _told(self, listed: object) -> Iterator[_Step]:
        for number, raw in enumerate(_list(listed)):
            step = _mapping(raw)
            kind, words = step.get("type"), step.get("content")
            if isinstance(step.get("toolCall"), dict):
                yield _step(step["toolCall"])
            elif kind == "message":
                if isinstance(words, str) and words.strip():
                    yield _Step(sound_text(words))
            else:
                where = f"{self.place}.agentOutput.agentDetails.outputSteps[{number}]"
                if kind == "thinking":
                    self.losses.no_place(where, "thoughts of the agent are no message")
                else:
                    self.losses.unknown_type(where, kind, "steps of the agent")

    def _tell(
        self,
        calls: Sequence[_Call],
        steps: Sequence[_Step],
        matched: Mapping[int, int],
        *,
        is_own: bool,
    ) -> None:
        """Add calls in the order of the proxy, and the agent's words where they were said."""
        told = 0
        for number, step in enumerate(steps):
            if step.words is not None:
                self._say(step.words)
            elif is_own:
                self._own_call(step)
            elif number in matched:
                for call in calls[told : matched[number] + 1]:
                    self._proxied(call)
                told = max(told, matched[number] + 1)
        for call in calls[told:]:
            self._proxied(call)
        # Words that stand behind all calls were the last ones: the reply.
        self._settle(calls[told:])

    def _settle(self, late: Sequence[_Call]) -> None:
        """Move the last words behind calls of which the agent's account says nothing."""
        if not late or not self.messages:
            return
        places = [at for at, one in enumerate(self.records) if isinstance(one, Message)]
        last = self.records.pop(places[-1])
        self.records.append(last)
        self.records[:] = [
            record.model_copy(update={"seq": seq}) for seq, record in enumerate(self.records)
        ]

    def _say(self, words: str) -> None:
        is_long = len(words) > MESSAGE_LIMIT
        self._add(
            Message(
                seq=0,
                index=self.messages,
                turn_index=0,
                role="assistant",
                author="assistant",
                content=words[:MESSAGE_LIMIT],
                truncated=True if is_long else None,
            )
        )
        self.messages += 1

    def _proxied(self, call: _Call) -> None:
        own = self._next_id()
        more: dict[str, Any] = {}
        if call.arguments is None:
            more = {"argsInvalid": True, "rawArgs": sound_text(str(call.raw))[:MESSAGE_LIMIT]}
        self._add(
            ToolCall.model_validate(
                {
                    "seq": 0,
                    "at": _milliseconds(call.at_ns),
                    "inferred": _NO_ID,
                    "turn_index": 0,
                    "tool_call_id": own,
                    "tool_name": call.name,
                    "args": call.arguments or {},
                    "server_id": call.server,
                }
                | more
            )
        )
        if call.result is None and call.error is None and call.success is not False:
            return
        is_error, inferred = call.is_error, None
        if call.success is False and not (is_error or call.error):
            is_error, inferred = True, {"isError": "success is false"}
        self._add(
            ToolResult(
                seq=0,
                tool_call_id=own,
                result=call.result,
                is_error=is_error,
                error=call.error,
                inferred=inferred,
            )
        )

    def _own_call(self, step: _Step) -> None:
        own = self._next_id()
        self._add(
            ToolCall(
                seq=0,
                inferred=_AGENTS_OWN,
                turn_index=0,
                tool_call_id=own,
                tool_name=step.title,
                args=_arguments(step.arguments) or {},
            )
        )
        is_failed = step.status == "failed"
        if not step.output and not is_failed:
            return
        self._add(
            ToolResult(
                seq=0,
                tool_call_id=own,
                result=_kept(step.output),
                is_error=True if is_failed else None,
                inferred={"isError": "the agent's own status of the call is failed"}
                if is_failed
                else None,
            )
        )

    def _next_id(self) -> str:
        self.calls += 1
        return f"call-{self.calls}"

    def _name_unseen(self, unseen: Sequence[_Step]) -> None:
        if not unseen:
            return
        self.losses.add(
            "unmatched",
            f"{self.place}.agentOutput.agentDetails",
            "calls in the agent's own list that the proxy did not see; they count nowhere",
            len(unseen),
        )
        names = list(dict.fromkeys(step.title for step in unseen))
        shown = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
        self._add(
            SessionNotice(
                seq=0,
                kind="agent_side_calls",
                message=f"The agent's own list holds calls that the proxy before the server did "
                f"not see: {len(unseen)} ({shown}). They count nowhere here.",
            )
        )

    def _connections(self, calls: Sequence[_Call]) -> list[str]:
        """Add one record a server whose sessions were greeted, and return the session ids."""
        seen: dict[str | None, None] = {}
        found: dict[str, None] = {}
        for call in calls:
            own = _header(call.headers, "mcp-session-id")
            if own is None:
                continue
            if _MCP_SESSION.fullmatch(own):
                found[own] = None
            if call.server in seen:
                continue
            seen[call.server] = None
            values: dict[str, Any] = {
                "seq": 0,
                "at": _milliseconds(call.at_ns),
                "phase": "initialize",
                "outcome": "ok",
                "server_id": call.server,
                "server_name": call.server,
                "inferred": _GREETED,
            }
            version = _header(call.headers, "mcp-protocol-version")
            if version is not None:
                values["protocolVersion"] = version
            self._add(Connection.model_validate(values))
        return list(found)

    def _reads(self, history: Element) -> None:
        """Name what was read of a server without a tool."""
        for key, kind, name, what in (
            ("ResourceReads", "resource_read", "uri", "resource reads"),
            ("PromptGets", "prompt_get", "name", "prompt requests"),
        ):
            listed = _list(_either(history, key))
            for raw in listed:
                one = _mapping(raw)
                server = _text(one.get("serverName"))
                error = _text(one.get("error"))
                failed = one.get("success") is False or error is not None
                said = f"failed: {error or 'no reason recorded'}" if failed else "answered"
                self._add(
                    SessionNotice(
                        seq=0,
                        at=_milliseconds(_nanoseconds(one.get("timestamp"))),
                        kind=kind,
                        message=f"{_text(one.get(name)) or 'unnamed'}"
                        f"{f' of {server}' if server else ''} {said}",
                    )
                )
            self.losses.no_place(
                f"{self.place}.callHistory.{key}",
                f"{what} are shown as notices; a recording has no calls but those of tools",
                len(listed),
            )

    def _usage(self) -> None:
        estimate = _mapping(self.result.get("tokenEstimate"))
        usage = Usage(
            input_tokens=_tokens(estimate, "inputTokens"),
            output_tokens=_tokens(estimate, "outputTokens"),
            total_tokens=_tokens(estimate, "totalTokens"),
        )
        if not (usage.input_tokens or usage.output_tokens):
            # Zeros are what the runner writes when nobody counted.
            return
        source = _text(estimate.get("source"))
        rule = None
        if source != "actual":
            rule = {"usage": f"tokenEstimate, source {first_words(source or 'not recorded')}"}
        total = (usage.input_tokens or 0) + (usage.output_tokens or 0)
        place = f"{self.place}.tokenEstimate.totalTokens"
        if usage.total_tokens is not None and usage.total_tokens < total:
            self.losses.disagreement(
                place,
                "totalTokens below inputTokens and outputTokens added up; all are kept as recorded",
            )
        elif usage.total_tokens is not None and usage.total_tokens > total:
            # Tokens read from a cache are in the total alone; nothing says that they are these.
            self.losses.no_place(
                place,
                "totalTokens above inputTokens and outputTokens added up, and no word of what the "
                "others are; all are kept as recorded",
            )
        self._add(
            StepFinish(
                seq=0,
                turn_index=0,
                step_number=0,
                usage=usage,
                model_id=self.run.model,
                inferred=rule,
            )
        )

    def _grades(self) -> None:
        outcome = self.outcome
        if outcome.results:
            self._add(Criteria(seq=0, status="completed", results=list(outcome.results)))
        judge = outcome.judge
        if judge is None:
            return
        values: dict[str, Any] = {
            "seq": 0,
            "status": "failed" if judge.error else "completed",
            "passed": judge.passed,
            "reason": judge.reason,
            "error": judge.error,
            "model": self.run.judge_model,
            "inferred": {"passed": judge.inferred} if judge.inferred else None,
        }
        usage = self.result.get("judgeTokenUsage")
        if isinstance(usage, dict):
            values["judgeTokenUsage"] = _kept(usage)
            self.losses.no_place(
                f"{self.place}.judgeTokenUsage",
                "tokens of the judge are kept beside its word and are in no sum",
            )
        self._add(GoalJudge.model_validate(values))


def _matched(calls: Sequence[_Call], steps: Sequence[_Step]) -> tuple[dict[int, int], list[_Step]]:
    """Join the agent's calls with the proxy's.

    Returns:
        The place of a call in the history by that of its step, and the steps without one.
    """
    waiting: dict[str, deque[int]] = defaultdict(deque)
    for place, call in enumerate(calls):
        waiting[call.key].append(place)
    matched: dict[int, int] = {}
    unseen: list[_Step] = []
    # A call without output had no answer to show: those with one are joined first.
    order = sorted(
        (number for number, step in enumerate(steps) if step.words is None),
        key=lambda number: not steps[number].output,
    )
    for number in order:
        step = steps[number]
        queue = waiting.get(_step_key(step), deque())
        # Some agents write the server before the tool's name.
        at = next((place for place in queue if calls[place].name in step.title), None)
        if at is None:
            unseen.append(step)
        else:
            queue.remove(at)
            matched[number] = at
    return matched, unseen


def _step_key(step: _Step) -> str:
    return canonical_json(_arguments(step.arguments) or {})


def _step(raw: object) -> _Step:
    call = _mapping(raw)
    return _Step(
        None,
        title=_text(call.get("title")) or "unnamed",
        arguments=call.get("rawInput"),
        output=call.get("rawOutput"),
        status=call.get("status"),
    )


def _outline(listed: object) -> Iterator[_Step]:
    """Read the short list of steps, in which a call is a name."""
    for raw in _list(listed):
        step = _mapping(raw)
        words = _text(step.get("message"))
        if words is not None and step.get("type") == "message":
            yield _Step(words)


def _arguments(recorded: object) -> dict[str, Any] | None:
    """Return a call's arguments; None where what is recorded is no object of use."""
    if recorded is None or recorded == "":
        return {}
    if isinstance(recorded, str):
        return parse_arguments(recorded)
    return sound_object(recorded)


def _kept(recorded: object) -> Any:  # noqa: ANN401  any JSON value
    """Return a value fit to be written down; None for one that nests too deeply."""
    kept = sound_object({"value": recorded})
    return None if kept is None else kept["value"]


def _header(headers: Mapping[str, Any], name: str) -> str | None:
    for key, values in headers.items():
        if key.lower() == name:
            first = values[0] if isinstance(values, list) and values else values
            return _text(first)
    return None


def _nanoseconds(written: object) -> int | None:
    """Return a written time in nanoseconds since 1970; None for none, and for Go's zero."""
    found = _MOMENT.fullmatch(written) if isinstance(written, str) else None
    if found is None:
        return None
    try:
        moment = datetime.fromisoformat(found[1] + found[3])
    except ValueError:
        return None
    seconds = int(moment.timestamp()) if moment.year >= 1970 else -1  # noqa: PLR2004  the epoch
    if seconds < 0:
        return None
    return seconds * _NANOSECONDS + int((found[2] or "0").ljust(9, "0")[:9])


def _milliseconds(nanoseconds: int | None) -> int | None:
    return None if nanoseconds is None else nanoseconds // 1_000_000


def _tokens(estimate: Mapping[str, Any], key: str) -> int | None:
    count = estimate.get(key)
    return count if type(count) is int and count >= 0 else None


def server_names(result: Element) -> Iterator[str]:
    """Yield the server that each call of a result names."""
    for raw in _list(_either(_mapping(result.get("callHistory")), "ToolCalls")):
        name = _text(_mapping(raw).get("serverName"))
        if name is not None:
            yield name


def _either(history: Mapping[str, Any], key: str) -> object:
    """Return what stands under a key, or under the same that begins with a small letter."""
    said = history.get(key)
    return history.get(key[0].lower() + key[1:]) if said is None else said


def _mapping(said: object) -> Mapping[str, Any]:
    return said if isinstance(said, Mapping) else {}


def _list(said: object) -> Sequence[Any]:
    return said if isinstance(said, list) else ()


def _text(said: object) -> str | None:
    return sound_text(said) if isinstance(said, str) and said.strip() else None
