"""The published documents, compared as their own notes say (items 1 and 3 to 6)."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from shared import shared

from reporter.errors import DocumentError
from reporter.findings.document import findings_of_document, read_document
from reporter.findings.headline import headline
from reporter.findings.projection import dump_document, project
from reporter.findings.reading import (
    footnotes,
    lead_cause,
    persona_account,
    read_goals,
    signal_totals,
    stage_colour,
    stage_evidence,
    suggested_fix,
)
from reporter.findings.scope import check_document
from reporter.models.finding import FindingSet
from reporter.vocabulary import Basis, Disposition, Stage, SummaryKind, Tone

pytestmark = pytest.mark.shared

NEWER = "swarm-findings-wire.json"
OLDER = "swarm-findings-wire.96fb767.json"
Json = dict[str, Any]


def text_of(name: str) -> str:
    return shared("oracle", "findings", name).read_text(encoding="utf-8")


def raw(name: str = NEWER) -> Json:
    loaded: Json = json.loads(text_of(name))
    return loaded


def findings(document: Json) -> FindingSet:
    return findings_of_document(read_document(document, file="wire.json")[0])


def refused(document: Json) -> list[str]:
    """The places that make a document unreadable; empty where it is accepted."""
    try:
        read_document(document, file="wire.json")
    except DocumentError as error:
        return [problem.place for problem in error.problems]
    return []


@pytest.mark.parametrize("name", [NEWER, OLDER])
def test_a_published_document_is_accepted_and_written_again_as_an_equal_object(name: str) -> None:
    document, job = read_document(raw(name), file=name)
    assert document.to_wire() == raw(name)
    assert job is None
    assert json.loads(dump_document(document.to_wire())) == raw(name)
    again, left_out = project(findings_of_document(document))
    assert again == raw(name)
    assert left_out == {}


def test_the_newer_document_is_written_again_byte_for_byte() -> None:
    document, _ = read_document(raw(), file=NEWER)
    assert dump_document(document.to_wire()) == text_of(NEWER)
    assert dump_document(project(findings_of_document(document))[0]) == text_of(NEWER)


def test_the_older_document_lacks_the_optional_fields_and_keeps_lacking_them() -> None:
    document, _ = read_document(raw(OLDER), file=OLDER)
    wire = document.to_wire()
    assert "verification" not in wire
    assert not any("signal" in row for row in wire["findings"])
    assert not any("account" in (row["reportExcerpt"] or {}) for row in wire["findings"])


@pytest.mark.parametrize("reverse", [False, True])
def test_the_reading_rules_give_what_the_notes_say(reverse: bool) -> None:
    document = raw()
    if reverse:
        document["findings"].reverse()
    found = findings(document)
    (persona,) = found.personas
    assert persona.disposition is Disposition.BLOCKED_BY_RESPONSE
    (goal,) = read_goals(found)
    assert goal.representative is not None
    assert goal.representative.finding.basis is Basis.VERIFIED_MECHANISM
    assert len(goal.session_ids) == 1
    colours = {stage: stage_colour(goal.rows, stage) for stage in Stage}
    assert colours == {**dict.fromkeys(Stage), Stage.RESPONSE: Tone.FAIL}
    (evidence,) = stage_evidence(goal.rows, Stage.RESPONSE)
    assert evidence.line == "The requested change was rejected. (1 of 1 session)"
    cause = lead_cause(found.rows)
    assert cause is not None
    assert (len(cause.session_ids), found.population.read) == (1, 1)
    assert (cause.stage, cause.measured) == (Stage.RESPONSE, False)
    assert suggested_fix(found) == "Accept the requested change."
    assert footnotes(found) == ("Journey stages not measured", "Tool catalog unavailable")
    assert signal_totals(found.rows) == ()


def test_reversed_rows_change_nothing_that_is_read() -> None:
    document = raw()
    document["findings"].reverse()
    assert findings(document) == findings(raw())
    assert headline(findings(document)) == headline(findings(raw()))


def test_the_headline_points_at_a_stage_that_nobody_measured() -> None:
    told = headline(findings(raw()))
    assert told.kind is SummaryKind.BROKEN
    by_key = {item.key: item for item in told.items}
    assert list(by_key) == ["cause", "reach", "stage", "where"]
    assert by_key["cause"].is_model_words
    assert by_key["reach"].text == "Seen in 1 of 1 read session."
    assert "points at the response" in by_key["stage"].text
    assert by_key["where"].text == "The cause was seen in “Reconcile payouts”, for Ana."
    assert told.fix is not None
    assert told.fix.is_model_words


def test_the_account_is_the_session_reports_own_words() -> None:
    found = findings(raw())
    account = persona_account(found, found.personas[0].persona)
    assert account.kind == "report"
    assert account.own_words
    assert account.session_id == "00000000000000010011chatSessions"
    assert account.cited == "The change was rejected."
    assert account.text.startswith("She tried to save")


def objects(value: Any, path: str = "") -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict):
        yield path, value
        for key, item in value.items():
            yield from objects(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from objects(item, f"{path}[{index}]")


OPTIONAL = ("verification", "signal", "account")


def test_every_dropped_and_every_added_key_is_refused_at_its_place() -> None:
    dropped = 0
    for place, (path, known) in enumerate(objects(raw())):
        for key in known:
            document = raw()
            del list(objects(document))[place][1][key]
            where = f"{path}.{key}" if path else key
            assert refused(document) == ([] if key in OPTIONAL else [where])
            dropped += 1
        document = raw()
        list(objects(document))[place][1]["surplus"] = None
        assert refused(document) == [f"{path}.surplus" if path else "surplus"]
    assert dropped > 90


MANY_IDS = [f"s{n}" for n in range(1001)]


def change(path: str, value: Any) -> Callable[[Json], None]:
    def apply(document: Json) -> None:
        *parents, last = path.replace("[", ".[").split(".")
        place: Any = document
        for part in parents:
            place = place[int(part[1:-1])] if part.startswith("[") else place[part]
        place[int(last[1:-1]) if last.startswith("[") else last] = value

    return apply


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("findings[0].disposition", "annoyed", ""),
        ("findings[0].citations[0]", "m:0", ""),
        ("findings[1].reportExcerpt.citations[0]", "m:0", ""),
        ("findings[0].outcomePhrase", "failed 2 times", ""),
        ("findings[0].outcomePhrase", "a b c d e f g h i", ""),
        ("findings[0].outcomePhrase", "x" * 101, ""),
        ("findings[0].sessionIds", MANY_IDS, ""),
        ("findings[0].citations", ["s/m:0"] * 31, ""),
        ("findings[0].tone", "ok", ""),
        ("personas[0].tone", "muted", ""),
        ("findings[1].reportExcerpt.account", "x" * 601, ""),
        ("findings[1].reportExcerpt.actual", "x" * 1801, ""),
        ("findings[0].population.count", -1, ""),
        ("findings[0].population.count", 1.5, ""),
        ("population.started", -1, ""),
        ("findings[0].signal", "ranOutOfWork", ""),
        ("findings", [None] * 201, "rows"),
    ],
)
def test_a_document_with_one_wrong_value_is_refused_at_that_place(
    path: str, value: Any, where: str
) -> None:
    document = raw()
    if where == "rows":
        value = [copy.deepcopy(document["findings"][0]) for _ in value]
    change(path, value)(document)
    assert refused(document) == [path]


@pytest.mark.parametrize("path", ["findings[0].tone", "findings[1].tone", "personas[0].tone"])
def test_each_wrong_tone_is_reported_at_its_path(path: str) -> None:
    for tone in set(Tone) - {Tone.FAIL}:
        document = raw()
        change(path, tone.value)(document)
        assert refused(document) == [path]


@pytest.mark.parametrize(
    ("rule", "path", "value"),
    [
        ("A6", "verification.proposed", 2),
        ("A1", "population.read", 0),
        ("A7", "findings[0].population.count", 2),
        ("S9", "findings[0].citations[0]", "another/m:0"),
        ("P1", "findings[1].fixPhrase", "Say more."),
    ],
)
def test_what_only_the_scope_level_refuses(rule: str, path: str, value: Any) -> None:
    document = raw()
    change(path, value)(document)
    assert refused(document) == []
    assert rule in {found.rule for found in check_document(document, None, None) if found.checkable}


def test_the_published_document_breaks_no_rule_that_can_be_checked_alone() -> None:
    for name in (NEWER, OLDER):
        found = check_document(raw(name), None, None)
        assert [each for each in found if each.checkable] == []
        assert {each.rule for each in found} == {"S2", "S3", "S4", "S7", "S9", "A9"}


def test_a_corrupted_row_does_not_pass_for_the_published_one() -> None:
    document = raw()
    document["findings"][0]["chainStage"] = "call"
    found = findings(document)
    assert stage_colour(found.rows, Stage.RESPONSE) is None
    assert found != findings(raw())
    assert dump_document(project(found)[0]) != text_of(NEWER)


def test_an_envelope_gives_its_document_and_its_job() -> None:
    path = shared("oracle", "mcpjam-export", "published-fixture", "insights-envelope.json")
    envelope = json.loads(path.read_text(encoding="utf-8"))
    document, job = read_document(envelope, file=path.name)
    assert document.to_wire() == raw()
    assert job == envelope.get("journeyFindingsJob")
