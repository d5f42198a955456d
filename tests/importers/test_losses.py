import pytest

from reporter.importers.losses import NO_PARTNER, Losses, left_out
from reporter.models.manifest import Lost


def test_equal_losses_are_one_with_a_number_and_the_first_places() -> None:
    losses = Losses("a.jsonl")
    for line in range(1, 6):
        losses.unknown_type(f"line {line}", "progress")
    losses.unknown_type("line 9", "hook")
    assert losses.lost() == [
        Lost(
            place="a.jsonl: line 1, line 2, line 3, …",
            reason='records of type "progress", unknown here',
            kind="unknownType",
            count=5,
        ),
        Lost(
            place="a.jsonl: line 9",
            reason='records of type "hook", unknown here',
            kind="unknownType",
            count=1,
        ),
    ]


def test_every_kind_is_kept_apart_and_nothing_is_no_loss() -> None:
    losses = Losses("a.json")
    losses.no_place("cost", "a recording has no place for it", 0)
    losses.unmatched("messages[*]", 4)
    losses.unmatched("messages[*]", 2)
    losses.disagreement("spans[3]", "success stands beside isError; isError counts")
    assert [(one.kind, one.reason, one.count, one.place) for one in losses.lost()] == [
        ("unmatched", NO_PARTNER, 6, "a.json: messages[*]"),
        ("disagreement", "success stands beside isError; isError counts", 1, "a.json: spans[3]"),
    ]


@pytest.mark.parametrize("name", [None, "", 7, ["a"]])
def test_a_type_that_is_no_text_has_no_name(name: object) -> None:
    losses = Losses("a.json")
    losses.unknown_type("spans[0]", name, "spans")
    assert losses.lost()[0].reason == 'spans of type "none", unknown here'


def test_a_loss_says_its_number_in_words() -> None:
    assert str(left_out("a", "b", "c")) == "a: b: c"
    assert str(Lost(place="a", reason="c", count=1_200)) == "a: c (1,200)"
