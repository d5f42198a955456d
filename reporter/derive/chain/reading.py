"""One pass over a session's evidence: the groups of spans and rows that the stages ask for."""

from collections.abc import Sequence
from typing import Final

from reporter.derive.chain.predicates import is_eligible, routed
from reporter.models.chain import Authored, ChainEvidence, PredicateRow, Span, TurnSummary
from reporter.models.value import value
from reporter.vocabulary import Stage

TRANSPORT_CODES: Final = frozenset({-32000, -32001})
"""Codes of failures on our own side of the wire: the server was never reached."""


@value(frozen=True, slots=True)
class Reading:
    """The evidence, sorted; every sequence keeps the order of the evidence."""

    authored: Authored
    evidence: ChainEvidence
    tool_spans: Sequence[Span]
    reached: Sequence[Span]
    """Tool spans that are not failures of the transport on our side."""
    coded: Sequence[Span]
    """Tool spans with an error code: the call gave no result."""
    domain_errors: Sequence[Span]
    """Failed tool spans without a code: a result that says it is an error."""
    unfailed: Sequence[Span]
    """Tool spans that did not fail."""
    transport_failed: bool
    """True: some span, of any category, failed on our side of the transport."""
    tool_failure_observed: bool
    """True: a tool reported an error as its result."""
    selection_rows: Sequence[PredicateRow]
    call_rows: Sequence[PredicateRow]
    response_rows: Sequence[PredicateRow]
    user_value_rows: Sequence[PredicateRow]
    nothing_captured: bool
    """True: no span, no turn and no eligible row."""

    @property
    def turns(self) -> Sequence[TurnSummary]:
        """The turns that the matcher summed up."""
        return self.evidence.prompts

    @property
    def tools_were_listed(self) -> bool:
        """True when a non-empty tool inventory was recorded."""
        total = self.evidence.tools_total_before
        return total is not None and total > 0

    @property
    def connection_was_reached(self) -> bool:
        """True with positive evidence that the server answered.

        Rule: chain.md section 8.2, last paragraph.
        """
        signal = self.evidence.connection_signal
        return (
            (signal is not None and signal.outcome == "ok")
            or self.tools_were_listed
            or bool(self.reached)
        )


def read_evidence(authored: Authored, evidence: ChainEvidence) -> Reading:
    """Sort the evidence once, so that no stage walks it again.

    Rule: chain.md section 3.2 (span terms), section 5 (observed tool failure), section 6.
    """
    tool_spans: list[Span] = []
    reached: list[Span] = []
    coded: list[Span] = []
    domain_errors: list[Span] = []
    unfailed: list[Span] = []
    transport_failed = False
    for span in evidence.spans:
        code = span.mcp_error_code
        # A boolean is an int to Python and no number to the contract.
        has_code = code is not None and not isinstance(code, bool)
        transport_local = has_code and code in TRANSPORT_CODES
        transport_failed = transport_failed or transport_local
        if span.category != "tool":
            continue
        tool_spans.append(span)
        if not transport_local:
            reached.append(span)
        if has_code:
            coded.append(span)
        elif span.status == "error":
            domain_errors.append(span)
        else:
            unfailed.append(span)
    rows: dict[Stage | None, list[PredicateRow]] = {}
    for row in evidence.predicate_results:
        if is_eligible(row):
            rows.setdefault(routed(row.kind), []).append(row)
    return Reading(
        authored=authored,
        evidence=evidence,
        tool_spans=tool_spans,
        reached=reached,
        coded=coded,
        domain_errors=domain_errors,
        unfailed=unfailed,
        transport_failed=transport_failed,
        tool_failure_observed=bool(domain_errors) or "content-error" in evidence.tool_error_kinds,
        selection_rows=rows.get(Stage.SELECTION, ()),
        call_rows=rows.get(Stage.CALL, ()),
        response_rows=rows.get(Stage.RESPONSE, ()),
        user_value_rows=rows.get(Stage.USER_VALUE, ()),
        nothing_captured=not evidence.spans and not evidence.prompts and not rows,
    )
