"""A recorded wave again, byte for byte, with more written behind what its sessions hold."""

from collections.abc import Callable
from pathlib import Path

from reporter.models.manifest import Manifest
from reporter.recording.encode import manifest_bytes
from reporter.recording.naming import MANIFEST_NAME, SESSIONS_FOLDER, session_file
from reporter.recording.reader import NativeWave
from reporter.recording.recorder import new_folder

More = Callable[[str], bytes]
"""Given the id that a session is filed under, the lines to be written behind its records."""


def copy_wave(folder: Path, wave: NativeWave, manifest: Manifest, more: More) -> None:
    """Write a wave anew: sessions as they are and then some, catalogues, another manifest.

    A line that cannot be read stays one, and is named again by whoever reads the copy.

    Args:
        folder: Where to write; must not exist, or be empty.
        wave: What is copied; a single file becomes a folder.
        manifest: What stands in the place of its manifest.
        more: Asked once a session, in code-point order of the ids.

    Raises:
        RecordingError: The folder is not empty, or a file cannot be read or written. Nothing
            is left behind then.

    Rule: recording.md section 2.
    """
    with new_folder(folder) as temporary:
        (temporary / SESSIONS_FOLDER).mkdir()
        for file_id in wave.form.session_ids():
            _copy_session(temporary / session_file(file_id), wave, file_id, more(file_id))
        for name, place in wave.form.other_files():
            target = temporary / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(place.read_bytes())
        (temporary / MANIFEST_NAME).write_bytes(manifest_bytes(manifest))


def _copy_session(path: Path, wave: NativeWave, file_id: str, more: bytes) -> None:
    with path.open("w+b") as stream:
        wave.form.copy_session(file_id, stream)
        if more and stream.tell():
            stream.seek(-1, 2)
            if stream.read(1) != b"\n":
                stream.write(b"\n")
        stream.write(more)
