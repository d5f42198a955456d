"""The example checks over real recordings: what they come to, and what nobody could measure."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from shared import ROOT, shared

from reporter.cli import main

pytestmark = pytest.mark.shared
CHECKS = ROOT / "examples" / "checks"
Json = dict[str, Any]


def graded(tmp_path: Path, recording: Path, checks: str, *flags: str) -> Path:
    wave = tmp_path / "graded"
    given = ["grade", str(recording), "--checks", str(CHECKS / checks), "-o", str(wave), *flags]
    result = CliRunner().invoke(main, given)
    assert result.exit_code == 0, result.output
    return wave


def results(wave: Path) -> dict[str, dict[str, str]]:
    """The words of every session that was graded, by session and check."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted((wave / "sessions").iterdir()):
        records = map(json.loads, path.read_text("utf-8").splitlines())
        for record in records:
            if record["type"] == "criteria":
                found[path.stem] = {
                    one["criterionId"]: one.get("status")
                    or ("passed" if one["passed"] else "failed")
                    for one in record["results"]
                }
    return found


def counts(found: dict[str, dict[str, str]], check: str) -> Counter[str]:
    return Counter(words[check] for words in found.values() if check in words)


def test_the_airline(tmp_path: Path) -> None:
    source = shared("recordings", "tau-bench", "gpt-4o-airline.json")
    found = results(graded(tmp_path, source, "airline.yaml", "--target", "Airline"))
    assert len(found) == 200
    assert counts(found, "reward") == {"passed": 84, "failed": 116}
    # Read by a person: both cancel a reservation that no call has read.
    failed = [name for name, words in found.items() if words["reads-before-cancelling"] == "failed"]
    assert failed == ["gpt-4o-airline.0.3", "gpt-4o-airline.41.2"]
    assert counts(found, "known-tools") == {"passed": 200}
    # The file holds no schemas, so nobody can tell.
    (schema,) = (name for name in found["gpt-4o-airline.0.0"] if "argumentsMatch" in name)
    assert counts(found, schema) == {"error": 200}


def test_the_cluster(tmp_path: Path) -> None:
    source = shared("recordings", "mcpchecker-kubernetes", "builtin-openai-core-latest.json")
    wave = graded(tmp_path, source, "kubernetes.yaml")
    found = {name.split(".")[-1]: words for name, words in results(wave).items()}
    assert len(found) == 27
    assert counts(found, "valid-arguments") == {"passed": 27}
    assert found["nodes-top"]["asks-for-usage"] == "passed"
    assert found["list-images-for-pods"]["reads-alone"] == "passed"
    assert found["list-images-for-pods"]["few-calls"] == "failed"
    assert "few-calls" not in found["nodes-top"]
    # Runs of this kind write down names, descriptions and parameters of tools, no hints.
    kinds = {name.split("#")[0]: word for name, word in found["nodes-top"].items()}
    assert kinds["predicate:toolAnnotationsPresent"] == "error"
    assert kinds["predicate:toolDescriptionsPresent"] == "passed"
    output = CliRunner().invoke(main, ["coverage", str(wave), "--format", "json"]).stdout
    lists = json.loads(output)["lists"]
    by_goal = {goal: one for one in lists for goal in one["goals"]}
    selection = {goal: one["links"][2]["coverage"] for goal, one in by_goal.items()}
    assert selection["scale-deployment"] == "decides"
    assert selection["create-nginx-pod"] == "observationsOnly"
    assert by_goal["create-nginx-pod"]["links"][0]["coverage"] == "runner"
