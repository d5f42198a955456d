"""Personas in a sentence: each by name, and none where none was recorded."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from reporter.findings.counted import listed, units
from reporter.findings.grouping import persona_order
from reporter.models.manifest import PERSONA_UNRECORDED
from reporter.models.plan import PersonaKey

Names = Mapping[PersonaKey, str]
"""What each persona of a wave is called in its sentences."""

NAMES_SHOWN: Final = 5
"""Personas that a sentence names before it counts the rest."""


def is_recorded(persona: PersonaKey) -> bool:
    """Tell whether somebody stands behind a persona, or only the want of one.

    Rule: recording.md section 3, sessions of a source that names no persona.
    """
    return persona != (None, PERSONA_UNRECORDED) and bool(persona[1])


def recorded(personas: Iterable[PersonaKey]) -> set[PersonaKey]:
    """Return those of the personas that were recorded, each once."""
    return {persona for persona in personas if is_recorded(persona)}


def persona_names(personas: Iterable[PersonaKey]) -> dict[PersonaKey, str]:
    """Name personas for a reader: two of one name are told apart by their ids."""
    keys = set(personas)
    alike = Counter(name for _, name in keys)
    return {
        (ref, name): f"{name} ({'no id' if ref is None else ref})" if alike[name] > 1 else name
        for ref, name in keys
    }


def for_persona(persona: PersonaKey, names: Names) -> str:
    """Return ` for Ana`, or nothing where nobody knows whose it was."""
    return f" for {names.get(persona, persona[1])}" if is_recorded(persona) else ""


def for_personas(personas: Iterable[PersonaKey], names: Names) -> str:
    """Return `, for Ana and Ben`; of many, those behind the first few are counted.

    Empty where none of them was recorded.
    """
    every = set(personas)
    known = sorted(recorded(every), key=persona_order)
    if not known:
        return ""
    said = [names.get(persona, persona[1]) for persona in known]
    if len(said) > NAMES_SHOWN:
        said = [*said[: NAMES_SHOWN - 1], units(len(said) - NAMES_SHOWN + 1, "other persona")]
    if len(known) < len(every):
        said.append("sessions without a recorded persona")
    return f", for {listed(said)}"
