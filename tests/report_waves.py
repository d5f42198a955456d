"""Derived waves and their pages: from facts that a case names, or from a recording on disk."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from builders import Json, records
from finding_waves import build, plan_for

from reporter.findings.projection import project
from reporter.models.facts import SessionFacts
from reporter.models.finding import FindingSet
from reporter.models.plan import Plan
from reporter.models.session import SessionRecording
from reporter.models.wave import DerivedWave, Provenance, Transcripts
from reporter.pipeline.derive import derive_wave
from reporter.pipeline.options import Options
from reporter.pipeline.pages import HtmlWork, make_html
from reporter.pipeline.source import open_source
from reporter.pipeline.swap import together
from reporter.render.html import render_html
from reporter.view.report import ReportView, build_report

NOW = datetime(2026, 3, 12, 10, 30, tzinfo=UTC)
PROVENANCE = Provenance(
    input_name="wave", input_kind="swarm-recording", files=(), reporter_version="0.0.0"
)


def wave_of(
    facts: Sequence[SessionFacts],
    plan: Plan | None = None,
    findings: FindingSet | None = None,
    **more: Any,
) -> DerivedWave:
    """A derived wave over these sessions."""
    whole = plan or plan_for(facts)
    found = findings or build(facts, whole)
    document, left_out = project(found)
    fields: dict[str, Any] = {
        "plan": whole,
        "facts": tuple(facts),
        "findings": found,
        "document": document,
        "left_out": left_out,
        "provenance": PROVENANCE,
        **more,
    }
    return DerivedWave(**fields)


def published(findings: FindingSet, **more: Any) -> DerivedWave:
    """A findings document that came without a recording."""
    document, left_out = project(findings)
    return DerivedWave(
        plan=None,
        facts=(),
        findings=findings,
        document=document,
        left_out=left_out,
        provenance=replace(PROVENANCE, input_kind="findings document"),
        **more,
    )


def report_of(wave: DerivedWave, **more: Any) -> ReportView:
    return build_report(wave, generated_at=NOW, **more)


def transcripts_of(sessions: dict[str, Sequence[Json]]) -> Transcripts:
    """Transcripts made of raw records, by session id."""

    def read(session_id: str) -> SessionRecording | None:
        raw = sessions.get(session_id)
        return None if raw is None else SessionRecording(session_id, records(*raw))  # type: ignore[arg-type]  # ids of tests

    return read


def nothing(session_id: str) -> SessionRecording | None:
    """No transcript at all."""
    del session_id
    return None


def page_of(wave: DerivedWave, transcripts: Transcripts = nothing, **more: Any) -> str:
    return "".join(render_html(report_of(wave, **more), transcripts))


def write_site(wave: DerivedWave, transcripts: Transcripts, folder: Path) -> Path:
    """A page for each session, in a folder that is made for them; gives the report's own page."""
    folder.mkdir()
    work = HtmlWork(report_of(wave, layout="site"), transcripts, jobs=1)
    with together(folder) as swaps, swaps.swap("index.html") as swap:
        return make_html(work, folder, swap)


def derived_from(path: Path, options: Options | None = None) -> tuple[DerivedWave, Transcripts]:
    """A recording on disk, derived as the command does it, without the program's version."""
    source = open_source(path, options or Options())
    wave = derive_wave(source, generated_at=NOW)
    return replace(
        wave, provenance=replace(wave.provenance, reporter_version="0.0.0")
    ), source.transcript


@dataclass
class Element:
    """An element of a page with its attributes, and the text directly inside or below it."""

    tag: str
    attributes: dict[str, str | None]
    text: str = ""


@dataclass
class Page(HTMLParser):
    """A page as a reader's program sees it: elements, ids and links."""

    elements: list[Element] = field(default_factory=list)
    open: list[Element] = field(default_factory=list)

    VOID = frozenset({"meta", "br", "input", "hr", "col", "link", "img"})

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self.elements.append(element)
        if tag not in self.VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self.open:
            if self.open.pop().tag == tag:
                break

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data

    def ids(self) -> list[str]:
        return [value for one in self.elements if (value := one.attributes.get("id"))]

    def links(self) -> list[str]:
        return [one.attributes.get("href") or "" for one in self.elements if one.tag == "a"]

    def named(self, tag: str) -> list[Element]:
        return [one for one in self.elements if one.tag == tag]

    def by_id(self, name: str) -> Element:
        return next(one for one in self.elements if one.attributes.get("id") == name)

    @property
    def text(self) -> str:
        body = next(one for one in self.elements if one.tag == "body")
        return re.sub(r"\s+", " ", body.text)


def parsed(html: str) -> Page:
    page = Page()
    page.feed(html)
    page.close()
    return page


def dead_links(page: Page) -> list[str]:
    known = set(page.ids())
    return [link for link in page.links() if not link.startswith("#") or link[1:] not in known]


def repeated(values: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    return [value for value in values if value in seen or seen.add(value)]  # type: ignore[func-returns-value]  # add gives None
