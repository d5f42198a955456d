"""How a Claude Code session ended, as far as its last records show that."""

from collections.abc import Sequence
from typing import Final

from reporter.importers.agent_log import Ending
from reporter.importers.claude_code_records import Node
from reporter.importers.claude_code_speech import speech_of, words_of
from reporter.importers.outcome import failed_attempt
from reporter.models.manifest import Attempt

_ENDED: Final = "the assistant's last step ended its turn"
_NO_TOOL: Final = "the assistant's last message asks for no tool"
_STOPPED: Final = "the last that is recorded: the user stopped the assistant"
_FAILED: Final = "the last that is recorded: an error of the model's API"
_THROTTLED: Final = 429


def ending_of(nodes: Sequence[Node], *, is_cut: bool) -> Ending:
    """Return how a session ended.

    Args:
        nodes: The session, in the order in which it was written.
        is_cut: The log ends inside of a line, so that more was to come.
    """
    last = next((node for node in reversed(nodes) if node.speaks and not _is_aside(node)), None)
    if last is None or last.is_copied or is_cut:
        return Ending()
    if last.kind == "user":
        return _stopped(last)
    if last.is_api_error:
        return _failed(last)
    message = _message(nodes, last)
    if any(node.uses for node in message) or last.is_synthetic:
        return Ending()
    reason = next((node.stop_reason for node in reversed(message) if node.stop_reason), None)
    return Ending(Attempt(status="succeeded"), "unknown", _ENDED if reason else _NO_TOOL)


def _message(nodes: Sequence[Node], last: Node) -> list[Node]:
    """Return the records of the last message, in the order in which they were written."""
    own: list[Node] = []
    for node in reversed(nodes):
        if node.kind == "user" and not node.answers and node.place < last.place:
            break
        if node is last or (last.message_id and node.message_id == last.message_id):
            own.append(node)
    return own[::-1]


def _stopped(last: Node) -> Ending:
    if speech_of(last, goes_to_model=False).is_stop or last.denial == "interrupted":
        return Ending(Attempt(status="failed"), "aborted", _STOPPED)
    return Ending()


def _failed(last: Node) -> Ending:
    code = last.error or (str(last.status) if last.status is not None else None)
    attempt = failed_attempt(code, words_of(last.content))
    if last.error == "rate_limit" or last.status == _THROTTLED:
        throttled = attempt.model_copy(update={"status": "rate_limited"})
        return Ending(throttled, "rateLimited", _FAILED)
    return Ending(attempt, "error", _FAILED)


def _is_aside(node: Node) -> bool:
    """Tell whether a record is only the client's word beside the conversation."""
    if node.kind != "user" or node.answers:
        return False
    speech = speech_of(node, goes_to_model=False)
    return speech.said is None and not speech.is_stop
