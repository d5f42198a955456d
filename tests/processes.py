"""The processes that a test has begun, as the system lists them."""

from pathlib import Path


def children() -> set[int]:
    """Process ids of this process's children that still run."""
    while True:
        try:
            return {
                int(child)
                for task in Path("/proc/self/task").iterdir()
                for child in (task / "children").read_text(encoding="ascii").split()
            }
        except (FileNotFoundError, ProcessLookupError):
            # A thread ended meanwhile, and its children are listed at another one now.
            continue
