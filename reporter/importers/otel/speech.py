"""What was said in one session, each thing once, out of requests that repeat it all each time."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from reporter.canonical import canonical_json
from reporter.importers.naming import fold
from reporter.importers.otel.calls import arguments_of
from reporter.importers.otel.meaning import CallPart, NotePart, ResultPart, Role, Spoken

_HISTORY_RULE: Final = "only the history of a later request holds it"

Kind = Literal["persona", "client", "assistant", "call", "result"]


@dataclass(frozen=True, slots=True)
class Atom:
    """One thing that a message of a request holds, with what makes it the same thing again."""

    key: tuple[str, str]
    role: Role
    content: tuple[str | NotePart, ...] = ()
    part: CallPart | ResultPart | None = None

    @property
    def is_user(self) -> bool:
        """Words of the user's role."""
        return self.role == "user" and self.part is None


def atoms_of(messages: Sequence[Spoken]) -> list[Atom]:
    """Return what messages hold, one by one: a message's words, each call, each result."""
    return [atom for one in messages for atom in _atoms(one)]


def _atoms(one: Spoken) -> Iterator[Atom]:
    words = tuple(part for part in one.parts if isinstance(part, str | NotePart))
    if words:
        yield Atom((one.role, "\n".join(map(_said, words))), one.role, words)
    for part in one.parts:
        if isinstance(part, CallPart):
            yield Atom(_call_key(part), one.role, (), part)
        elif isinstance(part, ResultPart):
            yield Atom(_result_key(part), one.role, (), part)


class Atoms:
    """The atoms of messages, worked out once a message, however many requests repeat it.

    Messages that say the same are one object here (`reporter.importers.otel.gather`).
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Spoken, list[Atom]]] = {}

    def of(self, messages: Sequence[Spoken]) -> list[Atom]:
        """Return what messages hold, one by one."""
        found: list[Atom] = []
        for one in messages:
            known = self._known.get(id(one))
            if known is None:
                # The message is kept beside, so that no other one gets its place in memory.
                known = self._known.setdefault(id(one), (one, list(_atoms(one))))
            found.extend(known[1])
        return found


def _said(part: str | NotePart) -> str:
    return fold(part) if isinstance(part, str) else part.note


def _call_key(part: CallPart) -> tuple[str, str]:
    if part.call_id is not None:
        return ("call", part.call_id)
    arguments = arguments_of(part.arguments)
    said = str(part.arguments) if arguments is None else canonical_json(arguments)
    return ("called", f"{part.name} {said}")


def _result_key(part: ResultPart) -> tuple[str, str]:
    if part.call_id is not None:
        return ("result", part.call_id)
    try:
        said = canonical_json(part.value)
    except (ValueError, TypeError, RecursionError):
        said = str(part.value)
    return ("answered", f"{part.name} {said}")


@dataclass(frozen=True, slots=True)
class News:
    """What a request holds that was not said before, in its order."""

    middle: tuple[Atom, ...] = ()
    """Things that were said and answered, and whose own spans are not here."""
    asked: Atom | None = None
    """What the persona says now."""
    client: tuple[Atom, ...] = ()
    """Texts of the user's role that the client put there, not the persona."""
    before: tuple[Atom, ...] = ()
    """What stood before the first thing that is known to have been said."""
    results: tuple[Atom, ...] = ()


@dataclass(slots=True)
class Memory:
    """What was said so far in a session."""

    counts: Counter[str]
    _said: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def is_empty(self) -> bool:
        """Nothing was said yet."""
        return not self._said

    def add(self, atoms: Sequence[Atom]) -> None:
        """Remember what was said."""
        self._said.update(atom.key for atom in atoms)

    def news(self, atoms: Sequence[Atom], *, opens: bool) -> News:
        """Tell what of a request is new.

        A request repeats what was said before it, whole, or cut at its beginning, or with
        a summary in the place of its beginning. Something is known when it was said as
        often as it has occurred up to there. What is unknown before something known was
        put there by the client: it is no news. In the first request of an agent's run the
        last words of the user are the persona's, also where they repeat earlier ones.

        Args:
            atoms: What the request holds, without the client's instructions.
            opens: The first request of an agent's run.
        """
        seen: Counter[tuple[str, str]] = Counter()
        fresh: list[int] = []
        last_known = -1
        for place, atom in enumerate(atoms):
            seen[atom.key] += 1
            if seen[atom.key] <= self._said[atom.key]:
                last_known = place
            else:
                fresh.append(place)
        if opens:
            return self._opening(atoms, fresh, last_known)
        return self._later(atoms, fresh, last_known)

    def _opening(self, atoms: Sequence[Atom], fresh: Sequence[int], last_known: int) -> News:
        tail = len(atoms)
        while tail > 0 and atoms[tail - 1].is_user:
            tail -= 1
        users = atoms[tail:]
        asked = users[-1] if users else None
        client = [atoms[place] for place in fresh if tail <= place < len(atoms) - 1]
        head = [place for place in fresh if place < tail]
        results = tuple(atoms[place] for place in head if _is_result(atoms[place]))
        if last_known < 0:
            # Nothing of it is known: what it begins with was said elsewhere, or is a summary.
            return News((), asked, tuple(client), tuple(atoms[place] for place in head), results)
        rewritten = [place for place in head if place < last_known and not _is_result(atoms[place])]
        self.counts["messages of a rewritten history"] += len(rewritten)
        middle = tuple(atoms[place] for place in head if place > last_known)
        return News(middle, asked, tuple(client), (), results)

    def _later(self, atoms: Sequence[Atom], fresh: Sequence[int], last_known: int) -> News:
        asked: Atom | None = None
        client: list[Atom] = []
        middle: list[Atom] = []
        rewritten = 0
        for place in fresh:
            atom = atoms[place]
            if _is_result(atom):
                continue
            if place < last_known:
                rewritten += 1
            elif not atom.is_user:
                if last_known >= 0:
                    middle.append(atom)
                else:
                    rewritten += 1
            elif self._follows_an_answer(atoms, place) and asked is None:
                asked = atom
            else:
                client.append(atom)
        self.counts["messages of a rewritten history"] += rewritten
        results = tuple(atoms[place] for place in fresh if _is_result(atoms[place]))
        return News(tuple(middle), asked, tuple(client), (), results)

    def _follows_an_answer(self, atoms: Sequence[Atom], place: int) -> bool:
        """Tell whether words of the user follow something that the assistant answered with."""
        before = atoms[place - 1] if place else None
        return (
            before is not None
            and before.role == "assistant"
            and before.part is None
            and self._said[before.key] > 0
        )


def _is_result(atom: Atom) -> bool:
    return isinstance(atom.part, ResultPart)
