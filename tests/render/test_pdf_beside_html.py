"""The paper beside the page of the same report: what one says in numbers, the other says too."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pikepdf
import pytest
from model_waves import MODEL_TALK, asked, every_fate
from paper_words import numbers, page_words, paper_sections, shares
from report_waves import derived_from, parsed, report_of
from shared import ROOT, shared

from reporter.render.html import render_html
from reporter.render.pdf import write_pdf
from reporter.view.anchor import message_anchor
from reporter.view.author import ModelWords
from reporter.view.report import ReportView
from reporter.view.scopes import GoalScope, SessionScope

EXAMPLE = ROOT / "examples" / "lending-desk" / "wave"
WIRE = ("oracle", "findings", "swarm-findings-wire.json")
ONLY_ON_PAPER = {"cautions", "left-out", "more-goals", "turns"}
"""Ids of headings that the page has no use for."""


@dataclass(frozen=True)
class Both:
    """A report as a page and as a paper."""

    report: ReportView
    html: str
    path: Path

    @cached_property
    def sections(self) -> dict[str, str]:
        with pikepdf.open(self.path) as pdf, pdf.open_outline() as outline:
            return paper_sections(self.path, [str(one.title) for one in outline.root])

    def title(self, anchor: str) -> str:
        return next(one.title for one in self.report.sections if one.anchor == anchor)

    def paper(self, anchor: str) -> str:
        return self.sections[self.title(anchor)]


def both(source: Path, folder: Path) -> Both:
    wave, transcripts = derived_from(source)
    report = report_of(wave, transcripts=transcripts)
    write_pdf(report, folder / "report.pdf", transcripts=transcripts)
    return Both(report, "".join(render_html(report, transcripts)), folder / "report.pdf")


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Both:
    return both(EXAMPLE, tmp_path_factory.mktemp("both"))


@pytest.mark.parametrize(
    ("anchor", "least"), [("matrix", 50), ("funnel", 60), ("targets", 20), ("integrity", 5)]
)
def test_a_section_says_the_same_numbers_in_the_same_order(
    anchor: str, least: int, example: Both
) -> None:
    page = numbers(page_words(example.html, anchor))
    assert len(page) >= least
    paper = numbers(example.paper(anchor))
    # On paper the times of a link's calls stand below the funnel, which has no room for them.
    if anchor == "funnel":
        page, paper = sorted(page), sorted(paper)
    assert paper == page


@pytest.mark.shared
@pytest.mark.parametrize("anchor", ["matrix", "causes", "goals", "verification", "integrity"])
def test_a_published_document_says_the_same_numbers_too(anchor: str, published: Both) -> None:
    assert numbers(published.paper(anchor)) == numbers(page_words(published.html, anchor))


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Both:
    return both(shared(*WIRE), tmp_path_factory.mktemp("published"))


@pytest.fixture(scope="module")
def explained(tmp_path_factory: pytest.TempPathFactory) -> Both:
    report = report_of(asked(every_fate(), published=True), transcripts=MODEL_TALK)
    path = tmp_path_factory.mktemp("explained") / "report.pdf"
    write_pdf(report, path, transcripts=MODEL_TALK)
    return Both(report, "".join(render_html(report, MODEL_TALK)), path)


@pytest.mark.parametrize(
    ("anchor", "least"), [("causes", 1), ("verification", 10), ("provenance", 3)]
)
def test_what_a_model_did_is_counted_alike(anchor: str, least: int, explained: Both) -> None:
    page, paper = page_words(explained.html, anchor), explained.paper(anchor)
    assert shares(paper) == shares(page)
    assert len(shares(page)) >= least
    assert set(numbers(paper)) <= set(numbers(page))


def test_the_summary_says_the_numbers_of_the_page(example: Both) -> None:
    paper = example.sections["Summary"] + " " + example.sections["Cautions"]
    page = page_words(example.html, "summary")
    assert set(numbers(paper)) == set(numbers(page))
    assert shares(paper) == shares(page)
    assert len(shares(page)) >= 5


def test_goals_say_the_counts_of_the_page(example: Both) -> None:
    page, paper = page_words(example.html, "goals"), example.paper("goals")
    assert shares(paper) == shares(page)
    assert len(shares(page)) >= 8
    assert set(numbers(paper)) <= set(numbers(page))


@pytest.mark.parametrize("anchor", ["goals", "recorded", "sessions"])
def test_the_paper_says_no_number_that_the_page_does_not(anchor: str, example: Both) -> None:
    page = set(numbers(page_words(example.html, anchor)))
    if anchor == "sessions":
        page |= {str(len(group.rows)) for group in example.report.sessions.groups}
        page |= _by_persona(example.report)
    assert set(numbers(example.paper(anchor))) - page == set()


def _by_persona(report: ReportView) -> set[str]:
    """How many sessions each persona has: the heads of the paper's lists, which are by persona."""
    counts: dict[str, int] = {}
    for group in report.sessions.groups:
        for row in group.rows:
            counts[row.persona] = counts.get(row.persona, 0) + 1
    return {str(count) for count in counts.values()}


def test_every_finding_is_found_with_its_number(example: Both) -> None:
    goals, recorded = example.paper("goals"), example.paper("recorded")
    seen = 0
    for goal in example.report.goals.goals:
        assert goal.title in goals
        for run in goal.runs:
            for line in run.evidence.outcomes:
                said = f"{line.finding.mark.word} on {line.finding.target}: "
                assert said + line.finding.population.text in goals
                seen += 1
            for signal in run.evidence.signals:
                assert isinstance(signal.finding, GoalScope)
                said = f"{signal.finding.signal}, in {signal.finding.population.text}"
                assert said in goals
                seen += 1
            for own in run.evidence.reports:
                assert isinstance(own.finding, SessionScope)
                assert not own.finding.account or _plain(own.finding.account) in goals
                seen += 1
    for wider in example.report.recorded.wider:
        assert f"{wider.phrase} {wider.population.text}" in recorded
        seen += 1
    assert seen > 30


def _plain(words: str | ModelWords) -> str:
    return " ".join((words.text if isinstance(words, ModelWords) else words).split())


@pytest.mark.shared
def test_every_cause_is_found_with_its_reach_and_its_links(published: Both) -> None:
    causes = published.paper("causes")
    assert published.report.causes.causes
    for cause in published.report.causes.causes:
        assert cause.phrase.text in causes
        assert cause.reach.text in causes


def destinations(path: Path) -> Iterator[str]:
    with pikepdf.open(path) as pdf:
        names = pdf.Root.Names.Dests.Names
        yield from (str(names[at]) for at in range(0, len(names), 2))


def test_places_of_the_paper_have_the_ids_that_they_have_on_the_page(example: Both) -> None:
    there = set(parsed(example.html).ids())
    here = set(destinations(example.path))
    assert here - there - ONLY_ON_PAPER == set()
    turns = {
        message_anchor(fact.session_id, number)
        for fact in example.report.outline.wave.facts
        for number in range(fact.message_count or 0)
    }
    assert len(turns & here) > 10
