"""The summary: what happened, what broke first, what to change, how sure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.findings.fold import first_failed, fold
from reporter.findings.goal_reading import STAGE_IN_TEXT, read_goals
from reporter.findings.headline import Headline, HeadlineItem, headline
from reporter.findings.population import tally_of
from reporter.findings.reading import lead_cause, signal_totals
from reporter.findings.reading import refusals as recorded_refusals
from reporter.models.facts import SessionFacts
from reporter.view.anchor import cause_anchor
from reporter.view.author import ModelWords
from reporter.view.cautions import CautionsView, cautions_view
from reporter.view.citations import PlaceLink
from reporter.view.count import Count
from reporter.view.decision import decision_words
from reporter.view.evidence import EvidenceLine, refusals
from reporter.view.integrity import job_words
from reporter.view.ledger import LedgerView, ledger_view
from reporter.view.outcomes import NOT_MET
from reporter.view.outline import Outline, slot_kind
from reporter.view.places import Places
from reporter.view.proposals import no_fix_words
from reporter.view.sent import sent_sentence
from reporter.view.text import isolated_in, one_line, plural, quoted
from reporter.view.tone import ToneMark, kind_mark
from reporter.view.work_words import no_model
from reporter.vocabulary import Stage, SummaryKind, Tone, tone_of

REASON_LIMIT: Final = 180
"""Characters of the recorded reason why sessions did not run; the whole stands at the goals."""

_LAST_LINK: Final = (
    "User value is the last of the six links: whether the person got what was asked for"
)
"""Said where that link is named, as no other word on the first screen explains it."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words with their author."""

    text: str | ModelWords
    model: bool
    """True: a model wrote them, so they are set in italic and said to be a model's."""

    @property
    def length(self) -> int:
        """How many characters they have."""
        return len(self.text.text if isinstance(self.text, ModelWords) else self.text)


@dataclass(frozen=True, slots=True)
class SummaryItem:
    """One fact of the summary, on its own so that it can be tested."""

    name: str
    """Stable name, such as `reach` or `stage`."""
    text: str | ModelWords
    model: bool = False
    """True: a model wrote it."""

    @property
    def length(self) -> int:
        """How many characters it has."""
        return len(self.text.text if isinstance(self.text, ModelWords) else self.text)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a sentence; one that counts sessions names the filter that lists them."""

    text: str
    filter: str = ""
    """A filter of the session list, as it stands in the page's address; mostly empty."""


@dataclass(frozen=True, slots=True)
class SummaryView:
    """The first screen."""

    kind: ToneMark
    """The summary kind's label with the tone of the fold over the wave's goals."""
    goals: str
    """How the goals came out, in one or two sentences; empty where nothing may be claimed."""
    headline: Words
    items: tuple[SummaryItem, ...]
    """What follows the headline, in order."""
    fix: Words | None
    """The lead cause's fix; None where there is none to show."""
    no_fix: str
    """Why there is no fix; empty where there is one or where nothing was launched."""
    turns: PlaceLink | None
    """Where the turns stand that the lead cause rests on."""
    model_words: str
    """What italic words rest on; empty where no model wrote any."""
    sent: str
    """What was sent to a model: that nothing was, where none was used."""
    how_sure: str
    broke: tuple[Piece, ...]
    """Where the sessions that missed their goal failed first, as the first failed link and
    never as the reason; empty where no chain says so."""
    refusals: tuple[EvidenceLine, ...]
    """Why sessions did not run, the most frequent first; empty where all started."""
    not_run: str
    """The reason recorded most often, in one sentence; empty where there is none."""
    decision: str
    """The published decision; empty where none was recorded."""
    job: str
    """State of the findings job where it is not completed; may be empty."""
    ledger: LedgerView
    cautions: CautionsView
    launched: bool
    """False: nothing ran, so only the recorded reason stands."""
    claims: bool
    """False: nothing ran, or too little was read, for a word beside the population."""

    @property
    def broke_first(self) -> str:
        """The sentence of `broke`, whole."""
        return "".join(piece.text for piece in self.broke)


def summary_view(
    outline: Outline, shown: Places, names: Mapping[str, str], causes: Mapping[str, int]
) -> SummaryView:
    """Lay the summary out.

    Rule: report.md section 3.2; findings.md sections 13 and 13.1.
    """
    wave = outline.wave
    findings = wave.findings
    said = headline(findings, wave.plan, wave.facts)
    words = fold([goal.outcome for goal in read_goals(findings, wave.plan)])
    lead = lead_cause(findings.rows)
    first, rest = said.items[0], said.items[1:]
    named = _names(outline)
    lines = [SummaryItem(one.key, _by(one, 700, named), one.is_model_words) for one in rest]
    top = Words(_by(first, 400, named), first.is_model_words)
    if first.key == "signal":
        top, beside = _signal_words(outline)
        lines.insert(0, SummaryItem("signal", beside))
    launched = said.kind is not SummaryKind.NOT_LAUNCHED
    claims = launched and said.kind is not SummaryKind.UNREAD
    return SummaryView(
        kind=kind_mark(said.kind, words),
        goals=isolated_in(one_line(" ".join(item.text for item in said.goals), 700), named),
        headline=top,
        items=tuple(lines),
        broke=_first_failed_words(wave.facts) if claims else (),
        fix=Words(_by(said.fix, 400), model=True) if said.fix else None,
        no_fix=_no_fix(outline) if launched and said.fix is None else "",
        turns=(
            PlaceLink("The turns it rests on", f"#{cause_anchor(lead.mechanism_id)}")
            if lead is not None and lead.mechanism_id in causes
            else None
        ),
        model_words=_model_words(said, lead.session_ids if lead else ()),
        sent=sent_sentence(wave),
        how_sure=_how_sure(outline),
        refusals=tuple(refusals([f for f in wave.facts if not f.started], shown, names)),
        not_run=_not_run(wave.facts) if launched else "",
        decision=decision_words(wave.published),
        job=job_words(wave),
        ledger=ledger_view(outline),
        cautions=cautions_view(outline),
        launched=launched,
        claims=claims,
    )


def _by(item: HeadlineItem, limit: int, names: Sequence[str] = ()) -> str | ModelWords:
    text = one_line(item.text, limit)
    return ModelWords(text) if item.is_model_words else isolated_in(text, names)


def _names(outline: Outline) -> list[str]:
    people = [person.name for person in outline.personas.values()]
    goals = [
        name
        for goal in outline.goals.values()
        for name in (goal.plain, goal.title, goal.short_title)
    ]
    return [*people, *goals, *(target.label for target in outline.targets.values())]


def _signal_words(outline: Outline) -> tuple[Words, str]:
    """Say how many sessions match the signal that most are keyed to, and that it is no cause.

    The rows count each session under one signal only. Where the sessions are known, the
    sentence counts every session in which it is true, and says beside it how many are keyed.
    """
    signal, keyed = signal_totals(outline.wave.findings.rows)[0]
    read = [fact for fact in outline.facts.values() if fact.is_read]
    matches = Counter(match.signal for fact in read for match in fact.signals)
    seen = matches[signal] if outline.recorded else keyed
    whole = max(outline.wave.findings.population.read, seen)
    beside = "No other recorded fact was seen in more"
    if not outline.recorded:
        beside = "Each session is counted under its first recorded fact"
    if any(count > seen for count in matches.values()):
        # Another fact was seen in more sessions, most of which are counted under an earlier one.
        beside = f"More sessions are counted first under this fact ({keyed:,}) than under any other"
    text = f"{signal.label} in {Count(seen, whole, kind='read').text}."
    return Words(text, model=False), f"{beside}, and no fact says why."


def _not_run(facts: tuple[SessionFacts, ...]) -> str:
    """Quote the recorded reason that kept most sessions from running.

    Rule: findings.md section 13, `Why sessions did not run`.
    """
    found = recorded_refusals(facts)
    if not found.reasons:
        return ""
    top = found.reasons[0]
    text = f"Recorded reason: {quoted(one_line(top.text, REASON_LIMIT).rstrip('.'))}"
    idle = sum(not fact.started for fact in facts)
    if idle > 1:
        # The ledger beside it counts every session that did not start, and so does this.
        text += f", for {Count(top.sessions, idle).text} that did not start"
    if top.origin == "service":
        text += ", from the service that ran the swarm and not from a model provider"
    return f"{text}."


def _no_fix(outline: Outline) -> str:
    if no_model(outline.wave):
        return "None was proposed; code alone proposes none."
    lead = lead_cause(outline.wave.findings.rows)
    if lead is not None:
        return no_fix_words(outline.wave.phrases, lead.mechanism_id)
    return "None: no confirmed cause is published, and a fix stands only with its cause."


def _model_words(said: Headline, sessions: tuple[str, ...]) -> str:
    if not said.has_model_words:
        return ""
    return (
        f"Italic words here are a model's and rest on {plural(len(sessions), 'session')} that a "
        "second reading confirmed. All other words are code's or recorded, and every count is "
        "code's."
    )


def _first_failed_words(facts: tuple[SessionFacts, ...]) -> tuple[Piece, ...]:
    """Say where the chain of the sessions that missed their goal failed first.

    A link is named as the first failed link; that it stopped the goal is not said here.
    """
    missed = [fact for fact in facts if tone_of(fact.disposition) is Tone.FAIL]
    counts = Counter(first_failed(fact.chain) for fact in missed)
    if not missed or set(counts) == {None}:
        return ()
    ranked = sorted((stage for stage in Stage if counts[stage]), key=lambda one: -counts[one])
    tail = f"; in {counts[None]:,} no link failed or none was measured" if counts[None] else ""
    alone = len(counts) == 1
    subject = f"{'In all' if alone else 'Of the'} {plural(len(missed), 'session')}"
    if len(missed) == 1:
        subject = "In the one session"
    pieces = [Piece(f"{subject} that did not meet the goal, the first failed link was ")]
    for place, stage in enumerate(ranked):
        if place:
            pieces.append(Piece(" and " if place == len(ranked) - 1 else ", "))
        count = "" if alone else f" in {counts[stage]:,}"
        pieces.append(Piece(f"{STAGE_IN_TEXT[stage]}{count}", f"disp={NOT_MET}&link={stage.value}"))
    if counts[Stage.USER_VALUE]:
        tail += f". {_LAST_LINK}"
    return (*pieces, Piece(f"{tail}."))


def _how_sure(outline: Outline) -> str:
    population = outline.wave.findings.population
    if not outline.recorded:
        graded = Count(population.graded, population.configured, kind="planned").text
        return f"A verdict exists for {graded}."
    tally = tally_of(outline.facts.values())
    parts = tally.partition
    if tally.configured == 0:
        return "No session was planned, so nothing is known."
    kind = slot_kind(outline)
    known = Count(parts.known, tally.configured, kind=kind).text
    if tally.configured > 1 and not parts.not_known:
        known = f"all {plural(tally.configured, f'{kind} session')}"
    lead = f"The outcome is known for {known}"
    unconnected = parts.known - tally.graded
    if unconnected > 0:
        lead += f": {tally.graded:,} graded and {unconnected:,} that never connected"
    if not parts.not_known:
        return f"{lead}."
    if not parts.known:
        whole = plural(tally.configured, f"{kind} session")
        one = f"The one {kind} session has" if tally.configured == 1 else f"None of {whole} has"
        no = "no known outcome" if tally.configured == 1 else "a known outcome"
        return f"{one} {no}, so whether goals were met is not measured."
    rest = "the other one" if parts.not_known == 1 else f"the other {parts.not_known:,}"
    return f"{lead}. For {rest} it is not known."
