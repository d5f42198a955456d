"""What a bounded look shows of a file, and what reading one does where it breaks."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reporter.importers.jsontext import BrokenJsonError, JsonText, finite, parse_arguments
from reporter.importers.naming import UniqueIds, first_words, safe_id
from reporter.importers.outline import Outline, outline_of
from reporter.importers.sound import DEEPEST, sound_object, sound_text
from reporter.models.manifest import SourceFile

modest = settings(max_examples=60, deadline=None)

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=12,
)


def text_of(text: str) -> JsonText:
    return JsonText(SourceFile(name="a.json", sha256="0", bytes=len(text)), text)


@pytest.mark.parametrize(
    ("head", "kind", "paths", "strings"),
    [
        (b"", None, set(), {}),
        (b"hello", None, set(), {}),
        (b'"text"', None, set(), {}),
        (b"{}", "object", set(), {}),
        (b"[]", "array", set(), {}),
        (b' \n{"a": "x"}', "object", {"a"}, {"a": "x"}),
        (b'\xef\xbb\xbf{"a": 1}', "object", {"a"}, {}),
        (
            b'{"a": {"b": [{"c": "x"}, {"d": 1}]}, "e": ["y"]}',
            "object",
            {"a", "a.b", "a.b[].c", "a.b[].d", "e"},
            {"a.b[].c": "x", "e[]": "y"},
        ),
        # Of an array the first element, of lines the first line.
        (b'[{"a": 1}, {"b": 2}]', "array", {"[].a"}, {}),
        (b'{"a": 1}\n{"b": 2}\n', "object", {"a"}, {}),
        # A key in a string is none, nor is one behind the cut.
        (b'{"a": "{\\"b\\": 1}"', "object", {"a"}, {"a": '{\\"b\\": 1}'}),
        (b'{"a": 1, "b": "unfinis', "object", {"a", "b"}, {}),
        (b'{"a": 1, "unfinis', "object", {"a"}, {}),
    ],
)
def test_an_outline(
    head: bytes, kind: str | None, paths: set[str], strings: dict[str, str]
) -> None:
    outline = outline_of(head)
    assert outline.kind == kind
    assert outline.paths == paths
    assert (outline.strings or {}) == strings


@modest
@given(st.dictionaries(st.text(max_size=5), json_values, max_size=4))
def test_an_outline_shows_every_key_of_the_first_level(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    # Escaped keys are shown as they are written.
    assert {json.dumps(key)[1:-1] for key in document} <= outline_of(text.encode()).paths


@modest
@given(st.binary(max_size=200))
def test_an_outline_of_anything_is_an_outline(head: bytes) -> None:
    assert isinstance(outline_of(head), Outline)
    assert isinstance(outline_of(b"[{" + head), Outline)


def test_an_outline_of_endless_nesting_stays_small() -> None:
    outline = outline_of(b'{"a":' * 10_000)
    assert max(map(len, outline.paths)) <= 20
    assert outline_of(b"[" * 60_000).paths == frozenset()


@modest
@given(st.lists(json_values, max_size=6), st.sampled_from([None, 1]))
def test_elements_are_what_a_parser_of_the_whole_gives(
    document: list[Any], indent: int | None
) -> None:
    assert list(text_of(json.dumps(document, indent=indent)).elements()) == document


@modest
@given(st.lists(json_values, min_size=1, max_size=5), st.data())
def test_a_cut_array_yields_its_first_elements_and_then_breaks(
    document: list[Any], data: st.DataObject
) -> None:
    whole = json.dumps(document)
    cut = whole[: data.draw(st.integers(min_value=0, max_value=len(whole) - 1))]
    seen: list[Any] = []
    with pytest.raises(BrokenJsonError) as caught:
        seen.extend(text_of(cut).elements())
    assert caught.value.place.startswith("line 1, column ")
    # A number may be cut and still be one.
    assert seen[:-1] == document[: len(seen)][:-1]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "line 1, column 1"),
        ("{}", "line 1, column 1"),
        ("[1,\n 2 3]", "line 2, column 4"),
        ("[1]\n\n x", "line 3, column 2"),
        ("[" * 100_000, "line 1, column 2"),
        (f"[{'1' * 5000}]", "line 1, column 2"),
    ],
)
def test_where_an_array_breaks(text: str, place: str) -> None:
    with pytest.raises(BrokenJsonError) as caught:
        list(text_of(text).elements())
    assert caught.value.place == place


def test_a_number_that_is_none_is_null() -> None:
    text = text_of('{"a": NaN, "b": -Infinity, "c": 1e999, "d": 1.5}')
    assert text.value() == {"a": None, "b": None, "c": None, "d": 1.5}
    assert parse_arguments('{"a": 1.5}') == {"a": 1.5}
    assert math.isfinite(1.5)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN", "-Infinity"])
@pytest.mark.parametrize("wrap", ["{}", "[{}]", '{{"deep": [{{"x": {}}}]}}'])
def test_such_a_number_is_null_among_elements_on_lines_of_their_own(wrap: str, number: str) -> None:
    # The swift decoder takes several such elements at once, and hands over what it cannot.
    values = ["1", wrap.format(number), "2.5"]
    text = "[\n" + ",\n".join(f'{{\n"a": {value}\n}}' for value in values) + "\n]"
    plain = json.loads(wrap.format("null"))
    assert list(text_of(text).elements()) == [{"a": 1}, {"a": plain}, {"a": 2.5}]
    swift = {raw for _, raw in text_of(text).raw_elements()}
    assert swift == {number.endswith("999")}
    # More than is parsed at once: the first is looked at alone, to see where elements end.
    more = ",\n".join(f'{{\n"a": {value}\n}}' for value in values * 20_000)
    several = list(text_of(f"[\n{more}\n]").raw_elements())
    assert [finite(element) for element, _ in several] == [
        {"a": 1},
        {"a": plain},
        {"a": 2.5},
    ] * 20_000
    assert several[0][1] is False
    assert parse_arguments(f'{{"a": {values[1]}}}') is None


@modest
@given(json_values)
def test_a_sound_value_is_not_changed(value: Any) -> None:
    whole = {"value": value}
    assert sound_object(whole) == whole


@pytest.mark.parametrize(
    ("text", "sound"),
    [("plain", "plain"), ("né", "né"), ("\U0001f600", "\U0001f600"), ("a\ud800b", "a\ufffdb")],
)
def test_sound_texts(text: str, sound: str) -> None:
    assert sound_text(text) == sound
    assert sound_object({text: [{"k": text}]}) == {sound: [{"k": sound}]}


def test_an_object_that_nests_too_deeply_is_none() -> None:
    def nested(levels: int) -> Any:
        return {"a": nested(levels - 1)} if levels > 1 else {}

    assert sound_object(nested(DEEPEST)) == nested(DEEPEST)
    assert sound_object(nested(DEEPEST + 1)) is None
    assert sound_object([1]) is None


@pytest.mark.parametrize(
    ("text", "limit", "words"),
    [
        ("a  b\n c", 80, "a b c"),
        ("one two three", 13, "one two three"),
        ("one two three", 12, "one two…"),
        ("one two three", 7, "one two…"),
        ("one two three", 6, "one…"),
        ("abcdefgh", 4, "abcd…"),
        ("", 4, ""),
    ],
)
def test_first_words(text: str, limit: int, words: str) -> None:
    assert first_words(text, limit) == words


@modest
@given(st.text(max_size=300))
def test_a_safe_id_is_safe(text: str) -> None:
    made = safe_id(text)
    assert made
    assert len(made) <= 90
    assert all(c.isascii() and (c.isalnum() or c in "._-") for c in made)


@modest
@given(st.lists(st.sampled_from(["a", "b", "a:2", "a:3"]), max_size=20))
def test_unique_ids_are_unique(wanted: list[str]) -> None:
    ids = UniqueIds()
    given_ids = [ids.take(one) for one in wanted]
    assert len(set(given_ids)) == len(given_ids)
