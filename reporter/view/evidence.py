"""What one persona's run of one goal rests on, line by line."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reporter.findings.fold import first_failed
from reporter.findings.text import SENTENCE_ENDS
from reporter.identifiers import SessionId
from reporter.models.facts import SessionFacts
from reporter.models.finding import Finding, FindingRow
from reporter.view.anchor import cause_anchor, session_anchor
from reporter.view.attempts import reason_words
from reporter.view.citations import PlaceLink, place_link
from reporter.view.count import Count
from reporter.view.outline import Outline, RunRef
from reporter.view.places import Places
from reporter.view.scopes import GoalScope, SessionScope, goal_scope, session_scope
from reporter.view.text import and_more, capital, listed, one_line, plural, quoted
from reporter.view.tone import ToneMark, tone_mark
from reporter.vocabulary import (
    NEXT_OWNER,
    Disposition,
    FailureCategory,
    FrictionReason,
    Lifecycle,
    ScopeLevel,
    Signal,
    Stage,
    StageState,
    Tone,
    tone_of,
)

LINKS_LIMIT: Final = 24
"""Links to sessions in one line; the rest are counted."""


@dataclass(frozen=True, slots=True)
class SessionLink:
    """A session as another part of the page points at it."""

    label: str
    href: str
    mark: ToneMark


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """One thing that is known, with the sessions it was seen in."""

    text: str
    count: str
    """Such as `2 of 4 started sessions`; may be empty."""
    links: tuple[PlaceLink, ...] = ()
    total: int = 0
    """Sessions that it was seen in; `links` leads to the first of them."""
    why: str = ""
    """For a check: a colon and what was recorded of it, with its full stop; may be empty."""

    @property
    def more(self) -> str:
        """Such as `and 12 more`, where not every session has a link."""
        return and_more(self.total - len(self.links))


@dataclass(frozen=True, slots=True)
class FindingLine:
    """One finding of the document, through the view of its own scope."""

    finding: GoalScope | SessionScope
    cause: PlaceLink | None
    """The cause it belongs to, for a mechanism row."""
    links: tuple[PlaceLink, ...]
    """The places it cites, or the sessions it counts where it cites none."""
    total: int = 0
    """How many places that are; `links` leads to the first of them."""
    said: str = ""
    """For a recorded fact: the first server's words or the first missing name; may be empty."""
    beside: str = ""
    """For a recorded fact: in which sessions it was seen as well that are counted under another
    fact, such as `; in 1 more it was seen beside a fact that is counted`; may be empty."""
    again: bool = False
    """True: it is of the cause and the link that the line before it is of, on another target."""

    @property
    def more(self) -> str:
        """Such as `and 12 more`, where not every place has a link."""
        return and_more(self.total - len(self.links))


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything a run's entry rests on; every part may be empty."""

    outcomes: tuple[FindingLine, ...]
    """One a target: how many sessions came out so, and how the others did."""
    causes: tuple[FindingLine, ...]
    signals: tuple[FindingLine, ...]
    reports: tuple[FindingLine, ...]
    checks: tuple[EvidenceLine, ...]
    """Required checks that did not hold."""
    friction: tuple[EvidenceLine, ...]
    next_owner: tuple[EvidenceLine, ...]
    """Where to look first, of sessions that did not meet the goal and whose failure has a kind."""
    unknown: tuple[EvidenceLine, ...]
    """Why the outcome of started sessions is not known."""
    not_run: tuple[EvidenceLine, ...]
    """Recorded refusals."""
    sessions: tuple[SessionLink, ...]
    all_sessions: int
    """How many there are; `sessions` are the first of them."""

    @property
    def more_sessions(self) -> str:
        """Such as `and 12 more`, where not every session has a link."""
        return and_more(self.all_sessions - len(self.sessions))

    def beside_checks(self, line: FindingLine) -> FindingLine:
        """Return an outcome's line without its places, where the lines of the checks have them."""
        shown = {place for check in self.checks for place in check.links}
        return replace(line, links=(), total=0) if shown.issuperset(line.links) else line


def evidence_of(
    laid: Outline,
    run: RunRef,
    shown: Places,
    names: Mapping[str, str],
    causes: Mapping[str, int],
) -> Evidence:
    """Gather what a run rests on.

    Args:
        laid: The wave.
        run: The run, with its facts and rows.
        shown: Where each session is shown.
        names: How each session is called on the page; empty for a document on its own.
        causes: Number of each cause that the page shows, by mechanism id.
    """
    rows = [row for row in run.rows if row.finding.scope_level is ScopeLevel.GOAL]
    reports = [row for row in run.rows if row.finding.scope_level is ScopeLevel.SESSION]
    started = [fact for fact in run.facts if fact.started]
    sessions = [
        SessionLink(
            names[fact.session_id],
            shown.href(fact.session_id, session_anchor(fact.session_id)),
            tone_mark(fact.disposition),
        )
        for fact in run.facts[:LINKS_LIMIT]
    ]
    return Evidence(
        outcomes=tuple(_finding(laid, row, shown, names, causes) for row in rows if row.order == 2),  # noqa: PLR2004  list 2
        causes=tuple(_causes(laid, [row for row in rows if row.order == 1], shown, names, causes)),
        signals=tuple(
            replace(
                _finding(laid, row, shown, names, causes),
                said=_example(row.finding, run),
                beside=_beside(row, run),
            )
            for row in rows
            if row.order == 3  # noqa: PLR2004  list 3
        ),
        reports=tuple(_finding(laid, row, shown, names, causes) for row in reports),
        checks=tuple(_checks(started, shown, names)),
        friction=tuple(_friction(started, shown, names)),
        next_owner=tuple(_next_owner(started, shown, names)),
        unknown=tuple(_unknown(started, shown, names)),
        not_run=tuple(refusals([fact for fact in run.facts if not fact.started], shown, names)),
        sessions=tuple(sessions),
        all_sessions=len(run.facts),
    )


def refusals(
    facts: Sequence[SessionFacts], shown: Places, names: Mapping[str, str]
) -> list[EvidenceLine]:
    """Group sessions that did not run by what was recorded of it, the most frequent first.

    Rule: findings.md section 13, `Why sessions did not run`.
    """
    groups: dict[str, list[SessionFacts]] = {}
    for fact in facts:
        groups.setdefault(refusal_words(fact), []).append(fact)
    ranked = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    return [
        EvidenceLine(
            text,
            plural(len(group), "session"),
            _session_links(group, shown, names),
            len(group),
        )
        for text, group in ranked
    ]


def refusal_words(fact: SessionFacts) -> str:
    """Say why a session did not run, in recorded words where there are any."""
    attempt = fact.attempt
    if attempt is None:
        return "No attempt was recorded"
    said = one_line(attempt.error_message or "", 300)
    code = one_line(attempt.error_code or "", 80)
    if fact.lifecycle is Lifecycle.RAN:
        return "Completed without a recorded message"
    what = capital(fact.lifecycle.label)
    detail = f"{said} ({code})" if said and code else said or code
    if not detail and fact.connection_failures:
        detail = connection_words(fact, 300)
    return f"{what}: {detail}" if detail else f"{what}; no reason was recorded"


def connection_words(fact: SessionFacts, limit: int) -> str:
    """Say that the connection failed, with what was recorded of it.

    The server is said to have refused it only where the chain says so: a record that blames
    the server proves nothing of the network on the way.

    Rule: chain.md section 8.1.
    """
    stage = fact.chain.row(Stage.CONNECTION) if fact.chain is not None else None
    refused = stage is not None and stage.state is StageState.FAILED
    lead = "the server refused the connection" if refused else "the connection failed"
    failure = fact.connection_failures[0] if fact.connection_failures else None
    said = one_line(failure.message or "", limit) if failure else ""
    return f"{lead}: {said}" if said else lead


def _finding(
    laid: Outline,
    row: FindingRow,
    shown: Places,
    names: Mapping[str, str],
    causes: Mapping[str, int],
) -> FindingLine:
    finding = row.finding
    if finding.scope_level is ScopeLevel.SESSION:
        facts = laid.facts.get(SessionId(next(iter(finding.session_ids), "")))
        report = facts.report if facts is not None else None
        view: GoalScope | SessionScope = session_scope(row, report.account if report else "")
    else:
        view = goal_scope(row)
    # Two targets of one label are told apart here as they are everywhere on the page.
    view = replace(view, target=laid.target_name(finding.target))
    cause = None
    if finding.mechanism_id is not None and finding.mechanism_id in causes:
        number = causes[finding.mechanism_id]
        cause = PlaceLink(f"Cause {number}", f"#{cause_anchor(finding.mechanism_id)}")
    places = finding.citations or finding.session_ids
    known = names.keys()
    links = tuple(
        place_link(place, shown, known, name=names.get(place.partition("/")[0], ""))
        for place in places[:LINKS_LIMIT]
    )
    return FindingLine(view, cause, links, len(places))


def _causes(
    laid: Outline,
    rows: Sequence[FindingRow],
    shown: Places,
    names: Mapping[str, str],
    causes: Mapping[str, int],
) -> Iterator[FindingLine]:
    before: tuple[str | None, Stage | None] | None = None
    for row in rows:
        line = _finding(laid, row, shown, names, causes)
        # A cause has a row a target; its words need to be read once.
        own = row.finding.mechanism_id, row.finding.chain_stage
        yield replace(line, again=own == before)
        before = own


def _beside(row: FindingRow, run: RunRef) -> str:
    """Say how many sessions of a cell show a fact and stand in the row of an earlier one.

    Rule: findings.md section 8, keying: a session is in one row, whatever else it shows.
    """
    if not run.facts:
        return ", each session counted under one fact only"
    counted = set(row.finding.session_ids)
    more = sum(
        any(match.signal is row.finding.signal for match in fact.signals)
        for fact in run.facts
        if fact.target_id == row.target_id and fact.is_read and fact.session_id not in counted
    )
    return f"; in {more:,} more it was seen beside a fact that is counted" if more else ""


def _example(finding: Finding, run: RunRef) -> str:
    """Return what a recorded fact has to show, said to be an example where it is one of several."""
    said = _said(finding, run)
    return f"For example, {said}" if said and finding.population.count > 1 else said


def _said(finding: Finding, run: RunRef) -> str:
    """Return what the first of the counted sessions has to show of a recorded fact."""
    counted = set(finding.session_ids)
    for fact in run.facts:
        if fact.session_id not in counted:
            continue
        if finding.signal is Signal.HALLUCINATED_TOOL and fact.hallucinated_tools:
            return f"{one_line(fact.hallucinated_tools[0], 80)} was called and does not exist"
        for call in fact.tool_calls:
            wanted = finding.signal is Signal.TOOL_ERRORED and call.caller == "assistant"
            if wanted and call.is_error and call.error_text:
                return f"{one_line(call.tool_name, 80)}: {quoted(one_line(call.error_text, 200))}"
    return ""


def _checks(
    started: Sequence[SessionFacts], shown: Places, names: Mapping[str, str]
) -> list[EvidenceLine]:
    """Required checks that did not hold, in rubric order, each with its most frequent reason."""
    failed: dict[str, list[tuple[SessionFacts, str]]] = {}
    labels: dict[str, str] = {}
    for fact in started:
        for check in fact.criteria:
            if check.role == "required" and check.outcome == "failed":
                labels.setdefault(
                    check.criterion_id, one_line(check.label or check.criterion_id, 160)
                )
                failed.setdefault(check.criterion_id, []).append((fact, check.reason or ""))
    lines = []
    for criterion_id, found in failed.items():
        reasons = Counter(one_line(reason, 240) for _, reason in found)
        said = next((reason for reason, _ in reasons.most_common() if reason), "")
        # What was recorded of one session is not said of the others.
        lead = ": for example, " if len(reasons) > 1 else ": "
        stop = "" if said.endswith(SENTENCE_ENDS) else "."
        links = tuple(
            place_link(
                f"{fact.session_id}/c:{criterion_id}", shown, name=names.get(fact.session_id, "")
            )
            for fact, _ in found[:LINKS_LIMIT]
        )
        lines.append(
            EvidenceLine(
                quoted(labels[criterion_id]),
                Count(len(found), len(started), kind="started").text,
                links,
                len(found),
                why=f"{lead}{said}{stop}" if said else "",
            )
        )
    return lines


def _friction(
    started: Sequence[SessionFacts], shown: Places, names: Mapping[str, str]
) -> list[EvidenceLine]:
    """Group sessions by the set of reasons that they share, the largest group first."""
    groups: dict[tuple[FrictionReason, ...], list[SessionFacts]] = {}
    for fact in started:
        if fact.friction:
            groups.setdefault(tuple(fact.friction), []).append(fact)
    lines = []
    for reasons, found in sorted(groups.items(), key=lambda item: -len(item[1])):
        said = listed([reason.label for reason in reasons])
        lines.append(
            EvidenceLine(
                capital(said),
                Count(len(found), len(started), kind="started").text,
                _session_links(found, shown, names),
                len(found),
            )
        )
    return lines


def category_to_look_at(fact: SessionFacts) -> FailureCategory | None:
    """Return the kind of failure that says where to look first.

    A call or a response that failed and was recovered from did not keep anybody from the
    goal: who looked there first would look in the wrong place.

    Returns:
        None of a session that did not miss its goal, and of one whose failure has no kind.

    Rule: decision.md B6; findings.md section 5, when a failure stands.
    """
    if fact.chain is None or tone_of(fact.disposition) is not Tone.FAIL:
        return None
    recovered = fact.disposition is Disposition.GOAL_MISSED
    if recovered and first_failed(fact.chain) in (Stage.CALL, Stage.RESPONSE):
        return FailureCategory.USER_VALUE
    return fact.chain.failure_category


def _next_owner(
    started: Sequence[SessionFacts], shown: Places, names: Mapping[str, str]
) -> list[EvidenceLine]:
    """Say where to look first, by the kind of the failure, the largest group first.

    Rule: decision.md B6.
    """
    groups: dict[FailureCategory, list[SessionFacts]] = {}
    for fact in started:
        category = category_to_look_at(fact)
        if category is not None:
            groups.setdefault(category, []).append(fact)
    return [
        EvidenceLine(
            capital(NEXT_OWNER[category]),
            Count(len(found), len(started), kind="started").text,
            _session_links(found, shown, names),
            len(found),
        )
        for category, found in sorted(groups.items(), key=lambda item: -len(item[1]))
    ]


def _unknown(
    started: Sequence[SessionFacts], shown: Places, names: Mapping[str, str]
) -> list[EvidenceLine]:
    groups: dict[str, list[SessionFacts]] = {}
    for fact in started:
        if fact.disposition is Disposition.NOT_MEASURED:
            label = reason_words(fact)
            groups.setdefault(capital(label), []).append(fact)
    return [
        EvidenceLine(
            text,
            Count(len(found), len(started), kind="started").text,
            _session_links(found, shown, names),
            len(found),
        )
        for text, found in groups.items()
    ]


def _session_links(
    facts: Sequence[SessionFacts], shown: Places, names: Mapping[str, str]
) -> tuple[PlaceLink, ...]:
    return tuple(
        PlaceLink(
            names[fact.session_id], shown.href(fact.session_id, session_anchor(fact.session_id))
        )
        for fact in facts[:LINKS_LIMIT]
    )
