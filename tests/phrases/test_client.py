import contextlib
import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any

import pytest
from model_questions import Passing, no_price, question, questions, states, unkept
from model_server import (
    Behaviour,
    ModelServer,
    Received,
    answers,
    fails,
    hangs,
    hangs_up,
    points_to,
    pours,
    sends,
)
from pydantic_ai import ModelResponse, TextPart
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RequestUsage

from reporter.errors import ReporterError
from reporter.phrases.asker import ModelAsker
from reporter.phrases.bounded import LARGEST_BODY
from reporter.phrases.budget import Budget
from reporter.phrases.client import ModelChoice, estimate, open_model, pydantic_ai_version, rail
from reporter.phrases.exchange import Answer, Question
from reporter.phrases.plain import prompt_with_schema
from reporter.phrases.provider import LONGEST_TEXT, Line, found_model, price_of
from reporter.vocabulary import ReplyState

ANSWERED, FAILED = ReplyState.ANSWERED, ReplyState.FAILED
CANARY = "canary-5f1c0b"
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENROUTER_API_KEY", "OPENAI_BASE_URL")


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the server of a test is reached, and no proxy and no key stands between."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", *KEYS):
        monkeypatch.delenv(name, raising=False)
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        assert self.family == socket.AF_UNIX or address[0] == "127.0.0.1", address
        connect(self, address)

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a name is looked up")

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setattr(socket, "getaddrinfo", refused)


def asked(
    server: ModelServer,
    count: int = 1,
    passing: Passing | None = None,
    one: Question | None = None,
    **bounds: Any,
) -> list[Answer]:
    """The answers of a server to some questions."""
    bounds = {"timeout_s": 30.0, **bounds}
    choice = ModelChoice("small", url=server.url, **bounds)
    model = open_model(choice, pace=(passing or Passing()).pace())
    return model.ask([one] * count if one else questions(count), unkept)


def test_an_answer_comes_with_its_model_and_tokens() -> None:
    with ModelServer([answers('{"word": "yes"}')]) as server:
        [answer] = asked(server)
    assert answer == Answer(
        questions(1)[0].id,
        ANSWERED,
        text='{"word": "yes"}',
        model="small-1",
        input_tokens=11,
        output_tokens=7,
        attempts=1,
    )


def test_what_is_sent_is_the_question_and_nothing_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f"sk-{CANARY}")
    monkeypatch.setenv("OPENAI_ORG_ID", CANARY)
    monkeypatch.setenv("OPENAI_PROJECT_ID", CANARY)
    with ModelServer([answers()]) as server:
        asked(server)
    [received] = server.received
    assert received.path == "/v1/chat/completions"
    assert CANARY not in received.text
    assert set(received.headers) == {
        *("accept", "accept-encoding", "authorization", "connection", "content-length"),
        *("content-type", "host", "user-agent"),
    }
    assert received.headers["authorization"] == "Bearer none"
    form = received.body.pop("response_format")
    assert received.body == {
        "model": "small",
        "stream": False,
        "temperature": 0.0,
        "max_tokens": 100,
        "messages": [
            {"role": "system", "content": "Say it."},
            {"role": "user", "content": "Question 0."},
        ],
    }
    assert form["type"] == "json_schema"
    assert form["json_schema"]["name"] == "reply"
    assert form["json_schema"]["schema"] == question().schema


def test_a_key_goes_to_its_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN_KEY", f" {CANARY}\n")
    with ModelServer([answers()]) as server:
        asked(server, key_env="OWN_KEY")
    assert server.received[0].headers["authorization"] == f"Bearer {CANARY}"


LONG = "the request is longer than the model takes (400)"
NO_SERVER = "what came back is no answer of a model server"
NO_MODEL = "the server has no such model, or the address is not that of a model server (404)"
TOO_LARGE = "the answer is larger than any answer may be"
FILTERED = "the model, or a filter before it, would not answer"
SLOW_DOWN = "the server asks to slow down (429)"
BROKE_OFF = "the connection ended before the answer did"
NOT_TAKEN = "the server did not take the request"
ENDED = "the model ended without an answer"

OUTCOMES: list[tuple[str, Behaviour, ReplyState, str, int]] = [
    ("nothing said", answers(""), ANSWERED, "", 1),
    ("no JSON in it", answers("I would say yes"), ANSWERED, "", 1),
    ("usage missing", answers("{}", usage=None), ANSWERED, "", 1),
    ("too long", answers('{"wo', finish="length"), ReplyState.CUT_OFF, "the answer reached", 1),
    ("refusal", answers(None, message={"refusal": CANARY}), ReplyState.REFUSED, FILTERED, 1),
    ("filter", answers("", finish="content_filter"), ReplyState.REFUSED, FILTERED, 1),
    ("filter error", fails(400, CANARY, "content_filter"), ReplyState.REFUSED, "a filter", 1),
    ("large text", answers("x" * (LONGEST_TEXT + 1)), FAILED, TOO_LARGE, 1),
    ("huge body", sends(b" " * (LARGEST_BODY + 1)), FAILED, TOO_LARGE, 1),
    ("endless body", pours, FAILED, TOO_LARGE, 1),
    ("packed body", sends(b"\x1f\x8b\x08", content_encoding="gzip"), FAILED, NO_SERVER, 1),
    ("malformed body", sends(b'{"id": "c1", '), FAILED, NO_SERVER, 1),
    ("not UTF-8", sends(b'{"id": "\xff"}'), FAILED, NO_SERVER, 1),
    ("a web page", sends(b"<html>hello</html>", "text/html"), FAILED, NO_SERVER, 1),
    ("a stream", sends(b"data: {}\n\n", "text/event-stream"), FAILED, NO_SERVER, 1),
    ("another shape", sends(b'{"answer": "yes"}'), FAILED, NO_SERVER, 1),
    ("a list", sends(b"[1, 2]"), FAILED, "", 1),
    ("null", sends(b"null"), FAILED, "", 1),
    ("no choice", answers("{}", choices=[]), FAILED, NO_SERVER, 1),
    ("odd usage", answers("{}", usage={"prompt_tokens": "x"}), FAILED, NO_SERVER, 1),
    ("hangs up", hangs_up, FAILED, BROKE_OFF, 3),
    ("busy", fails(429, CANARY), FAILED, SLOW_DOWN, 3),
    ("conflict", fails(409, CANARY), FAILED, "the server failed (409)", 3),
    ("too early", fails(425, CANARY), FAILED, "the server failed (425)", 3),
    ("request time", fails(408, CANARY), FAILED, "", 3),
    ("broken", fails(500, CANARY), FAILED, "the server failed (500)", 6),
    ("bad gateway", fails(502, CANARY), FAILED, "the server failed (502)", 3),
    ("unavailable", fails(503, CANARY), FAILED, "the server failed (503)", 3),
    ("overloaded", fails(529, CANARY), FAILED, "the server failed (529)", 3),
    ("hopeless", fails(503, CANARY, x_should_retry="false"), FAILED, "the server failed", 1),
    ("no credit", fails(429, CANARY, "insufficient_quota"), FAILED, "the account has", 1),
    ("to be paid", fails(402, CANARY), FAILED, "the account has no credit left (402)", 1),
    ("bad key", fails(401, CANARY), FAILED, "the key was not accepted (401)", 1),
    ("forbidden", fails(403, CANARY), FAILED, "the key was not accepted (403)", 1),
    ("no model", fails(404, CANARY), FAILED, NO_MODEL, 1),
    ("too much", fails(400, CANARY, "context_length_exceeded"), FAILED, LONG, 1),
    ("too many bytes", fails(413, CANARY), FAILED, LONG[:-5], 1),
    ("not understood", fails(400, CANARY), FAILED, f"{NOT_TAKEN} (400)", 4),
    ("not valid", fails(422, CANARY), FAILED, f"{NOT_TAKEN} (422)", 4),
    ("odd status", fails(418, CANARY), FAILED, f"{NOT_TAKEN} (418)", 1),
    ("elsewhere", points_to("http://127.0.0.1:1/v1"), FAILED, "the server points to another", 1),
]


@pytest.mark.parametrize(
    ("behaviour", "state", "detail", "sent"),
    [case[1:] for case in OUTCOMES],
    ids=[case[0] for case in OUTCOMES],
)
def test_every_behaviour_of_a_server_comes_to_a_state(
    behaviour: Behaviour, state: ReplyState, detail: str, sent: int
) -> None:
    with ModelServer([behaviour]) as server:
        [answer] = asked(server, attempts=3)
    assert answer.state is state
    assert answer.detail.startswith(detail)
    assert len(server.received) == answer.attempts == sent
    assert bool(answer.text) <= (state in (ANSWERED, ReplyState.CUT_OFF))
    assert CANARY not in repr(answer)
    assert "127.0.0.1" not in answer.detail


def test_every_state_is_reached_by_asking() -> None:
    seen = {case[2] for case in OUTCOMES}
    elsewhere = {ReplyState.TIMED_OUT, ReplyState.OVER_BUDGET, ReplyState.INTERRUPTED}
    unasked = {ReplyState.MISSING, ReplyState.NOTHING_LEFT}
    assert seen | elsewhere == set(ReplyState) - unasked


def test_a_tool_call_is_no_answer() -> None:
    call = {"id": "t1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    with ModelServer([answers(None, message={"tool_calls": [call]})]) as server:
        [answer] = asked(server)
    assert (answer.state, answer.detail) == (FAILED, ENDED)


def test_no_usage_is_none_and_not_zero() -> None:
    with ModelServer([answers("{}", usage=None)]) as server:
        [answer] = asked(server)
    assert (answer.input_tokens, answer.output_tokens, answer.cost_usd) == (None, None, None)


def test_half_a_character_is_no_error() -> None:
    with ModelServer([answers("\ud800", model="\udfff")]) as server:
        [answer] = asked(server)
    assert (answer.text, answer.model) == ("?", "?")


def test_the_name_of_a_model_is_masked_and_short() -> None:
    with ModelServer([answers("{}", model="ghp_" + "a1B2" * 9 + "x" * 999)]) as server:
        [answer] = asked(server)
    assert "a1B2a1B2" not in answer.model
    assert len(answer.model) <= 210


def test_a_server_that_says_nothing_times_out() -> None:
    with ModelServer([hangs]) as server:
        [answer] = asked(server, timeout_s=0.05, attempts=2)
    assert (answer.state, answer.detail) == (ReplyState.TIMED_OUT, "no answer came in time")
    assert answer.attempts == 2


def test_nobody_there_is_a_server_that_cannot_be_reached() -> None:
    with ModelServer([answers()]) as server:
        pass
    answers_ = asked(server, 12, attempts=2, max_concurrency=1)
    assert {answer.detail for answer in answers_[:8]} == {"the server cannot be reached"}
    assert {answer.detail for answer in answers_[8:]} == {
        "the server does not answer: the server cannot be reached"
    }


@pytest.mark.parametrize(
    ("headers", "waits"),
    [
        ({}, [1, 2]),
        ({"retry_after": "9"}, [9, 9]),
        ({"retry_after_ms": "1500"}, [1.5, 2]),
        ({"retry_after": "0"}, [1, 2]),
        ({"retry_after": "soon"}, [1, 2]),
        ({"retry_after": "-5"}, [1, 2]),
    ],
)
def test_a_storm_of_429_passes(headers: dict[str, str], waits: list[float]) -> None:
    passing = Passing()
    storm = fails(429, **headers)
    with ModelServer([storm, storm, answers("{}")]) as server:
        [answer] = asked(server, passing=passing)
    assert (answer.state, answer.attempts) == (ANSWERED, 3)
    assert passing.waits == waits


def test_a_storm_that_does_not_pass_ends() -> None:
    with ModelServer([fails(429)]) as server:
        answers_ = asked(server, 100, attempts=2)
    assert states(answers_) == [FAILED] * 100
    assert answers_[-1].detail == f"the server does not answer: {SLOW_DOWN}"
    assert len(server.received) <= 2 * (8 + 3)


def test_one_bad_key_is_sent_once() -> None:
    with ModelServer([fails(401)]) as server:
        answers_ = asked(server, 200)
    assert len(server.received) == 1
    assert {answer.detail for answer in answers_} == {"the key was not accepted (401)"}


def takes_no_schema(received: Received) -> Behaviour:
    return fails(422) if "response_format" in received.body else answers("{}")


def test_a_server_that_takes_no_schema_gets_it_as_words() -> None:
    with ModelServer(takes_no_schema) as server:
        answers_ = asked(server, 3)
    assert states(answers_) == [ANSWERED] * 3
    assert [("response_format" in each.body) for each in server.received] == [
        *(True, True, False),
        *(False, False),
    ]
    assert server.received[2].prompt == prompt_with_schema(questions(1)[0])
    assert server.received[2].body["temperature"] == 0.0


def takes_objects_only(received: Received) -> Behaviour:
    form = received.body.get("response_format", {}).get("type")
    return fails(500, "body.response_format.type") if form == "json_schema" else answers("{}")


def test_a_server_that_breaks_on_a_schema_gets_another_form() -> None:
    with ModelServer(takes_objects_only) as server:
        answers_ = asked(server, 3)
    assert states(answers_) == [ANSWERED] * 3
    assert len(server.received) == 4
    assert server.received[1].body["response_format"] == {
        "type": "json_object",
        "schema": question().schema,
    }
    assert server.received[1].prompt == prompt_with_schema(questions(1)[0])


def is_newer(received: Received) -> Behaviour:
    old = {"response_format", "temperature", "max_tokens"} & set(received.body)
    return fails(400) if old else answers("{}")


def test_a_server_that_takes_no_temperature_gets_none() -> None:
    with ModelServer(is_newer) as server:
        answers_ = asked(server, 2)
    assert states(answers_) == [ANSWERED] * 2
    assert len(server.received) == 5
    assert server.received[-1].body["max_completion_tokens"] == 100


def test_a_question_that_is_too_long_leaves_the_others() -> None:
    long = question("very long " * 100)

    def play(received: Received) -> Behaviour:
        is_long = "very long" in received.prompt
        return fails(400, "maximum context length is 8192 tokens") if is_long else answers()

    with ModelServer(play) as server:
        choice = ModelChoice("small", url=server.url)
        answers_ = open_model(choice).ask([question(), long, question("b")], unkept)
    assert states(answers_) == [ANSWERED, FAILED, ANSWERED]
    assert answers_[1].detail == LONG


def test_an_interrupt_closes_what_a_server_holds_open() -> None:
    def play(received: Received) -> Behaviour:
        return answers() if received.prompt == "Question 0." else hangs

    kept: list[Answer] = []

    def keep(answer: Answer) -> None:
        kept.append(answer)
        if len(kept) == 1:
            assert server.hung.acquire(timeout=30)
            raise KeyboardInterrupt

    with ModelServer(play) as server:
        model = open_model(ModelChoice("small", url=server.url))
        with pytest.raises(KeyboardInterrupt):
            model.ask(questions(9), keep)
        later = [question("Asked later.")] * 2
        assert states(model.ask(later, unkept)) == [ReplyState.INTERRUPTED] * 2
    # What was under way at the interrupt may still come in; nothing is sent after it.
    assert "Asked later." not in {received.prompt for received in server.received}
    assert {answer.state for answer in kept} == {ANSWERED}


def through(model: FunctionModel | TestModel, **bounds: Any) -> ModelAsker:
    """An asker of a model that is no server."""

    @contextlib.asynccontextmanager
    async def open_line() -> AsyncIterator[Line]:
        async with model:
            yield Line(model, 30.0)

    choice = ModelChoice("made:up", **bounds)
    budget = Budget(choice.budget_tokens, choice.budget_usd, no_price)
    return ModelAsker(choice, open_line, budget, pace=Passing().pace())


def test_a_model_of_the_library_is_asked() -> None:
    [answer] = through(TestModel(custom_output_text='{"word": "yes"}')).ask([question()], unkept)
    assert (answer.state, answer.text) == (ANSWERED, '{"word": "yes"}')


def test_a_model_without_schemas_gets_words() -> None:
    seen: list[tuple[str, str | None]] = []

    def play(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        [message] = messages
        seen.append((str(message.parts[0].content), info.instructions))  # type: ignore[union-attr]
        return ModelResponse([TextPart("{}")], usage=RequestUsage(input_tokens=4, output_tokens=1))

    model = FunctionModel(play, profile={"supports_json_schema_output": False})
    [answer] = through(model).ask([question()], unkept)
    assert seen == [(prompt_with_schema(question()), "Say it.")]
    assert (answer.state, answer.input_tokens) == (ANSWERED, 4)


def test_an_error_of_the_library_is_an_answer() -> None:
    def play(*_: object) -> ModelResponse:
        raise RuntimeError(CANARY)

    [answer] = through(FunctionModel(play)).ask([question()], unkept)
    assert answer.state is FAILED
    assert answer.detail == "the answer could not be read (RuntimeError)"


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (ModelChoice("gpt-5"), "names no model"),
        (ModelChoice("test"), "names no model"),
        (ModelChoice("openai:"), "names no model"),
        (ModelChoice(""), "names no model"),
        (ModelChoice("acme:large"), "'acme' is no provider that is known"),
        (ModelChoice("openai:gpt-5"), "Set the environment variable OPENAI_API_KEY"),
        (ModelChoice("openrouter:a/b"), "Set the environment variable OPENROUTER_API_KEY"),
        (ModelChoice("anthropic:x"), "pip install 'pydantic-ai-slim[anthropic]'"),
        (ModelChoice("groq:x"), "pip install 'pydantic-ai-slim[groq]'"),
        (ModelChoice("openai:gpt-5", key_env="NOT_SET"), "NOT_SET holds no key"),
        (ModelChoice("m", url="http://127.0.0.1:1", key_env="NOT_SET"), "NOT_SET holds no key"),
        (ModelChoice("m", url="ftp://host/v1"), "http:// or https://"),
        (ModelChoice("m", url="127.0.0.1:8000"), "http:// or https://"),
        (ModelChoice("m", url="file:///etc"), "http:// or https://"),
        (ModelChoice("m", url="http://"), "http:// or https://"),
        (ModelChoice("m", url="http://[::1"), "http:// or https://"),
        (ModelChoice("m", url="http://host:99999"), "http:// or https://"),
        (ModelChoice("m", url=f"http://me:{CANARY}@host/v1"), "more than a host and a path"),
        (ModelChoice("m", url=f"http://host/v1?key={CANARY}"), "more than a host and a path"),
        (ModelChoice("", url="http://127.0.0.1:1"), "name is missing"),
        (ModelChoice("openai:x", max_concurrency=0), "concurrency of 0"),
        (ModelChoice("openai:x", attempts=-1), "number of attempts of -1"),
        (ModelChoice("openai:x", timeout_s=0), "timeout of 0"),
        (ModelChoice("openai:x", budget_tokens=-1), "budget of -1 tokens"),
    ],
)
def test_a_choice_that_cannot_be_meant_says_what_to_do(choice: ModelChoice, message: str) -> None:
    with pytest.raises(ReporterError) as caught:
        open_model(choice)
    assert message in str(caught.value)
    assert CANARY not in str(caught.value)


def test_a_budget_in_dollars_needs_a_price() -> None:
    choice = ModelChoice("small", url="http://127.0.0.1:1/v1", budget_usd=Decimal(1))
    with pytest.raises(ReporterError, match="--budget-tokens"):
        open_model(choice)


def test_a_known_model_has_a_price(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    choice = ModelChoice("openai:gpt-4o", budget_usd=Decimal("0.01"))
    model = found_model(choice)
    one, two = price_of(model, 1000, 100), price_of(model, 2000, 200)
    assert one is not None
    assert two == one * 2 > 0
    large = question("word " * 10_000)
    [answer] = open_model(choice).ask([large], unkept)
    assert answer.state is ReplyState.OVER_BUDGET


def test_an_answer_of_a_known_model_costs_what_the_list_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used = {"prompt_tokens": 1_000_000, "completion_tokens": 0, "total_tokens": 1_000_000}
    with ModelServer([answers("{}", model="gpt-4o-2024-08-06", usage=used)]) as server:
        monkeypatch.setenv("OPENAI_API_KEY", CANARY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        [answer] = open_model(ModelChoice("openai-chat:gpt-4o")).ask([question()], unkept)
    assert (answer.state, answer.cost_usd) == (ANSWERED, "2.5")


def response(text: str) -> Behaviour:
    """An answer in the shape that OpenAI itself gives."""
    part = {"type": "output_text", "text": text, "annotations": []}
    message = {"type": "message", "id": "m1", "role": "assistant", "status": "completed"}
    body = {
        "id": "r1",
        "object": "response",
        "created_at": 1,
        "model": "gpt-5",
        "status": "completed",
        "output": [{**message, "content": [part]}],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {"input_tokens": 5, "output_tokens": 3, "total_tokens": 8},
    }
    return sends(json.dumps(body).encode())


def test_nothing_stays_at_openai_and_thinking_has_room(monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer([response("{}")]) as server:
        monkeypatch.setenv("OPENAI_API_KEY", CANARY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        for name in ("openai:gpt-5", "openai:gpt-4o"):
            [answer] = open_model(ModelChoice(name)).ask([question()], unkept)
            assert (answer.state, answer.text) == (ANSWERED, "{}")
    thinks, does_not = (each.body for each in server.received)
    assert (thinks["store"], does_not["store"]) == (False, False)
    assert thinks["reasoning"] == {"effort": "minimal"}
    assert (thinks["max_output_tokens"], does_not["max_output_tokens"]) == (2100, 100)
    assert "temperature" not in thinks
    assert does_not["temperature"] == 0.0


def test_a_provider_that_breaks_is_asked_in_the_same_form(monkeypatch: pytest.MonkeyPatch) -> None:
    with ModelServer([fails(500), fails(500), answers("{}")]) as server:
        monkeypatch.setenv("OPENAI_API_KEY", CANARY)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        model = open_model(ModelChoice("openai-chat:gpt-4o"), pace=Passing().pace())
        [answer] = model.ask([question()], unkept)
    assert (answer.state, answer.attempts) == (ANSWERED, 3)
    assert {each.body["response_format"]["type"] for each in server.received} == {"json_schema"}


def test_room_to_think_counts_in_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    choice = ModelChoice("openai:gpt-5", budget_tokens=estimate(question()) + 1000)
    [answer] = open_model(choice).ask([question()], unkept)
    assert answer.state is ReplyState.OVER_BUDGET


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "reporter.phrases.provider")
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    with pytest.raises(ReporterError, match=r"pip install '\.\[model\]'"):
        open_model(ModelChoice("openai:gpt-5"))


def test_nothing_is_imported_before_a_model_is_opened() -> None:
    code = (
        "import sys, reporter.phrases.client as client\n"
        "client.pydantic_ai_version()\n"
        "print(sorted({'pydantic_ai', 'tenacity', 'openai', 'httpx2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_version_of_the_library_is_known() -> None:
    assert (pydantic_ai_version() or "").split(".")[0] == "2"


@pytest.mark.parametrize(
    ("choice", "word"),
    [
        (ModelChoice("openrouter:a/b"), "openrouter"),
        (ModelChoice("openai:gpt-5"), "gateway"),
        (ModelChoice("openrouter:a/b", url="http://127.0.0.1:1"), "gateway"),
    ],
)
def test_the_way_has_one_of_two_names(choice: ModelChoice, word: str) -> None:
    assert rail(choice) == word
