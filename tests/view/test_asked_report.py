"""Whole reports of waves that somebody was asked about: what each outcome of asking reads like."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asked_waves import ACCOUNT, asked_wave, derive_asked, proposal, support
from asked_waves import Scripted as By
from report_waves import NOW, dead_links, parsed, repeated, report_of

from reporter.models.wave import DerivedWave, Transcripts
from reporter.phrases.exchange import Question
from reporter.pipeline.derive import derive_wave
from reporter.pipeline.options import Options
from reporter.pipeline.source import open_source
from reporter.render.html import render_html
from reporter.render.pdf import print_page
from reporter.view.causes import CauseView
from reporter.view.terminal import summary_lines
from reporter.vocabulary import CoverageNote, ReplyState

CAUSE = proposal(support=[support("s1"), support("s2"), support("s3")])
NAMING = proposal(mechanismPhrase="borrow_book refuses the card number of Ana.")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asked_wave(tmp_path_factory.mktemp("asked") / "wave")


def of_four(*proposals: Any) -> Callable[[Question], Any]:
    """Proposals for the group of four sessions, none for the other."""
    return lambda question: list(proposals) if '"s3"' in question.prompt else []


def transcripts(folder: Path) -> Transcripts:
    return open_source(folder, Options()).transcript


def everything(wave: DerivedWave, folder: Path) -> str:
    """All words of page, paper and terminal; every link of the page lands."""
    read = transcripts(folder)
    report = report_of(wave, transcripts=read)
    page = parsed("".join(render_html(report, read)))
    assert dead_links(page) == []
    assert repeated(page.ids()) == []
    paper = parsed(print_page(report, transcripts=read)).text
    return re.sub(r"\s+", " ", " ".join((page.text, paper, *summary_lines(wave))))


SOME = {
    "a cause": By(propose=of_four(CAUSE, NAMING)),
    "nothing proposed": By(),
    "every call failed": By(propose=ReplyState.FAILED, report=ReplyState.TIMED_OUT),
    "no budget": By(propose=ReplyState.OVER_BUDGET, report=ReplyState.OVER_BUDGET),
    "no budget for looks": By(propose=of_four(CAUSE), verify=ReplyState.OVER_BUDGET),
    "all rejected": By(propose=of_four(NAMING)),
    "contradicted": By(propose=of_four(CAUSE), verify="contradicts"),
    "not settled": By(propose=of_four(CAUSE), verify="cannotTell"),
    "no JSON": By(propose="Sorry.", report="Sorry."),
    "no JSON of groups": By(propose="Sorry."),
}


@pytest.mark.parametrize("name", SOME)
def test_a_report_of_a_model_that_was_asked_never_says_that_none_was(
    name: str, folder: Path
) -> None:
    wave = derive_asked(folder, SOME[name])
    text = everything(wave, folder)
    assert "No model was used" not in text
    assert "What was asked" in text
    assert ("nothing was sent to it" in text) is (name == "no budget")


LOST = ("every call failed", "no budget", "no JSON", "no JSON of groups")


@pytest.mark.parametrize("name", SOME)
def test_what_could_not_be_analysed_is_never_called_checked_or_without_a_cause(
    name: str, folder: Path
) -> None:
    wave = derive_asked(folder, SOME[name])
    text = everything(wave, folder)
    lost = name in LOST
    assert ("That does not say that there is no cause." in text) is lost
    assert ("proposed no explanation" in text) is (name == "nothing proposed")
    assert (CoverageNote.ANALYSIS_UNAVAILABLE in wave.findings.coverage_notes) is (
        lost or name in ("no budget for looks", "not settled")
    )


def cause_of(wave: DerivedWave, folder: Path) -> CauseView:
    (cause,) = report_of(wave, transcripts=transcripts(folder)).causes.causes
    return cause


def test_a_cause_of_several_goals_says_its_reach_and_quotes_in_place(folder: Path) -> None:
    wave = derive_asked(folder, SOME["a cause"])
    cause = cause_of(wave, folder)
    assert (cause.reach.text, cause.across) == ("3 of 6 read sessions", "across 2 goals")
    assert cause.seen_in == "“Borrow the blue atlas” (Ana 2); “Take the atlas home” (Bo 1)"
    assert cause.stage == ("Response: measured. In all 3 sessions this link failed.")
    (quote,) = cause.quotes
    assert quote.text == "Error: card number must have 8 digits"
    assert quote.by == "Result of borrow_book, an error"
    assert [one.label for one in cause.cited] == [f"s{n}, tool call" for n in (1, 2, 3)]
    text = everything(wave, folder)
    assert "3 of 6 read sessions, across 2 goals" in text
    # Each goal counts only its own sessions of it.
    assert "2 of 2 read sessions, Lending desk. Response: measured, failed. Cause 1" in text
    assert "1 of 2 read sessions, Lending desk. Response: measured, failed. Cause 1" in text


def test_what_a_model_tells_of_a_session_is_not_called_own_words(folder: Path) -> None:
    page = parsed("".join(render_html(report_of(derive_asked(folder, By())), transcripts(folder))))
    goals = re.sub(r"\s+", " ", page.by_id("goals").text)
    assert "Own words" not in goals
    told = f"Session report Model.s words: “{ACCOUNT['actual']}” A model.s account of this one"
    assert re.search(told, goals)


def test_an_answer_that_is_no_json_leaves_its_group_not_analysed(folder: Path) -> None:
    wave = derive_asked(folder, SOME["no JSON of groups"])
    view = report_of(wave).verification.asked
    assert view is not None
    assert {one.outcome for one in view.groups} == {"Not analysed. The answer cannot be read."}
    assert "Both groups" in view.groups_lead
    assert "the answer cannot be read" in view.groups_lead


def test_only_a_second_look_sends_what_was_proposed(folder: Path) -> None:
    for name, words in (("a cause", True), ("all rejected", False)):
        sent = report_of(derive_asked(folder, SOME[name])).provenance.sent_by_session
        assert sent is not None
        assert ("for the second look, the words" in sent.nothing_else) is words


def test_without_asking_the_same_wave_says_that_no_model_was_used(folder: Path) -> None:
    wave = derive_wave(open_source(folder, Options()), generated_at=NOW)
    text = everything(wave, folder)
    assert "No model was used; nothing was sent." in text
    assert "What was asked" not in text
