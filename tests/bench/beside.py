"""Reports of large waves beside what users would pick instead, given the same sessions.

Every tool gets each session as one result with its transcript; ours reads the recording and
derives everything from it as well. Node's package manager installs the others once, into a
folder that `BENCH_TOOLS` names; without Node or Java they are left out, and that is said.
"""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, sync_playwright

PACKAGES: Final = {"Allure 2": "allure-commandline@2", "Allure 3": "allure@3"}
CHROMIUM: Final = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS: Final = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run")
OPENED: Final = 3
"""Times that a page is opened; the fastest counts."""
PAINT: Final = """
new PerformanceObserver(list => {
  for (const entry of list.getEntries())
    if (entry.name === "first-contentful-paint")
      window.seen = [entry.startTime, document.querySelectorAll("*").length];
}).observe({type: "paint", buffered: true});
"""


@dataclass
class Made:
    """What one tool made of the sessions."""

    seconds: float
    peak_mb: float
    """Most memory of the whole family of processes at once, shared pages counted once; zero
    where nobody asked."""
    page: Path


def allure_results(wave: Path, folder: Path) -> None:
    """Write each session as an Allure result with its transcript attached."""
    folder.mkdir()
    for number, path in enumerate(sorted((wave / "sessions").iterdir())):
        name = f"{number:06}-attachment.txt"
        (folder / name).write_bytes(path.read_bytes())
        result = {
            "uuid": f"00000000-0000-4000-8000-{number:012}",
            "historyId": path.stem,
            "name": path.stem,
            "fullName": path.stem,
            "status": "passed" if number % 3 else "failed",
            "stage": "finished",
            "start": 1_700_000_000_000 + number,
            "stop": 1_700_000_060_000 + number,
            "attachments": [{"name": "transcript", "source": name, "type": "text/plain"}],
        }
        (folder / f"{number:06}-result.json").write_text(json.dumps(result), encoding="utf-8")


def run(command: list[str], page: Path, *, is_watched: bool = True) -> Made:
    """Run a command that writes a page; measure it and all its children.

    Args:
        command: What is run.
        page: What it writes.
        is_watched: False to measure the time alone: asking for the memory of several large
            processes again and again takes a part of it.
    """
    # What others wrote is on its way to the disk, which takes a part of the time as well.
    os.sync()
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    with watched(child.pid) if is_watched else nullcontext([0.0]) as peak:
        _, said = child.communicate()
    seconds = time.perf_counter() - start
    # Exit 4 is a report of a source that holds something unusual.
    if child.returncode not in {0, 4} or not page.exists():
        raise RuntimeError(f"{command[0]} failed: {said.decode(errors='replace')[-400:]}")
    return Made(seconds, peak[0] / 1024, page)


@contextmanager
def watched(pid: int) -> Iterator[list[float]]:
    peak = [0.0]
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.1):
            peak[0] = max(peak[0], sum(_memory(one) for one in _family(pid)))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield peak
    finally:
        over.set()
        watcher.join()


def _family(pid: int) -> list[int]:
    found = [pid]
    for one in found:
        tasks = Path(f"/proc/{one}/task")
        try:
            children = [path.read_text().split() for path in tasks.glob("*/children")]
        except OSError:
            continue
        found += [int(child) for part in children for child in part]
    return found


def _memory(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((float(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def opened(browser: Browser, page: Path) -> str:
    """Open a page a few times; say the fastest load, the first paint and its elements."""
    best: tuple[float, float, int, int] | None = None
    for _ in range(OPENED):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        tab = context.new_page()
        tab.add_init_script(PAINT)
        start = time.perf_counter()
        tab.goto(page.as_uri(), wait_until="load", timeout=240_000)
        loaded = 1000 * (time.perf_counter() - start)
        tab.wait_for_function("() => window.seen", timeout=60_000)
        paint, nodes = tab.evaluate("() => window.seen")
        built = tab.evaluate("() => document.querySelectorAll('*').length")
        if best is None or loaded < best[0]:
            best = (loaded, paint, nodes, built)
        context.close()
    assert best is not None
    loaded, paint, nodes, built = best
    return (
        f"opens in {loaded:.0f} ms, paints at {paint:.0f} ms with {nodes:,} nodes, then {built:,}"
    )


def commands(wave: Path, results: Path, folder: Path) -> dict[str, tuple[list[str], Path]]:
    """Return every tool's command and the page that it writes."""
    ours = [str(Path(sys.executable).with_name("swarm-reporter")), "report", str(wave)]
    ours += ["--format", "html", "--generated-at", "0"]
    found = {
        f"swarm-reporter {layout}": (
            [*ours, "--layout", layout, "-o", str(folder / layout)],
            folder / layout / page,
        )
        for layout, page in (("single", "report.html"), ("site", "index.html"))
    }
    tools = _tools()
    if "Allure 2" in tools:
        two = folder / "allure-2"
        command = [str(tools["Allure 2"] / "allure-commandline" / "bin" / "allure"), "generate"]
        found["Allure 2 single"] = (
            [*command, "--single-file", "-o", str(two), str(results)],
            two / "index.html",
        )
        many = folder / "allure-2-many"
        found["Allure 2"] = ([*command, "-o", str(many), str(results)], many / "index.html")
    if "Allure 3" in tools:
        three = folder / "allure-3"
        command = ["node", str(tools["Allure 3"] / "allure" / "cli.js"), "awesome"]
        found["Allure 3 single"] = (
            [*command, "--single-file", "--cwd", str(folder), "-o", str(three), str(results)],
            three / "index.html",
        )
    return found


def _tools() -> dict[str, Path]:
    missing = [name for name in ("node", "npm", "java") if shutil.which(name) is None]
    if missing:
        print(f"  There is no {' and no '.join(missing)} here; the others are left out.")
        return {}
    usual = Path.home() / ".cache" / "swarm-reporter-bench"
    root = Path(os.environ.get("BENCH_TOOLS", usual))
    found = {}
    for name, package in PACKAGES.items():
        folder = root / package.replace("@", "-")
        if not (folder / "node_modules").exists():
            folder.mkdir(parents=True, exist_ok=True)
            npm = ["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(folder)]
            subprocess.run([*npm, package], check=True, stdout=subprocess.DEVNULL)
        found[name] = folder / "node_modules"
    return found


def beside(wave: Path, folder: Path, rounds: int) -> None:
    """Print what each tool needs for the sessions of a wave, and how its page opens.

    The time is the best of `rounds`; the memory is that of one more. Nothing is removed, here
    or by the caller, before all is measured: for minutes after thousands of files were, ext4
    looks at each of their places again before it makes a new one, which doubles the time of
    every tool that writes many.
    """
    results, written = folder / "results", folder / "written"
    allure_results(wave, results)
    written.mkdir()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        for name, (command, page) in commands(wave, results, folder).items():
            peak = run(command, page).peak_mb
            seconds = []
            for at in range(rounds):
                page.parent.rename(written / f"{page.parent.name}-{at}")
                seconds.append(run(command, page, is_watched=False).seconds)
            size = sum(path.stat().st_size for path in page.parent.rglob("*") if path.is_file())
            print(
                f"  {name:<24}{min(seconds):7.1f} s   peak {peak:5.0f} MB   "
                f"page {page.stat().st_size / 1e6:6.1f} MB of {size / 1e6:6.1f} MB",
                flush=True,
            )
            try:
                print(f"  {'':<24}{opened(browser, page)}", flush=True)
            except Exception as error:  # noqa: BLE001  a page too large to open is a result
                print(f"  {'':<24}does not open: {str(error).splitlines()[0]}", flush=True)
            page.parent.rename(written / page.parent.name)
        browser.close()
