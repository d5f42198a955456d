"""The whole command against a server: what it sends, and that whatever comes back ends well."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import model_server as server
import pytest
from asked_waves import ACCOUNT, asked_wave, proposal
from click.testing import CliRunner, Result
from model_server import Behaviour, ModelServer, Received

from reporter.cli import main
from reporter.phrases.retrying import Pace

WHEN = "--generated-at=2026-01-02T03:04:05Z"


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(seconds: float) -> None:
        del seconds
        await asyncio.sleep(0)

    monkeypatch.setattr("reporter.phrases.asker.Pace", lambda: Pace(at_once))


@pytest.fixture
def wave(tmp_path: Path) -> Path:
    return asked_wave(tmp_path / "wave")


def ask(wave: Path, out: Path, url: str, *more: object) -> Result:
    arguments = ["report", wave, "-o", out, "--format", "html,json", WHEN]
    arguments += ["--model", "small-1", "--model-url", url, *more]
    result = CliRunner().invoke(main, [str(one) for one in arguments])
    assert "Traceback" not in result.output
    assert "defect of swarm-reporter" not in result.output, result.output
    return result


def document_of(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "findings.json").read_text(encoding="utf-8"))
    return found


def kind_of(received: Received) -> str:
    """Tell what was asked for by the form the answer is to have."""
    text = received.text
    return next(
        kind
        for kind, mark in (
            ("propose", "outcomePhrase"),
            ("report", "actual"),
            ("verify", "cannotTell"),
        )
        if mark in text
    )


def fine(received: Received, **more: Any) -> Behaviour:
    kind = kind_of(received)
    if kind == "propose":
        said: Any = {"proposals": [proposal()] if '"s3\\"' in received.text else []}
    else:
        said = ACCOUNT if kind == "report" else {"answer": "supports"}
    return server.answers(json.dumps(said), **more)


def test_a_server_is_asked_and_its_cause_is_published(wave: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with ModelServer(fine) as up:
        result = ask(wave, out, up.url)
    assert result.exit_code == 0, result.output
    document = document_of(out)
    assert document["verification"]["confirmed"] == 1
    assert document["reasoningModel"] == document["extractionModel"] == "small-1"
    assert [row["fixPhrase"] for row in document["findings"] if row["mechanismId"]] == [
        proposal()["fixPhrase"]
    ]
    assert len(document["disclosure"]["evidenceSent"]) == 5
    kept = json.loads((out / "phrases.json").read_text(encoding="utf-8"))
    assert len(kept["replies"]) == len(up.received)
    assert {reply["inputTokens"] for reply in kept["replies"]} == {11}
    assert kept["libraryVersion"]


def test_a_dry_run_shows_what_the_server_then_receives(wave: Path, tmp_path: Path) -> None:
    dry = CliRunner().invoke(
        main, ["phrases", str(wave), "--model", "small-1", "--dry-run", "-o", str(tmp_path / "p")]
    )
    assert dry.exit_code == 0, dry.output
    with ModelServer(fine) as up:
        ask(wave, tmp_path / "out", up.url)
    for received in up.received:
        if kind_of(received) == "verify":
            continue
        for message in received.body["messages"]:
            assert message["content"] in dry.stdout


FAILING: dict[str, tuple[Callable[[], Any], str]] = {
    "429 storm": (lambda: server.fails(429, "slow down"), "failed"),
    "429 with a time to wait": (lambda: server.fails(429, "slow", retry_after="1"), "failed"),
    "500": (lambda: server.fails(500), "failed"),
    "503": (lambda: server.fails(503), "failed"),
    "hangs up": (lambda: server.hangs_up, "failed"),
    "no json": (lambda: server.sends(b"<html>busy</html>", "text/html"), "failed"),
    "no choices": (lambda: server.sends(json.dumps({"choices": []}).encode()), "failed"),
    "wrong key": (lambda: server.fails(401), "failed"),
    "no such model": (lambda: server.fails(404), "failed"),
    "too long for it": (
        lambda: server.fails(400, "too long", code="context_length_exceeded"),
        "failed",
    ),
    "cut off": (lambda: server.answers('{"proposals": [', finish="length"), "cutOff"),
    "filtered": (lambda: server.answers("", finish="content_filter"), "refused"),
    "refused": (lambda: server.answers(None, message={"refusal": "I will not."}), "refused"),
}


@pytest.mark.parametrize("name", FAILING)
def test_whatever_goes_wrong_ends_in_a_report_with_a_note(
    wave: Path, tmp_path: Path, name: str
) -> None:
    behaviour, state = FAILING[name]
    out = tmp_path / "out"
    with ModelServer([behaviour()]) as up:
        result = ask(wave, out, up.url, "--no-session-reports")
    assert result.exit_code == 0, result.output
    document = document_of(out)
    assert "analysisUnavailable" in document["coverageNotes"]
    assert "mechanismsRejected" not in document["coverageNotes"]
    assert document["verification"] == {
        "proposed": 0,
        "confirmed": 0,
        "rejected": 0,
        "unverified": 0,
        "omitted": 0,
    }
    assert not [row for row in document["findings"] if row["mechanismId"]]
    assert document["population"]["read"] == 6
    kept = json.loads((out / "phrases.json").read_text(encoding="utf-8"))
    assert {reply["state"] for reply in kept["replies"]} == {state}
    # Two questions, five attempts, two ways to ask for JSON.
    assert len(up.received) <= 2 * 5 * 2
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "No model was used" not in page
    assert up.url not in page


WEAK: dict[str, tuple[Callable[[], Any], set[str]]] = {
    "chatter": (
        lambda: server.answers("Sure! The server is bad."),
        {"mechanismsRejected", "analysisUnavailable"},
    ),
    "nothing at all": (
        lambda: server.answers(""),
        {"analysisUnavailable"},
    ),
    "another shape": (lambda: server.answers('{"causes": []}'), {"mechanismsRejected"}),
    "nothing to propose": (lambda: server.answers('{"proposals": []}'), set()),
    "a session that is not there": (
        lambda: server.answers(
            json.dumps(
                {
                    "proposals": [
                        proposal(
                            support=[
                                {"sessionId": "s0", "turns": [0], "quote": "not said by anybody"}
                            ]
                        )
                    ]
                }
            )
        ),
        {"mechanismsRejected"},
    ),
}


@pytest.mark.parametrize("name", WEAK)
def test_a_weak_model_gets_nothing_false_through(wave: Path, tmp_path: Path, name: str) -> None:
    behaviour, raised = WEAK[name]
    out = tmp_path / "out"
    with ModelServer([behaviour()]) as up:
        result = ask(wave, out, up.url, "--no-session-reports")
    assert result.exit_code == 0, result.output
    document = document_of(out)
    assert raised <= set(document["coverageNotes"])
    assert not [row for row in document["findings"] if row["mechanismId"]]
    counted = document["verification"]
    assert counted["confirmed"] == counted["unverified"] == 0


def test_a_server_that_is_too_slow_is_given_up(wave: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with ModelServer([server.hangs]) as up:
        more = ["--no-session-reports", "--model-timeout", "0.2"]
        result = ask(wave, out, up.url, *more)
    assert result.exit_code == 0, result.output
    kept = json.loads((out / "phrases.json").read_text(encoding="utf-8"))
    assert {reply["state"] for reply in kept["replies"]} <= {"timedOut", "failed"}
    assert "analysisUnavailable" in document_of(out)["coverageNotes"]


def test_a_small_budget_asks_for_the_largest_group_first(wave: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    usage = {"prompt_tokens": 3_000, "completion_tokens": 1_000, "total_tokens": 4_000}
    with ModelServer(lambda received: fine(received, usage=usage)) as up:
        result = ask(wave, out, up.url, "--no-session-reports", "--budget-tokens", 5_000)
    assert result.exit_code == 0, result.output
    document = document_of(out)
    kinds = [kind_of(one) for one in up.received]
    assert kinds[0] == "propose"
    assert '"s3\\"' in up.received[0].text
    assert kinds.count("propose") == 1
    assert {"budgetExhausted", "analysisUnavailable"} <= set(document["coverageNotes"])


def test_a_budget_in_dollars_needs_known_prices(wave: Path, tmp_path: Path) -> None:
    with ModelServer(fine) as up:
        result = ask(wave, tmp_path / "out", up.url, "--budget-usd", "1")
    assert result.exit_code == 2
    assert "--budget-tokens" in result.output
    assert up.received == []
    assert not (tmp_path / "out").exists()
