"""What became of a slot's attempt."""

from typing import Final

from reporter.models.manifest import Attempt
from reporter.models.verdict import VerdictAttempt
from reporter.vocabulary import Lifecycle

WITHDRAWAL_CODES: Final = frozenset({"canceled", "stale_runner", "runner_shutdown", "run_timeout"})
"""Error codes that say somebody or something took the attempt back."""


def lifecycle_of(attempt: Attempt | VerdictAttempt | None, *, has_transcript: bool) -> Lifecycle:
    """Place an attempt in its lifecycle.

    Args:
        attempt: What the runner recorded, or None where it recorded nothing.
        has_transcript: Whether a message that counts could be loaded; a system message
            alone is none.

    Rule: findings.md section 4.1.
    """
    if attempt is None or attempt.status == "pending":
        return Lifecycle.PENDING
    if attempt.status == "running":
        return Lifecycle.RUNNING
    if attempt.error_code in WITHDRAWAL_CODES:
        return Lifecycle.WITHDRAWN
    if attempt.status == "rate_limited" and not has_transcript:
        return Lifecycle.LIMITED
    if attempt.status == "succeeded":
        return Lifecycle.RAN
    return Lifecycle.BROKE
