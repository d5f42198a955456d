"""Writes files that appear under their name only once they are complete."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes its name when the block ends well.

    Whatever goes wrong, also an interrupt, leaves what was there before and nothing beside
    it.

    Raises:
        OSError: The file cannot be written or cannot take its name.
    """
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}.part")
    try:
        with beside.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
