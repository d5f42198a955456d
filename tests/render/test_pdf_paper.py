"""A long paper with recording and causes, the hostile corpus on paper, and two dates."""

import logging
import os
import re
import subprocess
import sys
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pikepdf
import pytest
import tinyhtml5  # type: ignore[import-untyped]  # it has no stubs
from builders import assistant, user
from hostile import HARMLESS, TEXTS, hostile_wave
from long_wave import dense_facts, dense_records
from paper_waves import CAUSES, PHRASES, explained_facts, explained_wave
from read_pdf import ReadPdf, broken_rules
from report_waves import derived_from, report_of, transcripts_of, wave_of
from shared import shared

from reporter.render import pdf_child
from reporter.render.pdf import print_page, write_pdf
from reporter.render.pdf_engine import parsed_as_xml
from reporter.view import paper_turns
from reporter.view.paper import RUNS_WHOLE, paper_view
from reporter.vocabulary import Disposition

MANY_PAGES = 55
"""What a default paper of any wave stays below."""


def made(folder: Path, evidence: Any) -> ReadPdf:
    wave, transcripts = explained_wave()
    report = report_of(wave)
    write_pdf(report, folder / "report.pdf", evidence=evidence, transcripts=transcripts)
    return ReadPdf(report, folder / "report.pdf")


@pytest.fixture(scope="module")
def explained(tmp_path_factory: pytest.TempPathFactory) -> ReadPdf:
    return made(tmp_path_factory.mktemp("explained"), "cited")


def test_each_line_of_the_contents_prints_the_page_its_link_lands_on(explained: ReadPdf) -> None:
    lines = paper_view(explained.report, transcripts=explained_wave()[1]).contents
    assert len(lines) > 20
    contents = next(
        page for page in explained.pages if page.startswith("wave") and "Contents" in page
    )
    at = 0
    for line in lines:
        found = re.compile(rf"{re.escape(line.title)}[ .]* (\d+)\b").search(contents, at)
        assert found is not None, line.title
        assert int(found[1]) == explained.places[line.anchor], line.title
        assert line.title in explained.pages[int(found[1]) - 1]
        at = found.end()


def test_each_link_of_the_contents_leads_where_its_line_says(explained: ReadPdf) -> None:
    lines = paper_view(explained.report, transcripts=explained_wave()[1]).contents
    here = [place for page, place in explained.links if page == 2]
    # The title and the number of a line are a link each.
    assert [place for place, _ in groupby(here)] == [line.anchor for line in lines]


def test_bookmarks_nest_goals_and_causes_in_their_sections(explained: ReadPdf) -> None:
    tree: dict[str, list[str]] = {}
    for depth, title, page in explained.bookmarks:
        if depth == 1:
            tree[title] = []
        else:
            tree[list(tree)[-1]].append(title)
        words = " ".join(title.split())
        assert words in explained.written[page - 1], title
    assert tree["Causes"] == [f"Cause {n}, in a model\u2019s words" for n in range(1, CAUSES + 1)]
    assert tree["Goals"] == [goal.title for goal in explained.report.goals.goals]
    assert [page for _, _, page in explained.bookmarks] == sorted(
        page for _, _, page in explained.bookmarks
    )


def test_every_link_lands_inside(explained: ReadPdf) -> None:
    assert len(explained.links) > 100
    assert {place for _, place in explained.links} <= set(explained.places)


def test_every_finding_is_found_with_its_title_and_its_number(explained: ReadPdf) -> None:
    causes = explained.report.causes.causes
    assert sorted(cause.phrase.text for cause in causes) == sorted(PHRASES)
    for cause in causes:
        assert (
            f"Cause {cause.number}, in a model\u2019s words {cause.phrase.text}" in explained.text
        )
        assert cause.reach.text in explained.text
        fix = cause.fix.text if cause.fix else cause.no_fix
        assert fix
        assert fix in explained.text
    for goal in explained.report.goals.goals:
        assert goal.title in explained.text
        assert goal.note in explained.text
        for run in goal.runs:
            for line in run.evidence.outcomes:
                said = f"{line.finding.mark.word}: {line.finding.population.text}"
                assert said in explained.text
    for wider in explained.report.recorded.wider:
        assert f"{wider.phrase} {wider.population.text}" in explained.text


def test_a_cause_and_the_turn_it_cites_lead_to_each_other(explained: ReadPdf) -> None:
    for cause in explained.report.causes.causes:
        page = explained.places[cause.anchor]
        cited = [place.href[1:] for place in cause.cited]
        assert cited
        assert set(cited) <= {place for on, place in explained.links if on == page}
        for place in cited:
            back = {to for on, to in explained.links if on == explained.places[place]}
            assert cause.anchor in back


def test_no_heading_stands_alone_at_the_foot_of_a_page(explained: ReadPdf) -> None:
    for _, title, page in explained.bookmarks:
        words = " ".join(title.split())
        after = explained.written[page - 1].rsplit(words, 1)[1]
        body = after.split("wave, wave wave-1", 1)[0]
        assert len(body.split()) > 4, (title, page)


def test_a_chain_stands_in_one_piece_with_its_head(explained: ReadPdf) -> None:
    ran = subprocess.run(
        ["pdftotext", "-layout", str(explained.path), "-"], capture_output=True, check=True
    )
    heads = re.compile(r"Connection +Discovery +Selection +Tool call +Response +User value")
    states = re.compile(r"\n +(?:passed|failed|not measured) in 1 of")
    drawn: Counter[int] = Counter()
    for number, page in enumerate(ran.stdout.decode().split("\f"), start=1):
        for found in heads.finditer(page):
            drawn[number] += 1
            assert states.match(page, page.index("\n", found.end()))
    whole = paper_view(explained.report).goals.whole
    assert drawn == Counter(explained.places[run.anchor] for goal in whole for run in goal.runs)
    assert drawn.total() == RUNS_WHOLE


@pytest.mark.parametrize(
    ("evidence", "sessions"),
    [("all", 27), ("failed", 18), ("none", 0)],
    ids=["all", "failed", "none"],
)
def test_a_wave_with_causes_is_set_with_any_evidence(
    evidence: str, sessions: int, explained: ReadPdf, tmp_path: Path
) -> None:
    paper = made(tmp_path, evidence)
    assert broken_rules(paper.path) == []
    assert {place for _, place in paper.links} <= set(paper.places)
    last = [fact.session_id for fact in paper.report.outline.wave.facts]
    said = [one for one in last if f"Reference {one}." in paper.text]
    assert len(said) == sessions
    assert len(paper.pages) <= len(explained.pages) + 6
    title = {"all": "Sessions, whole", "failed": "Sessions that failed", "none": ""}[evidence]
    ones = [one for depth, one, _ in paper.bookmarks if depth == 1]
    assert (ones[-1] == title) if title else (ones[-1] == "Provenance")


@pytest.mark.parametrize(("words", "sessions"), [("x" * 400, 3), ("x", 7)])
def test_rows_cost_paper_however_little_they_say(
    words: str, sessions: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two messages a session: 800 characters, or two rows that count for 80 each.
    monkeypatch.setattr(paper_turns, "WHOLE_CHARS", 2_500 if len(words) > 1 else 1_200)
    # Sessions whose goal was met carry no rows of checks.
    facts = [one for one in explained_facts() if one.disposition is Disposition.GOAL_MET]
    said = (user(words), assistant(words))
    read = transcripts_of({str(fact.session_id): said for fact in facts})
    turns = paper_turns.paper_turns(report_of(wave_of(facts)), "all", read)
    assert len(turns.sessions) == sessions
    # Findings cite turns, so every row says which turn it is of.
    assert {turn.where for one in turns.sessions for turn in one.turns} == {
        "turn 1, m0",
        "turn 1, m1",
    }
    assert turns.left_out.startswith(f"{sessions} of 9 sessions that started are appended whole;")


def stays_a_document(paper: ReadPdf) -> None:
    """A first page of its own, contents on the second, about fifty pages, accessible."""
    assert len(paper.pages) <= MANY_PAGES
    assert "Contents" not in paper.pages[0]
    assert f"Page 1 of {len(paper.pages)}" in paper.pages[0]
    assert "Contents" in paper.pages[1]
    assert "What this file leaves out" in " ".join(paper.pages[1:4])
    assert {place for _, place in paper.links} <= set(paper.places)
    assert broken_rules(paper.path) == []


@pytest.mark.shared
@pytest.mark.parametrize("name", ["tau-trait", "tau-bench", "tau2-bench-runs"])
def test_a_large_recording_stays_a_document(name: str, tmp_path: Path) -> None:
    wave, transcripts = derived_from(shared("recordings", name))
    report = report_of(wave)
    write_pdf(report, tmp_path / "report.pdf", transcripts=transcripts)
    stays_a_document(ReadPdf(report, tmp_path / "report.pdf"))


def test_a_dense_wave_of_hostile_words_stays_a_document(tmp_path: Path) -> None:
    report = report_of(wave_of(dense_facts()))
    write_pdf(report, tmp_path / "report.pdf", transcripts=transcripts_of(dense_records()))
    stays_a_document(ReadPdf(report, tmp_path / "report.pdf"))


DATES = ("1999-12-31T23:59:58", "2031-07-04T12:00:00")
FAKED = """
import datetime, time
_real, _start = time.time, time.time()
_moment = datetime.datetime.fromisoformat({date!r}).timestamp()
time.time = lambda: _moment + _real() - _start
class _Datetime(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)
    @classmethod
    def utcnow(cls):
        return cls.utcfromtimestamp(time.time())
class _Date(datetime.date):
    @classmethod
    def today(cls):
        return cls.fromtimestamp(time.time())
datetime.datetime, datetime.date = _Datetime, _Date
_local, _utc = time.localtime, time.gmtime
time.localtime = lambda seconds=None: _local(time.time() if seconds is None else seconds)
time.gmtime = lambda seconds=None: _utc(time.time() if seconds is None else seconds)
with open({seen!r}, "a") as file:
    file.write(f"{{datetime.datetime.now():%Y}} {{time.localtime().tm_year}}\\n")
"""


def test_two_processes_on_two_days_make_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wave, transcripts = explained_wave()
    report = report_of(wave)
    files: list[bytes] = []
    paths = list(sys.path)
    seen = tmp_path / "seen"
    for number, date in enumerate(DATES):
        faked = tmp_path / str(number)
        faked.mkdir()
        code = FAKED.format(date=date, seen=str(seen))
        (faked / "sitecustomize.py").write_text(code, encoding="utf-8")
        monkeypatch.setattr(sys, "path", [str(faked), *paths])
        write_pdf(report, tmp_path / "report.pdf", transcripts=transcripts)
        files.append((tmp_path / "report.pdf").read_bytes())
        os.utime(tmp_path / "report.pdf", (0, 0))
    years = [line.split() for line in seen.read_text(encoding="utf-8").splitlines()]
    assert years == [["1999", "1999"], ["2031", "2031"]]
    assert files[0] == files[1]
    assert not [year for year in (b"(D:1999", b"(D:2031") if year in files[0]]


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the library's log back as it was."""
    log = logging.getLogger("weasyprint")
    monkeypatch.setattr(log, "handlers", list(log.handlers))
    monkeypatch.setattr(log, "propagate", log.propagate)


def hostile_page(text: str, folder: Path) -> str:
    wave, transcripts = derived_from(hostile_wave(text).write(folder / "wave"))
    return print_page(report_of(wave), evidence="all", transcripts=transcripts)


@pytest.fixture(scope="module")
def harmless_pages(tmp_path_factory: pytest.TempPathFactory) -> int:
    return pdf_child.render(hostile_page(HARMLESS, tmp_path_factory.mktemp("harmless")))[1]


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text_becomes_a_bounded_paper_that_asks_for_nothing(
    name: str, harmless_pages: int, tmp_path: Path
) -> None:
    # A fetch would raise: the fetcher refuses everything that is not in the page.
    content, pages, _ = pdf_child.render(hostile_page(TEXTS[name], tmp_path))
    (tmp_path / "made.pdf").write_bytes(content)
    assert broken_rules(tmp_path / "made.pdf") == []
    assert harmless_pages // 2 <= pages <= 3 * harmless_pages
    with pikepdf.open(tmp_path / "made.pdf") as pdf:
        assert "/JavaScript" not in pdf.Root.get("/Names", {})
        assert "/OpenAction" not in pdf.Root
        notes = [note for page in pdf.pages for note in page.get("/Annots", [])]
        assert all(note.Subtype == "/Link" and "/A" not in note for note in notes)


def shape(root: ET.Element) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    """Every element with its attributes, in order."""
    return [
        (
            one.tag,
            tuple(sorted((key, value) for key, value in one.attrib.items() if "xmlns" not in key)),
        )
        for one in root.iter()
    ]


@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text_reads_the_same_as_xml_and_as_html(name: str, tmp_path: Path) -> None:
    page = hostile_page(TEXTS[name], tmp_path).replace(pdf_child.MISSING_NOTE, "")
    ours = parsed_as_xml(page)
    assert ours is not None
    theirs = tinyhtml5.parse(page, namespace_html_elements=False)
    assert shape(ours) == shape(theirs)
    assert " ".join("".join(ours.itertext()).split()) == " ".join(
        "".join(theirs.itertext()).split()
    )
