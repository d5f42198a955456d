import pytest

from reporter.plural import plural


@pytest.mark.parametrize(
    ("count", "one", "many", "said"),
    [
        (0, "session", None, "0 sessions"),
        (1, "session", None, "1 session"),
        (2, "read session", None, "2 read sessions"),
        (12_400, "turn", None, "12,400 turns"),
        (1, "entry counts", "entries count", "1 entry counts"),
        (3, "entry counts", "entries count", "3 entries count"),
    ],
)
def test_a_unit_agrees_with_its_number(count: int, one: str, many: str | None, said: str) -> None:
    assert plural(count, one, many) == said
