"""What was checked and rejected: what became of a model's explanations."""

from dataclasses import dataclass

from reporter.models.finding import FindingSet, Verification
from reporter.view.count import Bar, Count, bar
from reporter.view.outline import Outline
from reporter.view.text import plural


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


def verification_view(outline: Outline) -> VerificationView:
    """Lay the verification ledger out.

    Rule: report.md section 3.11; findings.md section 9.5.
    """
    findings = outline.wave.findings
    counted = findings.verification
    if counted is None:
        return VerificationView(_why_none(findings), (), "", "")
    if counted.proposed == 0:
        return VerificationView(
            "A model was asked for explanations and proposed none, so there was nothing to check.",
            (),
            "",
            "",
        )
    return VerificationView(
        lead=(
            f"A model proposed {plural(counted.proposed, 'explanation')}; each was checked against "
            "the turns it cites. Only what held is published as a cause."
        ),
        lines=_lines(counted),
        omitted=(
            f"{plural(counted.omitted, 'confirmed explanation')} not published: a limit of the "
            "document left no room, or another one says nearly the same."
            if counted.omitted
            else ""
        ),
        missing=(
            "The findings document counts proposals and does not keep their words, so those that "
            "did not hold cannot be shown."
        ),
    )


def _why_none(findings: FindingSet) -> str:
    if findings.reasoning_model:
        return (
            "The findings document names a model and does not count what it proposed, so what "
            "was checked is not known."
        )
    return "No model was used, so nothing was proposed and nothing could be rejected."


def _lines(counted: Verification) -> tuple[VerificationLine, ...]:
    states = (
        ("Confirmed", counted.confirmed, "held against at least one session that it cites"),
        ("Rejected", counted.rejected, "was looked at, and a cited session contradicts it"),
        (
            "Unverified",
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
