"""What a search found can be seen where it stands."""

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

MARKED = "() => [...(CSS.highlights.get('found') || [])].map(String)"
DONE = "() => CSS.highlights.has('found')"
HELD = "details.tx details.fold[open]"


def test_words_that_were_searched_for_are_marked(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["small"], "sessions?q=FRUSTRATED").page
    page.wait_for_function(DONE)
    marked = page.evaluate(MARKED)
    assert set(marked) == {"Frustrated"}
    page.locator("#sessions .filt").get_by_role("button", name="Clear").click()
    page.wait_for_function("() => !CSS.highlights.has('found')")


def test_a_long_list_marks_what_it_draws(visit: Any, pages: dict[str, Path]) -> None:
    page = visit(pages["dense"], "sessions?q=stalled").page
    page.wait_for_function(DONE)
    drawn = page.locator("#list tr[data-k]:not([hidden])").count()
    assert 0 < drawn <= len(page.evaluate(MARKED)) <= 1000


def test_a_call_that_holds_the_words_out_of_sight_opens_with_its_transcript(
    visit: Any, pages: dict[str, Path]
) -> None:
    page = visit(pages["small"]).page
    page.evaluate("document.querySelector('#opened details.tx').open = true")
    inside = page.evaluate(
        "() => { for (const one of document.querySelectorAll('details.tx details.fold')) {"
        "const words = one.querySelector('pre').textContent.match(/[a-z_]{5,}/g) || [];"
        "const head = one.querySelector('summary').textContent.toLowerCase();"
        "const hidden = words.find(word => !head.includes(word));"
        "if (hidden) return [one.closest('details.tx').id, hidden]; } }"
    )
    session, word = inside
    page.evaluate("document.querySelector('#opened details.tx').open = false")
    page.evaluate("word => { location.hash = 'sessions?q=' + word }", word)
    page.wait_for_function(DONE)
    assert page.locator(HELD).count() == 0
    page.locator(f"[id='{session}'] > summary").click()
    page.locator(f"[id='{session}'] details.fold[open]").first.wait_for()
    # Whoever closes it has it closed.
    page.locator(f"[id='{session}'] details.fold[open] > summary").first.click()
    before = page.locator(HELD).count()
    page.wait_for_timeout(500)
    assert page.locator(HELD).count() == before
