"""Whole waves from a number, valid and as odd as the format allows: every script, every shape.

`random_waves` makes waves whose derivation is hard; these make waves whose page is hard. What
is odd here are words, ids, orders, sizes and what is left out.
"""

import json
from pathlib import Path
from typing import Any

from builders import Json, goal, manifest, persona, run, target
from hostile import TEXTS
from random_waves import KINDS, Dice, said

from reporter.recording.naming import catalog_file, session_file

EMPTY = ("", " ", "\n", "\t \r\n", "\u200b", "\u00a0", "\u2068\u2069", "\ufeff", "\x00")
"""Texts in which a reader sees nothing."""
SCRIPTS = (
    "Взять книгу",
    "図書館で本を借りる。返却日は三月十二日です。",
    "도서관에서 책을 빌리다",
    "استعارة كتاب من المكتبة (3)",
    "השאלת ספר 12 מהספרייה",
    "पुस्तकालय से किताब",
    "ห้องสมุดให้ยืมหนังสือ",
    "Βιβλιοθήκη ΣΊΣΥΦΟΣ",
    "ẛ̣ ǆ ﬁ İstanbul ß ẞ",
    "👩‍👩‍👧‍👦 🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽 1️⃣",
    "𐎀𐎁𐎂 𓀀𓀁",
    "ᠮᠣᠩᠭᠣᠯ ᚠᚢᚦ",
    "e\u0301 e\u0301\u0302\u0303 Z\u0351\u0322\u0300",
)
NAMES_OF_SCRIPTS = ("__proto__", "constructor", "toString", "hasOwnProperty", "undefined", "null")
"""Names that every object of a script already has."""
MARKUP = (
    "# Head\n\n###### Six\n\n> quote\n> > deeper\n\n- a\n  - b\n    1. c\n\n---\n",
    "| a | b |\n|:-:|--:|\n| 1 | 2 | 3 |\n| x |\n",
    "```python\nprint('<b>')\n```\n\n~~~\nno end",
    "[a](http://x.example 't') <http://y.example> ![i](data:image/png;base64,AAAA) https://z.example",
    "**bold *both*** `code ``` ` ~~gone~~ \\* &copy; &#0; <br> <!-- x -->",
    "1. one\n1) two\n+ three\n* four\n\n0. zero\n\n999999999. much",
    "[ref]: javascript:pwned=1 'x'\n\n[ref][] [^1]\n\n[^1]: foot",
    "\t\tcode\n\n    more\n\nSetext\n===\n\nSecond\n---\n",
)
NUMBERS: tuple[Any, ...] = (0, -1, 1, 2**31, 2**53 + 1, -(2**63), 10**30, 1e308, -1e-308, 0.1)
TIMES = (None, 0, 1, -1, 1_767_225_600_000, 253_402_300_799_999, 2**60, -(2**60))
IDS = ("a", "A", "a.b", "a~b", "a_b", "a-b", "..", ".", "-", "_", "con", "a:b", "9", "s1", "S1")


class Odd(Dice):
    """Dice with a stock of odd words; how odd is a matter of the wave."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.oddness = self.pick(5, 25, 60)
        self.longest = self.pick(300, 300, 3_000, 20_000)

    def word(self, usual: str) -> str:
        """Mostly the usual words, else something odd, or both."""
        if not self.chance(self.oddness):
            return usual
        odd: str = self.pick(
            self.pick(*EMPTY),
            self.pick(*SCRIPTS),
            self.pick(*SCRIPTS),
            self.pick(*NAMES_OF_SCRIPTS),
            self.pick(*MARKUP),
            self.pick(*TEXTS.values()),
            self.pick("w", "ש", "漢", "a ", "-", "👍", "\u0301") * self.upto(self.longest),
            self.pick("1", "true", "0", "-", "?", "…", "“”", ":", ";", "|", "s1/m:0"),
        )
        return str(self.pick(odd, odd, f"{usual} {odd}", f"{odd}{usual}"))

    def one(self, usual: str) -> str:
        """The same, but never empty."""
        return self.word(usual) or usual

    def maybe(self, usual: str) -> str | None:
        """The same, or nothing recorded."""
        return self.word(usual) if self.chance(70) else None

    def value(self, depth: int = 0) -> Any:
        """Any JSON."""
        kind = self.upto(9 if depth < 4 else 5)
        if kind <= 1:
            return self.word("The book is on shelf 4.")
        if kind == 2:
            return self.pick(*NUMBERS)
        if kind <= 5:
            return self.pick(None, True, False, "", [], {})
        if kind == 6:
            return json.dumps(self.value(depth + 1))
        if kind <= 7:
            return [self.value(depth + 1) for _ in range(self.upto(4))]
        return self.object(depth + 1)

    def object(self, depth: int = 0) -> Json:
        """A JSON object with keys of any kind."""
        keys = [
            self.word(self.pick("title", "id", "content", "error")) for _ in range(self.upto(4))
        ]
        return {key: self.value(depth + 1) for key in keys}


def odd_wave(seed: int) -> tuple[Json, dict[str, bytes]]:
    """A manifest, and its other files by their place in the wave's folder."""
    odd = Odd(seed)
    personas = _personas(odd)
    goals = [
        goal(ref, odd.word(odd.pick("Borrow a book", f"Goal {ref}")), **said(goal=odd.maybe("Go.")))
        for ref in _names(odd, "g")
    ]
    targets = [_target(odd, name) for name in _names(odd, "t")]
    runs = _runs(odd, personas, goals, targets)
    slots = _slots(odd, runs)
    catalog = {"tools": [_tool(odd, at) for at in range(odd.pick(0, 1, 3, 30))], "complete": True}
    whole = manifest(
        swarmRunGroupId=odd.one("wave-1"),
        swarmName=odd.word("Test wave"),
        createdAt=odd.pick(*TIMES),
        finishedAt=odd.pick(*TIMES),
        terminal=odd.chance(80),
        personas=personas,
        goals=goals,
        targets=targets,
        runs=runs,
        slots=slots,
        catalogs=[{"catalogId": "lib", "tools": catalog["tools"], "complete": odd.chance(70)}],
    )
    if odd.chance(50):
        judge = {"automatic": odd.chance(50), "role": odd.pick("advisory", "required")}
        whole["policy"] = {"judge": judge}
    files = {
        session_file(one["sessionId"]): _session(odd, one, runs)
        for one in slots
        if odd.chance(90) and one["recorded"]
    }
    if odd.chance(30):
        files[catalog_file("other")] = json.dumps(catalog).encode()
    return whole, files


def write_odd_wave(folder: Path, seed: int) -> Path:
    """Write such a wave."""
    whole, files = odd_wave(seed)
    folder.mkdir(parents=True)
    (folder / "wave.json").write_text(json.dumps(whole), encoding="ascii")
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def _names(odd: Odd, before: str) -> list[str]:
    names = [odd.one(f"{before}{at}") for at in range(1 + odd.pick(0, 0, 1, 2, 5))]
    return list(dict.fromkeys(names))


def _personas(odd: Odd) -> list[Json]:
    count = odd.pick(1, 1, 2, 3, 9, 40)
    found: dict[tuple[Any, Any], Json] = {}
    for at in range(count):
        one = persona(
            odd.word(odd.pick("Ana", f"Ana {at}")),
            odd.pick(None, f"p{at}", odd.one("p")),
            **said(role=odd.maybe("A student"), notes=odd.maybe("In a hurry.")),
        )
        found.setdefault((one["personaRefId"], one["name"]), one)
    return list(found.values())


def _target(odd: Odd, name: str) -> Json:
    one = target(
        name,
        odd.word(odd.pick("Desk", f"Desk {name}")),
        id=odd.one("host"),
        modelId=odd.pick(None, odd.word("model-one")),
        **said(
            catalogId=odd.pick(None, "lib"),
            serverNames=odd.pick(None, [odd.word("Library")]),
            temperature=odd.pick(None, 0.5, -3, 1e300),
            toolNamePrefix=odd.pick(None, "lib__", ""),
        ),
    )
    if odd.chance(30):
        one["kind"] = "environment"
        one["environment"] = {"environmentId": "e", "name": odd.word("Env"), "revision": 2}
    return one


def _runs(odd: Odd, personas: list[Json], goals: list[Json], targets: list[Json]) -> list[Json]:
    found = []
    for at in range(min(40, max(1, odd.pick(1, 2, 4, len(personas), len(personas) * len(goals))))):
        who, what = odd.pick(*personas), odd.pick(*goals)
        where = odd.some(*[one["targetId"] for one in targets]) or [targets[0]["targetId"]]
        found.append(
            run(
                odd.pick(f"r{at}", f"{odd.word('run')}{at}"),
                what["journeyRefId"],
                who["name"],
                where,
                personaRefId=who["personaRefId"],
                sessionsPerTarget=odd.pick(1, 1, 1, 2, 5),
                maxTurns=odd.pick(None, 1, 9),
                status=odd.pick("completed", "completed", "failed", "running", "partial"),
                error=odd.pick(None, None, odd.word("It broke.")),
                rubric=[_criterion(odd, name) for name in _names(odd, "c")],
            )
        )
    return found


def _criterion(odd: Odd, name: str) -> Json:
    return {
        "id": name,
        "label": odd.maybe("The book was found"),
        "role": odd.pick("required", "required", "advisory", None),
        "predicate": said(
            type=odd.pick(*KINDS, odd.word("kind")),
            toolName=odd.maybe("find_book"),
            text=odd.maybe("shelf"),
        ),
    }


def _slots(odd: Odd, runs: list[Json]) -> list[Json]:
    found: list[Json] = []
    used: set[str] = set()
    most = odd.pick(6, 6, 20, 60)
    for one in runs:
        for where in one["targetIds"]:
            for index in range(one["sessionsPerTarget"]):
                if len(found) >= most or odd.chance(5):
                    continue
                name = odd.pick(f"s{len(found)}", odd.pick(*IDS), "x" * 199 + str(odd.upto(9)))
                name = f"s{len(found)}" if name in used else name
                used.add(name)
                status = odd.pick(*["succeeded"] * 6, "failed", "rate_limited", "pending")
                attempt = said(
                    status=status,
                    errorCode=odd.pick(None, None, odd.word("boom")),
                    errorMessage=odd.pick(None, None, odd.word("It could not start.")),
                )
                found.append(
                    said(
                        sessionId=name,
                        runId=one["runId"],
                        targetId=where,
                        sessionIndex=index,
                        recorded=odd.chance(92),
                        messageCount=odd.pick(None, None, 0, 3),
                    )
                    | {"attempt": attempt if odd.chance(92) else None}
                )
    return odd.shuffled(found)


def _tool(odd: Odd, at: int) -> Json:
    return said(
        name=odd.pick("find_book", f"tool_{at}", odd.one("tool")),
        title=odd.maybe("Find"),
        description=odd.maybe("Finds a book."),
        inputSchema=odd.pick(None, {"type": "object"}, odd.object()),
        visibility=odd.pick(None, None, ["app"], ["model"]),
    )


def _session(odd: Odd, slot: Json, runs: list[Json]) -> bytes:
    records: list[Json] = []
    if odd.chance(40):
        records.append(
            said(
                type="session_start",
                runId=slot["runId"],
                targetId=slot["targetId"],
                sessionIndex=slot["sessionIndex"],
                personaName=odd.word("Ana"),
                modelId=odd.maybe("model-one"),
            )
        )
    records += [_before(odd) for _ in range(odd.pick(0, 0, 1, 3))]
    talk: list[Json] = []
    for turn in range(odd.pick(0, 1, 1, 2, 6)):
        talk += _turn(odd, turn)
    records += talk
    criteria = next(one["rubric"] for one in runs if one["runId"] == slot["runId"])
    records += _after(odd, criteria)
    lines, index, at = [], 0, odd.pick(*TIMES)
    for seq, record in enumerate(records):
        whole = {"seq": seq, "at": at, **record}
        if whole["type"] == "message":
            whole["index"] = index
            index += 1
        lines.append(json.dumps(whole).encode() + b"\n")
        at = at if at is None or odd.chance(30) else at + odd.pick(0, 1, 1_500, -7, 10**9)
    if odd.chance(8):
        lines.insert(odd.upto(len(lines)), b'{"type": "mess\xff\n')
    return b"".join(lines)


def _before(odd: Odd) -> Json:
    return said(
        **odd.pick(
            {
                "type": "connection",
                "phase": odd.pick("connect", "initialize", "tools_list"),
                "outcome": odd.pick("ok", "failed", "skipped"),
                "serverName": odd.word("Library"),
                "error": {"code": odd.pick(*NUMBERS[:6], "E"), "message": odd.word("Refused")},
                "attributable": odd.pick("server", "client", "network", "unknown"),
                "durationMs": odd.pick(0, -1, 1e300, 12.5),
            },
            {"type": "session_notice", "kind": odd.word("k"), "message": odd.word("Hidden.")},
            {"type": "catalog", "catalogId": odd.pick("lib", "other", "no"), "complete": True},
            {"type": "catalog", "tools": [_tool(odd, 0), _tool(odd, 1)], "view": "model"},
            {"type": odd.one("unheard_of"), "text": odd.value()},
        )
    )


def _turn(odd: Odd, turn: int) -> list[Json]:
    message = {"type": "message", "turnIndex": turn, "author": "client"}
    found: list[Json] = [{**message, "role": "user", "content": _content(odd, "Find a book.")}]
    if turn == 0 and odd.chance(20):
        found.insert(0, {**message, "role": "system", "content": _content(odd, "You help.")})
    for number in range(odd.pick(0, 1, 1, 2, 8)):
        call_id = f"{odd.pick('c', 'call', odd.one('c'))}{turn}-{number}"
        found.append(
            said(
                type="tool_call",
                turnIndex=turn,
                toolCallId=call_id,
                toolName=odd.pick("find_book", "fly", odd.word("tool")),
                args=odd.object(),
                argsInvalid=odd.pick(None, None, True),
                caller=odd.pick(None, None, None, "persona"),
            )
        )
        if odd.chance(85):
            found.append(
                said(
                    type="tool_result",
                    toolCallId=call_id,
                    result=odd.value(),
                    isError=odd.pick(None, False, True),
                    error=odd.pick(None, None, odd.word("No such book.")),
                    mcpErrorCode=odd.pick(None, None, -32602),
                    durationMs=odd.pick(None, 0, 1e300, -5, 17.25),
                    truncated=odd.pick(None, True),
                    rawBytes=odd.pick(None, 0, 10**15),
                    answeredBy=odd.pick(None, None, None, "client"),
                    policyBlocked=odd.pick(None, None, None, True),
                )
            )
    if odd.chance(60):
        found.append(
            said(
                type="step_finish",
                turnIndex=turn,
                stepNumber=odd.pick(0, 1, -1, 10**12),
                finishReason=odd.pick(None, "stop", "length", odd.word("stop")),
                usage=odd.pick(None, {"inputTokens": odd.pick(0, -5, 10**18), "outputTokens": 2}),
                modelId=odd.maybe("model-one"),
            )
        )
    if odd.chance(10):
        found.append({"type": "error", "message": odd.word("Broke."), "details": odd.value()})
    if odd.chance(85):
        found.append({**message, "role": "assistant", "content": _content(odd, "Here it is.")})
    return found


def _content(odd: Odd, usual: str) -> Any:
    if odd.chance(60):
        return odd.word(usual)
    parts: list[Json] = [{"kind": "text", "text": odd.word(usual)} for _ in range(odd.upto(3))]
    if odd.chance(20):
        parts.append(
            {
                "kind": "image",
                "mimeType": odd.word("image/png"),
                "sha256": odd.word("0"),
                "bytes": 9,
            }
        )
    if odd.chance(20):
        parts.append({"kind": "other", "note": odd.word("A file")})
    return parts


def _after(odd: Odd, criteria: list[Json]) -> list[Json]:
    found: list[Json] = []
    if odd.chance(60):
        found.append(
            said(
                type="goal_judge",
                status=odd.pick("completed", "completed", "failed", "running"),
                passed=odd.pick(None, True, False),
                score=odd.pick(None, 0, 1, 0.333333333),
                threshold=odd.pick(None, 0.5, -1e300),
                reason=odd.maybe("Nobody found it."),
                model=odd.maybe("judge-one"),
                error=odd.pick(None, odd.word("Judge broke.")),
            )
        )
    if odd.chance(70):
        results = [
            said(
                criterionId=one["id"],
                passed=odd.chance(60),
                reason=odd.maybe("It said so."),
                status=odd.pick(None, None, "scored", "error"),
                notApplicable=odd.pick(
                    None, None, None, {"class": odd.word("none"), "reason": odd.word("r")}
                ),
            )
            for one in odd.some(*criteria)
        ]
        found.append({"type": "criteria", "status": "completed", "results": results})
    if odd.chance(60):
        found.append(
            said(
                type="grading",
                state=odd.pick("settled", "queued", "unavailable"),
                reasonCode=odd.maybe("x"),
            )
        )
    if odd.chance(40):
        found.append(
            said(
                type="self_report",
                account=odd.word("I could not borrow it."),
                feeling=odd.maybe("annoyed"),
                goalReached=odd.pick(None, "yes", "no", "partly", "unknown"),
            )
        )
    if odd.chance(15):
        found.append(
            {
                "type": "suspected_condition",
                "signal": odd.word("toolErrored"),
                "condition": odd.word("slowServer"),
                "confidence": odd.word("low"),
                "remediation": odd.word("Wait."),
            }
        )
    if odd.chance(20):
        found.append(
            {
                "type": "widget_render",
                "toolName": odd.word("w"),
                "status": odd.word("ok"),
                "consoleErrors": [odd.word("e")],
            }
        )
    if odd.chance(50):
        found.append(
            said(
                type="session_complete",
                status=odd.pick("succeeded", "failed", "rate_limited"),
                endReason=odd.pick("personaEnded", "turnCap", "error", "aborted"),
                errorMessage=odd.maybe("It ended."),
                turnsUsed=odd.pick(None, 0, 3, -4),
            )
        )
    return found
