"""How many secrets were masked when a source was read, in words."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from reporter.credentials import SecretKind
from reporter.models.facts import SessionFacts
from reporter.models.plan import Plan
from reporter.view.text import listed, one_line, plural

if TYPE_CHECKING:
    from reporter.models.manifest import Goal, Persona, Target

_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    SecretKind.KEY_MATERIAL: ("piece of key material", "pieces of key material"),
    SecretKind.TOKEN: ("token", "tokens"),
    SecretKind.API_KEY: ("API key", "API keys"),
    SecretKind.PASSWORD: ("password", "passwords"),
    SecretKind.COOKIE: ("cookie", "cookies"),
    SecretKind.SECRET: ("other secret", "other secrets"),
}


def masked_of_wave(facts: Iterable[SessionFacts], plan: Plan | None) -> str:
    """Return `masked_words` of a derived wave."""
    parts: list[Persona | Goal | Target] = []
    if plan is not None:
        parts = [*plan.personas, *plan.goals, *plan.targets]
    return masked_words([fact.masked for fact in facts], [part.masked or {} for part in parts])


def masked_words(sessions: Iterable[Mapping[str, int]], parts: Iterable[Mapping[str, int]]) -> str:
    """Say how many secrets were masked, of which kinds and where.

    Args:
        sessions: One entry a session: its secrets by kind, each counted once there.
        parts: One entry a persona, goal or target, likewise.

    Returns:
        Such as `12 values: 7 passwords and 5 tokens; in 4 of 106 sessions` or `1 cookie; in 1
        of 3 sessions`, or nothing where nothing was masked.
    """
    counts: Counter[str] = Counter()
    by_session = list(sessions)
    for found in by_session:
        counts.update(found)
    touched = sum(1 for found in by_session if found)
    places = [f"{touched:,} of {plural(len(by_session), 'session')}"] if touched else []
    described = 0
    for found in parts:
        counts.update(found)
        described += bool(found)
    if described:
        places.append(plural(described, "description of the plan", "descriptions of the plan"))
    if not places:
        return ""
    order = {kind: place for place, kind in enumerate(_WORDS)}
    kinds = sorted(counts.items(), key=lambda item: (order.get(item[0], len(order)), item[0]))
    named = listed([_counted(kind, count) for kind, count in kinds])
    total = f"{plural(counts.total(), 'value')}: " if len(kinds) > 1 else ""
    return f"{total}{named}; in {listed(places)}"


def _counted(kind: str, count: int) -> str:
    one, many = _WORDS.get(kind, (one_line(kind, 60), one_line(kind, 60)))
    return plural(count, one, many)
