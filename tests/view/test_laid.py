import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.view.laid import LONG_LINE, encode, laid

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=60),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=20), inner),
    max_leaves=30,
)


@given(values)
def test_it_is_the_same_json(value: Any) -> None:
    assert json.loads(laid(value)) == value


@given(values)
def test_what_fits_on_a_line_stands_on_one_and_nothing_else_does(value: Any) -> None:
    line = encode(value)
    is_whole = len(line) <= LONG_LINE or not isinstance(value, dict | list) or not value
    assert (laid(value) == line) == is_whole


@given(values, st.integers(0, 40))
def test_what_stands_on_one_line_has_room_for_it(value: Any, indent: int) -> None:
    text = laid(value, indent)
    if isinstance(value, dict | list) and "\n" not in text:
        assert indent + len(text) <= LONG_LINE


def test_an_item_a_line_set_in_by_its_level() -> None:
    value = {"name": "x" * 70, "more": [1, {"deep": "y" * 70}], "last": {}}
    assert laid(value).splitlines() == [
        "{",
        f'  "name": "{"x" * 70}",',
        '  "more": [',
        "    1,",
        "    {",
        f'      "deep": "{"y" * 70}"',
        "    }",
        "  ],",
        '  "last": {}',
        "}",
    ]


def test_what_is_nested_too_deeply_is_said() -> None:
    value: list[Any] = ["x" * LONG_LINE]
    for _ in range(5_000):
        value = [value]
    with pytest.raises(RecursionError):
        laid(value)
