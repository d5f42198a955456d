import ast
from collections.abc import Iterator

import pytest
from jinja2 import Environment, nodes
from shared import ROOT

from reporter.view.tone import SEVERITY, check_mark, kind_mark, state_mark, tone_mark
from reporter.vocabulary import DISPOSITION_TONE, Disposition, StageState, SummaryKind, Tone


@pytest.mark.parametrize("disposition", Disposition)
def test_every_disposition_has_its_tone_its_mark_and_its_word(disposition: Disposition) -> None:
    mark = tone_mark(disposition)
    assert mark.tone is DISPOSITION_TONE[disposition]
    assert mark.word == disposition.label
    assert (mark.mark == "notrun") == (disposition is Disposition.NOT_RUN)


def test_nothing_unmeasured_is_green() -> None:
    words = (Disposition.NOT_MEASURED, Disposition.NOT_RUN)
    tones = [tone_mark(word).tone for word in words]
    tones += [state_mark(state).tone for state in StageState if state is not StageState.PASSED]
    assert Tone.OK not in tones


def test_states_that_are_no_pass_look_different_from_each_other() -> None:
    marks = [state_mark(state).mark for state in StageState]
    assert len(set(marks)) == len(marks)


@pytest.mark.parametrize(
    ("kind", "fold", "tone", "mark"),
    [
        (SummaryKind.BROKEN, Disposition.LOST_FINDING_TOOL, Tone.FAIL, "fail"),
        (SummaryKind.FRICTION, Disposition.GOAL_MET_WITH_FRICTION, Tone.WARN, "warn"),
        (SummaryKind.LANDED, Disposition.GOAL_MET, Tone.OK, "ok"),
        (SummaryKind.UNREAD, Disposition.GOAL_MISSED, Tone.MUTED, "unknown"),
        (SummaryKind.UNGRADED, Disposition.NOT_MEASURED, Tone.MUTED, "unknown"),
        (SummaryKind.NOT_LAUNCHED, Disposition.NOT_RUN, Tone.MUTED, "notrun"),
    ],
)
def test_a_summary_takes_the_tone_of_its_goals_or_none(
    kind: SummaryKind, fold: Disposition, tone: Tone, mark: str
) -> None:
    found = kind_mark(kind, fold)
    assert (found.tone, found.mark, found.word) == (tone, mark, kind.label)


def test_severity_ranks_fail_before_warn_before_muted_before_ok() -> None:
    assert sorted(SEVERITY, key=SEVERITY.__getitem__, reverse=True) == [
        Tone.FAIL,
        Tone.WARN,
        Tone.MUTED,
        Tone.OK,
    ]


TONES = {"fail", "warn", "ok", "muted"}
TEMPLATES = ROOT / "templates"
VIEW = ROOT / "reporter" / "view"

# Where a template may write a tone down, and what it is there.
WRITTEN = {
    ("parts/transcript.html", "fail"): "a recorded error of a call or of the runner",
    ("parts/macros.html", "fail"): "the fill of a bar's part, by its kind",
    ("parts/macros.html", "warn"): "the same",
    ("parts/macros.html", "ok"): "the same",
    ("print/macros.html", "fail"): "the drawing of a mark and the fill of a bar, by name",
    ("print/macros.html", "warn"): "the same",
    ("print/macros.html", "ok"): "the same",
}


def templates() -> Iterator[tuple[str, nodes.Template]]:
    environment = Environment(autoescape=True)
    for path in sorted(TEMPLATES.rglob("*.html")):
        name = path.relative_to(TEMPLATES).as_posix()
        yield name, environment.parse(path.read_text(encoding="utf-8"))


def test_no_template_writes_a_tone_down_but_for_what_is_no_disposition() -> None:
    found = {
        (name, str(const.value))
        for name, tree in templates()
        for const in tree.find_all(nodes.Const)
        if const.value in TONES - {"muted"}
    }
    assert found == set(WRITTEN)


def test_no_template_chooses_by_a_word_that_has_a_tone() -> None:
    """A colour chosen by comparing a disposition or a verdict would be a second function."""
    asked = {
        (name, item.attr)
        for name, tree in templates()
        for compare in tree.find_all(nodes.Compare)
        for item in compare.find_all(nodes.Getattr)
        if item.attr in {"wire", "word", "tone", "disposition", "verdict", "summary_kind"}
    }
    assert asked == {("parts/transcript.html", "tone")}


def test_no_style_colours_by_a_disposition() -> None:
    for path in sorted((TEMPLATES / "styles").glob("*.css")):
        text = path.read_text(encoding="utf-8")
        for disposition in Disposition:
            assert disposition.value not in text, f"{path.name}: {disposition.value}"


def test_marks_are_made_in_one_module() -> None:
    makers = {
        path.name
        for path in VIEW.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in {"ToneMark", "StateMark"}
    }
    assert makers == {"tone.py"}


@pytest.mark.parametrize("name", ["passed", "failed", "error", "missing", "notApplicable"])
def test_only_a_check_that_held_is_green(name: str) -> None:
    assert (check_mark(name).tone is Tone.OK) == (name == "passed")
    assert (check_mark(name).tone is Tone.FAIL) == (name == "failed")
