"""Writes `phrases.json`: replies to what a model would be asked of this wave, written by hand.

No model took part. A person read the questions that `swarm-reporter phrases wave --dry-run`
prints and answered them as a model might, some of it false on purpose. What becomes of each
answer is code's: `report wave --phrases phrases.json` shows it.

`python by_hand.py -o FILE` writes the replies anew, after questions or recording changed.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from answers import ACCOUNTS, LOOKS, PROPOSALS

from reporter.phrases.exchange import Answer, Keep, Question
from reporter.phrases.kept import PhrasesDocument, dump_phrases
from reporter.pipeline.derive import derive_wave
from reporter.pipeline.options import Options
from reporter.pipeline.phrases import PhraseChoices
from reporter.pipeline.source import open_source
from reporter.vocabulary import ReplyState

NAME: Final = "by-hand"
WAVE: Final = Path(__file__).resolve().parent / "wave"
_GENERATED: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""It stands in no reply."""


@dataclass(frozen=True)
class ByHand:
    """Answers each question with what was written for it."""

    def ask(self, questions: Sequence[Question], keep: Keep, *, share: float = 1.0) -> list[Answer]:
        """Return one answer a question; `share` is of a budget that nobody's hand has."""
        del share
        answers = [
            Answer(
                question.id,
                ReplyState.ANSWERED,
                json.dumps(_reply(question), ensure_ascii=False),
                model=NAME,
                attempts=1,
            )
            for question in questions
        ]
        for answer in answers:
            keep(answer)
        return answers


def _reply(question: Question) -> dict[str, Any]:
    if question.kind == "report":
        return ACCOUNTS[question.session_ids[0]]
    if question.kind == "propose":
        return {"proposals": PROPOSALS.get(question.about.removeprefix("explanations for "), [])}
    said = next((answer for words, answer in LOOKS.items() if words in question.prompt), "supports")
    return {"answer": said}


def answered() -> PhrasesDocument:
    """Return all replies as the pipeline keeps them, with what became of each."""
    kept: list[PhrasesDocument] = []
    choices = PhraseChoices(model=NAME, asker=ByHand(), keep=kept.append)
    derive_wave(open_source(WAVE, Options()), generated_at=_GENERATED, phrases=choices)
    return kept[-1]


def main() -> None:
    """Write the replies to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True)
    output: Path = parser.parse_args().output
    output.write_text(dump_phrases(answered()), "utf-8")
    print(f"Wrote {output}")


if __name__ == "__main__":
    main()
