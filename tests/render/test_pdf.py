import io
import re
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from builders import assistant, call, result, user
from finding_waves import build, chain, facts_of, failed_checks, idle, reported, signals
from model_waves import MODEL_TALK, asked, every_fate, long_ledger
from read_pdf import ReadPdf, broken_rules
from report_waves import (
    dead_links,
    derived_from,
    nothing,
    parsed,
    published,
    repeated,
    report_of,
    transcripts_of,
    wave_of,
)
from shared import ROOT, shared

from reporter.errors import RenderError
from reporter.models.facts import SessionFacts
from reporter.models.phrases import PhraseWork
from reporter.models.wave import Transcripts
from reporter.render.pdf import print_page, write_pdf
from reporter.view.anchor import call_anchor, message_anchor
from reporter.view.author import ModelWords
from reporter.view.paper import PROPOSALS_LISTED
from reporter.view.report import ReportView
from reporter.vocabulary import Disposition, Lifecycle, ProposalState, Signal, Stage

EXAMPLE = ROOT / "examples" / "lending-desk" / "wave"


def make(
    report: ReportView, target: Path, transcripts: Transcripts = nothing, **more: Any
) -> ReadPdf:
    write_pdf(report, target, transcripts=transcripts, **more)
    return ReadPdf(report, target)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> ReadPdf:
    wave, transcripts = derived_from(EXAMPLE)
    return make(report_of(wave), tmp_path_factory.mktemp("pdf") / "report.pdf", transcripts)


def some_facts() -> list[SessionFacts]:
    """A few sessions of most kinds."""
    return [
        facts_of(
            "s1",
            Disposition.BLOCKED_BY_RESPONSE,
            chain=chain(Stage.RESPONSE, [Stage.CONNECTION, Stage.CALL]),
            **signals(Signal.TOOL_ERRORED),
            **failed_checks("check:1"),
            **reported(),
        ),
        facts_of("s2", Disposition.GOAL_MET, persona_name="Ben", run_id="r2"),
        facts_of("s3", Disposition.NOT_MEASURED, run_id="r3", target_id="t2", goal_id="g2"),
        idle("s4", Lifecycle.LIMITED, run_id="r3", target_id="t2", goal_id="g2"),
    ]


@pytest.mark.parametrize("work", [every_fate(), long_ledger()])
def test_a_models_work_is_on_paper_for_everybody(work: PhraseWork, tmp_path: Path) -> None:
    wave = asked(work, published=True)
    made = make(report_of(wave, transcripts=MODEL_TALK), tmp_path / "report.pdf", MODEL_TALK)
    assert broken_rules(made.path) == []
    assert len(made.pages) < 20
    # Headings that are bookmarks say what is no finding before its words are read.
    assert any(title.startswith("Rejected: ") for _, title, _ in made.bookmarks)
    assert "None of these is a finding." in made.text
    rejected = sum(one.state is ProposalState.REJECTED for one in work.proposals)
    assert made.text.count(": rejected, not a finding") == min(rejected, PROPOSALS_LISTED)


RECORDS = {
    "s1": (user("Pay my fine."), call("c1", "pay_fine"), result("c1", "No.", isError=True)),
    "s2": (user(), assistant("**Done**, see [the desk](https://desk.example).")),
}


def plain_words(words: str | ModelWords) -> str:
    return words.text if isinstance(words, ModelWords) else words


def small(**more: Any) -> str:
    return print_page(
        report_of(wave_of(some_facts())), transcripts=transcripts_of(dict(RECORDS)), **more
    )


def test_the_first_page_stands_alone(example: ReadPdf) -> None:
    first, second = example.pages[0], example.pages[1]
    summary = example.report.summary
    for words in (
        summary.kind.word,
        summary.goals,
        plain_words(summary.headline.text),
        summary.how_sure,
        summary.ledger.launch,
        summary.cautions.heading,
        summary.cautions.sentence,
        *(person.name for person in example.report.outline.personas.values()),
        *(goal.short_title for goal in example.report.outline.goals.values()),
    ):
        assert " ".join(words.split()) in first
    assert "Page 1 of" in first
    assert "Contents" in second


def test_every_page_says_its_number_and_its_section(example: ReadPdf) -> None:
    total = len(example.pages)
    for number, text in enumerate(example.pages, start=1):
        assert f"Page {number} of {total}" in text
        assert "Swarm report, 12 March 2026" in text
    with pikepdf.open(example.path) as pdf:
        assert len(pdf.pages) == total
        assert 12 <= total <= 30


def test_the_bookmarks_are_the_sections_and_the_goals(example: ReadPdf) -> None:
    titles = [title for depth, title, _ in example.bookmarks if depth == 1]
    assert titles == [
        *("Summary", "Contents", "Cautions"),
        *(one.title for one in example.report.sections[:3]),
        *(one.title for one in example.report.sections[3:]),
        "Cited turns",
    ]
    below = {title for depth, title, _ in example.bookmarks if depth == 2}
    assert {goal.title for goal in example.report.outline.goals.values()} <= below
    pages = [page for depth, _, page in example.bookmarks if depth == 1]
    assert pages == sorted(pages)


def test_the_contents_name_the_page_that_each_section_is_on(example: ReadPdf) -> None:
    contents = example.pages[1]
    for depth, title, page in example.bookmarks:
        if depth == 1 and title not in ("Summary", "Contents"):
            assert re.search(rf"{re.escape(title)}[ .]* {page}\b", contents), title


def test_every_goal_with_its_counts_is_found(example: ReadPdf) -> None:
    for goal in example.report.goals.goals:
        assert goal.title in example.text
        assert goal.note in example.text
        for run in goal.runs:
            assert run.sessions in example.text
            for line in run.evidence.outcomes:
                assert line.finding.population.text in example.text


def test_every_number_of_the_ledger_and_of_the_facts_is_found(example: ReadPdf) -> None:
    for step in example.report.summary.ledger.steps:
        assert step.left in example.text
    for fact in example.report.recorded.signals:
        assert fact.count.text in example.text
    for caution in example.report.summary.cautions.cautions:
        assert f"{caution.label} {caution.touches}".strip() in example.text
        assert caution.meaning in example.text
    for group in example.report.words.groups:
        for word in group.words:
            assert word.meaning in example.text


def test_the_document_says_what_it_is(example: ReadPdf) -> None:
    with pikepdf.open(example.path) as pdf:
        assert pdf.docinfo["/Title"] == example.report.title
        assert str(pdf.docinfo["/Subject"]).startswith(example.report.summary.kind.word)
        assert pdf.docinfo["/CreationDate"] == "D:20260312103000Z"
        assert pdf.Root.Lang == "en"
        assert pdf.Root.ViewerPreferences.DisplayDocTitle
        assert [float(side) for side in pdf.pages[0].mediabox][2:] == pytest.approx(
            [595.28, 841.89], abs=0.1
        )


def test_fonts_are_embedded(example: ReadPdf) -> None:
    listed = subprocess.run(
        ["pdffonts", str(example.path)], capture_output=True, text=True, check=True
    ).stdout.splitlines()[2:]
    assert listed
    assert all(re.search(r"\byes\s+\w+\s+yes\b", line) for line in listed), listed


def test_links_land_inside_the_document(example: ReadPdf) -> None:
    with pikepdf.open(example.path) as pdf:
        names = pdf.Root.Names.Dests.Names
        known = {str(names[at]) for at in range(0, len(names), 2)}
        links = [
            note for one in pdf.pages for note in one.get("/Annots", []) if note.Subtype == "/Link"
        ]
        assert len(links) > 50
        assert all("/URI" not in note.get("/A", {}) for note in links)
        assert {str(note.Dest) for note in links if "/Dest" in note} <= known
        assert "/JavaScript" not in pdf.Root.Names


def test_no_rule_of_pdf_ua_is_broken(example: ReadPdf) -> None:
    assert broken_rules(example.path) == []


def test_the_validator_would_notice(tmp_path: Path, example: ReadPdf) -> None:
    with pikepdf.open(example.path) as pdf:
        del pdf.Root.Lang
        pdf.save(tmp_path / "worse.pdf")
    assert broken_rules(tmp_path / "worse.pdf")


@pytest.mark.parametrize(
    ("choices", "sides"),
    [
        ({"paper": "letter", "evidence": "none"}, [612, 792]),
        ({"paper": "a4", "evidence": "failed"}, [595.28, 841.89]),
        ({"paper": "a4", "evidence": "all"}, [595.28, 841.89]),
    ],
)
def test_every_choice_makes_an_accessible_document(
    choices: dict[str, Any], sides: list[float], tmp_path: Path
) -> None:
    report = report_of(wave_of(some_facts()))
    made = make(report, tmp_path / "report.pdf", transcripts_of(dict(RECORDS)), **choices)
    assert broken_rules(made.path) == []
    with pikepdf.open(made.path) as pdf:
        assert [float(side) for side in pdf.pages[0].mediabox][2:] == pytest.approx(sides, abs=0.1)


def test_a_document_without_its_recording_is_set_too(tmp_path: Path) -> None:
    made = make(report_of(published(build(some_facts()))), tmp_path / "report.pdf")
    assert broken_rules(made.path) == []
    assert "published findings document without its recording" in made.text
    assert "Sessions" not in [title for _, title, _ in made.bookmarks]


@pytest.mark.shared
@pytest.mark.parametrize("name", ["swarm-findings-wire.json", "swarm-findings-wire.96fb767.json"])
def test_a_models_words_are_said_to_be_a_models(name: str, tmp_path: Path) -> None:
    wave, transcripts = derived_from(shared("oracle", "findings", name))
    made = make(report_of(wave), tmp_path / "report.pdf", transcripts)
    assert broken_rules(made.path) == []
    assert made.report.causes.causes
    for cause in made.report.causes.causes:
        assert f"Cause {cause.number}, in a model\u2019s words {cause.phrase.text}" in made.text
        assert cause.reach.text in made.text
        assert not cause.fix or f"in a model\u2019s words {cause.fix.text}" in made.text
    fix = made.report.summary.fix
    assert (
        fix is None
        or f"Suggested fix, in a model\u2019s words {plain_words(fix.text)}" in made.pages[0]
    )


def test_a_wave_that_never_ran_says_so_first(tmp_path: Path) -> None:
    facts = [idle("s1", Lifecycle.LIMITED), idle("s2", Lifecycle.PENDING, run_id="r2")]
    made = make(report_of(wave_of(facts)), tmp_path / "report.pdf")
    assert broken_rules(made.path) == []
    assert "Not launched" in made.pages[0]
    assert "Suggested fix" not in made.text


def test_the_same_report_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = report_of(wave_of(some_facts()))
    first = make(report, tmp_path / "1.pdf", transcripts_of(dict(RECORDS)))
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    monkeypatch.setenv("LC_ALL", "C")
    second = make(report, tmp_path / "2.pdf", transcripts_of(dict(RECORDS)))
    assert first.path.read_bytes() == second.path.read_bytes()


@pytest.mark.parametrize("limits", [{"timeout_s": 0.2}, {"memory_mb": 60}])
def test_over_a_limit_nothing_is_left_and_nothing_is_lost(
    limits: dict[str, Any], tmp_path: Path
) -> None:
    target = tmp_path / "report.pdf"
    target.write_bytes(b"the one before")
    with pytest.raises(RenderError, match=r"The other files are complete|leaves the PDF out"):
        write_pdf(report_of(wave_of(some_facts())), target, **limits)
    assert [one.name for one in tmp_path.iterdir()] == ["report.pdf"]
    assert target.read_bytes() == b"the one before"


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(RenderError, match=r"report\.pdf cannot be written: No such file"):
        write_pdf(report_of(wave_of(some_facts())), tmp_path / "nowhere" / "report.pdf")


HOSTILE = (
    "</style></title><script>alert(1)</script>",
    "<img src=https://evil.example/x.png onerror=alert(1)>",
    "{{ 7 * 7 }} {% include '/etc/passwd' %} ${x} #{x}",
    "url(https://evil.example/x) @import 'https://evil.example/y'; } body { display: none",
    "![x](https://evil.example/z.png) [y](javascript:alert(1)) <iframe src=file:///etc/passwd>",
    "\u202egnp.exe \u2066hidden\u2069 \x00\x08\x1b[31mred \ud800",
    "W" * 5_000,
    "\u0301" * 400,
    "שלום עולם، مرحبا بالعالم नमस्ते สวัสดี \U0001f600",
    '" onmouseover="x" id="summary" \'',
)


def test_recorded_text_stays_text(tmp_path: Path) -> None:
    facts = [
        facts_of(
            f"s{number}",
            Disposition.BLOCKED_BY_RESPONSE,
            run_id=f"r{number}",
            goal_id=f"g{number}",
            goal_title=text,
            persona_name=text,
            chain=chain(Stage.RESPONSE, [Stage.CONNECTION]),
            first_words=text,
            **signals(Signal.TOOL_ERRORED),
            **failed_checks(text),
            **reported(text, text),
        )
        for number, text in enumerate(HOSTILE)
    ]
    records = {
        f"s{number}": (
            user(text),
            call("c1", text, args={text: text}),
            result("c1", text, isError=True),
            assistant(text),
        )
        for number, text in enumerate(HOSTILE)
    }
    report = report_of(wave_of(facts))
    html = print_page(report, transcripts=transcripts_of(dict(records)))
    page = parsed(html)
    assert {one.tag for one in page.elements}.isdisjoint({"script", "img", "iframe", "link"})
    assert not [name for one in page.elements for name in one.attributes if name.startswith("on")]
    assert len(page.named("style")) == 1
    assert repeated(page.ids()) == []
    assert "{{ 7 * 7 }}" in page.text
    made = make(report, tmp_path / "report.pdf", transcripts_of(dict(records)))
    assert len(made.pages) < 60
    assert broken_rules(made.path) == []
    assert "<script>alert(1)</script>" in made.text


def test_every_id_is_unique_and_every_link_lands() -> None:
    for evidence in ("cited", "failed", "all", "none"):
        page = parsed(small(evidence=evidence))
        assert repeated(page.ids()) == []
        page.elements = [one for one in page.elements if one.tag != "a" or "href" in one.attributes]
        assert page.links()
        assert dead_links(page) == []


def test_headings_never_skip_a_level() -> None:
    levels = [
        int(one.tag[1]) for one in parsed(small()).elements if re.fullmatch(r"h[1-6]", one.tag)
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))


def test_the_sheet_avoids_what_is_slow_or_hangs() -> None:
    style = parsed(small()).named("style")[0].text
    assert not re.search(r"\b(?:flex|float|grid|column-count|columns)\b", style)
    assert "border-collapse: collapse" not in style
    assert "table-layout: fixed" in style
    assert re.findall(r"url\((?!\"data:)", style) == []


def test_turns_carry_the_ids_they_have_on_the_page() -> None:
    page = parsed(small(evidence="failed"))
    assert {message_anchor("s1", 0), call_anchor("s1", "c1")} <= set(page.ids())
    assert message_anchor("s2", 0) not in page.ids()


@pytest.mark.parametrize(
    ("evidence", "here", "not_here"),
    [
        ("cited", ["Cited turns", "Pay my fine."], ["see [the desk]"]),
        ("failed", ["Sessions that failed", "Pay my fine."], ["see [the desk]"]),
        (
            "all",
            ["Sessions, whole", "Pay my fine.", "**Done**, see [the desk]"],
            [],
        ),
        ("none", ["No turns are appended"], ["Pay my fine.", "see [the desk]"]),
    ],
)
def test_the_evidence_is_what_was_asked_for(
    evidence: str, here: list[str], not_here: list[str]
) -> None:
    text = parsed(small(evidence=evidence)).text
    assert [words for words in here if words not in text] == []
    assert [words for words in not_here if words in text] == []


def test_a_template_that_reaches_for_more_is_named_with_its_line(tmp_path: Path) -> None:
    part = tmp_path / "print" / "parts" / "causes.html"
    part.parent.mkdir(parents=True)
    part.write_text("<section>\n{{ report.causes.no_such_thing }}</section>", encoding="utf-8")
    with pytest.raises(RenderError, match=r"print/parts/causes\.html, line 2: .*no_such_thing"):
        print_page(report_of(wave_of(some_facts())), overrides=[tmp_path])


def test_the_child_gives_the_bytes_back(tmp_path: Path) -> None:
    made = write_pdf(report_of(wave_of(some_facts())), tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").read_bytes() == made.content
    with pikepdf.open(io.BytesIO(made.content)) as pdf:
        assert len(pdf.pages) == made.pages
