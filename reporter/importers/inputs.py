"""The files behind what a user gives: files, folders, archives and patterns of names."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from reporter.errors import Problem, RecordingError
from reporter.importers.archives import Refused, kind_of, members
from reporter.importers.naming import UniqueIds, safe_id
from reporter.importers.outline import HEAD_BYTES
from reporter.importers.sound import sound_text
from reporter.importers.source import LocalFile, PackedFile, SourceEntry
from reporter.importers.stored import OnDisk, Stored, Unpacked, buffered
from reporter.importers.unpacking import Codec, codec_of
from reporter.models.manifest import Lost

# What stands beside data in a published folder, and is none.
_BESIDE: Final = frozenset({"readme", "license", "licence", "notice", "copying", "changelog"})
_BESIDE_SUFFIXES: Final = (".md", ".rst", ".txt")
_DATA_SUFFIXES: Final = (".json", ".jsonl")
_PACKED_SUFFIXES: Final = (".gz", ".zst", ".bz2", ".xz")
_ARCHIVE_SUFFIXES: Final = (".zip", ".tar", ".tgz", ".tzst", ".tbz2", ".txz")
_NESTED: Final = "an archive inside an archive; unpack the outer one"
_MAGIC: Final = frozenset("*?[")
_SHOWN: Final = 3


@dataclass
class Found:
    """All files behind what was given."""

    name: str
    """What was given, in short: never a machine's path."""
    files: list[SourceEntry] = field(default_factory=list)
    """Sorted by name; no two have one name."""
    lost: list[Lost] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    """What of an archive was refused, or is damaged."""


def find_inputs(paths: Sequence[Path]) -> Found:
    """Find the files behind one path, or several.

    A path may be a file, a folder that is searched through, an archive (ZIP or tar, packed
    or not), a packed file, or a pattern in which `**` stands for any number of folders.
    Hidden files, and what usually stands beside data (README, LICENSE, `*.md` and the
    like), are passed over in silence. Links inside a folder are not followed.

    Files are named by their place inside what was given. With several paths, the last part
    of the path stands before it, with as many parts more as tell the paths apart.

    Raises:
        RecordingError: A path cannot be read, or a pattern fits nothing.
    """
    finder = _Finder(is_only=len(paths) == 1)
    for path, label in zip(paths, _labels(paths), strict=True):
        finder.find(path, label)
    found = Found(_name_of(paths), lost=finder.lost, problems=finder.problems)
    prefixes = UniqueIds()
    for name, stored in sorted(finder.files.items()):
        prefix = prefixes.take(_prefix(name))
        if isinstance(stored, OnDisk):
            found.files.append(LocalFile(path=stored.path, name=name, prefix=prefix))
        else:
            found.files.append(PackedFile(stored=stored, name=name, prefix=prefix))
    return found


def given_name(path: Path) -> str:
    """Return the last part of a path as it was given; `.` and `..` have no name of their own."""
    return sound_text(path.name if path.name not in ("", "..") else path.resolve().name)


def walk(root: Path, lost: list[Lost]) -> Iterator[tuple[str, Path]]:
    """Yield the files of a folder with their names inside it.

    Args:
        root: The folder.
        lost: Takes what in it is no file that can be read.
    """

    def unreadable(error: OSError) -> None:
        place = _inside(root, Path(error.filename))
        lost.append(Lost(place=place, reason=f"cannot be read: {error.strerror}"))

    for folder, subfolders, names in os.walk(root, onerror=unreadable):
        here = Path(folder)
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        for name in [*names, *(name for name in subfolders if (here / name).is_symlink())]:
            where = here / name
            inside = _inside(root, where)
            if _is_passed_over(name):
                continue
            if where.is_symlink():
                lost.append(Lost(place=inside, reason="a link; links are not followed"))
            elif where.is_file():
                yield inside, where
            else:
                lost.append(Lost(place=inside, reason="neither a file nor a folder"))


def is_pattern(path: Path) -> bool:
    """Tell whether a path is a pattern of names, and not the name of something."""
    return not _MAGIC.isdisjoint(str(path)) and not os.path.lexists(path)


@dataclass
class _Finder:
    """Collects the files behind one path after the other."""

    is_only: bool
    """There is one path, whose last part stands before no name."""
    files: dict[str, Stored] = field(default_factory=dict)
    lost: list[Lost] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _given: dict[str, str] = field(default_factory=dict)
    """Where files really are, to tell one that is given twice: the name of the first."""

    def find(self, path: Path, label: str) -> None:
        """Add the files behind a path.

        Raises:
            RecordingError: It cannot be read, or is a pattern that fits nothing.
        """
        folder = "" if self.is_only else label
        try:
            if is_pattern(path):
                self._pattern(path, folder)
            elif path.is_dir():
                lost: list[Lost] = []
                for name, where in sorted(walk(path, lost)):
                    self._open(where, _joined(folder, name), is_named=True)
                self._lose(lost, folder)
            else:
                path.stat()
                self._open(path, label, is_named=False)
        except OSError as error:
            reason = error.strerror or "unknown reason"
            what = f"The source cannot be read: {reason}."
            raise _refused(
                given_name(path), what, "Give the path of a recording, a file or a folder."
            ) from None

    def _pattern(self, pattern: Path, folder: str) -> None:
        """Add the files that a pattern fits, or that lie in a folder that it fits."""
        fixed, rest = _split(pattern)
        fits = _expression(rest)
        lost: list[Lost] = []
        fitting = [
            (name, where)
            for name, where in (sorted(walk(fixed, lost)) if fixed.is_dir() else ())
            if fits.fullmatch(name)
        ]
        if not fitting:
            remedy = "Quote it, and let ** stand for any number of folders."
            raise _refused("/".join(rest), "The pattern fits no file.", remedy)
        for name, where in fitting:
            self._open(where, _joined(folder, name), is_named=True)
        self._lose([entry for entry in lost if fits.fullmatch(entry.place)], folder)

    def _open(self, where: Path, name: str, *, is_named: bool) -> None:
        """Add a file itself, or what it holds where it is an archive or packed.

        Args:
            where: The file.
            name: Its name in the source.
            is_named: Only what is called an archive or packed is looked at so, and an
                archive's name stands before those of its members.
        """
        if not self.is_only:
            first = self._given.setdefault(os.path.realpath(where), name)
            if first != name:
                self.lost.append(Lost(place=name, reason=f"given twice, read as {first}"))
                return
        stored = OnDisk(where)
        if is_named and not name.lower().endswith((*_PACKED_SUFFIXES, *_ARCHIVE_SUFFIXES)):
            self._add(name, stored)
            return
        try:
            with stored.open() as stream:
                head = stream.read(HEAD_BYTES)
        except OSError:
            self._add(name, stored)  # what is wrong with it is said where it is read
            return
        archive = kind_of(stored, head)
        if archive is None:
            self._add(name, stored, codec_of(head))
            return
        folder = "" if self.is_only and not is_named else name
        for member in members(*archive):
            inside = _joined(folder, member.name)
            if isinstance(member, Refused):
                self._refuse(inside or given_name(where), member)
            elif not any(map(_is_passed_over, member.name.split("/"))):
                self._open_member(inside, member.stored)

    def _open_member(self, name: str, stored: Stored) -> None:
        lower = name.lower()
        if lower.endswith(_ARCHIVE_SUFFIXES) or _unpacked_name(lower).endswith(".tar"):
            self._refuse(name, Refused(name, _NESTED))
            return
        codec: Codec | None = None
        if lower.endswith(_PACKED_SUFFIXES):
            try:
                with buffered(stored.open()) as stream:
                    codec = codec_of(stream.read(16))
            except OSError:
                codec = None  # what is wrong with it is said where it is read
        self._add(name, stored, codec)

    def _add(self, name: str, stored: Stored, codec: Codec | None = None) -> None:
        if codec is not None:
            name, stored = _unpacked_name(name), Unpacked(stored, codec)
        number, free = 2, name
        while free in self.files:
            free = f"{name} ({number})"
            number += 1
        self.files[free] = stored

    def _lose(self, lost: Sequence[Lost], folder: str) -> None:
        self.lost += [
            entry.model_copy(update={"place": _joined(folder, entry.place)}) for entry in lost
        ]

    def _refuse(self, place: str, refused: Refused) -> None:
        self.lost.append(Lost(place=place, reason=refused.reason, kind="unreadable"))
        if refused.is_loss:
            self.problems.append(
                Problem(
                    file=place,
                    place="",
                    what=f"Not read: {refused.reason}.",
                    remedy="Everything else of the archive is read."
                    if refused.name
                    else "Download or export the archive again; what was read before that is used.",
                    rule="archive-member-refused",
                )
            )


def _refused(file: str, what: str, remedy: str) -> RecordingError:
    return RecordingError([Problem(file, "", what, remedy, "source-unreadable")])


def _split(pattern: Path) -> tuple[Path, tuple[str, ...]]:
    """Return the folder that a pattern begins at, and what in it the pattern fits."""
    parts = pattern.parts
    fixed = next(at for at, part in enumerate(parts) if not _MAGIC.isdisjoint(part))
    return Path(*parts[:fixed]), parts[fixed:]


def _expression(parts: Sequence[str]) -> re.Pattern[str]:
    """Return what fits the names that a pattern fits, and everything in folders it fits."""
    pieces: list[str] = []
    for part in parts:
        if part == "**":
            pieces.append("(?:[^/]+/)*")
            continue
        words = re.split(r"(\[[^]]+\]|\*|\?)", part)
        pieces.append("".join(_SPECIAL.get(word) or _literal(word) for word in words) + "/")
    expression = "".join(pieces)
    if expression.endswith("/"):
        return re.compile(f"{expression[:-1]}(?:/.*)?")
    return re.compile(f"{expression}[^/]+")


_SPECIAL: Final = {"*": "[^/]*", "?": "[^/]"}


def _literal(word: str) -> str:
    if word.startswith("[") and word.endswith("]"):
        inner = re.sub(r"([\\\[&~|^])", r"\\\1", word[1:-1])
        return f"[^/{inner[1:]}]" if inner.startswith("!") else f"[{inner}]"
    return re.escape(word)


def _unpacked_name(name: str) -> str:
    for suffix in _PACKED_SUFFIXES:
        if name.lower().endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)]
    return name


def _is_passed_over(name: str) -> bool:
    lower = name.lower()
    if lower.startswith((".", "__macosx")):
        return True
    if lower.endswith(_DATA_SUFFIXES):
        return False
    return lower.endswith(_BESIDE_SUFFIXES) or lower.partition(".")[0] in _BESIDE


def _inside(root: Path, where: Path) -> str:
    # A name that is no UTF-8 reaches Python with half characters in it.
    return sound_text(where.relative_to(root).as_posix())


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder and name else folder or name


def _prefix(name: str) -> str:
    return safe_id(name.removesuffix(".json").removesuffix(".jsonl").replace("/", "."))


def _name_of(paths: Sequence[Path]) -> str:
    names = [given_name(path) for path in paths[:_SHOWN]]
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return ", ".join(names) + more


def _labels(paths: Sequence[Path]) -> list[str]:
    """Return what stands before the names of each path's files: no two have the same.

    A file is named by the label alone. The last part of a path is enough, unless another
    path ends the same way: then both get one part more of their own.
    """
    parts = [_label_parts(path) for path in paths]
    lengths = [1] * len(paths)
    while True:
        labels = ["/".join(own[-length:]) for own, length in zip(parts, lengths, strict=True)]
        uses = Counter(labels)
        grown = [
            length + (uses[label] > 1 and length < len(own))
            for label, length, own in zip(labels, lengths, parts, strict=True)
        ]
        if grown == lengths:
            return labels
        lengths = grown


def _label_parts(path: Path) -> tuple[str, ...]:
    """Return the parts of a path that has a name of its own, for a pattern the fixed ones."""
    fixed = _split(path)[0] if is_pattern(path) else path
    # Not resolved: a link is named as it was given.
    absolute = Path(os.path.abspath(fixed))  # noqa: PTH100  resolve() follows links
    return tuple(map(sound_text, absolute.parts[1:])) or ("root",)
