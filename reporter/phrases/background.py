"""Work of an event loop, told to a thread that an interrupt may reach at any time.

An exception that a signal raises inside a running loop can hit any of its steps and leave
requests half-closed. Here the loop has a thread of its own, signals stay with the caller's,
and the work is cancelled as any other coroutine is.
"""

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator
from queue import SimpleQueue
from types import TracebackType
from typing import Final, Generic, Self, TypeVar

T = TypeVar("T")

_START_S: Final = 5.0
"""Seconds in which a thread that was told to start has started."""

Tell = Callable[[T], None]
Work = Callable[[Tell[T]], Awaitable[None]]


class _End:
    """The work is over; with what, where it failed."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class Background(Generic[T]):
    """One piece of work on a loop of its own, and what it tells.

    It begins when what it tells is listened to: iterating yields that, as it is told, and
    raises what the work raises. Leaving its context, also by an interrupt, cancels the work and
    waits for its end.

    Args:
        work: Called on its loop with a function that takes what is to be told.
    """

    def __init__(self, work: Work[T]) -> None:
        self._work = work
        self._news: SimpleQueue[T | _End] = SimpleQueue()
        self._started = False
        self._begun = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        # A second interrupt while the first one is heeded must not keep the process.
        self._thread = threading.Thread(target=self._run, name="model requests", daemon=True)
        self.told: list[T] = []
        """All that was told, whether it was listened to or not."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # An interrupt may have come before there was a thread to wait for.
        if not self._started or not self._begun.wait(_START_S):
            return
        if self._loop is not None and self._task is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: the work was done
                self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join()

    def __iter__(self) -> Iterator[T]:
        self._started = True
        self._thread.start()
        while True:
            item = self._news.get()
            if isinstance(item, _End):
                if item.error is not None:
                    raise item.error
                return
            yield item

    def _tell(self, item: T) -> None:
        self.told.append(item)
        self._news.put(item)

    def _run(self) -> None:
        error: BaseException | None = None
        try:
            asyncio.run(self._main())
        except BaseException as raised:  # noqa: BLE001  it is raised again where it is heard
            error = raised
        self._begun.set()
        self._news.put(_End(error))

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._begun.set()
        await self._work(self._tell)
