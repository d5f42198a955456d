"""How malformed evidence is refused: it is never guessed at."""

from reporter.errors import ReporterError


class DecisionRefusedError(ReporterError):
    """A run cannot be decided from what was given; the message says what is wrong and where.

    Rule: decision.md section A4.
    """
