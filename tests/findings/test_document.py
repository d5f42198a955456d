"""The contract, bound by bound, on documents of our own."""

from typing import Any

import pytest
from finding_waves import FAILING, document_of, facts_of, idle, reported, signals

from reporter.errors import DocumentError, Problem
from reporter.findings.document import findings_of_document, is_document, read_document
from reporter.findings.projection import dump_document, project
from reporter.models.finding import FindingSet
from reporter.vocabulary import (
    CoverageNote,
    Disposition,
    Lifecycle,
    ScopeLevel,
    Signal,
    Tone,
    WiderFact,
    tone_of,
)

D = Disposition
BOOK = "\U0001f4d6"
Json = dict[str, Any]


def wave() -> Json:
    facts = [
        facts_of("s1", D.GOAL_MISSED, **reported(), **signals(Signal.TOOL_ERRORED)),
        facts_of("s2", D.GOAL_MISSED, run_id="r2", target_id="t2"),
        idle("s3", run_id="r2", target_id="t2"),
    ]
    document: Json = document_of(facts)
    return document


def places(document: Any) -> list[str]:
    problems: tuple[Problem, ...] = ()
    try:
        read_document(document, file="findings.json")
    except DocumentError as error:
        problems = error.problems
    assert all(problem.file == "findings.json" and problem.what for problem in problems)
    return [problem.place for problem in problems]


def report_place(document: Json) -> tuple[int, Json]:
    return next(
        (number, row)
        for number, row in enumerate(document["findings"])
        if row["basis"] == "sessionReport"
    )


def test_a_document_of_ours_is_accepted() -> None:
    assert places(wave()) == []


@pytest.mark.parametrize(
    ("slot", "limit"), [("outcomePhrase", 100), ("account", 600), ("actual", 1800)]
)
@pytest.mark.parametrize("character", ["x", "é", BOOK])
def test_text_at_its_bound_and_one_past_it(slot: str, limit: int, character: str) -> None:
    width = 2 if character == BOOK else 1
    for length, accepted in ((limit, True), (limit + 1, False)):
        text = character * (length // width) + "x" * (length % width)
        document = wave()
        number, row = report_place(document)
        if slot == "outcomePhrase":
            row[slot] = text
            where = f"findings[{number}].{slot}"
        else:
            row["reportExcerpt"][slot] = text
            where = f"findings[{number}].reportExcerpt.{slot}"
        assert places(document) == ([] if accepted else [where])


@pytest.mark.parametrize(
    ("phrase", "accepted"),
    [
        ("", True),
        ("   ", True),
        ("a b c d e f g h", True),
        ("  a  b\tc\nd e f g h  ", True),
        ("a b c d e f g h i", False),
        ("a\u00a0b c d e f g h i", False),
        ("a\u200bb c d e f g h i", True),
        ("only \u0661 here", True),
        ("only 1 here", False),
        (None, True),
        (7, False),
    ],
)
def test_an_outcome_phrase_has_eight_words_and_no_digit(phrase: Any, accepted: bool) -> None:
    document = wave()
    document["findings"][0]["outcomePhrase"] = phrase
    assert places(document) == ([] if accepted else ["findings[0].outcomePhrase"])


@pytest.mark.parametrize(
    ("key", "limit", "item"),
    [("sessionIds", 1000, "s1"), ("citations", 30, "s1/m:0")],
)
def test_lists_at_their_bound_and_one_past_it(key: str, limit: int, item: str) -> None:
    document = wave()
    document["findings"][0][key] = [item] * limit
    assert places(document) == []
    document["findings"][0][key] = [item] * (limit + 1)
    assert places(document) == [f"findings[0].{key}"]


def test_rows_at_their_bound_and_one_past_it() -> None:
    document = wave()
    row = document["findings"][0]
    document["findings"] = [{**row, "id": f"x{n}"} for n in range(200)]
    assert places(document) == []
    document["findings"].append(row)
    assert places(document) == ["findings"]


@pytest.mark.parametrize(
    ("citation", "accepted"),
    [
        ("s1/m:0", True),
        ("s1/", False),
        ("/m:0", False),
        ("m:0", False),
        ("s1/a/b", True),
        ("s\n1/m:0", True),
        ("s1/m:0\n", False),
        ("s1/a\u2028b", False),
    ],
)
def test_a_citation_is_a_session_a_slash_and_a_pointer(citation: str, accepted: bool) -> None:
    document = wave()
    document["findings"][0]["citations"] = [citation]
    assert places(document) == ([] if accepted else ["findings[0].citations[0]"])


@pytest.mark.parametrize(
    ("value", "accepted"),
    [(0, True), (2, True), (2.0, True), (-1, False), (1.5, False), (True, False), ("1", False)],
)
def test_counts_are_integers_of_zero_or_more(value: Any, accepted: bool) -> None:
    for key in ("generatedAt", "pipelineVersion", "extractionVersion"):
        assert places({**wave(), key: value}) == ([] if accepted else [key])
    document = wave()
    document["population"]["graded"] = value
    assert places(document) == ([] if accepted else ["population.graded"])


@pytest.mark.parametrize("disposition", list(Disposition))
@pytest.mark.parametrize("tone", list(Tone))
def test_a_tone_must_be_its_dispositions(disposition: Disposition, tone: Tone) -> None:
    document = wave()
    document["findings"][0] |= {"disposition": disposition.value, "tone": tone.value}
    document["personas"][0] |= {"disposition": disposition.value, "tone": tone.value}
    wrong = ["personas[0].tone", "findings[0].tone"]
    assert places(document) == ([] if tone is tone_of(disposition) else wrong)
    assert len(FAILING) == 5


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("basis", "hearsay"),
        ("scopeLevel", "world"),
        ("verdictSeen", None),
        ("chainStage", "value"),
        ("chainStageState", "broken"),
        ("chainStageBasis", None),
        ("coverageNotes", ["noNote"]),
        ("coverageNotes", {}),
        ("signal", []),
        ("id", ""),
        ("id", None),
        ("persona", []),
        ("mechanismId", 1),
        ("sessionIds", [1]),
    ],
)
def test_a_word_or_type_that_the_contract_lacks_is_refused(key: str, value: Any) -> None:
    document = wave()
    document["findings"][0][key] = value
    (place,) = places(document)
    assert place.startswith(f"findings[0].{key}")


def test_a_key_in_another_spelling_is_not_the_key() -> None:
    document = wave()
    document["findings"][0]["session_ids"] = document["findings"][0].pop("sessionIds")
    assert places(document) == ["findings[0].sessionIds", "findings[0].session_ids"]


@pytest.mark.parametrize(("holder", "key"), [("document", "verification"), ("job", "errorCode")])
def test_an_optional_key_may_be_absent_and_not_null(holder: str, key: str) -> None:
    job = {"status": "completed", "updatedAt": 0}
    envelope: Json = {"journeyFindings": wave(), "journeyFindingsJob": job}
    assert places(envelope) == []
    (envelope["journeyFindings"] if holder == "document" else job)[key] = None
    where = "journeyFindings" if holder == "document" else "journeyFindingsJob"
    assert places(envelope) == [f"{where}.{key}"]


def test_every_problem_is_named_at_once_with_file_and_place() -> None:
    document = wave()
    document["summaryKind"] = "fine"
    document["population"]["read"] = "many"
    document["findings"][1]["tone"] = "ok"
    del document["disclosure"]["rail"]
    with pytest.raises(DocumentError) as caught:
        read_document({"journeyFindings": document}, file="wave.json")
    assert {problem.place for problem in caught.value.problems} == {
        "journeyFindings.summaryKind",
        "journeyFindings.population.read",
        "journeyFindings.findings[1].tone",
        "journeyFindings.disclosure.rail",
    }
    message = str(caught.value)
    assert "wave.json: journeyFindings.summaryKind: is not one of notLaunched, broken" in message
    assert "the key is missing" in message
    assert "the tone of goalMissed is fail" in message


@pytest.mark.parametrize("version", [2, 99])
def test_a_newer_contract_is_refused_in_one_clear_sentence(version: int) -> None:
    document = {**wave(), "contractVersion": version, "brandNew": 1}
    with pytest.raises(DocumentError) as caught:
        read_document(document, file="findings.json")
    (problem,) = caught.value.problems
    assert (problem.place, problem.rule) == ("contractVersion", "newer-contract")
    assert f"is {version}" in problem.what
    assert "Update swarm-reporter" in problem.remedy


@pytest.mark.parametrize("version", [0, "1", True, None, 1.5])
def test_any_other_version_is_a_plain_mistake(version: Any) -> None:
    assert places({**wave(), "contractVersion": version}) == ["contractVersion"]


@pytest.mark.parametrize("raw", [None, [], "findings", 1])
def test_what_is_no_object_is_no_document(raw: Any) -> None:
    assert places(raw) == [""]
    assert not is_document(raw)


def test_a_document_and_an_envelope_are_known_by_their_keys() -> None:
    assert is_document(wave())
    assert is_document({"journeyFindings": None})
    assert not is_document({"format": "swarm-recording"})


@pytest.mark.parametrize(
    ("status", "says"),
    [
        ("pending", "has not finished"),
        ("failed", "failed"),
        ("skipped", "was skipped"),
        ("completed", "not in this file"),
    ],
)
def test_a_missing_document_is_never_no_findings(status: str, says: str) -> None:
    job = {"status": status, "updatedAt": 1}
    with pytest.raises(DocumentError, match=says) as caught:
        read_document({"journeyFindings": None, "journeyFindingsJob": job}, file="x")
    assert "not the same as no findings" in str(caught.value)
    with pytest.raises(DocumentError, match="holds no findings document"):
        read_document({"journeyFindings": None}, file="x")


def test_a_wrong_job_is_named_beside_a_wrong_document() -> None:
    envelope = {
        "journeyFindings": {**wave(), "generatedAt": -1},
        "journeyFindingsJob": {"status": "done", "updatedAt": 0},
    }
    assert places(envelope) == [
        "journeyFindings.generatedAt",
        "journeyFindingsJob.status",
    ]
    envelope["journeyFindings"] = wave()
    assert places(envelope) == ["journeyFindingsJob.status"]


def shown(document: Json) -> FindingSet:
    return findings_of_document(read_document(document, file="x")[0])


def test_a_document_of_ours_can_be_shown_again_without_its_recording() -> None:
    document = wave()
    found = shown(document)
    assert [row.order for row in found.rows] == [2, 2, 3, 4, 5, 5, 5, 5, 5]
    told = [(row.finding.scope_level, row.fact) for row in found.rows[4:]]
    assert told == [
        (ScopeLevel.PERSONA, WiderFact.NOT_MET),
        (ScopeLevel.TARGET, WiderFact.NOT_MET),
        (ScopeLevel.TARGET, WiderFact.NOT_STARTED),
        (ScopeLevel.TARGET, WiderFact.NOT_MET),
        (ScopeLevel.WAVE, WiderFact.NOT_STARTED),
    ]
    assert all(row.target_id is None for row in found.rows)
    assert project(found)[0] == document


def test_rows_in_any_order_are_shown_in_one() -> None:
    document = wave()
    turned = {**document, "findings": document["findings"][::-1]}
    assert shown(turned) == shown(document)


def test_notes_in_any_order_are_shown_once_in_contract_order() -> None:
    document = document_of([facts_of("s1", chain=None), idle("s2", Lifecycle.LIMITED)])
    assert len(document["findings"][0]["coverageNotes"]) > 1
    turned = {
        **document,
        "coverageNotes": [*document["coverageNotes"][::-1], document["coverageNotes"][0]],
        "findings": [
            {**row, "coverageNotes": row["coverageNotes"][::-1]} for row in document["findings"]
        ],
    }
    assert shown(turned) == shown(document)


def test_counts_behind_a_note_are_given_only_where_the_document_holds_them() -> None:
    facts = [facts_of("s1", D.GOAL_MISSED, chain=None), idle("s2")]
    document = document_of(facts)
    document["coverageNotes"] += ["sessionsWithdrawn", "partialRead", "mechanismsRejected"]
    document["population"] |= {"withdrawn": 1, "unread": 2, "started": 3}
    document["verification"] = {
        "proposed": 2,
        "confirmed": 0,
        "rejected": 2,
        "unverified": 0,
        "omitted": 0,
    }
    assert shown(document).note_sessions == {
        CoverageNote.SESSIONS_WITHDRAWN: 1,
        CoverageNote.PARTIAL_READ: 2,
        CoverageNote.MECHANISMS_REJECTED: 2,
    }


def test_half_a_character_in_a_document_is_no_reason_to_fail() -> None:
    document = wave()
    document["findings"][0]["goal"]["title"] = "a\ud800"
    document["findings"][0]["id"] += "\ud800"
    assert dump_document(project(shown(document))[0]).encode()
