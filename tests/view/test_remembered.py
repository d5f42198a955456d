from hypothesis import given
from hypothesis import strategies as st

from reporter.view.remembered import Remembered


class Maker:
    """Makes a text of a text, and counts how often it had to."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def __call__(self, text: str, bound: int) -> str:
        self.made.append(text)
        return text[:bound]


def test_what_was_made_lately_is_not_made_again() -> None:
    maker = Maker()
    again = Remembered(maker, 10_000, len)
    assert [again("a long word", 6), again("a long word", 6)] == ["a long", "a long"]
    assert maker.made == ["a long word"]


def test_another_bound_is_another_thing() -> None:
    again = Remembered(Maker(), 10_000, len)
    assert [again("a long word", 1), again("a long word", 6)] == ["a", "a long"]


def test_what_is_used_stays_and_the_rest_goes() -> None:
    maker = Maker()
    again = Remembered(maker, 10_000, len)
    for number in range(200):
        again("used", 9)
        again(f"once {number}", 9)
    assert maker.made.count("used") == 1
    again("once 0", 9)
    assert maker.made.count("once 0") == 2


def test_a_text_that_would_push_out_many_is_not_kept() -> None:
    maker = Maker()
    again = Remembered(maker, 10_000, len)
    assert again("x" * 5_000, 5_000) == again("x" * 5_000, 5_000)
    assert len(maker.made) == 2


@given(st.lists(st.tuples(st.text(max_size=300), st.integers(0, 9)), max_size=60))
def test_it_gives_what_its_maker_gives_and_holds_no_more_than_its_room(
    asked: list[tuple[str, int]],
) -> None:
    maker = Maker()
    again = Remembered(maker, 4_000, len)
    for text, bound in asked:
        assert again(text, bound) == text[:bound]
        held = [*again._new.items(), *again._old.items()]
        assert sum(len(key) + len(made) for (key, _), made in held) <= 4_000
