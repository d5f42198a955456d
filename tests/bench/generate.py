"""Makes a large native wave out of the sessions of a smaller source."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from reporter.identifiers import SessionId
from reporter.importers.identify import identify
from reporter.importers.wave import ImportedWave
from reporter.models.manifest import Manifest, Slot
from reporter.models.records import Record
from reporter.recording.encode import manifest_bytes
from reporter.recording.recorder import write_wave


def multiply(source: Path, folder: Path, sessions: int) -> int:
    """Write a wave of that many sessions: the source's sessions, again and again.

    Each round tries every run once more, as somebody does who repeats a wave to be sure.

    Returns:
        Bytes of all session files.
    """
    wave = ImportedWave(identify(source))
    listed = [context.slot.session_id for context, _ in wave.sessions()]
    manifest = wave.manifest()
    first = folder / "first"
    write_wave(first, manifest, ((one, _records(wave, one)) for one in listed))
    files = {one: (first / "sessions" / f"{one}.jsonl").read_bytes() for one in listed}
    many = folder / "many"
    (many / "sessions").mkdir(parents=True)
    kept = list(_copies(manifest, sessions))
    total = 0
    for original, slot in kept:
        data = files[original]
        total += len(data)
        (many / "sessions" / f"{slot.session_id}.jsonl").write_bytes(data)
    whole = manifest.model_copy(update={"slots": [slot for _, slot in kept]})
    (many / "wave.json").write_bytes(manifest_bytes(whole))
    return total


def multiply_array(source: Path, path: Path, sessions: int) -> int:
    """Write one JSON array of that many sessions: those of a folder of arrays, again and again.

    Each session gets a task of its own; the layout stays that of the source.

    Returns:
        Bytes of the file.
    """
    pieces: list[tuple[str, str]] = []
    for file in sorted(source.glob("*.json")):
        for element in json.loads(file.read_bytes()):
            text = json.dumps({**element, "task_id": _MARK}, indent=2).replace("\n", "\n  ")
            before, after = text.split(json.dumps(_MARK))
            pieces.append((before, after))
    with path.open("w", encoding="utf-8") as stream:
        stream.write("[")
        for number in range(sessions):
            before, after = pieces[number % len(pieces)]
            stream.write(f"{',' if number else ''}\n  {before}{number}{after}")
        stream.write("\n]\n")
    return path.stat().st_size


_MARK = "the task of this session"


def _records(wave: ImportedWave, session_id: SessionId) -> list[Record]:
    recording = wave.transcript(session_id)
    assert recording is not None
    return list(recording.records)


def _copies(manifest: Manifest, sessions: int) -> Iterator[tuple[SessionId, Slot]]:
    made = 0
    tries: Counter[tuple[str, str]] = Counter()
    for again in range(sessions):
        for slot in manifest.slots:
            if made == sessions:
                return
            made += 1
            cell = (slot.run_id, slot.target_id)
            yield (
                SessionId(slot.session_id),
                slot.model_copy(
                    update={
                        "session_id": f"{slot.session_id}.{again}",
                        "session_index": tries[cell],
                    }
                ),
            )
            tries[cell] += 1
