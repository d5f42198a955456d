"""A recorded wave that a model explained with many causes, as its paper is tested with it."""

from collections.abc import Sequence
from dataclasses import replace

from builders import Json, assistant, call, result, user
from finding_waves import build, chain, facts_of, failed_checks, reported, signals
from model_waves import mechanism
from report_waves import transcripts_of, wave_of

from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingRow, Verification
from reporter.models.wave import DerivedWave, Transcripts
from reporter.vocabulary import Disposition, Signal, Stage

CAUSES = 9
PERSONAS = ("Ana", "Ben", "Cleo")
PHRASES = (
    "The tool that finds a room asks for a number that no other tool returns.",
    "Dates are refused in the form that the tool's own example shows.",
    "An error says that a field is missing and not which.",
    "Two tools differ in one word, and their descriptions are the same.",
    "The list ends after ten entries and does not say that there are more.",
    "A room that is taken is answered like one that does not exist.",
    "The desk answers in minutes where the catalogue promised hours.",
    "What the confirmation calls a booking, the cancellation calls a hold.",
    "The tool returns a page of HTML where its description names a list of rooms.",
)
WORDS = "I tried the third floor, then the fourth, and each time the answer was the same page."


def explained_facts() -> list[SessionFacts]:
    """Three personas with nine goals each; of every goal one session is met."""
    return [
        facts_of(
            f"s{goal}-{number}",
            Disposition.GOAL_MET if number == goal % 3 else Disposition.BLOCKED_BY_RESPONSE,
            run_id=f"r{goal}-{number}",
            persona_name=name,
            goal_id=f"g{goal}",
            goal_title=f"Goal {goal + 1}: book a room on floor {goal + 1}",
            turns=2,
            **(
                {}
                if number == goal % 3
                else {
                    "chain": chain(Stage.RESPONSE, [Stage.CONNECTION, Stage.SELECTION, Stage.CALL]),
                    **signals(Signal.TOOL_ERRORED),
                    **failed_checks(f"floor {goal + 1} is confirmed"),
                    **reported(f"I gave up on floor {goal + 1}.", "No room was confirmed."),
                }
            ),
        )
        for goal in range(CAUSES)
        for number, name in enumerate(PERSONAS)
    ]


def _cause(number: int, facts: Sequence[SessionFacts]) -> FindingRow:
    """An explanation of the sessions of one goal that were blocked."""
    blocked = [
        fact
        for fact in facts
        if fact.goal_id == f"g{number}" and fact.disposition is Disposition.BLOCKED_BY_RESPONSE
    ]
    first = blocked[0]
    made = mechanism(
        first.session_id,
        run_id=first.run_id,
        persona_name=first.persona_name,
        goal_id=first.goal_id,
        goal_title=first.goal_title,
    )
    identity = f"{number}" * 64
    fields = {
        "id": f'{identity}:mechanism:{"b" * 16}:[null,"{first.run_id}","t1"]',
        "mechanism_id": f"{identity}:mechanism:{'b' * 16}",
        "mechanism_phrase": PHRASES[number],
        "fix_phrase": None if number % 4 == 3 else f"Say in answer {number + 1} what is accepted.",
        "outcome_phrase": "could not book",
        "chain_stage": Stage.RESPONSE,
        "disposition": Disposition.BLOCKED_BY_RESPONSE,
        "citations": [f"{first.session_id}/m:0", f"{first.session_id}/m:1"],
    }
    return FindingRow(made.finding.model_copy(update=fields), 1, made.target_id)


def explained_wave() -> tuple[DerivedWave, Transcripts]:
    """The wave with a cause for every goal, and its transcripts."""
    facts = explained_facts()
    found = build(
        facts,
        verification=Verification(
            proposed=CAUSES, confirmed=CAUSES, rejected=0, unverified=0, omitted=0
        ),
    )
    found = replace(
        found,
        rows=(*(_cause(number, facts) for number in range(CAUSES)), *found.rows),
        reasoning_model="model-two",
        extraction_model="model-two",
    )
    records: dict[str, Sequence[Json]] = {
        fact.session_id: (
            user(f"I need a room. {WORDS}"),
            call("c1", "find_room", args={"floor": fact.goal_title[-1], "beds": 2}),
            result("c1", f"<html>no room for {fact.session_id}</html>", isError=True),
            assistant("I could not find a room: the answer was **a page**, not a list."),
            user("Then look again.", turn=1),
            assistant(f"It is the same page. Reference {fact.session_id}.", turn=1),
        )
        for fact in facts
    }
    return wave_of(facts, findings=found), transcripts_of(records)
