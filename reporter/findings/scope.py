"""A finding never speaks for more than its scope: rules S1 to S11, and all other checks with them.

A document of ours breaks none. One from elsewhere is shown all the same, with every rule it
breaks named.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from reporter.errors import DocumentError
from reporter.findings.arithmetic import check_arithmetic
from reporter.findings.document import findings_of_document, read_document
from reporter.findings.fixed import OWN_WORD
from reporter.findings.fold import fold
from reporter.findings.grouping import NO_GOAL, NO_TARGET, NOBODY
from reporter.findings.naming import Names, names_of
from reporter.findings.projection import SESSION_LIMIT
from reporter.findings.recorded import Recorded, index_recording, persona_key, resolves
from reporter.findings.row_id import stated_fact
from reporter.findings.slot_rules import check_slots
from reporter.models.facts import SessionFacts
from reporter.models.finding import Finding, FindingSet, Violation
from reporter.models.plan import Plan
from reporter.vocabulary import (
    Basis,
    ChainStageBasis,
    CoverageNote,
    Disposition,
    ScopeLevel,
    StageState,
    Verdict,
    WiderFact,
)

RULES: Final = (
    *(f"S{number}" for number in range(1, 12)),
    *(f"A{number}" for number in range(1, 10)),
    "P1",
    "P2",
    "6.3",
)
"""Every rule in the order violations are listed; `6.3` is the stage a row may show."""

NEEDS_RECORDING: Final[Mapping[str, str]] = {
    "S2": "whether persona, goal and target are those of the manifest",
    "S3": "whether the sessions of each row belong to its scope",
    "S4": "whether each total fits the slots of its scope (only the wave's totals were compared)",
    "S7": "whether each goal's disposition follows from its own sessions",
    "S9": "whether each citation leads to something that was recorded",
    "A9": "whether every session id is a slot of the wave",
}
"""What cannot be checked of a document that came alone."""

_WIDER: Final = (ScopeLevel.PERSONA, ScopeLevel.TARGET, ScopeLevel.WAVE)
_NAMES_GOAL: Final = (ScopeLevel.SESSION, ScopeLevel.GOAL)
_PAIRS: Final = {
    (Basis.VERIFIED_MECHANISM, ScopeLevel.GOAL),
    (Basis.SESSION_REPORT, ScopeLevel.SESSION),
    (Basis.POPULATION_FACT, ScopeLevel.GOAL),
    *((Basis.POPULATION_FACT, level) for level in _WIDER),
}


def check_document(
    document: Mapping[str, Any], plan: Plan | None, facts: Sequence[SessionFacts] | None
) -> tuple[Violation, ...]:
    """Check a wire document against every rule beyond the contract.

    Args:
        document: The document as it stands in its file, or an envelope around it.
        plan: The plan of its recording, or None where there is none.
        facts: The facts of its recording, or None where there is none.

    Returns:
        What it breaks, by rule and row id; then the rules that need a recording and were
        not checked without one. A document that breaks the contract gives only that.

    Rule: findings.md section 3.5, `scope`.
    """
    try:
        wire, _ = read_document(document, file="")
    except DocumentError as error:
        return tuple(Violation("contract", None, str(each)) for each in error.problems)
    return check_findings(findings_of_document(wire), plan, facts, id_cap=SESSION_LIMIT)


def check_findings(
    findings: FindingSet,
    plan: Plan | None,
    facts: Sequence[SessionFacts] | None,
    *,
    id_cap: int | None = None,
) -> tuple[Violation, ...]:
    """Check findings, of the full set unless a cap on session ids says otherwise.

    Rule: findings.md sections 6.3, 7, 9.1 and 10.
    """
    recorded = None
    if plan is not None and facts is not None:
        recorded = index_recording(plan, facts)
    rows = [row.finding for row in findings.rows]
    names = names_of(plan, rows, findings.personas)
    found = [
        *check_arithmetic(findings, recorded, id_cap),
        *_unique_ids(rows),
        *(broken for row in rows for broken in _check_row(row, findings, names)),
    ]
    if recorded is not None:
        found += [broken for row in rows for broken in _check_recorded(row, recorded)]
    found.sort(key=lambda broken: (RULES.index(broken.rule), broken.row_id or "", broken.what))
    if recorded is None:
        found += [
            Violation(rule, None, f"not checked without a recording: {what}", checkable=False)
            for rule, what in NEEDS_RECORDING.items()
        ]
    return tuple(found)


def _check_row(row: Finding, findings: FindingSet, names: Names) -> Iterator[Violation]:
    yield from _pair(row)
    yield from _identities(row)
    yield from _one_session(row)
    yield from _within_wave(row, findings)
    yield from _spoken_names(row, names)
    yield from _wider_stage(row)
    yield from _notes(row, findings.coverage_notes)
    yield from _cited_sessions(row)
    yield from _launch_fact(row)
    yield from check_slots(row)
    yield from _stage(row)


def _check_recorded(row: Finding, recorded: Recorded) -> Iterator[Violation]:
    yield from _recorded_identities(row, recorded)
    scope = recorded.scope(row)
    if scope is not None:
        yield from _members(row, scope, recorded)
        yield from _totals(row, scope)
        yield from _own_disposition(row, scope, recorded)
    yield from _citations(row, recorded)
    yield from _launched(row, recorded)


def _pair(row: Finding) -> Iterator[Violation]:
    if (row.basis, row.scope_level) not in _PAIRS:
        yield Violation("S1", row.id, f"{row.basis} may not speak for a {row.scope_level}")


def _identities(row: Finding) -> Iterator[Violation]:
    level = row.scope_level
    named = {
        "persona": level in (*_NAMES_GOAL, ScopeLevel.PERSONA),
        "goal": level in _NAMES_GOAL,
        "target": level in (*_NAMES_GOAL, ScopeLevel.TARGET),
    }
    blank = {
        "persona": row.persona == NOBODY,
        "goal": row.goal == NO_GOAL,
        "target": row.target == NO_TARGET,
    }
    for identity, is_named in named.items():
        if is_named and blank[identity]:
            yield Violation("S2", row.id, f"a {level} row names no {identity}")
        if not is_named and not blank[identity]:
            yield Violation("S2", row.id, f"a {level} row may not name a {identity}")


def _recorded_identities(row: Finding, recorded: Recorded) -> Iterator[Violation]:
    level = row.scope_level
    if level in _NAMES_GOAL:
        run = recorded.runs.get(row.goal.run_id)
        if run is None:
            yield Violation("S2", row.id, "the run is not in the manifest")
        else:
            goal = recorded.goals.get(run.journey_ref_id)
            title = goal.title if goal else run.journey_ref_id
            if (row.goal.journey_ref_id, row.goal.title) != (run.journey_ref_id, title):
                yield Violation("S2", row.id, "the goal is not the one that the run tries")
            if persona_key(row) != (run.persona_ref_id, run.persona_name):
                yield Violation("S2", row.id, "the persona is not the one of the run")
            elif recorded.scope(row) is None:
                yield Violation("S2", row.id, "the run did not try this target")
    elif recorded.scope(row) is None:
        yield Violation("S2", row.id, f"the {level} is not in the manifest")


def _one_session(row: Finding) -> Iterator[Violation]:
    counts = (len(row.session_ids), row.population.count, row.population.total)
    if row.scope_level is ScopeLevel.SESSION and counts != (1, 1, 1):
        yield Violation("S3", row.id, "a session row speaks for exactly one session")


def _members(
    row: Finding, scope: Sequence[SessionFacts], recorded: Recorded
) -> Iterator[Violation]:
    members = {session.session_id for session in scope}
    foreign = [
        session.session_id
        for session in recorded.known(row.session_ids)
        if session.session_id not in members
    ]
    if foreign:
        yield Violation(
            "S3", row.id, f"{len(foreign)} sessions are not of its scope, as {foreign[0]}"
        )


def _within_wave(row: Finding, findings: FindingSet) -> Iterator[Violation]:
    launch = row.disposition is Disposition.NOT_RUN and _may_state_launch(row)
    counts = findings.population
    limit, word = (counts.configured, "configured") if launch else (counts.started, "started")
    if row.population.total > limit:
        yield Violation(
            "S4", row.id, f"its total is {row.population.total}, the wave has {limit} {word}"
        )


def _totals(row: Finding, scope: Sequence[SessionFacts]) -> Iterator[Violation]:
    launch = row.disposition is Disposition.NOT_RUN and _may_state_launch(row)
    limit = len(scope) if launch else sum(session.started for session in scope)
    if row.population.total > limit:
        word = "slots" if launch else "started sessions"
        yield Violation(
            "S4", row.id, f"its total is {row.population.total}, its scope has {limit} {word}"
        )


def _spoken_names(row: Finding, names: Names) -> Iterator[Violation]:
    if row.scope_level not in _WIDER:
        return
    texts = [row.outcome_phrase, row.mechanism_phrase, row.fix_phrase]
    if row.report_excerpt is not None:
        texts += [row.report_excerpt.actual, row.report_excerpt.account]
    for text in filter(None, texts):
        if names.speaks_of_goal(text):
            yield Violation("S5", row.id, f"a {row.scope_level} row's words name a goal")
        if row.scope_level is not ScopeLevel.PERSONA and names.speaks_of_persona(text):
            yield Violation("S5", row.id, f"a {row.scope_level} row's words name a persona")


def _wider_stage(row: Finding) -> Iterator[Violation]:
    if row.scope_level not in _WIDER:
        return
    if row.chain_stage is not None:
        yield Violation("S6", row.id, f"a {row.scope_level} row would colour a goal's stage")
    if row.mechanism_id is not None:
        yield Violation("S6", row.id, f"a {row.scope_level} row would become a goal's cause")


def _own_disposition(
    row: Finding, scope: Sequence[SessionFacts], recorded: Recorded
) -> Iterator[Violation]:
    expected = _expected(row, scope, recorded)
    if expected is not None and row.disposition is not expected:
        yield Violation(
            "S7", row.id, f"its own sessions come to {expected}, the row says {row.disposition}"
        )


def _expected(
    row: Finding, scope: Sequence[SessionFacts], recorded: Recorded
) -> Disposition | None:
    """Return what a goal or session row's own sessions come to; None where they cannot tell."""
    if row.scope_level not in _NAMES_GOAL:
        return None
    if row.basis is Basis.POPULATION_FACT and row.signal is None:
        return fold(session.disposition for session in scope)
    members = {session.session_id for session in scope}
    own = [each for each in recorded.known(row.session_ids) if each.session_id in members]
    if not own or len(own) < row.population.count:
        return None
    if row.basis is not Basis.VERIFIED_MECHANISM:
        return fold(session.disposition for session in own)
    if all(session.verdict.verdict is Verdict.PASSED for session in own):
        return Disposition.GOAL_MET_WITH_FRICTION
    return OWN_WORD[row.chain_stage] if row.chain_stage else None


def _notes(row: Finding, envelope: Iterable[CoverageNote]) -> Iterator[Violation]:
    extra = [note for note in row.coverage_notes if note not in set(envelope)]
    if extra:
        yield Violation("S8", row.id, f"the envelope lacks the row's note {extra[0]}")


def _all_citations(row: Finding) -> list[str]:
    excerpt = row.report_excerpt
    both = [*row.citations, *(excerpt.citations if excerpt else [])]
    return list(dict.fromkeys(both))


def _cited_sessions(row: Finding) -> Iterator[Violation]:
    named = set(row.session_ids)
    for citation in _all_citations(row):
        if citation.split("/", 1)[0] not in named:
            yield Violation("S9", row.id, f"it cites a session it does not name: {citation}")


def _citations(row: Finding, recorded: Recorded) -> Iterator[Violation]:
    for citation in _all_citations(row):
        session_id, _, pointer = citation.partition("/")
        session = recorded.sessions.get(session_id)
        if session is None or not resolves(pointer, session):
            yield Violation("S9", row.id, f"nothing recorded stands at {citation}")


def _unique_ids(rows: Iterable[Finding]) -> Iterator[Violation]:
    for row_id, times in Counter(row.id for row in rows).items():
        if times > 1:
            yield Violation("S10", row_id, f"{times} rows have this id")


def _launch_fact(row: Finding) -> Iterator[Violation]:
    states_launch = stated_fact(row) is WiderFact.NOT_STARTED
    if states_launch and row.disposition is not Disposition.NOT_RUN:
        yield Violation("S11", row.id, "a launch fact is not a finding about the server")
    if row.disposition is Disposition.NOT_RUN and not _may_state_launch(row):
        yield Violation("S11", row.id, "only a launch fact says that sessions did not run")


def _may_state_launch(row: Finding) -> bool:
    """Tell whether a row is of the kind that may be about sessions that never started."""
    if row.scope_level is ScopeLevel.GOAL:
        return row.basis is Basis.POPULATION_FACT and row.signal is None
    is_wide = row.scope_level in (ScopeLevel.TARGET, ScopeLevel.WAVE)
    return is_wide and stated_fact(row) is not WiderFact.NOT_MET


def _launched(row: Finding, recorded: Recorded) -> Iterator[Violation]:
    if row.disposition is not Disposition.NOT_RUN:
        return
    ran = [session for session in recorded.known(row.session_ids) if session.started]
    if ran:
        yield Violation(
            "S11", row.id, f"{len(ran)} sessions said not to have run did, as {ran[0].session_id}"
        )


def _stage(row: Finding) -> Iterator[Violation]:
    unplaced = (row.chain_stage_state, row.chain_stage_basis) == (None, ChainStageBasis.UNMEASURED)
    if row.chain_stage is None and not unplaced:
        yield Violation("6.3", row.id, "it names no stage and yet a state or basis of one")
    measured = row.chain_stage_state in (StageState.PASSED, StageState.FAILED)
    if row.chain_stage_basis is ChainStageBasis.DERIVED and not measured:
        yield Violation("6.3", row.id, "its stage is derived and neither passed nor failed")
    if row.signal is not None and row.chain_stage_state is not None:
        yield Violation("6.3", row.id, "a recorded fact colours a stage")
