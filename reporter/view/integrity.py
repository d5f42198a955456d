"""What was checked, what was found wrong, and what could not be read or used."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from reporter.errors import Problem
from reporter.models.wave import DerivedWave
from reporter.view.masked import masked_of_wave
from reporter.view.outline import Outline
from reporter.view.published import PublishedView, published_view
from reporter.view.text import capital, clean, one_line, plural
from reporter.view.unused import IntegrityLine, LossGroup, loss_groups, problem_lines

SHOWN: Final = 60
"""Lines of one kind; the rest are counted."""

_GROUPS: Final = (
    ("contract", "Contract: the form of the document", 1),
    ("S", "Scope rules S1 to S11: no finding says more than its scope allows", 11),
    ("A", "Arithmetic rules A1 to A9: counts add up", 9),
    ("P", "Text rules P1 and P2: words stand only where they may", 2),
    ("6.3", "Rules of the stage that a finding shows", 1),
)

_OF_ROWS: Final = ("S", "P", "6.3")
"""Families whose rules are asked of each row of the document."""
_NO_ROW: Final = "nothing to check, as the document has no row"


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """One family of rules."""

    label: str
    result: str
    """Such as `0 violations`, `2 violations; 3 rules not checkable without a recording`."""


@dataclass(frozen=True, slots=True)
class IntegrityView:
    """The integrity section."""

    checks: tuple[RuleCheck, ...]
    violations: tuple[IntegrityLine, ...]
    warnings: tuple[IntegrityLine, ...]
    """Errors and notes of the reader."""
    reader: str
    """What the reader met, in a few words."""
    losses: tuple[LossGroup, ...]
    """What was recorded and could not be used, kind by kind."""
    masked: str
    """Secrets masked on reading, in words; may be empty."""
    job: str
    """State of the published findings job where it is not completed; may be empty."""
    published: PublishedView | None
    """What the source published itself, or None."""
    more: str
    """How many lines are not shown; may be empty."""
    clean: bool
    """True: nothing is wrong."""


def integrity_view(outline: Outline) -> IntegrityView:
    """Lay the integrity section out.

    Rule: report.md section 3.12.
    """
    wave = outline.wave
    broken = [one for one in wave.violations if one.checkable]
    met = dict.fromkeys((*wave.problems, *(one for fact in wave.facts for one in fact.problems)))
    problems = sorted(met, key=lambda one: one.severity != "error")
    warnings, losses = problem_lines(problems), loss_groups(wave)
    hidden = sum(max(0, len(lines) - SHOWN) for lines in (broken, warnings))
    hidden += sum(max(0, len(group.lines) - SHOWN) for group in losses)
    return IntegrityView(
        checks=tuple(_checks(wave)),
        violations=tuple(
            IntegrityLine(
                (one_line(one.row_id or "the document", 160),), one_line(one.what), one.rule
            )
            for one in broken[:SHOWN]
        ),
        warnings=tuple(warnings[:SHOWN]),
        reader=_reader(problems, losses),
        losses=tuple(replace(group, lines=group.lines[:SHOWN]) for group in losses),
        masked=_masked(wave),
        job=job_words(wave),
        published=published_view(wave),
        more=f"{plural(hidden, 'more line')} not shown; `swarm-reporter check` prints every one."
        if hidden
        else "",
        clean=not (broken or problems or losses),
    )


def _masked(wave: DerivedWave) -> str:
    """Say what was masked; of a source that an importer read also that nothing was."""
    words = masked_of_wave(wave.facts, wave.plan)
    if words:
        return capital(words)
    is_native = wave.provenance.input_kind in ("swarm-recording", "findings document")
    return "" if is_native else "nothing that looks like a secret was found"


def _reader(problems: Sequence[Problem], losses: Sequence[LossGroup]) -> str:
    """Say what the reader met; where something was not used, not that all went well."""
    if problems:
        return _problems_caption(problems)
    if losses:
        return "no warning; what is on record and was not used is listed below"
    return "no warning; every file could be read"


def _checks(wave: DerivedWave) -> list[RuleCheck]:
    """Say of each family of rules how often it was broken, and over how many rows it was asked.

    Rule: report.md section 2, every count has its denominator.
    """
    violations, rows = wave.violations, len(wave.document.get("findings", ()))
    checks = []
    for prefix, label, rules in _GROUPS:
        own = [one for one in violations if one.rule.startswith(prefix)]
        broken = sum(one.checkable for one in own)
        unchecked = len({one.rule for one in own if not one.checkable})
        said = plural(broken, "violation")
        if prefix in _OF_ROWS and (rows or not own):
            said = f"{said} in {plural(rows, 'row')}" if rows else _NO_ROW
        if prefix == "A" and wave.findings.verification is None:
            said += "; A6 had nothing to check, as no proposal is counted"
        if unchecked:
            said += f"; {plural(unchecked, 'rule')} of {rules:,} not checkable without a recording"
        checks.append(RuleCheck(label, said))
    return checks


def _problems_caption(problems: Sequence[Problem]) -> str:
    errors = sum(one.severity == "error" for one in problems)
    notes = len(problems) - errors
    parts = []
    if errors:
        parts.append(plural(errors, "error"))
    if notes:
        parts.append(plural(notes, "note"))
    return f"{' and '.join(parts)} of the reader. Nothing was repaired." if parts else ""


def job_words(wave: DerivedWave) -> str:
    """Say what became of the published findings job; empty where it completed or is unknown."""
    if wave.job is None:
        return ""
    status = wave.job.get("status")
    if status == "completed" or not isinstance(status, str):
        return ""
    said = {
        "pending": "The findings job had not finished when this was published.",
        "failed": "The findings job failed; what is here may be incomplete.",
        "skipped": "The findings job was skipped; nothing was analysed.",
    }
    code = wave.job.get("errorCode")
    tail = f" Its error code is {one_line(code, 80)}." if isinstance(code, str) and code else ""
    return clean(said.get(status, f"The findings job is {one_line(status, 60)}.") + tail)
