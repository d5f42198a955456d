"""An interrupt while several processes read one large file."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from imported import session

SESSIONS = 30_000


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in listed.split()]


def is_there(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split()[2] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads the processes of Linux")
@pytest.mark.parametrize(
    ("number", "is_group", "status"),
    [
        (signal.SIGINT, False, 130),
        (signal.SIGINT, True, 130),
        (signal.SIGTERM, False, 143),
        (signal.SIGHUP, True, 129),
    ],
)
def test_an_interrupt_leaves_no_process_and_no_file(
    tmp_path: Path, number: signal.Signals, is_group: bool, status: int
) -> None:
    source = tmp_path / "large.json"
    element = json.dumps(session(1, traj=[{"role": "user", "content": "word " * 200}]))
    with source.open("w", encoding="utf-8") as stream:
        stream.write("[" + element)
        for at in range(SESSIONS):
            stream.write("," + element.replace('"task_id": 1', f'"task_id": {at + 2}'))
        stream.write("]")
    out, scratch = tmp_path / "out", tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-m", "reporter", "report", str(source), "-o", str(out)]
    running = subprocess.Popen(
        [*command, "--jobs", "2", "--format", "html"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    deadline = time.monotonic() + 60
    while len(workers := children(running.pid)) < 2:
        assert running.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    # A terminal tells the whole group; another program tells the one that it started.
    if is_group:
        os.killpg(running.pid, number)
    else:
        running.send_signal(number)
    _, said = running.communicate(timeout=60)
    assert running.returncode == status
    assert said.decode().strip() == "Interrupted; nothing half-written was left behind."
    assert not [pid for pid in workers if is_there(pid)]
    assert list(scratch.iterdir()) == []
    assert not out.exists() or list(out.iterdir()) == []


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads the processes of Linux")
def test_children_of_a_killed_parent_end_too() -> None:
    program = (
        "import time\n"
        "from reporter.pipeline.spread import spread\n"
        "list(spread(time.sleep, [600, 600], jobs=2))\n"
    )
    running = subprocess.Popen([sys.executable, "-c", program])
    deadline = time.monotonic() + 60
    while len(workers := children(running.pid)) < 2:
        assert running.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    running.kill()
    running.wait()
    while any(map(is_there, workers)):
        assert time.monotonic() < deadline
        time.sleep(0.02)
