"""How the result of a call came back: from the tool, from the client, or not at all."""

import re
from typing import Final

from reporter.importers.agent_log import Came
from reporter.importers.claude_code_records import Answer, Node
from reporter.importers.claude_code_speech import words_of

_STOPPED: Final = frozenset({"interrupted", "cancelled", "canceled"})
_REFUSED: Final = re.compile(
    r"The user doesn't want to (?:proceed with this tool use|take this action)"
    r"|Permission to use .{1,200} has been denied"
    r"|Claude requested permissions to .{1,400}haven't granted it yet"
    r"|Permission for this action has been denied",
    re.DOTALL,
)
_CLIENT_ANSWERED: Final = re.compile(
    r"<tool_use_error>(?:Error: No such tool available|InputValidationError)"
)
_STOP_WORDS: Final = "[Request interrupted by user"
_MCP_ERROR: Final = re.compile(r"(?:Error: )?MCP error (-?\d{1,6}):")

_REFUSED_RULE: Final = "the text is the client's own for a call that was not allowed"
_CLIENT_RULE: Final = "the text is the client's own for a call that it does not pass on"
_STOP_RULE: Final = "the text is the client's own for a call that was stopped"
_CODE_RULE: Final = "the text begins with MCP error <code>"


def came_of(answer: Answer, node: Node, name: str) -> Came:
    """Return what is known of a result beside what it holds.

    A call that the person or a rule of theirs did not allow, that they stopped, or whose
    arguments the client refused, says nothing about a server: newer clients flag the first
    two (`toolDenialKind`), the rest is told by the client's own sentences.

    Args:
        answer: The result.
        node: The record it stands in.
        name: The name of the tool that was called, or empty.

    Rule: recording.md section 4, who answered a call.
    """
    text = words_of(answer.content).lstrip() if answer.is_error or node.denial else ""
    blocked: bool | None = None
    by_client, code = False, None
    inferred: dict[str, str] = {}
    if node.denial is not None:
        by_client = node.denial in _STOPPED
        blocked = None if by_client else True
    elif text.startswith(_STOP_WORDS):
        by_client, inferred = True, {"answeredBy": _STOP_RULE}
    elif _REFUSED.match(text):
        blocked, inferred = True, {"policyBlocked": _REFUSED_RULE}
    elif _CLIENT_ANSWERED.match(text):
        by_client, inferred = True, {"answeredBy": _CLIENT_RULE}
    elif name.startswith("mcp__") and (found := _MCP_ERROR.match(text)):
        code, inferred = int(found[1]), {"mcpErrorCode": _CODE_RULE}
    return Came(
        at=node.at,
        is_error=answer.is_error,
        policy_blocked=blocked,
        by_client=by_client,
        mcp_error_code=code,
        duration_ms=node.duration_ms,
        inferred=inferred,
    )
