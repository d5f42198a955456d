"""Which tools errored, in a sentence."""

from dataclasses import dataclass

from reporter.view.count import Count
from reporter.view.erring import erring_words


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    errors: Count
    missing: bool = False
    example_words: str = ""

    @property
    def anchor(self) -> str:
        return f"tool.{self.name}"


def tool(name: str, errors: int, calls: int, said: str = "", *, missing: bool = False) -> Tool:
    return Tool(name, Count(errors, calls, "call"), missing, said)


def words(*tools: Tool) -> str:
    return "".join(piece.text for piece in erring_words(tools)).strip()


def test_tools_that_errored_are_named_with_their_calls_and_the_first_error() -> None:
    found = (tool("hold", 4, 14, "Branch not valid."), tool("pay", 2, 9), tool("find", 0, 30))
    assert (
        words(*found)
        == "hold in 4 of 14 calls, the first with “Branch not valid” and pay in 2 of 9."
    )
    assert [piece.href for piece in erring_words(found) if piece.href] == [
        "#tool.hold",
        "#tool.pay",
    ]


def test_more_than_three_are_counted() -> None:
    found = [tool(f"t{n}", 9 - n, 10) for n in range(5)]
    assert words(*found) == "t0 in 9 of 10 calls, t1 in 8 of 10, t2 in 7 of 10 and 2 more."


def test_a_name_that_is_not_on_offer_is_said_to_be_so_and_counts_as_no_error_of_a_tool() -> None:
    lost = tool("move", 2, 2, "Unknown tool", missing=True)
    assert words(lost) == "move was called and is not on offer."
    assert (
        words(lost, tool("pay", 1, 1)) == "pay in 1 of 1 call. move was called and is not on offer."
    )
    both = (lost, tool("swap", 1, 1, missing=True))
    assert words(*both) == "move and swap were called and are not on offer."


def test_nothing_is_said_where_nothing_errored() -> None:
    assert erring_words([tool("find", 0, 3)]) == ()
    assert erring_words([]) == ()
