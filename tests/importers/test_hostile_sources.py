"""Every importer's sample with hostile text in whatever is words: none of it acts on a page."""

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hostile import TEXTS
from report_waves import derived_from, page_of, parsed

SAMPLES = Path(__file__).parent / "samples"
ALL = sorted(one.name for one in SAMPLES.iterdir() if one.suffix not in {".toml", ".eval", ".md"})
HOSTILE = " ".join(text for name, text in TEXTS.items() if name not in {"long", "surrogate"})
NAMES = {"name", "tool_name", "toolName", "title", "model", "label", "task", "description"}
ACTING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


def hostile(value: Any, key: str = "") -> Any:
    """A value in which everything that reads like words, or names something, goes on hostile."""
    if isinstance(value, str):
        if value[:1] in {"{", "["} and value[-1:] in {"}", "]"}:
            # JSON inside of a text keeps its form.
            with suppress(ValueError):
                return json.dumps(hostile(json.loads(value)))
        return f"{value} {HOSTILE}" if " " in value or key in NAMES else value
    if isinstance(value, dict):
        # The name of a span says what it is, and no importer knows any other.
        known = {"name"} if "spanId" in value or "operationName" in value else set[str]()
        return {
            name: item if name in known else hostile(item, name) for name, item in value.items()
        }
    if isinstance(value, list):
        return [hostile(item, key) for item in value]
    return value


def rewritten(source: Path, target: Path) -> int:
    """Write a sample anew and return how many texts in it are hostile."""
    if source.is_dir():
        target.mkdir()
        return sum(rewritten(one, target / one.name) for one in sorted(source.iterdir()))
    text = source.read_text(encoding="utf-8")
    try:
        made = json.dumps(hostile(json.loads(text)), indent=2)
    except ValueError:
        made = "".join(
            json.dumps(hostile(json.loads(line))) + "\n" for line in text.splitlines() if line
        )
    target.write_text(made, encoding="ascii")
    return made.count("pwned=1")


@pytest.mark.parametrize("name", ALL)
def test_nothing_of_a_hostile_source_acts(name: str, tmp_path: Path) -> None:
    source = tmp_path / name
    assert rewritten(SAMPLES / name, source) > 0
    html = page_of(*derived_from(source))
    page = parsed(html)
    assert "pwned=1" in page.text
    assert [
        one.tag for one in page.elements if one.tag in {"img", "iframe", "object", "form"}
    ] == []
    named = {attribute for one in page.elements for attribute in one.attributes}
    assert [one for one in named if one.startswith("on") or one in {"style", "src", "srcset"}] == []
    assert len(page.named("script")) == html.count("<script")
    assert all(link.startswith("#") for link in page.links())
    assert ACTING.search(html) is None
