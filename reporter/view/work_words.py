"""What became of asking a model, in sentences that several parts of a report share."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from reporter.findings.goal_reading import STAGE_IN_TEXT
from reporter.models.finding import Verification
from reporter.models.phrases import GroupFate, GroupKey, PhraseWork, ProposalFate, Refusal
from reporter.models.wave import DerivedWave
from reporter.view.outline import NAME_LIMIT
from reporter.view.text import capital, listed, one_line, plural, quoted
from reporter.vocabulary import CoverageNote, PhraseRule, ProposalState, ReplyState

NO_MODEL: Final = "No model was used; nothing was sent."
"""The sentence that every report without a model carries."""

NOT_SENT: Final = frozenset(
    {
        ReplyState.OVER_BUDGET,
        ReplyState.INTERRUPTED,
        ReplyState.MISSING,
        ReplyState.NOTHING_LEFT,
    }
)
"""States of requests that never left the machine."""

REPLY_IN_TEXT: Final = {
    ReplyState.ANSWERED: "the answer cannot be read",
    ReplyState.FAILED: "the call failed",
    ReplyState.TIMED_OUT: "timed out",
    ReplyState.CUT_OFF: "the answer was cut off",
    ReplyState.REFUSED: "the model refused",
    ReplyState.OVER_BUDGET: "not sent for want of budget",
    ReplyState.INTERRUPTED: "not sent after an interrupt",
    ReplyState.MISSING: "no reply is kept",
    ReplyState.NOTHING_LEFT: "no session was left to show",
}
"""Why something asked for was not to be had, in the middle of a sentence.

An answer is a reason only where nobody can read it.
"""


def no_model(wave: DerivedWave) -> bool:
    """Tell whether a document was made without any model.

    Rule: report.md section 2, model words.
    """
    found = wave.findings
    return wave.phrases is None and not (
        found.extraction_model
        or found.reasoning_model
        or found.disclosure.evidence_sent
        or found.verification is not None
    )


def model_name(work: PhraseWork) -> str:
    """Return the model's name as its caller gave it."""
    return one_line(work.model, NAME_LIMIT) or "a model without a name"


def verification_of(wave: DerivedWave) -> Verification | None:
    """Return what became of the proposals, counted; None where that is not known."""
    if wave.findings.verification is not None or wave.phrases is None:
        return wave.findings.verification
    states = Counter(one.state for one in wave.phrases.proposals)
    return Verification(
        proposed=states.total(),
        confirmed=states[ProposalState.CONFIRMED],
        rejected=states[ProposalState.REJECTED],
        unverified=states[ProposalState.UNVERIFIED],
        omitted=sum(map(is_omitted, wave.phrases.proposals)),
    )


def is_omitted(fate: ProposalFate) -> bool:
    """Tell whether a proposal was confirmed and is not published."""
    return fate.state is ProposalState.CONFIRMED and fate.mechanism_id is None


def group_words(key: GroupKey) -> str:
    """Say what the sessions of a group have in common.

    Rule: findings.md section 9.4, candidate groups.
    """
    link = STAGE_IN_TEXT[key.stage] if key.stage else "none measured"
    fact = quoted(key.signal.label) if key.signal else "none"
    return f"{quoted(key.disposition.label)}; first failed link: {link}; recorded fact: {fact}"


def unreadable(work: PhraseWork) -> frozenset[GroupKey]:
    """Return the groups about which the model answered what is no JSON: nothing was learnt."""
    return frozenset(
        fate.group
        for fate in work.proposals
        if any(one.rule is PhraseRule.REPLY_NOT_JSON for one in fate.refusals)
    )


def not_analysed(work: PhraseWork) -> tuple[GroupFate, ...]:
    """Return the groups that the model was not asked about, or gave no usable answer for."""
    lost = unreadable(work)
    return tuple(
        one for one in work.groups if one.reply is not ReplyState.ANSWERED or one.key in lost
    )


def states_words(states: Iterable[ReplyState]) -> str:
    """Name reasons in the contract's order, counted where there are several.

    Such as `timed out (2) and not sent for want of budget (1)`.
    """
    counts = Counter(states)
    found = [one for one in ReplyState if counts[one]]
    if len(found) == 1:
        return REPLY_IN_TEXT[found[0]]
    return listed([f"{REPLY_IN_TEXT[one]} ({counts[one]:,})" for one in found])


def rules_words(refusals: Iterable[Refusal]) -> str:
    """Name the rules that refused something, each once, in the contract's order."""
    found = {one.rule for one in refusals}
    return listed([quoted(rule.label) for rule in PhraseRule if rule in found])


def groups_words(work: PhraseWork) -> str:
    """Say of how many groups the causes were analysed; empty where there was none.

    A group without an answer is not a group without a cause, and the sentence says so.
    """
    total, left = len(work.groups), not_analysed(work)
    if not total:
        return ""
    if not left:
        return (
            f"The model answered about {_all(total)} of sessions that look alike and did not go "
            "well."
        )
    sessions = plural(sum(one.sessions for one in left), "session")
    verb = "was" if len(left) == 1 else "were"
    return (
        f"{_of(len(left), total)} of sessions that look alike ({sessions}) {verb} not analysed: "
        f"{states_words(one.reply for one in left)}. That does not say that there is no cause."
    )


def _all(total: int) -> str:
    return {1: "the one group", 2: "both groups"}.get(total, f"all {total:,} groups")


def _of(count: int, total: int) -> str:
    if count < total:
        return f"{count:,} of {total:,} groups"
    words = _all(total)
    return capital(words)


def why_no_cause(wave: DerivedWave) -> str:
    """Say in one or two sentences why a report has no cause.

    Rule: report.md section 3.4.
    """
    if no_model(wave):
        return (
            "No model was used, so no explanation was proposed and none could be checked. "
            "The sections below hold what code can know."
        )
    counted, work = verification_of(wave), wave.phrases
    if counted is None:
        return "This document publishes no cause and does not say whether any was looked for."
    if counted.proposed == 0:
        return _none_proposed(wave, work)
    if counted.confirmed:
        return (
            f"{plural(counted.confirmed, 'explanation')} held, and this document "
            "publishes none of them."
        )
    parts = [
        f"{count:,} {words}"
        for count, words in ((counted.rejected, "rejected"), (counted.unverified, "not verified"))
        if count
    ]
    lead = (
        f"The one explanation that was proposed did not hold: it was {_one_state(counted)}."
        if counted.proposed == 1
        else f"None of {counted.proposed:,} proposed explanations held: {listed(parts)}."
    )
    left = groups_words(work) if work is not None and not_analysed(work) else ""
    return " ".join(part for part in (lead, left) if part)


def _one_state(counted: Verification) -> str:
    return "rejected" if counted.rejected else "not verified"


def _none_proposed(wave: DerivedWave, work: PhraseWork | None) -> str:
    if work is None:
        if CoverageNote.ANALYSIS_UNAVAILABLE in wave.findings.coverage_notes:
            return (
                "Causes could not be analysed, so none is published. That does not say that "
                "there is none."
            )
        return "A model was asked for explanations and proposed none."
    if not work.groups:
        return "No session that was read called for an explanation, so none was asked for."
    if not_analysed(work):
        tail = (
            ""
            if len(not_analysed(work)) == len(work.groups)
            else " For the other groups no explanation was proposed."
        )
        return f"{groups_words(work)}{tail}"
    return (
        f"A model was asked about {plural(len(work.groups), 'group')} of sessions that look alike "
        "and proposed no explanation."
    )


def cause_line(wave: DerivedWave) -> str:
    """Count what became of explanations in one line; empty where no model was asked.

    Rule: findings.md section 9.5.
    """
    counted, work = verification_of(wave), wave.phrases
    if counted is None or no_model(wave):
        return ""
    by = f" by {model_name(work)}" if work is not None else ""
    if counted.proposed == 0:
        said = f"Causes: {_lower(_none_proposed(wave, work))}"
        return f"{said.rstrip('.')}."
    said = (
        f"Causes: {counted.proposed:,} proposed{by}, {counted.confirmed:,} confirmed, "
        f"{counted.rejected:,} rejected, {counted.unverified:,} not verified"
    )
    if counted.omitted:
        said += f"; {counted.omitted:,} confirmed and not published"
    left = not_analysed(work) if work is not None else ()
    if work is not None and left:
        reasons = states_words(one.reply for one in left)
        said += f"; {len(left):,} of {plural(len(work.groups), 'group')} not analysed ({reasons})"
    return f"{said}."


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
