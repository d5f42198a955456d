"""The published decision of a wave's runs: shown as published, never worked out here."""

from collections.abc import Mapping
from typing import Any

from reporter.view.text import listed, plural
from reporter.vocabulary import Verdict, VerdictSource


def decision_words(published: Mapping[str, Any]) -> str:
    """Write the decision line, or nothing where no decision was published.

    Several decisions fold into one line; runs without a recorded one are named as such.

    Rule: findings.md section 7, decision line.
    """
    decision = published.get("decision")
    found = [decision] if isinstance(decision, Mapping) else decision
    if not isinstance(found, list) or not found:
        return ""
    verdicts = [_verdict(one) for one in found]
    known = [verdict for verdict in verdicts if verdict is not None]
    if not known:
        return ""
    word = _fold(known)
    sources = {_source(one) for one in found} - {""}
    said = f"{word.label[0].upper()}{word.label[1:]}"
    if sources:
        said += f", by {listed(sorted(sources))}"
    missing = len(verdicts) - len(known)
    tail = f" {plural(missing, 'run')} without a recorded decision." if missing else ""
    return f"{said}.{tail}"


def _fold(verdicts: list[Verdict]) -> Verdict:
    for worst in (Verdict.FAILED, Verdict.INCONCLUSIVE):
        if worst in verdicts:
            return worst
    return Verdict.PASSED if set(verdicts) == {Verdict.PASSED} else Verdict.NOT_ESTABLISHED


def _verdict(decision: object) -> Verdict | None:
    word = decision.get("verdict") if isinstance(decision, Mapping) else None
    return next((verdict for verdict in Verdict if verdict == word), None)


def _source(decision: object) -> str:
    word = decision.get("verdictSource") if isinstance(decision, Mapping) else None
    named = (source.label for source in VerdictSource if source == word)
    return "" if word == VerdictSource.NONE else next(named, "")
