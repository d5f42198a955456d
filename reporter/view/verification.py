"""What was checked and rejected: what became of a model's explanations."""

from collections.abc import Mapping
from dataclasses import dataclass

from reporter.models.finding import Verification
from reporter.models.wave import DerivedWave
from reporter.view.asked import AskedView, asked_view
from reporter.view.count import Bar, Count, bar
from reporter.view.links import SessionLinks
from reporter.view.outline import Outline
from reporter.view.proposals import NO_PROPOSALS, ProposalsView, proposals_view
from reporter.view.text import plural
from reporter.view.work_words import no_model, verification_of, why_no_cause


@dataclass(frozen=True, slots=True)
class VerificationLine:
    """One state that proposals ended in."""

    label: str
    count: Count
    """Of all proposals."""
    meaning: str
    bar: Bar


@dataclass(frozen=True, slots=True)
class VerificationView:
    """The verification ledger of a wave."""

    lead: str
    lines: tuple[VerificationLine, ...]
    """Confirmed, rejected, unverified; they add up to what was proposed. Empty without one."""
    omitted: str
    """How many confirmed ones are not published; may be empty."""
    missing: str
    """What a published document does not say of its proposals; may be empty."""
    proposals: ProposalsView
    """Every proposal with what became of it; empty for a document that came alone."""
    asked: AskedView | None
    """What was asked and what came of it; None where no model was asked, or where a document
    came alone."""


def verification_view(
    outline: Outline, links: SessionLinks, causes: Mapping[str, int]
) -> VerificationView:
    """Lay the verification ledger out.

    Args:
        outline: The wave.
        links: Leads to sessions.
        causes: Number of each cause that the page shows, by mechanism id.

    Rule: report.md section 3.11; findings.md section 9.5.
    """
    wave = outline.wave
    counted, work = verification_of(wave), wave.phrases
    some = counted is not None and counted.proposed > 0
    return VerificationView(
        lead=_lead(wave, counted),
        lines=_lines(counted) if some and counted is not None else (),
        omitted=_omitted(counted) if some and counted is not None else "",
        missing=(
            "The findings document counts proposals and does not keep their words, so those that "
            "did not hold cannot be shown."
            if some and work is None
            else ""
        ),
        proposals=proposals_view(work, links, causes) if work is not None else NO_PROPOSALS,
        asked=asked_view(work, links) if work is not None else None,
    )


def _lead(wave: DerivedWave, counted: Verification | None) -> str:
    if no_model(wave):
        return "No model was used, so nothing was proposed and nothing could be rejected."
    if counted is None:
        return (
            "The findings document names a model and does not count what it proposed, so what "
            "was checked is not known."
        )
    if counted.proposed == 0:
        return f"{why_no_cause(wave)} So there was nothing to check."
    return (
        f"A model proposed {plural(counted.proposed, 'explanation')}. Only what held against the "
        "turns that it cites is published as a cause."
    )


def _omitted(counted: Verification) -> str:
    if not counted.omitted:
        return ""
    return (
        f"{plural(counted.omitted, 'confirmed explanation')} not published: a limit of the "
        "document left no room, or another one says nearly the same."
    )


def _lines(counted: Verification) -> tuple[VerificationLine, ...]:
    states = (
        ("Confirmed", counted.confirmed, "held against at least one session that it cites"),
        (
            "Rejected",
            counted.rejected,
            "broke a rule, or was looked at again, and a cited session contradicts it",
        ),
        (
            "Not verified",
            counted.unverified,
            "could not be decided: no answer, a call that failed, or no budget left",
        ),
    )
    return tuple(_line(label, count, counted.proposed, meaning) for label, count, meaning in states)


def _line(label: str, count: int, proposed: int, meaning: str) -> VerificationLine:
    # A broken document may count more than was proposed; the bar then draws what is there.
    whole = max(count, proposed)
    return VerificationLine(
        label=label,
        count=Count(count, proposed, "proposal"),
        meaning=meaning,
        bar=bar([("ink", count), ("rest", whole - count)], f"{count:,} of {proposed:,} proposals"),
    )
