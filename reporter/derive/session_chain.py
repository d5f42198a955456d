"""The chain of one session: the one on record where it can be used, else ours."""

from typing import Literal

from reporter.derive.chain import derive_chain
from reporter.derive.chain.stored import ChainRefusal, read_chain_record
from reporter.derive.problems import session_problem
from reporter.errors import Problem
from reporter.models.chain import Chain, ChainInput, StageRow
from reporter.models.records import ChainRecord
from reporter.models.session import SessionRecording
from reporter.models.value import value


@value(frozen=True, slots=True)
class SessionChain:
    """The chain that findings use, and what was wrong with the one on record."""

    chain: Chain
    source: Literal["recorded", "derived"]
    problems: tuple[Problem, ...] = ()


def chain_of(
    recording: SessionRecording, record: ChainRecord | None, source: ChainInput
) -> SessionChain:
    """Choose a session's chain.

    Args:
        recording: The session, for the place of a problem.
        record: The last chain on record, or None.
        source: What the analyzer reads of the session; ours is derived in any case.

    Rule: recording.md section 4, `chain`; findings.md section 4.4.
    """
    ours = derive_chain(source)
    if record is None:
        return SessionChain(ours, "derived")
    recorded = read_chain_record(record)
    if isinstance(recorded, ChainRefusal):
        problem = session_problem(
            recording,
            record,
            f"The recorded chain is not used: {recorded.place} {recorded.what}",
            place=recorded.place,
            rule="chain-newer" if recorded.newer else "chain-unusable",
            remedy="The chain derived from the session's records stands in its place.",
            severity="note" if recorded.newer else "error",
        )
        return SessionChain(ours, "derived", (problem,))
    different = chain_differences(recorded, ours)
    if not different:
        return SessionChain(recorded, "recorded")
    problem = session_problem(
        recording,
        record,
        f"The recorded chain, which is used, differs from the derived one: {different}.",
        rule="chain-differs",
        severity="note",
    )
    return SessionChain(recorded, "recorded", (problem,))


def chain_differences(recorded: Chain, ours: Chain) -> str:
    """Name the stages that two chains disagree on; a reason that was left out agrees with any."""
    return "; ".join(
        f"{theirs.stage.value} is {_said(theirs)}, derived {_said(own)}"
        for theirs, own in zip(recorded.rows, ours.rows, strict=True)
        if theirs.state is not own.state
        or (theirs.reason is not None and theirs.reason is not own.reason)
    )


def _said(row: StageRow) -> str:
    return row.state.value if row.reason is None else f"{row.state.value} ({row.reason.value})"
