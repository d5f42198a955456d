"""Who and what against, where the source itself does not say: only what the user states."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from reporter.errors import AmbiguousFormatError, Problem
from reporter.importers.naming import first_words, fold, safe_id, short_digest
from reporter.models.manifest import (
    PERSONA_UNRECORDED,
    TARGET_UNRECORDED,
    Goal,
    Persona,
    Target,
)

BY_MAPPING: Final = "stated by the mapping, not recorded by the source"
"""How a field is marked that the user stated."""

NO_PERSONA: Final = Persona(
    persona_ref_id=None,
    name=PERSONA_UNRECORDED,
    inferred={"name": "the source names no persona"},
)
"""Whose sessions they are when nobody is named."""

_NO_TARGET_RULE: Final = "the source names no target"


@dataclass(frozen=True, slots=True)
class Stated:
    """What the user states about the sessions of one file; None where nothing is stated."""

    persona: Persona | None = None
    target: str | None = None
    model: str | None = None
    goal: Goal | None = None

    def persona_or(self, recorded: Persona | None) -> Persona:
        """Return the stated persona, else the recorded one, else the one for nobody."""
        return self.persona or recorded or NO_PERSONA

    def target_or(
        self, recorded: str | None, model: str | None = None, temperature: float | None = None
    ) -> Target:
        """Return the target: what is stated counts before what is recorded.

        Args:
            recorded: The environment that the source names, or None.
            model: The model that the source names, or None.
            temperature: The model's temperature, where the source names one.
        """
        inferred: dict[str, str] = {}
        if self.target is not None:
            inferred = {"id": BY_MAPPING, "label": BY_MAPPING}
        elif recorded is None:
            inferred = {"id": _NO_TARGET_RULE, "label": _NO_TARGET_RULE}
        if self.model is not None:
            inferred["modelId"] = BY_MAPPING
        label = self.target or recorded or TARGET_UNRECORDED
        model_id = self.model or model
        return Target(
            target_id=f"{safe_id(label)}-{short_digest(label, model_id, temperature)}",
            kind="environment",
            id=label,
            label=label,
            model_id=model_id,
            temperature=temperature,
            inferred=inferred or None,
        )


@dataclass(frozen=True, slots=True)
class MappingRule:
    """One `[[files]]` table of a mapping file."""

    match: str
    """A pattern, or the very name of a file."""
    stated: Stated
    place: str
    """Where the rule stands, such as `files[2]` or `line 3`."""
    is_exact: bool = False
    """True: it is one file's name, in which no character stands for others."""

    @property
    def words(self) -> str:
        """What it claims, as it is written in the mapping."""
        return f'{"file" if self.is_exact else "match"} = "{self.match}"'

    def matches(self, name: str) -> bool:
        """Tell whether the pattern fits a file's name inside the source.

        A pattern without `/` is compared with the last part of the name alone.
        """
        if self.is_exact:
            return name == self.match
        if fnmatchcase(name, self.match):
            return True
        return "/" not in self.match and fnmatchcase(name.rsplit("/", 1)[-1], self.match)


@dataclass(frozen=True, slots=True)
class FileMapping:
    """Everything the user states about the files of a source."""

    rules: tuple[MappingRule, ...] = ()
    everywhere: Stated = Stated()
    """Holds for every file, where no rule says otherwise."""
    file: str = ""
    """Name of the mapping file, or empty."""
    wave: str = ""
    """Id of the wave that is read, where a source holds several; empty: the only one."""

    def stated(self, name: str) -> Stated:
        """Return what is stated about one file.

        Raises:
            AmbiguousFormatError: Two rules claim the file.
        """
        rules = [rule for rule in self.rules if rule.matches(name)]
        if len(rules) > 1:
            places = " and ".join(f"{rule.place} ({rule.words})" for rule in rules)
            raise AmbiguousFormatError(
                [
                    Problem(
                        file=self.file,
                        place=places,
                        what=f"{len(rules)} rules claim the file {name}.",
                        remedy="Make the patterns so narrow that each file has one rule.",
                        rule="ambiguous-mapping",
                    )
                ]
            )
        here = rules[0].stated if rules else Stated()
        return Stated(
            persona=here.persona or self.everywhere.persona,
            target=here.target or self.everywhere.target,
            model=here.model or self.everywhere.model,
            goal=here.goal or self.everywhere.goal,
        )

    @property
    def states_goals(self) -> bool:
        """Tell whether a goal is stated of any file."""
        return any(
            stated.goal is not None
            for stated in (self.everywhere, *(rule.stated for rule in self.rules))
        )

    def check(self, names: Iterable[str]) -> list[Problem]:
        """Compare the mapping with the files of a source.

        Returns:
            One note for every rule that fits no file.

        Raises:
            AmbiguousFormatError: Two rules claim one file; every such file is named.
        """
        listed = sorted(names)
        claimed_twice: list[Problem] = []
        for name in listed:
            try:
                self.stated(name)
            except AmbiguousFormatError as error:
                claimed_twice.extend(error.problems)
        if claimed_twice:
            raise AmbiguousFormatError(claimed_twice)
        return [
            Problem(
                file=self.file,
                place=rule.place,
                what=f"No file of the source fits {rule.words}.",
                remedy=f"Files of the source: {_some(listed)}.",
                rule="mapping-rule-unused",
                severity="note",
            )
            for rule in self.rules
            if not any(rule.matches(name) for name in listed)
        ]


def mapping_of_options(
    persona: str | None = None,
    target: str | None = None,
    model: str | None = None,
    goal: str | None = None,
) -> FileMapping:
    """Return the mapping that states the same about every file."""
    return FileMapping(everywhere=stated_as(persona=persona, target=target, model=model, goal=goal))


def stated_as(  # noqa: PLR0913  what a user may state
    *,
    persona: str | None = None,
    role: str | None = None,
    notes: str | None = None,
    target: str | None = None,
    model: str | None = None,
    goal: str | None = None,
) -> Stated:
    """Return what a user states, marked as such."""
    named = None
    if persona is not None:
        named = Persona(
            persona_ref_id=None,
            name=fold(persona),
            role=role,
            notes=notes,
            inferred={"name": BY_MAPPING},
        )
    return Stated(
        persona=named,
        target=fold(target) if target is not None else None,
        model=model.strip() if model is not None else None,
        goal=None if goal is None else _goal(goal.strip()),
    )


def _goal(words: str) -> Goal:
    return Goal(
        journey_ref_id=f"goal-{short_digest(words)}",
        title=first_words(words),
        goal=words,
        inferred={"title": BY_MAPPING, "goal": BY_MAPPING},
    )


def _some(names: Sequence[str], most: int = 10) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
