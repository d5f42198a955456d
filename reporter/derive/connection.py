"""How a session's servers answered, and whether one of them refused."""

from collections.abc import Sequence
from typing import Final

from reporter.derive.adapter import server_of
from reporter.derive.excerpt import bounded
from reporter.models.facts import ConnectionFact, ConnectionWord
from reporter.models.records import Connection
from reporter.models.value import value

_CONNECTING: Final = ("connect", "initialize")
_MESSAGE_CHARS: Final = 500


@value(frozen=True, slots=True)
class ConnectionSummary:
    """What the connection records of one session come to."""

    word: ConnectionWord = "unknown"
    refused: bool = False
    """A server refused the client while connecting, and never answered afterwards."""
    failures: tuple[ConnectionFact, ...] = ()
    """Every record that failed, in file order, whatever its phase."""


def summarize_connections(connections: Sequence[Connection]) -> ConnectionSummary:
    """Fold a session's connection records.

    Args:
        connections: In file order. A server is its id, else its name; records that name
            neither are one server.

    Returns:
        The summary. A failure counts while no later record of the same server, of any
        phase, came out well.

    Rule: findings.md section 4.3 clause 2; recording.md section 5, `connection`.
    """
    if not connections:
        return _NOTHING
    refused = failed = False
    failures: list[ConnectionFact] = []
    answering: set[str | None] = set()
    for record in reversed(connections):
        server = server_of(record)
        if record.outcome == "ok":
            answering.add(server)
        elif record.outcome == "failed":
            recovered = server in answering
            failures.append(_failure(record, recovered=recovered))
            if record.phase in _CONNECTING and not recovered:
                failed = True
                refused = refused or record.attributable == "server"
    return ConnectionSummary(
        word=_word(refused=refused, failed=failed, answered=bool(answering)),
        refused=refused,
        failures=tuple(reversed(failures)),
    )


_NOTHING: Final = ConnectionSummary()


def _word(*, refused: bool, failed: bool, answered: bool) -> ConnectionWord:
    if refused:
        return "failedServer"
    if failed:
        return "failedOther"
    return "ok" if answered else "unknown"


def _failure(record: Connection, *, recovered: bool) -> ConnectionFact:
    error = record.error
    return ConnectionFact(
        phase=record.phase,
        server=record.server_name or record.server_id or None,
        message=None if error is None else bounded(error.message, _MESSAGE_CHARS),
        code=None if error is None or error.code is None else str(error.code),
        attributable=record.attributable,
        egress_verified=record.egress_verified,
        recovered=recovered,
    )
