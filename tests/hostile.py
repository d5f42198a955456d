"""Waves that carry a text in every field in which a recording may hold one.

The fields are found by reflection over the models, so a field that somebody adds tomorrow is
hostile tomorrow. Each gets a canary of its own before the text, to tell where a text went.
"""

import json
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from builders import Json
from pydantic import BaseModel

from reporter.models.manifest import CatalogFile, Manifest
from reporter.models.records import Record
from reporter.recording.naming import catalog_file, session_file

SESSION = "s1"
REFUSED = "s2"

TEXTS = {
    "script": "<script>pwned=1</script>",
    "closing": (
        "</script></style></title></textarea></noscript></template>--><script>pwned=1</script>"
    ),
    "handler": '"><img src=x onerror=pwned=1>',
    "attribute": "' onmouseover='pwned=1' autofocus onfocus=pwned=1 x='",
    "unquoted": "x onload=pwned=1 style=position:fixed",
    "link": "[click](javascript:pwned=1) <javascript:pwned=1>",
    "image": "![x](https://evil.example/pixel.png) ![y](data:image/svg+xml,<svg/onload=pwned=1>)",
    "template": "{{ 7 * 7 }} {% include 'page.html' %} {# x #} ${7*7} <%= 7*7 %>",
    "cdata": "<![CDATA[ <b>x</b> ]]> ]]> <!-- x --!> <!DOCTYPE x> <?xml version='1.0'?>",
    "entity": "&lt;script&gt;pwned=1&lt;/script&gt; &#x3C;img&#x3E; &NotAnEntity; &amp",
    "bidi": "safe\u202egpj.exe\u2066a\u2067b\u2068c\u2069 \u200fx\u200e\u061c",
    "rtl": "\u05e9\u05dc\u05d5\u05dd (3) \u0645\u0631\u062d\u0628\u0627, 5",
    "zero-width": "zero\u200bwidth\u2060\ufeff\u200d\U000e0041\U000e0042",
    "controls": (
        "\x1b[31mred\x1b[0m\x1b]0;title\x07\x1b]8;;http://evil.example\x07"
        " \x00 \x08 \x7f \x85 \x9b31m"
    ),
    "lines": "one\rtwo\r\nthree\u2028four\u2029five\x0bsix\x0cseven",
    "surrogate": "half \ud800 character \udfff",
    "markdown": (
        "# a\n\n<div onclick=pwned=1>b</div>\n\n| a | b |\n|-|-|\n| <b> | `</code><script>` |\n"
    ),
    "html-block": (
        "<details open ontoggle=pwned=1>\n<svg/onload=pwned=1>\n<iframe src=//evil.example>"
    ),
    "reference": "[x]: javascript:pwned=1\n\n[x] ![x]",
    "css": "} body{display:none} /* */ a:url(//evil.example) \\3c/style> @import '//evil.example';",
    "fragment": "#sessions?persona=x&q=<img src=x onerror=pwned=1>%22%3E%00%",
    "path": "../../../../etc/passwd\\..\\..\\CON:aux",
    "format": "%s %n {0} {0.__class__} $(reboot) `reboot` ; reboot #",
    "marks": "Z" + "\u0351\u0322" * 60,
    "long": "w" * 500,
}
HARMLESS = "plain words"

OWN = {
    # What ties the records of a wave together; ids that may be any text are hostile too.
    "Manifest.swarm_run_group_id": "wave {text}",
    "Goal.journey_ref_id": "goal {text}",
    "Run.journey_ref_id": "goal {text}",
    "Run.run_id": "run {text}",
    "Slot.run_id": "run {text}",
    "SessionStart.run_id": "run {text}",
    "Target.target_id": "target {text}",
    "Slot.target_id": "target {text}",
    "SessionStart.target_id": "target {text}",
    "Run.target_ids": ["target {text}"],
    "Persona.name": "Ana {text}",
    "Run.persona_name": "Ana {text}",
    "SessionStart.persona_name": "Ana {text}",
    "Persona.persona_ref_id": "ref {text}",
    "Run.persona_ref_id": "ref {text}",
    "CatalogEntry.catalog_id": "catalog {text}",
    "Target.catalog_id": "catalog {text}",
    "CatalogRecord.catalog_id": "catalog {text}",
    "Criterion.id": "check {text}",
    "CriterionResult.criterion_id": "check {text}",
    "Criteria.criterion_ids": ["check {text}"],
    "ToolCall.tool_call_id": "call {text}",
    "ToolResult.tool_call_id": "call {text}",
    "ToolCallPart.tool_call_id": "part {text}",
    "ToolResultPart.tool_call_id": "part {text}",
    "Message.tool_call_id": None,
    "BaseRecord.session_id": None,
    # What would make the wave another one.
    "Run.sessions_per_target": 2,
    "Run.max_turns": 9,
    "Run.status": "completed",
    "Attempt.status": "succeeded",
    "Manifest.terminal": True,
    "Slot.session_id": SESSION,
    "Slot.session_index": 0,
    "SessionStart.session_index": 0,
    "Slot.recorded": True,
    "Slot.message_count": None,
    "CatalogEntry.path": None,
    "ToolResult.is_error": True,
    "ToolResult.policy_blocked": None,
    "ToolResult.answered_by": None,
    "ToolCall.caller": None,
    "GoalJudge.status": "completed",
    "GoalJudge.passed": False,
    "Criteria.status": "completed",
    "CriterionResult.passed": False,
    "Grading.state": "settled",
    "SessionComplete.status": "succeeded",
    "Readiness.status": "completed",
}


@dataclass
class Planter:
    """Fills models with a text, and remembers which canary it planted where."""

    text: str
    planted: dict[str, str] = field(default_factory=dict)
    """Canary by the field's name, such as `Persona.notes`."""

    def canary(self, name: str) -> str:
        """The text behind the canary of a field."""
        known = self.planted.setdefault(name, f"zq{len(self.planted):03}qz")
        return f"{known} {self.text}"

    def model(self, kind: type[BaseModel]) -> Json:
        """A model with every field filled, as JSON, and one key more than it knows."""
        made: Json = {}
        for name, info in kind.model_fields.items():
            whole = f"{kind.__name__}.{name}"
            key = info.serialization_alias or info.alias or name
            for owner in (kind, *kind.__mro__):
                if f"{owner.__name__}.{name}" in OWN:
                    made[key] = self._own(whole, OWN[f"{owner.__name__}.{name}"])
                    break
            else:
                made[key] = self.value(info.annotation, whole)
        made[f"x {self.canary(f'{kind.__name__}.(unknown)')}"] = self.text
        return {key: value for key, value in made.items() if value is not None}

    def _own(self, name: str, value: Any) -> Any:
        if isinstance(value, str) and "{text}" in value:
            self.planted.setdefault(name, value.partition(" ")[0])
            return value.format(text=self.text)
        if isinstance(value, list):
            return [self._own(name, one) for one in value]
        return value

    def value(self, annotation: Any, name: str) -> Any:  # noqa: PLR0911  one line a kind of type
        """A value of a type, with the text wherever it may hold one."""
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            return self.value(arguments[0], name)
        if origin in (Union, types.UnionType):
            return self.value(preferred(arguments), name)
        if origin is Literal:
            return arguments[0]
        if origin is list:
            return [self.value(one, name) for one in members(arguments[0])]
        if origin in (dict, Mapping):
            return self.mapping(arguments[1], name)
        if annotation is str:
            return self.canary(name)
        if annotation is bool:
            return True
        if annotation in (int, float):
            return 1 if annotation is int else 0.5
        if annotation is Any:
            return self.anything(name)
        assert isinstance(annotation, type), annotation
        assert issubclass(annotation, BaseModel), annotation
        return self.model(annotation)

    def mapping(self, values: Any, name: str) -> Json:
        """An object whose keys are somebody's words, and its values too where they may be."""
        text = self.canary(name)
        if values is Any:
            return {"isError": text, text: self.anything(name)}
        return {key: self.value(values, name) for key in ("isError", text)}

    def anything(self, name: str) -> Json:
        """A value where any JSON may stand."""
        text = self.canary(name)
        return {
            text: [text, 1, None, True, {"text": text}],
            "content": [{"type": "text", "text": text}],
            "password": f"{text} secret",
        }


def members(annotation: Any) -> list[Any]:
    """Each alternative of a list's items: one of every kind is put into the list."""
    if get_origin(annotation) is Annotated:
        return members(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return list(get_args(annotation))
    return [annotation]


def preferred(alternatives: tuple[Any, ...]) -> Any:
    """The alternative that holds most text."""
    kinds = [one for one in alternatives if one is not type(None)]
    return next(
        (one for one in kinds if get_origin(one) is list),
        str if str in kinds else kinds[0],
    )


@dataclass
class HostileWave:
    """A wave in its files, and where its texts are."""

    manifest: Json
    records: list[Json]
    catalog: Json
    planted: dict[str, str]

    def write(self, folder: Path) -> Path:
        """Write the wave, in ASCII, so that half a character gets as far as JSON lets it."""
        put(folder / "wave.json", [self.manifest])
        put(folder / session_file(SESSION), self.records)
        put(folder / catalog_file("extra"), [self.catalog])
        return folder


def put(path: Path, values: list[Json]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in values), encoding="ascii")


def hostile_wave(text: str) -> HostileWave:
    """A wave with one session that ran and one that was refused, hostile in every field."""
    planter = Planter(text)
    whole = planter.model(Manifest)
    (slot,) = whole["slots"]
    (run,) = whole["runs"]
    run["rubric"] += [{**run["rubric"][0], "id": f"other {text}"}]
    refused = {
        "status": "failed",
        "errorCode": planter.canary("Attempt.error_code"),
        "errorMessage": planter.canary("Attempt.error_message"),
    }
    more = {"sessionId": REFUSED, "sessionIndex": 1, "attempt": refused, "recorded": False}
    whole["slots"] = [slot, {**slot, **more}]
    whole["source"]["files"][0]["sha256"] = "0" * 64
    records = list(_records(planter))
    for seq, record in enumerate(records):
        record["seq"] = seq
        record["at"] = 1_767_225_600_000 + seq * 1_000
    return HostileWave(whole, records, planter.model(CatalogFile), planter.planted)


def hostile_document(text: str, file: Path) -> Path:
    """A findings document that came without its recording, hostile wherever it may be."""
    short = text.translate({ord(digit): None for digit in "0123456789"})[:60].split(" ")[0:6]
    persona = {"personaRefId": f"ref {text}", "name": f"Ana {text}"}
    row = {
        "basis": "verifiedMechanism",
        "scopeLevel": "goal",
        "persona": persona,
        "goal": {"runId": f"run {text}", "journeyRefId": f"goal {text}", "title": f"Title {text}"},
        "target": {
            "kind": "host",
            "id": f"id {text}",
            "label": f"Target {text}",
            "modelId": f"model {text}",
        },
        "population": {"count": 1, "total": 1, "unit": "sessions"},
        "sessionIds": [f"session {text}"],
        "citations": ["s1/m:0", "s1/c:check"],
        "verdictSeen": "failed",
        "chainStage": "call",
        "chainStageState": "failed",
        "chainStageBasis": "reported",
        "coverageNotes": ["judgeNotRun"],
        "disposition": "blockedCallingTool",
        "tone": "fail",
        "outcomePhrase": " ".join(short) or "x",
        "mechanismPhrase": f"phrase {text}",
        "fixPhrase": f"fix {text}",
        "reportExcerpt": None,
        "mechanismId": f"mechanism {text}",
        "id": f"row one {text}",
    }
    report = {
        **row,
        "basis": "sessionReport",
        "scopeLevel": "session",
        "outcomePhrase": None,
        "mechanismPhrase": None,
        "fixPhrase": None,
        "mechanismId": None,
        "reportExcerpt": {
            "actual": f"{text[:200]} happened",
            "account": text[:300],
            "citations": ["s1/m:0"],
        },
        "id": f"row two {text}",
    }
    rollup = {"disposition": "blockedCallingTool", "tone": "fail", "persona": persona}
    counts = dict.fromkeys(("configured", "started", "read", "graded"), 1)
    document = {
        "contractVersion": 1,
        "generatedAt": 1,
        "sourceRevision": f"revision {text}",
        "pipelineVersion": 1,
        "extractionVersion": 1,
        "extractionModel": f"extraction {text}",
        "reasoningModel": f"reasoning {text}",
        "summaryKind": "broken",
        "population": {**counts, "unread": 0, "withdrawn": 0, "limited": 0},
        "coverageNotes": ["judgeNotRun"],
        "disclosure": {"rail": "gateway", "evidenceSent": [f"evidence {text}"]},
        "personas": [{**rollup, "goalRunIds": [f"run {text}"]}],
        "findings": [row, report],
        "verification": {
            "proposed": 1,
            "confirmed": 1,
            "rejected": 0,
            "unverified": 0,
            "omitted": 0,
        },
    }
    put(file, [document])
    return file


def record_models() -> list[type[BaseModel]]:
    """Every kind of record."""
    return list(get_args(get_args(Record)[0]))


def _records(planter: Planter) -> Iterator[Json]:
    made = {kind.__name__: planter.model(kind) for kind in record_models()}
    first = [made.pop(name) for name in ("SessionStart", "Connection", "CatalogRecord")]
    last = [made.pop(name) for name in ("Grading", "SessionComplete")]
    message = made.pop("Message")
    call, result = made.pop("ToolCall"), made.pop("ToolResult")
    yield from first
    yield {**first[1], "phase": "tools_list", "outcome": "failed", "attributable": "client"}
    said = planter.canary("Message.content")
    spoken = [
        ("user", "persona", said),
        ("assistant", "assistant", message["content"]),
        ("system", "client", said),
        ("user", "client", said),
        ("assistant", "assistant", said),
        ("tool", "tool", said),
    ]
    for index, (role, author, content) in enumerate(spoken):
        turn = {"index": index, "turnIndex": 0, "role": role, "author": author}
        answered = {"toolCallId": f"told {planter.text}"} if role == "tool" else {}
        if answered:
            yield {**call, **answered, "turnIndex": 0}
        yield {**message, **turn, **answered, "content": content}
    yield {**call, "turnIndex": 0}
    yield result
    answers: list[Any] = [said, json.dumps({"x": said}), {"content": [{"type": said, "text": 1}]}]
    for number, answer in enumerate(answers):
        own = f"more {number} {planter.text}"
        yield {**call, "turnIndex": 0, "toolCallId": own, "toolName": said}
        yield {**result, "toolCallId": own, "result": answer, "isError": None, "error": None}
    yield {**call, "turnIndex": 0, "toolCallId": "unanswered", "caller": "persona"}
    graded = made["Criteria"]["results"]
    failed = {key: value for key, value in graded[0].items() if key != "notApplicable"}
    graded[:] = [failed, {**graded[0], "criterionId": f"other {planter.text}"}]
    for record in made.values():
        yield {**record, **({"turnIndex": 0} if "turnIndex" in record else {})}
    yield from last


def text_fields() -> set[str]:
    """Every field of every model of a recording that may hold a text of somebody's."""
    found: set[str] = set()
    for kind in (Manifest, CatalogFile, *record_models()):
        _collect(kind, found)
    return found


def _collect(annotation: Any, found: set[str]) -> None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for name, info in annotation.model_fields.items():
            whole = f"{annotation.__name__}.{name}"
            if _holds_text(info.annotation):
                found.add(whole)
            _collect(info.annotation, found)
        return
    for one in get_args(annotation):
        _collect(one, found)


def _holds_text(annotation: Any) -> bool:
    if annotation in (str, Any):
        return True
    if get_origin(annotation) is Literal:
        return False
    return any(_holds_text(one) for one in get_args(annotation))


__all__ = ["HARMLESS", "TEXTS", "HostileWave", "hostile_document", "hostile_wave", "text_fields"]
