"""What could not be used of traces, counted, each with its reason."""

from collections.abc import Iterator
from typing import Final

from reporter.errors import Problem
from reporter.importers.losses import NO_PARTNER, TEXTS_NOT_CAPTURED, Losses
from reporter.importers.naming import first_words
from reporter.importers.otel.gather import Gathering
from reporter.importers.otel.sessions import Assembly
from reporter.importers.sound import sound_text
from reporter.models.manifest import Lost, LostKind
from reporter.plural import plural

_REASONS: Final[tuple[tuple[str, LostKind, str, str], ...]] = (
    (
        "plumbing",
        "noPlace",
        "spans",
        "spans that are neither agent, model, tool nor MCP: HTTP, queues and the like",
    ),
    (
        "repeated spans",
        "repeated",
        "spans",
        "spans that stand in the source a second time; each was counted once",
    ),
    (
        "traces that say nothing of an agent",
        "noPlace",
        "traces",
        "traces without a span of an agent, a model or a tool",
    ),
    (
        "MCP spans of no session",
        "unmatched",
        "spans",
        (
            "spans of MCP clients or servers that no agent's session can be joined to, neither by "
            "trace nor by MCP session"
        ),
    ),
    (
        "calls that a tool made itself",
        "noPlace",
        "spans",
        "calls inside the run of one tool; the model asked for that one alone",
    ),
    (
        "spans that hold several requests to a model",
        "repeated",
        "spans",
        "spans of requests to a model that hold several such spans, which count instead",
    ),
    (
        "messages between agents",
        "noPlace",
        "messages",
        (
            "messages of agents that ran inside a tool: the user neither said nor heard them; the "
            "calls and tokens of those agents are counted"
        ),
    ),
    (
        "messages of an earlier conversation",
        "noPlace",
        "messages",
        (
            "messages at the beginning of a session's first request that no span shows being said; "
            "they stand in the transcript as the client's and count as nobody's speech"
        ),
    ),
    (
        "messages of a rewritten history",
        "noPlace",
        "messages",
        (
            "messages in later requests that stand in the place of earlier ones, as a summary "
            "does; they are no speech"
        ),
    ),
    (
        "texts of the user's role that a client put there",
        "noPlace",
        "messages",
        (
            "texts of the user's role amid a run, or beside what the user said; they stand in the "
            "transcript as the client's"
        ),
    ),
    ("results without a call", "unmatched", "messages", NO_PARTNER),
    ("calls that name no tool", "unreadable", "messages", "calls without the name of a tool"),
    (
        "spans in guardrails and evaluators",
        "noPlace",
        "spans",
        "requests and calls of guardrails and evaluators, which are not the agent's",
    ),
    (
        "evaluations",
        "noPlace",
        "events",
        "evaluation results, which name no mark from which on they pass",
    ),
    (
        "log records of spans that say nothing",
        "unmatched",
        "log records",
        "log records of spans that are not in the source, or say nothing of an agent",
    ),
    (
        "spans that contain themselves",
        "unreadable",
        "spans",
        "spans whose parents lead back to themselves",
    ),
    (
        "spans whose parent is not in the source",
        "unmatched",
        "spans",
        "spans whose parent is not in the source: sampled out, or exported elsewhere",
    ),
    (
        "spans that begin before their parent",
        "disagreement",
        "spans",
        (
            "spans that begin before the span they stand in, by another clock; they are taken to "
            "begin with it"
        ),
    ),
)


_SWITCHES: Final = (
    "To have texts, set where the agent runs what its instrumentation asks for: "
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT (OpenTelemetry), "
    "TRACELOOP_TRACE_CONTENT=true (OpenLLMetry), ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS=true "
    "(Google ADK), recordInputs and recordOutputs (Vercel AI SDK), and no OPENINFERENCE_HIDE_… "
    "(OpenInference)."
)
"""What turns the capturing of texts on, by who instruments the agent."""


def losses_of(files: str, gathering: Gathering, assembly: Assembly) -> Iterator[Lost | Problem]:
    """Yield what was left out or could not be told, in a fixed order.

    Args:
        files: Names of the files, as they are shown.
        gathering: What was read.
        assembly: What became of it.
    """
    losses = Losses(files)
    counts = gathering.counts + assembly.counts
    for what, kind, place, reason in _REASONS:
        losses.add(kind, place, reason, counts[what])
    for what, number in sorted(gathering.unknown.items()):
        losses.add("unknownType", "documents", what, number)
    for operation, number in sorted(gathering.operations.items()):
        word = first_words(sound_text(operation))
        reason = f'spans of the operation "{word}", unknown here'
        losses.add("unknownType", "gen_ai.operation.name", reason, number)
    for place, reason in assembly.disagreements:
        losses.disagreement(place, reason)
    losses.add(
        "noPlace",
        "messages",
        "sessions of which no text was captured: what was said in them is not known, which is "
        "not silence",
        assembly.untold,
    )
    beyond = counts["spans beyond the bound"]
    losses.add("unreadable", "spans", "spans beyond those that are read at once", beyond)
    reason = "texts beyond those that are kept at once"
    losses.add("unreadable", "messages", reason, gathering.refused)
    yield from losses.lost()
    if assembly.untold:
        yield _untold(files, assembly.untold)
    if beyond or gathering.refused:
        yield _too_large(files, gathering)


def _untold(files: str, sessions: int) -> Problem:
    """Say how texts come to be captured: most agents leave them out unless told otherwise."""
    return Problem(
        file=files,
        place="",
        what=f"No text is on record of {plural(sessions, 'session')}, so recorded facts are not "
        "evaluated there; calls and tokens are shown.",
        remedy=_SWITCHES,
        rule=TEXTS_NOT_CAPTURED,
        severity="note",
    )


def _too_large(files: str, gathering: Gathering) -> Problem:
    return Problem(
        file=files,
        place="",
        what=f"The source is larger than what is read at once: {gathering.most_spans:,} spans "
        f"and {gathering.most_text:,} characters of different texts. The rest was left out.",
        remedy="Give fewer files at a time; keep those of one conversation together.",
        rule="source-too-large",
    )
