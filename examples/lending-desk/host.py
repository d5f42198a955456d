"""The client side of a session: starts a server, connects to it, lists what it offers."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from mcp import ClientSession, MCPError, StdioServerParameters, stdio_client
from mcp.types import CONNECTION_CLOSED, REQUEST_TIMEOUT, Implementation, PaginatedRequestParams

from reporter.models.records import Tool

SERVER: Final = Path(__file__).with_name("server.py")
PATIENCE_SECONDS: Final = 60.0
NOT_FROM_SERVER: Final = (CONNECTION_CLOSED, REQUEST_TIMEOUT)
"""Error codes that the client makes up itself when no answer comes."""


@asynccontextmanager
async def connected(host: str, *, closed: str | None = None) -> AsyncIterator[ClientSession]:
    """Start a server of its own for one host and give the client that talks to it."""
    arguments = [str(SERVER)] if closed is None else [str(SERVER), "--closed", closed]
    parameters = StdioServerParameters(command=sys.executable, args=arguments)
    with Path(os.devnull).open("w") as log:  # noqa: ASYNC230  the null device does not block
        async with (
            stdio_client(parameters, errlog=log) as (read, write),
            ClientSession(
                read,
                write,
                read_timeout_seconds=PATIENCE_SECONDS,
                client_info=Implementation(name=f"{host}-host", version="1.0"),
            ) as client,
        ):
            yield client


async def answers_elsewhere(host: str) -> bool:
    """Tell whether an open desk answers the same host, so that our own side is known to work."""
    async with connected(host) as client:
        try:
            await client.initialize()
        except MCPError:
            return False
        return True


async def list_every_tool(client: ClientSession) -> list[Tool]:
    """Return the server's catalogue, all pages of it."""
    tools: list[Tool] = []
    cursor: str | None = None
    while True:
        page = await client.list_tools(params=PaginatedRequestParams(cursor=cursor))
        tools += [
            Tool.model_validate(tool.model_dump(mode="json", by_alias=True, exclude_unset=True))
            for tool in page.tools
        ]
        cursor = page.next_cursor
        if cursor is None:
            return tools
