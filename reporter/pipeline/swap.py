"""Files and folders that take the places of older ones together, or not at all."""

import os
import re
import shutil
import signal
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from reporter.pipeline.spread import ENDS

try:
    import fcntl
except ImportError:  # pragma: no cover  not a Unix; runs at one time are not told apart there
    fcntl = None  # type: ignore[assignment]  # asked for before use

_LEFT: Final = re.compile(
    r"\.(?:findings\.json|(?:index|report)\.html|report\.pdf|pages|assets)"
    r"\.[0-9a-f]{32}\.(?:part|old)"
)
"""Names of what was being made, or gave way, when a command was killed."""


class Swap:
    """What is being made beside its place, and what gives way to it.

    Made by `Together`. Everything is named in the order in which it takes its
    place; the file comes last, because a reader opens it first.
    """

    def __init__(self) -> None:
        self._token = uuid.uuid4().hex
        self._made: list[Path] = []
        self._gone: list[tuple[Path, Callable[[Path], bool]]] = []
        self._file: tuple[Path, BinaryIO] | None = None
        self._held: list[int] = []
        self._is_done = False

    def file(self, path: Path) -> BinaryIO:
        """Open the file that takes its name last.

        Raises:
            OSError: It cannot be made.
        """
        stream = self._beside(path).open("xb")
        self._file = path, stream
        self._hold(self._beside(path))
        return stream

    def folder(self, path: Path) -> Path:
        """Make a folder that takes its name, and the place of an older one, at the end.

        Raises:
            OSError: It cannot be made.
        """
        beside = self._beside(path)
        self._made.append(path)
        beside.mkdir()
        self._hold(beside)
        return beside

    def without(self, path: Path, is_ours: Callable[[Path], bool]) -> None:
        """Let a file or a folder be gone at the end, where it is an earlier report's by then."""
        self._gone.append((path, is_ours))

    def close(self) -> None:
        """Let what was written reach the disk, before anything takes a name.

        Raises:
            OSError: It does not.
        """
        if self._file is not None:
            _, stream = self._file
            stream.flush()
            os.fsync(stream.fileno())
            stream.close()

    def commit(self) -> None:
        """Give everything its name; where one cannot have it, everything is as before.

        Raises:
            OSError: A name cannot be taken, such as that of a folder by a file.
        """
        back: list[tuple[Path, Path]] = []
        try:
            given_up = [path for path, is_ours in self._gone if is_ours(path)]
            for path in (*self._made, *given_up):
                if path.exists():
                    path.rename(self._older(path))
                    back.append((self._older(path), path))
                if path in self._made:
                    self._beside(path).rename(path)
                    back.append((path, self._beside(path)))
            if self._file is not None:
                path, _ = self._file
                self._beside(path).replace(path)
            self._is_done = True
        except BaseException:
            for now, before in reversed(back):
                now.rename(before)
            raise

    def clear(self) -> None:
        """Remove what has no name: what was not finished, and what gave way."""
        while self._held:
            os.close(self._held.pop())
        if self._file is not None:
            path, stream = self._file
            with suppress(OSError):
                stream.close()
            _remove(self._beside(path))
        for path in self._made:
            _remove(self._beside(path))
        if self._is_done:
            for path in (*self._made, *(path for path, _ in self._gone)):
                _remove(self._older(path))

    def _hold(self, beside: Path) -> None:
        """Show other runs that somebody works on this; the system lets go of it with us."""
        if fcntl is not None:
            self._held.append(os.open(beside, os.O_RDONLY))
            with suppress(OSError):
                fcntl.flock(self._held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _beside(self, path: Path) -> Path:
        return path.with_name(f".{path.name}.{self._token}.part")

    def _older(self, path: Path) -> Path:
        return path.with_name(f".{path.name}.{self._token}.old")


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


class Together:
    """Several swaps that take their names at one moment, when the block ends well.

    Made by `together`. One that fails, before or then, takes no other with it.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[str, Swap]] = []
        self.failed: dict[str, OSError] = {}
        """What could not take its name at the end, by what its swap was called."""

    @contextmanager
    def swap(self, name: str) -> Iterator[Swap]:
        """Open what takes its names with the others, or is gone at once where the block fails.

        Raises:
            OSError: It cannot be written.
        """
        swap = Swap()
        try:
            yield swap
            swap.close()
        except BaseException:
            with uninterrupted():
                swap.clear()
            raise
        self._waiting.append((name, swap))

    def commit(self) -> None:
        """Give everything its name, but for what cannot have it."""
        for name, swap in self._waiting:
            try:
                swap.commit()
            except OSError as error:
                self.failed[name] = error

    def clear(self) -> None:
        """Remove what has no name."""
        for _, swap in self._waiting:
            swap.clear()


@contextmanager
def together(folder: Path) -> Iterator[Together]:
    """Open swaps in a folder that take their names when the block ends well.

    Whatever goes wrong, also an interrupt at any moment, leaves either all of what was there
    before or all that is new, and nothing beside it. Only a process that is killed while names
    change can leave a part of each; what it was making, the next run removes.
    """
    swaps = Together()
    try:
        yield swaps
        with uninterrupted(), _alone_in(folder):
            swaps.commit()
            swaps.clear()
            _sweep(folder)
    finally:
        with uninterrupted():
            swaps.clear()


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Wait until no other run changes names in a folder; they take only moments."""
    if fcntl is None:
        yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        # Some network file systems know no locks; there it is as it would be without.
        with suppress(OSError):
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _sweep(folder: Path) -> None:
    """Remove what runs have left that were killed; what somebody works on is locked."""
    if fcntl is None:
        return
    for entry in folder.iterdir():
        if not _LEFT.fullmatch(entry.name):
            continue
        with suppress(OSError):
            opened = os.open(entry, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(entry)
            finally:
                os.close(opened)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let what would end this process wait until the block is over.

    By handlers: a signal that this thread does not take goes to another one, and what it
    raises still comes up here.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = {one: signal.signal(one, lambda number, _: held.append(number)) for one in ENDS}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, signal.SIG_DFL if handler is None else handler)
        if held:
            signal.raise_signal(held[0])
