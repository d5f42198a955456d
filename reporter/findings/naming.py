"""Whether a text speaks of a goal or a persona by name: what rule S5 looks for."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from reporter.findings.fixed import FIXED_PHRASES
from reporter.findings.text import fold_space
from reporter.models.finding import Finding, PersonaRollup
from reporter.models.plan import Plan

_SHORTEST_ID: Final = 4


@dataclass(frozen=True)
class Names:
    """The goal titles, journey ids and persona names of a wave, ready to be looked for."""

    goals: frozenset[str]
    personas: frozenset[str]

    @cached_property
    def _goals(self) -> re.Pattern[str] | None:
        return _any_of(self.goals)

    @cached_property
    def _personas(self) -> re.Pattern[str] | None:
        return _any_of(self.personas)

    def speaks_of_goal(self, text: str) -> bool:
        """Tell whether a text holds a goal's title or id as whole words."""
        return text not in FIXED_PHRASES and _occurs(self._goals, text)

    def speaks_of_persona(self, text: str) -> bool:
        """Tell whether a text holds a persona's name as whole words."""
        return text not in FIXED_PHRASES and _occurs(self._personas, text)


def names_of(
    plan: Plan | None, rows: Sequence[Finding], personas: Iterable[PersonaRollup]
) -> Names:
    """Collect the names of a wave: the plan's, and those that the document itself uses.

    Rule: findings.md section 10, S5.
    """
    titles = {row.goal.title for row in rows}
    ids = {row.goal.journey_ref_id for row in rows}
    named = {row.persona.name for row in rows} | {each.persona.name for each in personas}
    if plan is not None:
        titles |= {goal.title for goal in plan.goals}
        ids |= {goal.journey_ref_id for goal in plan.goals}
        named |= {persona.name for persona in plan.personas}
    return Names(
        goals=frozenset(titles | {each for each in ids if len(each) >= _SHORTEST_ID}),
        personas=frozenset(named),
    )


def _any_of(names: Iterable[str]) -> re.Pattern[str] | None:
    folded = sorted({_folded(name) for name in names} - {""})
    if not folded:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, folded))})(?!\w)")


def _occurs(names: re.Pattern[str] | None, text: str) -> bool:
    return names is not None and names.search(_folded(text)) is not None


def _folded(text: str) -> str:
    return fold_space(text).casefold()
