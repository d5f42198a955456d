"""Which model is asked, by which way, and how much of its time and money may be taken."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal
from urllib.parse import urlsplit

from reporter.errors import ReporterError

Rail = Literal["gateway", "openrouter"]
"""The wire's two words for the way to a model."""

OPENROUTER: Final = "openrouter"
_WAYS: Final = ("http", "https")


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model and the bounds of asking it, as the caller chose them."""

    name: str
    """`provider:model`; with `url` the name alone, as that server spells it."""
    url: str | None = None
    """Address of an OpenAI-compatible server, as far as its version: `http://127.0.0.1:8000/v1`."""
    key_env: str | None = None
    """The environment variable that holds the key; None for the one its provider names."""
    timeout_s: float = 120.0
    """Seconds that one attempt may take."""
    patience_s: float = 300.0
    """Seconds from its first attempt after which no question is tried again."""
    attempts: int = 5
    """How often a question is sent at most, where the server is busy or does not answer."""
    max_concurrency: int = 4
    """Questions that are under way at once."""
    budget_tokens: int | None = None
    """Tokens of all requests and answers together; None for no bound."""
    budget_usd: Decimal | None = None
    """Dollars, where the model's prices are known; None for no bound."""

    @property
    def provider(self) -> str:
        """What stands before the colon of a name; empty with an address of one's own."""
        return "" if self.url else self.name.partition(":")[0]


def rail(choice: ModelChoice) -> Rail:
    """Return what the wire calls the way to the model."""
    return "openrouter" if choice.provider == OPENROUTER else "gateway"


def checked(choice: ModelChoice) -> ModelChoice:
    """Return the choice, if its name, address and bounds can be meant.

    Raises:
        ReporterError: It cannot; says which part, and what it should look like.
    """
    _check_bounds(choice)
    if choice.url is not None:
        _check_address(choice.url)
        if not choice.name:
            raise ReporterError("A model's name is missing. Give the one that its server lists.")
        return choice
    provider, _, model = choice.name.partition(":")
    if not provider or not model:
        raise ReporterError(
            f"{choice.name!r} names no model. Write the provider, a colon and the model, such as "
            "openai:gpt-5, or give the address of an OpenAI-compatible server beside the name."
        )
    return choice


def _check_bounds(choice: ModelChoice) -> None:
    least = {
        "concurrency": choice.max_concurrency,
        "number of attempts": choice.attempts,
        "timeout": choice.timeout_s,
        "patience": choice.patience_s,
    }
    for what, value in least.items():
        if value <= 0:
            raise ReporterError(f"A {what} of {value} asks nothing. Give more than 0.")
    for what, budget in (("tokens", choice.budget_tokens), ("dollars", choice.budget_usd)):
        if budget is not None and budget < 0:
            raise ReporterError(f"A budget of {budget} {what} is none. Give 0 or more.")


def _check_address(url: str) -> None:
    # The address itself is not shown: a key may stand in it.
    try:
        parts = urlsplit(url)
        known = parts.scheme in _WAYS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known:
        raise ReporterError(
            "The model's address is none of the web. It starts with http:// or https:// and names "
            "a host, such as http://127.0.0.1:8000/v1."
        )
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ReporterError(
            "The model's address holds more than a host and a path. Put a key into an environment "
            "variable and name that one instead."
        )
