"""Which tools errored, in a sentence."""

from dataclasses import dataclass

from reporter.view.count import Count
from reporter.view.erring import erring_head, erring_words


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    errors: Count
    absent: Count
    example_words: str = ""

    @property
    def anchor(self) -> str:
        return f"tool.{self.name}"


def tool(name: str, errors: int, calls: int, said: str = "", *, absent: int = 0) -> Tool:
    """A tool that two sessions called."""
    return Tool(name, Count(errors, calls, "call"), Count(absent, 2), said)


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


def test_a_name_that_does_not_exist_is_said_so_and_its_errors_are_no_tools() -> None:
    lost = tool("move", 2, 2, "Unknown tool", absent=2)
    assert words(lost) == "move was called and does not exist."
    assert erring_head([lost]) == "Missing tools."
    found = (lost, tool("pay", 1, 1))
    assert words(*found) == "pay in 1 of 1 call. move was called and does not exist."
    assert erring_head(found) == "Tools that errored."
    both = (lost, tool("swap", 1, 1, absent=2))
    assert words(*both) == "move and swap were called and do not exist."


def test_a_tool_that_exists_elsewhere_is_not_said_to_exist_nowhere() -> None:
    some = tool("move", 1, 3, "Full", absent=1)
    assert words(some) == (
        "move in 1 of 3 calls, the first with “Full”. move was called where it does not exist."
    )
    both = (some, tool("swap", 0, 1, absent=2))
    assert words(*both).endswith("move and swap were called where they do not exist.")


def test_nothing_is_said_where_nothing_errored() -> None:
    assert erring_words([tool("find", 0, 3)]) == ()
    assert erring_words([]) == ()
    assert erring_head([tool("find", 0, 3)]) == ""
