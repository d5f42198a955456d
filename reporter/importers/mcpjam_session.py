"""One session of an MCPJam export: its row, its transcript and its trace as records."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from reporter.errors import Problem
from reporter.importers.losses import Losses
from reporter.importers.mcpjam_messages import MessageReader, turns_of
from reporter.importers.mcpjam_rubric import PUBLISHED
from reporter.importers.mcpjam_values import kept, mapping, moment, rows, text, whole
from reporter.models.plan import SessionContext
from reporter.models.records import (
    RECORD,
    Message,
    Record,
    Usage,
)

Json = Mapping[str, Any]

_ENDED: Final = ("succeeded", "failed", "rate_limited")
_NAMED: Final = 10
_REST: Final = "tokens of the turn less those of its other steps"
_OF_SESSION: Final = "sum of the session; its steps are not exported"
_OF_TURN: Final = "said of the turn; its steps are not exported"


@dataclass
class SessionDocuments:
    """What was saved of one session."""

    row: Json = field(default_factory=dict)
    details: Sequence[tuple[str, Json]] = ()
    """Pages of the transcript with their files, in page order."""
    traces: Sequence[tuple[str, Json]] = ()
    feed: Json = field(default_factory=dict)
    by_published: bool = False
    """Its verdict as published is the one check that decides."""


@dataclass
class SessionMaker:
    """Makes the records of one session."""

    context: SessionContext
    documents: SessionDocuments
    losses: Losses
    records: list[Record] = field(default_factory=list)
    problem: Problem | None = None
    """Why part of the transcript is missing."""

    def make(self) -> Sequence[Record]:
        """Return the records: start, what was said and done, grades, end."""
        slot, run = self.context.slot, self.context.run
        row = self.documents.row
        if not (row or self.documents.details):
            return []
        self.add(
            type="session_start",
            at=moment(row.get("startedAt")),
            run_id=run.run_id,
            target_id=slot.target_id,
            session_index=slot.session_index,
            persona_name=run.persona_name,
            model_id=text(row.get("modelId")),
            max_turns=run.max_turns,
        )
        trace = self._trace()
        self._conversation(trace)
        self._readiness(row.get("readiness"))
        self._judge(row.get("goalScore"))
        self._criteria(row.get("criteria"))
        self._verdict(mapping(row.get("verdict")))
        outcome = row.get("outcome")
        if outcome in _ENDED:
            # Why it ended is not exported.
            self.add(
                type="session_complete",
                status=outcome,
                end_reason="unknown",
                at=moment(row.get("lastActivityAt")),
            )
        return self.records

    def add(self, **values: Any) -> None:  # noqa: ANN401  fields of a record
        """Add one record behind the others."""
        self.records.append(RECORD.validate_python({"seq": len(self.records), **values}))

    def place(self, what: str) -> str:
        """Return where in the export something of the session stands."""
        return f"sessions[{self.context.slot.document_id or self.context.slot.session_id}].{what}"

    def _trace(self) -> list[Json]:
        """Return the turns of the trace, by their number; later pages count.

        Rule: import-mcpjam.md section 4.6.
        """
        turns: dict[int, Json] = {}
        wanted = 0
        for file, page in self.documents.traces:
            if page.get("traceVersion") != 1:
                self.losses.add(
                    "unreadable", self.place("traceVersion"), "traces of another version"
                )
                continue
            wanted = max(wanted, whole(page.get("turnCount")) or 0)
            for raw in rows(page.get("turns")):
                at = whole(raw.get("promptIndex"), 0, 100_000)
                if at is None:
                    self.losses.add(
                        "unreadable", f"{file}: turns", "turns of a trace without a number"
                    )
                else:
                    turns[at] = raw
        if turns and wanted > len(turns):
            self.losses.add(
                "unreadable",
                self.place("turns"),
                "turns of a trace that were not saved",
                wanted - len(turns),
            )
        return [turns[at] for at in sorted(turns)]

    def _conversation(self, trace: Sequence[Json]) -> None:
        reader = MessageReader(turns_of(trace), self.losses, self.place("transcript"))
        by_turn: dict[int, list[Message]] = defaultdict(list)
        for message in self._messages(reader):
            by_turn[message.turn_index].append(message)
        traced = {whole(turn.get("promptIndex")) or 0: turn for turn in trace}
        if not self.documents.traces:
            self._session_usage(by_turn)
        spans = _Spans(self, reader)
        for at in sorted({*by_turn, *traced}):
            turn = traced.get(at)
            if turn is not None and moment(turn.get("startedAt")) is not None:
                self.add(type="turn_start", turn_index=at, at=moment(turn.get("startedAt")))
            for message in by_turn.get(at, ()):
                self.records.append(message.model_copy(update={"seq": len(self.records)}))
            if turn is not None:
                spans.add(at, turn)
                if moment(turn.get("endedAt")) is not None:
                    self.add(type="turn_finish", turn_index=at, at=moment(turn.get("endedAt")))

    def _messages(self, reader: MessageReader) -> Iterator[Message]:
        """Yield the messages up to where one is missing."""
        expected = 0
        total: int | None = None
        for file, page in self.documents.details:
            if page.get("transcriptUnavailable") is True:
                return
            total = whole(page.get("messageCount")) if total is None else total
            for number, raw in enumerate(rows(page.get("messages"))):
                index = whole(raw.get("index"))
                if index is not None and index < expected:
                    self.losses.add(
                        "repeated", self.place("messages"), "messages of one number; once counted"
                    )
                    continue
                if index != expected:
                    self._broken(file, f"messages[{number}].index", expected)
                    return
                yield reader.message(raw, index)
                expected += 1
        if not self.documents.details:
            return
        file, last = self.documents.details[-1]
        if last.get("nextMessageIndex") is not None:
            self._broken(file, "nextMessageIndex", expected)
        elif total is not None and total > expected:
            self._broken(file, "messageCount", expected)

    def _broken(self, file: str, place: str, expected: int) -> None:
        self.losses.add("unreadable", self.place(place), "messages that were not saved")
        self.problem = Problem(
            file=file,
            place=place,
            what=f"Message {expected} is missing, and what follows it was not read.",
            remedy="Save every page of the transcript.",
            rule="source-session-unreadable",
            session_id=self.context.slot.session_id,
        )

    def _session_usage(self, by_turn: Mapping[int, Sequence[Message]]) -> None:
        """Add the tokens of the whole session, where no trace says more."""
        said: dict[str, Any] = {}
        for source in (
            self.documents.feed,
            *(mapping(page.get("usage")) for _, page in self.documents.details),
        ):
            said = {**said, **{key: source[key] for key in _CUMULATIVE if key in source}}
        usage = _usage(said, *_CUMULATIVE)
        turns = [at for at, told in by_turn.items() if any(one.role == "assistant" for one in told)]
        if usage is None or not turns:
            return
        self.add(
            type="step_finish",
            turn_index=max(turns),
            step_number=0,
            usage=usage,
            inferred={"usage": _OF_SESSION},
        )

    def _readiness(self, said: object) -> None:
        if not isinstance(said, Mapping):
            return
        values = {key: kept(one) for key, one in said.items() if isinstance(key, str)}
        values |= {"type": "readiness", "seq": len(self.records)}
        try:
            self.records.append(RECORD.validate_python(values))
        except ValidationError:
            self.losses.add("unreadable", self.place("readiness"), "readiness of another form")
        names = said.get("hallucinatedTools")
        if said.get("advertisedToolsKnown") is True and isinstance(names, list) and names:
            shown = ", ".join(name for one in names[:_NAMED] if (name := text(one)))
            self.add(
                type="session_notice",
                kind="published_readiness",
                message=f"The service knew which tools were offered, and names as called without "
                f"being offered: {shown or 'nothing'}. This is its word; no tool list is exported.",
            )

    def _judge(self, said: object) -> None:
        score = mapping(said)
        if not score:
            return
        status = score.get("status")
        if status not in ("running", "completed", "failed"):
            self.losses.unknown_type(self.place("goalScore"), status, "scores of the goal")
            return
        passed = score.get("passed")
        self.add(
            type="goal_judge",
            status=status,
            passed=passed if isinstance(passed, bool) else None,
            score=_share(score.get("score")),
            threshold=_share(score.get("threshold")),
            reason=text(score.get("reason")),
            error=text(score.get("error")),
            model=text(score.get("model")),
        )

    def _criteria(self, said: object) -> None:
        criteria = mapping(said)
        if not criteria or self.documents.by_published:
            return
        status = criteria.get("status")
        if status not in ("pending", "completed", "failed"):
            self.losses.unknown_type(self.place("criteria"), status, "results of checks")
            return
        claimed = criteria.get("criterionIds")
        results = [
            {
                "criterion_id": own,
                "passed": one["passed"],
                "status": one.get("status") if one.get("status") in ("scored", "error") else None,
                "reason": text(one.get("reason")),
            }
            for one in rows(criteria.get("results"))
            if (own := text(one.get("criterionId"))) and isinstance(one.get("passed"), bool)
        ]
        self.add(
            type="criteria",
            status=status,
            generation=whole(criteria.get("generation")),
            criterion_ids=[one for one in claimed if isinstance(one, str)]
            if isinstance(claimed, list)
            else None,
            results=results if isinstance(criteria.get("results"), list) else None,
        )

    def _verdict(self, said: Json) -> None:
        grading = mapping(said.get("grading"))
        state = grading.get("state")
        if state in ("notRequested", "queued", "running", "settled", "unavailable"):
            self.add(type="grading", state=state, reason_code=text(grading.get("reasonCode")))
        word = said.get("verdict")
        if not self.documents.by_published or word not in ("passed", "failed", "inconclusive"):
            return
        self.add(
            type="criteria",
            status="completed",
            results=[
                {
                    "criterion_id": PUBLISHED.id,
                    "passed": word == "passed",
                    "status": "error" if word == "inconclusive" else None,
                    "reason": f"published: {text(said.get('reason')) or 'no reason'}",
                }
            ],
            inferred={"passed": "the verdict that the service published"},
        )


_CUMULATIVE: Final = ("cumulativeInputTokens", "cumulativeOutputTokens")


@dataclass
class _Spans:
    """The spans of one session on their way in."""

    maker: SessionMaker
    reader: MessageReader
    used: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Spans met of each call id."""

    def add(self, at: int, turn: Json) -> None:
        """Add results, errors and steps of one turn."""
        maker = self.maker
        is_known = turn.get("spansUnavailable") is not True and isinstance(turn.get("spans"), list)
        spans = rows(turn.get("spans")) if is_known else []
        if turn.get("spansTruncated") is True:
            maker.losses.add("unreadable", maker.place("spans"), "spans that the service cut")
        if not is_known:
            maker.losses.add(
                "unreadable", maker.place("spans"), "turns of which no spans are exported"
            )
        for span in spans:
            match span.get("category"):
                case "tool":
                    self._tool(span)
                case "error":
                    self._error(at, span)
                case "step" | "llm":
                    pass
                case other:
                    maker.losses.unknown_type(maker.place("spans"), other, "spans")
        self._steps(at, turn, spans)

    def _tool(self, span: Json) -> None:
        maker = self.maker
        wanted = text(span.get("toolCallId")) or ""
        calls = self.reader.uses.get(wanted, [])
        place = self.used[wanted]
        self.used[wanted] += 1
        if place >= len(calls):
            maker.losses.add(
                "unmatched", maker.place("spans"), "tool spans of calls that no message holds"
            )
            return
        start, end = span.get("startMs"), span.get("endMs")
        code = span.get("mcpErrorCode")
        values: dict[str, Any] = {
            "type": "tool_result",
            "tool_call_id": calls[place],
            "is_error": True if span.get("status") == "error" else None,
            "mcp_error_code": code if type(code) is int else None,
        }
        if isinstance(start, int | float) and isinstance(end, int | float) and end >= start:
            values |= {"duration_ms": float(end - start), "timing": "span"}
        if (server := text(span.get("serverId"))) is not None:
            values["serverId"] = server
        maker.add(**values)

    def _error(self, at: int, span: Json) -> None:
        words = next(
            (said for key in ("errorMessage", "message", "name") if (said := text(span.get(key)))),
            "an error without words",
        )
        self.maker.add(type="error", message=words, turn_index=at)

    def _steps(self, at: int, turn: Json, spans: Sequence[Json]) -> None:
        """Add one end a step; its tokens are its model span's, counted once."""
        steps = _by_step(spans, "step")
        models = _by_step(spans, "llm")
        numbers = sorted({*steps, *models})
        usages = [_usage(_tokens(models.get(n), steps.get(n)), *_PLAIN) for n in numbers]
        whole_turn = _usage(mapping(turn.get("usage")), *_PLAIN)
        inferred = self._fill(usages, whole_turn)
        for place, number in enumerate(numbers):
            step = {**mapping(models.get(number)), **_stated(mapping(steps.get(number)))}
            reason = text(step.get("finishReason"))
            if reason is None and place == len(numbers) - 1:
                reason = text(turn.get("finishReason"))
            ttfc = step.get("ttfcMs")
            self.maker.add(
                type="step_finish",
                turn_index=at,
                step_number=number,
                finish_reason=reason,
                usage=usages[place],
                model_id=text(step.get("modelId")) or text(turn.get("modelId")),
                provider=text(step.get("provider")),
                response_id=text(step.get("responseId")),
                ttfc_ms=float(ttfc) if isinstance(ttfc, int | float) else None,
                inferred=inferred.get(place),
            )
        reason = text(turn.get("finishReason"))
        if not numbers and (reason is not None or whole_turn is not None):
            self.maker.add(
                type="step_finish",
                turn_index=at,
                step_number=0,
                finish_reason=reason,
                usage=whole_turn,
                model_id=text(turn.get("modelId")),
                inferred={"stepNumber": _OF_TURN},
            )

    def _fill(self, usages: list[Usage | None], whole_turn: Usage | None) -> dict[int, Json]:
        """Give what the turn's tokens leave over to the steps without tokens of their own."""
        missing = [place for place, usage in enumerate(usages) if usage is None]
        if not missing or whole_turn is None:
            return {}
        known = [usage for usage in usages if usage is not None]
        rest = [_rest(key, whole_turn, known) for key in ("input_tokens", "output_tokens")]
        if None in rest or min(one or 0 for one in rest) < 0:
            self.maker.losses.disagreement(
                self.maker.place("usage"),
                "tokens of a turn that are fewer than those of its steps, which count",
            )
            return {}
        total = _rest("total_tokens", whole_turn, known)
        for place in missing[:-1]:
            usages[place] = Usage(
                input_tokens=0, output_tokens=0, total_tokens=None if total is None else 0
            )
        usages[missing[-1]] = Usage(input_tokens=rest[0], output_tokens=rest[1], total_tokens=total)
        return {place: {"usage": _REST} for place in missing}


_PLAIN: Final = ("inputTokens", "outputTokens", "totalTokens")


def _rest(key: str, turn: Usage, steps: Sequence[Usage]) -> int | None:
    parts: list[int | None] = [getattr(one, key) for one in (turn, *steps)]
    counts = [part for part in parts if part is not None]
    return counts[0] - sum(counts[1:]) if len(counts) == len(parts) else None


def _by_step(spans: Sequence[Json], category: str) -> dict[int, Json]:
    found: dict[int, Json] = {}
    for span in spans:
        if span.get("category") == category:
            number = whole(span.get("stepIndex"))
            found.setdefault(len(found) if number is None else number, span)
    return found


def _tokens(model: Json | None, step: Json | None) -> Json:
    """Return the span that says the tokens of a step: the model's before the step's own."""
    first = mapping(model)
    return first if any(key in first for key in _PLAIN) else mapping(step)


def _stated(span: Json) -> Json:
    return {key: said for key, said in span.items() if said is not None}


def _usage(said: Json, *keys: str) -> Usage | None:
    """Return recorded tokens; zeros are what the service fills in for nothing recorded."""
    counts = [whole(said.get(key)) for key in keys]
    if not (counts[0] or counts[1]):
        return None
    return Usage(
        input_tokens=counts[0],
        output_tokens=counts[1],
        total_tokens=counts[2] if len(counts) > 2 else None,  # noqa: PLR2004  the third key
    )


def _share(said: object) -> float | None:
    if isinstance(said, bool) or not isinstance(said, int | float):
        return None
    return float(said) if 0 <= said <= 1 else None
