"""The two files that an Inspect log may be, read as a header and a stream of samples."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final, Protocol

from reporter.importers.conversation import Element
from reporter.importers.importer import Spot
from reporter.importers.inspect_ai.archive import MOST_MEMBER, ArchiveError, LogArchive
from reporter.importers.jsonarray import Piece
from reporter.importers.jsonobject import JsonMembers
from reporter.importers.jsontext import BrokenJsonError, JsonText, finite
from reporter.importers.jsonvalue import swiftly
from reporter.importers.losses import Losses
from reporter.models.manifest import SourceFile

HEADER: Final = "header.json"
START: Final = "_journal/start.json"
SUMMARIES: Final = "summaries.json"

BATCH_BYTES: Final = 1024 * 1024
"""Packed bytes of samples, about, that are read again together."""

_JOURNALED: Final = re.compile(r"_journal/summaries/(\d{1,9})\.json")
_SAMPLE: Final = re.compile(r"samples/(.+)_epoch_(\d{1,9})\.json", re.DOTALL)
_SHELL: Final = re.compile(r"samples/(.+)_epoch_(\d{1,9})/sample\.json", re.DOTALL)
_KNOWN: Final = re.compile(
    r"header\.json|summaries\.json|reductions\.json|_journal/.+"
    r"|samples/.+_epoch_\d{1,9}(/.+)?(\.json)?",
    re.DOTALL,
)
_CHUNK: Final = re.compile(r"(\d{1,9})\.json")
_NO_UTF8: Final = "the bytes are no UTF-8"
_MOST_MESSAGES: Final = 200_000
"""Messages of one conversation that are put together from a shared list."""


@dataclass(frozen=True, slots=True)
class RawSample:
    """One sample as it stands in a log."""

    place: str
    """Where: the name of a member, or such as `samples[3]`."""
    value: Any = None
    """Its JSON, or None where it cannot be read."""
    problem: str | None = None
    """Why it cannot be read."""
    key: tuple[str, int] | None = None
    """Its id and epoch, as far as the place says them."""
    spot: Spot | None = None
    """Where it can be read again alone, or None where it cannot."""


@dataclass(frozen=True, slots=True)
class _Ref:
    """A sample of a ZIP that was not read yet."""

    key: tuple[str, int]
    name: str
    is_shell: bool
    """Its lists stand in members of their own."""
    spot: Spot
    """Its batch, by the packed bytes of the samples before it, and its place there."""


class Log(Protocol):
    """An open log."""

    @property
    def header(self) -> Element:
        """Everything but samples; of a `.json` log, all that was read so far."""

    @property
    def summaries(self) -> Sequence[Element] | None:
        """What a log says of all its samples before they are read, or None."""

    def samples(self, piece: Piece | None = None) -> Iterator[RawSample]:
        """Yield the samples.

        Args:
            piece: Which of them, or None for all; a `.json` log has no pieces.

        Raises:
            BrokenJsonError: The log breaks off.
        """


def is_member_of_log(name: str) -> bool:
    """Tell whether a member of a ZIP has a name that only logs give."""
    return name != HEADER and _KNOWN.fullmatch(name) is not None


class JsonLog:
    """A `.json` log, of which one sample is held at a time.

    Args:
        open_: Opens its bytes as a stream.
    """

    def __init__(self, open_: Callable[[], BinaryIO]) -> None:
        self._open = open_
        self._header: dict[str, Any] = {}
        self._is_ahead = False

    @property
    def header(self) -> Element:
        """The members read so far; with the first sample, all of them or those before it."""
        return self._header

    @property
    def summaries(self) -> None:
        """None: such a log has no summaries."""
        return

    def samples(self, piece: Piece | None = None) -> Iterator[RawSample]:  # noqa: ARG002  see Log
        """Yield the samples in the order of the file."""
        with self._open() as stream:
            for member in JsonMembers(stream, "samples", MOST_MEMBER).members():
                if member.index is None:
                    self._header[member.key] = member.value
                    continue
                if "eval" not in self._header and not self._is_ahead:
                    self._look_ahead()
                yield RawSample(f"samples[{member.index}]", member.value)

    def _look_ahead(self) -> None:
        """Read what stands behind the samples, where somebody has sorted the members."""
        self._is_ahead = True
        with self._open() as stream:
            try:
                for member in JsonMembers(stream, "samples", MOST_MEMBER).members():
                    if member.index is None:
                        self._header[member.key] = member.value
            except BrokenJsonError:
                return


@dataclass
class EvalLog:
    """An `.eval` log, whose members are read one at a time."""

    archive: LogArchive
    losses: Losses
    header: Element = field(default_factory=dict)
    summaries: Sequence[Element] | None = None

    def __post_init__(self) -> None:
        names = self.archive.names
        odd = [name for name in names if _is_unsafe(name)]
        self._names = tuple(name for name in names if name not in set(odd))
        for name in odd:
            self.losses.add("unreadable", repr(name)[:80], "members whose name leads elsewhere")
        self.losses.add(
            "repeated",
            "the ZIP",
            "members that a later one of the same name stands for",
            self.archive.superseded,
        )
        for name in self._names:
            if not (_KNOWN.fullmatch(name) or name.endswith("/")):
                self.losses.add("unknownType", name[:80], "members of a name unknown here")
        self._refs = self._in_order()
        self.header = self._find_header()
        self.summaries = self._find_summaries()

    def samples(self, piece: Piece | None = None) -> Iterator[RawSample]:
        """Yield the samples by epoch and id, as Inspect itself does."""
        refs = [ref for ref in self._refs if piece is None or _is_in(ref, piece)]
        chunks = self._chunks() if any(ref.is_shell for ref in refs) else {}
        for ref in refs:
            try:
                value = self._value(ref.name)
                if ref.is_shell and isinstance(value, dict):
                    value = self._whole(value, chunks.get(ref.name.removesuffix("sample.json"), {}))
            except (ArchiveError, BrokenJsonError) as error:
                yield RawSample(ref.name, problem=_reason(error), key=ref.key, spot=ref.spot)
            else:
                yield RawSample(ref.name, value, key=ref.key, spot=ref.spot)

    @property
    def keys(self) -> set[tuple[str, int]]:
        """Ids and epochs of the samples that the log holds, by the names of its members."""
        return {ref.key for ref in self._refs}

    def pieces(self, step: int) -> list[Piece]:
        """Cut the samples into pieces of about so many packed bytes; one where nothing can be cut.

        What the scorers' words mean must be known without reading the samples.
        """
        starts = [0]
        for ref in self._refs if self.summaries is not None else ():
            if ref.spot.start - starts[-1] >= step:
                starts.append(ref.spot.start)
        return [Piece(start, end) for start, end in zip(starts, [*starts[1:], None], strict=True)]

    def _in_order(self) -> list[_Ref]:
        found: list[tuple[int, str, str, bool]] = []
        for name in self._names:
            if shell := _SHELL.fullmatch(name):
                found.append((int(shell[2]), shell[1], name, True))
            elif (whole := _SAMPLE.fullmatch(name)) and not _inside(name):
                found.append((int(whole[2]), whole[1], name, False))
        refs: list[_Ref] = []
        start = 0
        for batch in self._batches(sorted(found, key=lambda one: (one[0], one[1].zfill(20), one))):
            # At least one byte, so that no two of them begin at one place.
            end = start + max(1, sum(self.archive.packed_size(name) for *_, name, _ in batch))
            refs += [
                _Ref((own_id, epoch), name, is_shell, Spot(start, end, place, 0))
                for place, (epoch, own_id, name, is_shell) in enumerate(batch)
            ]
            start = end
        return refs

    def _batches(
        self, found: Sequence[tuple[int, str, str, bool]]
    ) -> Iterator[list[tuple[int, str, str, bool]]]:
        """Yield neighbours that are read again together: opening a log has its price too."""
        batch: list[tuple[int, str, str, bool]] = []
        size = 0
        for one in found:
            batch.append(one)
            size += self.archive.packed_size(one[2])
            if size >= BATCH_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _find_header(self) -> Element:
        """Return the header of a finished log, else what it said when it started."""
        try:
            header = self._value(HEADER) if HEADER in self._names else None
        except (ArchiveError, BrokenJsonError) as error:
            self.losses.add("unreadable", HEADER, f"the header of the log: {_reason(error)}")
            header = None
        if isinstance(header, dict):
            return header
        try:
            start = self._value(START)
        except (ArchiveError, BrokenJsonError) as error:
            self.losses.add("unreadable", START, f"the start of the log: {_reason(error)}")
            return {}
        if not isinstance(start, dict):
            return {}
        self.losses.no_place(
            HEADER,
            "the log was never finished: what it planned is read from its journal, and results "
            "over all samples are not in it",
        )
        return {**start, "status": "started"}

    def _find_summaries(self) -> Sequence[Element] | None:
        """Return the summaries of a finished log, else those of its journal, the last ones."""
        journaled = sorted(
            (int(found[1]), name) for name in self._names if (found := _JOURNALED.fullmatch(name))
        )
        names = [SUMMARIES] if SUMMARIES in self._names else [name for _, name in journaled]
        if not names:
            return None
        kept: dict[tuple[str, Any], Element] = {}
        for name in names:
            try:
                value = self._value(name)
            except (ArchiveError, BrokenJsonError) as error:
                self.losses.add("unreadable", name, f"summaries of samples: {_reason(error)}")
                continue
            for summary in value if isinstance(value, list) else ():
                if isinstance(summary, dict):
                    kept[repr(summary.get("id")), repr(summary.get("epoch"))] = summary
        return list(kept.values())

    def _chunks(self) -> Mapping[str, Mapping[str, Sequence[str]]]:
        """Return the members that hold a sample's lists, by sample and list, in order."""
        chunks: dict[str, dict[str, list[tuple[int, str]]]] = {}
        for name in self._names:
            folder, _, last = name.rpartition("/")
            prefix, _, kind = folder.rpartition("/")
            if (found := _CHUNK.fullmatch(last)) and prefix:
                of_sample = chunks.setdefault(f"{prefix}/", {})
                of_sample.setdefault(kind, []).append((int(found[1]), name))
        return {
            prefix: {kind: [name for _, name in sorted(names)] for kind, names in kinds.items()}
            for prefix, kinds in chunks.items()
        }

    def _whole(
        self, shell: Mapping[str, Any], chunks: Mapping[str, Sequence[str]]
    ) -> dict[str, Any]:
        """Put a sample together whose lists stand in members of their own."""
        lists = {
            kind: [item for name in chunks.get(kind, ()) for item in self._list(name)]
            for kind in ("messages", "events", "attachments")
        }
        pool = lists["messages"]
        return {
            **shell,
            "messages": from_pool(shell.get("message_refs"), pool),
            "events": lists["events"],
            "events_data": {"messages": pool},
            "attachments": {str(at): text for at, text in enumerate(lists["attachments"])},
        }

    def _list(self, name: str) -> Sequence[Any]:
        value = self._value(name)
        return value if isinstance(value, list) else ()

    def _value(self, name: str) -> Any:  # noqa: ANN401  any JSON value
        try:
            text = self.archive.read(name).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise ArchiveError(_NO_UTF8) from None
        try:
            return finite(swiftly(text))
        except ValueError:
            return JsonText(SourceFile(name=name, sha256="", bytes=len(text)), text).value()


def from_pool(refs: object, pool: Sequence[Any]) -> list[Any]:
    """Return what pairs of first and last-but-one places name in a list that is shared.

    Places that the list does not have are passed over, as Inspect does.
    """
    found: list[Any] = []
    for ref in refs if isinstance(refs, list) else ():
        if isinstance(ref, list) and len(ref) == 2 and all(type(place) is int for place in ref):  # noqa: PLR2004  a pair
            found.extend(pool[max(0, ref[0]) : max(0, ref[1])])
        if len(found) > _MOST_MESSAGES:
            break
    return found[:_MOST_MESSAGES]


def _is_in(ref: _Ref, piece: Piece) -> bool:
    start = ref.spot.start
    return piece.start <= start and (piece.end is None or start < piece.end)


def _inside(name: str) -> bool:
    """Tell whether a member stands in the folder of a sample whose lists are apart."""
    return re.search(r"_epoch_\d{1,9}/", name) is not None


def _is_unsafe(name: str) -> bool:
    parts = name.split("/")
    return name.startswith("/") or "\\" in name or "\0" in name or ".." in parts


def _reason(error: ArchiveError | BrokenJsonError) -> str:
    return error.reason if isinstance(error, ArchiveError) else f"{error.place}: {error.what}"
