"""A wave worth asking about, and somebody who answers as a test wants."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from builders import assistant, call, goal, manifest, persona, result, run, slot, target, user
from waves import session_lines, write_folder

from reporter.models.wave import DerivedWave
from reporter.phrases.exchange import Answer, Keep, Question
from reporter.pipeline.derive import derive_wave
from reporter.pipeline.options import Options
from reporter.pipeline.phrases import PhraseChoices
from reporter.pipeline.source import open_source
from reporter.vocabulary import ReplyState

ERROR = "Error: card number must have 8 digits"
SAID = "The desk does not take your card number, so I could not borrow the book."
ASKED = "I would like to borrow the blue atlas with my card."
POLICY = {"judge": {"automatic": True, "role": "required"}}


def judged(passed: bool) -> dict[str, Any]:
    return {"type": "goal_judge", "status": "completed", "passed": passed, "reason": "Seen."}


def failing(index: int = 0) -> list[dict[str, Any]]:
    """A session whose only call errs, and whose goal was missed."""
    return [
        user(ASKED),
        call("c1", "borrow_book", args={"title": "Blue atlas", "card": f"12{index}"}),
        result("c1", result=ERROR, isError=True),
        assistant(SAID),
        judged(passed=False),
    ]


def passing() -> list[dict[str, Any]]:
    return [
        user(ASKED),
        call("c1", "borrow_book", args={"title": "Blue atlas", "card": "12345678"}),
        result("c1", result="Lent until Friday"),
        assistant("The atlas is yours until Friday."),
        judged(passed=True),
    ]


def lost() -> list[dict[str, Any]]:
    """A session in which nothing was called, and whose goal was missed."""
    return [
        user(ASKED),
        assistant("I cannot find any way to reserve a seat here, sorry."),
        judged(passed=False),
    ]


def asked_wave(folder: Path, **more: Any) -> Path:
    """Four sessions of two personas that failed alike, one that called nothing, one fine."""
    runs = [
        run("r1", "g1", "Ana", ["t1"], sessionsPerTarget=2),
        run("r2", "g2", "Bo", ["t1"], sessionsPerTarget=2),
        run("r3", "g1", "Bo", ["t1"], sessionsPerTarget=2),
    ]
    whole = manifest(
        policy=POLICY,
        personas=[persona("Ana"), persona("Bo")],
        goals=[goal("g1", "Borrow the blue atlas"), goal("g2", "Take the atlas home")],
        targets=[target("t1", "Lending desk")],
        runs=runs,
        slots=[
            slot("s1", "r1"),
            slot("s2", "r1", index=1),
            slot("s3", "r2"),
            slot("s4", "r2", index=1),
            slot("s5", "r3"),
            slot("s6", "r3", index=1),
        ],
        **more,
    )
    sessions = {f"s{number}": session_lines(failing(number)) for number in range(1, 5)}
    sessions |= {"s5": session_lines(lost()), "s6": session_lines(passing())}
    return write_folder(folder, whole, sessions)


def support(session_id: str = "s1", turns: Sequence[int] = (0,), quote: str = ERROR) -> Any:
    return {"sessionId": session_id, "turns": list(turns), "quote": quote}


def proposal(**more: Any) -> dict[str, Any]:
    """A proposal that holds, unless told otherwise."""
    whole: dict[str, Any] = {
        "stage": "response",
        "outcomePhrase": "ended without the book",
        "mechanismPhrase": "borrow_book refuses the card number and names no way to find one.",
        "fixPhrase": "Say in the error of borrow_book where the card number is found.",
        "support": [support("s1"), support("s2")],
    }
    whole.update(more)
    return whole


ACCOUNT = {
    "actual": "A book was asked for and none was lent.",
    "account": None,
    "support": [{"turns": [0], "quote": ASKED}],
}
"""An account that holds of every session of the wave."""


class Scripted:
    """Answers each kind of question as a test says: a value is sent as JSON, a state as it is."""

    def __init__(self, **kinds: Any) -> None:
        self._kinds = {
            "report": ACCOUNT,
            "propose": {"proposals": []},
            "verify": "supports",
        } | kinds
        self.asked: list[Question] = []

    def ask(self, questions: Sequence[Question], keep: Keep, *, share: float = 1.0) -> list[Answer]:
        assert 0 < share <= 1
        answers = [self._answer(question) for question in questions]
        for answer in answers:
            keep(answer)
        return answers

    def _answer(self, question: Question) -> Answer:
        self.asked.append(question)
        said = self._kinds[question.kind]
        if callable(said):
            said = said(question)
        if isinstance(said, ReplyState):
            return Answer(question.id, said)
        if question.kind == "verify" and isinstance(said, str):
            said = {"answer": said}
        text = said if isinstance(said, str) else json.dumps(said)
        return Answer(
            question.id, ReplyState.ANSWERED, text, input_tokens=100, output_tokens=10, attempts=1
        )


def derive_asked(folder: Path, asker: Any, **more: Any) -> DerivedWave:
    """The wave of a folder, with somebody asked."""
    from datetime import UTC, datetime  # noqa: PLC0415

    choices = PhraseChoices(model="test:scripted", asker=asker, **more)
    source = open_source(folder, Options())
    return derive_wave(source, generated_at=datetime(2026, 1, 1, tzinfo=UTC), phrases=choices)
