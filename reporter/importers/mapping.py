"""Who and what against, where the source itself does not say: only what the user states."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from reporter.errors import AmbiguousFormatError, Problem, RecordingError
from reporter.importers.naming import fold, safe_id, short_digest
from reporter.models.manifest import PERSONA_UNRECORDED, TARGET_UNRECORDED, Persona, Target
from reporter.redaction import mask_text

BY_MAPPING: Final = "stated by the mapping, not recorded by the source"
"""How a field is marked that the user stated."""

NO_PERSONA: Final = Persona(
    persona_ref_id=None,
    name=PERSONA_UNRECORDED,
    inferred={"name": "the source names no persona"},
)
"""Whose sessions they are when nobody is named."""

_NO_TARGET_RULE: Final = "the source names no target"
_KEYS: Final = ("match", "persona", "persona-role", "persona-notes", "target", "model")


@dataclass(frozen=True, slots=True)
class Stated:
    """What the user states about the sessions of one file; None where nothing is stated."""

    persona: Persona | None = None
    target: str | None = None
    model: str | None = None

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
            # A label may be an address with a password in it, and ids are never masked.
            target_id=f"{safe_id(mask_text(label))}-{short_digest(label, model_id, temperature)}",
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
    stated: Stated
    place: str
    """Where the rule stands, such as `files[2]`."""

    def matches(self, name: str) -> bool:
        """Tell whether the pattern fits a file's name inside the source.

        A pattern without `/` is compared with the last part of the name alone.
        """
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
            places = " and ".join(f'{rule.place} (match = "{rule.match}")' for rule in rules)
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
                what=f'No file of the source fits match = "{rule.match}".',
                remedy=f"Files of the source: {_some(listed)}.",
                rule="mapping-rule-unused",
                severity="note",
            )
            for rule in self.rules
            if not any(rule.matches(name) for name in listed)
        ]


def mapping_of_options(
    persona: str | None = None, target: str | None = None, model: str | None = None
) -> FileMapping:
    """Return the mapping that states the same about every file."""
    return FileMapping(everywhere=_stated(persona, target=target, model=model))


def read_mapping(
    path: Path,
    persona: str | None = None,
    target: str | None = None,
    model: str | None = None,
) -> FileMapping:
    """Read a mapping file.

    Args:
        path: A TOML file with one `[[files]]` table a rule: `match`, a pattern of names
            inside the source, and any of `persona`, `persona-role`, `persona-notes`,
            `target` and `model`.
        persona: Name of the persona of every file that no rule gives one.
        target: Label of the target of every file that no rule gives one.
        model: Model of every file that no rule gives one.

    Raises:
        RecordingError: The file cannot be read or says something that means nothing;
            every such place is named.
    """
    name = path.name
    try:
        content = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise _refused(name, "", f"The mapping cannot be read: {reason}.", "") from None
    except UnicodeDecodeError as error:
        place = f"byte {error.start}"
        raise _refused(name, place, "The mapping is no UTF-8.", "Save it as UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        what = f"The mapping is no TOML: {error}."
        raise _refused(name, "", what, "Mend the file there.") from None
    problems = [
        _problem(
            name, key, f'The key "{key}" is unknown.', "A mapping holds [[files]] tables only."
        )
        for key in content
        if key != "files"
    ]
    tables = content.get("files", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        problems.append(
            _problem(name, "files", "Rules are tables.", "Write [[files]] above each of them.")
        )
        tables = []
    rules: list[MappingRule] = []
    for index, table in enumerate(tables):
        place = f"files[{index}]"
        wrong = _wrong_places(name, place, table)
        problems.extend(wrong)
        if not wrong:
            rules.append(_rule(place, table))
    problems.extend(_contradictions(name, rules))
    if problems:
        raise RecordingError(problems)
    return FileMapping(tuple(rules), _stated(persona, target=target, model=model), name)


def _rule(place: str, table: Mapping[str, str]) -> MappingRule:
    stated = _stated(
        table.get("persona"),
        table.get("persona-role"),
        table.get("persona-notes"),
        target=table.get("target"),
        model=table.get("model"),
    )
    return MappingRule(table["match"], stated, place)


def _stated(
    persona: str | None,
    role: str | None = None,
    notes: str | None = None,
    *,
    target: str | None,
    model: str | None,
) -> Stated:
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
    )


def _wrong_places(file: str, place: str, table: Mapping[str, Any]) -> list[Problem]:
    allowed = ", ".join(_KEYS)
    problems = [
        _problem(
            file, f"{place}.{key}", f'The key "{key}" is unknown.', f"A rule may hold: {allowed}."
        )
        for key in table
        if key not in _KEYS
    ]
    problems.extend(
        _problem(file, f"{place}.{key}", "A text was expected.", f'Write {key} = "...".')
        for key, value in table.items()
        if key in _KEYS and not (isinstance(value, str) and value.strip())
    )
    if "match" not in table:
        problems.append(
            _problem(file, place, "The rule names no file.", 'Add match = "name-of-the-file.json".')
        )
    if "persona" not in table and ("persona-role" in table or "persona-notes" in table):
        problems.append(
            _problem(file, place, "The rule describes a persona without name.", "Add persona.")
        )
    return problems


def _contradictions(file: str, rules: Sequence[MappingRule]) -> list[Problem]:
    """Report a persona that two rules describe differently: it would be one persona."""
    first: dict[str, MappingRule] = {}
    problems: list[Problem] = []
    for rule in rules:
        persona = rule.stated.persona
        if persona is None:
            continue
        known = first.setdefault(persona.name, rule)
        if known.stated.persona != persona:
            problems.append(
                _problem(
                    file,
                    rule.place,
                    f'The persona "{persona.name}" is described otherwise in {known.place}.',
                    "Write the same persona-role and persona-notes in both, or another name.",
                )
            )
    return problems


def _problem(file: str, place: str, what: str, remedy: str) -> Problem:
    return Problem(file=file, place=place, what=what, remedy=remedy, rule="mapping")


def _refused(file: str, place: str, what: str, remedy: str) -> RecordingError:
    return RecordingError([_problem(file, place, what, remedy)])


def _some(names: Sequence[str], most: int = 10) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
