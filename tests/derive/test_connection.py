import pytest
from builders import Json, user
from session_cases import answered, facts_of, recording, refusal

from reporter.derive.connection import summarize_connections
from reporter.derive.evidence import gather_evidence
from reporter.models.facts import ConnectionFact


@pytest.mark.parametrize(
    ("records", "word", "refused"),
    [
        ([], "unknown", False),
        ([answered()], "ok", False),
        ([answered("tools_list")], "ok", False),
        ([refusal(outcome="skipped")], "unknown", False),
        ([refusal()], "failedServer", True),
        ([refusal("initialize")], "failedServer", True),
        ([refusal(attributable="client")], "failedOther", False),
        ([refusal(attributable="network")], "failedOther", False),
        ([refusal(attributable="unknown")], "failedOther", False),
        ([refusal("tools_list")], "unknown", False),
        ([answered(), refusal("tools_list")], "ok", False),
        ([refusal(), answered()], "ok", False),
        ([answered(), refusal()], "failedServer", True),
        ([answered(serverId="a"), refusal(serverId="b")], "failedServer", True),
        (
            [refusal(serverId="a", attributable="network"), refusal(serverId="b")],
            "failedServer",
            True,
        ),
    ],
)
def test_how_the_servers_answered(records: list[Json], word: str, refused: bool) -> None:
    summary = summarize_connections(gather_evidence(recording(*records)).connections)
    assert (summary.word, summary.refused) == (word, refused)
    facts = facts_of(user(), *records)
    assert facts.connection == word
    assert facts.has_connection_record is bool(records)


def test_every_failure_is_kept_in_file_order_with_what_became_of_it() -> None:
    secret = "AKIA" + "ABCD" * 4
    facts = facts_of(
        user(),
        refusal(serverName="lending", serverId="s1", error={"code": "E1", "message": secret}),
        refusal("tools_list", serverId="s2", attributable="network", error=None),
        answered(serverId="s1"),
        refusal(serverId="s1", error={"message": "two\nlines"}, egressVerified=True),
    )
    assert facts.connection_failures == (
        ConnectionFact("connect", "lending", "[redacted]", "E1", "server", None, recovered=True),
        ConnectionFact("tools_list", "s2", None, None, "network", None, recovered=False),
        ConnectionFact("connect", "s1", "two lines", None, "server", True, recovered=False),
    )
