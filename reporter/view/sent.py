"""What left the machine: of which sessions a model was shown how much, and what it cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from reporter.models.finding import FindingSet
from reporter.models.phrases import PhraseWork, SentSession, Spent, Support
from reporter.models.wave import DerivedWave
from reporter.view.citations import PlaceLink
from reporter.view.count import Count
from reporter.view.links import SessionLinks
from reporter.view.outline import NAME_LIMIT
from reporter.view.text import listed, one_line, plural
from reporter.view.work_words import NO_MODEL, NOT_SENT, model_name, no_model

SESSIONS_SHOWN: Final = 30
EVIDENCE_SHOWN: Final = 3
"""Entries of a published document's own list that a sentence names."""
RANGES_SHOWN: Final = 8
"""Runs of turns that are named, such as `1 to 4, 7`; the count before says how many."""


@dataclass(frozen=True, slots=True)
class SentLine:
    """What of one session was sent."""

    session: PlaceLink
    turns: str
    """How many of how many."""
    which: str
    """Which, counted from one: `1 to 4, 7`."""
    chars: str
    requests: str


@dataclass(frozen=True, slots=True)
class SentView:
    """What was sent to a model, session by session."""

    caption: str
    lines: tuple[SentLine, ...]
    more: str
    """The sessions that have no line, counted; may be empty."""
    nothing_else: str
    spent: tuple[str, ...]
    """Tokens and cost as the provider counted them, a sentence each."""


def sent_words(wave: DerivedWave) -> str:
    """Say what was sent to which model.

    Rule: report.md section 2, model words.
    """
    said, _ = _sent(wave)
    return said


def sent_sentence(wave: DerivedWave) -> str:
    """Say the same where no label stands before it."""
    said, is_something = _sent(wave)
    if not is_something:
        return said
    # Our own words go on in the sentence; a published document's stand as they are.
    return f"Sent to a model: {said[:1].lower() if wave.phrases else said[:1]}{said[1:]}"


def _sent(wave: DerivedWave) -> tuple[str, bool]:
    """Say what was sent, and whether it was anything at all."""
    findings, work = wave.findings, wave.phrases
    if no_model(wave):
        return NO_MODEL, False
    if work is None:
        return _as_published(findings), bool(findings.disclosure.evidence_sent)
    if not work.sent:
        return f"{model_name(work)} was to be asked, and nothing was sent to it.", False
    turns = sum(len(one.turns) for one in work.sent)
    of = Count(turns, sum(one.all_turns for one in work.sent), "turn").text
    chars = plural(sum(one.chars for one in work.sent), "character")
    said = (
        f"Masked words of {plural(len(work.sent), 'session')} ({of}, {chars}), to "
        f"{model_name(work)} through the {one_line(work.rail, 40)} rail."
    )
    return said, True


def _as_published(findings: FindingSet) -> str:
    models = list(
        dict.fromkeys(m for m in (findings.extraction_model, findings.reasoning_model) if m)
    )
    listed_as = findings.disclosure.evidence_sent
    evidence: list[str] = [one_line(text, 200) for text in listed_as[:EVIDENCE_SHOWN]]
    left = len(listed_as) - len(evidence)
    if left > 0:
        evidence.append(f"{left:,} more that the document lists")
    named = listed([one_line(model, NAME_LIMIT) for model in models]) or "a model that is not named"
    if not evidence:
        return f"The document lists nothing as sent; it names {named}."
    return f"{listed(evidence)}, to {named} through the {findings.disclosure.rail} rail."


def sent_view(wave: DerivedWave, links: SessionLinks) -> SentView | None:
    """Lay out what was sent; None where no model was asked, or where that is not known.

    Rule: report.md section 3.14.
    """
    work = wave.phrases
    if work is None:
        return None
    rest = work.sent[SESSIONS_SHOWN:]
    return SentView(
        caption=(
            f"Turns that {model_name(work)} was shown, with their characters after masking, over "
            "all requests."
            if work.sent
            else ""
        ),
        lines=tuple(_line(one, links) for one in work.sent[:SESSIONS_SHOWN]),
        more=_more(rest),
        nothing_else=_nothing_else(wave, work),
        spent=tuple(spent_words(work.spent)),
    )


def _line(sent: SentSession, links: SessionLinks) -> SentLine:
    return SentLine(
        session=links.session(sent.session_id),
        turns=Count(len(sent.turns), sent.all_turns, "turn").text,
        which=ranges(sent.turns),
        chars=f"{sent.chars:,}",
        requests=f"{sent.requests:,}",
    )


def ranges(turns: Sequence[int]) -> str:
    """Name turns counted from one, runs of them together: `1 to 4, 7`."""
    runs: list[list[int]] = []
    for turn in turns:
        if runs and turn == runs[-1][1] + 1:
            runs[-1][1] = turn
        else:
            runs.append([turn, turn])
    said = [
        f"{first + 1:,}" if first == last else f"{first + 1:,} to {last + 1:,}"
        for first, last in runs
    ]
    more = f" and {len(said) - RANGES_SHOWN:,} more" if len(said) > RANGES_SHOWN else ""
    return ", ".join(said[:RANGES_SHOWN]) + more


def _more(rest: Sequence[SentSession]) -> str:
    if not rest:
        return ""
    turns = plural(sum(len(one.turns) for one in rest), "turn")
    chars = plural(sum(one.chars for one in rest), "character")
    return f"and {plural(len(rest), 'more session')}, with {turns} and {chars}."


def _nothing_else(wave: DerivedWave, work: PhraseWork) -> str:
    if not work.sent:
        return "Nothing of the recording was sent."
    kept = len([fact for fact in wave.facts if fact.started]) - len(work.sent)
    others = f" Of {plural(kept, 'other started session')} nothing was sent." if kept > 0 else ""
    looked = any(_is_sent(one) for fate in work.proposals for one in fate.support)
    words = " and, for the second look, the words that the model had proposed" if looked else ""
    return f"With these turns went code’s own instructions{words}. Nothing else was sent.{others}"  # noqa: RUF001  the sign is meant


def _is_sent(support: Support) -> bool:
    """Tell whether a second look at a session was sent to a model."""
    if support.answer is not None:
        return not support.by_person
    return support.unanswered is not None and support.unanswered not in NOT_SENT


def spent_words(spent: Spent) -> Iterator[str]:
    """Say what answers took, as their provider counted it; nothing where none was sent."""
    if not spent.requests:
        return
    asked, least = plural(spent.requests, "request"), "at least " if spent.unmeasured else ""
    if spent.input_tokens or spent.output_tokens or not spent.unmeasured:
        yield (
            f"{asked}: {least}{plural(spent.input_tokens, 'token')} in and "
            f"{least}{spent.output_tokens:,} out, as the provider counted them."
        )
        if spent.unmeasured:
            left = "is" if spent.unmeasured == 1 else "are"
            yield (
                f"{plural(spent.unmeasured, 'answer')} came without a count and {left} not in "
                "these sums."
            )
    else:
        yield f"{asked}; the provider did not count their tokens."
    if spent.cost_usd is None:
        yield "Cost: the price is not known."
    else:
        yield f"Cost: {least}{one_line(spent.cost_usd, 40)} US dollars."
