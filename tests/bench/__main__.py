"""Prints what reading, deriving and rendering cost here, beside plain alternatives."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from shared import ROOT, shared_folder

from bench import paper, shares
from bench.beside import beside
from bench.formats import table
from bench.generate import multiply, multiply_array

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
SESSIONS = int(os.environ.get("BENCH_SESSIONS", "10000"))


def output(module: str, *arguments: object) -> dict[str, Any]:
    """Run a module in a process of its own and return the JSON line that it prints."""
    ran = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
    )
    if ran.returncode:
        sys.exit(ran.stderr)
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def measured(*arguments: object) -> dict[str, Any]:
    """Run one piece of work some times in fresh processes; the median run."""
    runs = [output("bench.work", *arguments) for _ in range(ROUNDS)]
    runs.sort(key=lambda run: run["seconds"])
    return runs[len(runs) // 2]


def line(what: str, run: dict[str, Any], beside: dict[str, Any] | None = None) -> None:
    """Print one row."""
    rate = run["sessions"] / run["seconds"]
    ratio = f"{run['seconds'] / beside['seconds']:6.2f}x" if beside else "       "
    child = f", child {run['child_peak_mb']:.0f} MB" if run["child_peak_mb"] > 1 else ""
    print(
        f"  {what:<34}{run['seconds']:8.2f} s {ratio} {rate:9.0f} sessions/s"
        f"   peak {run['peak_mb']:.0f} MB (+{run['grown_mb']:.0f}){child}",
        flush=True,
    )


def compare(title: str, source: Path) -> None:
    """Print reading and deriving beside `json.loads` over the same bytes."""
    print(title, flush=True)
    plain = measured("json", source)
    line("json.loads, one core", plain)
    line("read and derive, one core", measured("derive", source, 1), plain)
    line("read and derive, two processes", measured("derive", source, 2), plain)


def grading(source: Path) -> None:
    """Print reading and grading beside reading and deriving."""
    derived = measured("derive", source, 1)
    graded = measured("grade", source, ROOT / "examples" / "checks" / "airline.yaml")
    line("read and grade by airline.yaml", graded, derived)
    rate = graded["evaluated"] / graded["seconds"]
    print(f"  {rate:,.0f} checks evaluated per second, reading included", flush=True)
    checks = ROOT / "examples" / "checks" / "airline.yaml"
    for jobs, words in ((1, "one core"), (2, "two processes")):
        line(f"grade and write, {words}", measured("grade-whole", source, checks, jobs), derived)


def parts(source: Path) -> None:
    """Print what each derivation takes of a whole report of a source, in one process."""
    print(f"Shares of a page of {source.name}, processor time of one process", flush=True)
    runs = [output("bench.shares", source) for _ in range(ROUNDS)]
    runs.sort(key=lambda run: run["whole"])
    print("\n".join(shares.rows(runs[len(runs) // 2])), flush=True)


def help_time() -> None:
    """Print how long `--help` takes."""
    command = [str(Path(sys.executable).with_name("swarm-reporter")), "--help"]
    times = []
    for _ in range(max(ROUNDS, 5)):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    print(f"swarm-reporter --help: {1000 * statistics.median(times):.0f} ms")


def main() -> None:
    """Measure everything."""
    print(f"Median of {ROUNDS} runs, each in a process of its own; {os.cpu_count()} cores.")
    help_time()
    example = ROOT / "examples" / "lending-desk" / "wave"
    source = shared_folder() / "recordings" / "tau-trait"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        print("Reports, derived and rendered")
        line("example, html", measured("html", example, folder / "a"))
        line("example, html and pdf", measured("html+pdf", example, folder / "b"))
        if not source.exists():
            print(f"tau-trait is not at {source}; the rest is left out.")
            return
        line("tau-trait, html", measured("html", source, folder / "c"))
        line("tau-trait, html and pdf", measured("html+pdf", source, folder / "d"))
        parts(source)
        print("Papers of one HTML, by us and by others")
        paper.main()
        table(measured)
        compare("tau-trait, read directly", source)
        array = folder / "array.json"
        total = multiply_array(source, array, SESSIONS)
        compare(f"One JSON array of {SESSIONS} sessions ({total / 1e6:.0f} MB)", array)
        array.unlink()
        total = multiply(source, folder, SESSIONS)
        compare(f"A native wave of {SESSIONS} sessions ({total / 1e6:.0f} MB)", folder / "many")
        grading(folder / "many")
        line("the same, findings.json", measured("json+json", folder / "many", folder / "e"))
        for sessions in dict.fromkeys((SESSIONS // 10, SESSIONS)):
            own = folder / str(sessions)
            total = multiply(source, own, sessions)
            print(f"Pages of {sessions:,} sessions ({total / 1e6:.0f} MB), fastest of {ROUNDS}")
            beside(own / "many", own, ROUNDS)


if __name__ == "__main__":
    main()
