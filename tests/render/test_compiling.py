from pathlib import Path

import pytest

from reporter.render import environment as environment_module
from reporter.render.environment import environment, naming_template
from reporter.view.anchor import call_anchor
from reporter.view.text import CleanText

BOLD = "<b>“Tom & Ann”</b>'\""
ESCAPED = "&lt;b&gt;“Tom &amp; Ann”&lt;/b&gt;&#39;&#34;"


MACROS = [
    "{% macro say(what) %}{{ what }}{% endmacro %}{{ say(one) }}",
    "{% macro say(what) %}{{ what }}{% endmacro %}{{ say(what=one) }}",
    "{% macro say(what, more='') %}{{ what }}{{ more }}{% endmacro %}{{ say(one) }}",
    "{% macro say(what, more='') %}{{ what }}{{ more }}{% endmacro %}{{ say(one, '') }}",
    "{% macro say(what) %}{{ what }}{{ varargs | join }}{% endmacro %}{{ say(one) }}",
    "{% macro say(what) %}{{ what }}{{ kwargs['more'] }}{% endmacro %}{{ say(one, more='') }}",
    "{% macro say() %}{{ caller() }}{% endmacro %}{% call say() %}{{ one }}{% endcall %}",
    "{% macro say(what) %}{{ what }}{% endmacro %}{% for say in [say] %}{{ say(one) }}{% endfor %}",
    "{% macro say(what) %}!{% endmacro %}{% for say in [same] %}{{ say(one) }}{% endfor %}",
    "{% macro say(what) %}{{ what }}{% endmacro %}{% set held = say(one) %}{{ held }}",
    "{% macro say(what) %}{{ what }}{% endmacro %}{{ say(say(one)) }}",
    (
        "{% macro say(it) %}{{ it }}{% endmacro %}{% macro two(it) %}{{ say(it) }}{% endmacro %}"
        "{{ two(one) }}"
    ),
    "{% macro say(say) %}{{ say(one) }}{% endmacro %}{{ say(same) }}",
    "{% if one %}{% macro say(what) %}{{ what }}{% endmacro %}{% endif %}{{ say(one) }}",
]
"""Ways to print a text through a macro, each of which escapes it once."""


def same(text: str) -> str:
    """Stand for a function that a template is given."""
    return text


def printed(folder: Path, text: str, **values: object) -> str:
    """Return what a template of a caller's own makes of values."""
    (folder / "one.html").write_text(text, encoding="utf-8")
    with naming_template():
        return environment((folder,)).get_template("one.html").render(**values)


@pytest.mark.parametrize(
    "text",
    [
        "{{ one }}",
        "{% autoescape false %}{{ one }}{% endautoescape %}",
        *MACROS,
        "{% set held %}{{ one }}{% endset %}{{ held }}",
        "{% for each in [one] %}{{ each }}{% endfor %}",
        "{{ one ~ '' }}",
        "{{ [one] | join }}",
    ],
)
@pytest.mark.parametrize("kind", [str, CleanText])
def test_what_is_printed_is_escaped_once(tmp_path: Path, text: str, kind: type[str]) -> None:
    assert printed(tmp_path, text, one=kind(BOLD), same=same) == ESCAPED


@pytest.mark.parametrize("text", MACROS)
def test_a_macro_of_our_own_templates_escapes_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(environment_module, "template_root", lambda: tmp_path)
    (tmp_path / "one.html").write_text(text, encoding="utf-8")
    made = environment((tmp_path / "theirs",))
    assert made.get_template("one.html").render(one=BOLD, same=same) == ESCAPED


def test_long_text_is_escaped_as_short_text_is(tmp_path: Path) -> None:
    assert printed(tmp_path, "{{ one }}", one=BOLD * 100) == ESCAPED * 100


def test_secrets_and_what_would_act_do_not_get_out(tmp_path: Path) -> None:
    said = printed(tmp_path, "{{ one }}|{{ two }}", one="ghp_" + "a1" * 18, two="a\u202eb")
    assert said == "[redacted]|a[U+202E]b"


@pytest.mark.parametrize("value", [7, 1.5, True, None])
def test_what_is_no_text_is_printed_as_python_writes_it(tmp_path: Path, value: object) -> None:
    assert printed(tmp_path, "{{ one }}", one=value) == str(value)


def test_a_choice_without_another_prints_nothing(tmp_path: Path) -> None:
    assert printed(tmp_path, "[{{ 'x' if one }}]", one=False) == "[]"


@pytest.mark.parametrize("text", ["\n{{ nobody }}", "\n{{ nobody() }}", "\n{{ one.nothing }}"])
def test_what_is_not_there_names_template_and_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(Exception, match=r"^one\.html, line 2: "):
        printed(tmp_path, text, one="x")


@pytest.mark.parametrize("kind", [str, CleanText])
def test_equal_words_of_two_kinds_are_each_printed_as_their_own(
    tmp_path: Path, kind: type[str]
) -> None:
    other = CleanText if kind is str else str
    words = "a\u202eb"
    first = printed(tmp_path, "{{ one }}|{{ two }}", one=kind(words), two=other(words))
    assert first.split("|")[kind is CleanText] == "a[U+202E]b"


def test_an_id_is_printed_as_it_is_spelled(tmp_path: Path) -> None:
    own = call_anchor("s<1>", '"x" onload=')
    assert printed(tmp_path, "{{ one }}", one=own) == own
    assert not set(own) & set("<>&\"' =")


def test_a_template_of_somebody_elses_may_ask_for_an_entry(tmp_path: Path) -> None:
    text = "{{ one.word }}{{ one.no is defined }}{{ one.no | default('-') }}"
    assert printed(tmp_path, text, one={"word": "x"}) == "xFalse-"
