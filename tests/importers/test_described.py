"""What is said of each format is what its importer makes, and the page of the docs says it."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from imported import SAMPLES, results, session, simulation, take, write
from saved_export import save, span, trace
from shared import ROOT

from reporter.cli import main
from reporter.errors import RecordingError
from reporter.importers.described import SAYS
from reporter.importers.formats import formats_page
from reporter.importers.identify import IMPORTERS, identify
from reporter.importers.importer import Importer
from reporter.models.manifest import PERSONA_UNRECORDED, TARGET_UNRECORDED
from reporter.models.records import (
    CatalogRecord,
    Connection,
    Criteria,
    GoalJudge,
    Message,
    Record,
    SessionComplete,
    StepFinish,
    ToolCall,
    ToolCallPart,
    ToolResult,
    ToolResultPart,
)
from reporter.vocabulary import CoverageNote, Signal, StageState

PAGE = ROOT / "docs" / "formats.md"


def stopping(folder: Path) -> Path:
    words = [{"role": "user", "content": "Thanks. ###STOP###"}]
    return write(folder / "runs.json", [session(traj=words)])


def out_of_money(folder: Path) -> Path:
    document = json.loads((SAMPLES / "shelf__desk-7.traj").read_text(encoding="utf-8"))
    document["info"]["exit_status"] = "exit_cost"
    return write(folder / "shelf__desk-7.traj", document)


def failing(folder: Path) -> Path:
    return save(folder / "failing", trace=trace(span("tool", toolCallId="c1", status="error")))


def rewarded(folder: Path) -> Path:
    """Make a trial of Harbor: a trajectory with its result beside it."""
    result = {
        "task_name": "lend-atlas",
        "trial_name": "lend-atlas__x1",
        "agent_info": {"name": "desk-agent"},
        "verifier_result": {"rewards": {"reward": 1.0}},
        "exception_info": None,
    }
    write(folder / "trial" / "result.json", result)
    sample = (SAMPLES / "trajectory.json").read_text(encoding="utf-8")
    write(folder / "trial" / "agent" / "trajectory.json", sample)
    return folder / "trial"


def equipped(folder: Path) -> Path:
    document = results([simulation()])
    document["info"]["environment_info"]["tool_defs"] = {"lend": {"name": "lend", "doc": "Lend."}}
    return write(folder / "results.json", document)


MADE: dict[str, tuple[Callable[[Path], Path], ...]] = {
    "chat-reward": (stopping,),
    "mcpjam-export": (lambda folder: save(folder / "usual"), failing),
    "swe-agent": (out_of_money,),
    "atif": (rewarded,),
    "tau2-results": (equipped,),
}
"""Inputs that are made for a format beside its samples."""


def inputs(importer: Importer, folder: Path) -> Iterator[Path]:
    for path in sorted(SAMPLES.iterdir()):
        try:
            if identify(path).importer.name == importer.name:
                yield path
        except RecordingError:
            continue
    for make in MADE.get(importer.name, ()):
        yield make(folder)


def said_by(record: Record) -> Iterator[str]:
    """Yield what of the table a record says."""
    says: dict[type, Callable[[Any], dict[str, bool]]] = {
        Message: lambda one: {
            "turn": one.role == "user",
            "call": any(isinstance(part, ToolCallPart) for part in one.content),
            "result": any(isinstance(part, ToolResultPart) for part in one.content),
            "error": any(getattr(part, "is_error", None) is not None for part in one.content),
        },
        ToolCall: lambda _: {"turn": True, "call": True},
        ToolResult: lambda one: {
            "result": True,
            "error": (one.is_error, one.error, one.mcp_error_code) != (None, None, None),
            "time": one.duration_ms is not None,
        },
        StepFinish: lambda one: {
            "usage": one.usage is not None,
            "stop_reason": one.finish_reason is not None,
        },
        SessionComplete: lambda one: {"stop_reason": one.end_reason != "unknown"},
        Criteria: lambda _: {"outcome": True},
        GoalJudge: lambda _: {"outcome": True},
        CatalogRecord: lambda _: {"catalog": True},
        Connection: lambda _: {"connection": True},
    }
    said = says.get(type(record), lambda _: {})(record)
    yield from (word for word, holds in said.items() if holds)
    if record.at is not None:
        yield "time"


def made_of(path: Path) -> set[str]:
    taken = take(path)
    made = {"session"}
    for context in taken.contexts.values():
        if context.persona.name != PERSONA_UNRECORDED:
            made.add("persona")
        if context.target.label != TARGET_UNRECORDED:
            made.add("target")
        if context.target.catalog_id is not None:
            made.add("catalog")
        if context.goal.title:
            made.add("goal")
    for recording in taken.recordings.values():
        for record in recording.records:
            made.update(said_by(record))
    return made


@pytest.mark.parametrize("importer", IMPORTERS, ids=lambda importer: importer.name)
def test_what_a_format_is_said_to_say_is_what_is_made_of_it(
    importer: Importer, tmp_path: Path
) -> None:
    made: set[str] = set()
    for path in inputs(importer, tmp_path):
        made |= made_of(path)
    assert made == {word for word in SAYS if getattr(importer.described, word) is not None}


@pytest.mark.parametrize("importer", IMPORTERS, ids=lambda importer: importer.name)
def test_every_consequence_is_a_word_of_the_wire(importer: Importer) -> None:
    words = {word.value for words in (CoverageNote, Signal, StageState) for word in words}
    gaps = importer.described.gaps
    assert {gap.consequence for gap in gaps} <= words
    assert len({gap.what for gap in gaps}) == len(gaps) > 0


@pytest.mark.parametrize("importer", IMPORTERS, ids=lambda importer: importer.name)
def test_what_a_format_does_not_say_is_among_its_gaps(importer: Importer) -> None:
    told = " ".join(gap.what for gap in importer.described.gaps)
    names = {"stop_reason": ("stop", "finish", "end reason"), "outcome": ("outcome", "right")}
    names |= {"connection": ("transport", "connection"), "error": ("error", "failed")}
    for word in ("persona", "target", "outcome", "catalog", "connection", "error", "stop_reason"):
        if getattr(importer.described, word) is None:
            assert any(name in told for name in names.get(word, (word,))), word


def test_the_page_of_the_docs_is_what_the_importers_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == formats_page(IMPORTERS), (
        "swarm-reporter formats --markdown > docs/formats.md"
    )


def test_the_readme_names_every_format() -> None:
    """Who has such recordings must not have to find out that they can be read."""
    readme = (ROOT / "README.md").read_text("utf-8")
    rows = [line for line in readme.splitlines() if line.startswith("| ")]
    assert not [one.name for one in IMPORTERS if not any(f"`{one.name}` |" in row for row in rows)]


def test_the_command_lists_all_formats_and_tells_of_one() -> None:
    runner = CliRunner()
    listed = runner.invoke(main, ["formats"])
    assert all(importer.name in listed.output for importer in IMPORTERS)
    told = runner.invoke(main, ["formats", "tau2-results"])
    assert "termination_reason" in told.output
    assert "no transport evidence: notMeasured" in told.output
    unknown = runner.invoke(main, ["formats", "papyrus"])
    assert unknown.exit_code == 2
    assert "tau2-results" in unknown.output
    page = runner.invoke(main, ["formats", "--markdown"])
    assert page.output == formats_page(IMPORTERS)


def test_every_line_of_a_table_has_all_its_cells() -> None:
    tables = [line for line in formats_page(IMPORTERS).splitlines() if line.startswith("|")]
    for line in tables:
        assert line.replace("\\|", "").count("|") in (3, len(SAYS) + 2), line
