"""Names of the attributes that the published conventions give agents, models and tools.

They are written down here and no package of conventions is imported for them: those hold
thousands of names, rename and move them between releases, and drop the old spellings that
recorded files keep for ever. The names that are read are few, and old and new ones stand
side by side.
"""

from typing import Final

OPERATION: Final = "gen_ai.operation.name"
AGENT_NAME: Final = "gen_ai.agent.name"
REQUEST_MODEL: Final = "gen_ai.request.model"
RESPONSE_MODEL: Final = "gen_ai.response.model"
RESPONSE_ID: Final = "gen_ai.response.id"
FINISH_REASONS: Final = "gen_ai.response.finish_reasons"
TEMPERATURE: Final = "gen_ai.request.temperature"
FIRST_CHUNK: Final = "gen_ai.response.time_to_first_chunk"
PROVIDER: Final = ("gen_ai.provider.name", "gen_ai.system")
INPUT_MESSAGES: Final = "gen_ai.input.messages"
OUTPUT_MESSAGES: Final = "gen_ai.output.messages"
SYSTEM_INSTRUCTIONS: Final = "gen_ai.system_instructions"
TOOL_DEFINITIONS: Final = "gen_ai.tool.definitions"
INPUT_TOKENS: Final = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens")
OUTPUT_TOKENS: Final = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens")
TOTAL_TOKENS: Final = ("gen_ai.usage.total_tokens", "llm.usage.total_tokens")
TOOL_NAME: Final = "gen_ai.tool.name"
TOOL_CALL_ID: Final = "gen_ai.tool.call.id"
TOOL_ARGUMENTS: Final = "gen_ai.tool.call.arguments"
TOOL_RESULT: Final = "gen_ai.tool.call.result"
ERROR_TYPE: Final = "error.type"

MCP_METHOD: Final = "mcp.method.name"
MCP_SESSION: Final = "mcp.session.id"
JSONRPC_ID: Final = ("jsonrpc.request.id", "mcp.request.id", "rpc.jsonrpc.request_id")
RPC_STATUS: Final = ("rpc.response.status_code", "rpc.jsonrpc.error_code")
SERVER_ADDRESS: Final = "server.address"
SERVER_PORT: Final = "server.port"

CONVERSATION: Final = (
    "gen_ai.conversation.id",
    "gcp.vertex.agent.session_id",
    "session.id",
    "traceloop.association.properties.session_id",
    "traceloop.association.properties.conversation_id",
    "traceloop.association.properties.chat_id",
    "traceloop.association.properties.thread_id",
    "ai.telemetry.metadata.sessionId",
)
"""Attributes that name the conversation, the first of them that is there."""

OPENINFERENCE_KIND: Final = "openinference.span.kind"
TRACELOOP_KIND: Final = "traceloop.span.kind"
TRACELOOP_NAME: Final = "traceloop.entity.name"
TRACELOOP_INPUT: Final = "traceloop.entity.input"
TRACELOOP_OUTPUT: Final = "traceloop.entity.output"

ADK_REQUEST: Final = "gcp.vertex.agent.llm_request"
ADK_RESPONSE: Final = "gcp.vertex.agent.llm_response"
ADK_ARGUMENTS: Final = "gcp.vertex.agent.tool_call_args"
ADK_RESULT: Final = "gcp.vertex.agent.tool_response"
ADK_MERGED: Final = "(merged tools)"
"""Name of the span that repeats what several calls of one step answered: no call of its own."""

HTTP_METHOD: Final = ("http.request.method", "http.method")
HTTP_STATUS: Final = ("http.response.status_code", "http.status_code")
HTTP_URL: Final = ("url.full", "http.url")
