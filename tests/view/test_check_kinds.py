"""The list of kinds of checks: every kind, every field, and the page that stands in docs."""

from typing import Any

import pytest
from click.testing import CliRunner
from shared import ROOT

from reporter.checks.authoring import OBSERVATIONS, fields_wanted, known_fields
from reporter.checks.evaluate import EVALUATORS
from reporter.checks.reading import read_suite
from reporter.checks.standard import STANDARD
from reporter.cli import main
from reporter.view.check_kinds import kind_described, kind_lines, kinds_page, meaning

PAGE = ROOT / "docs" / "checks.md"


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["kinds", *arguments])


def test_the_page_in_docs_is_the_one_that_is_made() -> None:
    assert PAGE.read_text("utf-8") == kinds_page(), (
        "swarm-reporter kinds --markdown > docs/checks.md"
    )
    assert invoke("--markdown").output == kinds_page()


@pytest.mark.parametrize("kind", EVALUATORS)
def test_every_kind_is_listed_with_a_sentence_and_all_its_fields(kind: str) -> None:
    assert meaning(kind).endswith(".")
    assert any(line.strip().startswith(f"{kind} ") for line in kind_lines())
    described = invoke(kind).output.splitlines()
    assert described == kind_described(kind)
    own = [name for name in known_fields(kind) if name not in ("type", "role", "severity")]
    assert list(fields_wanted(kind)) == own
    for name in own:
        assert any(line.startswith(f"  {name}: ") for line in described)
    assert ("must be advisory" in " ".join(described)) is (kind in OBSERVATIONS)
    assert f"| `{kind}` | {meaning(kind)} |" in kinds_page()


@pytest.mark.parametrize("name", STANDARD)
def test_every_standard_check_stands_on_the_page(name: str) -> None:
    assert f"| `{name}` | " in kinds_page()


def test_a_kind_that_there_is_not_is_refused_with_what_is_nearby() -> None:
    result = invoke("noToolError")
    assert result.exit_code == 2
    assert "did you mean noToolErrors?" in result.output


def test_every_key_of_a_file_stands_on_the_page() -> None:
    whole = b"""
checks: [{type: noToolErrors, id: a, label: b, role: advisory, severity: warn, turn: 1}]
expect: [{toolName: a, arguments: {x: string}, turn: 1}]
match: {toolCallOrder: strict, maxExtraToolCalls: 1, argumentMatching: exact}
standard: recommended
suppress: [response.errors]
goals: {g: {mode: replace, negative: true}}
"""
    assert read_suite(whole, "a.yaml").checks
    page = kinds_page()
    for key in whole.decode().replace("{", " ").replace("[", " ").split():
        if key.endswith(":") and key not in ("g:", "x:"):
            assert f"`{key[:-1]}`" in page, key
