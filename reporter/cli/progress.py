"""How far long work is, for who looks on."""
# ruff: noqa: PLC0415  the bar is loaded where somebody can see it

import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Self

from reporter.cli.terminal import counted

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class Bar:
    """A progress bar on a terminal; silence in a pipe."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True, auto_refresh=False)
            self._bar.start()
            self._task = self._bar.add_task(self._label, total=None)
        return self

    def __exit__(self, *exception: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, done: int, total: int) -> None:
        """Show how many of how many pieces are done."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, refresh=True)

    def asking(
        self, done: int, total: int, *, sessions: int, tokens: int, cost_usd: Decimal | None
    ) -> None:
        """Show how many requests a model has answered, and what they took so far."""
        if self._bar is not None and self._task is not None:
            cost = "" if cost_usd is None else f", ${cost_usd:.2f}"
            shown = counted(sessions, "session")
            self._bar.update(
                self._task,
                description=f"Asking the model ({shown}, {tokens:,} tokens{cost})",
                completed=done,
                total=total,
                refresh=True,
            )

    def say(self, label: str) -> None:
        """Show what is being done now, without a known end."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=label, total=None, refresh=True)
