"""What spans of MCP, or of plain HTTP, show of reaching a server."""

from typing import Final, Literal

from reporter.importers.otel.meaning import McpPhase, Told
from reporter.importers.sound import sound_text
from reporter.models.records import Connection, ConnectionFailure

_NS_A_MS: Final = 1_000_000
_MESSAGE_CHARS: Final = 500


def connection_of(seq: int, told: Told, phase: McpPhase) -> Connection:
    """Return the record of one phase of reaching one server.

    Rule: recording.md section 4, `connection`; chain.md section 15 for whose failure it is.
    """
    failed = told.is_error or phase.error_type is not None or phase.rpc_code is not None
    error: ConnectionFailure | None = None
    if failed:
        words = told.message or phase.error_type or "no details recorded"
        error = ConnectionFailure(
            code=phase.rpc_code if phase.rpc_code is not None else phase.error_type,
            message=sound_text(words)[:_MESSAGE_CHARS],
        )
    duration = None
    if told.start_ns is not None and told.end_ns is not None:
        duration = max(0.0, (told.end_ns - told.start_ns) / _NS_A_MS)
    return Connection(
        seq=seq,
        at=None if told.start_ns is None else told.start_ns // _NS_A_MS,
        inferred=None if phase.inferred is None else {"phase": phase.inferred},
        phase=phase.phase,
        outcome="failed" if failed else "ok",
        server_name=phase.server,
        error=error,
        attributable=_whose(phase) if failed else "unknown",
        duration_ms=duration,
    )


def _whose(phase: McpPhase) -> Literal["server", "client", "network", "unknown"]:
    """Tell whose failure it was, where the recorded error says so."""
    if phase.rpc_code is not None:
        return "server"
    if phase.error_type in ("401", "403"):
        return "client"
    kind = phase.error_type or ""
    return "server" if kind.startswith("5") and kind.isdigit() else "unknown"
