"""The tools that a τ²-bench run offered its agent, where its file lists them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from reporter.identifiers import CatalogId
from reporter.importers.losses import Losses
from reporter.importers.naming import kept_fields, short_digest
from reporter.importers.sound import sound_object
from reporter.models.manifest import CatalogEntry
from reporter.models.plan import Catalog
from reporter.models.records import Tool

_PLACE: Final = "info.environment_info.tool_defs"


@dataclass(frozen=True, slots=True)
class Offered:
    """The tools of a run's environment, or None where its file lists none."""

    entry: CatalogEntry | None = None

    @property
    def catalogs(self) -> Mapping[CatalogId, Catalog]:
        """The catalogue as a derivation reads it, by its id."""
        if self.entry is None:
            return {}
        names = frozenset(tool.name for tool in self.entry.tools or ())
        return {
            CatalogId(self.entry.catalog_id): Catalog(names, complete=bool(self.entry.complete))
        }


def offered_by(info: Mapping[str, Any], losses: Losses) -> Offered:
    """Read the tools of a run.

    The runner writes down the environment's whole set of tools by their names. An agent that
    works without a user is given one more, which is none of the environment's, so the list of
    such a run is not complete.

    Args:
        info: `info` of the run.
        losses: Takes in the definitions that cannot be used.
    """
    environment, agent = info.get("environment_info"), info.get("agent_info")
    defined = environment.get("tool_defs") if isinstance(environment, dict) else None
    if defined is None:
        return Offered()
    if not isinstance(defined, dict | list):
        losses.add("unreadable", _PLACE, "definitions of tools that are no list")
        return Offered()
    tools: list[Tool] = []
    for place, name, raw in _definitions(defined):
        tool = _tool(name, raw)
        if tool is None:
            losses.add("unreadable", place, "definitions that name no tool")
        else:
            tools.append(tool)
    word = agent.get("implementation") if isinstance(agent, dict) else None
    is_alone = isinstance(word, str) and "solo" in word
    is_whole = len(tools) == len(defined) and not is_alone
    digest = short_digest([tool.model_dump(mode="json") for tool in tools], is_whole)
    return Offered(
        CatalogEntry(
            catalog_id=f"tools-{digest}", tools=tools, complete=is_whole, keeps=kept_fields(tools)
        )
    )


def _definitions(
    defined: dict[str, Any] | list[Any],
) -> Iterator[tuple[str, object, object]]:
    """Yield place, name and definition of each tool."""
    if isinstance(defined, dict):
        for name, raw in defined.items():
            yield f"{_PLACE}.{name}", name, raw
        return
    for index, raw in enumerate(defined):
        yield f"{_PLACE}[{index}]", None, raw


def _tool(name: object, raw: object) -> Tool | None:
    kept = sound_object(raw)
    if kept is None:
        return None
    if isinstance(kept.get("function"), dict):
        kept = kept["function"]
    own = kept.get("name", name)
    doc = kept.get("doc", kept.get("description"))
    takes, gives = kept.get("params", kept.get("parameters")), kept.get("returns")
    if not isinstance(own, str) or not own:
        return None
    try:
        return Tool(
            name=own,
            description=doc if isinstance(doc, str) else None,
            input_schema=takes if isinstance(takes, dict) else None,
            output_schema=gives if isinstance(gives, dict) else None,
        )
    except ValidationError:
        return None
