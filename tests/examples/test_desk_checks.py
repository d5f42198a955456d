"""The example checks of the lending desk over its own wave: turns, and calls that are expected."""

import json
from collections import Counter
from pathlib import Path

from click.testing import CliRunner
from shared import ROOT

from reporter.cli import main


def results(wave: Path) -> dict[str, dict[str, str]]:
    """The words of every session that was graded, by session and check."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted((wave / "sessions").iterdir()):
        for record in map(json.loads, path.read_text("utf-8").splitlines()):
            if record["type"] == "criteria" and "gradedBy" in record:
                found[path.stem] = {
                    one["criterionId"]: one.get("status")
                    or ("passed" if one["passed"] else "failed")
                    for one in record["results"]
                }
    return found


def failed(found: dict[str, dict[str, str]], kind: str) -> list[str]:
    """The sessions in which a grader of a kind failed."""
    return sorted(
        name
        for name, words in found.items()
        if any(check.startswith(kind) and word == "failed" for check, word in words.items())
    )


def word_counts(found: dict[str, dict[str, str]], check: str) -> Counter[str]:
    return Counter(words[check] for words in found.values() if check in words)


def test_the_lending_desk(tmp_path: Path) -> None:
    checks = ROOT / "examples" / "checks" / "lending-desk.yaml"
    given = ["grade", str(ROOT / "examples" / "lending-desk" / "wave"), "--checks", str(checks)]
    result = CliRunner().invoke(main, [*given, "-o", str(tmp_path / "graded")])
    assert result.exit_code == 0, result.output
    assert "Note:" not in result.stderr
    found = results(tmp_path / "graded")
    assert len(found) == 27
    # A tool that does not exist was called instead, or nothing at all; one was withdrawn before.
    assert failed(found, "toolCalls:match") == [
        "bettina-move.browser.0",
        "seun-move.desktop.0",
        "tomasz-hold.browser.0",
        "tomasz-move.desktop.0",
    ]
    # It is placed anew where it was.
    assert failed(found, "toolCalls:arguments") == ["tomasz-move.browser.0"]
    assert word_counts(found, "greets-back") == {"passed": 27}
    assert word_counts(found, "asks-before-paying") == {"failed": 7}
