"""What is said of a link's coverage, in one wording for the command and the report.

Rule: checks.md section 10, sentences to print.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from reporter.checks.coverage import BUDGET_KINDS, Coverage, KindCount, LinkCoverage
from reporter.checks.lint import Linted
from reporter.checks.lists import LinkSeen
from reporter.view.count import Count
from reporter.view.text import listed, plural
from reporter.vocabulary import Stage

_SAID: Final[Mapping[Coverage, str]] = {
    "runner": "decided by what the runner itself records; no check can be written for it",
    "decides": "decided by checks or graders",
    "advisoryOnly": "only advisory checks or judges, which decide nothing",
    "observationsOnly": "only observations, which decide nothing",
    "none": "no check or grader covers this link: it is unmeasured, not fine",
}
_RECORD_ALONE: Final = "no check or grader covers this link; what was recorded decides alone"
WHY_RUNNER: Final = (
    "From inside a check, a server that is down and a broken network of ours look the same."
)
PASSING_TOO: Final = (
    "Read the chain of sessions that passed too: a link not measured is not a pass."
)
_DECLARED: Final = "The checks here grade what servers declare, and never decide the link."
_ARGUMENTS: Final = (
    "No check says whether arguments were valid against the schema of the tool; "
    "argumentsMatchToolSchema would."
)


def coverage_words(link: LinkCoverage, seen: LinkSeen | None) -> str:
    """Say how far a link is measured, as a clause.

    Args:
        link: What is authored for it.
        seen: What the sessions came to there; None without a recording.
    """
    if link.coverage == "none" and seen is not None and seen.measured:
        return _RECORD_ALONE
    return _SAID[link.coverage]


def seen_words(seen: LinkSeen) -> str:
    """Say in how many sessions a link was measured, as a clause."""
    if not seen.started:
        return "no session started"
    count = Count(seen.measured, seen.started, kind="started")
    said = f"measured in {count.text}"
    if seen.errors:
        said += f"; {plural(seen.errors, 'result')} could not be scored"
    return said


def filed_words(link: LinkCoverage) -> list[str]:
    """Name what files at a link: deciding checks, then graders, then what only reports."""
    deciding = [kind_words(one) for one in link.kinds if one.gating]
    beside = [kind_words(one) for one in link.kinds if not one.gating]
    return [*deciding, *link.graders, *beside]


def kind_words(one: KindCount) -> str:
    """Say how often a kind of check is authored, and in which roles."""
    parts = [
        f"{count:,} {word}"
        for count, word in (
            (one.gating, "required"),
            (one.advisory, "advisory"),
            (one.observation, "observing"),
        )
        if count
    ]
    return f"{one.kind} ({', '.join(parts)})"


def link_notes(
    link: LinkCoverage, table: Sequence[LinkCoverage], seen: LinkSeen | None
) -> list[str]:
    """Say what a reader must not conclude from a link's row, as sentences.

    Args:
        link: The link.
        table: All links, in the order of the chain.
        seen: What the sessions came to there; None without a recording.
    """
    found = []
    if link.coverage == "runner":
        if link.stage is Stage.CONNECTION:
            found.append(WHY_RUNNER)
        if link.kinds:
            found.append(_DECLARED)
    selection = next(row for row in table if row.stage is Stage.SELECTION)
    if link.stage is Stage.CALL and link.coverage == "none" and selection.coverage == "decides":
        found.append(_ARGUMENTS)
    budgets = [one.kind for one in link.kinds if one.kind in BUDGET_KINDS]
    if budgets:
        found.append(
            f"{budgets[0]} is a budget; it files at this link as other checks do."
            if len(budgets) == 1
            else f"{listed(budgets)} are budgets; they file at this link as other checks do."
        )
    if seen is not None and seen.blind:
        found.append(
            f"Authored, but cannot be measured here: {listed(seen.blind)}. What "
            f"{'it reads' if len(seen.blind) == 1 else 'they read'} is not on record."
        )
    return found


def lint_words(lint: Linted) -> str:
    """Say whether checks refuse an agent that does nothing, as a sentence.

    Rule: checks.md section 11.
    """
    if lint.word == "vacuous":
        return "An agent that does nothing and says nothing passes these checks."
    if lint.word == "can_fail":
        return "An agent that does nothing and says nothing fails these checks."
    if lint.word == "not_applicable":
        return "No tool may be called here, so doing nothing is what is asked for."
    names = listed(lint.unfed) if lint.unfed else "a judge or a grader of another kind"
    return (
        "Whether an agent that does nothing fails these checks cannot be told beforehand: "
        f"{names} cannot be asked without a session."
    )
