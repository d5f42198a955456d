import pytest
from builders import Json, assistant, call, user
from session_cases import (
    FAILED,
    LIMITED,
    PENDING,
    RUNNING,
    SUCCEEDED,
    WITHDRAWN,
    answered,
    facts_of,
    planned,
    refusal,
)

from reporter.derive.options import CONTEXT_CHARS, DeriveOptions
from reporter.models.facts import SessionFacts
from reporter.vocabulary import CoverageNote, Disposition, ReadState, Verdict

SYSTEM = user(role="system", author="client")

NOTHING: dict[str, object] = {"raw": []}
REFUSED: dict[str, object] = {"raw": [refusal()]}
LOST: dict[str, object] = {"raw": [], "message_count": 4}

NOT_STARTED = (None, False)
NEVER_RAN = (None, True)

# The table of findings.md 4.3: lifecycle down, what is on record across.
TABLE: list[tuple[Json | None, dict[str, object], tuple[str | None, bool]]] = [
    (PENDING, NOTHING, NOT_STARTED),
    (PENDING, REFUSED, ("refused", False)),
    (PENDING, LOST, ("lost", False)),
    (RUNNING, NOTHING, NOT_STARTED),
    (RUNNING, REFUSED, ("refused", False)),
    (RUNNING, LOST, ("lost", False)),
    (SUCCEEDED, NOTHING, NOT_STARTED),
    (SUCCEEDED, REFUSED, ("refused", False)),
    (SUCCEEDED, LOST, ("lost", False)),
    (FAILED, NOTHING, NEVER_RAN),
    (FAILED, REFUSED, ("refused", False)),
    (FAILED, LOST, ("lost", False)),
    (WITHDRAWN, NOTHING, NEVER_RAN),
    (WITHDRAWN, REFUSED, ("refused", False)),
    (WITHDRAWN, LOST, ("lost", False)),
    (LIMITED, NOTHING, NEVER_RAN),
    (LIMITED, REFUSED, NEVER_RAN),
    (LIMITED, LOST, NEVER_RAN),
]


def silent_session(attempt: Json | None, on_record: dict[str, object]) -> SessionFacts:
    raw, count = on_record["raw"], on_record.get("message_count")
    assert isinstance(raw, list)
    assert count is None or isinstance(count, int)
    return facts_of(*raw, slot=planned(attempt, message_count=count))


@pytest.mark.parametrize(("attempt", "on_record", "expected"), TABLE)
def test_a_slot_without_a_message_field_by_field(
    attempt: Json | None, on_record: dict[str, object], expected: tuple[str | None, bool]
) -> None:
    facts = silent_session(attempt, on_record)
    started_by, never_ran = expected
    assert facts.message_count == 0
    assert not facts.has_transcript
    assert facts.started_by == started_by
    assert facts.started is (started_by is not None)
    assert facts.never_ran is never_ran


@pytest.mark.parametrize(("attempt", "on_record", "expected"), TABLE)
def test_a_session_that_never_started_has_nothing_derived(
    attempt: Json | None, on_record: dict[str, object], expected: tuple[str | None, bool]
) -> None:
    facts = silent_session(attempt, on_record)
    if expected[0] is None:
        assert facts.disposition is Disposition.NOT_RUN
        assert (facts.chain, facts.chain_source, facts.read_state) == (None, None, None)
        assert (facts.signals, facts.signals_not_evaluated, facts.friction) == ((), (), ())
        assert CoverageNote.TRANSCRIPT_MISSING not in facts.notes
    else:
        assert facts.disposition is not Disposition.NOT_RUN
        assert facts.chain is not None
        assert facts.read_state is not None


@pytest.mark.parametrize("attempt", [None, PENDING, RUNNING, SUCCEEDED, FAILED, LIMITED, WITHDRAWN])
def test_one_message_starts_a_session_whatever_its_attempt(attempt: Json | None) -> None:
    facts = facts_of(user(), slot=planned(attempt))
    assert (facts.started_by, facts.never_ran, facts.has_transcript) == ("messages", False, True)
    assert facts.read_state is ReadState.READ


@pytest.mark.parametrize("attempt", [SUCCEEDED, FAILED, LIMITED])
def test_a_system_message_alone_starts_nothing(attempt: Json) -> None:
    facts = facts_of(SYSTEM, slot=planned(attempt))
    assert (facts.started, facts.has_transcript, facts.message_count) == (False, False, 0)


def test_a_tool_call_alone_starts_nothing() -> None:
    assert not facts_of(call()).started


@pytest.mark.parametrize(
    ("records", "started"),
    [
        ([refusal("connect")], True),
        ([refusal("initialize")], True),
        ([refusal("tools_list")], False),
        ([refusal("resources_list")], False),
        ([refusal("prompts_list")], False),
        ([refusal(attributable="client")], False),
        ([refusal(attributable="network")], False),
        ([refusal(attributable="unknown")], False),
        ([refusal(outcome="skipped")], False),
        ([refusal(), answered()], False),
        ([refusal(), answered("tools_list")], False),
        ([answered(), refusal()], True),
        ([refusal(serverId="a"), answered(serverId="b")], True),
        ([refusal(serverId="a"), answered(serverId="a")], False),
        ([refusal(serverName="a"), answered(serverName="a")], False),
        ([refusal(serverId="a", serverName="x"), answered(serverId="b", serverName="x")], True),
        ([refusal(), answered(serverId="a")], True),
        ([refusal(egressVerified=False)], True),
    ],
)
def test_which_refusal_starts_a_session(records: list[Json], started: bool) -> None:
    facts = facts_of(*records, slot=planned(FAILED))
    assert facts.started is started
    assert facts.never_ran is not started


@pytest.mark.parametrize(
    ("egress", "disposition", "notes"),
    [
        (True, Disposition.BLOCKED_CONNECTING, set()),
        (None, Disposition.NOT_MEASURED, {CoverageNote.CHAIN_UNMEASURED}),
        (False, Disposition.NOT_MEASURED, {CoverageNote.CHAIN_UNMEASURED}),
    ],
)
def test_blaming_the_server_needs_proof_of_our_own_network(
    egress: bool | None, disposition: Disposition, notes: set[CoverageNote]
) -> None:
    facts = facts_of({**refusal(), "egressVerified": egress}, slot=planned(FAILED))
    assert facts.started_by == "refused"
    assert facts.verdict.verdict is Verdict.NOT_ESTABLISHED
    assert facts.disposition is disposition
    assert set(facts.notes) >= notes
    assert facts.read_state is ReadState.READ


LOSSES = [
    ("file gone, recorded", {"present": False}, planned(), "lost"),
    ("file gone, not recorded", {"present": False}, planned(recorded=False), None),
    ("file gone, count says some", {"present": False}, planned(message_count=2), "lost"),
    (
        "file gone, count says some although not recorded",
        {"present": False},
        planned(recorded=False, message_count=2),
        "lost",
    ),
    ("file gone, count says none", {"present": False}, planned(message_count=0), None),
    ("file breaks off", {"damaged": True}, planned(), "lost"),
    ("file breaks off, not recorded", {"damaged": True}, planned(recorded=False), None),
    ("file breaks off, count says none", {"damaged": True}, planned(message_count=0), None),
    ("intact file without a message", {}, planned(), None),
    ("intact file, count says some", {}, planned(message_count=3), "lost"),
]


@pytest.mark.parametrize(
    ("how", "slot", "started_by"), [case[1:] for case in LOSSES], ids=[case[0] for case in LOSSES]
)
def test_messages_that_were_lost(how: Json, slot: object, started_by: str | None) -> None:
    facts = facts_of(slot=slot, **how)
    assert facts.started_by == started_by
    missing = CoverageNote.TRANSCRIPT_MISSING in facts.notes
    assert missing is (started_by == "lost")
    expected = ReadState.TRANSCRIPT_MISSING if started_by == "lost" else None
    assert facts.read_state is expected


CAPPED = DeriveOptions(beyond_scan_cap=True)
MODEL = DeriveOptions(with_model=True, context_chars=5)

READ_STATES = [
    ("read", [user()], {}, DeriveOptions(), ReadState.READ),
    ("capped first", [user()], {"damaged": True}, CAPPED, ReadState.SCAN_CAPPED),
    ("damaged", [user()], {"damaged": True}, MODEL, ReadState.TRANSCRIPT_MISSING),
    ("refused only", [refusal()], {}, DeriveOptions(), ReadState.READ),
    ("refused, damaged", [refusal()], {"damaged": True}, MODEL, ReadState.TRANSCRIPT_MISSING),
    (
        "refused, and messages were lost",
        [refusal()],
        {"slot": planned(message_count=1)},
        DeriveOptions(),
        ReadState.TRANSCRIPT_MISSING,
    ),
    ("at the limit", [user("12345")], {}, MODEL, ReadState.READ),
    ("over the limit", [user("123456")], {}, MODEL, ReadState.CONTEXT_TOO_LARGE),
    (
        "budget ended",
        [user("12345")],
        {},
        DeriveOptions(with_model=True, budget_exhausted=True, extraction_rejected=True),
        ReadState.BUDGET_EXHAUSTED,
    ),
    (
        "refused by our checks",
        [user()],
        {},
        DeriveOptions(with_model=True, extraction_rejected=True),
        ReadState.EXTRACTION_REJECTED,
    ),
]


@pytest.mark.parametrize(
    ("raw", "more", "options", "expected"),
    [case[1:] for case in READ_STATES],
    ids=[case[0] for case in READ_STATES],
)
def test_what_became_of_the_transcript(
    raw: list[Json], more: Json, options: DeriveOptions, expected: ReadState
) -> None:
    facts = facts_of(*raw, options=options, **more)
    assert facts.read_state is expected
    assert facts.is_read is (expected is ReadState.READ)


def test_every_read_state_is_reached() -> None:
    assert {case[4] for case in READ_STATES} == set(ReadState)


def test_without_a_model_a_transcript_of_any_length_is_read() -> None:
    options = DeriveOptions(context_chars=1, budget_exhausted=True, extraction_rejected=True)
    assert facts_of(user("much longer"), options=options).read_state is ReadState.READ


def test_the_usual_limit_is_exact_and_counts_every_message_after_redaction() -> None:
    options = DeriveOptions(with_model=True)
    # The masked key is shorter than the key, so the raw text is over the limit.
    key = "AKIA" + "ABCD" * 4
    exact = "x" * (CONTEXT_CHARS - len("[redacted] ") - len("reply"))
    session = [user(f"{key} {exact}", role="system", author="client"), assistant("reply")]
    assert facts_of(*session, options=options).read_state is ReadState.READ
    longer = [*session, user("y")]
    facts = facts_of(*longer, options=options)
    assert facts.read_state is ReadState.CONTEXT_TOO_LARGE
    assert facts.transcript_chars == CONTEXT_CHARS + 1


def test_an_unread_session_keeps_its_verdict_and_chain_and_loses_its_signals() -> None:
    raw = [user(), assistant(), {"type": "goal_judge", "status": "completed", "passed": True}]
    read, capped = facts_of(*raw), facts_of(*raw, options=CAPPED)
    assert [match.signal for match in read.signals] == ["noToolCalled"]
    assert capped.signals == ()
    assert len(capped.signals_not_evaluated) == 5
    assert (capped.verdict, capped.chain) == (read.verdict, read.chain)
    assert capped.is_graded
    assert capped.disposition is Disposition.GOAL_MET
    assert capped.notes == (CoverageNote.SESSION_SCAN_CAPPED,)


@pytest.mark.parametrize(
    ("raw", "verdict", "graded"),
    [
        ([user(), {"type": "goal_judge", "status": "completed", "passed": True}], "passed", True),
        ([user(), {"type": "goal_judge", "status": "completed", "passed": False}], "failed", True),
        ([user(), {"type": "goal_judge", "status": "failed"}], "inconclusive", False),
        ([user()], "notEstablished", False),
        ([{"type": "goal_judge", "status": "completed", "passed": False}], "failed", False),
    ],
)
def test_graded_is_started_and_decided(raw: list[Json], verdict: str, graded: bool) -> None:
    facts = facts_of(*raw)
    assert facts.verdict.verdict == verdict
    assert facts.is_graded is graded
