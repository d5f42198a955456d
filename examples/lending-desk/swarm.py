"""Drives the lending desk through a real MCP client and records the wave.

The personas' and the assistant's words, the calls they make, and what the swarm's operator
does come from `plays/`. Whatever the server says, and every grade, is what came of it.

`python swarm.py -o DIR` records into a new folder.
"""

import argparse
from pathlib import Path
from typing import Final

import anyio
from cast import GOALS, PERSONAS, POLICY, RUNS, SEATS, TARGETS, Seat
from host import connected
from plays import SCENES
from script import NeverStarted, Throttled
from stage import Stage

from reporter.models.manifest import Attempt, Recorder
from reporter.recording.recorder import WaveRecorder

AT_ONCE: Final = 2
"""Sessions that run side by side; each starts a server of its own."""


async def take_seat(seat: Seat, wave: WaveRecorder) -> Attempt:
    """Record what becomes of one planned session, and return how it ended."""
    scene = SCENES[seat.session_id]
    if isinstance(scene, NeverStarted):
        return Attempt(status="pending")
    with wave.session(
        seat.session_id, seat.run.run_id, seat.target.target_id, seat.index
    ) as record:
        if isinstance(scene, Throttled):
            record.complete(
                "rate_limited",
                end_reason="rateLimited",
                error_code="rate_limited",
                error_message=scene.message,
            )
            return Attempt(
                status="rate_limited",
                error_code="rate_limited",
                error_message=scene.message,
                retry_after_ms=scene.retry_after_ms,
            )
        stage = Stage(seat, record)
        async with connected(seat.target.id, closed=scene.closed) as client:
            attempt = await stage.perform(scene, client, wave)
        ran = attempt.status == "succeeded"
        record.complete(
            "succeeded" if ran else "failed",
            end_reason=stage.end_reason,
            error_code=attempt.error_code,
            error_message=attempt.error_message,
            turns_used=len(stage.answered),
        )
        if ran:
            stage.grade()
        else:
            record.grading("notRequested")
    return attempt


async def record_wave(folder: Path) -> None:
    """Record every planned session, a few at a time."""
    with WaveRecorder(
        folder,
        wave_id="lending-desk-example",
        name="Lending desk (scripted)",
        personas=PERSONAS,
        goals=GOALS,
        targets=TARGETS,
        runs=RUNS,
        policy=POLICY,
        recorder=Recorder(name="lending-desk swarm", version="1"),
    ) as wave:
        for seat in SEATS:
            wave.slot(seat.session_id, seat.run.run_id, seat.target.target_id, seat.index)
        room = anyio.CapacityLimiter(AT_ONCE)

        async def run(seat: Seat) -> None:
            async with room:
                attempts[seat.session_id] = await take_seat(seat, wave)

        attempts: dict[str, Attempt] = {}
        async with anyio.create_task_group() as sessions:
            for seat in SEATS:
                sessions.start_soon(run, seat)
        for session_id, attempt in attempts.items():
            wave.attempt(session_id, attempt)
        for planned in RUNS:
            ended = [attempts[seat.session_id] for seat in SEATS if seat.run is planned]
            whole = all(attempt.status == "succeeded" for attempt in ended)
            wave.run_status(planned.run_id, "completed" if whole else "partial")


def main() -> None:
    """Record into the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True, help="a new folder")
    output: Path = parser.parse_args().output
    anyio.run(record_wave, output)
    print(f"Recorded {len(SEATS)} sessions into {output}")


if __name__ == "__main__":
    main()
