"""How one task of an mcpchecker run came out, and who failed where it did."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from reporter.importers.conversation import Element
from reporter.importers.losses import Losses
from reporter.importers.outcome import OUTCOME_RECORDED, failed_attempt
from reporter.importers.sound import sound_text
from reporter.models.manifest import Attempt, Criterion
from reporter.models.records import CriterionResult
from reporter.models.value import value

VERIFIED: Final = Criterion(id="taskPassed", label="The task was verified", role="required")
"""The check that decides: what the task's own verification said."""

_ASSERTION: Final = "assertion."
_REASON: Final = 2_000
"""Characters kept of a reason: a script's whole output may stand in it."""
_SETUP: Final = (
    "failed to setup task",
    "failed to create",
    "failed to register",
    "failed to start",
)
_VERIFIED: Final = ("verification failed", "one or more verification steps failed")
_SUCCEEDED: Final = Attempt(status="succeeded")


@value(frozen=True, slots=True)
class Judge:
    """What a model that judges said."""

    passed: bool | None
    reason: str | None
    error: str | None = None
    inferred: str | None = None
    """The rule that gave `passed`, where no step says it."""


@value(frozen=True, slots=True)
class Outcome:
    """How a task came out."""

    ran: bool
    """The agent was started."""
    attempt: Attempt | None
    inferred: Mapping[str, str]
    trouble: str | None
    """What the harness or the agent broke off with, or None."""
    results: Sequence[CriterionResult]
    """Empty where nothing was checked."""
    checked: bool
    """The assertions of the task are listed."""
    judge: Judge | None


def outcome_of(result: Element, place: str, losses: Losses) -> Outcome:
    """Tell how a task came out.

    A set-up that failed is nobody's failure but the harness's: nothing was checked. An
    agent that could not run, or ran out of time, was not judged. Only a verification that
    was made says that the task was missed.
    """
    error = _text(result.get("taskError"))
    ran = has_run(result)
    attempt: Attempt | None = None
    inferred: dict[str, str] = {}
    if not ran:
        trouble = error or _phase_error(result, "setupOutput")
        if trouble or _setup_failed(result):
            attempt = failed_attempt("setup_failed", trouble)
        return Outcome(ran, attempt, inferred, trouble, (), checked=False, judge=None)
    code, trouble = _broke_off(result, error)
    verified = _verified(result, error, is_broken=code is not None)
    assertions = _assertions(result, place, losses)
    results = [*_verified_result(verified, error, is_broken=code is not None), *assertions]
    if code is None and verified is None and error is not None:
        code, trouble = "task_failed", error
    if code is not None:
        attempt = failed_attempt(code, trouble)
    elif results:
        attempt, inferred = _SUCCEEDED, dict(OUTCOME_RECORDED)
    return Outcome(
        ran,
        attempt,
        inferred,
        trouble,
        results,
        checked=isinstance(result.get("assertionResults"), dict),
        judge=_judge(result, verified),
    )


def checks_of(outcome: Outcome) -> tuple[Criterion, ...]:
    """Return the checks that an outcome lists: the deciding one, then the assertions by name."""
    names = sorted(one.criterion_id for one in outcome.results if one.criterion_id != VERIFIED.id)
    return (
        VERIFIED,
        *(
            Criterion(
                id=name,
                label=f"Assertion {name.removeprefix(_ASSERTION)}",
                role="advisory",
            )
            for name in names
        ),
    )


def verified_only() -> tuple[Criterion, ...]:
    """Return the checks of a task whose assertions are not known."""
    return (VERIFIED,)


def has_run(result: Element) -> bool:
    """Tell whether the agent was started: else whatever failed was the harness's."""
    if _setup_failed(result):
        return False
    if isinstance(result.get("agentOutput"), dict) or result.get("agentExecutionError") is True:
        return True
    if any(result.get(key) for key in ("taskOutput", "callHistory", "verifyOutput")):
        return True
    # Older files hold no phases: what passed or was verified did run.
    error = _text(result.get("taskError")) or ""
    return result.get("taskPassed") is True or error.startswith(_VERIFIED)


def _setup_failed(result: Element) -> bool:
    setup = result.get("setupOutput")
    if isinstance(setup, dict) and setup.get("Success") is False:
        return True
    error = result.get("taskError")
    is_said = isinstance(error, str) and (
        error.startswith(_SETUP) or error.endswith("during setup")
    )
    return is_said and not isinstance(result.get("agentOutput"), dict)


def _broke_off(result: Element, error: str | None) -> tuple[str | None, str | None]:
    """Return code and words of what kept the agent from ending, or nothing."""
    if result.get("timedOut") is True or (error or "").startswith("task exceeded timeout"):
        return "task_timeout", error
    output = result.get("agentOutput")
    is_failed = isinstance(output, dict) and output.get("Success") is False
    if result.get("agentExecutionError") is True or is_failed:
        return "agent_failed", error or _phase_error(result, "agentOutput")
    return None, None


def _verified(result: Element, error: str | None, *, is_broken: bool) -> bool | None:
    """Return what the verification said, or None where none was made."""
    passed: object = result.get("taskPassed")
    if not isinstance(passed, bool) or is_broken:
        return None
    if passed or isinstance(result.get("verifyOutput"), dict):
        return passed
    # Without phases and without an error the verdict is all there is of a verification.
    return False if error is None or error.startswith(_VERIFIED) else None


def _verified_result(
    verified: bool | None, error: str | None, *, is_broken: bool
) -> list[CriterionResult]:
    if verified is not None:
        said = error or "no reason is recorded"
        reason = "the verification passed" if verified else said
        return [CriterionResult(criterion_id=VERIFIED.id, passed=verified, reason=_bounded(reason))]
    if not (is_broken or error):
        return []
    # The harness writes a failure where it judged nothing.
    why = _bounded(error or "the agent broke off")
    return [CriterionResult(criterion_id=VERIFIED.id, passed=False, status="error", reason=why)]


def _assertions(result: Element, place: str, losses: Losses) -> list[CriterionResult]:
    listed = result.get("assertionResults")
    if not isinstance(listed, dict):
        return []
    found: list[CriterionResult] = []
    for name in sorted(listed):
        said = listed[name]
        if said is None:
            continue
        if not isinstance(said, dict) or not isinstance(said.get("passed"), bool):
            where = f"{place}.assertionResults.{sound_text(name)}"
            losses.add("unreadable", where, "assertions that do not say whether they passed")
            continue
        reason = _text(said.get("reason"))
        found.append(
            CriterionResult(
                criterion_id=_ASSERTION + sound_text(name),
                passed=said["passed"],
                reason=None if reason is None else _bounded(reason),
            )
        )
    every = result.get("allAssertionsPassed")
    if isinstance(every, bool) and every != all(one.passed for one in found):
        losses.disagreement(
            f"{place}.allAssertionsPassed",
            "allAssertionsPassed beside assertions that say otherwise; the single ones count",
        )
    return found


def _judge(result: Element, verified: bool | None) -> Judge | None:
    reason, error = _text(result.get("taskJudgeReason")), _text(result.get("taskJudgeError"))
    verify = result.get("verifyOutput")
    steps = verify.get("Steps") if isinstance(verify, dict) else None
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, dict) and step.get("type") == "llmJudge":
            passed = step.get("success")
            said = reason or _text(step.get("message"))
            failed = error or _text(step.get("error"))
            if isinstance(passed, bool) and not (failed and not said):
                return Judge(passed, _bounded(said))
            return Judge(None, None, error=_bounded(failed or "no word of the judge is recorded"))
    if error is not None:
        return Judge(None, None, error=_bounded(error))
    if reason is not None and verified:
        rule = "the task passed, and with it every step of its verification"
        return Judge(True, _bounded(reason), inferred=rule)
    return None


def _phase_error(result: Element, phase: str) -> str | None:
    output: Any = result.get(phase)
    return _text(output.get("Error")) if isinstance(output, dict) else None


def _bounded(text: str | None) -> str | None:
    if text is None or len(text) <= _REASON:
        return text
    return f"{text[:_REASON]}…"


def _text(said: object) -> str | None:
    return sound_text(said) if isinstance(said, str) and said.strip() else None
