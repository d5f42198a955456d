"""Personas in a sentence: each by name, and none where none was recorded."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from reporter.findings.counted import listed, units
from reporter.findings.grouping import persona_order
from reporter.models.manifest import PERSONA_UNRECORDED
from reporter.models.plan import PersonaKey

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


def for_persona(persona: PersonaKey) -> str:
    """Return ` for Ana`, or nothing where nobody knows whose it was."""
    return f" for {persona[1]}" if is_recorded(persona) else ""


def for_personas(personas: Iterable[PersonaKey]) -> str:
    """Return `, for Ana and Ben`: personas of one name are counted, many are not all named.

    Empty where none of them was recorded.
    """
    every = set(personas)
    known = sorted(recorded(every), key=persona_order)
    if not known:
        return ""
    alike = Counter(name for _, name in known)
    names = [f"{name} ({times} personas)" if times > 1 else name for name, times in alike.items()]
    if len(names) > NAMES_SHOWN:
        shown = names[: NAMES_SHOWN - 1]
        rest = len(known) - sum(alike[name] for name in list(alike)[: NAMES_SHOWN - 1])
        names = [*shown, units(rest, "other persona")]
    if len(known) < len(every):
        names.append("sessions without a recorded persona")
    return f", for {listed(names)}"
