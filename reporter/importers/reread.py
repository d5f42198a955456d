"""Finds sessions of a large file again without holding all of them."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Final

from reporter.identifiers import SessionId
from reporter.models.session import SessionRecording

_KEPT: Final = 64
"""Sessions kept behind the place where the file was read to."""
_SMALL: Final = 2
"""Records of a session that is always kept, such as one that never ran."""


class Rereader:
    """Reads on from where it stands until a session is found.

    Asked in the order of the file, it reads the file once. Asked for a session that is
    behind it and no longer kept, it begins again.

    Args:
        sessions: Begins to read the sessions anew, in their order.
    """

    def __init__(self, sessions: Callable[[], Iterator[SessionRecording]]) -> None:
        self._sessions = sessions
        self._reading: Iterator[SessionRecording] | None = None
        self._seen: set[SessionId] = set()
        self._kept: OrderedDict[SessionId, SessionRecording] = OrderedDict()
        self._small: dict[SessionId, SessionRecording] = {}

    def find(self, own_id: SessionId) -> SessionRecording | None:
        """Return a session, or None where the file does not hold it."""
        kept = self._small.get(own_id) or self._kept.get(own_id)
        if kept is not None:
            return kept
        # What is ahead is looked through first, then what is behind.
        is_behind = own_id in self._seen
        for _ in range(1 if self._reading is None else 2):
            if self._reading is None or is_behind:
                self._reading, self._seen, is_behind = self._sessions(), set(), False
            found = self._ahead(self._reading, own_id)
            if found is not None:
                return found
            self._reading = None
        return None

    def _ahead(
        self, reading: Iterator[SessionRecording], own_id: SessionId
    ) -> SessionRecording | None:
        for recording in reading:
            # Of two sessions with one id the first counts.
            if recording.session_id in self._seen:
                continue
            self._seen.add(recording.session_id)
            self._keep(recording)
            if recording.session_id == own_id:
                return recording
        return None

    def _keep(self, recording: SessionRecording) -> None:
        if len(recording.records) <= _SMALL:
            self._small[recording.session_id] = recording
            return
        self._kept[recording.session_id] = recording
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
