import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from imported import SAMPLES, results, session, simulation, take, write
from shared import shared

from reporter.errors import AmbiguousFormatError, RecordingError, UnknownFormatError
from reporter.importers.chat_reward import ChatReward
from reporter.importers.identify import IMPORTERS, identify
from reporter.importers.sniff import sniff_document, sniff_native
from reporter.importers.source import LocalFile, Look, look_at


@dataclass(frozen=True)
class Greedy(ChatReward):
    """Claims everything."""

    name: str = "greedy"

    def claims(self, look: Look) -> bool:  # noqa: ARG002  it does not look
        return True


def look(path: Path) -> Look:
    return look_at(LocalFile(path=path, name=path.name, prefix="x"))


@pytest.mark.parametrize(
    ("sample", "name"),
    [
        ("desk_runs.json", "chat-reward"),
        ("results.json", "tau2-results"),
        ("eval_run.json", "mcpchecker"),
        ("library_desk.eval", "inspect-ai"),
        ("library_desk.json", "inspect-ai"),
        ("shelf__desk-7.traj", "swe-agent"),
        ("shelf__desk-8.traj.json", "mini-swe-agent"),
        ("claude-code", "claude-code"),
        ("press.jsonl", "claude-code-stream"),
        ("kiln.jsonl", "pi"),
        ("rollout.jsonl", "codex"),
        ("trajectory.json", "atif"),
        ("trace_openllmetry.json", "otel-genai"),
        ("trace_openinference.json", "otel-genai"),
        ("trace_mcp.json", "otel-genai"),
    ],
)
def test_each_sample_is_claimed_by_its_importer_alone(sample: str, name: str) -> None:
    source = SAMPLES / sample
    files = [path for path in source.rglob("*") if path.is_file()] or [source]
    for path in files:
        assert [one.name for one in IMPORTERS if one.claims(look(path))] == [name], path
    assert identify(source).importer.name == name


@pytest.mark.shared
def test_no_recorded_file_is_claimed_twice_and_only_those_known() -> None:
    root = shared("recordings")
    claimed: dict[str, set[str]] = {}
    for path in sorted(root.rglob("*")):
        if path.is_file():
            claiming = [one.name for one in IMPORTERS if one.claims(look(path))]
            assert len(claiming) <= 1, path
            if claiming:
                claimed.setdefault(path.relative_to(root).parts[0], set()).add(claiming[0])
    assert claimed == {
        "tau-trait": {"chat-reward"},
        "tau-bench": {"chat-reward"},
        "tau2-bench-runs": {"tau2-results"},
        "mcpchecker-kubernetes": {"mcpchecker"},
        "inspect-ai": {"inspect-ai"},
        "swe-agent": {"swe-agent"},
        "claude-code-records": {"claude-code"},
        "pi-coding-agent": {"pi"},
        "otel-genai-kagent": {"otel-genai"},
    }


def test_a_folder_is_searched_through_in_the_order_of_names(tmp_path: Path) -> None:
    write(tmp_path / "b.json", [session(1)])
    write(tmp_path / "a" / "z.json", [session(1)])
    write(tmp_path / "a.json", [session(1)])
    write(tmp_path / "README.md", "not data")
    write(tmp_path / "LICENSE.upstream", "not data")
    write(tmp_path / "license.json", [session(1)])
    write(tmp_path / ".hidden.json", [session(1)])
    write(tmp_path / ".git" / "c.json", [session(1)])
    write(tmp_path / "other.json", {"a": 1})
    write(tmp_path / "notes", "not data either")
    found = identify(tmp_path)
    assert [(file.name, file.prefix) for file in found.files] == [
        ("a.json", "a"),
        ("a/z.json", "a.z"),
        ("b.json", "b"),
        ("license.json", "license"),
    ]
    assert [(entry.place, entry.reason) for entry in found.lost] == [
        ("notes", "no importer knows this kind of file"),
        ("other.json", "no importer knows this kind of file"),
    ]
    assert found.name == tmp_path.name


def test_prefixes_of_ids_never_meet(tmp_path: Path) -> None:
    for name in ("a/b.json", "a.b.json", "a b.json", "a-b.json"):
        write(tmp_path / name, [session(1), session(2)])
    prefixes = [file.prefix for file in identify(tmp_path).files]
    assert len(set(prefixes)) == 4
    # The same bytes under four names are still counted once.
    assert len(take(tmp_path).recordings) == 2


def test_links_inside_a_folder_are_not_followed(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside" / "x.json", [session(9)])
    inside = write(tmp_path / "in" / "a.json", [session(1)]).parent
    (inside / "link.json").symlink_to(outside)
    (inside / "folder").symlink_to(outside.parent)
    found = identify(inside)
    assert [file.name for file in found.files] == ["a.json"]
    assert [(entry.place, entry.reason) for entry in found.lost] == [
        ("folder", "a link; links are not followed"),
        ("link.json", "a link; links are not followed"),
    ]


def test_a_link_that_the_user_gives_is_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").symlink_to(write(tmp_path / "a.json", [session(1)]))
    found = identify(tmp_path / "mine")
    assert (found.name, [file.name for file in found.files]) == ("mine", ["mine"])


def test_a_name_that_is_no_utf8_is_shown_with_replacements(tmp_path: Path) -> None:
    try:
        (tmp_path / os.fsdecode(b"a\xff.json")).write_text(json.dumps([session(1)]))
    except OSError:
        pytest.skip("this file system refuses such a name")
    taken = take(tmp_path)
    assert [file.name for file in taken.wave.files] == ["a\ufffd.json"]
    assert list(taken.recordings) == ["a.1.0"]


def test_two_importers_that_claim_one_file_are_an_error_that_names_both(tmp_path: Path) -> None:
    write(tmp_path / "a.json", [session(1)])
    with pytest.raises(AmbiguousFormatError, match="chat-reward and greedy both claim") as caught:
        identify(tmp_path, (ChatReward(), Greedy()))
    assert [problem.file for problem in caught.value.problems] == ["a.json"]


def test_a_folder_of_two_formats_is_an_error_that_names_both(tmp_path: Path) -> None:
    write(tmp_path / "a.json", [session(1)])
    write(tmp_path / "b.json", results([simulation()]))
    with pytest.raises(AmbiguousFormatError) as caught:
        identify(tmp_path)
    (problem,) = caught.value.problems
    assert "chat-reward (a.json), tau2-results (b.json)" in problem.what
    assert problem.remedy


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "The file is empty."),
        ("   ", "No importer knows this file."),
        ("hello", "No importer knows this file."),
        ("[]", "No importer knows this file."),
        ('{"messages": []}', "No importer knows this file."),
        ("\x00\x01\x02", "No importer knows this file."),
        ("[" * 100_000, "No importer knows this file."),
    ],
)
def test_a_file_nobody_knows_says_what_was_looked_for(
    tmp_path: Path, content: str, said: str
) -> None:
    path = write(tmp_path / "x.json", content)
    with pytest.raises(UnknownFormatError) as caught:
        identify(path)
    (problem,) = caught.value.problems
    assert problem.file == "x.json"
    assert problem.what.startswith(said)
    for one in IMPORTERS:
        assert one.name in problem.what
    assert "`swarm-reporter formats`" in problem.remedy


def test_a_folder_nobody_knows_names_its_first_files(tmp_path: Path) -> None:
    for number in range(7):
        write(tmp_path / f"{number}.json", {"a": 1})
    with pytest.raises(UnknownFormatError, match=r"0\.json, .*, 4\.json and 2 more"):
        identify(tmp_path)


def test_an_empty_folder_and_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormatError, match="holds no file that could be a recording"):
        identify(tmp_path)
    with pytest.raises(RecordingError, match=r"nowhere: The source cannot be read"):
        identify(tmp_path / "nowhere")


def test_the_look_is_bounded(tmp_path: Path) -> None:
    late = json.dumps([{"padding": "x" * 70_000, **session(1)}])
    assert len(look(write(tmp_path / "a.json", late)).head) == 65_536
    with pytest.raises(UnknownFormatError):
        identify(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("files", "native"),
    [
        ({"wave.json": "{}"}, True),
        ({"sessions/s.jsonl": "{}"}, True),
        ({"sessions/s.txt": ""}, False),
        ({"a.json": "[]"}, False),
        ({}, False),
    ],
)
def test_a_folder_is_native_by_its_manifest_or_its_sessions(
    tmp_path: Path, files: dict[str, str], native: bool
) -> None:
    for name, content in files.items():
        write(tmp_path / name, content)
    assert sniff_native(tmp_path) is native
    assert not sniff_document(tmp_path)


@pytest.mark.parametrize(
    ("document", "native", "findings"),
    [
        ({"type": "wave", "format": "swarm-recording"}, True, False),
        ({"format": "swarm-recording", "formatVersion": 1}, True, False),
        ({"contractVersion": 1, "generatedAt": 0, "summaryKind": "landed"}, False, True),
        ({"contractVersion": 2, "population": {}}, False, True),
        ({"schemaVersion": 1, "scope": {"kind": "wave"}, "journeyFindings": None}, False, True),
        ({"type": "session_start"}, False, False),
        ([{"type": "wave"}], False, False),
        ("text", False, False),
    ],
)
def test_a_file_is_native_or_a_document_by_its_first_keys(
    tmp_path: Path, document: Any, native: bool, findings: bool
) -> None:
    path = write(tmp_path / "x", json.dumps(document) + "\n" + "{}")
    assert (sniff_native(path), sniff_document(path)) == (native, findings)


@pytest.mark.shared
@pytest.mark.parametrize(
    "name",
    [
        "findings/swarm-findings-wire.json",
        "findings/swarm-findings-wire.96fb767.json",
        "mcpjam-export/published-fixture/insights-envelope.json",
    ],
)
def test_published_documents_are_recognised(name: str) -> None:
    path = shared("oracle", *name.split("/"))
    assert sniff_document(path)
    assert not sniff_native(path)
