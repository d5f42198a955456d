"""Files and folders that take the places of older ones together, or not at all."""

import os
import shutil
import signal
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from reporter.pipeline.spread import ENDS


class Swap:
    """What is being made beside its place, and what gives way to it.

    Made by `swapped`. Everything is named in the order in which it takes its place; the file
    comes last, because a reader opens it first.
    """

    def __init__(self) -> None:
        self._token = uuid.uuid4().hex
        self._made: list[Path] = []
        self._gone: list[Path] = []
        self._file: tuple[Path, BinaryIO] | None = None
        self._is_done = False

    def file(self, path: Path) -> BinaryIO:
        """Open the file that takes its name last.

        Raises:
            OSError: It cannot be made.
        """
        stream = self._beside(path).open("xb")
        self._file = path, stream
        return stream

    def folder(self, path: Path) -> Path:
        """Make a folder that takes its name, and the place of an older one, at the end.

        Raises:
            OSError: It cannot be made.
        """
        beside = self._beside(path)
        self._made.append(path)
        beside.mkdir()
        return beside

    def without(self, path: Path) -> None:
        """Let a file or a folder of an earlier report be gone at the end."""
        self._gone.append(path)

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
            for path in (*self._made, *self._gone):
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
        if self._file is not None:
            path, stream = self._file
            with suppress(OSError):
                stream.close()
            _remove(self._beside(path))
        for path in self._made:
            _remove(self._beside(path))
        for path in (*self._made, *self._gone) if self._is_done else ():
            _remove(self._older(path))

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


@contextmanager
def swapped() -> Iterator[Swap]:
    """Open files and folders that take their names when the block ends well.

    Whatever goes wrong, also an interrupt at any moment, leaves either all of what was there
    before or all that is new, and nothing beside it.

    Raises:
        OSError: Something cannot be written or cannot take its name.
    """
    swap = Swap()
    try:
        yield swap
        swap.close()
        with uninterrupted():
            swap.commit()
            swap.clear()
    finally:
        with uninterrupted():
            swap.clear()


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
