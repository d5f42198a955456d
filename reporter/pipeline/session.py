"""One session of a wave, derived and checked."""

from dataclasses import replace
from typing import Final

from reporter.derive.options import DeriveOptions
from reporter.derive.session import derive_session
from reporter.models.facts import SessionFacts
from reporter.models.plan import SessionContext
from reporter.models.session import SessionRecording
from reporter.recording.validate import check_session


def derived(
    context: SessionContext, recording: SessionRecording, *, beyond: bool = False
) -> SessionFacts:
    """Derive one session and check its records against each other."""
    facts = derive_session(context, recording, _BEYOND if beyond else _USUAL)
    found = check_session(context, recording)
    if not found:
        return facts
    # Both look at some of the same records; what one has named the other need not.
    named = {(problem.rule, problem.place) for problem in facts.problems}
    fresh = [problem for problem in found if (problem.rule, problem.place) not in named]
    return replace(facts, problems=(*facts.problems, *fresh))


_USUAL: Final = DeriveOptions()
_BEYOND: Final = DeriveOptions(beyond_scan_cap=True)
