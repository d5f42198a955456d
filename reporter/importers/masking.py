"""Masks secrets in what importers yield: the one place between them and everything else."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from pydantic import BaseModel

from reporter.credentials import json_may_hold_secret, may_hold_secret
from reporter.errors import Problem
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead
from reporter.importers.naming import short_digest
from reporter.models.manifest import (
    CatalogEntry,
    Criterion,
    Goal,
    Lost,
    Manifest,
    Persona,
    Run,
    Target,
)
from reporter.models.plan import SessionContext
from reporter.models.records import (
    Message,
    Record,
    StepFinish,
    Tool,
    ToolCall,
    ToolResult,
)
from reporter.redaction import IDENTIFIERS, Found, mask_id, mask_text, mask_value

_Other = TypeVar("_Other")
_Model = TypeVar("_Model", bound=BaseModel)
_PlanPart = TypeVar("_PlanPart", Persona, Goal, Target)

# What a call is joined with its tool by. A name is no place for a secret.
_NAMES: Final = IDENTIFIERS | {"toolName", "toolNamePrefix", "builtInToolIds"}
_STEP_TEXTS: Final = ("finish_reason", "model_id", "provider", "response_id")
_TOGETHER: Final = 24
"""Records that are looked at together, once their session may hold a secret."""

_LONG: Final = 1_000
"""Characters from which on a first message, mostly the same policy, is remembered as clean."""


def masked_items(items: Iterator[ImportedItem | _Other]) -> Iterator[ImportedItem | _Other]:
    """Mask what an importer yields, before anything is derived, written or shown of it.

    Ids that join one part with another stay as they are, and with them what belongs
    together. What was masked is counted by kind in each session's head, and in personas,
    goals and targets, each secret once.

    Rule: recording.md section 7, last sentence.
    """
    masking = _Masking()
    for item in items:
        yield masking.item(item)


class _Masking:
    """What is known of a unit of work on its way through."""

    def __init__(self) -> None:
        self._parts: dict[int, tuple[object, object]] = {}
        """Parts of the plan that sessions share, by identity, each with its masked form."""
        self._clean: set[str] = set()

    def item(self, item: ImportedItem | _Other) -> ImportedItem | _Other:
        match item:
            case ImportedSession():
                return self._session(item)
            case Problem():
                return _masked_problem(item)
            case Manifest():
                return _masked_manifest(item)
            case Lost() | CatalogEntry():
                return masked_model(item, {})
            case _:
                return item

    def _session(self, session: ImportedSession) -> ImportedSession:
        head, records = session.head, session.records
        found: Found = {}
        attempt, inferred = head.attempt, head.inferred
        if self._may_hold_secret(head, records):
            looked_through = [*_masked_records(records, found)]
            if any(a is not b for a, b in zip(looked_through, records, strict=True)):
                records = looked_through
            attempt = attempt and masked_model(attempt, found)
            inferred = {name: mask_text(rule, found) for name, rule in inferred.items()}
        persona, goal = self._part(head.persona), self._part(head.goal)
        target = self._part(head.target)
        rubric, planned = self._rubric(head.rubric), head.planned and self._planned(head.planned)
        problem = session.problem and _masked_problem(session.problem)
        is_clean = (
            not found
            and records is session.records
            and persona is head.persona
            and goal is head.goal
            and target is head.target
            and rubric is head.rubric
            and planned is head.planned
            and problem is session.problem
        )
        if is_clean:
            return session
        masked = counted(found)
        head = replace(
            head,
            persona=persona,
            goal=goal,
            target=target,
            attempt=attempt,
            inferred=inferred,
            rubric=rubric,
            masked=masked,
            planned=planned
            and replace(planned, slot=replace(planned.slot, attempt=attempt, masked=masked)),
            # Checks that differ in a secret alone still make two runs.
            own_run_id=head.own_run_id if rubric is head.rubric else head.run_id,
        )
        return replace(session, head=head, records=records, problem=problem)

    def _may_hold_secret(self, head: SessionHead, records: Sequence[Record]) -> bool:
        texts, nested = _texts_of(records)
        if head.attempt is not None and head.attempt.error_message is not None:
            texts.append(head.attempt.error_message)
        if head.inferred:
            nested.append(dict(head.inferred))
        if texts and len(texts[0]) > _LONG:
            texts[0] = self._unless_clean(texts[0])
        return _any_may_hold_secret(texts, nested)

    def _unless_clean(self, text: str) -> str:
        """Return a policy that begins many sessions, or nothing once it is known as clean."""
        if text not in self._clean:
            if may_hold_secret(text):
                return text
            self._clean.add(text)
        return ""

    def _part(self, part: _PlanPart) -> _PlanPart:
        """Return a part of the plan with its secrets masked and counted, worked out once."""
        known = self._parts.get(id(part))
        if known is None:
            known = self._parts[id(part)] = (part, _masked_part(part))
        return cast("_PlanPart", known[1])

    def _rubric(self, rubric: tuple[Criterion, ...]) -> tuple[Criterion, ...]:
        known = self._parts.get(id(rubric))
        if known is None:
            masked = tuple(masked_model(criterion, {}) for criterion in rubric)
            is_same = all(a is b for a, b in zip(masked, rubric, strict=True))
            known = self._parts[id(rubric)] = (rubric, rubric if is_same else masked)
        return cast("tuple[Criterion, ...]", known[1])

    def _planned(self, context: SessionContext) -> SessionContext:
        persona, goal = self._part(context.persona), self._part(context.goal)
        target = self._part(context.target)
        run = _masked_run(context.run)
        parts = ((persona, context.persona), (goal, context.goal), (target, context.target))
        if run is context.run and all(masked is part for masked, part in parts):
            return context
        return replace(context, run=run, persona=persona, goal=goal, target=target)


def _masked_records(records: Sequence[Record], found: Found) -> Iterator[Record]:
    """Yield the records of a session that may hold a secret, looked through where one may be."""
    for start in range(0, len(records), _TOGETHER):
        some = records[start : start + _TOGETHER]
        if not _any_may_hold_secret(*_texts_of(some)):
            yield from some
            continue
        for record in some:
            is_clean = not _any_may_hold_secret(*_texts_of([record]))
            yield record if is_clean else masked_model(record, found)


def counted(found: Found) -> dict[str, int]:
    """Return how many secrets of each kind were masked, in the order of the kinds' names."""
    return dict(sorted(Counter(kind.value for kind in found.values()).items()))


def masked_model(model: _Model, found: Found) -> _Model:
    """Return a record or another model with its secrets masked; the same one where it is clean.

    Args:
        model: Anything that was read.
        found: Takes in what was masked.
    """
    names = _NAMES | {"name"} if isinstance(model, Tool) else _NAMES
    changed: dict[str, Any] = {}
    for field, info in type(model).model_fields.items():
        value = getattr(model, field)
        key = info.alias or field
        masked = mask_id(value) if key in names else _masked_field(key, value, found)
        if masked is not value:
            changed[field] = masked
    for key, value in (model.model_extra or {}).items():
        masked = mask_value({key: value}, found)[key]
        if masked is not value:
            changed[key] = masked
    return model.model_copy(update=changed) if changed else model


def _masked_field(key: str, value: Any, found: Found) -> Any:  # noqa: ANN401  any field's value
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return mask_text(value, found)
    if isinstance(value, BaseModel):
        return masked_model(value, found)
    if isinstance(value, list) and any(isinstance(item, BaseModel) for item in value):
        items = [_masked_field(key, item, found) for item in value]
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    return mask_value(value, found)


def _masked_part(part: _PlanPart) -> _PlanPart:
    found: Found = {}
    if not _nested_may_hold_secret([part]):
        return part
    masked = masked_model(part, found)
    if masked is part:
        return part
    more: dict[str, Any] = {"masked": counted(found)}
    if isinstance(part, Persona):
        more["persona_ref_id"] = _persona_id(part.persona_ref_id, part.name)
    return masked.model_copy(update=more)


def _persona_id(ref_id: str | None, name: str) -> str | None:
    """Return a persona's id; one that only a masked name told apart gets one made of it."""
    if ref_id is not None or mask_text(name) == name:
        return ref_id
    return f"persona-{short_digest(name)}"


def _masked_run(run: Run) -> Run:
    if not _nested_may_hold_secret([run]):
        return run
    masked = masked_model(run, {})
    ref_id = _persona_id(run.persona_ref_id, run.persona_name)
    return (
        masked
        if ref_id == run.persona_ref_id
        else masked.model_copy(update={"persona_ref_id": ref_id})
    )


def _masked_manifest(manifest: Manifest) -> Manifest:
    return masked_model(manifest, {}).model_copy(
        update={
            "personas": [_masked_part(persona) for persona in manifest.personas],
            "goals": [_masked_part(goal) for goal in manifest.goals],
            "targets": [_masked_part(target) for target in manifest.targets],
            "runs": [_masked_run(run) for run in manifest.runs],
        }
    )


def _masked_problem(problem: Problem) -> Problem:
    what, place = mask_text(problem.what), mask_text(problem.place)
    if (what, place) == (problem.what, problem.place):
        return problem
    return replace(problem, what=what, place=place)


def _texts_of(records: Sequence[Record]) -> tuple[list[str], list[object]]:
    """Return the texts of a session, and what has texts inside it."""
    texts: list[str] = []
    nested: list[object] = []
    last: object = None
    for record in records:
        values, kind = record.__dict__, type(record)
        if kind is Message:
            last = values["content"]
        elif kind is ToolCall:
            nested.append(values["args"])
            last = None
        elif kind is ToolResult and values["error"] is None:
            # Mostly the text of the message before it.
            last = None if values["result"] is last else values["result"]
        elif kind is StepFinish:
            # Counts of tokens would look like tokens.
            texts.extend(text for key in _STEP_TEXTS if (text := values[key]) is not None)
            last = None
        else:
            nested.append(values)
            last = None
        if isinstance(last, str):
            texts.append(last)
        elif last is not None:
            nested.append(last)
        if values["inferred"] is not None and (not nested or nested[-1] is not values["inferred"]):
            nested.append(values["inferred"])
        if record.__pydantic_extra__:
            nested.append(record.__pydantic_extra__)
    return texts, nested


def _any_may_hold_secret(texts: Sequence[str], nested: Sequence[object]) -> bool:
    """Tell whether there is anything to look for; mostly there is not.

    All texts are looked at at once: those of one kind of character as one text, for which
    nothing has to be encoded, and all that has parts as one JSON text.
    """
    plain = "\n".join([text for text in texts if text.isascii()])
    other = "\n".join([text for text in texts if not text.isascii()])
    return (
        (bool(plain) and may_hold_secret(plain))
        or (bool(other) and may_hold_secret(other))
        or (bool(nested) and _nested_may_hold_secret(nested))
    )


def _nested_may_hold_secret(nested: Sequence[object]) -> bool:
    try:
        return json_may_hold_secret(_JSON.encode(nested))
    except (ValueError, RecursionError):
        # What has no JSON form, or too deep a one, is looked through piece by piece.
        return True


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return {**value.__dict__, **(value.model_extra or {})}
    return str(value)


_JSON: Final = json.JSONEncoder(ensure_ascii=False, check_circular=False, default=_plain)
