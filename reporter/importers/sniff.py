"""Tells what is ours: a native recording, a findings document, a folder of one file.

Apart from `identify`, which knows every importer: who reads a recorded wave loads none.
"""

import itertools
from pathlib import Path

from reporter.importers.inputs import walk
from reporter.importers.outline import HEAD_BYTES, Outline, outline_of


def sniff_native(path: Path) -> bool:
    """Tell whether a path is a native recording: a folder, or the single-file form.

    A folder counts when it holds a manifest or, as an interrupted wave does, session
    files. What is wrong inside it is the reader's to say.

    Rule: recording.md section 2.
    """
    if path.is_dir():
        if (path / "wave.json").is_file():
            return True
        sessions = path / "sessions"
        return sessions.is_dir() and any(
            entry.suffix == ".jsonl" and not entry.name.startswith(".")
            for entry in sessions.iterdir()
        )
    return is_native(_outline(path))


def sniff_document(path: Path) -> bool:
    """Tell whether a file is a findings document, or an insights envelope that holds one.

    Rule: findings.md sections 3.1 and 3.4.
    """
    return not path.is_dir() and is_document(_outline(path))


def only_file(path: Path) -> Path | None:
    """Return the one file of a folder, or None for a folder of none or several.

    What is passed over when a folder is searched does not count.
    """
    if not path.is_dir():
        return None
    found = list(itertools.islice(walk(path, []), 2))
    return found[0][1] if len(found) == 1 else None


def _outline(path: Path) -> Outline:
    try:
        with path.open("rb") as stream:
            return outline_of(stream.read(HEAD_BYTES))
    except OSError:
        return Outline(None)


def is_native(outline: Outline) -> bool:
    """Tell the same of a file by its beginning."""
    return outline.kind == "object" and (
        outline.string("type") == "wave" or outline.string("format") == "swarm-recording"
    )


def is_document(outline: Outline) -> bool:
    """Tell the same of a file by its beginning."""
    return outline.kind == "object" and (
        outline.has("contractVersion", "population")
        or outline.has("contractVersion", "summaryKind")
        or outline.has("contractVersion", "findings")
        or outline.has("journeyFindings")
        or outline.has("schemaVersion", "scope.kind")
    )
