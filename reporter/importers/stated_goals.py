"""Puts the goal that a user states in the place of the one that a session was read with."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from reporter.importers.importer import ImportedItem, ImportedSession
from reporter.importers.mapping import FileMapping

_Other = TypeVar("_Other")


def with_stated_goals(
    items: Iterator[ImportedItem | _Other], mapping: FileMapping
) -> Iterator[ImportedItem | _Other]:
    """Hand on what an importer yields, with the goals that the mapping states.

    Sessions of a source that plans them itself keep their goals: its plan names them.
    """
    if not mapping.states_goals:
        yield from items
        return
    for item in items:
        if isinstance(item, ImportedSession) and item.head.planned is None:
            goal = mapping.stated(item.head.file).goal
            if goal is not None:
                yield replace(item, head=replace(item.head, goal=goal))
                continue
        yield item
