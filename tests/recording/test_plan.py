import hashlib
from collections.abc import Sequence

import pytest
from builders import Json, goal, manifest_model, persona, run, slot, target
from hypothesis import given
from hypothesis import strategies as st

from reporter.errors import Problem
from reporter.identifiers import CatalogId
from reporter.models.plan import Catalog, Plan
from reporter.recording.plan import resolve_plan
from reporter.recording.slots import bounded_error_message


def resolved(**more: object) -> tuple[Plan, tuple[Problem, ...]]:
    return resolve_plan(manifest_model(**more), file="wave.json", catalogs={})


def rules(problems: Sequence[Problem]) -> list[tuple[str, str]]:
    return [(problem.rule, problem.place) for problem in problems]


def ids(plan: Plan) -> list[str]:
    return [slot.session_id for slot in plan.slots]


def test_a_gating_predicate_agrees_with_a_required_criterion() -> None:
    rubric = [{"id": "c", "role": "required", "predicate": {"type": "x", "role": "gating"}}]
    _, problems = resolve_plan(
        manifest_model(runs=[run(rubric=rubric)]), file="wave.json", catalogs={}
    )
    assert problems == ()


def test_a_sound_manifest_gives_its_plan_and_no_problem() -> None:
    plan, problems = resolved(policy={"judge": {"automatic": True, "role": "required"}})
    assert problems == ()
    assert (plan.wave_id, plan.name, plan.terminal) == ("wave-1", "Test wave", True)
    assert ids(plan) == ["s1"]
    assert plan.slots[0].in_plan
    assert plan.slots[0].listed
    assert plan.judge is not None
    assert plan.judge.role == "required"
    assert not plan.manifest_missing


def test_an_unknown_persona_is_added_behind_the_listed_ones() -> None:
    plan, problems = resolved(
        personas=[persona("Bo"), persona("Cy")],
        runs=[run(persona_name="Ana"), run("r2", persona_name="Bo")],
        slots=[slot(), slot("s2", "r2")],
    )
    assert [one.name for one in plan.personas] == ["Bo", "Cy", "Ana"]
    assert rules(problems) == [("unknown-persona", "runs[0].personaName")]


def test_a_persona_needs_both_halves_of_its_identity() -> None:
    plan, problems = resolved(personas=[persona("Ana", ref="p1")])
    assert [one.key for one in plan.personas] == [("p1", "Ana"), (None, "Ana")]
    assert [problem.rule for problem in problems] == ["unknown-persona"]


def test_an_unknown_goal_has_its_id_as_title() -> None:
    plan, problems = resolved(goals=[])
    assert [(one.journey_ref_id, one.title) for one in plan.goals] == [("g1", "g1")]
    assert rules(problems) == [("unknown-goal", "runs[0].journeyRefId")]


def test_one_unknown_persona_or_goal_of_two_runs_is_added_once() -> None:
    plan, problems = resolved(
        personas=[], goals=[], runs=[run(), run("r2")], slots=[slot(), slot("s2", "r2")]
    )
    assert (len(plan.personas), len(plan.goals)) == (1, 1)
    assert len(problems) == 2


def test_an_unknown_target_of_a_run_is_left_out() -> None:
    plan, problems = resolved(runs=[run(target_ids=["nowhere", "t1"])])
    assert plan.runs[0].target_ids == ["t1"]
    assert rules(problems) == [("unknown-target", "runs[0].targetIds[0]")]


def test_a_target_named_twice_by_a_run_counts_once() -> None:
    plan, problems = resolved(runs=[run(target_ids=["t1", "t1"])])
    assert plan.runs[0].target_ids == ["t1"]
    assert rules(problems) == [("duplicate-target", "runs[0].targetIds[1]")]


def test_a_run_without_targets_is_reported() -> None:
    plan, problems = resolved(runs=[run(target_ids=[])], slots=[])
    assert plan.slots == ()
    assert rules(problems) == [("run-without-target", "runs[0].targetIds")]


@pytest.mark.parametrize(
    ("labels", "expected", "reported"),
    [
        (["A", "B"], ["A", "B"], []),
        (["A", "A", "A"], ["A", "A (2)", "A (3)"], [1, 2]),
        (["A", "A", "A (2)"], ["A", "A (3)", "A (2)"], [1]),
        (["A (2)", "A", "A"], ["A (2)", "A", "A (3)"], [2]),
    ],
)
def test_look_alike_targets_get_the_next_free_number(
    labels: list[str], expected: list[str], reported: list[int]
) -> None:
    targets = [target(f"t{number}", label, id="same") for number, label in enumerate(labels)]
    names = [one["targetId"] for one in targets]
    plan, problems = resolved(
        targets=targets,
        runs=[run(target_ids=names)],
        slots=[slot(name, target_id=name) for name in names],
    )
    assert [one.label for one in plan.targets] == expected
    assert rules(problems) == [("look-alike-target", f"targets[{one}].label") for one in reported]
    assert len({(one.kind, one.id, one.label, one.model_id) for one in plan.targets}) == len(labels)


def test_targets_that_differ_in_one_of_four_are_no_look_alikes() -> None:
    _, problems = resolved(
        targets=[
            target("t1", "A", id="x"),
            target("t2", "A", id="y"),
            target("t3", "A", id="x", modelId="other"),
            target("t4", "A", id="x", kind="environment"),
        ]
    )
    assert problems == ()


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"personas": [persona(), persona()]}, ("duplicate-persona", "personas[1]")),
        ({"goals": [goal(), goal()]}, ("duplicate-goal", "goals[1].journeyRefId")),
        ({"targets": [target(), target()]}, ("duplicate-target", "targets[1].targetId")),
        ({"runs": [run(), run()]}, ("duplicate-run", "runs[1].runId")),
        (
            {"runs": [run(rubric=[{"id": "c", "role": "required"}] * 2)]},
            ("duplicate-criterion", "runs[0].rubric[1].id"),
        ),
        (
            {"runs": [run(rubric=[{"id": "c", "role": None}])]},
            ("criterion-role-unknown", "runs[0].rubric[0].role"),
        ),
        (
            {"runs": [run(rubric=[{"id": "c", "role": "required", "predicate": {"role": "x"}}])]},
            ("criterion-role-differs", "runs[0].rubric[0].predicate.role"),
        ),
        (
            {"slots": [slot(attempt={"status": "running"})]},
            ("terminal-but-running", "terminal"),
        ),
        ({"runs": [run(status="running")]}, ("terminal-but-running", "terminal")),
        ({"targets": [target(catalogId="lib")]}, ("unknown-catalog", "targets[0].catalogId")),
    ],
)
def test_a_contradiction_is_reported_at_its_place(more: Json, expected: tuple[str, str]) -> None:
    plan, problems = resolved(**more)
    assert rules(problems) == [expected]
    assert len(plan.runs) == len(plan.goals) == len(plan.targets) == len(plan.personas) == 1
    assert len(plan.runs[0].rubric) <= 1
    assert ids(plan) == ["s1"]


def test_a_wave_that_still_runs_may_have_running_attempts() -> None:
    _, problems = resolved(
        terminal=False, runs=[run(status="running")], slots=[slot(attempt={"status": "running"})]
    )
    assert problems == ()


@pytest.mark.parametrize(
    ("bad", "rule", "place"),
    [
        (slot("s2", "nope"), "slot-of-unknown-run", "slots[1].runId"),
        (slot("s2", "r1", "nope"), "slot-of-unknown-target", "slots[1].targetId"),
        (slot("../s2"), "bad-session-id", "slots[1].sessionId"),
        (slot("s2\n"), "bad-session-id", "slots[1].sessionId"),
        (slot(""), "bad-session-id", "slots[1].sessionId"),
        (slot("x" * 201), "bad-session-id", "slots[1].sessionId"),
        (slot("s1", index=1), "duplicate-slot", "slots[1].sessionId"),
        (slot("s2"), "duplicate-slot", "slots[1].sessionIndex"),
    ],
)
def test_a_slot_that_leads_nowhere_is_dropped(bad: Json, rule: str, place: str) -> None:
    plan, problems = resolved(slots=[slot(), bad])
    assert rules(problems) == [(rule, place)]
    assert ids(plan) == ["s1"]


@pytest.mark.parametrize("outside", [slot("s2", index=7), slot("s2", "r1", "t2")])
def test_a_listed_slot_outside_the_plan_counts_and_is_reported(outside: Json) -> None:
    plan, problems = resolved(targets=[target(), target("t2")], slots=[slot(), outside])
    assert rules(problems) == [("slot-outside-plan", "slots[1]")]
    assert [(one.session_id, one.in_plan) for one in plan.slots] == [("s1", True), ("s2", False)]


def test_planned_slots_that_are_not_listed_follow_in_plan_order() -> None:
    plan, problems = resolved(
        targets=[target("t1"), target("t2")],
        runs=[run(target_ids=["t2", "t1"], sessionsPerTarget=2), run("r0")],
        slots=[slot("s1", "r1", "t1", 1)],
    )
    made_up = plan.slots[1:]
    assert [(one.run_id, one.target_id, one.session_index) for one in made_up] == [
        ("r1", "t2", 0),
        ("r1", "t2", 1),
        ("r1", "t1", 0),
        ("r0", "t1", 0),
    ]
    assert [problem.rule for problem in problems] == ["slot-not-listed"] * 4
    first = made_up[0]
    assert first.session_id == "missing:" + hashlib.sha256(b'["r1","t2",0]').hexdigest()[:16]
    assert first.attempt is None
    assert not first.recorded
    assert not first.listed
    assert first.in_plan


def test_a_made_up_id_that_is_taken_is_not_used_twice() -> None:
    taken = "missing:" + hashlib.sha256(b'["r1","t1",1]').hexdigest()[:16]
    plan, _ = resolved(runs=[run(sessionsPerTarget=2)], slots=[slot(taken)])
    assert len(set(ids(plan))) == 2


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("d1", "d1", ["d1", None]),
        ("d1", "d2", ["d1", "d2"]),
        ("s2", None, [None, None]),
        ("s1", None, ["s1", None]),
    ],
)
def test_no_two_slots_share_a_document_id(
    first: str, second: str | None, kept: list[str | None]
) -> None:
    plan, problems = resolved(
        runs=[run(sessionsPerTarget=2)],
        slots=[slot(documentId=first), slot("s2", index=1, documentId=second)],
    )
    assert [one.document_id for one in plan.slots] == kept
    lost = [first, second] != kept
    assert [problem.rule for problem in problems] == ["duplicate-document-id"] * lost


def test_everything_else_of_a_slot_is_kept() -> None:
    plan, _ = resolved(slots=[slot(messageCount=4, inferred={"attempt": "outcome recorded"})])
    assert plan.slots[0].message_count == 4
    assert plan.slots[0].inferred == {"attempt": "outcome recorded"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, None),
        ("plain", "plain"),
        ("  two\n\tlines  ", "two lines"),
        ("see https://host/path?x=1 for more", "see for more"),
        ("https://host/only", None),
        ("ws+unix://x y", "y"),
        ("x" * 501, "x" * 500),
    ],
)
def test_an_error_message_is_short_on_one_line_and_without_addresses(
    text: str | None, expected: str | None
) -> None:
    assert bounded_error_message(text) == expected


@given(st.text(max_size=700))
def test_bounding_an_error_message_twice_changes_nothing(text: str) -> None:
    once = bounded_error_message(text)
    assert bounded_error_message(once) == once
    assert once is None or len(once) <= 500


def test_a_slots_error_message_is_bounded_again() -> None:
    plan, _ = resolved(slots=[slot(attempt={"status": "failed", "errorMessage": "a\nhttp://b c"})])
    attempt = plan.slots[0].attempt
    assert attempt is not None
    assert attempt.error_message == "a c"


def test_catalogues_are_kept_and_reach_the_sessions_context() -> None:
    lib = Catalog(tools=frozenset({"find"}), complete=True)
    plan, problems = resolve_plan(
        manifest_model(targets=[target(catalogId="lib")]),
        file="wave.json",
        catalogs={CatalogId("lib"): lib},
    )
    assert problems == ()
    assert plan.contexts()[0].catalog == lib


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["s1", "s2", "s3", "a/b"]),
            st.sampled_from(["r1", "r2", "r9"]),
            st.sampled_from(["t1", "t2", "t9"]),
            st.integers(min_value=0, max_value=3),
        ),
        max_size=8,
    )
)
def test_every_slot_leads_somewhere_and_everything_planned_is_there(
    listed: list[tuple[str, str, str, int]],
) -> None:
    runs = [run("r1", target_ids=["t1", "t2"], sessionsPerTarget=2), run("r2", target_ids=["t2"])]
    plan, _ = resolved(
        targets=[target("t1"), target("t2")], runs=runs, slots=[slot(*one) for one in listed]
    )
    assert len(plan.contexts()) == len(plan.slots)
    keys = [(one.run_id, one.target_id, one.session_index) for one in plan.slots]
    assert len(set(keys)) == len(keys)
    assert len(set(ids(plan))) == len(plan.slots)
    planned = {(one, other, index) for one, other, index in keys}
    assert {("r1", t, i) for t in ("t1", "t2") for i in (0, 1)} | {("r2", "t2", 0)} <= planned
    held = sum(one.in_plan for one in plan.slots)
    assert held == 5
