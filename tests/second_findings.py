"""A second derivation of the findings document, on plain JSON: naive, slow, and on its own.

It reads session facts and a manifest as they are written to disk and shares no code with
the package, so that a rule misread once does not agree with itself.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

Json = dict[str, Any]

DISPOSITIONS = [
    "notRun",
    "blockedConnecting",
    "lostFindingTool",
    "blockedCallingTool",
    "blockedByResponse",
    "goalMissed",
    "goalMetWithFriction",
    "goalMet",
    "notMeasured",
]
FAILING = DISPOSITIONS[1:6]
TONES = {"notRun": "muted", "notMeasured": "muted", "goalMetWithFriction": "warn", "goalMet": "ok"}
NOTES = [
    "sessionScanCapped",
    "budgetExhausted",
    "transcriptMissing",
    "contextTooLarge",
    "extractionRejected",
    "chainUnmeasured",
    "judgeNotRun",
    "sessionsWithdrawn",
    "sessionsRateLimited",
    "partialRead",
    "toolCatalogMissing",
    "mechanismsRejected",
    "analysisUnavailable",
]
SIGNALS = {
    "outputTruncated": ("response", "reply was cut off"),
    "hallucinatedTool": ("discovery", "called a tool that does not exist"),
    "toolErrored": ("response", "a tool call returned an error"),
    "noToolCalled": ("selection", "finished without using any tool"),
    "turnCapReached": ("userValue", "used every allowed turn"),
}
NOBODY: Json = {"personaRefId": None, "name": ""}
NO_GOAL: Json = {"runId": "", "journeyRefId": "", "title": ""}
NO_TARGET: Json = {"kind": "host", "id": "", "label": "", "modelId": None}


@dataclass(frozen=True)
class Beside:
    """What a session recorded that its line of facts does not hold."""

    failed_required: Sequence[str] = ()
    connection_record: bool = False
    judge_reason: str | None = None
    last_assistant: int | None = None


@dataclass(frozen=True)
class Recorded:
    """A wave as plain JSON."""

    manifest: Json
    facts: Sequence[Json]
    beside: Mapping[str, Beside]
    revision: str
    generated_at: int = 0
    scan_cap: int | None = None


def tone(disposition: str) -> str:
    return TONES.get(disposition, "fail")


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def fold(words: Iterable[str]) -> str:
    found = [word for word in words if word != "notRun"]
    for word in [*FAILING, "goalMetWithFriction", "goalMet", "notMeasured"]:
        if word in found:
            return word
    return "notRun"


def folded_verdict(sessions: Sequence[Json]) -> str:
    verdicts = [session["verdict"]["verdict"] for session in sessions]
    for word in ("failed", "inconclusive"):
        if word in verdicts:
            return word
    return "passed" if verdicts and set(verdicts) == {"passed"} else "notEstablished"


def stage_of(session: Json) -> tuple[str | None, str | None, str]:
    rows = (session["chain"] or {"stages": []})["stages"]
    for wanted, stages in (("failed", rows), ("passed", rows[::-1])):
        for row in stages:
            if row["state"] == wanted:
                return row["stage"], wanted, "derived"
    return None, None, "unmeasured"


def person(run: Json) -> Json:
    return {"personaRefId": run["personaRefId"], "name": run["personaName"]}


def by_person(who: Json) -> tuple[str, bool, str]:
    return who["name"], who["personaRefId"] is not None, who["personaRefId"] or ""


class SecondOpinion:
    """Everything that findings.md 6 to 12 derives of a wave, for one recording."""

    def __init__(self, recorded: Recorded) -> None:
        self.recorded = recorded
        self.facts = list(recorded.facts)
        self.runs: list[Json] = recorded.manifest["runs"]
        self.run = {run["runId"]: run for run in self.runs}
        self.targets = self._targets()
        self.people = self._people()

    def _targets(self) -> dict[str, Json]:
        taken: list[Json] = []
        found = {}
        for target in self.recorded.manifest["targets"]:
            same = {"kind": target["kind"], "id": target["id"], "modelId": target["modelId"]}
            whole = {**same, "label": target["label"]}
            number = 2
            while whole in taken:
                whole = {**same, "label": f"{target['label']} ({number})"}
                number += 1
            taken.append(whole)
            found[target["targetId"]] = whole
        return found

    def _people(self) -> list[Json]:
        found: list[Json] = []
        listed = self.recorded.manifest["personas"]
        named = [{"personaRefId": one["personaRefId"], "name": one["name"]} for one in listed]
        for who in [*named, *map(person, self.runs)]:
            if who not in found:
                found.append(who)
        return sorted(found, key=by_person)

    def goal(self, run_id: str) -> Json:
        journey = self.run[run_id]["journeyRefId"]
        titles = {
            one["journeyRefId"]: one["title"] for one in reversed(self.recorded.manifest["goals"])
        }
        return {"runId": run_id, "journeyRefId": journey, "title": titles.get(journey, journey)}

    def cells(self) -> list[tuple[str, str]]:
        """Run and target of every cell, in the order of list 2."""
        order = list(self.targets)

        def place(cell: tuple[str, str]) -> tuple[Any, ...]:
            run = self.run[cell[0]]
            own = run["targetIds"]
            foreign = cell[1] not in own
            at = order.index(cell[1]) if foreign else own.index(cell[1])
            return *by_person(person(run)), self.runs.index(run), foreign, at

        return sorted({(one["runId"], one["targetId"]) for one in self.facts}, key=place)

    def where(self, keep: Callable[[Json], bool]) -> list[Json]:
        return [one for one in self.facts if keep(one)]

    def in_cell(self, cell: tuple[str, str]) -> list[Json]:
        return self.where(lambda one: (one["runId"], one["targetId"]) == cell)

    # Envelope

    def population(self) -> Json:
        started = self.where(lambda one: one["started"])
        read = sum(one["readState"] == "read" for one in started)
        ways = [one["lifecycle"] for one in self.facts]
        return {
            "configured": len(self.facts),
            "started": len(started),
            "read": read,
            "unread": len(started) - read,
            "withdrawn": ways.count("withdrawn"),
            "limited": ways.count("limited"),
            "graded": sum(one["verdict"]["verdict"] in ("passed", "failed") for one in started),
        }

    def notes(self, scope: Sequence[Json], *, wave: bool = False) -> list[str]:
        cap = self.recorded.scan_cap
        beyond = [] if cap is None else self.facts[cap:]
        started = [one for one in scope if one["started"]]
        read = [one for one in started if one["readState"] == "read"]

        def any_state(word: str) -> bool:
            return any(one["readState"] == word for one in started)

        raised = {
            "sessionScanCapped": any_state("scanCapped") or any(one in beyond for one in scope),
            "budgetExhausted": any_state("budgetExhausted"),
            # Beyond the scan cap the read state no longer says it: the session's own notes do.
            "transcriptMissing": any("transcriptMissing" in one["notes"] for one in started),
            "contextTooLarge": any_state("contextTooLarge"),
            "extractionRejected": any_state("extractionRejected"),
            "chainUnmeasured": any(unmeasured(one) for one in read),
            "judgeNotRun": any(
                one["verdict"]["verdict"] not in ("passed", "failed")
                and one["verdict"]["graders"]["judge"] != "scored"
                for one in started
            ),
            "sessionsWithdrawn": any(one["lifecycle"] == "withdrawn" for one in scope),
            "sessionsRateLimited": any(one["lifecycle"] == "limited" for one in scope)
            or any((one["attempt"] or {}).get("status") == "rate_limited" for one in started),
            "partialRead": wave and 0 < len(read) < len(started),
            "toolCatalogMissing": wave and any(not one["catalogComplete"] for one in read),
            "analysisUnavailable": wave
            and any(
                one["messageCount"] > 0 and tone(one["disposition"]) in ("fail", "warn")
                for one in read
            ),
        }
        return [note for note in NOTES if raised.get(note)]

    def summary_kind(self) -> str:
        population = self.population()
        if population["started"] == 0:
            return "notLaunched"
        if 2 * population["read"] < population["started"]:
            return "unread"
        goals = []
        for run in self.runs:
            cells = [cell for cell in self.cells() if cell[0] == run["runId"]]
            goals.append(fold(self.cell_word(cell) for cell in cells))
        if any(word in FAILING for word in goals):
            return "broken"
        if "goalMetWithFriction" in goals:
            return "friction"
        return "landed" if "goalMet" in goals else "ungraded"

    def cell_word(self, cell: tuple[str, str]) -> str:
        return fold(one["disposition"] for one in self.in_cell(cell))

    # Rows

    def row(self, counted: Sequence[Json], scope: Sequence[Json], **more: Any) -> Json:
        disposition = more.get("disposition") or fold(one["disposition"] for one in counted)
        return {
            "basis": "populationFact",
            "persona": NOBODY,
            "goal": NO_GOAL,
            "target": NO_TARGET,
            "sessionIds": sorted(one["sessionId"] for one in counted),
            "citations": [],
            "verdictSeen": folded_verdict(counted),
            "chainStage": None,
            "chainStageState": None,
            "chainStageBasis": "unmeasured",
            "disposition": disposition,
            "tone": tone(disposition),
            "coverageNotes": self.notes(scope),
            "outcomePhrase": None,
            "mechanismPhrase": None,
            "fixPhrase": None,
            "reportExcerpt": None,
            "mechanismId": None,
            "signal": None,
            **more,
        }

    def named(self, cell: tuple[str, str]) -> Json:
        run_id, target_id = cell
        return {
            "scopeLevel": "goal",
            "persona": person(self.run[run_id]),
            "goal": self.goal(run_id),
            "target": self.targets[target_id],
        }

    def outcome_rows(self) -> list[Json]:
        rows = []
        for cell in self.cells():
            scope = self.in_cell(cell)
            word = self.cell_word(cell)
            if word == "notRun":
                counted, total = [one for one in scope if not one["started"]], len(scope)
            else:
                counted = [one for one in scope if one["disposition"] == word]
                total = sum(one["started"] for one in scope)
            seen = {stage_of(one) for one in counted}
            stage = seen.pop() if len(seen) == 1 else (None, None, "unmeasured")
            citations = [
                citation
                for one in sorted(counted, key=lambda one: one["sessionId"])
                for citation in ([] if word == "notRun" else self.cited(one))
            ]
            key = [self.run[cell[0]]["personaRefId"], *cell]
            rows.append(
                self.row(
                    counted,
                    scope,
                    id=f"goal:{compact(key)}",
                    **self.named(cell),
                    population=of(len(counted), total),
                    citations=citations,
                    disposition=word,
                    chainStage=stage[0],
                    chainStageState=stage[1],
                    chainStageBasis=stage[2],
                )
            )
        return rows

    def cited(self, session: Json) -> list[str]:
        name = session["sessionId"]
        beside = self.recorded.beside.get(name, Beside())
        if session["disposition"] == "blockedConnecting" and beside.connection_record:
            return [f"{name}/k:connection"]
        return [f"{name}/c:{each}" for each in beside.failed_required]

    def signal_rows(self) -> list[Json]:
        rows: list[Json] = []
        for signal, (stage, phrase) in SIGNALS.items():
            for cell in self.cells():
                scope = self.in_cell(cell)
                read = [one for one in scope if one["readState"] == "read"]
                counted = [one for one in read if self.key(one) == signal]
                if not counted:
                    continue
                who = self.run[cell[0]]["personaRefId"] or ""
                row_id = name = f"signal:{signal}:{who}:{cell[0]}:{cell[1]}"
                again = 2
                while any(row["id"] == row_id for row in rows):
                    row_id, again = f"{name}#{again}", again + 1
                citations = [
                    f"{one['sessionId']}/signal:{signal}:{one['signalTurns'][signal]}"
                    for one in sorted(counted, key=lambda one: one["sessionId"])
                ]
                rows.append(
                    self.row(
                        counted,
                        scope,
                        id=row_id,
                        **self.named(cell),
                        population=of(len(counted), len(read)),
                        citations=citations,
                        chainStage=stage,
                        chainStageBasis="reported",
                        outcomePhrase=phrase,
                        signal=signal,
                    )
                )
        return rows

    def key(self, session: Json) -> str | None:
        return next((signal for signal in SIGNALS if signal in session["signals"]), None)

    def report_rows(self) -> list[Json]:
        rows = []
        for one in sorted(self.facts, key=lambda one: one["sessionId"]):
            name = one["sessionId"]
            beside = self.recorded.beside.get(name, Beside())
            account = cut(((one["report"] or {}).get("account") or "").strip())
            actual = " ".join((beside.judge_reason or "").split())
            if (
                one["readState"] != "read"
                or not account
                or not 0 < units(actual) <= 1800
                or beside.last_assistant is None
            ):
                continue
            citations = [f"{name}/m:{beside.last_assistant}"]
            stage = stage_of(one)
            rows.append(
                self.row(
                    [one],
                    [one],
                    **{
                        **self.named((one["runId"], one["targetId"])),
                        "id": f"session:{name}",
                        "basis": "sessionReport",
                        "scopeLevel": "session",
                        "population": of(1, 1),
                        "citations": citations,
                        "chainStage": stage[0],
                        "chainStageState": stage[1],
                        "chainStageBasis": stage[2],
                        "reportExcerpt": {
                            "account": account,
                            "actual": actual,
                            "citations": citations,
                        },
                    },
                )
            )
        return rows

    def wider_rows(self) -> list[Json]:
        rows = []
        for who in self.people:
            runs = [run["runId"] for run in self.runs if person(run) == who]
            if len(runs) > 1:
                scope = [one for one in self.facts if one["runId"] in runs]
                name = [who["personaRefId"], who["name"], "notMet"]
                rows += self.not_met(scope, f"persona:{compact(name)}", "persona", persona=who)
        for target_id, target in self.targets.items():
            scope = [one for one in self.facts if one["targetId"] == target_id]
            row_id = f"target:{compact([target_id, 'notStarted'])}"
            rows += self.not_started(scope, row_id, "target", target=target)
            if len(self.targets) > 1:
                row_id = f"target:{compact([target_id, 'notMet'])}"
                rows += self.not_met(scope, row_id, "target", target=target)
        return [*rows, *self.not_started(self.facts, f"wave:{compact(['notStarted'])}", "wave")]

    def not_started(
        self, scope: Sequence[Json], row_id: str, level: str, **who: Json
    ) -> list[Json]:
        counted = [one for one in scope if not one["started"]]
        said = {"disposition": "notRun", "outcomePhrase": "did not start"}
        return self.wider(counted, scope, len(scope), id=row_id, scopeLevel=level, **said, **who)

    def not_met(self, scope: Sequence[Json], row_id: str, level: str, **who: Json) -> list[Json]:
        counted = [one for one in scope if one["disposition"] in FAILING]
        total = sum(one["started"] for one in scope)
        said = {"outcomePhrase": "did not meet the goal"}
        return self.wider(counted, scope, total, id=row_id, scopeLevel=level, **said, **who)

    def wider(
        self, counted: Sequence[Json], scope: Sequence[Json], total: int, **more: Any
    ) -> list[Json]:
        if not counted:
            return []
        return [self.row(counted, scope, population=of(len(counted), total), **more)]

    # Documents

    def lists(self) -> dict[int, list[Json]]:
        return {
            1: [],
            2: self.outcome_rows(),
            3: self.signal_rows(),
            4: self.report_rows(),
            5: self.wider_rows(),
        }

    def kept(self) -> tuple[list[Json], dict[int, int]]:
        """The rows of the wire document, and how many of each list it has no room for."""
        lists = self.lists()

        def outcomes(*wanted: str) -> list[tuple[int, Json]]:
            rows = [row for word in wanted for row in lists[2] if row["disposition"] == word]
            return [(2, row) for row in rows]

        first = [
            *outcomes(*FAILING),
            *outcomes("goalMetWithFriction"),
            *[(3, row) for row in lists[3]],
            *[(5, row) for row in lists[5]],
            *[(4, row) for row in lists[4]],
            *outcomes("notRun", "notMeasured"),
            *outcomes("goalMet"),
        ]
        room = {row["id"] for _, row in first[:200]}
        rows = [row for number in sorted(lists) for row in lists[number] if row["id"] in room]
        left: dict[int, int] = {}
        for number, _ in first[200:]:
            left[number] = left.get(number, 0) + 1
        wire = [
            {**row, "sessionIds": row["sessionIds"][:1000], "citations": row["citations"][:30]}
            for row in rows
        ]
        return wire, left

    def personas(self) -> list[Json]:
        found = []
        rows = [*self.outcome_rows(), *self.signal_rows()]
        for who in self.people:
            word = fold(row["disposition"] for row in rows if row["persona"] == who)
            runs = [run["runId"] for run in self.runs if person(run) == who]
            found.append(
                {"persona": who, "disposition": word, "tone": tone(word), "goalRunIds": runs}
            )
        return found

    def document(self) -> Json:
        return {
            "contractVersion": 1,
            "generatedAt": self.recorded.generated_at,
            "sourceRevision": self.recorded.revision,
            "pipelineVersion": 1,
            "extractionVersion": 1,
            "extractionModel": "",
            "reasoningModel": "",
            "summaryKind": self.summary_kind(),
            "population": self.population(),
            "coverageNotes": self.notes(self.facts, wave=True),
            "disclosure": {"rail": "gateway", "evidenceSent": []},
            "personas": self.personas(),
            "findings": self.kept()[0],
        }


def unmeasured(session: Json) -> bool:
    if session["chain"] is None:
        return True
    states = {row["state"] for row in session["chain"]["stages"]}
    return states <= {"notMeasured", "notApplicable"}


def of(count: int, total: int) -> Json:
    return {"count": count, "total": total, "unit": "sessions"}


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(account: str) -> str:
    """A self-report in at most 600 UTF-16 units."""
    if units(account) <= 600:
        return account
    size = 0
    while units(account[: size + 1]) <= 600:
        size += 1
    for at in range(size, 0, -1):
        if account[at - 1] in ".!?" and account[at].isspace():
            return account[:at]
    for at in range(size, 0, -1):
        if account[at - 1].isspace():
            return account[:at].rstrip()
    return account[:size]


def dumped(document: Json) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


# Recordings on disk


def from_folder(folder: Path, facts: str, **more: Any) -> Recorded:
    """A native wave's folder, and the lines that the facts command wrote of it."""
    manifest = json.loads((folder / "wave.json").read_text("utf-8"))
    rubrics = {run["runId"]: run["rubric"] for run in manifest["runs"]}
    sessions = [json.loads(line) for line in facts.splitlines()]
    files = {unquote(path.stem): path for path in (folder / "sessions").glob("*.jsonl")}
    beside = {
        one["sessionId"]: beside_of(files[one["sessionId"]], rubrics[one["runId"]])
        for one in sessions
        if one["sessionId"] in files
    }
    return Recorded(manifest, sessions, beside, folder_revision(folder), **more)


def beside_of(path: Path, rubric: Sequence[Json]) -> Beside:
    records = []
    for line in path.read_text("utf-8").splitlines():
        try:
            records.append(json.loads(line))
        except ValueError:
            break
    last = {record["type"]: record for record in records}
    results = last.get("criteria", {}).get("results") or []
    failed = {
        one["criterionId"]
        for one in results
        if not one["passed"] and one.get("status") != "error" and "notApplicable" not in one
    }
    said = [one["index"] for one in records if one["type"] == "message"]
    spoken = [
        one["index"] for one in records if one["type"] == "message" and one["role"] == "assistant"
    ]
    assert said == list(range(len(said)))
    judge = last.get("goal_judge", {})
    # Done, and neither a decision nor what would give one: as if never recorded.
    said_something = judge.get("status") != "completed" or "passed" in judge or "score" in judge
    return Beside(
        [one["id"] for one in rubric if one["role"] == "required" and one["id"] in failed],
        any(one["type"] == "connection" for one in records),
        judge.get("reason") if said_something else None,
        spoken[-1] if spoken else None,
    )


def folder_revision(folder: Path) -> str:
    def digest(path: Path) -> str:
        return hashlib.sha256(path.read_bytes()).hexdigest()

    def listed(name: str, suffix: str) -> list[list[str]]:
        paths = (folder / name).glob(f"*{suffix}")
        return sorted([unquote(path.name.removesuffix(suffix)), digest(path)] for path in paths)

    whole = {
        "catalogs": listed("catalogs", ".json"),
        "manifest": digest(folder / "wave.json"),
        "sessions": listed("sessions", ".jsonl"),
    }
    return hashlib.sha256(compact(whole).encode()).hexdigest()
