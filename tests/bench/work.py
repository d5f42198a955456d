"""One measured piece of work, alone in its process: prints seconds and peak memory."""

import gc
import json
import resource
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from bench.formats import plain

MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


def parse_only(source: Path) -> int:
    """`json.loads` over the same bytes: every line of a wave, every file of a source."""
    if source.is_file():
        return len(json.loads(source.read_bytes()))
    parsed = 0
    if (source / "wave.json").exists():
        for path in sorted((source / "sessions").iterdir()):
            for line in path.read_bytes().splitlines():
                json.loads(line)
            parsed += 1
        return parsed
    for path in sorted(source.glob("*.json")):
        parsed += len(json.loads(path.read_bytes()))
    return parsed


def read_and_derive(source: Path, jobs: int) -> int:
    """Read every session and derive its facts, as `facts` and `report` do."""
    from reporter.pipeline.options import Options
    from reporter.pipeline.source import DocumentSource, open_source

    opened = open_source(source, Options(jobs=jobs))
    assert not isinstance(opened, DocumentSource)
    return len(opened.gather().facts)


def read_and_grade(source: Path, checks: Path) -> tuple[int, int]:
    """Read every session and evaluate checks over it, in one process, writing nothing.

    Returns:
        Sessions, and checks that were evaluated.
    """
    from reporter.checks.grading import Grader, GradingTally, grade_session
    from reporter.pipeline.grade import read_checks
    from reporter.recording.reader import open_wave

    wave, suite = open_wave(source), read_checks(checks)
    rubric = [one.criterion() for one in suite.effective()]
    grader = Grader("bench", "0", suite.name, suite.sha256)
    tally = GradingTally()
    for context in wave.plan.contexts():
        held = replace(context, run=context.run.model_copy(update={"rubric": rubric}))
        tally.take(grade_session(held, wave.read(context.slot.session_id), grader))
    return tally.sessions, sum(tally.words.values())


def grade_whole(source: Path, checks: Path, jobs: int) -> tuple[int, int]:
    """Everything that `grade` does.

    Returns:
        Sessions, and checks that were evaluated.
    """
    from reporter.pipeline.grade import GradeChoices, grade_source
    from reporter.pipeline.options import Options

    with tempfile.TemporaryDirectory() as folder:
        graded = grade_source(
            source, Path(folder) / "graded", GradeChoices(checks), Options(jobs=jobs)
        )
    return graded.tally.sessions, sum(graded.tally.words.values())


def whole_report(source: Path, folder: Path, formats: str) -> int:
    """Everything that `report` does."""
    from reporter.pipeline.derive import derive_wave
    from reporter.pipeline.options import Options
    from reporter.pipeline.source import open_source
    from reporter.pipeline.write import PdfChoices, write_report

    opened = open_source(source, Options())
    wave = derive_wave(opened, generated_at=MOMENT)
    written = write_report(
        wave,
        opened.transcript,
        folder,
        formats=formats.split("+"),
        generated_at=MOMENT,
        pdf=PdfChoices(timeout_s=1800),
        say=lambda _: None,
    )
    assert not written.failures, written.failures
    return len(wave.facts)


def main() -> None:
    """Do what the arguments say and print one JSON line."""
    kind, source, *more = sys.argv[1:]
    # What is loaded once a process is no part of the work.
    import_module("reporter.pipeline.derive")
    import_module("reporter.pipeline.grade")

    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    evaluated = 0
    start = time.perf_counter()
    match kind:
        case "json":
            gc.disable()
            done = parse_only(Path(source))
        case "plain":
            gc.disable()
            done = plain(source)
        case "grade":
            done, evaluated = read_and_grade(Path(source), Path(more[0]))
        case "grade-whole":
            done, evaluated = grade_whole(Path(source), Path(more[0]), int(more[1]))
        case "derive":
            done = read_and_derive(Path(source), int(more[0]))
        case _:
            done = whole_report(Path(source), Path(more[0]), kind)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(
        json.dumps(
            {
                "sessions": done,
                "seconds": seconds,
                "evaluated": evaluated,
                "peak_mb": peak / 1024,
                "grown_mb": (peak - before) / 1024,
                "child_peak_mb": children / 1024,
            }
        )
    )


if __name__ == "__main__":
    main()
