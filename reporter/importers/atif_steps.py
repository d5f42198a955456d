"""Writes the steps of an ATIF trajectory as records."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.importers.agent_log import (
    AgentLog,
    Came,
    Ending,
    Step,
    count_of,
    milliseconds,
    text_of,
)
from reporter.importers.atif_documents import (
    Document,
    Library,
    child,
    objects,
    references_of,
    results_of,
)
from reporter.importers.conversation import BrokenElementError
from reporter.importers.jsontext import finite
from reporter.importers.outcome import number_of
from reporter.importers.sound import sound_object
from reporter.models.manifest import Attempt
from reporter.models.records import Tool, Usage

_NO_TOOL: Final = "the agent's last step asks for no tool"
_RESULT_RULE: Final = "extra.is_error of the result"
_STEP_RULE: Final = "extra.tool_result_is_error of the step"
_SEVERAL_RULE: Final = "several requests of the model in one step (llm_call_count)"

_COPIED: Final = "steps copied from an earlier trajectory for context (is_copied_context)"
_NO_CALL: Final = "results of no tool call; they stay messages"


class AtifWriter:
    """Adds the records of one session: a trajectory, what goes on from it, who it sent.

    Args:
        log: Takes the records.
        library: Where other documents are found.
    """

    def __init__(self, log: AgentLog, library: Library) -> None:
        self.models: Counter[str] = Counter()
        self.written: set[int] = set()
        """Documents that are in the session, by identity."""
        self.copied_words: str | None = None
        """The first words of a person among what was copied for context."""
        self._log = log
        self._library = library
        self._last: Mapping[str, Any] = {}

    def write(self, document: Document) -> None:
        """Add a trajectory and everything that goes on from it."""
        at: Document | None = document
        while at is not None and id(at) not in self.written:
            self.written.add(id(at))
            if at is not document:
                self._log.notice("continued", f"It goes on in {at.entry.name}.")
            self._tools(at)
            for index, step in enumerate(at.steps):
                self._step(at, index, step)
            _compare(at)
            at = self._library.continued(at)

    def ending(self) -> Ending:
        """Return how the session ended, from its last step."""
        last = self._last
        asks = last.get("tool_calls")
        if last.get("source") != "agent" or asks or not _any_text(last.get("message")):
            return Ending()
        return Ending(Attempt(status="succeeded"), "unknown", _NO_TOOL)

    def _step(self, document: Document, index: int, step: object) -> None:
        place = document.at(index)
        if not isinstance(step, dict):
            document.losses.add("unreadable", place, "steps that are no objects")
            return
        if step.get("is_copied_context") is True:
            document.losses.add("repeated", place, _COPIED)
            if step.get("source") == "user" and self.copied_words is None:
                self.copied_words = text_of(_any_text(step.get("message")))
            return
        try:
            self._add(document, place, step)
        except BrokenElementError as error:
            document.losses.add(
                "unreadable",
                place + error.place,
                f"steps that are not what the format says: {error.reason}",
            )

    def _add(self, document: Document, place: str, step: Mapping[str, Any]) -> None:
        source, at = step.get("source"), milliseconds(step.get("timestamp"))
        message = _content(step.get("message"), ".message")
        if source == "user":
            self._log.said(message, at)
        elif source == "system":
            self._system(document, step, message, at)
        elif source == "agent":
            self._agent(document, place, step, message, at)
        else:
            document.losses.unknown_type(place, source, "steps")
            return
        self._last = step

    def _system(
        self,
        document: Document,
        step: Mapping[str, Any],
        message: str | list[Any],
        at: int | None,
    ) -> None:
        managed = child(child(step, "extra"), "context_management")
        kind = text_of(managed.get("type"))
        if kind is not None:
            self._log.notice(kind, "The agent's context was changed here.", at)
        if message:
            self._log.client(message, at)
        for result in results_of(step):
            content = _content(result.get("content"), ".observation.results[].content")
            if content:
                self._log.client(content, at)
            self._sent(document, result, at)

    def _agent(
        self,
        document: Document,
        place: str,
        step: Mapping[str, Any],
        message: str | list[Any],
        at: int | None,
    ) -> None:
        self._log.assistant(message, at)
        self._work(document, place, step, at)
        results = list(results_of(step))
        for result in results:
            self._result(document, place, result, at, _is_error(step, result, len(results)))
            self._sent(document, result, at)

    def _work(
        self, document: Document, place: str, step: Mapping[str, Any], at: int | None
    ) -> None:
        """Add the calls of one step and the end of it."""
        losses, requests = document.losses, count_of(step.get("llm_call_count"))
        for call in objects(step, "tool_calls"):
            self._log.called(
                call.get("tool_call_id"),
                call.get("function_name"),
                call.get("arguments"),
                at,
                steps=requests != 0,
            )
        losses.no_place(
            "reasoning_content",
            "reasoning, which nobody was told",
            int(text_of(step.get("reasoning_content")) is not None),
        )
        metrics = child(step, "metrics")
        losses.no_place(
            "metrics.cost_usd",
            "costs, for which a recording has no place",
            int(bool(number_of(metrics.get("cost_usd")))),
        )
        if requests == 0:
            losses.no_place(place, "steps that no model took (llm_call_count 0); their calls count")
            return
        model = text_of(step.get("model_name")) or text_of(document.agent.get("model_name"))
        if model is not None:
            self.models[model] += 1
        several = {"usage": _SEVERAL_RULE} if requests is not None and requests > 1 else {}
        self._log.step(Step(at=at, usage=_usage(metrics), model_id=model, inferred=several))

    def _result(
        self,
        document: Document,
        place: str,
        result: Mapping[str, Any],
        at: int | None,
        error: tuple[bool | None, str | None],
    ) -> None:
        content = _content(result.get("content"), ".observation.results[].content")
        is_error, rule = error
        came = Came(at=at, is_error=is_error, inferred={"isError": rule} if rule else {})
        call_id = result.get("source_call_id")
        if self._log.came_back(call_id, content, came):
            return
        if call_id is None:
            document.losses.no_place(place, _NO_CALL)
        else:
            document.losses.unmatched(place)

    def _sent(self, document: Document, result: Mapping[str, Any], at: int | None) -> None:
        """Add what sub-agents called: the agent had it done, in the turn at hand."""
        for reference in references_of(result):
            sent = self._library.sent(document, reference)
            if sent is None:
                document.losses.no_place(
                    "subagent_trajectory_ref",
                    "sub-agents whose trajectory is not in the source; their calls are missing",
                )
            elif id(sent) not in self.written:
                self.written.add(id(sent))
                self._subagent(sent, at)

    def _subagent(self, document: Document, at: int | None) -> None:
        name = document.trajectory_id or document.session_id or document.entry.name
        self._log.notice(
            "subagent",
            f"Sub-agent {name}: the calls from here to the end of its work are its own; what it "
            f"wrote is no part of the conversation.",
            at,
        )
        for index, step in enumerate(document.steps):
            if not isinstance(step, dict) or step.get("source") != "agent":
                continue
            place = document.at(index)
            if step.get("is_copied_context") is True:
                document.losses.add("repeated", place, _COPIED)
                continue
            own = milliseconds(step.get("timestamp"))
            try:
                self._work(document, place, step, own)
                results = list(results_of(step))
                for result in results:
                    error = _is_error(step, result, len(results))
                    self._result(document, place, result, own, error)
                    self._sent(document, result, own)
            except BrokenElementError as broken:
                document.losses.add(
                    "unreadable",
                    place + broken.place,
                    f"steps that are not what the format says: {broken.reason}",
                )

    def _tools(self, document: Document) -> None:
        tools: list[Tool] = []
        for one in objects(document.agent, "tool_definitions"):
            function = child(one, "function") or one
            name = text_of(function.get("name"))
            schema = function.get("parameters", function.get("input_schema"))
            if name is not None:
                tools.append(
                    Tool(
                        name=name,
                        description=text_of(function.get("description")),
                        input_schema=sound_object(finite(schema)),
                    )
                )
        if tools:
            self._log.tools(tools, None)


def _is_error(
    step: Mapping[str, Any], result: Mapping[str, Any], results: int
) -> tuple[bool | None, str | None]:
    """Return whether a result is an error, and by which rule; the format has no word for it."""
    extra = child(result, "extra")
    for key in ("is_error", "isError"):
        if isinstance(extra.get(key), bool):
            return extra[key], _RESULT_RULE
    said = child(step, "extra").get("tool_result_is_error")
    return (said, _STEP_RULE) if isinstance(said, bool) and results == 1 else (None, None)


def _usage(metrics: Mapping[str, Any]) -> Usage | None:
    read, written = (
        count_of(metrics.get("prompt_tokens")),
        count_of(metrics.get("completion_tokens")),
    )
    if not read and not written:
        return None
    return Usage(input_tokens=read, output_tokens=written)


def _compare(document: Document) -> None:
    """Say where the totals of a trajectory are not those of its steps."""
    totals = child(document.body, "final_metrics")
    for total, part in (
        ("total_prompt_tokens", "prompt_tokens"),
        ("total_completion_tokens", "completion_tokens"),
    ):
        said = count_of(totals.get(total))
        parts = [
            count_of(child(step, "metrics").get(part))
            for step in document.steps
            if isinstance(step, dict) and step.get("source") == "agent"
        ]
        known = [one for one in parts if one is not None]
        if said and not known:
            document.losses.no_place(
                f"{document.place}final_metrics.{total}",
                "totals of tokens that no step accounts for",
            )
        elif said is not None and len(known) == len(parts) and sum(known) != said:
            document.losses.disagreement(
                f"{document.place}final_metrics.{total}",
                "totals that are not the sum of the steps' own numbers, which count",
            )


def _content(content: object, place: str) -> str | list[Any]:
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        raise BrokenElementError(place, "text or a list of parts was expected")
    return content or ""


def _any_text(content: object) -> str:
    if isinstance(content, str):
        return content.strip()
    parts: Sequence[object] = content if isinstance(content, list) else ()
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "\n".join(text for text in texts if isinstance(text, str)).strip()
