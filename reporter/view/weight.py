"""How much of a long page a browser builds at once: the rest waits in it until it is wanted.

A page that holds every element of ten thousand sessions cannot be used. With scripts, a
`noscript` element is one piece of text to a browser, whatever is in it; without, it is
simply shown. So what is beyond the first part of a long page stands in such elements, and
the script builds from them what is looked at.
"""

from collections.abc import Sequence
from typing import Final

from reporter.models.facts import SessionFacts
from reporter.view.embed import EmbedPlan

ROWS_AT_ONCE: Final = 100
"""Sessions that a page lists without waiting; a shorter wave is built whole."""
FIRST_ROWS: Final = 40
"""Rows that a long list begins with."""
RUNS_AT_ONCE: Final = 120
"""Runs that a page draws without waiting."""
FIRST_GOALS: Final = 30
"""Goals that a long page begins with, each closed to one line."""
WHOLE_RUNS: Final = 400
"""Runs that stand with their chain drawn and all their evidence on one page."""
CHARS_AT_ONCE: Final = 2_500_000
"""Recorded characters of transcripts that a page builds without waiting."""


def is_long(facts: Sequence[SessionFacts], runs: int, plan: EmbedPlan) -> bool:
    """Tell whether a page is too long to be built at once.

    Rule: report.md section 4, `Size`.
    """
    return len(facts) > ROWS_AT_ONCE or runs > RUNS_AT_ONCE or plan.chars > CHARS_AT_ONCE
