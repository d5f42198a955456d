"""What single fields of a log and of its samples say."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from reporter.importers.conversation import BrokenElementError, Element
from reporter.importers.inspect_ai.ending import message_of
from reporter.importers.inspect_ai.texts import Texts
from reporter.importers.mapping import Stated
from reporter.importers.naming import first_words, is_repetition
from reporter.importers.outcome import number_of
from reporter.importers.sound import sound_text
from reporter.models.manifest import Target

_MOST_EPOCHS: Final = 1_000
_MOST_PLANNED: Final = 1_000_000


def key_of(sample: Element) -> tuple[str, int] | None:
    """Return a sample's id and epoch, or None where it has none that can be used."""
    own_id, epoch = sample.get("id"), sample.get("epoch", 1)
    if isinstance(own_id, bool) or not isinstance(own_id, int | str):
        return None
    if epoch is None or not is_repetition(epoch):
        return None
    return sound_text(str(own_id)), epoch


def checked_key(sample: Element) -> tuple[str, int]:
    """Return a sample's id and epoch.

    Raises:
        BrokenElementError: It has none that can be used.
    """
    key = key_of(sample)
    if key is None:
        own_id = sample.get("id")
        is_id = isinstance(own_id, int | str) and not isinstance(own_id, bool)
        place = ".epoch" if is_id else ".id"
        raise BrokenElementError(place, "a number or a text was expected")
    return key


def attachments_of(sample: Element) -> object:
    """Return the long texts of a sample, wherever its version of the log keeps them."""
    found = sample.get("attachments")
    if isinstance(found, dict):
        return found
    return child_of(sample, "transcript").get("content")


def asked_of(given: object, texts: Texts) -> str | None:
    """Return what a sample asks for, as text, or None where that is not recorded."""
    if isinstance(given, str):
        return texts.text(given)
    if not isinstance(given, list):
        return None
    said = [
        (message.get("role"), texts.words(message.get("content")))
        for message in given
        if isinstance(message, dict) and message.get("role") != "system"
    ]
    if len(said) == 1:
        return said[0][1]
    return "\n\n".join(f"{role}: {words}" for role, words in said) or None


def annulled_by(sample: Element) -> str | None:
    """Return why a sample's scores count no more, or None."""
    found = sample.get("invalidation")
    if not isinstance(found, dict):
        return None
    reason = found.get("reason")
    return (
        f"invalidated: {first_words(sound_text(reason))}"
        if isinstance(reason, str)
        else ("invalidated")
    )


def remarks_of(sample: Element, annulled: str | None) -> Iterator[tuple[str, str]]:
    """Yield what a reader should know of a sample beside its messages."""
    retries = sample.get("error_retries")
    for retry in retries if isinstance(retries, list) else ():
        error = message_of(retry) or "no message recorded"
        yield "retry", f"an earlier try broke off: {first_words(error, 300)}"
    if annulled is not None:
        yield "invalidation", annulled


def counted(messages: Sequence[Any]) -> int:
    """Return how many messages count, whether they can be read or not."""
    return sum(not (isinstance(m, dict) and m.get("role") == "system") for m in messages)


def usages_of(sample: Element) -> Iterator[Mapping[str, Any]]:
    """Yield what a sample used, one entry a model."""
    for usage in child_of(sample, "model_usage").values():
        if isinstance(usage, dict):
            yield usage


def plan_of(header: Element) -> list[tuple[str, int]]:
    """Return what was to run, epoch by epoch; empty where the log does not say, or a million."""
    evaluation = child_of(header, "eval")
    ids = child_of(evaluation, "dataset").get("sample_ids")
    epochs = child_of(evaluation, "config").get("epochs")
    epochs = 1 if epochs is None else epochs
    if not isinstance(ids, list) or type(epochs) is not int or not 0 < epochs <= _MOST_EPOCHS:
        return []
    known = dict.fromkeys(
        sound_text(str(own))
        for own in ids
        if isinstance(own, int | str) and not isinstance(own, bool)
    )
    if len(known) * epochs > _MOST_PLANNED:
        return []
    return [(own, epoch) for epoch in range(1, epochs + 1) for own in known]


def target_of(header: Element, stated: Stated) -> Target:
    """Return what was tried: the task with the model, where the user states nothing else."""
    evaluation = child_of(header, "eval")
    task, model = evaluation.get("task"), evaluation.get("model")
    return stated.target_or(
        sound_text(task) if isinstance(task, str) and task else None,
        sound_text(model) if isinstance(model, str) and model else None,
        number_of(child_of(evaluation, "model_generate_config").get("temperature")),
    )


def child_of(element: object, key: str) -> Element:
    """Return the object under a key, or an empty one."""
    child = element.get(key) if isinstance(element, dict) else None
    return child if isinstance(child, dict) else {}
