"""Where the shared oracle and recordings are, and what happens where they are not."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared_folder() -> Path:
    """The shared data, from `REPORTER_SHARED` or beside the checkout."""
    return Path(os.environ.get("REPORTER_SHARED", ROOT.parent / "shared"))


def shared(*parts: str) -> Path:
    """Return a shared path; skip where it is absent, fail where CI says it must be there."""
    path = shared_folder().joinpath(*parts)
    if not path.exists():
        if os.environ.get("CI"):
            pytest.fail(f"shared data is missing: {Path(*parts)}")
        pytest.skip(f"shared data is not here: {Path(*parts)} (set REPORTER_SHARED)")
    return path
