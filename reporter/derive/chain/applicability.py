"""Which stages apply to a case, decided before any evidence is interpreted."""

from typing import NamedTuple

from reporter.derive.chain.reading import Reading
from reporter.models.chain import Authored


class Applicability(NamedTuple):
    """One claim a stage, in stage order."""

    connection: bool
    discovery: bool
    selection: bool
    call: bool
    response: bool
    user_value: bool


def applicable_stages(reading: Reading) -> Applicability:
    """Return which stages apply.

    An observed tool failure is the only evidence that counts here, and it can only
    switch `response` on. Checks that are routed to a stage never make it apply.

    Rule: chain.md section 5.
    """
    authored = reading.authored
    call = expects_call(authored)
    renders = authored.expects_widget_render is True
    return Applicability(
        connection=True,
        discovery=True,
        selection=authored.mode == "model_driven",
        call=call,
        response=call or renders or reading.tool_failure_observed,
        user_value=authored.assertion_count > 0 or renders or authored.has_user_ask is True,
    )


def expects_call(authored: Authored) -> bool:
    """True when the case says something about calls, if only that none may happen."""
    return (
        authored.expects_tool_call is True
        or authored.is_negative_test is True
        or authored.tool_expectation in ("required", "open")
    )
