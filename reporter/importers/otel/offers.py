"""Which tools a session offered: to the model by its requests, by servers in their lists."""

from collections.abc import Sequence
from typing import Final

from reporter.importers.otel.meaning import AgentRun, CallPart, McpPhase
from reporter.importers.otel.requests import Request
from reporter.models.records import CatalogRecord, Tool

_WHOLE_LIST: Final = {"complete": "each request, or its agent, lists the tools that it offers"}


class Offers:
    """The tools that the requests and agents of one session list."""

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}
        self._is_whole = True
        self._by_agent = False
        """An agent's own span lists its tools."""

    @property
    def is_empty(self) -> bool:
        """Nothing lists a tool that was offered to the model."""
        return not self._tools

    def request(self, request: Request) -> None:
        """Take in what one request offers the model."""
        if request.tools is None:
            # A request whose list was not captured may have offered others.
            known = self._by_agent or not _asks(request)
            self._is_whole = self._is_whole and known
            return
        self._is_whole = self._is_whole and request.tools_whole
        self._add(request.tools)

    def agent(self, agent: AgentRun) -> None:
        """Take in what an agent's span lists."""
        if agent.tools:
            self._by_agent = True
            self._add(agent.tools)

    def record(self, seq: int, wire_names: Sequence[str]) -> CatalogRecord:
        """Return the catalogue of what the model was offered.

        Args:
            seq: Number of the record.
            wire_names: Tools that only clients and servers were seen to call: the model may
                know them by other names, so one that is not listed leaves the list open.
        """
        is_whole = self._is_whole and all(name in self._tools for name in wire_names)
        return CatalogRecord(
            seq=seq,
            inferred=_WHOLE_LIST if is_whole else None,
            tools=list(self._tools.values()),
            complete=is_whole,
            view="model",
        )

    def listed(self, seq: int, phase: McpPhase) -> CatalogRecord:
        """Return what one server listed.

        Its list is whole for that server. Whether there are other tools beside it only a
        list of what the model was offered tells.
        """
        return CatalogRecord(
            seq=seq,
            tools=list(phase.tools or ()),
            complete=phase.tools_whole and not self.is_empty,
            view="raw",
        )

    def _add(self, tools: Sequence[Tool]) -> None:
        for tool in tools:
            self._tools.setdefault(tool.name, tool)


def _asks(request: Request) -> bool:
    return any(isinstance(part, CallPart) for one in request.outputs or () for part in one.parts)
