"""A client for one model server: sends no more than it must, takes in no more than it can."""

from collections.abc import AsyncIterator
from typing import Final

import httpx2
from httpx2 import AsyncClient

__all__ = ["LARGEST_BODY", "AsyncClient", "TooLongError", "bounded_client"]

LARGEST_BODY: Final = 4 << 20
"""Bytes of an answer, after unpacking: far more than any answer that is asked for."""

_SENT_HEADERS: Final = frozenset(
    {
        "accept",
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "host",
        "transfer-encoding",
        "user-agent",
    }
)
_CONNECT_S: Final = 10.0


class TooLongError(Exception):
    """An answer that goes on beyond all measure."""


class _BoundedStream(httpx2.AsyncByteStream):
    """The bytes of an answer, up to the bound."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in self._stream:
            size += len(piece)
            if size > LARGEST_BODY:
                raise TooLongError
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bound(response: httpx2.Response) -> None:
    # It was asked not to pack its answer: unpacked, a small one could take any size.
    response.headers.pop("content-encoding", None)
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _BoundedStream(response.stream)


async def _only_what_is_needed(request: httpx2.Request) -> None:
    """Leave out what describes the machine, and what its environment holds for other servers."""
    for name in list(request.headers):
        if name.lower() not in _SENT_HEADERS:
            del request.headers[name]
    request.headers["accept-encoding"] = "identity"


def bounded_client(url: str, timeout_s: float) -> AsyncClient:
    """Return a client that follows no redirection: what it sends goes to the one address.

    Args:
        url: The address.
        timeout_s: Seconds to wait for the server at each step.
    """
    return AsyncClient(
        timeout=httpx2.Timeout(timeout_s, connect=min(timeout_s, _CONNECT_S)),
        follow_redirects=False,
        # Reading the authorities' certificates takes longer than a whole answer on loopback.
        verify=not url.lower().startswith("http://"),
        event_hooks={"request": [_only_what_is_needed], "response": [_bound]},
    )
