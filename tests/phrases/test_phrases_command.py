"""A model through the command: asked, kept, used again, looked at by a person."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from asked_waves import ACCOUNT, ERROR, Scripted, asked_wave, proposal
from click.testing import CliRunner, Result
from shared import ROOT

from reporter.cli import main
from reporter.phrases.exchange import Question
from reporter.vocabulary import ReplyState

WHEN = "--generated-at=2026-01-02T03:04:05Z"


def invoke(*arguments: object, typed: str = "") -> Result:
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=typed)
    assert "Traceback" not in result.output
    assert "defect of swarm-reporter" not in result.output, result.output
    return result


def large(*proposals: Any) -> Any:
    return lambda question: list(proposals) if '"s3"' in question.prompt else []


@pytest.fixture
def wave(tmp_path: Path) -> Path:
    return asked_wave(tmp_path / "wave")


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    asker = Scripted(propose=large(proposal()))
    monkeypatch.setattr("reporter.phrases.client.open_model", lambda *_: asker)
    return asker


def ask(wave: Path, out: Path, *more: object) -> Result:
    return invoke(
        "report", wave, "-o", out, "--format", "html,json", WHEN, "--model", "test:model", *more
    )


def test_a_report_with_a_model_keeps_its_replies_and_comes_out_alike_without_it(
    wave: Path, tmp_path: Path, model: Scripted
) -> None:
    first = ask(wave, tmp_path / "first")
    assert first.exit_code == 0, first.output
    assert "phrases.json" in first.output
    count = len(model.asked)
    assert count > 0
    again = invoke(
        *("report", wave, "-o", tmp_path / "again", "--format", "html,json", WHEN),
        *("--phrases", tmp_path / "first" / "phrases.json"),
    )
    assert again.exit_code == 0, again.output
    assert len(model.asked) == count
    for name in ("report.html", "findings.json"):
        one, other = (tmp_path / run / name for run in ("first", "again"))
        assert one.read_bytes() == other.read_bytes(), name
    assert not (tmp_path / "again" / "phrases.json").exists()
    found = invoke("findings", wave, WHEN, "--phrases", tmp_path / "first" / "phrases.json")
    assert found.stdout.encode() == (tmp_path / "first" / "findings.json").read_bytes()
    assert "borrow_book refuses the card number" in found.stdout


def test_a_dry_run_prints_what_would_be_sent_and_sends_and_writes_nothing(
    wave: Path, tmp_path: Path, model: Scripted
) -> None:
    out = tmp_path / "out"
    result = ask(wave, out, "--dry-run")
    assert result.exit_code == 0, result.output
    assert model.asked == []
    assert not out.exists()
    ask(wave, out)
    for question in model.asked:
        if question.kind != "verify":
            assert question.instructions in result.stdout
            assert question.prompt in result.stdout
    assert "Nothing was sent." in result.stdout
    assert "tokens" in result.stdout


def test_a_dry_run_needs_no_model(wave: Path, tmp_path: Path) -> None:
    result = invoke("phrases", wave, "--dry-run", "--sample", 1, "-o", tmp_path / "phrases.json")
    assert result.exit_code == 0, result.output
    assert ERROR in result.stdout
    assert not (tmp_path / "phrases.json").exists()


@pytest.mark.parametrize(
    "options",
    [
        ["--budget-tokens", "10"],
        ["--budget-usd", "1"],
        ["--model-url", "http://127.0.0.1:1/v1"],
        ["--sample", "2"],
        ["--no-session-reports"],
        ["--max-concurrency", "2"],
    ],
)
def test_options_of_a_model_that_is_not_asked_are_refused(
    wave: Path, tmp_path: Path, options: list[str]
) -> None:
    result = invoke("report", wave, "-o", tmp_path / "out", *options)
    assert result.exit_code == 2
    assert "--model NAME" in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("amount", ["-1", "nan", "inf", "a dollar"])
def test_an_amount_is_one(wave: Path, amount: str) -> None:
    result = invoke("phrases", wave, "--model", "x:y", "--budget-usd", amount)
    assert result.exit_code == 2
    assert "no amount of dollars" in result.output


def test_a_findings_document_has_nobody_to_ask_about(
    wave: Path, tmp_path: Path, model: Scripted
) -> None:
    document = tmp_path / "findings.json"
    invoke("findings", wave, "-o", document)
    result = ask(document, tmp_path / "out")
    assert result.exit_code == 2
    assert "holds no sessions" in result.output
    assert model.asked == []
    assert not (tmp_path / "out").exists()


def test_replies_can_be_made_alone(wave: Path, tmp_path: Path, model: Scripted) -> None:
    out = tmp_path / "kept" / "phrases.json"
    result = invoke("phrases", wave, "--model", "test:model", "-o", out)
    assert result.exit_code == 0, result.output
    raw = json.loads(out.read_text(encoding="utf-8"))
    assert raw["model"] == "test:model"
    assert len(raw["replies"]) == len(model.asked)
    assert {key for reply in raw["replies"] for key in reply} >= {"id", "reply", "decision"}
    assert [path.name for path in out.parent.iterdir()] == ["phrases.json"]


def test_phrases_without_a_model_says_what_is_missing(wave: Path) -> None:
    result = invoke("phrases", wave)
    assert result.exit_code == 2
    assert "--model NAME" in result.output


def test_a_person_looks_and_the_report_takes_their_word(
    wave: Path, tmp_path: Path, model: Scripted
) -> None:
    out = tmp_path / "phrases.json"
    invoke("phrases", wave, "--model", "test:model", "-o", out)
    sent = len(model.asked)
    result = invoke("phrases", wave, "--phrases", out, "--review", "-o", out, typed="c\nt\n")
    assert result.exit_code == 0, result.output
    assert "borrow_book refuses the card number" in result.output
    assert ERROR in result.output
    assert "A model said before: supports." in result.output
    assert "2 answers of a person" in result.output
    found = invoke("findings", wave, "--phrases", out)
    document = json.loads(found.stdout)
    assert document["verification"]["rejected"] == 1
    assert not [row for row in document["findings"] if row["mechanismId"]]
    again = invoke("phrases", wave, "--phrases", out, "--review", "-o", out, typed="s\nq\n")
    assert "You said before: contradicts." in again.output
    raw = json.loads(out.read_text(encoding="utf-8"))
    assert [one["answer"] for one in raw["persons"]] == ["cannotTell", "supports"]
    assert len(model.asked) == sent


def test_a_review_can_be_left_at_once(wave: Path, tmp_path: Path, model: Scripted) -> None:
    out = tmp_path / "phrases.json"
    invoke("phrases", wave, "--model", "test:model", "-o", out)
    before = out.read_bytes()
    result = invoke("phrases", wave, "--phrases", out, "--review", "-o", out, typed="n\nq\n")
    assert result.exit_code == 0
    assert out.read_bytes() == before
    assert model.asked


def test_a_review_that_nobody_answers_ends_as_an_interrupt(
    wave: Path, tmp_path: Path, model: Scripted
) -> None:
    out = tmp_path / "phrases.json"
    invoke("phrases", wave, "--model", "test:model", "-o", out)
    result = invoke("phrases", wave, "--phrases", out, "--review", "-o", out, typed="s\n")
    assert result.exit_code == 130
    raw = json.loads(out.read_text(encoding="utf-8"))
    assert [one["answer"] for one in raw["persons"]] == ["supports"]
    assert model.asked


def test_a_review_needs_replies(wave: Path) -> None:
    result = invoke("phrases", wave, "--review")
    assert result.exit_code == 2
    assert "--phrases FILE" in result.output


class Interrupted(Scripted):
    """Answers one question, then hears an interrupt."""

    def ask(self, questions: Any, keep: Any, *, share: float = 1.0) -> Any:
        assert share
        keep(self._answer(questions[0]))
        raise KeyboardInterrupt


def test_an_interrupt_keeps_the_replies_and_leaves_nothing_else(
    wave: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reporter.phrases.client.open_model", lambda *_: Interrupted())
    out = tmp_path / "out"
    result = ask(wave, out)
    assert result.exit_code == 130
    assert "--phrases" in result.output
    assert [path.name for path in out.iterdir()] == ["phrases.json"]
    raw = json.loads((out / "phrases.json").read_text(encoding="utf-8"))
    assert [reply["reply"] for reply in raw["replies"]] == [json.dumps(ACCOUNT)]
    asker = Scripted()
    monkeypatch.setattr("reporter.phrases.client.open_model", lambda *_: asker)
    assert ask(wave, out, "--phrases", out / "phrases.json").exit_code == 0
    reports = [one for one in asker.asked if one.kind == "report"]
    assert len(reports) == 4


def test_a_run_that_goes_on_drops_what_is_stale_and_says_so(
    wave: Path, tmp_path: Path, model: Scripted
) -> None:
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    ask(wave, first)
    lines = (wave / "sessions" / "s5.jsonl").read_bytes()
    (wave / "sessions" / "s5.jsonl").write_bytes(lines.replace(b"reserve", b"hold"))
    asked = len(model.asked)
    result = ask(wave, second, "--phrases", first / "phrases.json")
    # Its account, and the explanations of its group.
    assert "Dropped 2 kept replies" in result.output
    assert len(model.asked) == asked + 2
    again = invoke(
        *("report", wave, "-o", third, "--format", "html,json", WHEN),
        *("--phrases", second / "phrases.json"),
    )
    assert again.exit_code == 0
    for name in ("report.html", "findings.json"):
        assert (third / name).read_bytes() == (second / name).read_bytes(), name


@pytest.mark.parametrize(
    "state", [ReplyState.FAILED, ReplyState.TIMED_OUT, ReplyState.REFUSED, ReplyState.OVER_BUDGET]
)
def test_a_model_that_never_answers_costs_no_report(
    wave: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: ReplyState
) -> None:
    asker = Scripted(report=state, propose=state)
    monkeypatch.setattr("reporter.phrases.client.open_model", lambda *_: asker)
    result = ask(wave, tmp_path / "out")
    assert result.exit_code == 0, result.output
    document = json.loads((tmp_path / "out" / "findings.json").read_text(encoding="utf-8"))
    assert "analysisUnavailable" in document["coverageNotes"]
    assert not [row for row in document["findings"] if row["mechanismId"]]
    assert (tmp_path / "out" / "report.html").stat().st_size > 10_000


def test_what_a_model_writes_into_its_replies_moves_no_terminal(
    wave: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = "\x1b[2J\x1b]0;title\x07borrow_book refuses\u202e the card number it was given."

    def propose(question: Question) -> Any:
        said = [proposal(), proposal(mechanismPhrase=hostile)]
        return said if '"s3"' in question.prompt else []

    asker = Scripted(propose=propose)
    monkeypatch.setattr("reporter.phrases.client.open_model", lambda *_: asker)
    out = tmp_path / "phrases.json"
    first = invoke("phrases", wave, "--model", "test:model", "-o", out)
    result = invoke("phrases", wave, "--phrases", out, "--review", "-o", out, typed="n\nn\n")
    for output in (first.output, result.output):
        assert "\x1b" not in output
        assert "\x07" not in output
        assert "\u202e" not in output


SPOKEN = """
import sys
from reporter.cli import main
try:
    main()
except SystemExit as ended:
    assert ended.code == 0, ended.code
print(*(name for name in sys.modules if "." not in name), sep="\\n", file=sys.stderr)
"""


@pytest.mark.parametrize("command", ["report", "findings", "kept"])
def test_nothing_that_speaks_to_a_model_is_loaded_where_none_is_asked(
    wave: Path, tmp_path: Path, model: Scripted, command: str
) -> None:
    kept = tmp_path / "phrases.json"
    invoke("phrases", wave, "--model", "test:model", "-o", kept)
    assert model.asked
    arguments = {
        "report": ["report", str(wave), "-o", str(tmp_path / "out"), "--format", "html,json"],
        "findings": ["findings", str(wave), "-o", str(tmp_path / "findings.json")],
        "kept": ["findings", str(wave), "--phrases", str(kept), "-o", str(tmp_path / "f.json")],
    }[command]
    ran = subprocess.run(
        [sys.executable, "-c", SPOKEN, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    loaded = set(ran.stderr.split())
    assert "reporter" in loaded
    assert loaded.isdisjoint({"pydantic_ai", "tenacity", "openai", "httpx2", "genai_prices"})
