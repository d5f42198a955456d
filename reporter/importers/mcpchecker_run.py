"""What an mcpchecker run says of itself: agent, servers with their tools, tasks."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from reporter.identifiers import CatalogId
from reporter.importers.losses import Losses
from reporter.importers.mapping import Stated
from reporter.importers.naming import kept_fields, short_digest
from reporter.importers.sound import sound_object, sound_text
from reporter.models.manifest import CatalogEntry, Target
from reporter.models.plan import Catalog
from reporter.models.records import Tool
from reporter.models.value import value

_MOST_RUNS: Final = 100
_READ: Final = frozenset(
    {"agent", "judge", "mcpServers", "evals", "runs", "parallelWorkers", "timeout", "skills"}
)
_TOOL_KEYS: Final = {
    "title": str,
    "description": str,
    "inputSchema": dict,
    "outputSchema": dict,
    "annotations": dict,
}


@value(frozen=True, slots=True)
class EvalRun:
    """One run: the same for all of its sessions."""

    target: Target
    judge_model: str | None = None
    model: str | None = None
    servers: tuple[str, ...] = ()
    """Names of the servers, in order."""
    catalog: CatalogEntry | None = None
    """Tools of all servers, or None where no server lists any."""
    names: tuple[str, ...] = ()
    """Tasks that were to run."""
    runs: int = 1
    """How often each of them."""

    @property
    def catalogs(self) -> Mapping[CatalogId, Catalog]:
        """The catalogue as a derivation reads it, by its id."""
        entry = self.catalog
        if entry is None:
            return {}
        declared = tuple(entry.tools or ())
        tools = frozenset(tool.name for tool in declared)
        catalog = Catalog(
            tools,
            complete=bool(entry.complete),
            definitions=declared,
            keeps=None if entry.keeps is None else frozenset(entry.keeps),
        )
        return {CatalogId(entry.catalog_id): catalog}

    def lists(self, tool: str) -> bool:
        """Tell whether some server lists a tool of this name."""
        entry = self.catalog
        return entry is not None and any(one.name == tool for one in entry.tools or ())


NO_RUN: Final = EvalRun(target=Stated().target_or(None))
"""The run of a file that says nothing of it."""


def names_servers(summary: object) -> bool:
    """Tell whether a run says which servers it ran against."""
    servers = _list(_mapping(summary).get("mcpServers"))
    return any(_text(_mapping(one).get("name")) for one in servers)


def run_of(summary: object, stated: Stated, losses: Losses, called: Sequence[str] = ()) -> EvalRun:
    """Read what a run says of itself; whatever is missing stays unknown.

    Args:
        summary: What it says, or anything else where it says nothing.
        stated: What the user states of the file.
        losses: Where what is unknown here is counted.
        called: Servers that its calls name; they count where it names none itself.
    """
    if not isinstance(summary, Mapping):
        return EvalRun(target=_of_calls(stated, called, None), servers=tuple(called))
    for key in summary:
        if key not in _READ:
            losses.unknown_type(f"summary.{sound_text(key)}", key, "members of the summary")
    servers = [one for one in _list(summary.get("mcpServers")) if isinstance(one, Mapping)]
    names = tuple(dict.fromkeys(_text(one.get("name")) or "unnamed" for one in servers))
    agent = _mapping(summary.get("agent"))
    model = _text(agent.get("model"))
    if not names:
        target = _of_calls(stated, called, model)
        names = tuple(called)
    else:
        target = stated.target_or(" + ".join(names), model)
    more: dict[str, Any] = {"server_ids": list(names) or None, "server_names": list(names) or None}
    urls = [url for one in servers if (url := _text(one.get("url")))]
    if urls:
        more["serverUrls"] = urls
    catalog = _catalog(servers, losses)
    if catalog is not None:
        more["catalog_id"] = catalog.catalog_id
    evals = _mapping(summary.get("evals"))
    runs = summary.get("runs")
    return EvalRun(
        target=Target.model_validate(dict(target) | more),
        judge_model=_text(_mapping(summary.get("judge")).get("model")),
        model=model,
        servers=names,
        catalog=catalog,
        names=tuple(
            sound_text(name) for name in _list(evals.get("names")) if isinstance(name, str)
        ),
        runs=runs if type(runs) is int and 1 <= runs <= _MOST_RUNS else 1,
    )


def _of_calls(stated: Stated, called: Sequence[str], model: str | None) -> Target:
    """Return the target of a run whose servers only its calls name."""
    target = stated.target_or(" + ".join(called) or None, model)
    if not called or stated.target is not None:
        return target
    rules = dict.fromkeys(("id", "label"), "servers that the calls name")
    more = {"server_ids": list(called), "server_names": list(called)}
    return target.model_copy(update={**more, "inferred": {**(target.inferred or {}), **rules}})


def _catalog(servers: Sequence[Mapping[str, Any]], losses: Losses) -> CatalogEntry | None:
    """Return the tools of all servers; complete where each of them lists its own."""
    listing = [one for one in servers if isinstance(one.get("tools"), list)]
    if not listing:
        return None
    tools: list[Tool] = []
    is_whole = len(listing) == len(servers)
    for number, server in enumerate(servers):
        for place, raw in enumerate(_list(server.get("tools"))):
            tool = _tool(raw, _text(server.get("name")))
            if tool is None:
                is_whole = False
                where = f"summary.mcpServers[{number}].tools[{place}]"
                losses.add("unreadable", where, "entries of the tool list that name no tool")
            else:
                tools.append(tool)
    digest = short_digest([tool.model_dump(mode="json") for tool in tools], is_whole)
    return CatalogEntry(
        catalog_id=f"tools-{digest}", tools=tools, complete=is_whole, keeps=kept_fields(tools)
    )


def _tool(raw: object, server: str | None) -> Tool | None:
    kept = sound_object(raw)
    if kept is None or not isinstance(kept.get("name"), str) or not kept["name"]:
        return None
    values = {key: kept[key] for key, kind in _TOOL_KEYS.items() if isinstance(kept.get(key), kind)}
    try:
        return Tool(name=kept["name"], server_id=server, **values)
    except ValidationError:
        return None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _text(value: object) -> str | None:
    return sound_text(value) if isinstance(value, str) and value else None
