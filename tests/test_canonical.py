import hashlib
import json
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.canonical import canonical_digest, canonical_json

SAFE = 2**53


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        ("", '""'),
        ('say "hi"', r'"say \"hi\""'),
        ("back\\slash", r'"back\\slash"'),
        ("\b\f\n\r\t", r'"\b\f\n\r\t"'),
        ("\x00\x0b\x1f", r'"\u0000\u000b\u001f"'),
        ("\x7f/", '"\x7f/"'),
        ("é漢\U0001f600\u2028", '"é漢\U0001f600\u2028"'),
        ("\ud800", r'"\ud800"'),
        ("a\udfffb", r'"a\udfffb"'),
        ("\\ud800", r'"\\ud800"'),
        ([], "[]"),
        ((1, "a", None), '[1,"a",null]'),
        ({}, "{}"),
        ({"b": 1, "a": [True]}, '{"a":[true],"b":1}'),
        (MappingProxyType({"a": 1}), '{"a":1}'),
    ],
)
def test_values_have_one_text(value: Any, text: str) -> None:
    assert canonical_json(value) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (-1e21, "-1e+21"),
        (1.5e300, "1.5e+300"),
        (0.00001, "0.00001"),
        (0.000001, "0.000001"),
        (1e-7, "1e-7"),
        (-1.25e-7, "-1.25e-7"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (SAFE - 1, "9007199254740991"),
        (SAFE + 1, "9007199254740992"),
        (12345678901234567890, "12345678901234567000"),
        (10**21, "1e+21"),
        (10**300, "1e+300"),
    ],
)
def test_numbers_are_written_as_ecmascript_writes_them(number: float, text: str) -> None:
    assert canonical_json(number) == text


@pytest.mark.parametrize(
    "value",
    [
        math.nan,
        math.inf,
        -math.inf,
        10**400,
        {1: "a"},
        {None: "a"},
        {"a", "b"},
        b"bytes",
        object(),
        {"deep": [{"er": math.nan}]},
    ],
)
def test_what_is_not_json_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"form|string"):
        canonical_json(value)


def test_keys_are_sorted_by_utf16_unit_and_not_by_code_point() -> None:
    # U+1F600 begins with a surrogate and so stands before U+FF21, unlike by code point.
    keys = ["\uff21", "\U0001f600", "z", "Z", "", "é", "a b", "a", "\ud83d"]
    ordered = ["", "Z", "a", "a b", "z", "é", "\ud83d", "\U0001f600", "\uff21"]
    text = canonical_json(dict.fromkeys(keys, 0))
    assert text == "{" + ",".join(f"{canonical_json(key)}:0" for key in ordered) + "}"


def test_the_text_of_a_lone_surrogate_encodes_and_reads_back() -> None:
    value = {"k\udc00": "\ud800x\udfff"}
    assert json.loads(canonical_json(value).encode()) == value


def test_a_list_that_holds_itself_has_no_form() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(ValueError, match="form"):
        canonical_json(loop)


def test_the_digest_is_that_of_the_text() -> None:
    assert canonical_digest({"b": 1, "a": 2}) == hashlib.sha256(b'{"a":2,"b":1}').hexdigest()


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-SAFE, SAFE)
    | st.floats(-SAFE, SAFE)
    | st.text(st.characters(codec=None, exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def shuffled(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: shuffled(value[key]) for key in reversed(list(value))}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_keeps_its_double(number: float) -> None:
    assert float(canonical_json(number)) == number


@given(json_values)
def test_reading_the_text_gives_the_value_back(value: Any) -> None:
    assert json.loads(canonical_json(value)) == value


@given(json_values)
def test_the_order_of_keys_changes_nothing(value: Any) -> None:
    assert canonical_json(shuffled(value)) == canonical_json(value)


@given(json_values)
def test_the_text_of_what_was_read_is_the_same_text(value: Any) -> None:
    text = canonical_json(value)
    assert canonical_json(json.loads(text)) == text
