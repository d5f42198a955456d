"""Finds the session in a Claude Code log, which is a tree: what was left is not in it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from reporter.importers.claude_code_records import Node


@dataclass(frozen=True, slots=True)
class Branch:
    """Records that stand on no way to the session's latest one."""

    first: Node
    messages: int
    """Messages of person, assistant and tools on it."""
    asked: Node | None
    """The first user record on it that is no result, or None."""


@dataclass(frozen=True, slots=True)
class Path:
    """The session that a tree holds."""

    nodes: tuple[Node, ...] = ()
    """In the order in which they were written."""
    branches: tuple[Branch, ...] = ()
    bridged: tuple[Node, ...] = ()
    """Records whose parent is missing: the record before them stands in."""
    begins_elsewhere: bool = False
    """The first record stands under one that is not here."""
    retracted: int = 0
    """Messages that the client took back before anybody saw them."""


@dataclass
class _Tree:
    nodes: Sequence[Node]
    by_uuid: Mapping[str, Node]
    retracted: frozenset[str]
    bridged: list[Node] = field(default_factory=list)
    begins_elsewhere: bool = False
    on_path: set[int] = field(default_factory=set)
    """Places of the session's nodes."""


def path_of(nodes: Sequence[Node]) -> Path:
    """Return the session: the way from the latest message back to its root.

    The log is only ever appended to, so the last message written is where the person
    ended up; edited prompts and retries stand on other branches. Three things join what
    the parents alone would cut: all records of one message of the model, all results of its
    calls, and what stands before the place where the context was shortened.

    Args:
        nodes: All records of the session's own tree, in the order in which they were
            written; sub-agents' are not among them.
    """
    for place, node in enumerate(nodes):
        node.place = place
    retracted = frozenset(uuid for node in nodes for uuid in node.retracts)
    by_uuid: dict[str, Node] = {}
    for node in nodes:
        if node.uuid is not None:
            by_uuid.setdefault(node.uuid, node)
    tree = _Tree(nodes, by_uuid, retracted)
    leaf = next((node for node in reversed(nodes) if node.speaks and not _taken(tree, node)), None)
    if leaf is None:
        return Path(tuple(node for node in nodes if not node.speaks))
    _walk(tree, leaf)
    _join(tree)
    return Path(
        nodes=tuple(node for node in nodes if node.place in tree.on_path),
        branches=tuple(_branches(tree)),
        bridged=tuple(reversed(tree.bridged)),
        begins_elsewhere=tree.begins_elsewhere,
        retracted=sum(1 for node in nodes if node.speaks and _taken(tree, node)),
    )


def _taken(tree: _Tree, node: Node) -> bool:
    return node.uuid in tree.retracted


def _walk(tree: _Tree, leaf: Node) -> None:
    at: Node | None = leaf
    seen: set[int] = set()
    while at is not None and at.place not in seen:
        seen.add(at.place)
        if not _taken(tree, at):
            tree.on_path.add(at.place)
        at = _before(tree, at)


def _before(tree: _Tree, node: Node) -> Node | None:
    """Return the record that a record follows, or None for the first of the session."""
    parent = node.parent
    if parent is None and node.is_boundary:
        parent = node.logical_parent
    found = tree.by_uuid.get(parent) if parent is not None else None
    # What a shortened context kept may be written down again behind the boundary that it
    # stood before.
    is_behind = found is not None and node.is_boundary and found.place > node.place
    if found is not None and found is not node and not is_behind:
        return found
    if parent is None and node.has_parent and not (node.is_boundary or node.is_summary):
        return None
    at = node.place - 1
    while at >= 0 and at in tree.on_path:
        at -= 1
    before = tree.nodes[at] if at >= 0 else None
    if parent is not None:
        tree.begins_elsewhere = tree.begins_elsewhere or before is None
        if before is not None and not node.is_boundary:
            tree.bridged.append(node)
    return before


def _join(tree: _Tree) -> None:
    """Add what belongs to the path and hangs beside it."""
    messages = {
        node.message_id
        for node in tree.nodes
        if node.place in tree.on_path and node.message_id is not None
    }
    for node in tree.nodes:
        # Its records hang on each other; a branch that was left hangs on a person's words.
        if (
            node.message_id in messages
            and node.kind == "assistant"
            and _hangs(tree, node)
            and not _taken(tree, node)
        ):
            tree.on_path.add(node.place)
    called = {
        use.call_id
        for node in tree.nodes
        if node.place in tree.on_path
        for use in node.uses
        if isinstance(use.call_id, str)
    }
    for node in tree.nodes:
        answers = any(
            isinstance(one.call_id, str) and one.call_id in called for one in node.answers
        )
        hangs = not node.speaks and _hangs(tree, node)
        if (answers and not _taken(tree, node)) or hangs or node.is_boundary or node.is_summary:
            tree.on_path.add(node.place)


def _hangs(tree: _Tree, node: Node) -> bool:
    parent = tree.by_uuid.get(node.parent) if node.parent is not None else None
    return parent is not None and parent.place in tree.on_path


def _branches(tree: _Tree) -> Iterable[Branch]:
    """Yield the branches that were left, each named by its first record."""
    roots: dict[int, int] = {}
    members: dict[int, list[Node]] = {}
    for node in tree.nodes:
        if node.place in tree.on_path or _taken(tree, node):
            continue
        parent = tree.by_uuid.get(node.parent) if node.parent is not None else None
        # A parent stands before its children, so its own root is known by now.
        root = roots.get(parent.place, node.place) if parent is not None else node.place
        roots[node.place] = root
        members.setdefault(root, []).append(node)
    for nodes in members.values():
        spoken = [node for node in nodes if node.speaks]
        if spoken:
            asked = next(
                (one for one in spoken if one.kind == "user" and not (one.answers or one.is_meta)),
                None,
            )
            yield Branch(spoken[0], len(spoken), asked)
