"""Where each session is shown: in the page itself, in a page of its own, or only in the list."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from reporter.view.anchor import safe_name

PAGES: Final = "pages"
"""Folder of the session pages, beside the page of the report."""
INDEX: Final = "index.html"
"""The report's own page where sessions have pages of theirs."""
_LONGEST: Final = 120
"""Characters of a file name before its ending; every file system takes twice as many."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where a link to a session leads."""

    embedded: frozenset[str] = frozenset()
    """Sessions whose transcript stands in the page of the report."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Name of the page that a session has for itself, by session id; empty for one page."""

    def is_whole(self, session_id: str) -> bool:
        """Tell whether a link to a place inside the session lands on that place."""
        return session_id in self.embedded or session_id in self.files

    def href(self, session_id: str, anchor: str) -> str:
        """Return where a link from the report's page to a place of a session leads."""
        file = self.files.get(session_id)
        return f"#{anchor}" if file is None else f"{PAGES}/{file}#{anchor}"


def page_files(session_ids: Iterable[str]) -> Mapping[str, str]:
    """Name the page of each session: safe on every file system, and no name twice.

    Names are of the letters that ids of the page are made of, so nothing recorded gets
    into a path. Two that differ in the case of letters alone are one file on many disks;
    the later one is numbered.

    Rule: report.md section 4, `Size`.
    """
    taken: set[str] = set()
    files: dict[str, str] = {}
    for session_id in session_ids:
        stem = name = _stem(session_id)
        number = 1
        while name.lower() in taken:
            number += 1
            # No id is spelled with a dot, so a numbered name is nobody else's.
            name = f"{stem}.{number}"
        taken.add(name.lower())
        files[session_id] = f"{name}.html"
    return files


def _stem(session_id: str) -> str:
    # The letter in front keeps names off those that a system or a command line reserves.
    stem = f"s-{safe_name(session_id)}"
    if len(stem) <= _LONGEST:
        return stem
    digest = hashlib.sha256(session_id.encode(errors="surrogatepass")).hexdigest()[:16]
    return f"{stem[: _LONGEST // 2]}~~{digest}"
