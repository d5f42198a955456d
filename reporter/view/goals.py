"""Each goal as each persona tried it: outcome, chain, evidence."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reporter.findings.fold import first_failed, fold
from reporter.findings.people import is_recorded
from reporter.models.chain import Chain
from reporter.models.facts import SessionFacts
from reporter.models.plan import PersonaKey
from reporter.view.anchor import goal_anchor, run_anchor
from reporter.view.chain import ChainView, chain_view, mini_chain, published_chain
from reporter.view.erring import tools_with_errors
from reporter.view.evidence import Evidence, evidence_of
from reporter.view.matrix import GROUPED_FROM
from reporter.view.outcomes import is_met, words_by_disposition
from reporter.view.outline import Outline, RunRef, slot_kind
from reporter.view.places import Places
from reporter.view.ranking import missed_note, severity
from reporter.view.text import capital, plural, sentence, set_width
from reporter.view.tone import ToneMark, tone_mark
from reporter.view.weight import FIRST_GOALS, WHOLE_RUNS
from reporter.vocabulary import StageState, Tone, tone_of

OPEN_LIMIT: Final = 20
"""Runs that stand open where goals are few."""
OPEN_GOALS: Final = 3
"""Goals that stand open where goals are many."""
LONG_NAME: Final = 22
"""Letters of a persona's name from which on it has a line nearly to itself."""

_LINE: Final = (
    "It is as thick as the share of sessions that went on, solid where that was seen, barred "
    "where it is not known, dotted where nothing went on."
)
_LINE_OF_A_DOCUMENT: Final = (
    "It is barred throughout: how many sessions went on, a document alone does not say."
)


@dataclass(frozen=True, slots=True)
class RunBlock:
    """One persona's run of one goal, over all its targets."""

    anchor: str
    mark: ToneMark
    persona: str
    """Who tried it, with which run it is where there are several; empty where the wave records
    nobody at all and the goal has one run, so that there is nothing to tell apart."""
    sessions: str
    """Such as `3 Lost, 1 Uneasy, of 4 sessions`."""
    first_failed: str
    """Such as `First failed link: selection`: never that it caused anything."""
    open: bool
    chain: ChainView | None
    """None where no session started, or where the document came without a recording."""
    no_chain: str
    """Why there is no chain; empty where there is one."""
    evidence: Evidence
    keys: str
    """What the page's filter compares: places of persona and goal; of each session that differs
    in them the target's place, outcome, first failed link, signals and places of the tools that
    returned an error; of each finding the target's place, what it rests on and how far it
    speaks. Parts stand after bars, sessions and findings after spaces, what is of one of them
    after colons, its signals and tools after pluses."""
    in_words: str = ""
    """The chain in one line, where the page has no room to draw it; else empty."""


@dataclass(frozen=True, slots=True)
class GoalBlock:
    """One goal, and everybody who tried it."""

    anchor: str
    title: str
    short_title: str
    text: str
    """The authored text where it says more than the title; may be empty."""
    targets: str
    """Labels of the targets, where the wave has several; may be empty."""
    mark: ToneMark
    """The fold over the personas."""
    note: str
    """Such as `Blocked for 3 of 3 personas. 12 sessions planned, 12 started, 10 graded.`"""
    runs: tuple[RunBlock, ...]
    """The worst first."""
    open: bool

    @property
    def words(self) -> tuple[tuple[ToneMark, int], ...]:
        """How many runs ended with which word, the worst first; for a line that names nobody."""
        return tuple(Counter(run.mark for run in self.runs).items())

    @property
    def keys(self) -> str:
        """The keys of all its runs."""
        return ";".join(run.keys for run in self.runs)


@dataclass(frozen=True, slots=True)
class GoalsView:
    """The goals section."""

    goals: tuple[GoalBlock, ...]
    """Those not met most often first."""
    lead: str
    """What one entry is."""
    folded: bool
    """True: goals are many, so each folds into one line."""
    unit: str
    """What an entry is when entries are counted: goals, persona and goal pairs, or runs."""
    opened: str
    """How many stand open and how many are closed, where not all stand open; may be empty."""
    brief: str
    """Which runs are drawn and which are said in words; empty where all are drawn."""
    first: int
    """Goals that a long page begins with; the others wait to be built."""
    has_chains: bool
    line: str
    """How thick the line of a chain is, and what that says, in a sentence."""
    key: tuple[tuple[str, str, str], ...]
    """Marks of link states that occur: mark name, tone, words."""
    long_names: bool
    """True: what personas are called takes more room than usual."""


def goals_view(
    outline: Outline,
    shown: Places,
    names: Mapping[str, str],
    causes: Mapping[str, int],
    *,
    late: bool = False,
) -> GoalsView:
    """Lay the goals out.

    Args:
        outline: The wave.
        shown: Where each session is shown.
        names: How each session is called.
        causes: Number of each cause, by mechanism id.
        late: The page is long: goals are closed to a line, and of many runs only the first
            are drawn.

    Rule: report.md section 3.5.
    """
    by_goal = outline.runs_of_goal()
    order = sorted(by_goal, key=lambda goal_id: severity(by_goal[goal_id]))
    folded = late or len(order) >= GROUPED_FROM
    drawn = 0
    opened = 0
    blocks = []
    for position, goal_id in enumerate(order):
        runs = sorted(by_goal[goal_id], key=lambda run: severity([run]))
        made = []
        turns = _turns(by_goal[goal_id])
        for run in runs:
            failing = tone_of(run.disposition) is Tone.FAIL and opened < OPEN_LIMIT
            is_open = (failing or len(outline.runs) == 1) and not folded
            opened += is_open
            evidence = evidence_of(outline, run, shown, names, causes)
            drawn += 1
            is_brief = late and drawn > WHOLE_RUNS
            block = _run_block(outline, run, evidence, is_open=is_open, is_brief=is_brief)
            made.append(replace(block, persona=_who(block.persona, turns[run.run_id])))
        blocks.append(
            _goal_block(
                outline,
                goal_id,
                runs,
                made,
                folded and position < OPEN_GOALS and made[0].mark.tone is Tone.FAIL,
            )
        )
    return GoalsView(
        goals=tuple(blocks),
        lead=_lead(outline),
        folded=folded,
        unit=_unit(outline.runs),
        opened=_opened_words(blocks, by_goal, folded=folded),
        brief=_brief_words(drawn, late=late),
        first=FIRST_GOALS if late else len(blocks),
        has_chains=any(run.chain for block in blocks for run in block.runs),
        line=_LINE if outline.recorded else _LINE_OF_A_DOCUMENT,
        key=_key(blocks),
        long_names=any(
            set_width(run.persona) > LONG_NAME for block in blocks for run in block.runs
        ),
    )


def _lead(outline: Outline) -> str:
    if not outline.runs:
        return "No session was planned, so there is no goal to show."
    lead = "Each goal with its sessions; no persona was recorded."
    if any(map(is_recorded, outline.personas)):
        lead = "Each goal as each persona tried it."
    return f"{lead} Counts at a link are of started sessions." if outline.recorded else lead


def _unit(runs: Sequence[RunRef]) -> str:
    if len({run.goal_id for run in runs}) == len(runs):
        return "goals"
    pairs = {(run.persona, run.goal_id) for run in runs}
    known = all(is_recorded(run.persona) for run in runs)
    return "persona and goal pairs" if known and len(pairs) == len(runs) else "runs"


def _turns(runs: Sequence[RunRef]) -> dict[str, str]:
    """Say of each run which of its persona's runs of the goal it is; mostly nothing."""
    whole = Counter(run.persona for run in runs)
    seen = Counter[PersonaKey]()
    said = {}
    for run in runs:
        seen[run.persona] += 1
        total = whole[run.persona]
        said[run.run_id] = f"run {seen[run.persona]:,} of {total:,}" if total > 1 else ""
    return said


def _who(persona: str, turn: str) -> str:
    if persona and turn:
        return f"{persona}, {turn}"
    return persona or capital(turn)


def _opened_words(
    blocks: Sequence[GoalBlock], by_goal: Mapping[str, Sequence[RunRef]], *, folded: bool
) -> str:
    if folded:
        opened = sum(block.open for block in blocks)
        return f"{plural(opened, 'goal')} open, {plural(len(blocks) - opened, 'more goal')} closed."
    failing = sum(
        tone_of(run.disposition) is Tone.FAIL for runs in by_goal.values() for run in runs
    )
    left = failing - OPEN_LIMIT
    return (
        f"{OPEN_LIMIT} are open, and {left:,} more that were not met are closed."
        if left > 0
        else ""
    )


def _brief_words(runs: int, *, late: bool) -> str:
    left = runs - WHOLE_RUNS
    if not late or left <= 0:
        return ""
    return (
        f"The first {plural(WHOLE_RUNS, 'run')} are drawn with all their evidence; of"
        f" {left:,} more the chain is in words, and their checks, friction and refusals stand"
        " at their sessions."
    )


def _key(blocks: Sequence[GoalBlock]) -> tuple[tuple[str, str, str], ...]:
    said = {
        "ok": "passed",
        "fail": "failed",
        "never": "never ran: an earlier link failed",
        "unknown": "not measured",
        "na": "not applicable",
    }
    found = {
        link.mark.mark: link.mark.tone.value
        for block in blocks
        for run in block.runs
        if run.chain
        for link in run.chain.links
    }
    return tuple((mark, found[mark], words) for mark, words in said.items() if mark in found)


def _goal_block(
    outline: Outline,
    goal_id: str,
    runs: Sequence[RunRef],
    blocks: Sequence[RunBlock],
    is_open: bool,
) -> GoalBlock:
    goal = outline.goals[goal_id]
    used = {cell.target_id: None for run in runs for cell in run.cells}
    targets = ", ".join(outline.targets[target_id].label for target_id in used)
    note = missed_note(runs)
    return GoalBlock(
        anchor=goal_anchor(goal_id),
        title=goal.title,
        short_title=goal.short_title,
        text=goal.text,
        targets=targets if len(outline.targets) > 1 else "",
        mark=tone_mark(fold([run.disposition for run in runs])),
        note=f"{capital(note)}.{_sessions_note(outline, runs)}",
        runs=tuple(blocks),
        open=is_open,
    )


def _sessions_note(outline: Outline, runs: Sequence[RunRef]) -> str:
    facts = [fact for run in runs for fact in run.facts]
    if not facts:
        return ""
    started = sum(fact.started for fact in facts)
    graded = sum(fact.is_graded for fact in facts)
    whole = f"{plural(len(facts), 'session')} {slot_kind(outline)}"
    return f" {whole}, {started:,} started, {graded:,} graded."


def _run_block(
    outline: Outline, run: RunRef, evidence: Evidence, *, is_open: bool, is_brief: bool
) -> RunBlock:
    facts = run.facts
    person = outline.personas[run.persona]
    alone = facts[0].chain if is_brief and len(facts) == 1 else None
    chain = None
    if alone is None:
        chain = chain_view(facts) if outline.recorded else published_chain(run.rows)
    return RunBlock(
        anchor=run_anchor(run.run_id),
        mark=tone_mark(run.disposition),
        persona=person.name if any(map(is_recorded, outline.personas)) else "",
        sessions=_sessions_words(run),
        first_failed=_first_failed(run, chain) if alone is None else _first_failed_of(facts[0]),
        open=is_open,
        chain=None if is_brief else chain,
        no_chain="" if chain or alone else _no_chain(outline, run),
        evidence=evidence,
        keys=_keys(outline, run),
        in_words=_chain_words(chain, alone) if is_brief else "",
    )


def _chain_words(chain: ChainView | None, alone: Chain | None) -> str:
    if alone is not None:
        return sentence(mini_chain(alone).words)
    return chain.label if chain else ""


def _first_failed_of(fact: SessionFacts) -> str:
    """Say the same of a single session without working its drawing out."""
    chain = fact.chain
    stage = first_failed(chain)
    if stage is not None:
        met = ", and the goal was still met" if is_met(fact) else ""
        return f"First failed link: {stage.label.lower()}{met}"
    measured = {StageState.PASSED, StageState.FAILED}
    if chain is not None and any(row.state in measured for row in chain.rows):
        return "No measured link failed"
    return "No link was measured"


def _keys(outline: Outline, run: RunRef) -> str:
    places = outline.target_places
    # What is asked of a session at once must hold of one session, and the same of a finding.
    sessions: Iterable[object] = (
        ":".join(
            (
                str(places[fact.target_id]),
                fact.disposition.value,
                stage.value if (stage := first_failed(fact.chain)) is not None else "",
                "+".join(dict.fromkeys(match.signal.value for match in fact.signals)),
                "+".join(str(outline.tool_places[tool]) for tool in tools_with_errors(fact)),
            )
        )
        for fact in run.facts
    )
    # Without a recording an outcome is known of each target, and no session is.
    cells: Iterable[object] = (
        f"{places[cell.target_id]}:{cell.disposition.value}:::" for cell in run.cells
    )
    findings: Iterable[object] = (
        f"{places[cell.target_id]}:{row.finding.basis.value}:{row.finding.scope_level.value}"
        for cell in run.cells
        for row in cell.rows
    )
    parts = (
        (outline.persona_places[run.persona],),
        (outline.goal_places[run.goal_id],),
        sessions if run.facts else cells,
        findings,
    )
    return "|".join(" ".join(dict.fromkeys(map(str, part))) for part in parts)


def _sessions_words(run: RunRef) -> str:
    facts = run.facts
    if not facts:
        count = len({session for row in run.rows for session in row.finding.session_ids})
        return f"{plural(count, 'session')} named by its findings"
    counted = words_by_disposition(facts)
    said = ", ".join(f"{count:,} {mark.word}" for mark, count in counted)
    return f"{said}, of {plural(len(facts), 'session')}" if len(facts) > 1 else "1 session"


def _first_failed(run: RunRef, chain: ChainView | None) -> str:
    if chain is None:
        return ""
    if not chain.first_failed:
        return "No link was measured" if not chain.measured else "No measured link failed"
    if not run.facts:
        # Without a recording the link is what a row names, measured or not.
        return f"Link named: {chain.first_failed.lower()}"
    failed = [fact for fact in run.facts if first_failed(fact.chain) is not None]
    met = all(map(is_met, failed))
    after = ", and the goal was still met" if failed and met else ""
    if not met:
        first = [one for one in failed if _is_first(one, chain.first_failed)]
        if first and all(map(is_met, first)):
            # The run's own word comes from another session, whose link is another.
            after = f", where the goal was still met ({plural(len(first), 'session')})"
    return f"First failed link: {chain.first_failed.lower()}{after}"


def _is_first(fact: SessionFacts, label: str) -> bool:
    stage = first_failed(fact.chain)
    return stage is not None and stage.label == label


def _no_chain(outline: Outline, run: RunRef) -> str:
    if not outline.recorded:
        return "No finding says anything about a link of the chain. That is not a pass."
    if not run.facts:
        return "No session was planned."
    return "No session started, so no link was tried."
