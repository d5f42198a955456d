"""One check over one session: a pure function without clock, network or model."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from reporter.checks import (
    catalog,
    close_to,
    pattern_kinds,
    response,
    selection,
    tool_call,
    user_value,
)
from reporter.checks.evidence import Evidence
from reporter.checks.outcome import Outcome, broken
from reporter.checks.text import quoted

Evaluator = Callable[[Mapping[str, Any], Evidence], Outcome]

EVALUATORS: Final[Mapping[str, Evaluator]] = {
    "toolCalledWith": selection.tool_called_with,
    "toolCalledAtLeastOnce": selection.tool_called_at_least_once,
    "toolNeverCalled": selection.tool_never_called,
    "onlyToolsCalled": selection.only_tools_called,
    "firstToolWas": selection.first_tool_was,
    "toolCallCountUnder": selection.tool_call_count_under,
    "toolCalledBefore": selection.tool_called_before,
    "noDeprecatedToolCalled": selection.no_deprecated_tool_called,
    "noDestructiveToolCalled": selection.no_destructive_tool_called,
    "argumentsMatchToolSchema": tool_call.arguments_match_tool_schema,
    "noRepeatedIdenticalCall": tool_call.no_repeated_identical_call,
    "toolInputMatches": pattern_kinds.tool_input_matches,
    "noToolErrors": response.no_tool_errors,
    "toolLatencyUnder": response.tool_latency_under,
    "toolResultContains": response.tool_result_contains,
    "toolResultMatches": pattern_kinds.tool_result_matches,
    "toolResultMatchesSchema": response.tool_result_matches_schema,
    "toolResultSizeUnder": response.tool_result_size_under,
    "toolErrorNamesInput": response.tool_error_names_input,
    "fullPageHasContinuation": response.full_page_has_continuation,
    "responseContains": user_value.response_contains,
    "responseMatches": user_value.response_matches,
    "responseCloseTo": close_to.response_close_to,
    "finalAssistantMessageNonEmpty": user_value.final_assistant_message_non_empty,
    "tokenBudgetUnder": user_value.token_budget_under,
    "turnCountUnder": user_value.turn_count_under,
    "widgetRendered": user_value.widget_rendered,
    "widgetRenderLatencyUnder": user_value.widget_render_latency_under,
    "widgetNoConsoleErrors": user_value.widget_no_console_errors,
    "noEndingQuestion": user_value.no_ending_question,
    "toolDescriptionsPresent": catalog.tool_descriptions_present,
    "toolAnnotationsPresent": catalog.tool_annotations_present,
    "toolNamesUnique": catalog.tool_names_unique,
    "noDeprecatedToolExposed": catalog.no_deprecated_tool_exposed,
    "toolInputSchemasWellFormed": catalog.tool_input_schemas_well_formed,
    "toolOutputSchemasPresent": catalog.tool_output_schemas_present,
}
"""Every kind of check with what evaluates it."""


def evaluate(check: Mapping[str, Any], evidence: Evidence) -> Outcome:
    """Evaluate one check over one session; its role and severity are not looked at.

    A check that an author could not have written is a failed one and stops no other.

    Rule: checks.md sections 1 and 4.4.
    """
    kind = check.get("type")
    evaluator = EVALUATORS.get(kind) if isinstance(kind, str) else None
    if evaluator is None:
        return broken(f"{quoted(str(kind))} is no kind of check.")
    try:
        return evaluator(check, evidence)
    except Exception as error:  # noqa: BLE001  one malformed check must not cost the others
        return broken(f"The check is malformed: {type(error).__name__}: {error}.")
