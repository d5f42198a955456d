"""Recorded text is shown, never run; no secret in it reaches a page, whatever field holds it."""

import json
from pathlib import Path

import pytest
from hostile import TEXTS, hostile_document, hostile_wave
from report_waves import derived_from, page_of, parsed, report_of

from reporter.findings.projection import dump_document
from reporter.render.pdf import print_page
from reporter.view.anchor import anchor

SECRETS = [
    "ghp_" + "a1" * 20,
    "AKIA" + "A1B2C3D4E5F6G7H8",
    "sk-" + "a1b2" * 8,
    "Bearer " + "abcdefgh12345678",
]


def test_a_template_in_a_text_is_not_run(tmp_path: Path) -> None:
    wave = derived_from(hostile_wave(TEXTS["template"]).write(tmp_path / "wave"))
    page = parsed(page_of(*wave))
    assert "{{ 7 * 7 }}" in page.text
    assert "49" not in page.by_id("summary").text


@pytest.mark.parametrize("secret", SECRETS)
def test_no_secret_of_any_field_reaches_a_page(secret: str, tmp_path: Path) -> None:
    wave, transcripts = derived_from(hostile_wave(f"x {secret} y").write(tmp_path / "wave"))
    hidden = secret.removeprefix("Bearer ")
    html = page_of(wave, transcripts)
    assert hidden not in html
    assert "[redacted]" in html
    paper = print_page(report_of(wave), evidence="all", transcripts=transcripts)
    assert hidden not in paper


_TOKEN = "ghp_" + "a1B2" * 9
SPELLED = {
    "marked": f"ghp_**{_TOKEN[4:]}**",
    "broken": f"{_TOKEN[:20]}\n{_TOKEN[20:]}",
    "unseen": f"{_TOKEN[:20]}\u200b{_TOKEN[20:]}",
    "coloured": f"ghp_\x1b[0m{_TOKEN[4:]}",
    "escaped": rf"\u0067hp_{_TOKEN[4:]}",
    "entity": f"&#103;hp_{_TOKEN[4:]}",
    "said": "send X-Api-Key: a1B2a1B2a1B2a1B2 with it",
    "paired": '{"name": "DB_PASSWORD", "value": "a1B2a1B2a1B2a1B2"}',
    "listed": "- name: A_TOKEN\n  value: a1B2a1B2a1B2a1B2\n",
}


@pytest.mark.parametrize("name", SPELLED)
def test_no_secret_is_shown_however_it_is_spelled(name: str, tmp_path: Path) -> None:
    text = f"x {SPELLED[name]} y"
    wave, transcripts = derived_from(hostile_wave(text).write(tmp_path / "wave"))
    pages = [
        page_of(wave, transcripts),
        print_page(report_of(wave), evidence="all", transcripts=transcripts),
        page_of(*derived_from(hostile_document(text, tmp_path / "findings.json"))),
    ]
    for page in pages:
        assert "a1B2" * 3 not in page
        assert "[redacted]" in page


def test_findings_hold_no_secret_but_in_ids_that_join_them(tmp_path: Path) -> None:
    wave, _ = derived_from(hostile_wave(f"x {SECRETS[0]} y").write(tmp_path / "wave"))
    made = json.loads(dump_document(wave.document))
    assert made["findings"][0]["id"] == wave.document["findings"][0]["id"]
    for row in made["findings"]:
        for key in ("title", "name", "label", "modelId"):
            for part in ("goal", "persona", "target"):
                assert SECRETS[0] not in str((row[part] or {}).get(key))
    assert "[redacted]" in made["findings"][0]["persona"]["name"]


@pytest.mark.parametrize("between", [" ", ", "])
@pytest.mark.parametrize("times", [3, 70])
def test_no_bound_cuts_a_secret_into_a_half_that_is_shown(
    times: int, between: str, tmp_path: Path
) -> None:
    text = between.join([SECRETS[0]] * times)
    wave, transcripts = derived_from(hostile_wave(text).write(tmp_path / "wave"))
    assert "ghp_" not in page_of(wave, transcripts)
    assert "ghp_" not in print_page(report_of(wave), evidence="all", transcripts=transcripts)


def test_ids_of_hostile_parts_are_plain() -> None:
    for text in TEXTS.values():
        made = anchor("session", text, "m1")
        assert made.isascii()
        assert not set(made) & set(" \"'<>&#%/\\?=`")


def test_ids_of_different_parts_differ() -> None:
    parts = [*TEXTS.values(), "a.b", "a", "b", "a~2e~b", ""]
    made = [anchor("session", one, other) for one in parts for other in parts]
    assert len(set(made)) == len(made)
