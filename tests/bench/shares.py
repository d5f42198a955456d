"""What each derivation costs of a whole report, measured inside one, in one process.

Prints one JSON line: seconds by what was derived, of the whole, and the sessions.
"""

import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.work import MOMENT

PLACES = (
    ("patterns of calls", "reporter.derive.session", "friction_of_session"),
    ("a session's facts, whole", "reporter.pipeline.session", "derive_session"),
    ("findings", "reporter.pipeline.derive", "build_findings"),
    ("funnel", "reporter.view.funnel", "wave_funnel"),
    ("coverage of checks", "reporter.view.checks", "coverage_of"),
    ("decisions", "reporter.view.report", "decision_view"),
    ("all views", "reporter.view.report", "build_report"),
)
"""What is timed: the name that it is called by, where it is called."""

LEAST = 0.001
"""Seconds below which a rate says nothing."""


def timed(work: Callable[..., Any], spent: dict[str, float], name: str) -> Callable[..., Any]:
    """Return the work, adding to `spent` what every call of it takes."""

    @wraps(work)
    def measured(*given: Any, **named: Any) -> Any:
        start = time.process_time()
        try:
            return work(*given, **named)
        finally:
            spent[name] += time.process_time() - start

    return measured


def shares(source: Path) -> dict[str, Any]:
    """Write a page of a source in this process and say what each part of it took."""
    from reporter.pipeline.derive import derive_wave
    from reporter.pipeline.options import Options
    from reporter.pipeline.source import open_source
    from reporter.pipeline.write import HtmlChoices, PdfChoices, write_report

    spent: dict[str, float] = defaultdict(float)
    for name, module, attribute in PLACES:
        place = import_module(module)
        setattr(place, attribute, timed(getattr(place, attribute), spent, name))
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        opened = open_source(source, Options(jobs=1))
        wave = derive_wave(opened, generated_at=MOMENT)
        write_report(
            wave,
            opened.transcript,
            Path(folder),
            formats=["html"],
            generated_at=MOMENT,
            pdf=PdfChoices(),
            html=HtmlChoices(jobs=1),
            say=lambda _: None,
        )
        whole = time.process_time() - start
    return {"sessions": len(wave.facts), "whole": whole, "spent": dict(spent)}


def rows(measured: dict[str, Any]) -> list[str]:
    """Return one line a derivation: its time, sessions a second, share of the report."""
    found = []
    for name, _, _ in PLACES:
        seconds = measured["spent"].get(name, 0.0)
        if seconds < LEAST:
            found.append(f"  {name:<28}   less than a millisecond")
            continue
        rate = f"{measured['sessions'] / seconds:12,.0f}"
        found.append(
            f"  {name:<28}{seconds:8.3f} s {rate} sessions/s"
            f"   {seconds / measured['whole']:6.1%} of the report"
        )
    return found


if __name__ == "__main__":
    print(json.dumps(shares(Path(sys.argv[1]))))
