"""Kept replies: the same report again without asking, and stale ones seen and not used."""

import json
from pathlib import Path
from typing import Any

import pytest
from asked_waves import ACCOUNT, Scripted, asked_wave, derive_asked, failing, proposal, support
from waves import session_lines

from reporter.errors import RecordingError
from reporter.findings.projection import dump_document
from reporter.models.wave import DerivedWave
from reporter.phrases.asking import AskingOptions
from reporter.phrases.exchange import Question
from reporter.phrases.kept import PersonAnswer, PhrasesDocument, dump_phrases, read_phrases
from reporter.vocabulary import (
    CoverageNote,
    PhraseRule,
    ProposalState,
    ReadState,
    ReplyState,
    SupportAnswer,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return asked_wave(tmp_path / "wave")


def large(*proposals: Any) -> Any:
    return lambda question: list(proposals) if '"s3"' in question.prompt else []


def kept_of(folder: Path, **kinds: Any) -> tuple[DerivedWave, PhrasesDocument]:
    documents: list[PhrasesDocument] = []
    found = derive_asked(folder, Scripted(**kinds), keep=documents.append)
    (document,) = documents
    return found, document


def again(folder: Path, document: PhrasesDocument, **more: Any) -> DerivedWave:
    options = AskingOptions(
        sample=document.sample,
        session_chars=document.session_chars,
        with_reports=document.with_reports,
    )
    return derive_asked(folder, None, kept=document, options=options, **more)


@pytest.mark.parametrize(
    "kinds",
    [
        {"propose": large(proposal())},
        {"propose": large(proposal(), {"stage": "call"}), "verify": "cannotTell"},
        {"propose": "no json", "report": "neither"},
        {"propose": ReplyState.FAILED, "report": ReplyState.TIMED_OUT},
        {"propose": ReplyState.OVER_BUDGET, "report": ReplyState.OVER_BUDGET},
        {"propose": large(proposal()), "verify": ReplyState.REFUSED, "report": ReplyState.CUT_OFF},
    ],
)
def test_kept_replies_give_the_same_again_and_nothing_is_asked(
    folder: Path, tmp_path: Path, kinds: dict[str, Any]
) -> None:
    first, document = kept_of(folder, **kinds)
    path = tmp_path / "phrases.json"
    path.write_text(dump_phrases(document), encoding="utf-8")
    second = again(folder, read_phrases(path))
    assert dump_document(second.document) == dump_document(first.document)
    assert second.facts == first.facts
    assert second.findings == first.findings
    assert second.phrases == first.phrases


def test_the_file_says_what_became_of_each_reply(folder: Path) -> None:
    _, document = kept_of(folder, propose=large(proposal(), proposal(support=[])))
    by_kind: dict[str, list[list[str]]] = {}
    for reply in document.replies:
        by_kind.setdefault(reply.kind, []).append(reply.decision)
    assert by_kind["report"] == [["accepted"]] * 5
    first, second = by_kind["propose"][0]
    assert first.endswith(": confirmed")
    assert second.endswith(": rejected (noSupport, repeated)")
    assert by_kind["propose"][1] == []
    assert by_kind["verify"] == [["supports"], ["supports"]]
    assert len({reply.id for reply in document.replies}) == len(document.replies)


def test_a_recording_that_changed_leaves_its_replies_stale(folder: Path) -> None:
    _, document = kept_of(folder, propose=large(proposal()))
    changed = [*failing(1)[:3], {**failing(1)[3], "content": "Something else was said."}]
    (folder / "sessions" / "s1.jsonl").write_bytes(session_lines([*changed, failing(1)[4]]))
    found = again(folder, document)
    assert found.phrases is not None
    # Its account, the explanations of its group, and both second looks at them.
    assert found.phrases.stale == 4
    assert found.phrases.states[ReplyState.MISSING] == 2
    assert not [row for row in found.findings.rows if row.order == 1]
    assert CoverageNote.ANALYSIS_UNAVAILABLE in found.findings.coverage_notes
    # What did not change is still there.
    reports = [row.finding.session_ids for row in found.findings.rows if row.order == 4]
    assert reports == [["s2"], ["s3"], ["s4"], ["s5"]]


def test_replies_of_another_wave_are_no_sign_that_a_model_was_asked(
    folder: Path, tmp_path: Path
) -> None:
    _, document = kept_of(folder)
    other = asked_wave(tmp_path / "other")
    for number in range(1, 6):
        lines = (other / "sessions" / f"s{number}.jsonl").read_bytes()
        (other / "sessions" / f"s{number}.jsonl").write_bytes(lines.replace(b"atlas", b"globe"))
    found = again(other, document)
    assert found.phrases is not None
    assert found.phrases.stale == len(document.replies)
    assert found.findings.verification is None
    assert found.findings.reasoning_model == ""
    assert found.findings.disclosure.evidence_sent == []
    assert all(one.read_state is ReadState.READ for one in found.facts)


def test_a_run_that_goes_on_asks_only_for_what_is_missing(folder: Path) -> None:
    _, document = kept_of(folder, propose=large(proposal()), verify=ReplyState.FAILED)
    asker = Scripted()
    found = derive_asked(folder, asker, kept=document)
    assert [question.kind for question in asker.asked] == ["verify", "verify"]
    assert found.phrases is not None
    assert found.phrases.proposals[0].state is ProposalState.CONFIRMED


def test_a_decision_that_is_not_come_to_again_is_counted(folder: Path) -> None:
    _, document = kept_of(folder, propose=large(proposal()))
    replies = [
        reply.model_copy(update={"decision": ["refused: tooLong"]})
        if reply.session_ids == ["s1"] and reply.kind == "report"
        else reply
        for reply in document.replies
    ]
    found = again(folder, document.model_copy(update={"replies": replies}))
    assert found.phrases is not None
    assert found.phrases.changed == 1
    assert again(folder, document).phrases == kept_of(folder, propose=large(proposal()))[0].phrases


def test_a_persons_answer_stands_before_a_models(folder: Path) -> None:
    first, document = kept_of(folder, propose=large(proposal()))
    assert first.phrases is not None
    (fate,) = first.phrases.proposals
    persons = [
        PersonAnswer(proposal=fate.key, session_id=one, answer=SupportAnswer.CONTRADICTS)
        for one in ("s1", "s2")
    ]
    found = again(folder, document.model_copy(update={"persons": persons}))
    assert found.phrases is not None
    (judged,) = found.phrases.proposals
    assert judged.state is ProposalState.REJECTED
    assert [refusal.rule for refusal in judged.refusals] == [PhraseRule.CONTRADICTED]
    assert all(one.by_person for one in judged.support)
    assert found.phrases.by_person == 2
    # The model's own second looks are not wanted any more.
    assert found.phrases.stale == 2


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"format": "another"}, "format"),
        ({"formatVersion": 2}, "formatVersion"),
        ({"replies": [{"id": "x"}]}, "replies.0.id"),
        ({"more": 1}, "more"),
        ({"sample": 0}, "sample"),
        ({"persons": [{"proposal": "a", "sessionId": "s1", "answer": "yes"}]}, "persons.0.answer"),
    ],
)
def test_a_file_of_another_form_is_refused_with_every_place(
    folder: Path, tmp_path: Path, change: dict[str, Any], place: str
) -> None:
    _, document = kept_of(folder)
    raw = json.loads(dump_phrases(document)) | change
    path = tmp_path / "phrases.json"
    path.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(RecordingError) as caught:
        read_phrases(path)
    assert place in {problem.place for problem in caught.value.problems}
    assert all(problem.file == "phrases.json" for problem in caught.value.problems)


def test_a_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "phrases.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(RecordingError, match=r"phrases\.json: The file of replies is not JSON"):
        read_phrases(path)


class Interrupted(Scripted):
    """Answers two questions, then hears an interrupt."""

    def _answer(self, question: Question) -> Any:
        if len(self.asked) == 2:
            raise KeyboardInterrupt
        return super()._answer(question)

    def ask(self, questions: Any, keep: Any, *, share: float = 1.0) -> Any:
        assert share
        answers = []
        for question in questions:
            answer = self._answer(question)
            keep(answer)
            answers.append(answer)
        return answers


def test_an_interrupt_loses_no_reply_and_the_next_run_goes_on(folder: Path) -> None:
    documents: list[PhrasesDocument] = []
    with pytest.raises(KeyboardInterrupt):
        derive_asked(folder, Interrupted(), keep=documents.append)
    (document,) = documents
    assert [reply.reply for reply in document.replies] == [json.dumps(ACCOUNT)] * 2
    asker = Scripted(propose=large(proposal(support=[support("s1")])))
    found = derive_asked(folder, asker, kept=document)
    assert [q.session_ids for q in asker.asked if q.kind == "report"] == [
        ("s3",),
        ("s4",),
        ("s5",),
    ]
    whole = derive_asked(folder, Scripted(propose=large(proposal(support=[support("s1")]))))
    assert found.findings == whole.findings
