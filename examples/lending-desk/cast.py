"""Who wants what of the lending desk, through which host, and how it is checked."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from reporter.models.manifest import Criterion, Goal, JudgePolicy, Persona, Policy, Run, Target

MODEL: Final = "scripted"
"""Stands where a model's id would: the assistant's words were written beforehand."""
SERVER_ID: Final = "lending-desk"
MAX_TURNS: Final = 5

PERSONAS: Final = (
    Persona(
        persona_ref_id="bettina",
        name="Bettina Kruse",
        role="Retired teacher",
        notes="Writes whole sentences and does not know what a branch code is.",
    ),
    Persona(
        persona_ref_id="seun",
        name="Seun Adeyemi",
        role="Nurse on nights",
        notes="Has two minutes, gives one number and expects it to do.",
    ),
    Persona(
        persona_ref_id="tomasz",
        name="Tomasz Wilk",
        role="Student on a budget",
        notes="Counts his money and wants proof.",
    ),
)

GOALS: Final = (
    Goal(
        journey_ref_id="hold",
        title="Place a hold on a paperback",
        goal="Have the paperback of a novel kept at a branch, and learn the hold's number.",
    ),
    Goal(
        journey_ref_id="renew",
        title="Renew a loan before it is due",
        goal="Have one loan renewed, and learn the new day it is due.",
    ),
    Goal(
        journey_ref_id="fine",
        title="Pay a fine and get a receipt",
        goal="Pay everything that is owed, and get the receipt's number.",
    ),
    Goal(
        journey_ref_id="move",
        title="Move a hold to another branch",
        goal="Have a book that waits at Harbour Street wait at Riverside instead.",
    ),
)

TARGETS: Final = tuple(
    Target(
        target_id=f"host-{name}",
        kind="host",
        id=name,
        label=f"{name.capitalize()} host",
        model_id=MODEL,
        server_ids=[SERVER_ID],
        server_names=["Lending desk"],
    )
    for name in ("browser", "desktop")
)

POLICY: Final = Policy(judge=JudgePolicy(automatic=False, role="advisory"))
"""Where a run says nothing else, its checks decide alone."""


def _check(
    role: Literal["required", "advisory"], name: str, label: str, kind: str, **fields: str | int
) -> Criterion:
    predicate: dict[str, Any] = {"type": kind, "role": role, **fields}
    return Criterion(id=name, label=label, role=role, predicate=predicate)


def _called(tool: str) -> Criterion:
    return _check(
        "required", f"called-{tool}", f"{tool} was called", "toolCalledAtLeastOnce", toolName=tool
    )


NO_ERRORS: Final = _check("advisory", "no-errors", "No tool call failed", "noToolErrors")

RUBRICS: Final = {
    "hold": [
        _called("place_hold"),
        _check(
            "required", "hold-number", "The hold's number is said", "responseContains", needle="H-9"
        ),
        _check(
            "required", "edition", "The edition is said", "responseContains", needle="paperback"
        ),
        NO_ERRORS,
    ],
    "renew": [
        _called("renew_loan"),
        _check("advisory", "brief", "Done in two turns", "turnCountUnder", turns=3),
    ],
    "fine": [
        _called("pay_fine"),
        _check("required", "receipt", "The receipt is said", "responseContains", needle="R-9"),
        NO_ERRORS,
    ],
    "move": [_called("place_hold"), NO_ERRORS],
}
"""The checks of each goal, by its id."""

TWICE: Final = frozenset({"bettina-hold", "seun-fine", "tomasz-move"})
"""Runs that try each target twice, to see whether it goes the same way again."""


def _runs() -> Iterator[Run]:
    for persona in PERSONAS:
        for goal in GOALS:
            run_id = f"{persona.persona_ref_id}-{goal.journey_ref_id}"
            yield Run(
                run_id=run_id,
                journey_ref_id=goal.journey_ref_id,
                persona_ref_id=persona.persona_ref_id,
                persona_name=persona.name,
                target_ids=[target.target_id for target in TARGETS],
                sessions_per_target=2 if run_id in TWICE else 1,
                max_turns=MAX_TURNS,
                status="running",
                rubric=RUBRICS[goal.journey_ref_id],
                judge=None
                if goal.journey_ref_id == "hold"
                else JudgePolicy(automatic=True, role="required"),
            )


RUNS: Final = tuple(_runs())


@dataclass(frozen=True)
class Seat:
    """One planned session."""

    session_id: str
    run: Run
    target: Target
    index: int


SEATS: Final = tuple(
    Seat(f"{run.run_id}.{target.id}.{index}", run, target, index)
    for run in RUNS
    for target in TARGETS
    for index in range(run.sessions_per_target)
)
"""Every planned session, in run, target, index order."""
