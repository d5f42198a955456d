from dataclasses import replace
from typing import Any

import pytest
from finding_waves import facts_of
from report_waves import PROVENANCE, report_of, wave_of

from reporter.errors import Problem
from reporter.models.facts import CallFact
from reporter.models.manifest import Lost
from reporter.models.wave import DerivedWave
from reporter.view.masked import masked_words
from reporter.view.terminal import summary_lines
from reporter.view.unused import loss_groups, problem_lines, unused_words


def lost(place: str, reason: str = "no partner", kind: Any = "unmatched", count: Any = 1) -> Lost:
    return Lost(place=place, reason=reason, kind=kind, count=count)


def losing(*losses: Lost, **facts: Any) -> DerivedWave:
    return wave_of([facts_of("s1", **facts)], provenance=replace(PROVENANCE, lost=losses))


def test_equal_losses_are_one_line_with_their_number_and_places() -> None:
    (group,) = loss_groups(losing(*(lost(f"{at}.json", count=2) for at in range(5))))
    assert (group.title, group.count) == ("Calls and results without their partner", 10)
    (line,) = group.lines
    assert (line.places, line.what) == (("0.json", "1.json"), "no partner")
    assert (line.count, line.number) == (10, "10 times")
    assert line.further == ("2.json", "3.json", "4.json")
    assert (line.folded, line.more) == ("3 more places", "")


def test_what_differs_in_numbers_alone_is_one_line_that_keeps_the_words() -> None:
    wave = losing(*(lost(f"{n}.json", f"costs of {n} sessions", "noPlace", None) for n in (7, 9)))
    (group,) = loss_groups(wave)
    (line,) = group.lines
    assert (line.what, line.places) == ("costs of 7 sessions", ("7.json",))
    assert line.further == ("9.json: costs of 9 sessions",)


def test_more_places_than_can_be_listed_are_counted() -> None:
    (group,) = loss_groups(losing(*(lost(f"{at:03d}.json") for at in range(100))))
    assert len(group.lines[0].further) == 40
    assert group.lines[0].more == "and 58 places more"


def test_kinds_come_in_order_and_what_facts_know_is_among_them() -> None:
    calls = (
        CallFact("c1", "find", 0, error="noResult"),
        CallFact("c2", "find", 0, error="noResult"),
        CallFact("c3", "find", 0),
    )
    wave = losing(
        lost("a", "a recording has no place for it", "noPlace"),
        lost("b", "cannot be read", "unreadable"),
        lost("c", "of an older version", None),
        tool_calls=calls,
        unknown_types={"zap": 3},
    )
    assert [(group.kind, group.count) for group in loss_groups(wave)] == [
        ("unreadable", 1),
        ("unanswered", 2),
        ("unknownType", 3),
        ("other", 1),
        ("noPlace", 1),
    ]
    unanswered = loss_groups(wave)[1].lines[0]
    assert unanswered.places == ("session s1 (2)",)
    assert unused_words(wave) == (
        "could not be read (1: cannot be read); calls without a recorded result "
        "(2: whether these calls succeeded is unknown); records of a type unknown here "
        '(3: records of type "zap"); left aside (1: of an older version)'
    )
    assert f"Not used: {unused_words(wave)}." in list(summary_lines(wave))


def test_of_several_reasons_the_most_frequent_is_said() -> None:
    wave = losing(
        *(lost("a", why, "disagreement", count) for why, count in (("one", 2), ("two", 9)))
    )
    assert unused_words(wave) == "two places that contradict each other (11: such as two)"


def test_nothing_lost_is_nothing_said() -> None:
    assert loss_groups(losing()) == ()
    assert unused_words(losing()) == ""
    assert not [line for line in summary_lines(losing()) if line.startswith(("Not used", "Masked"))]


def test_equal_problems_are_one_line_and_errors_come_first() -> None:
    problems = [
        Problem("a.json", "", "is odd.", rule="odd", severity="note"),
        *(Problem(f"s{n}.jsonl", f"line {n}", f'"x{n}" is cut.', rule="cut") for n in range(3)),
        Problem("s9.jsonl", "line 9", '"y" is cut.', rule="other"),
    ]
    lines = problem_lines(problems)
    assert [(line.rule, line.count) for line in lines] == [("cut", 3), ("other", 1), ("odd", 1)]
    assert lines[0].what == '"x0" is cut.'
    assert lines[0].places == ("s0.jsonl, line 0",)
    assert lines[0].further == tuple(f's{n}.jsonl, line {n}: "x{n}" is cut.' for n in (1, 2))
    assert (lines[1].number, lines[1].folded) == ("", "")


@pytest.mark.parametrize(
    ("sessions", "parts", "words"),
    [
        ([{}, {}], [{}], ""),
        ([{"tokens": 1}, {}, {}], [], "1 token; in 1 of 3 sessions"),
        (
            [{"tokens": 5}, {"keyMaterial": 7}, {}],
            [{"cookies": 1}],
            ("13 values: 7 pieces of key material, 5 tokens and 1 cookie; "
            "in 2 of 3 sessions and 1 description of the plan"),
        ),
        ([{}], [{"passwords": 2}, {"secrets": 1}],
         "3 values: 2 passwords and 1 other secret; in 2 descriptions of the plan"),
        ([{"theirs": 2}], [], "2 theirs; in 1 of 1 session"),
    ],
)  # fmt: skip
def test_what_was_masked_is_counted_by_kind(sessions: Any, parts: Any, words: str) -> None:
    assert masked_words(sessions, parts) == words


def test_the_page_says_what_was_masked_and_that_nothing_was() -> None:
    assert report_of(losing(masked={"apiKeys": 2})).integrity.masked == (
        "2 API keys; in 1 of 1 session"
    )
    assert report_of(losing()).integrity.masked == ""
    foreign = losing()
    foreign = replace(foreign, provenance=replace(foreign.provenance, input_kind="chat-reward"))
    assert report_of(foreign).integrity.masked == "nothing that looks like a secret was found"
