"""No secret that a recording holds is in a prompt, a kept reply, a ledger or a finding."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from asked_waves import POLICY, Scripted, derive_asked, judged, proposal, support
from builders import assistant, call, manifest, result, run, slot, user
from click.testing import CliRunner
from model_server import Behaviour, ModelServer, Received, answers, fails
from waves import session_lines, write_folder

from reporter.cli import main
from reporter.findings.projection import dump_document
from reporter.phrases.exchange import Question
from reporter.phrases.kept import PhrasesDocument, dump_phrases

CANARIES = {
    "words": "sk-" + "proj-AbCdEf0123456789GhIjKlMnOpQrStUv",
    "reply": "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
    "argument": "hunter2-and-the-rest-of-it",
    "result": "AKIA" + "IOSFODNN7QWERTYU",
    "error": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0.abcDEFghiJKLmnoPQRstuVWXyz0123456789",
}


def talk(number: int) -> list[dict[str, Any]]:
    return [
        user(f"Use my key {CANARIES['words']} to borrow atlas number {number}."),
        call("c1", "borrow_book", args={"password": CANARIES["argument"], "title": "atlas"}),
        result("c1", {"key": CANARIES["result"], "note": "no such atlas on the shelf"}),
        call("c2", "borrow_book"),
        result("c2", None, isError=True, error=f"token {CANARIES['error']} has expired"),
        assistant(f"The desk answered {CANARIES['reply']}, so I could not borrow it."),
        judged(passed=False),
    ]


def echoed(question: Question) -> Any:
    """A model that hands on all it was shown, in every field that it has."""
    whole = question.prompt
    if question.kind == "report":
        quotes = [{"turns": [0], "quote": whole}]
        return {"actual": whole, "account": whole, "support": quotes}
    return [
        proposal(
            stage=whole,
            outcomePhrase=whole,
            mechanismPhrase=whole,
            fixPhrase=whole,
            support=[support(whole, [0], whole)],
        ),
        proposal(support=[support("s2", [0], "so I could not borrow it.")]),
        proposal(
            mechanismPhrase="borrow_book says that the token has expired.",
            support=[support("s2", [0], "token [redacted] has expired")],
        ),
        whole,
    ]


def test_no_secret_leaves_the_recording(tmp_path: Path) -> None:
    whole = manifest(
        policy=POLICY, runs=[run(sessionsPerTarget=2)], slots=[slot(), slot("s2", index=1)]
    )
    sessions = {f"s{number}": session_lines(talk(number)) for number in (1, 2)}
    folder = write_folder(tmp_path / "wave", whole, sessions)
    documents: list[PhrasesDocument] = []

    def report(question: Question) -> Any:
        good = {"turns": [0], "quote": "no such atlas on the shelf"}
        fine = {"actual": "No atlas was on the shelf.", "account": None, "support": [good]}
        return fine if question.session_ids == ("s2",) else echoed(question)

    asker = Scripted(propose=echoed, report=report)
    found = derive_asked(folder, asker, keep=documents.append)
    (document,) = documents
    sent = [text for one in asker.asked for text in (one.instructions, one.prompt, one.about)]
    assert {question.kind for question in asker.asked} == {"report", "propose", "verify"}
    kept = dump_phrases(document)
    published = dump_document(found.document)
    for name, canary in CANARIES.items():
        for text in (*sent, kept, published, repr(found.phrases), repr(found.findings)):
            assert canary not in text, name
            assert json.dumps(canary)[1:-1] not in text, name
    # What was masked is seen to have been there.
    assert any("[redacted]" in question.prompt for question in asker.asked)


def test_the_shown_text_holds_what_a_secret_stood_in(tmp_path: Path) -> None:
    whole = manifest(policy=POLICY)
    folder = write_folder(tmp_path / "wave", whole, {"s1": session_lines(talk(1))})
    asker = Scripted()
    derive_asked(folder, asker)
    prompt = asker.asked[0].prompt
    assert "Use my key [redacted] to borrow atlas number 1." in prompt
    assert "no such atlas on the shelf" in prompt
    assert '"password": "[redacted]"' in prompt


def echoing(received: Received) -> Behaviour:
    """A server that hands on all it was sent, as an answer or as the text of an error."""
    whole = received.prompt
    if "cannotTell" in received.text:
        return answers(json.dumps({"answer": "supports", "because": whole}))
    if "outcomePhrase" in received.text:
        said = [
            proposal(mechanismPhrase=whole, support=[support("s2", [0], whole)]),
            proposal(
                mechanismPhrase="borrow_book says that the token has expired.",
                fixPhrase=None,
                support=[support("s2", [0], "has expired")],
            ),
        ]
        return answers(json.dumps({"proposals": said}))
    return fails(422, message=f"cannot process {whole}")


def test_no_secret_is_in_anything_that_a_command_writes_or_sends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = manifest(
        policy=POLICY, runs=[run(sessionsPerTarget=2)], slots=[slot(), slot("s2", index=1)]
    )
    sessions = {f"s{number}": session_lines(talk(number)) for number in (1, 2)}
    folder = write_folder(tmp_path / "wave", whole, sessions)
    key = "sk-" + "live-0f9e8d7c6b5a4f3e2d1c0b9a8f7e6d5c"
    monkeypatch.setenv("DESK_KEY", key)
    out = tmp_path / "out"
    with ModelServer(echoing) as up:
        arguments = ["report", str(folder), "-o", str(out), "--model", "small-1"]
        arguments += ["--model-url", up.url, "--model-key-env", "DESK_KEY"]
        result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    sent = [received.text for received in up.received]
    # The key goes to its server in a header, and nowhere else.
    assert all(key in text for text in sent)
    written = {path.name: path.read_bytes().decode("utf-8", "replace") for path in out.iterdir()}
    assert set(written) == {"report.html", "report.pdf", "findings.json", "phrases.json"}
    written["report.pdf"] = subprocess.run(
        ["pdftotext", "-raw", out / "report.pdf", "-"], capture_output=True, text=True, check=True
    ).stdout
    assert "Verification" in written["report.pdf"] or "rejected" in written["report.pdf"]
    for name, canary in CANARIES.items():
        for place, text in {**written, "terminal": result.output}.items():
            assert canary not in text, (name, place)
        assert not any(canary in text for text in sent), name
    assert not any(key in text for text in (*written.values(), result.output))
