"""Opens a model to be asked. Nothing of pydantic-ai is imported before a model is opened."""

from decimal import Decimal
from importlib import import_module, metadata
from typing import TYPE_CHECKING, Final

from reporter.errors import ReporterError
from reporter.phrases.budget import Budget, estimate, estimate_input
from reporter.phrases.choice import ModelChoice, checked, rail

if TYPE_CHECKING:
    from reporter.phrases.asker import ModelAsker, OnProgress
    from reporter.phrases.retrying import Pace

__all__ = [
    "ModelChoice",
    "estimate",
    "estimate_input",
    "open_model",
    "pydantic_ai_version",
    "rail",
]

_LIBRARY: Final = "pydantic-ai-slim"
_SAMPLE_TOKENS: Final = 1000


def pydantic_ai_version() -> str | None:
    """Return the version of pydantic-ai that is installed, or None where it is not."""
    try:
        return metadata.version(_LIBRARY)
    except metadata.PackageNotFoundError:
        return None


def open_model(
    choice: ModelChoice, on_progress: "OnProgress | None" = None, *, pace: "Pace | None" = None
) -> "ModelAsker":
    """Return a model that can be asked; nothing is sent yet.

    Args:
        choice: The model, the way to it and the bounds of asking.
        on_progress: Told after each answer how far asking is, or None.
        pace: Tells and spends the time between attempts; None for the clock's.

    Raises:
        ReporterError: The choice cannot be meant, a package or key is missing, or there is a
            budget in dollars and no price is known. Says what to do.
    """
    checked(choice)
    try:
        provider = import_module("reporter.phrases.provider")
        asker = import_module("reporter.phrases.asker")
    except ImportError:
        raise ReporterError(
            "Asking a model needs packages that are not installed. Install them, in a clone of "
            "the repository: pip install '.[model]'"
        ) from None
    model = provider.found_model(choice)

    def price(input_tokens: int, output_tokens: int) -> Decimal | None:
        found: Decimal | None = provider.price_of(model, input_tokens, output_tokens)
        return found

    if choice.budget_usd is not None and price(_SAMPLE_TOKENS, _SAMPLE_TOKENS) is None:
        raise ReporterError(
            f"No price is known for {choice.name}, so a budget in dollars cannot be kept. "
            "Give one in tokens: --budget-tokens"
        )
    thinking = provider.thinking_tokens(model)
    budget = Budget(choice.budget_tokens, choice.budget_usd, price, thinking=thinking)
    opened: ModelAsker = asker.ModelAsker(
        choice, lambda: provider.open_line(choice), budget, on_progress=on_progress, pace=pace
    )
    return opened
