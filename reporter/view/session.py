"""One session whole: what it came to, beside its transcript."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from reporter.findings.fold import first_failed
from reporter.findings.people import is_recorded
from reporter.models.chain import StageEvidence
from reporter.models.facts import CriterionFact, SessionFacts
from reporter.models.manifest import TARGET_UNRECORDED
from reporter.models.session import SessionRecording
from reporter.view.anchor import (
    call_anchor,
    connection_anchor,
    criterion_anchor,
    run_anchor,
    session_anchor,
    turn_anchor,
)
from reporter.view.answered import other_models
from reporter.view.attempts import NOT_RECORDED, end_rule, ended_by, is_silent
from reporter.view.chain import stage_reason
from reporter.view.citations import PlaceLink, pointer_anchor
from reporter.view.entries import CallEntry
from reporter.view.evidence import category_to_look_at, refusal_words
from reporter.view.head import date_words, moment
from reporter.view.orders import duration_words
from reporter.view.outcomes import is_met
from reporter.view.outline import NAME_LIMIT
from reporter.view.patterns import pattern_words, suspicion_words
from reporter.view.places import INDEX
from reporter.view.play import IN_THE_PAGE, Bounds
from reporter.view.report import ReportView
from reporter.view.sessions import SessionRow, session_row
from reporter.view.text import Clipped, and_more, clip, listed, one_line, plural, quoted
from reporter.view.tone import MarkName, StateMark, check_mark, state_mark
from reporter.view.transcript import TranscriptView, transcript_view
from reporter.vocabulary import NEXT_OWNER, GraderReadiness, Stage, Tone, Verdict

OWN_WORDS_LIMIT: Final = 4_000
"""Characters of a persona's account of a session."""
PLACES: Final = 6
"""Places of the first failed link that are led to; the rest are counted."""

_REACHED: Final = {
    "yes": "the goal was reached",
    "no": "the goal was not reached",
    "partly": "the goal was reached in part",
    "unknown": "not known whether the goal was reached",
}
CHECKS_AT_ONCE: Final = 4
"""Checks of a session that are all read at once; of more, those that held are folded."""


@dataclass(frozen=True, slots=True)
class CheckLine:
    """The result of one check."""

    anchor: str
    label: str
    role: Literal["required", "advisory"]
    tone: Tone
    mark: MarkName
    outcome: str
    reason: str
    inferred: str


@dataclass(frozen=True, slots=True)
class FailedLink:
    """Where the chain of one session failed first: the first thing to look at."""

    mark: StateMark
    text: str
    """Such as `First failed link: response, because a tool returned an error.`"""
    look: str
    """Where to look first, by the kind of the failure, as a sentence; may be empty."""
    places: tuple[PlaceLink, ...]
    """What the failure was seen at; may be empty."""
    more: str


@dataclass(frozen=True, slots=True)
class SessionView:
    """One session, for its own part of the page."""

    anchor: str
    row: SessionRow
    persona: str
    """Empty where the wave records none at all, so that there is nobody to tell apart."""
    target: str
    """The same of the target."""
    place: str
    """The target in a sentence, such as `on Web`; that none was recorded, where others were."""
    goal: str
    """The goal's title, whole."""
    is_goal_named: bool
    """False: no goal was recorded, and `goal` says so in words that nobody recorded."""
    run_href: str
    """Where the report says what this persona's run of the goal came to."""
    failed: FailedLink | None
    """None where no measured link failed."""
    model: str
    lines: tuple[tuple[str, str], ...]
    """Facts in words, each with its head: attempt, calls, finish, tokens, time."""
    checks: tuple[CheckLine, ...]
    """Those that are read at once: all of them where they are few, else those that did not
    hold."""
    held: tuple[CheckLine, ...]
    """Checks that held, where there are too many to read at once; may be empty."""
    judge: str
    """The judge's last word; empty where there is none."""
    own_words: Clipped
    """The persona's own account, which nobody verified; its text may be empty."""
    own_view: str
    """What that account says the session came to; empty where it does not say."""
    cited: int
    """Places of this session that findings cite."""
    transcript: TranscriptView
    loose_anchors: tuple[str, ...]
    """Ids that the page links to and that no entry has, because its record could not be read."""

    @property
    def missed(self) -> tuple[CheckLine, ...]:
        """Of the checks that are read at once, those that did not hold, or nobody knows."""
        return tuple(check for check in self.checks if check.tone is not Tone.OK)

    @property
    def passed(self) -> tuple[CheckLine, ...]:
        """Of the checks that are read at once, those that held."""
        return tuple(check for check in self.checks if check.tone is Tone.OK)


def session_view(
    report: ReportView,
    session_id: str,
    recording: SessionRecording | None,
    shown_systems: dict[str, str] | None = None,
    bounds: Bounds = IN_THE_PAGE,
) -> SessionView:
    """Build one session's part of the page.

    Args:
        report: The report it belongs to.
        session_id: A session of the wave.
        recording: Its records, or None where there are none.
        shown_systems: System messages that the page already shows; grows.
        bounds: How many characters of a place are shown.
    """
    laid = report.outline
    fact = laid.facts[session_id]
    target = laid.targets[fact.target_id]
    cites = report.cites.get(session_id, {})
    transcript = transcript_view(
        fact, recording, cites, shown_systems, bounds, name=report.names[session_id]
    )
    checks = tuple(_check(fact, check) for check in fact.criteria)
    row = session_row(laid, fact, report.places, report.names)
    labels = {one.plain for one in laid.targets.values()}
    target_words = row.target if any(one != TARGET_UNRECORDED for one in labels) else ""
    goal = laid.goals[fact.goal_id]
    held = _held(checks)
    return SessionView(
        anchor=session_anchor(session_id),
        row=row,
        persona=row.persona if any(map(is_recorded, laid.personas)) else "",
        target=target_words,
        place=f"on {target_words}"
        if target_words and target.plain != TARGET_UNRECORDED
        else target_words,
        goal=goal.title,
        is_goal_named=goal.recorded,
        run_href=f"{f'../{INDEX}' if report.places.files else ''}#{run_anchor(fact.run_id)}",
        failed=_failed(fact, transcript),
        model=""
        if target.label != target.plain or other_models(fact, target.model)
        else target.model,
        lines=tuple(_lines(fact, target.model)),
        checks=tuple(check for check in checks if check not in held),
        held=held,
        judge=_judge(fact),
        own_words=clip(fact.report.account if fact.report else "", OWN_WORDS_LIMIT),
        own_view=_own_view(fact),
        cited=len(cites),
        transcript=transcript,
        loose_anchors=_loose(
            fact, cites, transcript, checks, report.led_to.get(session_id, frozenset())
        ),
    )


def _failed(fact: SessionFacts, transcript: TranscriptView) -> FailedLink | None:
    """Name the first failed link, why it failed, and where in the transcript that was seen.

    Rule: report.md section 3.5: that the link kept the person from the goal is not said.
    """
    stage = first_failed(fact.chain)
    if fact.chain is None or stage is None:
        return None
    row = fact.chain.row(stage)
    text = f"First failed link: {stage.label.lower()}"
    if row.reason is not None:
        text += f", because {stage_reason(fact, row)}"
    if is_met(fact):
        text += "; the goal was still met"
    elif fact.verdict.verdict is Verdict.PASSED:
        text += "; its verdict is passed all the same"
    rules = [quoted(one_line(rule, 160)) for rule in fact.inferred_stages.get(stage, ())]
    if rules:
        text += (
            ". It rests on a field that was not recorded but follows from the "
            f"{'rule' if len(rules) == 1 else 'rules'} {listed(rules)}"
        )
    category = category_to_look_at(fact)
    look = NEXT_OWNER[category] if category is not None else ""
    places = _places(fact, stage, transcript, row.evidence)
    return FailedLink(
        mark=state_mark(row.state),
        text=f"{text}.",
        look=f"Look first: {look}." if look else "",
        places=places[:PLACES],
        more=and_more(len(places) - PLACES),
    )


def _places(
    fact: SessionFacts, stage: Stage, transcript: TranscriptView, evidence: StageEvidence | None
) -> tuple[PlaceLink, ...]:
    if stage is Stage.CONNECTION:
        anchor = connection_anchor(fact.session_id)
        has_it = any(one.anchor == anchor for one in transcript.entries)
        return (PlaceLink("connection", f"#{anchor}"),) if has_it else ()
    spans = set(evidence.span_ids or ()) if evidence else set()
    wanted = {call_anchor(fact.session_id, span) for span in spans}
    calls = [
        PlaceLink(f"call {entry.label}", f"#{entry.anchor}")
        for entry in transcript.entries
        if isinstance(entry, CallEntry) and entry.anchor in wanted
    ]
    begun = {anchor for entry in transcript.entries for anchor in entry.turn_anchors}
    turns = [
        PlaceLink(f"turn {int(index) + 1}", f"#{anchor}")
        for index in (evidence.prompt_indexes or () if evidence else ())
        if (anchor := turn_anchor(fact.session_id, int(index))) in begun
    ]
    return (*calls, *turns)


def _loose(
    fact: SessionFacts,
    cites: Mapping[str, object],
    transcript: TranscriptView,
    checks: Sequence[CheckLine],
    led_to: frozenset[str],
) -> tuple[str, ...]:
    own = {check.anchor for check in checks}
    for entry in transcript.entries:
        own.update((entry.anchor, *entry.turn_anchors))
    wanted = [pointer_anchor(fact.session_id, pointer) for pointer in cites]
    wanted += [turn_anchor(fact.session_id, match.turn_index) for match in fact.signals]
    wanted += [
        call_anchor(fact.session_id, call.tool_call_id) for call in fact.tool_calls if call.is_error
    ]
    wanted += sorted(led_to)
    own.add(session_anchor(fact.session_id))
    return tuple(dict.fromkeys(one for one in wanted if one not in own))


def _lines(fact: SessionFacts, model: str) -> list[tuple[str, str]]:
    if not fact.started:
        # Nothing was counted of what never ran: what was recorded is why.
        head = "Not started" if is_silent(fact) else "Did not run"
        why = (head, refusal_words(fact))
        return [why, ("File", one_line(fact.file, NAME_LIMIT))] if fact.file else [why]
    calls = fact.own_calls
    errors = sum(call.is_error for call in calls)
    missing = sum(call.error == "noResult" for call in calls)
    said = [plural(len(calls), "call") if calls else "none"]
    if errors:
        said.append(plural(errors, "error"))
    if missing:
        said.append(f"{missing:,} without a recorded result")
    lines = [("Calls", ", ".join(said))]
    finish = Counter(step.reason or NOT_RECORDED for step in fact.finish_reasons)
    if finish:
        said_of = ", ".join(f"{count:,} {reason}" for reason, count in finish.most_common())
        # How many steps there were is not on record where none of them says how it ended.
        lines.append(("Finish", NOT_RECORDED if set(finish) == {NOT_RECORDED} else said_of))
    if fact.max_turns is not None:
        lines.append(("Turns", f"{fact.turns_used:,} of {fact.max_turns:,} allowed"))
    if fact.usage is not None:
        rules = fact.rules_of("step_finish.usage")
        inferred = f" (inferred: {one_line(rules[0], 160)})" if rules else ""
        lines.append(("Tokens", f"{_usage(fact)}{inferred}"))
    if models := other_models(fact, model):
        beside = f"; the target names {model}" if model and model not in models else ""
        lines.append(("Models" if len(models) > 1 else "Model", f"{listed(models)}{beside}"))
    times = _times(fact)
    if times:
        lines.append(("Time", times))
    if end := ended_by(fact):
        rule = end_rule(fact) if end != NOT_RECORDED else ""
        lines.append(("Ended by", f"{end} (inferred: {one_line(rule, 160)})" if rule else end))
    found = (
        ("Patterns", pattern_words(fact)),
        ("Suspected", suspicion_words(fact.suspicions)),
        ("File", one_line(fact.file, NAME_LIMIT)),
    )
    lines.extend((label, text) for label, text in found if text)
    return lines


def _usage(fact: SessionFacts) -> str:
    usage = fact.usage
    parts = []
    if usage is not None:
        if usage.input_tokens is not None:
            parts.append(f"{usage.input_tokens:,} in")
        if usage.output_tokens is not None:
            parts.append(f"{usage.output_tokens:,} out")
        if not parts and usage.total_tokens is not None:
            parts.append(f"{usage.total_tokens:,}")
    return ", ".join(parts) or "not recorded for every step"


def _times(fact: SessionFacts) -> str:
    start, long = moment(fact.started_at_ms), duration_words(fact)
    if start is None:
        return ""
    said = f"{date_words(start)}, {start:%H:%M:%S} UTC"
    return f"{said}, {long}" if long else said


def _own_view(fact: SessionFacts) -> str:
    """Say what the persona's account comes to, beside a verdict that may be another.

    Rule: recording.md section 4, `self_report`.
    """
    report = fact.report
    if report is None:
        return ""
    said = [_REACHED[report.goal_reached]] if report.goal_reached in _REACHED else []
    if report.feeling and report.feeling.strip():
        said.append(f"felt {quoted(one_line(report.feeling, 80))}")
    return f"By their own account: {', '.join(said)}. Not verified." if said else ""


def _check(fact: SessionFacts, check: CriterionFact) -> CheckLine:
    mark = check_mark(check.outcome)
    return CheckLine(
        anchor=criterion_anchor(fact.session_id, check.criterion_id),
        label=one_line(check.label or check.criterion_id, NAME_LIMIT),
        role=check.role,
        tone=mark.tone,
        mark=mark.mark,
        outcome=mark.word,
        reason=one_line(check.reason or "", 600),
        inferred=one_line(check.inferred or "", 200),
    )


def _held(checks: Sequence[CheckLine]) -> tuple[CheckLine, ...]:
    """Return the checks that held, where there are more of all than are read at once."""
    if len(checks) <= CHECKS_AT_ONCE:
        return ()
    held = tuple(check for check in checks if check.tone is Tone.OK)
    return held if len(held) > 1 else ()


def _judge(fact: SessionFacts) -> str:
    judge = fact.judge
    if judge is None:
        return ""
    if judge.status == "failed":
        return "The judge failed; it gave no word."
    if judge.status == "running":
        return "The judge's word is still owed."
    said = {True: "met", False: "not met", None: "not said"}[judge.passed]
    parts = [f"goal {said}"]
    if judge.score is not None:
        threshold = f" of {judge.threshold:g} needed" if judge.threshold is not None else ""
        parts.append(f"score {judge.score:g}{threshold}")
    text = ", ".join(parts)
    if fact.verdict.graders.judge is GraderReadiness.SILENT:
        text += " (does not decide here)"
    reason = one_line(judge.reason or "", 800)
    inferred = f" (inferred: {one_line(judge.inferred, 200)})" if judge.inferred else ""
    return f"{text}{inferred}. {reason}".strip()
