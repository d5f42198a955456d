"""Makes the records of one session out of what happened in it, in the order of time."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, Literal

from reporter.importers.otel.calls import Call, Calls
from reporter.importers.otel.meaning import (
    AgentRun,
    CallPart,
    McpPhase,
    ModelCall,
    NotePart,
    ResultPart,
    Spoken,
    Told,
    ToolRun,
)
from reporter.importers.otel.offers import Offers
from reporter.importers.otel.requests import Request, request_of
from reporter.importers.otel.speech import Atom, Atoms, Memory, atoms_of
from reporter.importers.otel.tree import Operation
from reporter.importers.otel.wires import connection_of
from reporter.importers.sound import sound_text
from reporter.models.records import (
    ErrorRecord,
    Message,
    OtherPart,
    Part,
    Record,
    StepFinish,
    TextPart,
)

_TEXT_LIMIT: Final = 1_000_000
_NS_A_MS: Final = 1_000_000
_BY_HISTORY: Final = {"turnIndex": "only the history of a later request holds it"}
_BY_CLIENT: Final = {
    "role": "a text of the user's role that the client put there amid a run",
}
_BEFORE: Final = {
    "role": "history of the first request, which no span of the source shows being said",
}
_BY_AGENT: Final = {"content": "what the agent's span was given or gave back"}

_Role = Literal["system", "user", "assistant"]
_AUTHORS: Final[dict[_Role, Literal["persona", "assistant", "client"]]] = {
    "system": "client",
    "user": "persona",
    "assistant": "assistant",
}
Made = Callable[[int], Record]


class SessionBuilder:
    """The records of one session, as they are added in the order of what happened."""

    def __init__(self, counts: Counter[str], disagreements: list[str]) -> None:
        self._counts = counts
        self._disagreements = disagreements
        self._made: list[Made] = []
        """What makes each record of its number: calls and results are known only at the end."""
        self._calls = Calls(counts, disagreements)
        self._memory = Memory(counts)
        self._atoms = Atoms()
        self._turn = 0
        self._began = False
        self._step = 0
        self._index = 0
        self._heard = 0
        self._system: set[str] = set()
        self._offers = Offers()
        self.first_words: str | None = None
        """What the persona said first, or None."""
        self._opens = True
        """The next request is the first of an agent's run."""
        self.models = 0
        self.tool_runs = 0

    @property
    def message_count(self) -> int:
        """Messages that count and are on record."""
        return self._heard

    def run(self, operations: Sequence[Operation]) -> None:
        """Add one run of the agent: what one trace holds of the session."""
        self._calls.begin_run()
        requests = [
            request_of(one, self._disagreements)
            for one in operations
            if isinstance(one.first.meaning, ModelCall)
        ]
        agents = [one for one in operations if isinstance(one.first.meaning, AgentRun)]
        outer = [one for one in requests if not one.is_inner]
        has_texts = any(one.inputs or one.outputs for one in outer)
        given = None if has_texts else _told_by(agents, "inputs")
        self._opens = True
        by_operation = {id(one.operation): one for one in requests}
        if given is not None:
            self._given(given)
        elif (outer or agents) and not any(one.inputs for one in outer):
            self._next_turn()
        for operation in operations:
            meaning = operation.first.meaning
            if isinstance(meaning, ModelCall):
                self._request(by_operation[id(operation)])
            elif isinstance(meaning, ToolRun):
                self._tool(operation)
            elif isinstance(meaning, McpPhase):
                self._phase(operation.first, meaning)
            elif isinstance(meaning, AgentRun):
                self._agent(operation, meaning, alone=not outer)
        if not has_texts:
            self._gave_back(_told_by(agents, "outputs"), agents)

    def records(self) -> list[Record]:
        """Return all records; call this once, at the end."""
        if not self._offers.is_empty:
            wired = self._calls.names_on_wires()
            self._made.insert(0, lambda seq: self._offers.record(seq, wired))
        return [make(seq) for seq, make in enumerate(self._made)]

    def _given(self, agent: tuple[Operation, tuple[Spoken, ...]]) -> None:
        """Take what the persona said from what an agent's span was given."""
        operation, spoken = agent
        atoms = [atom for atom in atoms_of(spoken) if atom.role != "system"]
        news = self._memory.news(atoms, opens=True)
        self._memory.add(atoms)
        if news.asked is not None:
            self._persona(news.asked, _ms(operation.start_ns), _BY_AGENT)
        else:
            self._next_turn()
        self._opens = False

    def _gave_back(
        self, agent: tuple[Operation, tuple[Spoken, ...]] | None, agents: Sequence[Operation]
    ) -> None:
        if agent is None or not agents:
            return
        operation, spoken = agent
        atoms = [
            atom for atom in atoms_of(spoken) if atom.role == "assistant" and atom.part is None
        ]
        self._memory.add(atoms)
        for atom in atoms[-1:]:
            self._message("assistant", atom.content, _ms(operation.end_ns), _BY_AGENT)

    def _request(self, request: Request) -> None:
        self.models += 1
        at = _ms(request.operation.start_ns)
        if request.is_inner:
            self._inner(request, at)
        else:
            self._heard_of(request, at)
        # A span around the model's own may last until the tools it asked for have run.
        end = _ms(request.operation.spans[-1].end_ns) or _ms(request.operation.end_ns) or at
        self._offers.request(request)
        self._respond(request, end)

    def _heard_of(self, request: Request, at: int | None) -> None:
        """Add what a request holds that was not said before."""
        if request.inputs is None:
            return
        for one in request.inputs:
            if one.role == "system":
                self._instruct(one)
        atoms = [atom for atom in self._atoms.of(request.inputs) if atom.role != "system"]
        news = self._memory.news(atoms, opens=self._opens)
        self._opens = False
        for atom in news.before:
            self._client(atom, at, _BEFORE)
            self._counts["messages of an earlier conversation"] += 1
        for atom in news.middle:
            self._remembered(atom, at)
        for atom in news.client:
            self._client(atom, at, _BY_CLIENT)
            self._counts["texts of the user's role that a client put there"] += 1
        for atom in news.results:
            self._answer(atom, at, may_miss=atom in news.before)
        if news.asked is not None:
            self._persona(news.asked, at)
        self._memory.add([*news.middle, *news.client, *news.before])
        if news.asked is not None:
            self._memory.add([news.asked])
        self._memory.add([atom for atom in news.results if atom not in news.middle])

    def _inner(self, request: Request, at: int | None) -> None:
        """Take a request that a tool made: nothing in it was said to the persona or by it."""
        texts = sum(1 for one in request.inputs or () if one.role != "system")
        self._counts["messages between agents"] += texts + len(request.outputs or ())
        for atom in atoms_of(request.inputs or ()):
            if isinstance(atom.part, ResultPart):
                self._answer(atom, at, may_miss=True)

    def _respond(self, request: Request, at: int | None) -> None:
        """Add what a model answered, with the calls it asked for, and the end of the step."""
        spoken = request.outputs or ()
        atoms = atoms_of(spoken)
        if not request.is_inner:
            self._memory.add(atoms)
            words = tuple(word for atom in atoms if atom.part is None for word in atom.content)
            if spoken:
                self._message("assistant", words, at)
        for atom in atoms:
            if isinstance(atom.part, CallPart):
                known = self._calls.known(atom.part) if atom.part.call_id is None else None
                call = known or self._calls.asked(atom.part, self._turn, at, self._step)
                if call is not None and known is None:
                    self._called(call)
        if request.failed is not None:
            self._failed(request.failed, at)
            if not spoken and request.usage is None:
                return
        usage, step, turn = request.usage, self._step, self._turn
        self._add(
            lambda seq: StepFinish(
                seq=seq,
                at=at,
                turn_index=turn,
                step_number=step,
                finish_reason=request.finish_reason,
                usage=usage,
                model_id=request.model,
                provider=request.provider,
                response_id=request.response_id,
                ttfc_ms=request.first_chunk_ms,
            )
        )
        self._step += 1

    def _tool(self, operation: Operation) -> None:
        self.tool_runs += 1
        at = _ms(operation.start_ns)
        call, is_new = self._calls.ran(operation, self._turn, at)
        if call is None:
            return
        if is_new:
            self._called(call)
        self._result(call, _ms(operation.end_ns) or at)

    def _agent(self, operation: Operation, agent: AgentRun, *, alone: bool) -> None:
        """Take an agent's tools and its failure; what it was given stands elsewhere."""
        self._offers.agent(agent)
        told = operation.first
        if told.is_error and not operation.is_inner and alone:
            self._failed(told, _ms(operation.end_ns))

    def _phase(self, told: Told, phase: McpPhase) -> None:
        if phase.tools is not None:
            self._add(lambda seq: self._offers.listed(seq, phase))
        self._add(lambda seq: connection_of(seq, told, phase))

    def _instruct(self, one: Spoken) -> None:
        for atom in self._atoms.of([one]):
            if atom.content and atom.key[1] not in self._system:
                self._system.add(atom.key[1])
                self._message("system", atom.content, None)

    def _remembered(self, atom: Atom, at: int | None) -> None:
        """Add something that only the history of a later request tells of."""
        if isinstance(atom.part, CallPart):
            call = self._calls.remembered(atom.part, self._turn, at)
            if call is not None:
                self._called(call)
        elif isinstance(atom.part, ResultPart):
            self._answer(atom, at, may_miss=False)
        elif atom.role == "user":
            self._persona(atom, at, _BY_HISTORY)
        elif atom.role == "assistant":
            self._message("assistant", atom.content, at, _BY_HISTORY)

    def _answer(self, atom: Atom, at: int | None, *, may_miss: bool) -> None:
        part = atom.part
        if not isinstance(part, ResultPart):
            return
        call = self._calls.answered(part)
        if call is not None:
            self._result(call, at)
        elif not may_miss:
            self._counts["results without a call"] += 1

    def _client(self, atom: Atom, at: int | None, inferred: dict[str, str]) -> None:
        """Keep words that nobody is known to have said in this session as the client's."""
        content: tuple[str | NotePart, ...] = atom.content
        if isinstance(atom.part, CallPart):
            content = (NotePart(f"a call of {atom.part.name} in an earlier conversation"),)
        elif isinstance(atom.part, ResultPart):
            content = (NotePart("a tool's answer in an earlier conversation"),)
        self._message("system", content, at, inferred)

    def _persona(self, atom: Atom, at: int | None, inferred: dict[str, str] | None = None) -> None:
        self._next_turn()
        if self.first_words is None:
            self.first_words = "\n".join(one for one in atom.content if isinstance(one, str))
        self._message("user", atom.content, at, inferred)

    def _next_turn(self) -> None:
        if self._began:
            self._turn += 1
        self._began = True
        self._step = 0

    def _message(
        self,
        role: _Role,
        content: tuple[str | NotePart, ...],
        at: int | None,
        inferred: dict[str, str] | None = None,
    ) -> None:
        kept, truncated = _kept(content)
        index, turn = self._index, self._turn
        self._index += 1
        self._heard += role != "system"
        self._add(
            lambda seq: Message(
                seq=seq,
                at=at,
                inferred=inferred,
                index=index,
                turn_index=turn,
                role=role,
                author=_AUTHORS[role],
                content=kept,
                truncated=truncated or None,
            )
        )

    def _called(self, call: Call) -> None:
        self._add(lambda seq: self._calls.call_record(call, seq))

    def _result(self, call: Call, at: int | None) -> None:
        if call.is_answered or not call.has_answer:
            return
        call.is_answered, call.answered_at = True, at
        self._add(lambda seq: self._calls.result_record(call, seq))

    def _failed(self, told: Told, at: int | None) -> None:
        turn = self._turn
        words = told.message or "no details recorded"
        self._add(
            lambda seq: ErrorRecord(
                seq=seq,
                at=at,
                message=sound_text(words)[:_TEXT_LIMIT],
                turn_index=turn,
                code=told.error_type,
            )
        )

    def _add(self, make: Made) -> None:
        self._made.append(make)


def _told_by(
    agents: Sequence[Operation], side: Literal["inputs", "outputs"]
) -> tuple[Operation, tuple[Spoken, ...]] | None:
    """Return the outermost agent's messages, where one tells what it was given or gave back."""
    for operation in agents:
        if operation.is_inner:
            continue
        for told in operation.spans:
            held = getattr(told.meaning, side)
            if held:
                return operation, held
    return None


def _kept(content: Sequence[str | NotePart]) -> tuple[str | list[Part], bool]:
    """Return a message's content as it is kept, and whether it was cut."""
    texts = [sound_text(one) for one in content if isinstance(one, str)]
    if len(texts) == len(content):
        whole = "\n".join(texts)
        return whole[:_TEXT_LIMIT], len(whole) > _TEXT_LIMIT
    parts: list[Part] = []
    for one in content:
        if isinstance(one, str):
            parts.append(TextPart(text=sound_text(one)[:_TEXT_LIMIT]))
        else:
            parts.append(OtherPart(note=sound_text(one.note)))
    return parts, False


def _ms(time_ns: int | None) -> int | None:
    return time_ns // _NS_A_MS if time_ns else None
