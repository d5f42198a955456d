import pytest
from builders import Json, user
from session_cases import facts_of, planned

from reporter.derive.lifecycle import WITHDRAWAL_CODES, lifecycle_of
from reporter.models.manifest import Attempt
from reporter.models.verdict import VerdictAttempt
from reporter.vocabulary import Lifecycle

CASES = [
    (None, False, Lifecycle.PENDING),
    (None, True, Lifecycle.PENDING),
    ({"status": "pending"}, True, Lifecycle.PENDING),
    ({"status": "pending", "errorCode": "canceled"}, True, Lifecycle.PENDING),
    ({"status": "running"}, True, Lifecycle.RUNNING),
    ({"status": "running", "errorCode": "run_timeout"}, False, Lifecycle.RUNNING),
    ({"status": "rate_limited"}, False, Lifecycle.LIMITED),
    ({"status": "rate_limited"}, True, Lifecycle.BROKE),
    ({"status": "succeeded"}, False, Lifecycle.RAN),
    ({"status": "succeeded"}, True, Lifecycle.RAN),
    ({"status": "succeeded", "errorCode": "sandbox_error"}, True, Lifecycle.RAN),
    ({"status": "failed"}, False, Lifecycle.BROKE),
    ({"status": "failed"}, True, Lifecycle.BROKE),
    ({"status": "failed", "errorCode": "spend_cap_exceeded"}, True, Lifecycle.BROKE),
]


@pytest.mark.parametrize(("attempt", "has_transcript", "expected"), CASES)
def test_first_rule_that_holds_places_the_attempt(
    attempt: Json | None, has_transcript: bool, expected: Lifecycle
) -> None:
    recorded = None if attempt is None else Attempt.model_validate(attempt)
    stated = None if attempt is None else VerdictAttempt.model_validate(attempt)
    assert lifecycle_of(recorded, has_transcript=has_transcript) is expected
    assert lifecycle_of(stated, has_transcript=has_transcript) is expected


@pytest.mark.parametrize("code", sorted(WITHDRAWAL_CODES))
@pytest.mark.parametrize("status", ["succeeded", "failed", "rate_limited"])
@pytest.mark.parametrize("has_transcript", [True, False])
def test_a_withdrawal_code_withdraws_whatever_the_status(
    status: str, code: str, has_transcript: bool
) -> None:
    attempt = Attempt.model_validate({"status": status, "errorCode": code})
    assert lifecycle_of(attempt, has_transcript=has_transcript) is Lifecycle.WITHDRAWN


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (user(), Lifecycle.BROKE),
        (user(role="system", author="client"), Lifecycle.LIMITED),
    ],
)
def test_a_system_message_alone_is_no_transcript(message: Json, expected: Lifecycle) -> None:
    facts = facts_of(message, slot=planned({"status": "rate_limited"}))
    assert facts.lifecycle is expected


def test_the_words_are_all_there() -> None:
    produced = {expected for _, _, expected in CASES} | {Lifecycle.WITHDRAWN}
    assert produced == set(Lifecycle)
    assert {"canceled", "stale_runner", "runner_shutdown", "run_timeout"} == WITHDRAWAL_CODES
