"""Pages in a real Chromium: what a reader meets, what it asks for, what it complains about."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from finding_waves import plan_for
from long_wave import dense_facts, dense_records
from model_waves import MODEL_TALK, asked, every_fate, long_ledger
from playwright.sync_api import Browser, Page, sync_playwright
from report_waves import derived_from, page_of, published, report_of, transcripts_of, wave_of
from small_wave import SESSIONS, WAVE
from waves import session_lines, write_folder

from reporter.render.html import render_html

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.skip("there is no Chromium here")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield opened
        opened.close()


@dataclass
class Visit:
    """One look at a page."""

    page: Page
    url: str
    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


Open = Callable[..., Visit]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Open]:
    contexts: list[Any] = []

    def look(path: Path, fragment: str = "", **options: Any) -> Visit:
        width = options.pop("width", 1280)
        context = browser.new_context(viewport={"width": width, "height": 800}, **options)
        contexts.append(context)
        page = context.new_page()
        url = path.as_uri()
        seen = Visit(page, url)
        page.on(
            "request",
            lambda request: (
                seen.requests.append(request.url)
                if request.url.split("#")[0] != url and not request.url.startswith("data:")
                else None
            ),
        )
        page.on("console", lambda message: seen.messages.append(message.text))
        page.on("pageerror", lambda error: seen.messages.append(str(error)))
        page.goto(f"{url}#{fragment}" if fragment else url, wait_until="load")
        return seen

    yield look
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pages that the tests look at, by name."""
    folder = tmp_path_factory.mktemp("pages")
    sessions = {name: session_lines(records) for name, records in SESSIONS.items()}
    wave, transcripts = derived_from(write_folder(folder / "wave", WAVE, sessions))
    facts = dense_facts()
    made = {
        "small": "".join(render_html(report_of(wave), transcripts)),
        "dense": page_of(wave_of(facts, plan_for(facts)), transcripts_of(dense_records())),
        "published": page_of(published(wave.findings)),
        "empty": page_of(wave_of([])),
        "model": "".join(
            render_html(
                report_of(asked(every_fate(), published=True), transcripts=MODEL_TALK), MODEL_TALK
            )
        ),
        "ledger": page_of(asked(long_ledger())),
    }
    paths = {name: folder / f"{name}.html" for name in made}
    for name, html in made.items():
        paths[name].write_text(html, encoding="utf-8")
    return paths
