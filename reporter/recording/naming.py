"""Session ids and the file names that stand for them."""

import re
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import quote, unquote_to_bytes

from reporter.canonical import canonical_digest
from reporter.identifiers import RunId, SessionId, TargetId
from reporter.models.manifest import Run, Target

MANIFEST_NAME: Final = "wave.json"
SESSIONS_FOLDER: Final = "sessions"
CATALOGS_FOLDER: Final = "catalogs"
SESSION_SUFFIX: Final = ".jsonl"
CATALOG_SUFFIX: Final = ".json"

SESSION_ID_REMEDY: Final = "Use letters, digits and ._:- only, at most 200 characters."

_SESSION_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,200}")
_MISSING_DIGITS: Final = 16


def is_session_id(text: str) -> bool:
    """Tell whether a text may serve as a session id.

    Rule: recording.md section 2.
    """
    return _SESSION_ID.fullmatch(text) is not None


def encoded(identifier: str) -> str:
    """Return an id as it stands in a file name: percent-encoded, never a path."""
    return quote(identifier, safe="")


def decoded(stem: str) -> str | None:
    """Return the id that a file name's stem stands for, or None where it is not UTF-8."""
    if "%" not in stem and stem.isascii():
        return stem
    try:
        return unquote_to_bytes(stem).decode()
    except UnicodeError:
        return None


def session_file(session_id: str) -> str:
    """Return the name of a session's file inside the wave folder."""
    return str(PurePosixPath(SESSIONS_FOLDER, encoded(session_id) + SESSION_SUFFIX))


def catalog_file(catalog_id: str) -> str:
    """Return the name of a catalogue's file inside the wave folder."""
    return str(PurePosixPath(CATALOGS_FOLDER, encoded(catalog_id) + CATALOG_SUFFIX))


def missing_session_id(run_id: RunId, target_id: TargetId, session_index: int) -> SessionId:
    """Make up the id of a planned slot that the manifest does not list.

    Rule: recording.md section 3, Slot.
    """
    digest = canonical_digest([run_id, target_id, session_index])
    return SessionId(f"missing:{digest[:_MISSING_DIGITS]}")


def planned_session_id(run: Run, target: Target, session_index: int) -> SessionId:
    """Return the session id that a recorder gives to a planned slot it was told nothing about.

    A program may use it for the sessions it opens, too.
    """
    middle = f"env_{target.id}" if target.kind == "environment" else target.id
    session_id = f"synth_{run.run_id}_{middle}_{session_index}"
    if is_session_id(session_id):
        return SessionId(session_id)
    return missing_session_id(RunId(run.run_id), TargetId(target.target_id), session_index)
