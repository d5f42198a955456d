"""What a model was asked, and what came back: requests, groups of sessions, session reports."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reporter.models.phrases import GroupFate, PhraseWork, ReportFate
from reporter.view.author import ModelWords, model_words
from reporter.view.citations import PlaceLink
from reporter.view.count import Count
from reporter.view.links import SessionLinks
from reporter.view.proposals import RefusalLine, refusal_lines
from reporter.view.text import and_more, capital, plural
from reporter.view.work_words import (
    NOT_SENT,
    group_words,
    groups_words,
    model_name,
    not_analysed,
    states_words,
)
from reporter.vocabulary import PhraseRule, ReplyState

GROUPS_SHOWN: Final = 30
REFUSED_SHOWN: Final = 20
LINKS_SHOWN: Final = 12
ACTUAL_CHARS: Final = 300
"""Characters of a refused account; a whole one has up to 1800."""

_CONSEQUENCE: Final = "What it was to find out is not known."
"""What a request without an answer means for the reader."""


@dataclass(frozen=True, slots=True)
class StateLine:
    """One thing that became of requests."""

    label: str
    count: Count
    """Of all requests."""
    meaning: str


@dataclass(frozen=True, slots=True)
class GroupLine:
    """One group of sessions that the model was, or was to be, asked about."""

    words: str
    sessions: str
    shown: str
    """Such as `5 of 8 sessions`."""
    outcome: str
    """How many explanations it proposed, or why nobody analysed the cause."""


@dataclass(frozen=True, slots=True)
class ReportRule:
    """One rule that accounts of sessions broke."""

    rule: str
    meaning: str
    count: Count
    """Of the sessions that were described."""
    links: tuple[PlaceLink, ...]
    more: str


@dataclass(frozen=True, slots=True)
class RefusedReport:
    """A model's account of one session that is not published, or not whole."""

    session: PlaceLink
    words: ModelWords
    """What it wrote of what happened; empty where there is nothing."""
    what: str
    """What became of it."""
    why: tuple[RefusalLine, ...]


@dataclass(frozen=True, slots=True)
class AskedView:
    """What was asked of a model and what came of it; every part may be empty."""

    states_lead: str
    states: tuple[StateLine, ...]
    """What became of the requests; the counts add up."""
    said: tuple[str, ...]
    """Kept replies, answers of persons, changed decisions: a sentence each."""
    groups_lead: str
    groups: tuple[GroupLine, ...]
    more_groups: str
    reports_lead: str
    """How many sessions were described, accepted and refused; empty where none was asked for."""
    rules: tuple[ReportRule, ...]
    refused: tuple[RefusedReport, ...]
    more_refused: str


def asked_view(work: PhraseWork, links: SessionLinks) -> AskedView:
    """Lay out what became of the requests, the groups and the session reports.

    Rule: report.md section 3.11; findings.md sections 9.1 and 9.5.
    """
    left = not_analysed(work)
    refused = [one for one in work.reports if one.refusals or not one.accepted]
    shown = [one for one in refused if one.refusals or one.actual][:REFUSED_SHOWN]
    return AskedView(
        states_lead=_states_lead(work),
        states=_states(work),
        said=tuple(_said(work)),
        groups_lead=groups_words(work),
        groups=tuple(
            _group(one, is_analysed=one not in left) for one in work.groups[:GROUPS_SHOWN]
        ),
        more_groups=_more_groups(work),
        reports_lead=_reports_lead(work.reports),
        rules=_rules(work.reports, links),
        refused=tuple(_refused(one, links) for one in shown),
        more_refused=_more_refused(refused, len(shown)),
    )


def _states_lead(work: PhraseWork) -> str:
    total = sum(work.states.values())
    if not total:
        return f"No request for {model_name(work)} was needed, so none was made."
    unsent = sum(count for state, count in work.states.items() if state in NOT_SENT)
    lead = f"{plural(total, 'request')} for {model_name(work)}, by what became of "
    lead += "it" if total == 1 else "them"
    if not unsent:
        return f"{lead}."
    return f"{lead}; {unsent:,} {'was' if unsent == 1 else 'were'} not sent."


def _states(work: PhraseWork) -> tuple[StateLine, ...]:
    total = sum(work.states.values())
    return tuple(
        StateLine(
            label=capital(state.label),
            count=Count(work.states[state], total, "request"),
            meaning=state.meaning
            + (
                " Code checked what it said."
                if state is ReplyState.ANSWERED
                else f" {_CONSEQUENCE}"
            ),
        )
        for state in ReplyState
        if work.states.get(state)
    )


def _said(work: PhraseWork) -> list[str]:
    said = []
    if work.stale:
        belong, used = ("belongs", "It") if work.stale == 1 else ("belong", "None of them")
        was = "was not used" if work.stale == 1 else "was used"
        said.append(
            f"{plural(work.stale, 'kept reply', 'kept replies')} {belong} to requests that this "
            f"recording no longer gives. {used} {was}."
        )
    if work.by_person:
        was = "was" if work.by_person == 1 else "were"
        said.append(
            f"{plural(work.by_person, 'answer')} of the second look {was} given by a person in "
            "place of a model."
        )
    if work.changed:
        was = "is" if work.changed == 1 else "are"
        said.append(
            f"{plural(work.changed, 'kept decision')} {was} not what this version comes to with "
            "this recording. The report shows what it comes to now."
        )
    return said


def _group(fate: GroupFate, *, is_analysed: bool) -> GroupLine:
    if is_analysed:
        outcome = (
            f"{plural(fate.proposals, 'explanation')} proposed"
            if fate.proposals
            else "answered, and no explanation proposed"
        )
    elif fate.reply is ReplyState.ANSWERED:
        outcome = "Not analysed. The answer cannot be read."
    else:
        outcome = f"Not analysed. {fate.reply.meaning}"
    words = group_words(fate.key)
    return GroupLine(
        words=capital(words),
        sessions=f"{fate.sessions:,}",
        shown=Count(len(fate.shown), fate.sessions).text,
        outcome=outcome,
    )


def _more_groups(work: PhraseWork) -> str:
    rest = work.groups[GROUPS_SHOWN:]
    if not rest:
        return ""
    lost = not_analysed(work)
    left = sum(one in lost for one in rest)
    return (
        f"{plural(len(rest), 'more group')} of {sum(one.sessions for one in rest):,} sessions "
        f"not shown; {left:,} of them not analysed."
    )


def _reports_lead(reports: Sequence[ReportFate]) -> str:
    if not reports:
        return ""
    accepted = sum(one.accepted for one in reports)
    silent = [one.reply for one in reports if one.reply is not ReplyState.ANSWERED]
    refused = len(reports) - accepted - len(silent)
    stand = "was accepted and stands" if accepted == 1 else "were accepted and stand"
    parts = [f"{accepted:,} {stand} at the session's goal as a model's words"] if accepted else []
    parts += [f"{refused:,} {'was' if refused == 1 else 'were'} refused"] if refused else []
    parts += [f"{len(silent):,} did not come ({states_words(silent)})"] if silent else []
    return (
        f"A model was to say what happened in {plural(len(reports), 'session')}. Of its accounts, "
        f"{'; '.join(parts)}."
    )


def _rules(reports: Sequence[ReportFate], links: SessionLinks) -> tuple[ReportRule, ...]:
    broke: dict[PhraseRule, dict[str, None]] = {}
    for one in reports:
        for refusal in one.refusals:
            broke.setdefault(refusal.rule, {})[one.session_id] = None
    return tuple(
        ReportRule(
            rule=capital(rule.label),
            meaning=rule.meaning,
            count=Count(len(broke[rule]), len(reports)),
            links=tuple(links.session(one) for one in list(broke[rule])[:LINKS_SHOWN]),
            more=and_more(len(broke[rule]) - LINKS_SHOWN),
        )
        for rule in PhraseRule
        if rule in broke
    )


def _refused(fate: ReportFate, links: SessionLinks) -> RefusedReport:
    return RefusedReport(
        session=links.session(fate.session_id),
        words=model_words(fate.actual, ACTUAL_CHARS),
        what=_became(fate),
        why=refusal_lines(fate.refusals),
    )


def _became(fate: ReportFate) -> str:
    if fate.accepted:
        return "Accepted without the part that broke the rule."
    return "Refused; not a finding."


def _more_refused(refused: Sequence[ReportFate], shown: int) -> str:
    left = len([one for one in refused if one.refusals or one.actual]) - shown
    return f"{plural(left, 'more refused account')} not shown." if left > 0 else ""
