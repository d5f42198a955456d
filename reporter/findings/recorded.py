"""What a recording can say about a document: who belongs to which scope, what a citation means."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reporter.findings.grouping import target_identity
from reporter.models.facts import SessionFacts
from reporter.models.finding import Finding, TargetIdentity
from reporter.models.manifest import Goal, Run
from reporter.models.plan import PersonaKey, Plan
from reporter.vocabulary import ScopeLevel, Signal

TargetKey = tuple[str, str, str, str | None]
"""Kind, id, label and model: what a document tells targets apart by."""

CellKey = tuple[PersonaKey, str, TargetKey]


def persona_key(row: Finding) -> PersonaKey:
    """Return the persona that a row names."""
    return (row.persona.persona_ref_id, row.persona.name)


def target_key(target: TargetIdentity) -> TargetKey:
    """Return a target as documents tell them apart."""
    return (target.kind, target.id, target.label, target.model_id)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A plan and its sessions, indexed by what a document names them by."""

    runs: Mapping[str, Run]
    goals: Mapping[str, Goal]
    sessions: Mapping[str, SessionFacts]
    """By session id, and by the second name that some sources use."""
    by_cell: Mapping[CellKey, Sequence[SessionFacts]]
    by_persona: Mapping[PersonaKey, Sequence[SessionFacts]]
    by_target: Mapping[TargetKey, Sequence[SessionFacts]]
    whole: Sequence[SessionFacts]

    def scope(self, row: Finding) -> Sequence[SessionFacts] | None:
        """Return the sessions that a row may speak for, or None for a scope that is not here."""
        match row.scope_level:
            case ScopeLevel.SESSION | ScopeLevel.GOAL:
                return self.by_cell.get((persona_key(row), row.goal.run_id, target_key(row.target)))
            case ScopeLevel.PERSONA:
                return self.by_persona.get(persona_key(row))
            case ScopeLevel.TARGET:
                return self.by_target.get(target_key(row.target))
            case ScopeLevel.WAVE:
                return self.whole

    def known(self, session_ids: Iterable[str]) -> list[SessionFacts]:
        """Return the facts of the sessions that the recording has."""
        return [self.sessions[each] for each in session_ids if each in self.sessions]


def index_recording(plan: Plan, facts: Sequence[SessionFacts]) -> Recorded:
    """Index a wave for the checks that need its recording."""
    targets = {target.target_id: target_key(target_identity(target)) for target in plan.targets}
    by_cell: dict[CellKey, list[SessionFacts]] = defaultdict(list)
    by_persona: dict[PersonaKey, list[SessionFacts]] = {each.key: [] for each in plan.personas}
    by_target: dict[TargetKey, list[SessionFacts]] = {key: [] for key in targets.values()}
    sessions: dict[str, SessionFacts] = {}
    for session in facts:
        sessions[session.session_id] = session
        persona = (session.persona_ref_id, session.persona_name)
        target = targets[session.target_id]
        by_cell[persona, session.run_id, target].append(session)
        by_persona.setdefault(persona, []).append(session)
        by_target[target].append(session)
    for slot in plan.slots:
        if slot.document_id is not None and slot.session_id in sessions:
            sessions.setdefault(slot.document_id, sessions[slot.session_id])
    return Recorded(
        runs={run.run_id: run for run in plan.runs},
        goals={goal.journey_ref_id: goal for goal in plan.goals},
        sessions=sessions,
        by_cell=by_cell,
        by_persona=by_persona,
        by_target=by_target,
        whole=facts,
    )


def resolves(pointer: str, session: SessionFacts) -> bool:
    """Tell whether a citation's pointer leads to something that the session recorded.

    Rule: findings.md section 9.3, S9.
    """
    kind, _, rest = pointer.partition(":")
    match kind:
        case "m":
            return _is_index(rest) and int(rest) < _messages(session)
        case "t":
            return any(call.tool_call_id == rest for call in session.tool_calls)
        case "c":
            return any(criterion.criterion_id == rest for criterion in session.criteria)
        case "k":
            return rest == "connection" and session.has_connection_record
        case "signal":
            signal, _, turn = rest.partition(":")
            return _is_index(turn) and _shows(signal, int(turn), session)
        case _:
            return False


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _messages(session: SessionFacts) -> int:
    if session.messages_loaded is not None:
        return session.messages_loaded
    return max(session.message_count, (session.last_assistant_index or 0) + 1)


def _shows(signal: str, turn: int, session: SessionFacts) -> bool:
    """Tell whether a session matches a signal, and shows it at this turn."""
    match = next((found for found in session.signals if found.signal == signal), None)
    if match is None or match.turn_index == turn:
        return match is not None
    calls = [call for call in session.tool_calls if call.turn_index == turn]
    calls = [call for call in calls if call.caller == "assistant"]
    match match.signal:
        case Signal.OUTPUT_TRUNCATED:
            finishes = session.finish_reasons
            return any(each.reason == "length" and each.turn_index == turn for each in finishes)
        case Signal.HALLUCINATED_TOOL:
            return any(call.tool_name in session.hallucinated_tools for call in calls)
        case Signal.TOOL_ERRORED:
            return any(call.is_error for call in calls)
        case Signal.NO_TOOL_CALLED | Signal.TURN_CAP_REACHED:
            return False
