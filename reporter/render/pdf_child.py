"""Turns one HTML page into one PDF, in a process of its own: the only user of WeasyPrint.

Run as `python -m reporter.render.pdf_child MEMORY_MB CPU_S`: the page comes in on standard
input, the PDF goes out on standard output, and one line of JSON about it on standard error.
No file is written, so a kill leaves nothing behind.
"""

import gc
import hashlib
import html
import json
import logging
import os
import sys
import unicodedata
from collections.abc import Callable
from typing import Final, NoReturn

from reporter.render.pdf_engine import render_page

MISSING_NOTE: Final = "<!-- characters without a glyph -->"
"""Where a page wants to be told which characters no installed font can draw."""
FAILED: Final = 3
"""Exit status of a rendering that gave up by itself and says why."""
OUT_OF_MEMORY: Final = 4
"""Exit status of a rendering that ran into its memory limit."""

_ROOM: Final = 70_000
"""Places of a frame: just over half of a MiB, so that a whole one is taken and half is left."""
_PASSES: Final = 3
_USUAL: Final = "\u0370"
"""The first character that a font for European languages may lack."""
_SIGNS: Final = range(0x2000, 0x2300)
"""Punctuation, arrows and the signs of mathematics, which reports themselves use."""
_NAMED: Final = 12
_UNSEEN: Final = frozenset({"Mn", "Mc", "Me", "Cc", "Cf", "Cs", "Zs", "Zl", "Zp"})


class MissingGlyphs(logging.Handler):
    """Collects the characters that WeasyPrint found no glyph for."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the character of a warning about a missing glyph; other warnings are ours."""
        arguments = record.args
        if isinstance(record.msg, str) and record.msg.startswith(".notdef"):
            self.found.update(arguments[:1] if isinstance(arguments, tuple) else ())  # type: ignore[arg-type]  # the first argument is the character


def limit_resources(memory_mb: int, cpu_s: int) -> None:
    """Bound what this process may use, where the system can."""
    try:
        import resource  # noqa: PLC0415  not every system has it
    except ImportError:  # pragma: no cover  not a Unix; the parent's clock still holds
        return
    for kind, amount in (
        (resource.RLIMIT_DATA, memory_mb * 1024 * 1024),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        bound = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
        resource.setrlimit(kind, (bound, hard))


def spelled_out(page: str, characters: set[str]) -> str:
    """Replace characters that cannot be drawn by their code points.

    A box in place of a character tells nobody which one it was, and PDF/UA forbids it.
    """
    table = {ord(character): f"[U+{ord(character):04X}]" for character in characters}
    return page.translate(table)


def missing_note(characters: set[str]) -> str:
    """Return the paragraph that names the characters no installed font can draw."""
    codes = sorted(f"U+{ord(character):04X}" for character in characters)
    more = len(codes) - _NAMED
    named = ", ".join(codes[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    kinds = "1 character" if len(codes) == 1 else f"{len(codes):,} different characters"
    text = (
        f"No font on the machine that made this file can draw {kinds} of the recording."
        f" Each stands as its code point in square brackets: {named}."
        " An HTML report shows them as the reader's own fonts do."
    )
    return f'<p class="small">{html.escape(text)}</p>'


def render(page: str) -> tuple[bytes, int, set[str]]:
    """Render a page.

    Returns:
        The PDF, its number of pages, and the characters that stand as code points.

    Raises:
        PermissionError: The page asks for something that is not in it.
    """
    missing = MissingGlyphs()
    log = logging.getLogger("weasyprint")
    log.handlers = [missing]
    log.propagate = False
    spelled: set[str] = set()
    identifier = hashlib.sha256(page.encode()).hexdigest()[:32]
    if asked := _sample(page):
        render_page(asked, identifier)
        spelled |= missing.found
    for _ in range(_PASSES):
        made, pages = render_page(_as_drawn(page, spelled), identifier)
        if not missing.found - spelled:
            break
        spelled |= missing.found
    return made, pages, spelled


def _as_drawn(page: str, spelled: set[str]) -> str:
    if not spelled:
        return page.replace(MISSING_NOTE, "")
    return spelled_out(page, spelled).replace(MISSING_NOTE, missing_note(spelled))


def _sample(page: str) -> str:
    """Return a page of every letter and sign that a font may lack; empty where there is none.

    Whether a character can be drawn is known only once it is drawn. To learn it from one line
    saves laying a long report out twice. Marks and joiners mean nothing alone and stay out.
    """
    asked = sorted(
        one
        for one in set(page)
        if one >= _USUAL and ord(one) not in _SIGNS and unicodedata.category(one) not in _UNSEEN
    )
    words = html.escape(" ".join(asked))
    page = f'<!doctype html><html lang="en"><title>Sample</title><body><p>{words}</p></body></html>'
    return page if asked else ""


def in_one_piece(work: Callable[[], int]) -> int:
    """Do work whose calls all find their place in one stretch of memory; return what it returns.

    The interpreter keeps the frames of calls in stretches of 16 KiB, and gives the last one
    back as soon as it is empty. Where a loop calls across such an edge, every call asks the
    system for memory and returns it: up to a fifth of the time of a long report. A frame too
    large for one stretch gets a larger one, and the calls inside use the rest of it.
    """
    return work()


in_one_piece.__code__ = in_one_piece.__code__.replace(co_stacksize=_ROOM)


def main(arguments: list[str]) -> int:
    """Render what comes in; return the exit status."""
    memory_mb, cpu_s = int(arguments[0]), int(arguments[1])
    limit_resources(memory_mb, cpu_s)
    # Layout keeps nearly everything it makes to the end, so looking for garbage costs a
    # tenth of the time and saves a thirtieth of the memory (236 pages); a child has one page.
    gc.disable()
    page = sys.stdin.buffer.read().decode()
    try:
        made, pages, spelled = render(page)
    except MemoryError:
        # Nothing is said: there may be no memory left to say it with.
        return OUT_OF_MEMORY
    except PermissionError as error:
        told = f"the page asks for more than it holds: {error}"
        sys.stderr.write("\n" + json.dumps({"error": told}) + "\n")
        return FAILED
    sys.stdout.buffer.write(made)
    sys.stdout.buffer.flush()
    words = {"pages": pages, "missing": sorted(f"U+{ord(one):04X}" for one in spelled)}
    sys.stderr.write("\n" + json.dumps(words) + "\n")
    return 0


def leave(status: int) -> NoReturn:
    """End this process at once; to take a large layout apart costs a tenth of its time.

    What it put into its temporary folder, its parent removes.
    """
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    leave(in_one_piece(lambda: main(sys.argv[1:])))
