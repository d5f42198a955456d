"""One log on its way in: its samples as sessions, and what of it is in no session."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.identifiers import SessionId
from reporter.importers.conversation import BrokenElementError, Conversation, Element, object_of
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead, Spot
from reporter.importers.inspect_ai.ending import Close, close_of, never_begun
from reporter.importers.inspect_ai.facts import (
    annulled_by,
    asked_of,
    attachments_of,
    checked_key,
    child_of,
    counted,
    key_of,
    plan_of,
    remarks_of,
    target_of,
    usages_of,
)
from reporter.importers.inspect_ai.log import (
    EvalLog,
    Log,
    RawSample,
)
from reporter.importers.inspect_ai.scores import Scale, scale_of, scores_of
from reporter.importers.inspect_ai.texts import Texts
from reporter.importers.inspect_ai.trace import Trace
from reporter.importers.inspect_ai.transcript import Transcript, has_answer
from reporter.importers.jsonarray import Piece
from reporter.importers.jsontext import BrokenJsonError
from reporter.importers.losses import (
    Losses,
    broken_session,
    left_out,
    lost_rest,
    lost_session,
)
from reporter.importers.mapping import Stated
from reporter.importers.naming import UniqueIds, goal_of, safe_id
from reporter.importers.source import SourceEntry
from reporter.models.manifest import Goal, Target
from reporter.models.records import SessionNotice

_UUID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
ZIP: Final = b"PK"
"""What an `.eval` log begins with."""

# Batches that no member of a ZIP is in: of what a log says of samples without holding them.
_SUMMED_UP: Final = -1
_PLANNED: Final = -2
_MOST_PLANNED: Final = 10_000
_PEEKED: Final = 64
"""Samples that are held back at most until one of them shows what the scorers say."""

_NOT_ASKED: Final = {"messageCount": "the sample broke off before the model answered anything"}


@dataclass(frozen=True, slots=True)
class Unread:
    """A sample that the log sums up and that cannot be read itself."""

    place: str
    reason: str
    spot: Spot | None


@dataclass
class Met:
    """What was met of a log so far, for all that comes behind its samples."""

    losses: Losses
    elements: int = 0
    """Samples read."""
    completed: int = 0
    """Samples that the log holds and that ended without an error."""
    ids: UniqueIds = field(default_factory=UniqueIds)
    seen: set[tuple[str, int]] = field(default_factory=set)
    """Samples that are sessions, by id and epoch."""
    goals: dict[str, Goal] = field(default_factory=dict)
    """What was asked, by the id of the first sample that says it."""
    unreadable: dict[tuple[str, int] | None, Unread] = field(default_factory=dict)
    """Samples that cannot be read and that the log sums up elsewhere."""

    def take(self, later: "Met") -> bool:
        """Put what was met of the next samples behind this; false where it cannot be."""
        if self.seen & later.seen or not self.ids.are_others(later.ids):
            return False
        self.ids.add_all(later.ids)
        self.seen |= later.seen
        self.completed += later.completed
        self.goals = {**later.goals, **self.goals}
        self.unreadable.update(later.unreadable)
        self.losses.add_all(later.losses)
        self.elements += later.elements
        return True


class Reading:
    """One log on its way in.

    Args:
        entry: The file.
        stated: What the user states about it.
    """

    def __init__(self, entry: SourceEntry, stated: Stated) -> None:
        self._entry = entry
        self._stated = stated
        self.met = Met(Losses(entry.name))
        self._target: Target | None = None
        self._scale = Scale()
        self._summarised_keys: set[tuple[str, int] | None] = set()
        self._can_read_alone = entry.head().startswith(ZIP)

    def items(self, log: Log, piece: Piece | None = None) -> Iterator[ImportedItem]:
        """Yield the sessions, what was planned and is not there, and what could not be used."""
        try:
            yield from self.samples(log, piece)
        except BrokenJsonError as error:
            yield from lost_rest(self._entry.name, error)
            self._count_header(log.header)
            yield from self.met.losses.lost()
        else:
            yield from self.close(log)

    def close(self, log: Log) -> Iterator[ImportedItem]:
        """Yield what comes behind the samples, once all were read."""
        self._weigh(log)
        yield from self._summarised(log)
        yield from self._planned(log.header)
        self._count_header(log.header)
        yield from self.met.losses.lost()

    def again(self, log: EvalLog, spot: Spot) -> Iterator[ImportedItem]:
        """Read the sessions of a batch again, each as if it stood alone."""
        if spot.start == _PLANNED:
            known = log.keys | set(map(key_of, log.summaries or ()))
            for place, key in enumerate(plan_of(log.header)):
                if key not in known:
                    yield self._not_begun(log.header, key, place)
            return
        if spot.start != _SUMMED_UP:
            yield from self.samples(log, Piece(spot.start, spot.end))
        for index, summary in enumerate(log.summaries or ()):
            own = key_of(summary)
            if own is not None and (spot.start == _SUMMED_UP or own in self.met.unreadable):
                yield from self._summed_up(log, index, summary)

    def _weigh(self, log: Log) -> None:
        """Tell what the scorers' words mean, where the log sums up its samples."""
        if log.summaries is not None:
            self._summarised_keys = set(map(key_of, log.summaries))
            self._scale = scale_of(log.header, map(scores_of, log.summaries))

    def samples(self, log: Log, piece: Piece | None = None) -> Iterator[ImportedItem]:
        """Yield the sessions, once enough was seen to tell what the scorers' words mean.

        Raises:
            BrokenJsonError: The log breaks off; what was read before was yielded.
        """
        self._weigh(log)
        held: list[RawSample] | None = [] if log.summaries is None else None
        broken: BrokenJsonError | None = None
        try:
            for raw in log.samples(piece):
                self.met.elements += 1
                if held is None:
                    yield from self._sample(log.header, raw)
                    continue
                held.append(raw)
                if _is_scored(raw) or len(held) == _PEEKED:
                    yield from self._release(log.header, held)
                    held = None
        except BrokenJsonError as error:
            broken = error
        if held:
            yield from self._release(log.header, held)
        if broken is not None:
            raise broken

    def _release(self, header: Element, held: Sequence[RawSample]) -> Iterator[ImportedItem]:
        scores = [scores_of(raw.value) for raw in held if isinstance(raw.value, dict)]
        self._scale = scale_of(header, scores)
        for raw in held:
            yield from self._sample(header, raw)

    def _sample(self, header: Element, raw: RawSample) -> Iterator[ImportedItem]:
        file = self._entry.name
        try:
            sample, key = _sound(raw)
        except BrokenElementError as error:
            if raw.key in self._summarised_keys:
                # What the log says of it elsewhere makes it a session all the same.
                where = raw.place + error.place
                self.met.unreadable[raw.key] = Unread(where, error.reason, raw.spot)
            else:
                yield from lost_session(file, raw.place + error.place, error.reason)
            return
        self.met.seen.add(key)
        session_id = self._session_id(sample, key)
        texts = Texts(attachments_of(sample))
        trace = Trace(sample, texts)
        transcript = Transcript(sample, texts, trace)
        scores = scores_of(sample)
        close = close_of(sample, scored=bool(scores))
        inferred, problem = close.inferred, None
        messages = sample.get("messages")
        listed = messages if isinstance(messages, list) else []
        if _never_asked(listed, trace, close):
            # What stands in its messages was made ready and given to nobody.
            inferred = {**inferred, **_NOT_ASKED}
            self.met.losses.no_place(
                raw.place,
                "messages that were made ready for a model, which never answered",
                len(listed),
            )
        else:
            try:
                transcript.build()
            except BrokenElementError as error:
                place = raw.place + error.place
                problem = broken_session(file, place, error.reason, session_id)
                yield left_out(file, place, f"session {session_id}: {problem.what}", "unreadable")
                # Half a conversation would pass for a whole one once it is written down again.
                transcript = Transcript(sample, texts, trace, extra_calls=0)
        conversation = transcript.conversation
        message_count = conversation.message_count if problem is None else counted(listed)
        self._close(conversation, sample, scores, close)
        self._count_sample(raw.place, sample, transcript)
        self.met.completed += sample.get("error") is None
        head = self._head(
            header,
            session_id,
            self._goal(key, sample, texts),
            repetition=key[1],
            attempt=close.attempt,
            message_count=message_count,
            inferred=inferred,
            spot=raw.spot,
        )
        yield ImportedSession(head, conversation.records, problem)

    def _close(
        self, conversation: Conversation, sample: Element, scores: Element, close: Close
    ) -> None:
        """Add how the sample was scored and how it ended."""
        annulled = annulled_by(sample)
        for kind, message in remarks_of(sample, annulled):
            conversation.append(SessionNotice(seq=0, kind=kind, message=message))
        criteria, notices = self._scale.results(scores, annulled=annulled)
        for notice in notices:
            conversation.append(notice)
        self.met.losses.no_place(
            "scores",
            "scores that neither pass nor fail, such as numbers without a threshold; they "
            "stand in the transcripts",
            len(notices),
        )
        if criteria is not None:
            conversation.append(criteria)
        if close.notice is not None:
            conversation.append(close.notice)
        if close.unknown_limit is not None:
            self.met.losses.unknown_type("limit.type", close.unknown_limit, "limits")
        if close.complete is not None:
            conversation.complete(close.complete)

    def _summarised(self, log: Log) -> Iterator[ImportedItem]:
        """Yield the samples that the log only sums up, or whose own member cannot be read."""
        for index, summary in enumerate(log.summaries or ()):
            key = key_of(summary)
            if key is None or key in self.met.seen or summary.get("completed") is False:
                continue
            self.met.seen.add(key)
            self.met.completed += summary.get("error") is None
            yield from self._summed_up(log, index, summary)

    def _summed_up(self, log: Log, index: int, summary: Element) -> Iterator[ImportedItem]:
        file, key = self._entry.name, checked_key(summary)
        session_id = self._session_id(summary, key)
        spot = Spot(_SUMMED_UP, _SUMMED_UP, index, 0)
        member = f"samples/{key[0]}_epoch_{key[1]}.json"
        unread = self.met.unreadable.get(key, Unread(member, "the log does not hold it", spot))
        problem = broken_session(file, unread.place, unread.reason, session_id)
        reason = f"session {session_id}: {problem.what}"
        yield left_out(file, unread.place, reason, "unreadable")
        scores, count = scores_of(summary), summary.get("message_count")
        conversation, close = Conversation(), close_of(summary, scored=bool(scores))
        self._close(conversation, summary, scores, close)
        head = self._head(
            log.header,
            session_id,
            self.met.goals.get(key[0]) or goal_of(key[0], None),
            repetition=key[1],
            attempt=close.attempt,
            message_count=count if type(count) is int and count >= 0 else None,
            inferred=close.inferred,
            spot=unread.spot,
        )
        yield ImportedSession(head, conversation.records, problem)

    def _planned(self, header: Element) -> Iterator[ImportedItem]:
        """Yield the samples that the run planned and that nobody ran, as far as that is known."""
        plan = plan_of(header)
        missing = [(place, key) for place, key in enumerate(plan) if key not in self.met.seen]
        completed = child_of(header, "results").get("completed_samples")
        absent = completed - self.met.completed if isinstance(completed, int) else 0
        is_kept = child_of(child_of(header, "eval"), "config").get("log_samples") is not False
        if header.get("status") in ("cancelled", "error", "started") and is_kept and absent <= 0:
            for place, key in missing[:_MOST_PLANNED]:
                yield self._not_begun(header, key, place)
            self.met.losses.no_place(
                "eval.dataset.sample_ids",
                "planned samples beyond the first ones",
                len(missing) - _MOST_PLANNED,
            )
            return
        if absent > 0:
            self.met.losses.disagreement(
                "results.completed_samples",
                f"samples that the log says were completed, and that it does not hold: "
                f"{absent:,} of {completed:,}",
            )
        elif missing:
            self.met.losses.disagreement(
                "eval.dataset.sample_ids",
                f"samples that the run planned, and that its log does not hold: "
                f"{len(missing):,} of {len(plan):,}",
            )

    def _not_begun(self, header: Element, key: tuple[str, int], place: int) -> ImportedSession:
        attempt, inferred = never_begun(header)
        head = self._head(
            header,
            self._session_id({}, key),
            self.met.goals.get(key[0]) or goal_of(key[0], None),
            repetition=key[1],
            recorded=False,
            attempt=attempt,
            inferred=inferred,
            spot=Spot(_PLANNED, _PLANNED, place, 0) if self._can_read_alone else None,
        )
        return ImportedSession(head)

    def _head(
        self,
        header: Element,
        session_id: SessionId,
        goal: Goal,
        **more: Any,  # noqa: ANN401  fields of the head
    ) -> SessionHead:
        if self._target is None:
            self._target = target_of(header, self._stated)
        return SessionHead(
            session_id=session_id,
            file=self._entry.name,
            persona=self._stated.persona_or(None),
            goal=goal,
            target=self._target,
            rubric=self._scale.criteria,
            **more,
        )

    def _session_id(self, sample: Element, key: tuple[str, int]) -> SessionId:
        """Return an id: a run that goes on where another broke off holds its samples again."""
        own = f"{safe_id(key[0])}.{key[1]}"
        uuid = sample.get("uuid")
        if isinstance(uuid, str) and _UUID.fullmatch(uuid):
            return SessionId(f"{own}.{uuid}")
        return SessionId(self.met.ids.take(f"{self._entry.prefix}.{own}"))

    def _goal(self, key: tuple[str, int], sample: Element, texts: Texts) -> Goal:
        goal = goal_of(key[0], asked_of(sample.get("input"), texts))
        self.met.goals.setdefault(key[0], goal)
        return goal

    def _count_sample(self, place: str, sample: Element, transcript: Transcript) -> None:
        """Count what of a sample is in no record."""
        trace, lost = transcript.trace, self.met.losses
        lost.unmatched(place, transcript.conversation.unmatched_results)
        lost.no_place(
            place,
            "answers of models that no message of the conversation is: those of graders, of "
            "sub-agents, and of tries that were given up",
            sum(not step.used for step in trace.steps),
        )
        lost.no_place(
            place,
            "calls of tools by sub-agents, or of messages that the log no longer holds; they "
            "count in no session",
            transcript.aside_calls,
        )
        lost.no_place(
            place, "calls of the model that failed, and gave no answer", len(trace.failed)
        )
        lost.no_place(place, "calls that an approver changed", trace.modified)
        for kind in trace.unknown:
            lost.unknown_type(place, kind, "events")
        for kind, count in sorted(transcript.texts.lost.items()):
            lost.no_place(place, f"contents of type {kind}", count)
        if sample.get("target") not in (None, "", []):
            lost.no_place(place, "right answers of samples (target): not something that happened")
        if any("total_cost" in usage for usage in usages_of(sample)):
            lost.no_place(place, "what the models cost: a recording has no place for it")

    def _count_header(self, header: Element) -> None:
        if not isinstance(header.get("eval"), dict):
            self.met.losses.add("unreadable", "eval", "the log does not say what was run")
        if header.get("invalidated") is True:
            self.met.losses.no_place("invalidated", "the log says that samples were invalidated")


def _is_scored(raw: RawSample) -> bool:
    return isinstance(raw.value, dict) and bool(scores_of(raw.value))


def _sound(raw: RawSample) -> tuple[Element, tuple[str, int]]:
    if raw.problem is not None:
        raise BrokenElementError("", raw.problem)
    sample = object_of(raw.value)
    return sample, checked_key(sample)


def _never_asked(messages: Sequence[Any], trace: Trace, close: Close) -> bool:
    """Tell whether a sample broke off before a model ever answered."""
    is_broken = close.attempt is not None and close.attempt.status == "failed"
    return is_broken and not has_answer(messages) and not any(not s.aside for s in trace.steps)
