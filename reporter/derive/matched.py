"""What a matcher recorded of expected calls, as the turn summaries that the chain reads."""

from collections.abc import Mapping

from reporter.derive.chain.predicates import CALLS_MATCH
from reporter.models.chain import TurnSummary
from reporter.models.records import Criteria
from reporter.models.verdict import VerdictInput


def turn_summaries(record: Criteria | None, source: VerdictInput) -> tuple[TurnSummary, ...]:
    """Return one summary a result of expected calls that may decide, in rubric order.

    An advisory result, one that could not be scored and one that does not say what it rests
    on give none: nothing is made up about what was missing.

    Args:
        record: The session's grades.
        source: Which of them count, and the rubric they belong to.

    Rule: chain.md sections 3.3 and 6.4.
    """
    wanted = [
        entry.id
        for entry in source.rubric
        if entry.predicate_type == CALLS_MATCH and entry.role == "required"
    ]
    if not wanted or record is None or source.criteria is None:
        return ()
    counted = {one.criterion_id for one in source.criteria.results or () if one.status != "error"}
    by_id = {one.criterion_id: one for one in reversed(record.results or ())}
    found = []
    for name in wanted:
        result = by_id.get(name)
        if result is None or result.match is None or name not in counted:
            continue
        counts = result.match
        found.append(
            TurnSummary(
                prompt_index=turn_of_scope(result.scope),
                expected_tool_calls=True,
                missing=counts.missing > 0,
                unexpected=counts.unexpected > 0,
                argument_mismatches=counts.argument_mismatches > 0,
                passed=result.passed and not counts.argument_mismatches,
            )
        )
    return tuple(found)


def turn_of_scope(scope: object) -> int | None:
    """Return the zero-based turn that a result or a check speaks of; None for the session.

    Rule: checks.md section 2.4.
    """
    if not isinstance(scope, Mapping) or scope.get("kind") != "turn":
        return None
    index = scope.get("promptIndex")
    is_index = isinstance(index, int) and not isinstance(index, bool) and index >= 0
    return index if is_index else None
