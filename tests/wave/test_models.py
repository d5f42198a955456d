"""Which provider and model a session ran on, as far as that is on record."""

import pytest
from builders import session_facts, target

from reporter.models.facts import ModelFact
from reporter.models.manifest import Target
from reporter.wave.models import served_by
from reporter.wave.trials import trial_of


def served(
    *models: tuple[str | None, str | None], planned: str | None = None
) -> tuple[str | None, str | None]:
    facts = session_facts(models=tuple(ModelFact(*one) for one in models))
    return served_by(facts, Target.model_validate(target(modelId=planned)))


@pytest.mark.parametrize(
    ("models", "planned", "expected"),
    [
        ([("openai", "m-1")], None, ("openai", "m-1")),
        ([("openai", "m-1")], "anthropic/m-2", ("openai", "m-1")),
        ([("openai", "openai/m-1")], None, ("openai", "m-1")),
        ([("openai", None)], "m-2", ("openai", "m-2")),
        ([(None, "m-1")], "openai/m-2", ("openai", "m-1")),
        ([(None, "m-1")], None, (None, "m-1")),
        ([], "openai/m-2", ("openai", "m-2")),
        ([], "openai:m-2", ("openai", "m-2")),
        ([], "openrouter/maker/m-2", ("openrouter", "maker/m-2")),
        ([], "some-maker/m-2", (None, "some-maker/m-2")),
        ([], "m-2", (None, "m-2")),
        ([], None, (None, None)),
        ([], "openai/", (None, "openai/")),
        ([("", "m-1")], None, (None, "m-1")),
        ([("openai", "m-1"), ("openai", "m-2")], "openai/m-1", (None, None)),
    ],
)
def test_what_is_on_record_is_said_and_nothing_more(
    models: list[tuple[str | None, str | None]],
    planned: str | None,
    expected: tuple[str | None, str | None],
) -> None:
    assert served(*models, planned=planned) == expected


def test_an_environment_is_sliced_by_the_host_that_it_names() -> None:
    facts = session_facts()
    bare = Target.model_validate(target(kind="environment", id="e1"))
    assert (trial_of(facts, bare).host_key, trial_of(facts, bare).host_name) == (None, None)
    named = bare.model_copy(update={"host_id": "h1", "host_name": "Desk"})
    assert (trial_of(facts, named).host_key, trial_of(facts, named).host_name) == ("h1", "Desk")
    host = Target.model_validate(target())
    assert trial_of(facts, host).host_key == "host-t1"
    assert trial_of(facts).host_key is None


def test_a_goal_is_the_intent_and_one_that_was_not_recorded_is_none() -> None:
    assert trial_of(session_facts(goal_title="Pay a fine")).intent == "Pay a fine"
    assert trial_of(session_facts(goal_title="no goal recorded")).intent is None
