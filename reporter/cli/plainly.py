"""How a command runs: errors in one message, an end in order, no traceback."""

import contextlib
import functools
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import ParamSpec, TypeVar

import click

from reporter.cli.statuses import (
    DEFECT,
    INTERRUPTED,
    RENDERING_FAILED,
    SIGNALLED,
    UNREADABLE,
    WRITTEN,
)
from reporter.cli.terminal import say, say_error
from reporter.errors import RenderError, ReporterError
from reporter.pipeline.collector import collector_paused
from reporter.pipeline.spread import ASKED

P = ParamSpec("P")


class _TerminationError(KeyboardInterrupt):
    """Somebody else asked for the end: a pipeline whose time is over, a terminal that closed."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextlib.contextmanager
def _termination_heard() -> Iterator[None]:
    """End as an interrupt does when asked to: children first, nothing half-written."""

    def end(number: int, _: object) -> None:
        raise _TerminationError(number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # What somebody had ignored from the start, as nohup does, stays ignored.
    heard = [one for one in ASKED if signal.getsignal(one) is not signal.SIG_IGN]
    before = {one: signal.signal(one, end) for one in heard}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def plainly(command: Callable[P, int]) -> Callable[P, None]:
    """Turn our errors into one message and an exit status, never a traceback."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            with _termination_heard():
                status = command(*args, **kwargs)
        except click.ClickException:
            raise
        except RenderError as error:
            say(f"Error: {error}", err=True)
            status = RENDERING_FAILED
        except ReporterError as error:
            say_error(error)
            status = UNREADABLE
        except (KeyboardInterrupt, click.Abort) as error:
            status = _ended(error)
        except BrokenPipeError:
            # Whoever was reading has seen enough; nothing more can be said to them.
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
            status = WRITTEN
        except OSError as error:
            name = error.filename if isinstance(error.filename, str) else ""
            where = f"{name}: " if name else ""
            say(f"Error: {where}{error.strerror or error}", err=True)
            status = UNREADABLE
        except Exception as error:
            if os.environ.get("SWARM_REPORTER_DEBUG"):
                raise
            click.echo(
                f"Error: a defect of swarm-reporter ({type(error).__name__}: {error}). "
                "Please report it, with the traceback that SWARM_REPORTER_DEBUG=1 shows.",
                err=True,
            )
            status = DEFECT
        sys.exit(status)

    return run


def _ended(error: BaseException) -> int:
    """Say that the command was ended from outside, and return the status that tells by what."""
    with contextlib.suppress(OSError):  # a terminal that closed hears nothing
        click.echo("Interrupted; nothing half-written was left behind.", err=True)
    if isinstance(error, _TerminationError):
        return SIGNALLED + error.number
    return INTERRUPTED


Kept = TypeVar("Kept")
_kept: list[object] = []
"""What the last command kept, and the list itself: what holds itself is never taken apart."""


@contextlib.contextmanager
def kept_to_the_end() -> Iterator[None]:
    """Do not look for garbage in what is kept until the command ends, nor when it does.

    To walk over the facts of ten thousand sessions takes longer than to render their list.
    Used around a whole command, so that what it loads is not walked over either.
    """
    # Where one process runs several commands, what an earlier one kept is garbage by now.
    gc.unfreeze()
    with collector_paused():
        try:
            yield
        finally:
            gc.freeze()


def keep(value: Kept) -> Kept:
    """Keep something large until the process ends, which takes it apart in no time."""
    _kept[:] = [_kept, value]
    return value
