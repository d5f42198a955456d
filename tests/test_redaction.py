import json
import string
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.redaction import REDACTED, Found, is_secret_key, mask_text, mask_value

LONG = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"


@pytest.mark.parametrize(
    "name",
    [
        *("authorization", "Authorization", "Proxy-Authorization", "authorization_code"),
        *("cookie", "Set-Cookie", "cookies", "session.cookie"),
        *("token", "access_token", "accessToken", "ACCESS_TOKEN", "refreshToken", "accesstoken"),
        *("id_token", "csrf-token", "botToken", "sessionTokens", "accessTokens"),
        *(
            "apiKey",
            "api_key",
            "api-key",
            "API KEY",
            "x-api-key",
            "APIKey",
            "apikey",
            "OPENAI_API_KEY",
        ),
        *("password", "userPassword", "DB_PASSWORD", "passwd", "passphrase", "password_hash"),
        *("secret", "client_secret", "clientSecret", "aws_secret_access_key", "private_key"),
        *("credential", "credentials", "bearer"),
    ],
)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_key(name)


@pytest.mark.parametrize(
    "name",
    [
        *("", "key", "keys", "1", "monkey", "tokenizer", "secretary", "cookiecutter", "passport"),
        *("inputTokens", "output_tokens", "totalTokens", "max_tokens", "tokens", "TokenInfo"),
        *("tokenCount", "token_usage", "judgeTokenUsage", "tokenEstimate", "prompt_tokens_details"),
        *("token_type", "token_endpoint", "tokenUrl", "authorization_endpoint", "expires_in"),
        *("pageToken", "nextPageToken", "next_page_token", "nextToken", "continuationToken"),
        *("secretName", "secretKeyRef", "secretRef", "passwordPolicy", "password_required"),
        *("author", "authored", "auth_classification", "topologyKey", "primary_key", "keyboard"),
    ],
)
def test_names_that_only_look_like_secrets(name: str) -> None:
    assert not is_secret_key(name)


@pytest.mark.parametrize(
    "secret",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "ASIAIOSFODNN7EXAMPLE",
        f"ghp_{LONG}",
        f"github_pat_{LONG}_{LONG}",
        f"glpat-{LONG}",
        "xoxb-123456789012-abcdefGHIJ",
        f"sk-{LONG}",
        f"sk-ant-api03-{LONG}-{LONG}",
        f"sk-proj-{LONG}_{LONG}",
        f"sk_live_{LONG}",
        f"AIza{LONG[:35]}",
        f"ya29.{LONG}",
        f"hf_{LONG}",
        f"npm_{LONG[:36]}",
        f"pypi-AgE{LONG}{LONG}",
        f"SG.{LONG[:22]}.{LONG}",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP",
        "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0In0.",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nthe end was cut off",
    ],
)
def test_shapes_are_masked_wherever_they_stand(secret: str) -> None:
    assert mask_text(f"before {secret}") == f"before {REDACTED}"
    assert mask_value({"result": [{"content": secret}]}) == {"result": [{"content": REDACTED}]}


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Authorization: Bearer abc.def-123_456~xyz", "Authorization: Bearer [redacted]"),
        ("authorization: bearer abc.def-123_456~xyz,", "authorization: bearer [redacted],"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted]"),
        ("postgres://ana:hunter2@db/books", "postgres://[redacted]@db/books"),
        ("redis://:p:w@cache:6379", "redis://[redacted]@cache:6379"),
        ('{"access_token": "abc", "n": 1}', '{"access_token": "[redacted]", "n": 1}'),
        ('{"token":"a\\nb"}', '{"token":"[redacted]"}'),
        (r"{\"password\": \"hunter2\"}", r"{\"password\": \"[redacted]\"}"),
        ("export DB_PASSWORD=hunter2\nHOME=/root", "export DB_PASSWORD=[redacted]\nHOME=/root"),
        ("GET /x?api_key=abcd&page=2", "GET /x?api_key=[redacted]&page=2"),
        (
            "GET /x?page=2&access_token=abcd HTTP/1.1",
            "GET /x?page=2&access_token=[redacted] HTTP/1.1",
        ),
        ("Host: a\nCookie: sid=abc; b=c\nAccept: d", "Host: a\nCookie: [redacted]\nAccept: d"),
    ],
)
def test_values_named_inside_text_are_masked(text: str, masked: str) -> None:
    assert mask_text(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Please reset my password: I forgot it.",
        "The token is: not here. Bearer tokens are sensitive-information-by-nature.",
        "a monkey ate the cookie: a keyboard-driven secretary saw it",
        "the task-oriented desk-bound risk-assessment-of-everything",
        "sk-toggleable__content-container of scikit-learn",
        "mail ana@example.org or see https://example.org/@ana:8080/x",
        "https://example.org:8080/path?page=2&pageToken=abcdef",
        '{"inputTokens": "12", "nextPageToken": "abcdef", "token_type": "Bearer"}',
        "MAX_TOKENS=1000 TOKEN_LIMIT=4096 PATH=/usr/bin",
        "TOKEN=$(cat file) PASSWORD=<yours> echo $API_KEY",
        '"password": "[redacted]", "token": "[secret:GITHUB]", "secret": "***"',
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "550e8400-e29b-41d4-a716-446655440000",
        "eyJust.kidding.here",
    ],
)
def test_harmless_text_is_left_alone(text: str) -> None:
    assert mask_text(text) is text or mask_text(text) == text
    assert mask_value([text])[0] == text


@pytest.mark.parametrize(
    ("value", "masked"),
    [
        ({"apiKey": "abc"}, {"apiKey": REDACTED}),
        ({"password": 1234}, {"password": REDACTED}),
        ({"token": 1.5}, {"token": REDACTED}),
        ({"token": True, "secret": None}, {"token": True, "secret": None}),
        ({"password": ""}, {"password": ""}),
        ({"token": "[secret:GITHUB]"}, {"token": "[secret:GITHUB]"}),
        ({"secrets": 3, "cookies": 2}, {"secrets": 3, "cookies": 2}),
        ({"Authorization": ["Basic abc"]}, {"Authorization": [REDACTED]}),
        ({"cookies": {"sid": "abc"}}, {"cookies": {"sid": REDACTED}}),
        ({"password": {"type": "string"}}, {"password": {"type": "string"}}),
        ({"password": {"type": ["string", "null"]}}, {"password": {"type": ["string", "null"]}}),
        ({"apiKey": {"$ref": "#/key"}}, {"apiKey": {"$ref": "#/key"}}),
        ({"token": {"value": "abc"}}, {"token": {"value": REDACTED}}),
        ({"secrets": {"db": ["abc"]}}, {"secrets": {"db": [REDACTED]}}),
        ({"token": {"type": "bearer", "ttl": 60}}, {"token": {"type": REDACTED, "ttl": 60}}),
        ({"secret": {"password": 1234}}, {"secret": {"password": REDACTED}}),
        (
            {"credentials": {"user": "a", "pin": {"secret": "b"}}},
            {"credentials": {"user": REDACTED, "pin": {"secret": REDACTED}}},
        ),
        ({"name": "DB_PASSWORD", "value": "abc"}, {"name": "DB_PASSWORD", "value": REDACTED}),
        ({"key": "x-api-key", "value": "abc"}, {"key": "x-api-key", "value": REDACTED}),
        ({"name": "PORT", "value": "80"}, {"name": "PORT", "value": "80"}),
        (
            {"name": "the secret of the desk", "value": "x"},
            {"name": "the secret of the desk", "value": "x"},
        ),
        ({"name": "password"}, {"name": "password"}),
        (("a", {"token": "b"}), ["a", {"token": REDACTED}]),
    ],
)
def test_values_are_masked_by_the_name_they_stand_under(value: Any, masked: Any) -> None:
    assert mask_value(value) == masked


harmless = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(string.ascii_lowercase + " .,é漢"),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "title", "inputTokens", "pageToken"]), inner)
    ),
    max_leaves=10,
)


@given(harmless)
def test_a_clean_value_is_the_same_object(value: Any) -> None:
    assert mask_value(value) is value


@given(harmless, st.sampled_from(["apiKey", "x-auth-token", "password"]))
def test_masking_twice_is_masking_once(value: Any, name: str) -> None:
    whole = {"clean": value, name: "hunter2", "text": json.dumps({name: "hunter2"})}
    once = mask_value(whole)
    assert "hunter2" not in json.dumps(once)
    assert mask_value(once) == once
    assert once["clean"] is value


@pytest.mark.parametrize(
    "piece",
    [
        *(
            '"token": "',
            '"token":',
            "\\",
            '\\"',
            "://a:",
            "sk-",
            "sk-a1",
            "eyJ-",
            "eyJ.",
            "SG.",
            "SG.a-",
        ),
        *(
            "Bearer a",
            "BearerBearer ",
            "A_TOKEN",
            "A=",
            "?token",
            "?token=",
            "-----BEGIN ",
            "Cookie: a",
        ),
        "-----BEGIN PRIVATE KEY-----",
        *("password: ", "password: a ", "token: a\n", "--token ", "--token=", "<token>", "<token"),
        *(
            "password '",
            'password = "',
            "{'password': '",
            "token",
            "api key",
            "api_key=",
            "cookie=",
        ),
        *("LS0tLS1CRUdJTi", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt ", "PuTTY-User-Key-File-2:"),
        *("eyJhbGciOiJIUzI1NiJ9.", "glpat-aaaaaaaaaaaaaaaaaaaa", ":AA", "//a/:_authToken=npm_a"),
        *("hooks.slack.com/services/", "?X-Amz-Signature=", "AC0123456789abcdef0123456789abcdef"),
    ],
)
def test_hostile_text_does_not_cost_more_than_its_length(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    began = time.process_time()
    mask_text(text)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "text", [r"x ghp\_{} y", r"x ghp\\_{} y", "api\\_key={}", "**ghp\\_{}**", r"glpat-x\_ ghp_{}"]
)
def test_an_underscore_that_markdown_escapes_hides_nothing(text: str) -> None:
    secret = "a1B2" * 9
    found: Found = {}
    masked = mask_text(text.format(secret), found)
    assert secret not in masked
    assert REDACTED in masked
    assert len(found) == 1


def test_names_with_escaped_underscores_stay_as_they_are() -> None:
    text = r"call `find\_book` and snake\_case, never C:\_temp"
    assert mask_text(text) == text
