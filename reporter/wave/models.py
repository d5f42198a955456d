"""Which provider and model a session ran on, for the slice of its model."""

from typing import Final

from reporter.models.facts import SessionFacts
from reporter.models.manifest import Target

PROVIDERS: Final = frozenset(
    {
        *("ai21", "anthropic", "aws.bedrock", "azure", "azure.ai.inference", "azure.ai.openai"),
        *("azureai", "bedrock", "cerebras", "cohere", "databricks", "deepseek", "fireworks"),
        *("fireworks_ai", "gcp.gemini", "gcp.vertex_ai", "gemini", "github", "google", "groq"),
        *("huggingface", "ibm.watsonx.ai", "litellm", "lmstudio", "mistral", "mistral_ai"),
        *("mistralai", "moonshot", "nvidia_nim", "ollama", "openai", "openrouter", "perplexity"),
        *("replicate", "sambanova", "together", "together_ai", "vercel", "vertex", "vertex_ai"),
        *("vllm", "watsonx", "x_ai", "xai", "zai"),
    }
)
"""Names of services that answer for models. Of `name/model` any other first part may as well
be who made the model, and who made it is not who served it."""


def served_by(facts: SessionFacts, target: Target | None) -> tuple[str | None, str | None]:
    """Return the provider and the model of a session.

    Where its steps name one pair, that is it. A provider that they do not name may stand in
    the target's model id, written as `provider/model` or `provider:model`.

    Args:
        facts: What the session came to.
        target: What it ran against; None where it is not known.

    Returns:
        Two words, each None where it is not on record, or where several models answered: a
        session has one model slice or none.

    Rule: analytics.md section 5, `model`.
    """
    if len(facts.models) > 1:
        return None, None
    planned = None if target is None else target.model_id
    said = facts.models[0] if facts.models else None
    model = said.model_id if said is not None and said.model_id is not None else planned
    if said is not None and said.provider:
        return said.provider, _without(said.provider, model)
    provider = _provider_in(planned) or _provider_in(model)
    return provider, _without(provider, model)


def _provider_in(model: str | None) -> str | None:
    """Return the provider that a model id begins with, or None for one that names none."""
    if model is None:
        return None
    for mark in ("/", ":"):
        first, found, rest = model.partition(mark)
        if found and rest and first.lower() in PROVIDERS:
            return first
    return None


def _without(provider: str | None, model: str | None) -> str | None:
    if provider is None or model is None:
        return model
    for mark in ("/", ":"):
        if model.startswith(f"{provider}{mark}"):
            return model[len(provider) + 1 :]
    return model
