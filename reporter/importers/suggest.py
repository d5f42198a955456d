"""A map to start from: which files hold sessions of nobody, and what their names suggest."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from reporter.importers.wave import ImportedWave
from reporter.models.manifest import PERSONA_UNRECORDED, TARGET_UNRECORDED

BASELINES: Final = frozenset({"none", "baseline", "default", "control", "nobody"})
"""Parts of a name that stand for no persona in particular."""

_PARTS: Final = re.compile(r"[_\s]+")
_ABOUT: Final = """\
# A map to start from, for --map. Whatever is marked as a guess was read out of names of files
# alone: confirm it, correct it, or take it out. Nothing here was recorded.
"""
_MOST_FILES: Final = 40
"""Files without anything in their names that get a rule each; more get one a folder."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What the name of a file suggests; None where it suggests nothing."""

    persona: str | None = None
    target: str | None = None
    note: str = ""
    """How that was read out of the name."""


@dataclass(slots=True)
class _Missing:
    """What the sessions of a file do not say."""

    persona: bool = False
    target: bool = False


def suggested_map(wave: ImportedWave) -> str:
    """Read a source and return a mapping in TOML that can be given back as it is.

    Files whose sessions all name persona and target have no rule. No value is made up: each
    is a part of a file's name, marked as a guess, or stands behind `#`.
    """
    missing: dict[str, _Missing] = {}
    for context, recording in wave.sessions():
        own = missing.setdefault(recording.file, _Missing())
        own.persona |= context.persona.name == PERSONA_UNRECORDED
        own.target |= context.target.label == TARGET_UNRECORDED
    wanting = {name: own for name, own in sorted(missing.items()) if own.persona or own.target}
    if not wanting:
        return f"{_ABOUT}# Every session of the source names its persona and its target.\n"
    guesses = guessed(wanting)
    if any(guesses.values()) or len(wanting) <= _MOST_FILES:
        rules = [
            "\n".join(_rule("file", name, own, guesses.get(name) or Guess()))
            for name, own in wanting.items()
        ]
    else:
        rules = ["\n".join(_rule("match", *one)) for one in _by_folder(wanting)]
    return "\n".join([_ABOUT, *(f"{rule}\n" for rule in rules)])


def guessed(names: Iterable[str]) -> dict[str, Guess | None]:
    """Guess persona and target from names of two parts, where files share them.

    `skeptical_airline` and `telecom_none` beside `skeptical_telecom`: what stands beside a
    word for no persona is a target, so the other part of the rest is a persona. Without such
    a file the first part is taken for the persona, which is said.

    Returns:
        One entry a name; None where its name has another shape or shares no part.
    """
    split = {name: _two_parts(name) for name in names}
    pairs = {name: pair for name, pair in split.items() if pair is not None}
    baselines = {name for name, pair in pairs.items() if set(pair) & BASELINES}
    targets = {part for name in baselines for part in pairs[name] if part not in BASELINES}
    others = [pair for name, pair in pairs.items() if name not in baselines]
    sides = [Counter(pair[side] for pair in others) for side in (0, 1)]
    if not any(count > 1 for side in sides for count in side.values()):
        return dict.fromkeys(split)
    # The side on which the targets of baselines stand holds targets only.
    hits = [sum(side[target] for target in targets) for side in sides]
    target_side = 0 if hits[0] > hits[1] else 1
    is_known = hits[0] != hits[1]
    shared = {part for side in sides for part, count in side.items() if count > 1} | targets
    return {
        name: _guess(pair, target_side, shared, is_known=is_known) if pair else None
        for name, pair in split.items()
    }


def _guess(
    pair: tuple[str, str], target_side: int, shared: set[str], *, is_known: bool
) -> Guess | None:
    if set(pair) & BASELINES:
        target = next((part for part in pair if part not in BASELINES), None)
        return Guess(None, target, "a baseline by its name: no persona is stated")
    if not set(pair) & shared:
        return None
    why = "other files share a part of the name"
    if not is_known:
        why += "; which part is the persona is not to be told from names"
    return Guess(pair[1 - target_side], pair[target_side], why)


def _two_parts(name: str) -> tuple[str, str] | None:
    stem = PurePosixPath(name).name.partition(".")[0]
    parts = [part for part in _PARTS.split(stem) if part]
    return (parts[0], parts[1]) if len(parts) == 2 else None  # noqa: PLR2004  the shape


def _by_folder(wanting: Mapping[str, _Missing]) -> Iterator[tuple[str, _Missing, Guess]]:
    folders: dict[str, _Missing] = {}
    for name, own in wanting.items():
        folder = folders.setdefault(name.rpartition("/")[0], _Missing())
        folder.persona |= own.persona
        folder.target |= own.target
    # A pattern fits names in deeper folders too, so only folders without any get one of theirs.
    tops = [name for name in folders if not any(_is_inside(name, other) for other in folders)]
    for top in sorted(tops):
        inside = [own for name, own in folders.items() if name == top or _is_inside(name, top)]
        everything = _Missing(any(own.persona for own in inside), any(own.target for own in inside))
        yield f"{_literal(top)}/*" if top else "*", everything, Guess()


def _is_inside(name: str, folder: str) -> bool:
    return name != folder and (not folder or name.startswith(f"{folder}/"))


def _literal(text: str) -> str:
    return re.sub(r"[*?\[]", r"[\g<0>]", text)


def _rule(key: str, name: str, missing: _Missing, guess: Guess) -> Sequence[str]:
    lines = ["[[files]]", f"{key} = {_toml(name)}"]
    if guess.note:
        lines.append(f"# {guess.note}")
    if missing.persona:
        lines.append(_line("persona", guess.persona, is_guess=True))
    if missing.target:
        lines.append(_line("target", guess.target, is_guess=True))
    return lines


def _line(key: str, value: str | None, *, is_guess: bool) -> str:
    if value is None:
        return f'# {key} = ""'
    return f"{key} = {_toml(value)}" + ("  # guess" if is_guess else "")


def _toml(text: str) -> str:
    # What JSON escapes, TOML escapes alike, but for one character that JSON lets stand.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
