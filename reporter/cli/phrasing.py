"""`phrases`: a model is asked for the words of causes, or a person looks at what it proposed."""
# ruff: noqa: PLC0415  imports stand in the commands that need them: `--help` answers at once

from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import click

from reporter.cli.asking import (
    ModelOptions,
    Replies,
    asking_choices,
    kept_choices,
    model_options,
    phrase_choices,
    question_texts,
    with_sessions,
)
from reporter.cli.options import SourceChoices, options_of, source_options, utc_now
from reporter.cli.plainly import plainly
from reporter.cli.progress import Bar
from reporter.cli.statuses import WRITTEN
from reporter.cli.terminal import counted, put, say, say_aside

if TYPE_CHECKING:
    from reporter.pipeline.source import Source

PHRASES: Final = "phrases.json"


class PhrasesAsked(SourceChoices, ModelOptions):
    """What `phrases` is given."""

    output: Path
    review: bool


@click.command()
@source_options
@model_options
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path(PHRASES),
    show_default=True,
    help="File of replies to write.",
)
@click.option(
    "--review",
    is_flag=True,
    help="Ask you, not a model, whether cited turns bear each proposal of --phrases out.",
)
@plainly
def phrases(**given: object) -> int:
    """Ask a model for causes of SOURCE, and keep its replies for reports to come.

    `report SOURCE --phrases FILE` then gives the same report every time, and sends nothing.
    """
    from reporter.pipeline.derive import derive_wave
    from reporter.pipeline.source import open_source
    from reporter.view.terminal import summary_lines

    asked = cast("PhrasesAsked", given)
    source = open_source(asked["sources"], options_of(asked))
    if asked["review"]:
        return _review(source, asked)
    if asked["dry_run"]:
        return dry_run(source, asked)
    if asked["model"] is None:
        raise click.UsageError("Say which model is asked, with --model NAME.")
    replies = Replies(asked["output"], say_aside)
    with Bar("Deriving sessions") as bar:
        choices = phrase_choices(asked, replies, bar.asking)
        with_sessions(source)
        with replies.kept_on_interrupt():
            wave = derive_wave(source, generated_at=utc_now(), progress=bar, phrases=choices)
    for line in summary_lines(wave):
        say(line)
    for path in replies.files:
        say(f"Wrote {path}")
    return WRITTEN


def _review(source: "Source", asked: PhrasesAsked) -> int:
    """Let a person look at every proposal that passed the rules, and keep what they say."""
    from reporter.phrases.kept import dump_phrases, read_phrases
    from reporter.phrases.review import with_answer
    from reporter.pipeline.phrases import kept_looks
    from reporter.pipeline.write import write_text
    from reporter.view.review_lines import look_lines
    from reporter.vocabulary import SupportAnswer

    if asked["phrases_file"] is None:
        raise click.UsageError("Say which replies are reviewed, with --phrases FILE.")
    recorded, choices = with_sessions(source), kept_choices(asked["phrases_file"])
    document = read_phrases(asked["phrases_file"])
    typed = {
        "s": SupportAnswer.SUPPORTS,
        "c": SupportAnswer.CONTRADICTS,
        "t": SupportAnswer.CANNOT_TELL,
    }
    with Bar("Deriving sessions") as bar:
        looks = kept_looks(recorded, choices, bar)
    for number, look in enumerate(looks, start=1):
        for line in look_lines(look, number, len(looks)):
            click.echo(line)
        said = click.prompt(
            "Do they bear it out? s supports, c contradicts, t cannot tell, n next, q quit",
            type=click.Choice(list("sctnq")),
            show_choices=False,
        )
        if said == "q":
            break
        if said in typed:
            document = with_answer(document, look, typed[said])
            # After each answer: an interrupt then loses none.
            write_text(asked["output"], [dump_phrases(document)])
    if not looks:
        click.echo("No kept proposal passed the rules, so there is nothing to look at.")
    say(f"{counted(len(document.persons), 'answer')} of a person in {asked['output']}")
    return WRITTEN


def dry_run(source: "Source", asked: ModelOptions) -> int:
    """Print what would be sent, and send nothing."""
    from reporter.pipeline.phrases import first_questions

    recorded, choices = with_sessions(source), asking_choices(asked)
    with Bar("Deriving sessions") as bar:
        questions = first_questions(recorded, choices, bar)
    put(None, question_texts(questions))
    return WRITTEN
