"""Small sources of our own, and what comes of importing them."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reporter.importers.identify import identify
from reporter.importers.mapping import FileMapping
from reporter.importers.wave import ImportedWave
from reporter.models.manifest import Manifest, Slot
from reporter.models.plan import Plan, SessionContext
from reporter.models.records import Criteria, Message, ToolCall, ToolResult
from reporter.models.session import SessionRecording
from reporter.recording.catalogs import load_catalogs
from reporter.recording.plan import resolve_plan

Json = dict[str, Any]

SAMPLES = Path(__file__).parent / "importers" / "samples"


@dataclass(frozen=True)
class Taken:
    """A source that was read whole."""

    wave: ImportedWave
    contexts: dict[str, SessionContext]
    recordings: dict[str, SessionRecording]
    manifest: Manifest

    @property
    def plan(self) -> Plan:
        catalogs, _, broken = load_catalogs(
            self.manifest.catalogs or (), manifest_file="wave.json", root=None, files={}
        )
        plan, problems = resolve_plan(self.manifest, file="wave.json", catalogs=catalogs)
        assert (broken, problems) == ((), ())
        return plan

    def slot(self, session_id: str) -> Slot:
        return next(slot for slot in self.manifest.slots if slot.session_id == session_id)

    def counts(self) -> Counter[str]:
        """Count what the READMEs of the sources count."""
        counts: Counter[str] = Counter(sessions=len(self.recordings))
        for recording in self.recordings.values():
            for record in recording.records:
                if isinstance(record, Message):
                    counts["messages"] += 1
                    counts["user turns"] += record.role == "user"
                elif isinstance(record, ToolCall):
                    counts["tool calls"] += 1
                elif isinstance(record, ToolResult):
                    counts["tool results"] += 1
                    counts["tool errors"] += record.is_error is True
                elif isinstance(record, Criteria):
                    counts["rewarded"] += record.results is not None and record.results[0].passed
        return counts


def take(path: Path, mapping: FileMapping | None = None) -> Taken:
    wave = ImportedWave(identify(path), mapping or FileMapping())
    contexts: dict[str, SessionContext] = {}
    recordings: dict[str, SessionRecording] = {}
    for context, recording in wave.sessions():
        contexts[recording.session_id] = context
        recordings[recording.session_id] = recording
    return Taken(wave, contexts, recordings, wave.manifest())


def session(task_id: Any = 1, trial: Any = 0, **more: Any) -> Json:
    """One element of a chat-reward file: somebody asks, the assistant answers."""
    return {
        "task_id": task_id,
        "trial": trial,
        "reward": 1.0,
        "info": {
            "task": {"instruction": f"Do task {task_id}."},
            "reward_info": {"reward": 1.0, "info": {"r_actions": 1.0}},
        },
        "traj": [
            {"role": "user", "content": "Please help."},
            {"role": "assistant", "content": "Done."},
        ],
        **more,
    }


def write(path: Path, document: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = document if isinstance(document, str) else json.dumps(document)
    path.write_text(text, encoding="utf-8")
    return path


def results(simulations: list[Any], **more: Any) -> Json:
    """A τ²-bench run of one task."""
    return {
        "info": {
            "num_trials": 1,
            "user_info": {"llm": "model-user"},
            "agent_info": {"llm": "model-agent", "llm_args": {"temperature": 0.5}},
            "environment_info": {"domain_name": "desk"},
        },
        "tasks": [
            {"id": "t", "user_scenario": {"persona": None, "instructions": "Borrow a book."}}
        ],
        "simulations": simulations,
        **more,
    }


def simulation(**more: Any) -> Json:
    return {
        "id": "sim-1",
        "task_id": "t",
        "trial": 0,
        "termination_reason": "user_stop",
        "reward_info": {"reward": 1.0, "reward_breakdown": {"DB": 1.0}},
        "messages": [
            {"role": "assistant", "content": "Hello!"},
            {"role": "user", "content": "A book, please."},
        ],
        **more,
    }
