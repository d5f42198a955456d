"""What came of a run, out of the files that it wrote."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def _line(what: str, counted: Iterable[tuple[str, int]]) -> str:
    parts = ", ".join(f"{count} {word}" for word, count in counted)
    return f"  {what}: {parts or 'none'}"


def figures(folder: Path, seconds: float) -> list[str]:
    """Lines to print: requests, proposals, counters, notes, tokens and time."""
    phrases: dict[str, Any] = json.loads((folder / "phrases.json").read_text("utf-8"))
    findings: dict[str, Any] = json.loads((folder / "findings.json").read_text("utf-8"))
    replies = phrases["replies"]
    kinds = Counter(f"{one['kind']} {one['state']}" for one in replies)
    decisions = Counter(
        f"{one['kind']} {line}"
        for one in replies
        for line in one["decision"]
        if one["kind"] != "verify"
    )
    sent = sum(one["inputTokens"] or 0 for one in replies)
    answered = sum(one["outputTokens"] or 0 for one in replies)
    attempts = sum(one["attempts"] for one in replies)
    details = Counter(one["detail"] for one in replies if one["detail"])
    return [
        _line("requests", sorted(kinds.items())),
        _line("details", sorted(details.items())),
        _line("decisions", sorted(decisions.items())),
        f"  verification: {json.dumps(findings.get('verification'))}",
        f"  notes: {', '.join(findings['coverageNotes'])}",
        f"  tokens: {sent} sent, {answered} answered, in {attempts} attempts",
        f"  time: {seconds:.0f} s",
    ]
