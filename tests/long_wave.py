"""A wave that is too long for a browser to build its page at once, with hostile words in it."""

from collections.abc import Sequence

from builders import Json, assistant, call, result, user
from finding_waves import facts_of, signals

from reporter.models.facts import SessionFacts
from reporter.vocabulary import Disposition, Signal


def dense_facts() -> list[SessionFacts]:
    """More goals than stand open, on two targets."""
    return [
        facts_of(
            f"s{goal:02}-{person}",
            Disposition.GOAL_MISSED if (goal + person) % 3 else Disposition.GOAL_MET,
            run_id=f"r{goal}-{person}",
            persona_name=("Ana", "Ben")[person],
            goal_id=f"g{goal}",
            goal_title=f"Goal {goal}: find out when the book that somebody borrowed comes back",
            target_id=f"t{goal % 2}",
            **(signals(Signal.TOOL_ERRORED) if goal % 5 == 0 else {}),
        )
        for goal in range(60)
        for person in range(2)
    ]


HOSTILE = (
    '</noscript></div><script>document.title="ran"</script><img src=x onerror="document.title=1">'
    '<details class="tx" id="session.evil" data-x="row.evil"><tr class="grp"> ]]> <!-- {{ 7*7 }}'
)


def dense_records() -> dict[str, Sequence[Json]]:
    """A transcript for every session of the dense page; some text tries to get out."""
    return {
        fact.session_id: (
            user(f"Where is book {number}? {HOSTILE}"),
            call("c1", "find_book", args={"title": HOSTILE}),
            result("c1", {"found": HOSTILE}),
            assistant(f"It is **shelfmark{number:03}**. {HOSTILE}"),
        )
        for number, fact in enumerate(dense_facts())
    }
