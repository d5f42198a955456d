"""Everything that is wrong with an input, as one list."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Final

from reporter.errors import Problem, RecordingError
from reporter.pipeline.derive import derive_wave
from reporter.pipeline.options import Options
from reporter.pipeline.source import DocumentSource, open_source
from reporter.recording.reader import looks_native
from reporter.recording.validate import check

_NO_TIME: Final = datetime.fromtimestamp(0, UTC)


def check_source(source: Path | Sequence[Path], options: Options | None = None) -> list[Problem]:
    """Find everything that is wrong with a recording, a foreign source or a document.

    Returns:
        Errors and notes, by file and then in the order in which they were met; each once.
        Of a foreign source also what could not be used, as notes.

    Rule: recording.md section 8; findings.md section 3.5.
    """
    try:
        opened = open_source(source, options or Options())
        wave = derive_wave(opened, generated_at=_NO_TIME)
    except RecordingError as error:
        paths = [source] if isinstance(source, Path) else source
        if len(paths) == 1 and looks_native(paths[0]):
            # Without a plan nothing can be derived, but the session files can be looked at.
            return check(paths[0])
        return list(error.problems)
    found = [*wave.problems, *chain.from_iterable(one.problems for one in wave.facts)]
    found += [
        Problem(entry.place, "", f"Not used: {entry.words}.", rule="not-used", severity="note")
        for entry in wave.provenance.lost
    ]
    found += [
        Problem(
            opened.name,
            broken.row_id or "",
            f"{broken.rule}: {broken.what}.",
            rule=f"findings-{broken.rule.lower()}",
            severity="error" if broken.checkable else "note",
        )
        for broken in wave.violations
        if broken.checkable or isinstance(opened, DocumentSource)
    ]
    once = list(dict.fromkeys(found))
    return sorted(once, key=lambda problem: problem.file)
