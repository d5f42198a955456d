"""A library's lending desk as an MCP server over stdio: books, holds, loans and fines.

It has the flaws of a server that nobody tried on real people yet, so that a report about
it has something to say. Its data are made up, and every process starts from the same data.

`python server.py` serves; `python server.py --closed REASON` refuses every client.
"""

import argparse
import re
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Annotated, Any, Final, Literal

from mcp import MCPError
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import INVALID_PARAMS, ToolAnnotations
from pydantic import Field

CLOSED: Final = -32010
"""The error code of a closed desk, from the range that JSON-RPC leaves to servers."""
BRANCHES: Final = ("HAR", "MAR", "RIV")
RENEWAL: Final = timedelta(days=28)


@dataclass(frozen=True)
class Book:
    """One edition of a title."""

    book_id: str
    title: str
    author: str
    edition: str
    branches: tuple[str, ...]
    on_shelf: bool
    waiting: int = 0


@dataclass(frozen=True)
class Loan:
    """A book that a reader has at home."""

    loan_id: str
    book_id: str
    title: str
    due: date


@dataclass(frozen=True)
class Hold:
    """A book that is kept for a reader, or on order."""

    hold_id: str
    title: str
    edition: str
    branch: str


@dataclass(frozen=True)
class Fines:
    """What a reader owes."""

    owed: str


@dataclass(frozen=True)
class Receipt:
    """What a reader gets for a payment."""

    receipt: str
    paid_cents: int
    left_cents: int


@dataclass
class Reader:
    """One reader's dealings with the desk."""

    owed_cents: int
    loans: list[Loan]
    holds: list[Hold]


BOOKS: Final = (
    Book("B-101", "The Salt Road", "Irma Castellane", "paperback", ("HAR", "RIV"), False, 2),
    Book("B-102", "The Salt Road", "Irma Castellane", "audiobook", ("HAR",), True),
    Book("B-103", "The Salt Road", "Irma Castellane", "large print", ("MAR",), False),
    Book("B-110", "Night Ferry", "Dele Okonjo", "audiobook", ("MAR",), True),
    Book("B-111", "Night Ferry", "Dele Okonjo", "paperback", ("HAR", "MAR"), True),
    Book("B-120", "Bridges That Fell", "Nora Quist", "hardback", ("MAR", "RIV"), False, 3),
    Book("B-130", "A Field Guide to Moss", "Pia Lindholm", "paperback", ("HAR", "RIV"), True),
)


@dataclass
class Desk:
    """What the desk knows when it opens."""

    readers: dict[str, Reader] = field(
        default_factory=lambda: {
            "C-3107": Reader(
                450,
                [Loan("L-5501", "B-140", "The Beekeeper's Ledger", date(2026, 3, 4))],
                [Hold("H-9001", "A Field Guide to Moss", "paperback", "HAR")],
            ),
            "C-4420": Reader(
                275,
                [Loan("L-5502", "B-150", "Bread Before Dawn", date(2026, 3, 3))],
                [Hold("H-9002", "Bridges That Fell", "hardback", "HAR")],
            ),
            "C-5093": Reader(
                1230,
                [
                    Loan("L-5503", "B-120", "Bridges That Fell", date(2026, 3, 3)),
                    Loan("L-5504", "B-160", "Statistics by Candlelight", date(2026, 3, 6)),
                ],
                [Hold("H-9003", "A Field Guide to Moss", "paperback", "HAR")],
            ),
        }
    )
    last_number: int = 9100
    """The last number that a hold or a receipt was given."""

    def reader(self, card: str) -> Reader:
        """Return the reader with this card."""
        if card not in self.readers:
            raise ToolError(f"No reader with card {card}.")
        return self.readers[card]

    def next_number(self) -> int:
        """Return a number that was not given before."""
        self.last_number += 1
        return self.last_number


Card = Annotated[str, Field(description="Number on the library card, such as C-1234")]
READS: Final = ToolAnnotations(read_only_hint=True)
WRITES: Final = ToolAnnotations(read_only_hint=False, destructive_hint=False)
DESTROYS: Final = ToolAnnotations(read_only_hint=False, destructive_hint=True)

desk = Desk()
server: MCPServer[Any] = MCPServer(
    "lending-desk",
    title="Lending desk",
    version="0.4.0",
    instructions="Find books, place and cancel holds, renew loans and pay fines.",
)


@server.tool(annotations=READS)
def find_book(
    words: Annotated[str, Field(description="Words of the title or the author's name")],
    limit: Annotated[int, Field(description="Most editions to return", ge=1, le=20)] = 5,
) -> list[Book]:
    """Search the catalogue. Each edition of a title is a book of its own."""
    wanted = words.casefold().split()
    texts = [(f"{book.title} {book.author}".casefold(), book) for book in BOOKS]
    return [book for text, book in texts if all(word in text for word in wanted)][:limit]


@server.tool(annotations=READS)
def list_loans(card: Card) -> list[Loan]:
    """List what a reader has at home, with the day each loan is due."""
    return desk.reader(card).loans


@server.tool(annotations=READS)
def list_holds(card: Card) -> list[Hold]:
    """List the books that are kept or on order for a reader."""
    return desk.reader(card).holds


@server.tool(annotations=WRITES)
def place_hold(
    card: Card, book_id: str, branch: Annotated[str, Field(description="Pick-up branch")]
) -> Hold:
    """Keep a book for a reader at a branch."""
    reader = desk.reader(card)
    book = next((book for book in BOOKS if book.book_id == book_id), None)
    if book is None:
        raise ToolError(f"No book {book_id}.")
    if branch not in BRANCHES:
        # A flaw to be found: neither the schema nor this error says what is valid.
        raise ToolError("Branch not valid.")
    if any((hold.title, hold.edition) == (book.title, book.edition) for hold in reader.holds):
        raise ToolError(f"Card {card} already has a hold on {book.title}.")
    hold = Hold(f"H-{desk.next_number()}", book.title, book.edition, branch)
    reader.holds.append(hold)
    return hold


@server.tool(annotations=DESTROYS)
def cancel_hold(hold_id: str) -> Hold:
    """Cancel a hold."""
    for reader in desk.readers.values():
        for hold in reader.holds:
            if hold.hold_id == hold_id:
                reader.holds.remove(hold)
                return hold
    raise ToolError(f"No hold {hold_id}.")


@server.tool(annotations=WRITES)
def renew_loan(loan_id: str) -> Loan:
    """Renew a loan."""
    if not re.fullmatch(r"L-\d{4}", loan_id):
        # A flaw to be found: a caller's slip gets a protocol error that explains nothing.
        raise MCPError(INVALID_PARAMS, "Invalid params")
    for reader in desk.readers.values():
        for place, loan in enumerate(reader.loans):
            if loan.loan_id != loan_id:
                continue
            waiting = sum(book.waiting for book in BOOKS if book.book_id == loan.book_id)
            if waiting:
                raise ToolError(f"{loan.title} cannot be renewed: {waiting} readers wait for it.")
            reader.loans[place] = replace(loan, due=loan.due + RENEWAL)
            return reader.loans[place]
    raise ToolError(f"No loan {loan_id}.")


@server.tool(annotations=READS)
def check_fines(card: Card) -> Fines:
    """Tell what a reader owes."""
    euros, cents = divmod(desk.reader(card).owed_cents, 100)
    return Fines(f"{euros}.{cents:02} EUR")


@server.tool(annotations=WRITES)
def pay_fine(card: Card, amount: int, method: Literal["bank_card", "deposit"]) -> Receipt:
    """Pay a fine."""
    reader = desk.reader(card)
    if amount > reader.owed_cents:
        raise ToolError("Amount is more than is owed.")
    if method == "bank_card":
        # A flaw to be found: the client is told that something failed, and not what.
        raise ConnectionError("payment terminal 2 does not answer")
    reader.owed_cents -= amount
    return Receipt(f"R-{desk.next_number()}", amount, reader.owed_cents)


def main() -> None:
    """Open the desk, or keep it closed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--closed", metavar="REASON", help="refuse every client, and say why")
    reason: str | None = parser.parse_args().closed

    async def keep_closed(
        ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        if ctx.method == "initialize":
            raise MCPError(CLOSED, f"The lending desk is closed: {reason}")
        return await call_next(ctx)

    if reason is not None:
        server.middleware.append(keep_closed)
    server.run("stdio")


if __name__ == "__main__":
    main()
