import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.importers import jsonobject
from reporter.importers.jsonobject import JsonMembers
from reporter.importers.jsontext import BrokenJsonError

Seen = list[tuple[str, int | None, Any]]


def seen(data: bytes) -> tuple[Seen, str | None]:
    """What is read before the document ends, or breaks with its place."""
    found: Seen = []
    try:
        for member in JsonMembers(io.BytesIO(data), "results").members():
            found.append((member.key, member.index, member.value))
    except BrokenJsonError as error:
        return found, error.place
    return found, None


def test_a_member_is_read_whole_and_the_array_by_elements() -> None:
    data = b'{"a": [1, 2], "results": [{"b": 1}, {}], "c": null}'
    assert seen(data) == (
        [("a", None, [1, 2]), ("results", 0, {"b": 1}), ("results", 1, {}), ("c", None, None)],
        None,
    )
    assert seen(b"\xef\xbb\xbf[1, 2] ") == ([("", 0, 1), ("", 1, 2)], None)
    assert seen(b'{"results": {}}') == ([("results", None, {})], None)
    assert seen(b"{}") == ([], None)
    assert seen(b"[]") == ([], None)


def test_numbers_that_no_double_holds_are_unknown() -> None:
    assert seen(b"[NaN, 1e999, -Infinity, 1.5]")[0] == [
        ("", 0, None),
        ("", 1, None),
        ("", 2, None),
        ("", 3, 1.5),
    ]


@pytest.mark.parametrize(
    ("data", "kept", "place"),
    [
        (b"", 0, "line 1, column 1"),
        (b"7", 0, "line 1, column 1"),
        (b'{"results": [1,\n 2 3]}', 2, "line 2, column 4"),
        (b'{"results": [1, 2', 2, "line 1, column 18"),
        (b'{"results": [1]', 1, "line 1, column 16"),
        (b'{"results": [1]} x', 1, "line 1, column 18"),
        (b'{"a" 1}', 0, "line 1, column 6"),
        (b"{1: 2}", 0, "line 1, column 2"),
        (b'["a", "\xff"]', 1, "line 1, column 7"),
        (b"[1]\xff", 1, "line 1, column 4"),
        (b"[" * 100_000, 0, "line 1, column 2"),
        (b"[" + b"9" * 5000 + b"]", 0, "line 1, column 2"),
    ],
)
def test_where_it_breaks(data: bytes, kept: int, place: str) -> None:
    found, where = seen(data)
    assert where == place
    assert len(found) == kept


@given(
    st.dictionaries(
        st.sampled_from(["a", "results", "é"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=40),
            lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner),
            max_leaves=12,
        ),
    ),
    st.sampled_from([None, 2]),
    st.integers(1, 9),
)
def test_whatever_the_window_the_document_is_the_same(
    document: dict[str, Any], indent: int | None, step: int
) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    data = text.encode("utf-8", "surrogatepass")
    if b"\xed\xa0" in data or b"\xed\xb0" in data:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonobject, "_STEP", step)
        patch.setattr(jsonobject, "_USUAL", 1)
        found, place = seen(data)
    assert place is None
    read: dict[str, Any] = {}
    for key, index, value in found:
        if index is None:
            read[key] = value
        else:
            read.setdefault(key, []).append(value)
    if document.get("results") == []:
        read["results"] = []
    assert read == document


def test_a_value_larger_than_is_read_breaks_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonobject, "_STEP", 64)
    monkeypatch.setattr(jsonobject, "_USUAL", 64)
    monkeypatch.setattr(jsonobject, "MOST_VALUE", 1024)
    data = b'["short", "' + b"x" * 10_000 + b'"]'
    assert seen(data) == ([("", 0, "short")], "line 1, column 11")


lines: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers() | st.text(max_size=5) | st.sampled_from(["\n  }", "}", "ä\\"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=6,
)
rows = st.lists(st.dictionaries(st.text(max_size=3), lines, max_size=3), max_size=5)


@given(rows, st.sampled_from([None, 1, 2, "\t"]), st.booleans(), st.integers(1, 40))
def test_elements_on_lines_of_their_own_are_what_they_are_elsewhere(
    elements: list[Any], indent: int | str | None, is_ascii: bool, step: int
) -> None:
    document = {"a": 1, "results": elements, "b": {"results": [1]}}
    data = json.dumps(document, indent=indent, ensure_ascii=is_ascii).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonobject, "_STEP", step)
        patch.setattr(jsonobject, "_USUAL", step)
        found, place = seen(data)
        assert place is None
        assert [value for _, index, value in found if index is not None] == elements
        assert [value for _, index, value in found if index is None] == [1, {"results": [1]}]
        _, cut = seen(data[:-2])
        assert cut is not None


def test_numbers_are_unknown_and_breaks_are_found_on_lines_of_their_own_too() -> None:
    elements = [b'{"a": 1e999}', b'{\n      "b": NaN\n    }', b'{"c": 1 2}']
    data = b'{\n  "results": [\n    ' + b",\n    ".join(elements) + b"\n  ]\n}"
    assert seen(data) == (
        [("results", 0, {"a": None}), ("results", 1, {"b": None})],
        "line 7, column 13",
    )


def test_the_largest_value_may_be_stated() -> None:
    data = b'{"results": [\n' + b'{"a": "' + b"x" * 3_000_000 + b'"}\n]}'
    stream = io.BytesIO(data)
    with pytest.raises(BrokenJsonError, match="larger than"):
        list(JsonMembers(stream, "results", 1 << 20).members())
