"""The way to a model through pydantic-ai: opening it, and sending one question."""

import contextlib
import copy
import os
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from decimal import Decimal
from enum import Enum, auto
from typing import Any, Final

import genai_prices
from pydantic_ai import ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, ModelRequestParameters, infer_model
from pydantic_ai.models.openai import (
    OpenAIChatModel,
    OpenAIResponsesModel,
    OpenAIResponsesModelSettings,
)
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ModelSettings

from reporter.errors import ReporterError
from reporter.phrases.bounded import AsyncClient, bounded_client
from reporter.phrases.budget import Usage
from reporter.phrases.choice import ModelChoice
from reporter.phrases.exchange import Question
from reporter.phrases.failures import reply_to
from reporter.phrases.plain import prompt_with_schema
from reporter.phrases.reply import Reply
from reporter.redaction import mask_text
from reporter.vocabulary import ReplyState

OWN_ADDRESS: Final = "openai-compatible"
"""What the way to an address of one's own is called."""

LONGEST_TEXT: Final = 1_000_000
"""Characters of an answer that are looked at."""

THINKING_TOKENS: Final = 2_000
"""Tokens for a model that cannot but think."""

_LONGEST_NAME: Final = 200
_NO_KEY: Final = "none"
_EXTRA: Final = re.compile(r"pydantic-ai-slim\[([a-z0-9,_-]+)\]")
_VARIABLE: Final = re.compile(r"`([A-Z][A-Z0-9_]{3,})`")


class Manner(Enum):
    """In which form a question is put; servers differ in what they take."""

    SCHEMA = auto()
    """With the schema beside the text."""
    OBJECT = auto()
    """With the schema as part of the text, and beside it as servers of one's own understand it."""
    TEXT = auto()
    """With the schema as part of the text alone."""
    BARE = auto()
    """The same, without a temperature, and with the newer name of the answer's bound."""


class Line:
    """One open way to a model.

    Args:
        model: The model, opened.
        timeout_s: Seconds that one sending may take.
        own_address: True for an OpenAI-compatible server of the caller's.
    """

    def __init__(self, model: Model, timeout_s: float, *, own_address: bool = False) -> None:
        self._model = model
        self._timeout_s = timeout_s
        self._own_address = own_address
        takes_schema = model.profile.get("supports_json_schema_output", False)
        forms = {Manner.SCHEMA: takes_schema, Manner.OBJECT: own_address}
        self._manners = tuple(manner for manner in Manner if forms.get(manner, True))

    @property
    def forms(self) -> int:
        """How many forms of a question there are to try."""
        return len(self._manners)

    async def send(self, question: Question, form: int) -> Reply:
        """Send a question once and return what came of it; only a cancellation is raised."""
        manner = self._manners[form]
        try:
            response = await model_request(
                self._model,
                [_request(question, manner)],
                model_settings=self._settings(question, manner),
                model_request_parameters=_parameters(question, manner),
                instrument=False,
            )
            return _reply(response, self._model)
        except Exception as error:  # noqa: BLE001  whatever went wrong, the run goes on
            reply = reply_to(error)
            # A provider that breaks is busy; it says what it does not take.
            return reply if self._own_address else replace(reply, perhaps_form=False)

    def _settings(self, question: Question, manner: Manner) -> ModelSettings:
        settings = self._of_provider()
        settings["request_timeout"] = self._timeout_s
        ignored = self._model.unsupported_settings
        if "timeout" not in ignored:
            settings["timeout"] = self._timeout_s
        if "max_retries" not in ignored:
            settings["max_retries"] = 0
        if manner is not Manner.BARE:
            settings["temperature"] = 0.0
        if manner is Manner.OBJECT:
            wanted = {"type": "json_object", "schema": dict(question.schema)}
            settings["extra_body"] = {"response_format": wanted}
        if manner is Manner.BARE and self._own_address:
            settings["extra_body"] = {"max_completion_tokens": self._most_tokens(question)}
        else:
            settings["max_tokens"] = self._most_tokens(question)
        return settings

    def _most_tokens(self, question: Question) -> int:
        return question.output_tokens + thinking_tokens(self._model)

    def _of_provider(self) -> ModelSettings:
        """Settings that a server of one's own may not know."""
        if self._own_address:
            return ModelSettings()
        if isinstance(self._model, OpenAIResponsesModel):
            # Else what is sent stays there for a month.
            return OpenAIResponsesModelSettings(openai_store=False, thinking=False)
        return ModelSettings(thinking=False)


def thinking_tokens(model: Model) -> int:
    """Return how many tokens a model may take to think before each answer.

    Thinking is turned off where it can be; elsewhere it counts as part of the answer, which
    would have no room left otherwise.
    """
    return THINKING_TOKENS if model.profile.get("thinking_always_enabled", False) else 0


def _request(question: Question, manner: Manner) -> ModelRequest:
    text = question.prompt if manner is Manner.SCHEMA else prompt_with_schema(question)
    return ModelRequest(parts=[UserPromptPart(text)], instructions=question.instructions)


def _parameters(question: Question, manner: Manner) -> ModelRequestParameters:
    if manner is not Manner.SCHEMA:
        return ModelRequestParameters()
    wanted = OutputObjectDefinition(copy.deepcopy(dict(question.schema)), question.schema_name)
    return ModelRequestParameters(output_mode="native", output_object=wanted)


def _reply(response: ModelResponse, model: Model) -> Reply:
    usage = _usage(response, model)
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    text = text.encode("utf-8", "replace").decode()
    name = mask_text((response.model_name or "")[:_LONGEST_NAME])
    reason = response.finish_reason
    state, detail = ReplyState.ANSWERED, ""
    if reason == "content_filter":
        state, detail = ReplyState.REFUSED, "the model, or a filter before it, would not answer"
    elif reason == "length":
        state, detail = ReplyState.CUT_OFF, "the answer reached its bound"
    elif reason == "error" or (response.tool_calls and not text):
        state, detail = ReplyState.FAILED, "the model ended without an answer"
    elif len(text) > LONGEST_TEXT:
        state, detail = ReplyState.FAILED, "the answer is larger than any answer may be"
    keeps_text = state in (ReplyState.ANSWERED, ReplyState.CUT_OFF)
    return Reply(
        state,
        text=text[:LONGEST_TEXT] if keeps_text else "",
        detail=detail,
        model=name.encode("utf-8", "replace").decode(),
        usage=usage,
        perhaps_paid=usage is None,
        again=reason == "error",
    )


def _usage(response: ModelResponse, model: Model) -> Usage | None:
    told = response.usage
    counts = (told.input_tokens, told.output_tokens)
    if told.unmeasured_requests or counts == (0, 0) or min(counts) < 0:
        return None
    cost = told.cost
    if cost is None:
        cost = price_of(model, *counts, name=response.model_name, exact=response)
    return Usage(*counts, cost)


def price_of(
    model: Model,
    input_tokens: int,
    output_tokens: int,
    *,
    name: str | None = None,
    exact: ModelResponse | None = None,
) -> Decimal | None:
    """Return the dollars of so many tokens by the price list that is installed.

    Args:
        model: The model that is asked.
        input_tokens: Tokens that are sent.
        output_tokens: Tokens of the answer.
        name: What the provider calls the model that answered, or None.
        exact: The answer, whose cached tokens are cheaper, or None.

    Returns:
        None where the list has no price for the model.
    """
    if exact is not None and exact.model_name:
        with contextlib.suppress(LookupError, ValueError, ArithmeticError):
            return exact.cost().total_price
    usage = genai_prices.Usage(input_tokens=input_tokens, output_tokens=output_tokens)
    wheres: list[dict[str, Any]] = [{"provider_id": model.system}]
    with contextlib.suppress(AttributeError, UserError):  # not every provider has one address
        if model.base_url:
            wheres.insert(0, {"provider_api_url": model.base_url})
    for asked in filter(None, (name, model.model_name)):
        for where in wheres:
            with contextlib.suppress(LookupError, ValueError, ArithmeticError):
                return genai_prices.calc_price(usage, asked, **where).total_price
    return None


@contextlib.asynccontextmanager
async def open_line(choice: ModelChoice) -> AsyncIterator[Line]:
    """Open the way to the model; what it holds open is closed at the end."""
    if choice.url is None:
        async with known_model(choice) as model:
            yield Line(model, choice.timeout_s)
        return
    async with bounded_client(choice.url, choice.timeout_s) as client:
        model = _own_model(choice, choice.url, client)
        yield Line(model, choice.timeout_s, own_address=True)


def found_model(choice: ModelChoice) -> Model:
    """Return the model, not opened, to learn whether it can be asked and what it costs.

    Raises:
        ReporterError: Its provider is unknown, lacks a package or a key, or cannot be set up.
    """
    if choice.url is None:
        return known_model(choice)
    return _own_model(choice, choice.url, bounded_client(choice.url, choice.timeout_s))


def _own_model(choice: ModelChoice, url: str, client: AsyncClient) -> Model:
    provider = OpenAICompatibleProvider(
        OWN_ADDRESS, base_url=url, api_key=_key(choice) or _NO_KEY, http_client=client
    )
    # Most servers of this kind know the older name of the bound alone, and ignore the newer one.
    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
    return OpenAIChatModel(choice.name, provider=provider, profile=profile)


def known_model(choice: ModelChoice) -> Model:
    """Return a model of a provider that pydantic-ai knows.

    Raises:
        ReporterError: The provider is unknown, lacks a package or a key, or cannot be set up.
    """
    factory = _keyed(choice) if choice.key_env else infer_provider
    try:
        infer_provider_class(choice.provider)
    except ValueError:
        raise ReporterError(
            f"{choice.provider!r} is no provider that is known. Write one such as openai, "
            "anthropic, google, mistral or openrouter before the colon, or give the address of an "
            "OpenAI-compatible server."
        ) from None
    except ImportError as error:
        raise _missing_package(choice, error) from None
    try:
        return infer_model(choice.name, factory)
    except ImportError as error:
        raise _missing_package(choice, error) from None
    except UserError as error:
        raise _not_set_up(choice, str(error)) from None
    except ReporterError:
        raise
    except Exception as error:  # noqa: BLE001  each provider's library has errors of its own
        raise _not_set_up(choice, type(error).__name__) from None


def _keyed(choice: ModelChoice) -> Callable[[str], Provider[Any]]:
    key = _key(choice)

    def provider_of(name: str) -> Provider[Any]:
        make: Callable[..., Provider[Any]] = infer_provider_class(name)
        try:
            return make(api_key=key)
        except TypeError:
            raise ReporterError(
                f"{name} takes no single key. Leave out its variable and set up the provider the "
                "way its own documentation says."
            ) from None

    return provider_of


def _key(choice: ModelChoice) -> str | None:
    if choice.key_env is None:
        return None
    key = os.environ.get(choice.key_env, "").strip()
    if not key:
        raise ReporterError(
            f"The environment variable {choice.key_env} holds no key. Set it, or name another one."
        )
    return key


def _missing_package(choice: ModelChoice, error: ImportError) -> ReporterError:
    extra = _EXTRA.search(str(error))
    return ReporterError(
        f"A package for {choice.provider} is not installed. Install it: "
        f"pip install 'pydantic-ai-slim[{extra[1] if extra else choice.provider}]'"
    )


def _not_set_up(choice: ModelChoice, why: str) -> ReporterError:
    variables = list(dict.fromkeys(_VARIABLE.findall(why)))
    if variables:
        return ReporterError(
            f"{choice.provider} needs a key. Set the environment variable "
            f"{' or '.join(variables)}, or name the one that holds it."
        )
    return ReporterError(
        f"The model {choice.name} cannot be opened: {mask_text(why)[:_LONGEST_NAME]}"
    )
