"""Three questions straight to the model: one to answer, one too long for it, one to cut off."""

import time

from model_questions import question

from real_model.serving import NAME
from reporter.phrases.client import ModelChoice, open_model
from reporter.phrases.exchange import Answer
from reporter.vocabulary import ReplyState

TOO_LONG = "the request is longer than the model takes (400)"


def three_questions(url: str) -> None:
    """Ask them and print what came; fails where a state is not the one that is due."""
    begun = time.monotonic()

    def show(answer: Answer) -> None:
        passed = time.monotonic() - begun
        tokens = f"{answer.input_tokens} + {answer.output_tokens} tokens"
        print(f"  {passed:6.1f} s  {answer.state}  {tokens}  {answer.detail or answer.text[:60]!r}")

    choice = ModelChoice(NAME, url=url, max_concurrency=1, timeout_s=600)
    answers = open_model(choice).ask(
        [
            question("The tool said: permission denied. Which word says what happened?"),
            question("The tool said: permission denied. " * 3000),
            question("Which word stands first in the alphabet?", output_tokens=1),
        ],
        show,
    )
    states = [answer.state for answer in answers]
    assert states == [ReplyState.ANSWERED, ReplyState.FAILED, ReplyState.CUT_OFF], states
    assert answers[1].detail == TOO_LONG, answers[1].detail
    assert all(answer.input_tokens for answer in answers if answer.text)
