"""Why sessions did not run, in the words that were recorded."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from reporter.findings.grouping import null_first
from reporter.models.facts import SessionFacts

Origin = Literal["service", "provider", "person", "unknown"]
"""Who turned a session away, as far as its code tells."""

_OWN_SERVICE: Final = frozenset(
    {
        "user_rate_limit",
        "org_rate_limit",
        "mcpjam_rate_limit",
        "billing_limit_reached",
        "spend_budget_reached",
        "spend_cap_exceeded",
        "wallet_locked",
        "host_worker_failed",
        "sandbox_unavailable",
        "sandbox_at_capacity",
        "sandbox_error",
        "stale_runner",
        "runner_shutdown",
        "run_timeout",
    }
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """One recorded reason, and how many sessions it kept from running."""

    code: str | None
    message: str | None
    sessions: int

    @property
    def origin(self) -> Origin:
        """Who refused: a limit of the service that ran the swarm is not a model provider's.

        Rule: findings.md section 13, why sessions did not run.
        """
        match self.code:
            case "rate_limited":
                return "provider"
            case "canceled":
                return "person"
            case code if code in _OWN_SERVICE:
                return "service"
            case _:
                return "unknown"

    @property
    def text(self) -> str:
        """The recorded message, else the code."""
        return self.message or self.code or ""


@dataclass(frozen=True, slots=True)
class Refusals:
    """Every recorded reason, merged; the most frequent first."""

    never_ran: int
    """Sessions that never ran, with a recorded reason or without."""
    reasons: tuple[Refusal, ...]

    @property
    def unexplained(self) -> int:
        """Sessions that never ran and recorded no reason."""
        return self.never_ran - sum(reason.sessions for reason in self.reasons)


def refusals(facts: Iterable[SessionFacts]) -> Refusals:
    """Merge the recorded refusals of the sessions that never ran, by code and message.

    Rule: findings.md section 13, why sessions did not run.
    """
    idle = [session for session in facts if session.never_ran]
    found: Counter[tuple[str | None, str | None]] = Counter()
    for session in idle:
        attempt = session.attempt
        if attempt is not None and (attempt.error_code or attempt.error_message):
            found[attempt.error_code or None, attempt.error_message or None] += 1
    ordered = sorted(
        found.items(), key=lambda item: (-item[1], null_first(item[0][0]), null_first(item[0][1]))
    )
    return Refusals(len(idle), tuple(Refusal(*reason, count) for reason, count in ordered))
