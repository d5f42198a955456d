"""What an importer may hand over beside sessions: a plan, catalogues, files it takes in."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from imported import results, session, simulation, write
from shared import shared

from reporter.errors import AmbiguousFormatError
from reporter.identifiers import CatalogId
from reporter.importers.chat_reward import ChatReward
from reporter.importers.identify import identify
from reporter.importers.importer import ImportedItem, ImportedSession, SessionHead
from reporter.importers.mapping import FileMapping
from reporter.importers.sniff import only_file
from reporter.importers.source import Look, SourceEntry
from reporter.importers.tau2 import Tau2
from reporter.importers.wave import ImportedWave
from reporter.models.manifest import Attempt, CatalogEntry, Goal, Manifest, Run, Slot
from reporter.models.plan import Catalog, PlannedSlot, SessionContext
from reporter.models.records import CatalogRecord, Tool, ToolCall
from reporter.pipeline.derive import derive_wave
from reporter.pipeline.options import Options
from reporter.pipeline.source import DocumentSource, ForeignSource, open_source
from reporter.vocabulary import Signal

MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Planning(ChatReward):
    """Plans two sessions itself: the first of the file, and one that recorded nothing."""

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        for item in super().sessions(bundle, mapping):
            if not isinstance(item, ImportedSession):
                yield item
                continue
            head = item.head
            goal = Goal(journey_ref_id="g", title="Their own title")
            run = Run(
                run_id="their-run",
                journey_ref_id="g",
                persona_ref_id=None,
                persona_name=head.persona.name,
                target_ids=[head.target.target_id],
                sessions_per_target=2,
                max_turns=None,
                status="partial",
                rubric=[],
            )
            attempts = {head.session_id: head.attempt, "silent": Attempt(status="rate_limited")}
            slots = [
                Slot(
                    session_id=own,
                    run_id="their-run",
                    target_id=head.target.target_id,
                    session_index=index,
                    attempt=attempt,
                    recorded=own != "silent",
                )
                for index, (own, attempt) in enumerate(attempts.items())
            ]
            yield Manifest(
                swarm_run_group_id="their-wave",
                terminal=True,
                personas=[head.persona],
                goals=[goal],
                targets=[head.target],
                runs=[run],
                slots=slots,
                published={"decision": {"verdict": "passed"}},
            )
            slot = PlannedSlot(
                session_id=head.session_id,
                run_id=head.run_id,
                target_id=slots[0].target_id,  # type: ignore[arg-type]
                session_index=0,
                attempt=head.attempt,
                recorded=True,
            )
            planned = SessionContext(
                slot=slot, run=run, persona=head.persona, goal=goal, target=head.target
            )
            yield replace(item, head=replace(head, planned=planned))


@dataclass(frozen=True)
class Listing(ChatReward):
    """Its files hold a catalogue of one tool, and the first session calls another."""

    def sessions(
        self, bundle: Sequence[SourceEntry], mapping: FileMapping
    ) -> Iterator[ImportedItem]:
        yield CatalogEntry(catalog_id="c", tools=[Tool(name="lookup")], complete=True)
        for item in super().sessions(bundle, mapping):
            if not isinstance(item, ImportedSession):
                yield item
                continue
            call = ToolCall(seq=0, turn_index=0, tool_call_id="x", tool_name="look_up")
            listed = CatalogRecord(seq=0, catalog_id="c", complete=True)
            catalogs = {CatalogId("c"): Catalog(frozenset({"lookup"}), complete=True)}
            head: SessionHead = replace(item.head, catalogs=catalogs)
            yield replace(item, head=head, records=[listed, call, *item.records])


@dataclass(frozen=True)
class TakesIn(ChatReward):
    """Takes in every JSON object beside its own files."""

    copies: frozenset[str] = frozenset({"tau2-results"})

    def adopts(self, look: Look) -> bool:
        return look.outline.kind == "object"


def test_a_plan_of_the_sources_own_stands_as_it_is(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", [session(1)])
    source = ForeignSource(ImportedWave(identify(path, [Planning()])), Options())
    wave = derive_wave(source, generated_at=MOMENT)
    assert wave.plan is not None
    assert (wave.plan.wave_id, wave.plan.runs[0].run_id) == ("their-wave", "their-run")
    assert [facts.session_id for facts in wave.facts] == ["a.1.0", "silent"]
    assert [facts.goal_title for facts in wave.facts] == ["Their own title"] * 2
    assert [facts.started for facts in wave.facts] == [True, False]
    assert wave.published == {"decision": {"verdict": "passed"}}
    manifest = source.manifest()
    assert manifest.source is not None
    assert manifest.source.importer == "chat-reward"
    assert manifest.terminal


def test_a_plan_of_the_sources_own_is_not_terminal_when_a_file_breaks_off(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", f"[{json.dumps(session(1))}, {{")
    wave = ImportedWave(identify(path, [Planning()]))
    assert len(list(wave.sessions())) == 1
    assert not wave.manifest().terminal


def test_a_catalogue_is_handed_over_once_and_judges_every_session(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", [session(1), session(2)])
    source = ForeignSource(ImportedWave(identify(path, [Listing()])), Options())
    wave = derive_wave(source, generated_at=MOMENT)
    assert [facts.hallucinated_tools for facts in wave.facts] == [("look_up",)] * 2
    assert all(facts.signal_key is Signal.HALLUCINATED_TOOL for facts in wave.facts)
    catalogs = source.manifest().catalogs
    assert catalogs is not None
    assert [(one.catalog_id, one.complete) for one in catalogs] == [("c", True)]
    assert wave.plan is not None
    (catalog,) = wave.plan.catalogs.values()
    assert (catalog.tools, catalog.complete) == (frozenset({"lookup"}), True)


def test_files_beside_a_source_are_taken_in_by_it_alone(tmp_path: Path) -> None:
    write(tmp_path / "a.json", [session(1)])
    write(tmp_path / "b.json", {"code": "NOT_FOUND"})
    write(tmp_path / "c.json", [1])
    write(tmp_path / "d.json", results([simulation()]))
    found = identify(tmp_path, [TakesIn(), Tau2()])
    assert [file.name for file in found.files] == ["a.json", "b.json", "d.json"]
    assert [entry.place for entry in found.lost] == ["c.json"]
    # What a format that is no copy of its own claims stays apart.
    with pytest.raises(AmbiguousFormatError):
        identify(tmp_path, [TakesIn(copies=frozenset()), Tau2()])
    # Without a file of its own there is nothing to take others in.
    (tmp_path / "a.json").unlink()
    assert identify(tmp_path, [TakesIn(), Tau2()]).importer.name == "tau2-results"


def test_the_only_file_of_a_folder(tmp_path: Path) -> None:
    assert only_file(tmp_path) is None
    one = write(tmp_path / "deep" / "a.json", {})
    write(tmp_path / "README.md", "beside")
    assert only_file(tmp_path) == one
    write(tmp_path / "b.json", {})
    assert only_file(tmp_path) is None
    assert only_file(one) is None


@pytest.mark.shared
def test_a_folder_with_a_published_document_alone_is_that_document() -> None:
    source = open_source(shared("oracle", "mcpjam-export", "published-fixture"), Options())
    assert isinstance(source, DocumentSource)
    wave = derive_wave(source, generated_at=MOMENT)
    assert wave.facts == ()
    assert wave.document["contractVersion"] == 1
