import pickle
from copy import deepcopy
from dataclasses import dataclass, fields, replace

from reporter.models.value import value


@value(frozen=True, slots=True)
class Point:
    across: int
    down: int = 0


@dataclass(frozen=True, slots=True)
class Guarded:
    across: int
    down: int = 0


def test_a_value_is_what_a_frozen_dataclass_is() -> None:
    one, other = Point(1), Point(2, down=3)
    assert one == Point(1, 0)
    assert one != other
    assert {one: "a", other: "b"}[Point(2, 3)] == "b"
    assert [field.name for field in fields(Point)] == [field.name for field in fields(Guarded)]
    assert Point.__slots__ == Guarded.__slots__
    assert repr(one).replace("Point", "Guarded") == repr(Guarded(1))
    assert hash(one) == hash(Guarded(1))


def test_a_value_is_copied_and_sent() -> None:
    one = Point(1, 2)
    assert replace(one, down=5) == Point(1, 5)
    assert deepcopy(one) == one
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301  written one line above


@value(frozen=True, slots=True)
class Single:
    words: str


def test_a_value_is_sent_by_the_places_of_its_fields() -> None:
    for one in (Point(1, 2), Single("down")):
        sent = pickle.dumps(one)
        assert b"across" not in sent
        assert b"words" not in sent
        assert pickle.loads(sent) == one  # noqa: S301  written one line above
        assert deepcopy(one) == one
