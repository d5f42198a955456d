"""A finding never speaks past its scope: the view has no field to say it with."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from finding_waves import build, facts_of, idle, plan_for, reported, signals
from report_waves import NOW, nothing, wave_of

from reporter.errors import RenderError
from reporter.models.finding import Finding, FindingRow
from reporter.render.environment import environment, naming_template
from reporter.render.html import render_html
from reporter.view.report import build_report
from reporter.view.scopes import (
    GoalScope,
    PersonaScope,
    SessionScope,
    TargetScope,
    WaveScope,
    scope_view,
)
from reporter.vocabulary import Disposition, Lifecycle, ScopeLevel, Signal

FACTS = [
    facts_of("s1", Disposition.GOAL_MISSED, **signals(Signal.NO_TOOL_CALLED), **reported()),
    facts_of("s2", Disposition.GOAL_MISSED, run_id="r2", goal_id="g2", target_id="t2"),
    idle("s3", Lifecycle.LIMITED, run_id="r2", goal_id="g2", target_id="t2", session_index=1),
]
TYPES = {
    ScopeLevel.SESSION: SessionScope,
    ScopeLevel.GOAL: GoalScope,
    ScopeLevel.PERSONA: PersonaScope,
    ScopeLevel.TARGET: TargetScope,
    ScopeLevel.WAVE: WaveScope,
}
NAMES = {
    ScopeLevel.SESSION: {"persona", "goal", "target"},
    ScopeLevel.GOAL: {"persona", "goal", "target"},
    ScopeLevel.PERSONA: {"persona"},
    ScopeLevel.TARGET: {"target"},
    ScopeLevel.WAVE: set[str](),
}


def rows() -> dict[ScopeLevel, FindingRow]:
    found = build(FACTS, plan_for(FACTS))
    return {row.finding.scope_level: row for row in found.rows}


def test_the_wave_has_a_row_of_every_scope() -> None:
    assert set(rows()) == set(ScopeLevel)


@pytest.mark.parametrize("level", ScopeLevel)
def test_each_scope_has_its_own_type(level: ScopeLevel) -> None:
    assert type(scope_view(rows()[level])) is TYPES[level]


@pytest.mark.parametrize("level", ScopeLevel)
def test_a_view_has_only_the_names_its_scope_may_say(level: ScopeLevel) -> None:
    known = {one.name for one in fields(TYPES[level])}
    assert known & {"persona", "goal", "target"} == NAMES[level]


OWN = {level: {one.name for one in fields(kind)} for level, kind in TYPES.items()}
EVERYTHING = {
    *(name for own in OWN.values() for name in own),
    # What a row of the document has, in both spellings, whatever its scope.
    *(name for name in Finding.model_fields),
    *(str(info.alias) for info in Finding.model_fields.values() if info.alias),
    # What names a place beyond any scope.
    "goals",
    "personas",
    "targets",
    "goal_id",
    "run_id",
    "target_id",
    "persona_ref_id",
    "row",
    "finding",
    "facts",
    "report",
    "outline",
}
FORBIDDEN = [
    (level, name) for level in ScopeLevel for name in sorted(EVERYTHING - OWN[level] - {"template"})
]


def put(folder: Path, name: str, content: str, encoding: str = "utf-8") -> None:
    """Write a file below a folder of overrides."""
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(content, encoding=encoding)


def said_by(folder: Path, level: ScopeLevel, text: str) -> str:
    """What an override of a scope's template makes of a finding of that scope."""
    put(folder, f"parts/findings/{level.value}.html", text)
    setting: Any = environment([folder]).globals["set_finding"]
    with naming_template():
        return str(setting(scope_view(rows()[level]), None))


def test_the_fields_that_are_tried_hold_every_name_of_every_scope() -> None:
    assert len(FORBIDDEN) > 150
    assert {"goal", "target", "session_id", "signal", "mechanism"} <= EVERYTHING - OWN[
        ScopeLevel.WAVE
    ]


@pytest.mark.parametrize(("level", "asked"), FORBIDDEN)
def test_an_override_that_asks_for_more_fails_with_its_name_and_line(
    level: ScopeLevel, asked: str, tmp_path: Path
) -> None:
    name = f"parts/findings/{level.value}.html"
    with pytest.raises(RenderError, match=rf"^{name}, line 2: .*{asked}"):
        said_by(tmp_path, level, f"fine\n{{{{ finding.{asked} }}}}\n")


@pytest.mark.parametrize("level", ScopeLevel)
@pytest.mark.parametrize("asked", ["report", "run", "evidence", "session", "recorded", "sessions"])
def test_a_finding_is_set_alone_and_sees_nothing_of_the_report(
    level: ScopeLevel, asked: str, tmp_path: Path
) -> None:
    with pytest.raises(RenderError, match=rf"line 1: '{asked}' is undefined"):
        said_by(tmp_path, level, f"{{{{ {asked} }}}}")


@pytest.mark.parametrize("level", ScopeLevel)
def test_an_override_may_say_what_its_scope_has(level: ScopeLevel, tmp_path: Path) -> None:
    said = said_by(tmp_path, level, "{{ finding.mark.word }}, {{ finding.population.text }}")
    assert re.fullmatch(r"[A-Z].*, \d+ of \d+ .*sessions?", said)


@pytest.mark.parametrize("level", ScopeLevel)
def test_the_whole_report_fails_where_one_finding_says_too_much(
    level: ScopeLevel, tmp_path: Path
) -> None:
    name = f"parts/findings/{level.value}.html"
    put(tmp_path, name, "fine\n{{ finding.goals }}\n")
    report = build_report(wave_of(FACTS), generated_at=NOW)
    with pytest.raises(RenderError, match=rf"^{name}, line 2: .*goals"):
        list(render_html(report, nothing, [tmp_path]))


def test_an_override_replaces_a_template_by_name(tmp_path: Path) -> None:
    put(tmp_path, "parts/head.html", "<header><h1>Mine: {{ report.head.name }}</h1></header>")
    html = "".join(render_html(build_report(wave_of(FACTS), generated_at=NOW), nothing, [tmp_path]))
    assert "<h1>Mine: wave</h1>" in html
    assert 'id="matrix"' in html


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{% if %}", r"^parts/head.html, line 1: "),
        ("\n{% include 'no.html' %}", r"^parts/head.html, line 2: there is no .* 'no.html'"),
        ("\n{% import 'no.html' as no %}", r"^parts/head.html, line 2: there is no .* 'no.html'"),
        ("\n{% extends 'no.html' %}", r"^parts/head.html, line 2: there is no .* 'no.html'"),
        ("{% from 'parts/macros.html' import no %}{{ no() }}", r"^parts/head.html, line 1: .*'no'"),
        ("\n\n{{ report.head.nam }}", r"line 3: .* has no 'nam'. The nearest names are .*name"),
        ("{{ asset('missing.css') }}", r"^parts/head.html, line 1: there is no .* 'missing.css'"),
        ("{{ asset('../outside.css') }}", r"^parts/head.html, line 1: there is no .*outside.css'"),
        ("a\n{% include 'parts/head.html' %}", r"^parts/head.html, line 2: .* without end"),
        (
            "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
            r"^parts/head.html, line 1: .* without",
        ),
        ("{{ 'x' * 10 ** 15 }}", r"^parts/head.html, line 1: .* memory"),
        ("{{ report.title + 1 }}", r"^parts/head.html, line 1: can only concatenate"),
    ],
)
def test_a_broken_override_names_the_template_and_the_line(
    content: str, message: str, tmp_path: Path
) -> None:
    put(tmp_path, "parts/head.html", content)
    with pytest.raises(RenderError, match=message):
        list(render_html(build_report(wave_of(FACTS), generated_at=NOW), nothing, [tmp_path]))


def test_the_mark_of_an_editor_before_a_template_is_not_printed(tmp_path: Path) -> None:
    put(tmp_path, "parts/head.html", "<header><h1>Mine</h1></header>", encoding="utf-8-sig")
    html = "".join(render_html(build_report(wave_of(FACTS), generated_at=NOW), nothing, [tmp_path]))
    assert "<h1>Mine</h1>" in html
    assert "\ufeff" not in html


@pytest.mark.parametrize("ending", ["</style>", "</SCRIPT >", "<!-- x"])
def test_an_asset_cannot_end_its_own_element(ending: str, tmp_path: Path) -> None:
    put(tmp_path, "styles/page.css", f"/* {ending} */")
    with pytest.raises(RenderError, match=r"^styles/page.css: an embedded asset must not hold"):
        list(render_html(build_report(wave_of(FACTS), generated_at=NOW), nothing, [tmp_path]))


def test_a_persona_fact_says_its_population_and_its_phrase() -> None:
    view: Any = scope_view(rows()[ScopeLevel.PERSONA])
    assert view.population.text == "2 of 2 started sessions"
    assert view.phrase == "did not meet the goal"


def test_a_launch_fact_counts_configured_sessions() -> None:
    view: Any = scope_view(rows()[ScopeLevel.WAVE])
    assert view.population.text == "1 of 3 configured sessions"
    assert view.mark.tone == "muted"
