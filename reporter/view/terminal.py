"""What a command says when it is done: a few lines for a terminal or a log."""

from collections.abc import Iterator

from reporter.findings.headline import headline
from reporter.findings.population import tally_of
from reporter.models.wave import DerivedWave
from reporter.view.cautions import touched_words
from reporter.view.ledger import ways
from reporter.view.masked import masked_of_wave
from reporter.view.sent import sent_words, spent_words
from reporter.view.text import plural
from reporter.view.unused import unused_words
from reporter.view.work_words import NO_MODEL, cause_line, no_model
from reporter.vocabulary import CoverageNote

LIST_NAMES = {
    1: "causes",
    2: "goal outcomes",
    3: "recorded facts",
    4: "session reports",
    5: "wider facts",
}
"""What the rows of each list are called (findings.md section 12)."""


def summary_lines(wave: DerivedWave) -> Iterator[str]:
    """Write what was found, and what could not be seen, a sentence or list a line.

    Rule: findings.md sections 7, 11 and 13.1.
    """
    findings, counts = wave.findings, wave.findings.population
    head = headline(findings, wave.plan, wave.facts)
    goals = " ".join(item.text for item in head.goals)
    yield f"{findings.summary_kind.label}. {goals}".rstrip()
    yield head.text
    yield (
        f"Sessions: {counts.configured} configured, {counts.started} started, "
        f"{counts.read} read, {counts.graded} graded."
    )
    if wave.facts:
        tally = tally_of(wave.facts)
        if left := ways(tally.launch):
            yield f"Did not start: {', '.join(left)}."
        parts = tally.partition
        yield (
            f"Outcomes of {plural(parts.total, 'session')}: {parts.met} met, "
            f"{parts.met_with_friction} met with friction, {parts.not_met} not met, "
            f"{parts.not_known} not known."
        )
    notes = [_note(wave, note) for note in findings.coverage_notes]
    if notes:
        yield f"Cautions: {'; '.join(notes)}."
    if wave.plan is not None and wave.plan.manifest_missing:
        yield (
            "The wave has no manifest, so it was interrupted or is still being written: what was"
            " planned is unknown."
        )
    if unused := unused_words(wave):
        yield f"Not used: {unused}."
    if masked := masked_of_wave(wave.facts, wave.plan):
        yield f"Masked on reading: {masked}."
    if wave.left_out:
        rows = ", ".join(
            f"{count} {LIST_NAMES[number]}" for number, count in sorted(wave.left_out.items())
        )
        yield f"findings.json holds 200 rows at most and leaves out {rows}; the report has all."
    yield from _of_a_model(wave)


def _of_a_model(wave: DerivedWave) -> Iterator[str]:
    if no_model(wave):
        yield NO_MODEL
    elif line := cause_line(wave):
        yield line
    if wave.phrases is not None:
        # A report made of kept replies sends nothing, and its words were sent all the same.
        said = " ".join((sent_words(wave), *spent_words(wave.phrases.spent)))
        yield f"Sent, now or when replies were kept: {said}"


def _note(wave: DerivedWave, note: CoverageNote) -> str:
    touched = touched_words(wave, note)
    label = note.label[0].lower() + note.label[1:]
    return f"{label} ({touched})" if touched else label
