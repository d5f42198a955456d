from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from reporter.identifiers import SessionId
from reporter.importers.assemble import ManifestAssembler
from reporter.importers.importer import SessionHead, context_of
from reporter.importers.mapping import NO_PERSONA, Stated
from reporter.importers.naming import goal_of
from reporter.importers.outcome import REWARD
from reporter.models.manifest import Attempt, Criterion, Manifest, Persona, Source
from reporter.models.plan import Plan
from reporter.recording.plan import resolve_plan

modest = settings(max_examples=60, deadline=None)

GOAL = goal_of("1", "Borrow a book.")
SOURCE = Source(importer="test", importer_version=1, files=[])


def head(session_id: str, target: str = "desk", **more: Any) -> SessionHead:
    fields: dict[str, Any] = {
        "file": "a.json",
        "persona": NO_PERSONA,
        "goal": GOAL,
        "target": Stated().target_or(target),
        "rubric": REWARD,
        "attempt": Attempt(status="succeeded"),
    }
    return SessionHead(session_id=SessionId(session_id), **(fields | more))


def assembled(heads: Sequence[SessionHead]) -> tuple[Manifest, Plan]:
    assembler = ManifestAssembler()
    for one in heads:
        assembler.add(one)
    manifest = assembler.manifest(SOURCE, terminal=True)
    plan, problems = resolve_plan(manifest, file="wave.json", catalogs={})
    assert problems == ()
    assert {s.session_id: (s.run_id, s.session_index) for s in manifest.slots} == {
        session_id: (place.run_id, place.session_index)
        for session_id, place in assembler.placements().items()
    }
    return manifest, plan


def places(manifest: Manifest) -> dict[str, int]:
    return {slot.session_id: slot.session_index for slot in manifest.slots}


def test_the_sources_own_number_gives_the_order() -> None:
    manifest, _ = assembled(
        [head("c", repetition=2), head("a", repetition=0), head("b", repetition=1)]
    )
    assert places(manifest) == {"a": 0, "b": 1, "c": 2}


def test_a_gap_in_the_numbers_plans_nothing() -> None:
    manifest, plan = assembled([head("a", repetition=1), head("b", repetition=7)])
    assert places(manifest) == {"a": 0, "b": 1}
    assert [run.sessions_per_target for run in plan.runs] == [2]
    assert all(slot.listed for slot in plan.slots)


def test_a_number_that_is_taken_gives_the_next_free_index() -> None:
    manifest, _ = assembled(
        [head("a", repetition=0), head("b", repetition=0), head("c"), head("d", repetition=1)]
    )
    assert places(manifest) == {"a": 0, "b": 1, "d": 2, "c": 3}


def test_targets_tried_equally_often_share_a_run() -> None:
    manifest, _ = assembled([head("a"), head("b", "lobby"), head("c"), head("d", "lobby")])
    (run,) = manifest.runs
    assert (len(run.target_ids), run.sessions_per_target) == (2, 2)


def test_targets_tried_unequally_often_stand_in_runs_of_their_own() -> None:
    manifest, plan = assembled([head("a"), head("b", "lobby"), head("c")])
    assert [(len(run.target_ids), run.sessions_per_target) for run in manifest.runs] == [
        (1, 2),
        (1, 1),
    ]
    assert manifest.runs[1].run_id == f"{manifest.runs[0].run_id}:2"
    assert len(plan.slots) == 3


def test_more_sessions_than_a_run_may_hold_fill_another() -> None:
    manifest, plan = assembled([head(f"s{n}", repetition=n) for n in range(230)])
    assert [run.sessions_per_target for run in manifest.runs] == [100, 100, 30]
    assert len({run.run_id for run in manifest.runs}) == 3
    assert len(plan.slots) == 230
    assert places(manifest)["s229"] == 29


def test_what_makes_a_run() -> None:
    heads = [
        head("a"),
        head("b", persona=Persona(persona_ref_id=None, name="Ana")),
        head("c", persona=Persona(persona_ref_id="1", name="Ana")),
        head("d", goal=goal_of("2", "Borrow a book.")),
        head("e", max_turns=5),
        head("f", rubric=()),
        head("g", rubric=(Criterion(id="reward", role="advisory"),)),
        head("h", rubric=(Criterion(id="reward", role="required", predicate={"type": "x"}),)),
    ]
    manifest, _ = assembled(heads)
    assert len(manifest.runs) == len(heads)
    assert [slot.run_id for slot in manifest.slots] == [one.run_id for one in heads]
    assert len(manifest.personas) == 3
    assert len(manifest.goals) == 2


def test_a_run_is_as_far_as_its_attempts() -> None:
    cases: dict[str, list[Attempt | None]] = {
        "completed": [Attempt(status="succeeded"), Attempt(status="succeeded")],
        "failed": [Attempt(status="failed")],
        "partial": [Attempt(status="succeeded"), None],
    }
    for status, attempts in cases.items():
        manifest, _ = assembled([head(f"s{n}", attempt=a) for n, a in enumerate(attempts)])
        (run,) = manifest.runs
        assert run.status == status
        assert run.inferred == {"status": "from the attempts of its sessions"}


def test_an_id_that_was_there_is_refused() -> None:
    assembler = ManifestAssembler()
    assert assembler.add(head("a"))
    assert not assembler.add(head("a", "lobby"))
    assert len(assembler) == 1


def test_the_context_before_the_end_is_the_one_after_it() -> None:
    heads = [head(f"s{n}", repetition=n, message_count=n) for n in range(3)]
    _, plan = assembled(heads)
    for context, one in zip(plan.contexts(), heads, strict=True):
        early = context_of(one)
        assert early.slot == context.slot
        assert (early.persona, early.goal, early.target) == (
            context.persona,
            context.goal,
            context.target,
        )
        assert early.run.rubric == context.run.rubric
        assert early.run.max_turns == context.run.max_turns


@modest
@given(
    st.lists(
        st.tuples(
            st.sampled_from("xyz"), st.sampled_from(["p", "q"]), st.none() | st.integers(0, 4)
        ),
        max_size=30,
    )
)
def test_every_session_has_one_place_and_no_slot_is_made_up(
    tried: list[tuple[str, str, int | None]],
) -> None:
    heads = [
        head(
            f"s{n}",
            target,
            persona=Persona(persona_ref_id=None, name=persona),
            repetition=repetition,
        )
        for n, (target, persona, repetition) in enumerate(tried)
    ]
    if not heads:
        return
    manifest, plan = assembled(heads)
    assert sorted(slot.session_id for slot in plan.slots) == sorted(h.session_id for h in heads)
    assert all(slot.listed and slot.in_plan for slot in plan.slots)
    planned = sum(len(run.target_ids) * run.sessions_per_target for run in manifest.runs)
    assert planned == len(heads)
