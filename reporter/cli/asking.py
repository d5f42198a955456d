"""Which model is asked, for how much and what it is shown: the options, and what they mean."""
# ruff: noqa: PLC0415  what speaks to a model is loaded only where one is asked

import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypedDict

import click

from reporter.errors import ReporterError

if TYPE_CHECKING:
    from reporter.phrases.asker import OnProgress
    from reporter.phrases.exchange import Question
    from reporter.phrases.kept import PhrasesDocument
    from reporter.pipeline.phrases import PhraseChoices
    from reporter.pipeline.source import ForeignSource, NativeSource, Source

P = ParamSpec("P")


class Dollars(click.ParamType[Decimal]):
    """An amount of dollars, such as 0.50."""

    name = "dollars"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Decimal:
        """Return the amount, exactly as it was written."""
        try:
            amount = Decimal(str(value))
        except InvalidOperation:
            self.fail(f"{value!r} is no amount of dollars, such as 0.50.", param, ctx)
        if not amount.is_finite() or amount < 0:
            self.fail(f"{value!r} is no amount of dollars, such as 0.50.", param, ctx)
        return amount


def model_options(command: Callable[P, None]) -> Callable[P, None]:
    """Add the options that say which model is asked, for how much, and what it is shown."""
    for option in reversed(
        (
            click.option(
                "--model",
                help="Ask this model for causes, such as openai:gpt-5. Without it nothing is sent.",
            ),
            click.option(
                "--model-url",
                help="Address of an OpenAI-compatible server that has it: http://127.0.0.1:8000/v1",
            ),
            click.option(
                "--model-key-env",
                metavar="NAME",
                help="Environment variable with its key. By default the one its provider names.",
            ),
            click.option(
                "--phrases",
                "phrases_file",
                type=click.Path(exists=True, dir_okay=False, path_type=Path),
                help="Kept replies to use. Without --model nothing is sent; with it, only what "
                "they lack.",
            ),
            click.option(
                "--sample",
                type=click.IntRange(min=1, max=50),
                help="Sessions of a group of alike failures that it is shown.  [default: 8]",
            ),
            click.option(
                "--session-chars",
                type=click.IntRange(min=500),
                help="Characters of one session that it is shown.  [default: 12000]",
            ),
            click.option(
                "--context-chars",
                type=click.IntRange(min=1),
                help="Longest transcript that counts as read by a model.  [default: 400000]",
            ),
            click.option(
                "--session-reports/--no-session-reports",
                "with_reports",
                default=None,
                help="Ask for an account of each shown session, too.  [default: ask]",
            ),
            click.option(
                "--budget-tokens",
                type=click.IntRange(min=0),
                help="Tokens that asking may take, requests and answers together.",
            ),
            click.option(
                "--budget-usd",
                type=Dollars(),
                help="Dollars that asking may cost, where the model's prices are known.",
            ),
            click.option(
                "--max-concurrency",
                type=click.IntRange(min=1),
                help="Requests under way at once.  [default: 4]",
            ),
            click.option(
                "--model-timeout",
                type=click.FloatRange(min=0.1),
                help="Seconds that one request may take.  [default: 120]",
            ),
            click.option(
                "--dry-run",
                is_flag=True,
                help="Print exactly what would be sent, with tokens; send and write nothing.",
            ),
        )
    ):
        command = option(command)
    return command


class ModelOptions(TypedDict):
    """What every command that can ask a model is given."""

    model: str | None
    model_url: str | None
    model_key_env: str | None
    phrases_file: Path | None
    sample: int | None
    session_chars: int | None
    context_chars: int | None
    with_reports: bool | None
    budget_tokens: int | None
    budget_usd: Decimal | None
    max_concurrency: int | None
    model_timeout: float | None
    dry_run: bool


class Replies:
    """Where a model's replies are kept, and what was kept there."""

    def __init__(self, path: Path | None, say: Callable[[str], None]) -> None:
        self._path = path
        self._say = say
        self.files: tuple[Path, ...] = ()
        self.before: frozenset[str] = frozenset()
        """Ids of the replies that a run goes on from."""

    def keep(self, document: "PhrasesDocument") -> None:
        """Write the replies, whole or not at all; nowhere where none are to be kept."""
        from reporter.phrases.kept import dump_phrases
        from reporter.pipeline.write import make_folder, write_text

        if self._path is not None:
            make_folder(self._path.parent)
            write_text(self._path, [dump_phrases(document)])
            self.files = (self._path,)
            dropped = len(self.before - {reply.id for reply in document.replies})
            if dropped:
                replies = "1 kept reply" if dropped == 1 else f"{dropped} kept replies"
                self._say(
                    f"Dropped {replies}: what is asked of this recording now is something else."
                )

    @contextlib.contextmanager
    def kept_on_interrupt(self) -> Iterator[None]:
        """Say after an interrupt where the replies are that came before it."""
        try:
            yield
        except KeyboardInterrupt:
            for path in self.files:
                self._say(f"Kept the replies so far; --phrases {path} goes on from there.")
            raise


def kept_choices(file: Path) -> "PhraseChoices":
    """Return the choices of a file of kept replies: what it was asked with, and nobody to ask."""
    from reporter.phrases.asking import AskingOptions
    from reporter.phrases.kept import read_phrases
    from reporter.pipeline.phrases import PhraseChoices

    kept = read_phrases(file)
    return PhraseChoices(
        model=kept.model,
        rail=kept.rail,
        kept=kept,
        options=AskingOptions(
            sample=kept.sample,
            session_chars=kept.session_chars,
            with_reports=kept.with_reports,
        ),
        context_chars=kept.context_chars,
        library_version=kept.library_version,
    )


def with_sessions(source: "Source") -> "NativeSource | ForeignSource":
    """Return a source that holds sessions.

    Raises:
        ReporterError: It is a findings document, which holds none.
    """
    from reporter.pipeline.source import DocumentSource

    if isinstance(source, DocumentSource):
        raise ReporterError(
            f"{source.name}: a findings document holds no sessions to ask about. "
            "Name the recording."
        )
    return source


def phrase_choices(
    asked: ModelOptions, replies: Replies, on_progress: "OnProgress"
) -> "PhraseChoices | None":
    """Return which model is asked and how, or None where none has a word in this."""
    from dataclasses import replace

    if asked["model"] is None:
        _need_model(asked)
        return None if asked["phrases_file"] is None else kept_choices(asked["phrases_file"])
    from reporter.phrases.choice import ModelChoice, rail
    from reporter.phrases.client import open_model, pydantic_ai_version

    usual = ModelChoice(asked["model"], url=asked["model_url"], key_env=asked["model_key_env"])
    choice = replace(
        usual,
        timeout_s=asked["model_timeout"] or usual.timeout_s,
        max_concurrency=asked["max_concurrency"] or usual.max_concurrency,
        budget_tokens=asked["budget_tokens"],
        budget_usd=asked["budget_usd"],
    )
    asking = asking_choices(asked)
    if asking.kept is not None:
        replies.before = frozenset(reply.id for reply in asking.kept.replies)
    return replace(
        asking,
        model=asked["model"],
        rail=rail(choice),
        asker=open_model(choice, on_progress),
        library_version=pydantic_ai_version() or "",
        keep=replies.keep,
    )


def asking_choices(asked: ModelOptions) -> "PhraseChoices":
    """Return what a model is shown: as asked for, else as the kept replies were asked for."""
    from dataclasses import replace

    from reporter.phrases.asking import AskingOptions
    from reporter.pipeline.phrases import PhraseChoices

    choices = PhraseChoices(model=asked["model"] or "")
    if asked["phrases_file"] is not None:
        choices = kept_choices(asked["phrases_file"])
    usual, reports = choices.options, asked["with_reports"]
    options = AskingOptions(
        sample=asked["sample"] or usual.sample,
        session_chars=asked["session_chars"] or usual.session_chars,
        with_reports=usual.with_reports if reports is None else reports,
    )
    return replace(
        choices,
        options=options,
        context_chars=asked["context_chars"] or choices.context_chars,
    )


def _need_model(asked: ModelOptions) -> None:
    """Refuse options that mean nothing where no model is asked."""
    idle = {
        "--model-url": asked["model_url"],
        "--model-key-env": asked["model_key_env"],
        "--budget-tokens": asked["budget_tokens"],
        "--budget-usd": asked["budget_usd"],
        "--max-concurrency": asked["max_concurrency"],
        "--model-timeout": asked["model_timeout"],
        "--sample": asked["sample"],
        "--session-chars": asked["session_chars"],
        "--context-chars": asked["context_chars"],
        "--[no-]session-reports": asked["with_reports"],
    }
    given = [name for name, value in idle.items() if value is not None]
    if given:
        raise click.UsageError(f"{', '.join(given)}: say which model is asked, with --model NAME.")


def question_texts(questions: Sequence["Question"]) -> Iterator[str]:
    """Yield every request as it would be sent; a terminal is not moved by what is recorded."""
    from reporter.phrases.budget import estimate, estimate_input
    from reporter.view.text import clean

    is_terminal = sys.stdout.isatty()
    for number, question in enumerate(questions, start=1):
        yield (
            f"===== Request {number} of {len(questions)}: {question.about}; about "
            f"{estimate_input(question):,} tokens, and at most {question.output_tokens:,} back\n"
        )
        schema = json.dumps(question.schema, ensure_ascii=False)
        sent = f"{question.instructions}\n\n{question.prompt}\n\nSchema: {schema}\n\n"
        yield clean(sent) if is_terminal else sent
    sessions = {one for question in questions for one in question.session_ids}
    most = sum(estimate(question) for question in questions)
    yield (
        f"===== Requests: {len(questions)}, about {len(sessions)} sessions, "
        f"at most about {most:,} tokens. Then each proposed cause is looked at again: one request "
        "a session that it cites, with the cited turns alone. Nothing was sent.\n"
    )
