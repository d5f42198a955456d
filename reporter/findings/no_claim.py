"""Waves that a summary claims nothing about: nothing ran, or too little of it was read."""

from collections.abc import Iterator, Sequence

from reporter.findings.counted import count_of, units
from reporter.findings.population import failed_to_launch
from reporter.findings.refusals import refusals
from reporter.findings.text import SENTENCE_ENDS
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingSet

Sentence = tuple[str, str]
"""Which fact a sentence states, and its text."""


def not_launched(
    findings: FindingSet, facts: Sequence[SessionFacts], kind: str = "planned session"
) -> Iterator[Sentence]:
    """Say how many sessions did not start and why, as far as that was recorded.

    Args:
        findings: The findings of a wave of which nothing started.
        facts: Its sessions, or none for a document that came alone.
        kind: What they are, where nobody knows what was planned.

    Rule: findings.md section 13.1, `notLaunched`.
    """
    counts = findings.population
    if counts.configured == 0:
        yield "failedToLaunch", "No session was planned."
    failed = failed_to_launch(counts)
    if failed:
        # Not all of them failed: some were taken back, and some have not begun.
        apart = ", rate limits apart" if counts.limited else ""
        text = f"{count_of(failed, counts.configured, kind)} did not start{apart}."
        yield "failedToLaunch", text
    if counts.limited:
        was = "was" if counts.limited == 1 else "were"
        text = f"{count_of(counts.limited, counts.configured, kind)} {was} rate limited."
        yield "rateLimited", text
    yield "untested", "Nothing about the server was tested."
    if counts.configured:
        yield "reason", _refusal(facts)


def _refusal(facts: Sequence[SessionFacts]) -> str:
    if not facts:
        return "The document does not say why."
    found = refusals(facts)
    if not found.reasons:
        return "No reason was recorded."
    top, *others = found.reasons
    # A recorded sentence brings its own full stop.
    said = f"“{top.text}”" if top.text.endswith(SENTENCE_ENDS) else f"“{top.text}”."
    if top.sessions < found.never_ran:
        told = count_of(top.sessions, found.never_ran, "session that", "sessions that")
        tied = any(other.sessions == top.sessions for other in others)
        lead = "One recorded reason" if tied else "The reason recorded most often"
        text = f"{lead}, for {told} never ran: {said}"
    elif found.never_ran == len(facts):
        same = f", the same for all {found.never_ran:,} sessions" if found.never_ran > 1 else ""
        text = f"The recorded reason{same}: {said}"
    else:
        # Others have not begun, or came to their end in silence: it is not theirs.
        told = units(found.never_ran, "session that", "sessions that")
        text = f"The recorded reason, for the {told} never ran: {said}"
    if top.origin == "service":
        text += " It came from the service that ran the swarm, not from a model provider."
    return text


def unread(findings: FindingSet) -> Iterator[Sentence]:
    """Say how much was read, and that nothing follows from it.

    Rule: findings.md section 13.1, `unread`.
    """
    counts = findings.population
    if counts.read:
        verb = "was" if counts.read == 1 else "were"
        said = f"Only {count_of(counts.read, counts.started, 'started session')} {verb} read."
    elif counts.started == 1:
        said = "The one started session was not read."
    else:
        said = f"None of {units(counts.started, 'started session')} was read."
    yield "read", f"{said} That is too little for a word on how the goals went."
