import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.view.count import BarKind, Count, bar, share_bar


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (Count(2, 5), "2 of 5 sessions"),
        (Count(1, 1), "1 of 1 session"),
        (Count(0, 3, kind="read"), "0 of 3 read sessions"),
        (Count(1_200, 3_400, "call"), "1,200 of 3,400 calls"),
        (Count(0, 0), "not measured"),
        (Count(0, 0, kind="read"), "not measured"),
    ],
)
def test_a_count_carries_its_unit_and_its_denominator(count: Count, text: str) -> None:
    assert count.text == text


def test_a_zero_denominator_draws_no_bar() -> None:
    assert share_bar(Count(0, 0)).pieces == ()
    assert share_bar(Count(0, 0)).label == "not measured"


KINDS: tuple[BarKind, ...] = ("ok", "warn", "fail", "unknown")


@given(st.lists(st.integers(0, 10_000), min_size=4, max_size=4).filter(any))
def test_a_bar_draws_its_whole_and_never_hides_a_part(counts: list[int]) -> None:
    drawn = bar(list(zip(KINDS, counts, strict=True)), "x")
    widths = [float(piece.width.removesuffix("%")) for piece in drawn.pieces]
    assert len(drawn.pieces) == sum(count > 0 for count in counts)
    assert all(width >= 0.5 for width in widths)
    assert abs(sum(widths) - 100) < 0.1
    assert [piece.first for piece in drawn.pieces] == [True] + [False] * (len(widths) - 1)


@given(st.integers(1, 9_999))
def test_a_share_short_of_the_whole_never_looks_whole(count: int) -> None:
    drawn = share_bar(Count(count, 10_000))
    assert [piece.kind for piece in drawn.pieces] == ["ink", "rest"]
