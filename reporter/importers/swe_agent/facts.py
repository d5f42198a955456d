"""What a trajectory was about: the issue, the repository, the model."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from reporter.importers.conversation import Element
from reporter.importers.described import Gap
from reporter.importers.jsontext import finite
from reporter.importers.mapping import Stated
from reporter.importers.naming import first_words, goal_of
from reporter.importers.outcome import number_of
from reporter.importers.sound import sound_text
from reporter.models.manifest import Goal, Target

# An instance of a benchmark, such as owner__repository-123.
_INSTANCE: Final = re.compile(r"([\w.-]+?)__([\w.-]+)-(?:i?\d+|[0-9a-f]{6,40})", re.ASCII)
_GITHUB: Final = re.compile(r"(?:https?://)?(?:www\.)?github\.com/([\w.-]+)/([\w.-]+?)(?:\.git)?/?")
NO_FLAG: Final = {"isError": "no error flag is recorded: what went wrong is in the text alone"}
"""How a result is marked that counts as no error only because nobody says that it is one."""

GAPS: Final = (
    Gap("no persona; `--map` or `--persona` gives one", "notMeasured"),
    Gap("whether the patch is right is not recorded", "judgeNotRun"),
    Gap("no error flag: what went wrong is in the output's text alone", "toolErrored"),
    Gap("no tool catalog", "toolCatalogMissing"),
    Gap("no transport evidence", "notMeasured"),
)
"""What neither of the two agents' formats can say."""

_SUFFIXES: Final = (".gz", ".zst", ".json", ".traj", ".trajectory")
_ISSUES: Final = (
    (re.compile(r"<pr_description>(.*?)</pr_description>", re.DOTALL), "inside <pr_description>"),
    (
        re.compile(r"^ISSUE:\n(.*?)\n+INSTRUCTIONS:", re.DOTALL | re.MULTILINE),
        "between ISSUE: and INSTRUCTIONS:",
    ),
)


def child_of(element: object, key: str) -> Element:
    """Return the object under a key, or an empty one; a text may hold it as JSON."""
    child = element.get(key) if isinstance(element, dict) else None
    if isinstance(child, str) and child.startswith("{"):
        try:
            child = finite(json.loads(child))
        except (ValueError, RecursionError):
            return {}
    return child if isinstance(child, dict) else {}


def stem_of(name: str) -> str:
    """Return the last part of a file's name without what says only its format."""
    stem = name.rsplit("/", 1)[-1]
    while (suffix := next((one for one in _SUFFIXES if stem.endswith(one)), None)) is not None:
        stem = stem.removesuffix(suffix)
    return stem or name


def text_of(content: object) -> str | None:
    """Return a message's content as one text, or None where it holds none."""
    if isinstance(content, str):
        return content
    texts = [
        part.get("text") if isinstance(part, dict) else part
        for part in (content if isinstance(content, list) else ())
    ]
    return "\n".join(text for text in texts if isinstance(text, str)) or None


def goal_for(task_id: str, asked: str | None) -> Goal:
    """Return the goal: the issue alone where the first message shows where it stands.

    Two versions of a prompt about one issue are so one goal.
    """
    if asked is None:
        return goal_of(task_id, None)
    for pattern, where in _ISSUES:
        found = pattern.search(asked)
        if found is not None and found[1].strip():
            goal = goal_of(task_id, found[1].strip())
            rule = f"the first message's text {where}"
            return goal.model_copy(update={"inferred": {**(goal.inferred or {}), "goal": rule}})
    return goal_of(task_id, asked)


def target_for(
    stated: Stated, repository: tuple[str, str] | None, model: Mapping[str, Any]
) -> Target:
    """Return what was worked on.

    Args:
        stated: What the user states.
        repository: Its name, and the rule that gave it or an empty text; None where unknown.
        model: The settings of the model: `name` or `model_name`, and its temperature.
    """
    name = model.get("name") or model.get("model_name")
    temperature = model.get("temperature", child_of(model, "model_kwargs").get("temperature"))
    target = stated.target_or(
        repository[0] if repository else None,
        sound_text(name) if isinstance(name, str) and name else None,
        number_of(temperature),
    )
    if repository is None or not repository[1] or stated.target is not None:
        return target
    rules = dict.fromkeys(("id", "label"), repository[1])
    return target.model_copy(update={"inferred": {**(target.inferred or {}), **rules}})


def repository_of(urls: Element, task_id: str) -> tuple[str, str] | None:
    """Return the repository under test with the rule that gave it, or None.

    Args:
        urls: Settings of the environment that may name it.
        task_id: Name of the task, which may say it.
    """
    url = urls.get("github_url")
    if isinstance(url, str) and (found := _GITHUB.fullmatch(url)):
        return f"{found[1]}/{found[2]}", ""
    instance = _INSTANCE.fullmatch(task_id)
    if instance is not None:
        return f"{instance[1]}/{instance[2]}", f"the name of the task, {first_words(task_id)}"
    return None
