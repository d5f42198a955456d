"""What Harbor writes beside a trajectory: which task was tried, and how the trial came out."""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from reporter.importers.agent_log import AgentLog, Ending, text_of
from reporter.importers.atif_documents import child
from reporter.importers.naming import goal_of
from reporter.importers.outcome import (
    OUTCOME_RECORDED,
    REWARD,
    REWARD_RULE,
    failed_attempt,
    is_full_reward,
    number_of,
)
from reporter.importers.outline import Outline
from reporter.models.manifest import Attempt, Goal

RESULT: Final = "result.json"

_AGENT_FOLDER: Final = "agent"
_COPIES: Final = (".jsonl", ".meta.json")
_CRASHED: Final = "exception_info recorded"


def folder_of(name: str) -> str:
    """Return the folder of the trial that a file belongs to."""
    parts = posixpath.dirname(name).split("/")
    if _AGENT_FOLDER in parts:
        parts = parts[: parts.index(_AGENT_FOLDER)]
    return "/".join(parts)


def is_result(name: str, outline: Outline) -> bool:
    """Tell whether a file is the result of a trial, or of a job of them."""
    return posixpath.basename(name) == RESULT and (
        outline.has("trial_name", "task_name") or outline.has("n_total_trials")
    )


def is_copy(name: str) -> bool:
    """Tell whether a file is the agent's own log, of which a trajectory was made."""
    return _AGENT_FOLDER in name.split("/")[:-1] and name.endswith(_COPIES)


@dataclass(frozen=True, slots=True)
class Trial:
    """One try of a task."""

    task: str
    reward: float | None
    others: int
    """Rewards under other names, for which nothing says when they hold."""
    exception: str | None
    message: str | None
    agent: str | None
    model: str | None

    def goal(self, of_steps: Goal | None = None) -> Goal:
        """Return the goal that the task is, with the words of the steps where there are some."""
        goal = goal_of(self.task, None)
        if of_steps is None or of_steps.goal is None:
            return goal
        rule = (of_steps.inferred or {}).get("goal", "")
        inferred = {**(goal.inferred or {}), "goal": rule}
        return goal.model_copy(update={"goal": of_steps.goal, "inferred": inferred})

    def grade(self, log: AgentLog) -> None:
        """Add the trial's outcome, where one was recorded."""
        if self.reward is not None:
            log.outcome(
                REWARD[0].id,
                passed=is_full_reward(self.reward),
                reason=f"reward {self.reward} (verifier_result)",
                rule=REWARD_RULE,
            )

    def ending(self, of_steps: Ending) -> Ending:
        """Return how the trial ended: what its runner recorded counts before the steps.

        Rule: recording.md section 5a.
        """
        if self.exception is not None:
            return Ending(failed_attempt(self.exception, self.message), "error", _CRASHED)
        if self.reward is not None:
            return Ending(Attempt(status="succeeded"), "unknown", OUTCOME_RECORDED["attempt"])
        return of_steps


def trial_of(body: Mapping[str, Any]) -> Trial | None:
    """Return the trial that a result describes, or None for another document."""
    task = text_of(body.get("task_name"))
    if task is None or text_of(body.get("trial_name")) is None:
        return None
    rewards = child(child(body, "verifier_result"), "rewards")
    crash, info = child(body, "exception_info"), child(body, "agent_info")
    return Trial(
        task=task,
        reward=number_of(rewards.get("reward")),
        others=sum(key != "reward" for key in rewards),
        exception=(text_of(crash.get("exception_type")) or "exception") if crash else None,
        message=text_of(crash.get("exception_message")),
        agent=text_of(info.get("name")),
        model=text_of(child(info, "model_info").get("name")),
    )
