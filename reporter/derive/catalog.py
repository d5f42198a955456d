"""Which tools a session could call: the catalogue it is judged by."""

from collections.abc import Sequence

from reporter.derive.evidence import SessionEvidence
from reporter.identifiers import CatalogId
from reporter.models.manifest import Target
from reporter.models.plan import Catalog, SessionContext
from reporter.models.records import CatalogRecord
from reporter.models.value import value


@value(frozen=True, slots=True)
class JudgedCatalog:
    """The catalogue that decides whether a tool exists."""

    tools: frozenset[str] | None = None
    """None: nothing is known about the tools."""
    complete: bool = False
    own: bool = False
    """True: listed in this session; false: what the target names, or nothing."""
    unknown_ids: tuple[str, ...] = ()
    """Catalogues that the session's records name and the recording does not hold."""

    @property
    def known_empty(self) -> bool:
        """True: a complete catalogue lists no tool at all."""
        return self.complete and self.tools is not None and not self.tools


def judged_catalog(context: SessionContext, records: Sequence[CatalogRecord]) -> JudgedCatalog:
    """Choose the catalogue that a session's calls are judged by.

    Args:
        context: Holds the target's catalogue and those a record may name by id.
        records: The session's own catalogue records; they count as their union, and the
            union is complete only when each of them is.

    Rule: findings.md section 8, detection details.
    """
    if not records:
        catalog = context.catalog
        return _NOTHING if catalog is None else JudgedCatalog(catalog.tools, catalog.complete)
    tools: frozenset[str] | None = None
    complete = True
    unknown: list[str] = []
    for record in records:
        listed = _listed(context, record)
        if listed is None:
            complete = False
            if record.catalog_id is not None:
                unknown.append(record.catalog_id)
            continue
        tools = listed.tools if tools is None else tools | listed.tools
        complete = complete and listed.complete
    return JudgedCatalog(tools, complete, own=True, unknown_ids=tuple(dict.fromkeys(unknown)))


_NOTHING = JudgedCatalog()


def _listed(context: SessionContext, record: CatalogRecord) -> Catalog | None:
    if record.tools is not None:
        return Catalog(frozenset(tool.name for tool in record.tools), record.complete)
    if record.catalog_id is None:
        return None
    named = context.catalogs.get(CatalogId(record.catalog_id))
    if named is None and record.catalog_id == context.target.catalog_id:
        named = context.catalog
    if named is None:
        return None
    # What the catalogue says of itself was not said of what this session listed.
    return Catalog(named.tools, record.complete)


def tool_exists(name: str, catalog: JudgedCatalog, target: Target) -> bool:
    """Tell whether a called name is a tool of the catalogue or one the client brings along.

    A client-side prefix is undone only where the target declares it.

    Rule: findings.md section 8, `hallucinatedTool`.
    """
    tools = catalog.tools or frozenset()
    if name in tools or name in (target.built_in_tool_ids or ()):
        return True
    prefix = target.tool_name_prefix
    return bool(prefix) and name.startswith(prefix or "") and name[len(prefix or "") :] in tools


def is_known_empty(catalog: JudgedCatalog, evidence: SessionEvidence) -> bool:
    """Tell whether it is on record that there was no tool to call.

    Rule: findings.md section 8, `noToolCalled`.
    """
    if catalog.tools is not None:
        return catalog.known_empty
    readiness = evidence.readiness
    return (
        readiness is not None
        and readiness.advertised_tools_known is True
        and readiness.advertised_tool_count == 0
    )
