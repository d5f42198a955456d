"""Spreads work over processes, with the results in order and no process left behind."""

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Final, TypeVar

from reporter.errors import Problem, RecordingError

Item = TypeVar("Item")
Result = TypeVar("Result")

ASKED: Final = (signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else []))
"""Signals by which somebody else ends a command: another program, a terminal that closes."""
ENDS: Final = (signal.SIGINT, *ASKED)
"""Signals that end a command in order."""


def core_count() -> int:
    """Return how many processes can run at once here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def spread(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    jobs: int,
    prepare: Callable[..., None] | None = None,
    shared: tuple[object, ...] = (),
) -> Iterator[Result]:
    """Do one piece of work after another, or several at once, and yield the results in order.

    Args:
        work: A function of a module, so that another process finds it.
        items: What to work on; small, because each goes to another process.
        jobs: Processes; with one, everything happens here.
        prepare: Called with `shared` once a process before any work.
        shared: What every process needs.

    Raises:
        RecordingError: A process was killed from outside, such as for want of memory.
    """
    if jobs <= 1 or len(items) <= 1:
        if prepare is not None:
            prepare(*shared)
        yield from map(work, items)
        return
    # Forking shares what is loaded and read already; elsewhere it is sent over.
    method = "fork" if sys.platform == "linux" else "spawn"
    pool = ProcessPoolExecutor(
        max_workers=min(jobs, len(items)),
        mp_context=multiprocessing.get_context(method),
        initializer=_begin,
        initargs=(prepare, shared),
    )
    try:
        # Processes are begun while the work is handed over. What an interrupt raises inside of
        # that is lost in a hook that runs around a fork, and the report would go on.
        with _ends_held():
            results = pool.map(work, items)
        yield from results
    except BrokenProcessPool:
        raise RecordingError(
            [
                Problem(
                    file="",
                    place="",
                    what="A process that worked on sessions was ended from outside.",
                    remedy="Free some memory, or use --jobs 1.",
                    rule="process-ended",
                )
            ]
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _ends_held() -> Iterator[None]:
    """Let what would end this process wait until the block is over."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    held = signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _begin(prepare: Callable[..., None] | None, shared: tuple[object, ...]) -> None:
    # The parent hears an interrupt and ends its children in order.
    for number in ENDS:
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDS)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.disable()
    if prepare is not None:
        prepare(*shared)


def _end_with_parent() -> None:
    """End this process once its parent has: a parent that is killed tells its children nothing.

    A child that waits for work holds both ends of the queue, so it would wait for ever.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
