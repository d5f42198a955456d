"""Runs the rendering of a PDF in a child process, within its limits of time and memory."""

import contextlib
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from reporter.errors import RenderError

_CHILD: Final = "reporter.render.pdf_child"
# The child's own word for it; to import it would load the renderer here.
_OUT_OF_MEMORY: Final = 4
_KEPT_VARIABLES: Final = (
    *("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "SYSTEMROOT", "XDG_CACHE_HOME"),
    *("FONTCONFIG_FILE", "FONTCONFIG_PATH", "LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"),
    "WEASYPRINT_DLL_DIRECTORIES",
)


@dataclass(frozen=True, slots=True)
class RenderedPdf:
    """What the child made."""

    content: bytes
    pages: int
    spelled_out: tuple[str, ...]
    """Characters that no installed font can draw, such as `U+1F984`; they stand as these."""


def render_in_child(
    page: str, *, created: datetime, timeout_s: float, memory_mb: int
) -> RenderedPdf:
    """Render an HTML page to PDF in a process of its own.

    Args:
        page: The whole page; nothing outside it is fetched.
        created: The time that fonts and metadata are stamped with.
        timeout_s: Wall time after which the child is killed.
        memory_mb: Memory that the child may allocate.

    Raises:
        RenderError: The child ran over a limit, or failed; it is gone then.

    Rule: report.md section 5.
    """
    with _temporary() as folder:
        child = subprocess.Popen(  # noqa: S603  our own module, by the interpreter that runs us
            # -P: a `weasyprint.py` in the current folder must not be taken for the library.
            [sys.executable, "-P", "-m", _CHILD, str(memory_mb), str(math.ceil(timeout_s) + 5)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(created) | folder,
            start_new_session=True,
        )
        try:
            content, said = child.communicate(page.encode("utf-8", "replace"), timeout=timeout_s)
        except subprocess.TimeoutExpired:
            raise RenderError(
                f"rendering the PDF took longer than {timeout_s:g} s. {_less('time')}"
            ) from None
        finally:
            _end(child)
    outcome = _outcome(said)
    if child.returncode == 0:
        return RenderedPdf(content, int(outcome["pages"]), tuple(outcome["missing"]))
    reason = str(outcome.get("error", ""))
    if _wanted_memory(child.returncode, said):
        raise RenderError(
            f"rendering the PDF needs more than {memory_mb:,} MB of memory"
            f"{_ended_by(child.returncode)}. {_less('memory')}"
        )
    told = reason or said.decode(errors="replace").strip().rsplit("\n", 1)[-1]
    raise RenderError(
        f"{told or 'the renderer of the PDF ended without a word'}."
        " The other files are complete; --format html,json leaves the PDF out."
    )


def _wanted_memory(returncode: int, said: bytes) -> bool:
    """Tell whether a child ended for want of memory; libraries end it by a signal then."""
    return returncode == _OUT_OF_MEMORY or returncode < 0 or b"MemoryError" in said


def _less(resource: str) -> str:
    option = {"time": "--pdf-timeout", "memory": "--pdf-memory"}[resource]
    return (
        f"Allow more with {option}, or append fewer turns with --pdf-evidence none, or leave"
        " the PDF out with --format html,json. The other files are complete."
    )


def _ended_by(returncode: int) -> str:
    if returncode >= 0:
        return ""
    with contextlib.suppress(ValueError):
        return f", or was ended by {signal.Signals(-returncode).name}"
    return f", or was ended by signal {-returncode}"


def _environment(created: datetime) -> dict[str, str]:
    """Return what the child gets to know: nothing of the caller's but where things are."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    package = Path(__file__).resolve().parent.parent.parent
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join([str(package), *(path for path in sys.path if path)]),
        # Hash order and the stamp inside embedded fonts would change the bytes.
        "PYTHONHASHSEED": "0",
        "SOURCE_DATE_EPOCH": str(max(0, int(created.timestamp()))),
        "PYTHONIOENCODING": "utf-8",
    }


@contextlib.contextmanager
def _temporary() -> Iterator[dict[str, str]]:
    """Give the child a temporary folder of its own, which is gone after it, killed or not."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="swarm-reporter-", ignore_cleanup_errors=True)
    except OSError:
        # Without one a report comes out as well; only fonts that a template brings need it.
        yield {}
        return
    with folder as path:
        yield {"TMPDIR": path}


def _outcome(said: bytes) -> dict[str, Any]:
    """Return the last line that the child wrote, where it is JSON."""
    for line in reversed(said.decode(errors="replace").splitlines()):
        with contextlib.suppress(ValueError):
            found = json.loads(line)
            if isinstance(found, dict):
                return found
    return {}


def _end(child: subprocess.Popen[bytes]) -> None:
    """Leave no child behind, whatever happened."""
    if child.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(child.pid, signal.SIGKILL)
            else:  # pragma: no cover  not a Unix
                child.kill()
    child.wait()
    for stream in (child.stdin, child.stdout, child.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
