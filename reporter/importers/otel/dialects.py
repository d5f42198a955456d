"""What a span means, in whichever of the dialects it is written."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from reporter.importers.otel import adk, names, openinference, openllmetry, semconv, vercel
from reporter.importers.otel.meaning import McpPhase, Meaning, ToolRun, fill
from reporter.importers.otel.read import count, text, word
from reporter.importers.otel.values import SpanValue

_READ: Final[tuple[Callable[[SpanValue], Meaning | None], ...]] = (
    semconv.read,
    openinference.read,
    openllmetry.read,
    adk.read,
    vercel.read,
)
_ANSWERED: Final = range(200, 300)
_BY_HTTP: Final = "an HTTP request to a path that ends in /mcp was answered with success"


def meaning_of(span: SpanValue) -> Meaning | None:
    """Return what a span says, or None for one that is neither agent, model, tool nor MCP.

    A span may be written in several dialects at once. The first that knows what the span
    is decides; the others fill in what it leaves open.
    """
    found: Meaning | None = None
    for read in _READ:
        meaning = read(span)
        if meaning is None:
            continue
        if found is None:
            found = meaning
        else:
            fill(found, meaning)
    if isinstance(found, ToolRun) and found.name == names.ADK_MERGED:
        return None
    return found if found is not None else _reached(span)


def conversation_of(attributes: Mapping[str, Any]) -> str | None:
    """Return the id of the conversation that a span says it belongs to, or None."""
    return word(attributes, *names.CONVERSATION)


def _reached(span: SpanValue) -> McpPhase | None:
    """Return that an MCP server was reached, where a plain HTTP span shows it.

    Only success says something: what a failed request was for, no such span tells.
    """
    if span.kind != "client" or span.status == "error":
        return None
    held = span.attributes
    method, url = text(held, *names.HTTP_METHOD), text(held, *names.HTTP_URL)
    if method != "POST" or url is None or count(held, *names.HTTP_STATUS) not in _ANSWERED:
        return None
    try:
        parts = urlsplit(url)
        server = parts.hostname if parts.port is None else f"{parts.hostname}:{parts.port}"
    except ValueError:
        return None
    if not parts.path.rstrip("/").endswith("/mcp"):
        return None
    return McpPhase("connect", "client", server=server, inferred=_BY_HTTP)
