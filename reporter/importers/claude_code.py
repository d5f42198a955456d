"""Imports Claude Code session logs: one record a line, a tree, sub-agents beside it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from reporter.importers.claude_code_family import Log, families, members_of, read_log
from reporter.importers.claude_code_records import BOOKKEEPING
from reporter.importers.claude_code_write import written
from reporter.importers.described import Described, Gap
from reporter.importers.importer import ImportedItem
from reporter.importers.jsonlines import first_objects
from reporter.importers.mapping import FileMapping
from reporter.importers.outline import Outline
from reporter.importers.source import Look, SourceEntry

_META_SUFFIX: Final = ".meta.json"

_DESCRIBED: Final = Described(
    title="Claude Code session logs",
    files="`<sessionId>.jsonl`, one record a line, with `agent-<id>.jsonl` of its sub-agents",
    persona=None,
    goal="the person's first words (inferred)",
    target="last part of `cwd` (inferred) with the model of most steps",
    session="`sessionId`; the path from the latest message to its root, other branches counted",
    turn="a `user` record with words of the person, up to the next",
    call="`tool_use` blocks, those of sub-agents in the turn that sent them to work",
    result="the `tool_result` block with the call's id",
    error="`is_error`; absent is false; a denial (`toolDenialKind`, or its text) is no server's",
    stop_reason="`message.stop_reason`, once a message; often null",
    outcome=None,
    usage="`message.usage`, once a message, cache tokens among the input",
    time="`timestamp`",
    catalog="names in `deferred_tools_delta`, tools in `prompt_snapshot`, never complete",
    connection="`failedMcpServers` of `deferred_tools_delta`, nobody's fault",
    gaps=(
        Gap("no persona; `--map` or `--persona` gives one", "notMeasured"),
        Gap("no outcome", "notMeasured"),
        Gap("no complete tool catalog", "toolCatalogMissing"),
        Gap("no transport evidence", "notMeasured"),
    ),
)


@dataclass(frozen=True, slots=True)
class ClaudeCode:
    """One log a session; logs that share a session or records of one are read together."""

    name: str = "claude-code"
    version: int = 1
    looks_for: str = (
        "JSON lines with type, uuid, parentUuid and sessionId (a session log of Claude Code)"
    )
    described: Described = _DESCRIBED

    def claims(self, look: Look) -> bool:
        """Tell whether the first lines are records of a session log."""
        if look.name.endswith(_META_SUFFIX):
            return look.outline.has("agentType")
        if look.head.lstrip()[:1] != b"{":
            return False
        objects = first_objects(look.head)
        if any(map(_is_record, objects)):
            return True
        return not objects and _begins_as_record(look.outline)

    def bundles(self, files: Sequence[SourceEntry]) -> list[tuple[SourceEntry, ...]]:
        """Put together what belongs to one session, or repeats records of another."""
        return families(files)

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        """Read the logs of a bundle, then write down each session that they hold."""
        sent_by: dict[str, str] = {}
        logs: list[Log] = []
        for entry in bundle:
            log = read_log(entry, sent_by)
            yield log.file
            logs.append(log)
        # The same bytes once more are said to be that elsewhere.
        distinct = list({log.file.sha256: log for log in reversed(logs)}.values())[::-1]
        members = members_of(distinct)
        for member in members:
            yield from written(member, mapping, sent_by)
        used = {id(log) for member in members for log in member.logs}
        for log in distinct:
            if id(log) not in used:
                yield from log.without_session()


def _is_record(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    if not isinstance(kind, str) or "seq" in record:
        return False
    if "parentUuid" in record and "uuid" in record:
        return "sessionId" in record or "isSidechain" in record
    if kind == "summary":
        return "leafUuid" in record
    if kind == "file-history-snapshot":
        return "messageId" in record and "snapshot" in record
    return kind in BOOKKEEPING and "sessionId" in record


def _begins_as_record(outline: Outline) -> bool:
    """Tell the same of a first line that is longer than what is looked at."""
    return outline.has("type", "parentUuid", "isSidechain") and not outline.has("seq")
