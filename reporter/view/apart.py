"""What things are called on the page: each by its name, and no two alike."""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

from reporter.view.text import CleanText, one_line

_TELLING: Final = 60
"""Characters of an id that stands behind a name."""
_BLANK: Final = "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Characters that draw nothing, though they count as letters, marks or signs."""


def says_nothing(name: str) -> bool:
    """Tell whether a reader sees nothing of a text: it is empty, or all of it is blank."""
    if name.isascii():
        return not name.strip()
    return not any(_is_drawn(char) for char in name[:1_000])


def _is_drawn(char: str) -> bool:
    # Marks are drawn on what stands before them; alone they are a dot that nobody can read.
    return char not in _BLANK and unicodedata.category(char)[0] not in "ZCM"


def told_apart(names: Sequence[tuple[str, Sequence[str]]], unnamed: str) -> list[CleanText]:
    """Call each thing by a name that no other of them has, in the order given.

    A reader who chooses a goal in a filter, or sends somebody a link to it, means one goal,
    also where two have one title.

    Args:
        names: The cleaned name of each, and what tells it from others of that name, the
            plainest first. What says nothing is passed over.
        unnamed: What a thing is called whose name says nothing, such as `no title recorded`.

    Returns:
        Such as `Pay a fine` or, of two, `Pay a fine (g1)` and `Pay a fine (g2)`; where the
        ids do not tell them apart either, the later ones are numbered.
    """
    blank = [says_nothing(name) for name, _ in names]
    plain = [
        unnamed if is_blank else name for is_blank, (name, _) in zip(blank, names, strict=True)
    ]
    shared = Counter(plain)
    # Of thousands of goals hardly any share a title, and those alone need their ids looked at.
    unclear = [at for at, one in enumerate(plain) if blank[at] or shared[one] > 1]
    tags = {
        at: [one_line(one, _TELLING) for one in names[at][1] if not says_nothing(one)]
        for at in unclear
    }
    known = {at: int(blank[at]) for at in unclear}
    called = list(plain)
    for _ in range(1 + max(map(len, tags.values()), default=0)):
        for at in unclear:
            called[at] = _called(plain[at], tags[at][: known[at]])
        shared = Counter(called)
        for at in unclear:
            known[at] += shared[called[at]] > 1
    return [CleanText(one) for one in _numbered(called)]


def _called(name: str, tags: Sequence[str]) -> str:
    return f"{name} ({', '.join(tags)})" if tags else name


def _numbered(names: Sequence[str]) -> list[str]:
    taken = set(names)
    seen: Counter[str] = Counter()
    found: list[str] = []
    for name in names:
        seen[name] += 1
        given, number = name, seen[name]
        while number > 1 and (given := f"{name} ({number})") in taken:
            number += 1
        taken.add(given)
        found.append(given)
    return found
