"""docs/templates.md says what the code says."""

import re

import pytest
from shared import ROOT
from templates_page import FILE, templates_page

from reporter.render.look import template_names


def test_the_list_of_templates_and_views_is_current(request: pytest.FixtureRequest) -> None:
    made = templates_page()
    if request.config.getoption("--update-golden"):
        FILE.write_text(made, encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == made, (
        f"{FILE.relative_to(ROOT)} is not what the code says; "
        "python -m pytest tests/golden --update-golden writes it"
    )


def test_every_template_says_what_it_is() -> None:
    rows = dict(re.findall(r"^\| `([^`]+)` \| (.*) \|$", templates_page(), re.MULTILINE))
    assert [name for name in template_names() if not rows[name]] == []


def test_every_field_of_a_finding_is_listed_and_none_that_its_scope_may_not_say() -> None:
    page = templates_page()
    wave = page[page.index("### WaveScope\n") :].split("\n### ")[0]
    fields = re.findall(r"^\| `(\w+)` \|", wave, re.MULTILINE)
    assert {"anchor", "population", "phrase"} <= set(fields)
    assert not {"goal", "persona", "target", "model"} & set(fields)
