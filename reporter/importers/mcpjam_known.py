"""What an MCPJam export lists beside its runs: goals, personas, environments, sessions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from reporter.importers.losses import Losses
from reporter.importers.mcpjam_documents import Export
from reporter.importers.mcpjam_values import mapping, rows, text

Json = Mapping[str, Any]


@dataclass
class Known:
    """What is listed beside the runs."""

    goals: dict[str, Json] = field(default_factory=dict)
    overview: dict[str, Json] = field(default_factory=dict)
    """Rows of the overview, by run."""
    personas: dict[str, Json] = field(default_factory=dict)
    slugs: dict[str, str] = field(default_factory=dict)
    """Durable ids of personas, by slug."""
    environments: dict[str, Json] = field(default_factory=dict)
    health: dict[str, str] = field(default_factory=dict)
    """Labels of environments that the insights name, by id."""
    sessions: dict[str, list[Json]] = field(default_factory=dict)
    """Session rows by run."""


def known_of(export: Export, losses: Losses) -> Known:
    """Gather what is listed; of two rows with one id the later one counts.

    Rule: import-mcpjam.md section 2.3.
    """
    known = Known()
    goals = [*export.rows("goals"), *((one.file, one.body) for one in export.of("goal"))]
    sessions: dict[str, Json] = {}
    for listed, found, what in (
        (goals, known.goals, "goals"),
        (export.rows("personas"), known.personas, "personas"),
        (export.rows("environments"), known.environments, "environments"),
        (export.rows("sessions"), sessions, "sessions"),
    ):
        for _, one in listed:
            _keep_later(found, one, what, losses)
    for own, one in known.personas.items():
        if (slug := text(one.get("slug"))) is not None:
            known.slugs.setdefault(slug, own)
    run_of = _runs_by_chat(export)
    for one in (*sessions.values(), *_stand_ins(export, sessions)):
        chat = text(one.get("chatSessionId"))
        claiming, said = run_of.get(chat or "", []), text(one.get("runId"))
        claimed = said if said in claiming else next(iter(claiming), None)
        if claimed is not None and said is not None and claimed != said:
            losses.disagreement(
                f"sessions[{chat}].runId",
                "the run of a session row beside the run that claims it, which counts",
            )
        known.sessions.setdefault(claimed or said or "", []).append(one)
    known.overview = _overview(export)
    known.health = _health(export)
    return known


def _runs_by_chat(export: Export) -> dict[str, list[str]]:
    """Return which runs claim a session: one, if all is well."""
    found: dict[str, list[str]] = {}
    for document in export.of("run"):
        for one in rows(document.body.get("attempts")):
            chat = text(one.get("chatSessionId"))
            if chat is not None:
                found.setdefault(chat, []).append(str(document.body.get("id")))
    return found


def _stand_ins(export: Export, sessions: Mapping[str, Json]) -> Iterator[Json]:
    """Yield what else tells of a session whose row was not saved: the feed, its transcript."""
    known = {text(one.get("chatSessionId")) for one in sessions.values()}
    told = [one for _, one in export.rows("feed")]
    told += [{"id": own, "chatSessionId": chat} for chat, own in export.chats.items()]
    for one in told:
        chat, own = text(one.get("chatSessionId")), text(one.get("id"))
        if chat is not None and own is not None and chat not in known:
            known.add(chat)
            yield {**one, "runId": mapping(one.get("parentRef")).get("journeyRunId")}


def _overview(export: Export) -> dict[str, Json]:
    return {
        run_id: one
        for document in export.of("overview")
        for one in rows(document.body.get("runs"))
        if (run_id := text(one.get("runId"))) is not None
    }


def _health(export: Export) -> dict[str, str]:
    found: dict[str, str] = {}
    for envelope in export.envelopes():
        for one in rows(mapping(envelope.get("runHealth")).get("targets")):
            own, label = text(one.get("subjectId")), text(one.get("subjectLabel"))
            if one.get("subjectKind") == "environment" and own and label:
                found.setdefault(own, label)
    return found


def _keep_later(known: dict[str, Json], one: Json, what: str, losses: Losses) -> None:
    own = text(one.get("id"))
    if own is None:
        losses.add("unreadable", what, "rows without an id")
        return
    if own in known:
        losses.add("repeated", f"{what}[{own}]", "rows of one id; the later one counts")
    known[own] = one
