"""Recorded text is untrusted: wherever it stands, it can never act."""

import json
import re
from typing import Any

import pytest
from builders import (
    Json,
    assistant,
    call,
    persona,
    result,
    run,
    sequenced,
    slot,
    target,
    user,
)
from builders import goal as goal_of
from builders import manifest as manifest_of
from report_waves import Page, derived_from, page_of, parsed
from waves import write_folder

from reporter.view.anchor import anchor

TEXTS = {
    "script": "<script>alert(1)</script>",
    "closing": "</script></style></title></textarea>--><script>alert(1)</script>",
    "handler": '"><img src=x onerror=alert(1)>',
    "attribute": "' onmouseover='alert(1)' x='",
    "link": "[click](javascript:alert(1)) <javascript:alert(1)>",
    "image": "![x](https://evil.example/pixel.png)",
    "template": "{{ 7 * 7 }} {% include 'page.html' %} ${7*7}",
    "cdata": "<![CDATA[ <b>x</b> ]]>",
    "entity": "&lt;script&gt;alert(1)&lt;/script&gt; &#x3C;img&#x3E;",
    "bidi": "safe\u202egpj.exe\u2066\u2069",
    "zero-width": "zero\u200bwidth\u200d",
    "controls": "\x1b[31mred\x1b[0m \x00 \x08 \x7f \x85",
    "surrogate": "half \ud800 character",
    "long": "w" * 100_000,
    "markdown": "# a\n\n<div onclick=x>b</div>\n\n| a | b |\n|-|-|\n| <b> | `</code><script>` |\n",
    "html-block": "<details open ontoggle=alert(1)>\n<svg/onload=alert(1)>",
    "reference": "[x]: javascript:alert(1)\n\n[x] ![x]",
    "autolink": "https://user:secret-password@evil.example/?q=<script>",
}


def wave_of_text(text: str) -> tuple[Json, dict[str, bytes]]:
    """A wave that carries a text in every place where somebody could have written one."""
    talk: list[Json] = [
        {"type": "session_notice", "kind": text, "message": text},
        {
            "type": "connection",
            "phase": "connect",
            "outcome": "failed",
            "serverName": text,
            "error": {"code": text, "message": text},
            "attributable": "client",
        },
        {"type": "catalog", "tools": [{"name": text, "description": text}], "complete": True},
        user(text),
        assistant(text),
        assistant(content=[{"kind": "text", "text": text}, {"kind": "other", "note": text}]),
        call("call " + text[:60], text, args={text[:80]: text, "list": [text]}),
        result("call " + text[:60], {"content": [{"type": "text", "text": text}]}, isError=True),
        call("c2", "second", args={"x": text}),
        result("c2", text, error=text),
        call("c3", text),
        {"type": "step_finish", "turnIndex": 0, "stepNumber": 0, "finishReason": text[:40]},
        {"type": "error", "message": text, "code": text[:40]},
        {"type": "widget_render", "toolName": text, "status": text},
        {"type": "self_report", "account": text},
        {"type": "goal_judge", "status": "completed", "passed": False, "reason": text},
        {
            "type": "criteria",
            "status": "completed",
            "results": [{"criterionId": "k " + text[:40], "passed": False, "reason": text}],
        },
    ]
    whole = manifest_of(
        swarmName=text,
        personas=[persona(text, role=text, notes=text)],
        goals=[goal_of("g " + text[:60], text, goal=text + " and more")],
        targets=[target("t " + text[:60], text, modelId=text)],
        runs=[
            run(
                "r " + text[:60],
                "g " + text[:60],
                text,
                ["t " + text[:60]],
                sessionsPerTarget=2,
                rubric=[{"id": "k " + text[:40], "label": text, "role": "required"}],
                judge={"automatic": True, "role": "advisory"},
            )
        ],
        slots=[
            slot("s1", "r " + text[:60], "t " + text[:60]),
            slot(
                "s2",
                "r " + text[:60],
                "t " + text[:60],
                1,
                recorded=False,
                attempt={"status": "failed", "errorCode": text[:60], "errorMessage": text},
            ),
        ],
    )
    # Written in ASCII, so that half a character gets as far as a recorder's JSON lets it.
    lines = (json.dumps(record).encode() + b"\n" for record in sequenced(*talk))
    return whole, {"s1": b"".join(lines)}


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Page:
    """The same wave with harmless words: what the page's own markup is."""
    whole, sessions = wave_of_text("plain words")
    return page_from(tmp_path_factory.mktemp("plain") / "wave", whole, sessions)


def page_from(folder: Any, whole: Json, sessions: dict[str, bytes]) -> Page:
    wave, transcripts = derived_from(write_folder(folder, whole, sessions))
    html = page_of(wave, transcripts)
    assert html.encode("utf-8")
    return parsed(html)


OWN_TAGS = {"p", "br", "span", "ul", "ol", "li", "strong", "em", "s", "code", "pre", "hr"} | {
    "table",
    "thead",
    "tbody",
    "tr",
    "td",
    "blockquote",
    "details",
    "summary",
}
"""What a message's Markdown, or a note on what was left out, may add to a page."""


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_becomes_markup(name: str, plain: Page, tmp_path: Any) -> None:
    page = page_from(tmp_path / "wave", *wave_of_text(TEXTS[name]))
    known = {one.tag for one in plain.elements}
    # A page that such text makes long holds some of itself back.
    assert {one.tag for one in page.elements} - known <= OWN_TAGS | {"noscript", "article"}
    names = {attribute for one in plain.elements for attribute in one.attributes}
    late = {"data-late", "data-run", "data-runs", "hidden"}
    assert {attribute for one in page.elements for attribute in one.attributes} <= {
        *names,
        *late,
        "start",
        "role",
    }
    assert len(page.named("script")) == len(plain.named("script"))
    assert len(page.named("svg")) <= 1.2 * len(plain.named("svg"))
    assert [one for one in page.links() if not one.startswith("#")] == []


@pytest.mark.parametrize("name", ["bidi", "controls", "surrogate"])
def test_characters_that_act_are_shown_instead(name: str, tmp_path: Any) -> None:
    wave, transcripts = derived_from(write_folder(tmp_path / "wave", *wave_of_text(TEXTS[name])))
    html = page_of(wave, transcripts)
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", html
    )


def test_a_template_in_a_text_is_not_run(tmp_path: Any) -> None:
    page = page_from(tmp_path / "wave", *wave_of_text(TEXTS["template"]))
    assert "{{ 7 * 7 }}" in page.text
    assert "49" not in page.by_id("summary").text


@pytest.mark.parametrize(
    "secret",
    [
        "ghp_" + "a1" * 20,
        "AKIA" + "A1B2C3D4E5F6G7H8",
        "sk-" + "a1b2" * 8,
        "Bearer " + "abcdefgh12345678",
    ],
)
def test_no_secret_reaches_a_page(secret: str, tmp_path: Any) -> None:
    wave, transcripts = derived_from(
        write_folder(tmp_path / "wave", *wave_of_text(f"x {secret} y"))
    )
    html = page_of(wave, transcripts)
    assert secret.removeprefix("Bearer ") not in html
    assert "[redacted]" in html


def test_a_long_word_does_not_make_a_long_page(tmp_path: Any) -> None:
    wave, transcripts = derived_from(write_folder(tmp_path / "wave", *wave_of_text(TEXTS["long"])))
    html = page_of(wave, transcripts)
    embedded = parsed(html).by_id("findings").text
    assert len(html) - len(embedded) < 300_000
    assert "characters left out" in html


def strings_of(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in strings_of(one)]
    if isinstance(value, list | tuple):
        return [text for one in value for text in strings_of(one)]
    return []


def test_the_hostile_wave_fills_every_record_type_that_a_transcript_shows() -> None:
    whole, sessions = wave_of_text("MARK")
    lines = sessions["s1"].decode().splitlines()
    assert len(lines) >= 17
    assert all("MARK" in line or '"second"' in line for line in lines)
    assert sum("MARK" in text for text in strings_of(whole)) > 20


def test_ids_of_hostile_parts_are_plain() -> None:
    for text in TEXTS.values():
        assert re.fullmatch(r"[A-Za-z0-9._~-]+", anchor("session", text, "m1"))
