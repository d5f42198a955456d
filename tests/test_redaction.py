import base64
import json
import re
import string
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporter.credentials import json_may_hold_secret
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
        *(
            "ghp_",
            "ghp_a1\n",
            "a1B2\\n",
            "**",
            "\x1b[",
            "a\u200b",
            "\\u0061",
            "&#97;",
            "&quot;",
            "%3D",
        ),
        *('"password": [', '{"password": {"a": ', "password = ", "password: a1", "name: A_TOKEN\n"),
        *(
            '"name": "A_TOKEN",',
            "curl -u a:",
            "machine a login b password ",
            "Z2hwX",
            "* API Key: ",
        ),
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


TOKEN = "ghp_" + "a1B2" * 9
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r"
HIDDEN = [
    f"ghp_**{TOKEN[4:]}**",
    f"ghp_*{TOKEN[4:20]}*{TOKEN[20:]}",
    f"ghp_`{TOKEN[4:]}`",
    f"ghp_~~{TOKEN[4:]}~~",
    f"ghp_<em>{TOKEN[4:]}</em>",
    *(f"{TOKEN[:20]}{end}{TOKEN[20:]}" for end in ("\n", "\r\n", "\\\n", "\n  ", "\n> ", "\n\n")),
    rf"{TOKEN[:20]}\n{TOKEN[20:]}",
    f"{JWT[:40]}\n{JWT[40:]}",
    f"{TOKEN}\n{'qW3eR5tY7' * 4}\n",
    *(f"{TOKEN[:20]}{mark}{TOKEN[20:]}" for mark in "\u200b\u200d\u2060\u00ad\ufeff\u202e\ufe0f"),
    f"g\u200bhp_{TOKEN[4:]}",
    *(f"ghp_{mark}{TOKEN[4:]}" for mark in ("\x1b[0m", "\x1b[01;31m\x1b[K", "\x00")),
    "".join(chr(ord(one) + 0xFEE0) for one in TOKEN),
    rf"\u0067hp_{TOKEN[4:]}",
    rf"ghp\u005f{TOKEN[4:]}",
    f"&#103;hp_{TOKEN[4:]}",
    f"ghp&#x5f;{TOKEN[4:]}",
    base64.b64encode(f"it is {TOKEN}, keep it".encode()).decode(),
    base64.b64encode(json.dumps({"password": TOKEN[4:]}).encode()).decode(),
    f"a=1%26access_token%3D{TOKEN[4:]}",
]


@pytest.mark.parametrize("text", HIDDEN)
@pytest.mark.parametrize("around", ["{}", "Before {} behind.", "x\n\n{}\n\ny", "." * 3_000 + " {}"])
def test_nothing_that_a_reader_sees_through_hides_a_secret(text: str, around: str) -> None:
    found: Found = {}
    whole = around.format(text)
    masked = mask_text(whole, found)
    assert REDACTED in masked
    assert not re.search("[A-Za-z0-9]{12}", masked.replace(REDACTED, "").replace("." * 3_000, ""))
    assert len(found) == 1
    before, behind = around.split("{}")
    assert masked.startswith(before)
    assert masked.endswith(behind)
    assert mask_text(masked) == masked
    assert json_may_hold_secret(json.dumps([whole], ensure_ascii=False))
    assert mask_value([{"a": whole}]) == [{"a": masked}]


@pytest.mark.parametrize(
    "text",
    [
        f"{TOKEN}\nuser1 said so, and user2",
        f"{TOKEN}\n\nThe-next-line-begins-here",
        f"{TOKEN}\nConfigMap1AndNothingElse and more",
    ],
)
def test_what_follows_a_token_on_the_next_line_stays(text: str) -> None:
    assert mask_text(text) == text.replace(TOKEN, REDACTED)


@pytest.mark.parametrize(
    "text",
    [
        "**Tokens** are `counted`: **12** in all; *password* rules:\n* at least 8\n* one digit",
        "the desk-\nbound task-\nforce of risk-\naverse disk-pressure\nnodes sk-\n",
        "sk-ant-...\nnext line 1234567890abcdefghij",
        "con\u00adfig\u00adura\u00adtion of a sec\u00adret\u00adary",
        "caf\\u00e9 \\u0041BC &#65;BC 100%3D &quot;token&quot; is a word",
        "\x1b[1mpassword\x1b[0m reset: \x1b[31mfailed\x1b[0m",
        base64.b64encode(b"the password is asked for at the desk; no secret here").decode(),
        "| token | string | The token of the page. |",
        '{"credentials": {"user": "ana", "status": "Active"}, "secrets": 3}',
        '{"PasswordPolicy": ["PASSWORD_CHANGE"], "secrets": ["web-tls-2", "db-1"]}',
        "def f(private_key: ed25519.Ed25519PrivateKey, token: int = 1): token = tokens[i]",
        "token = uuid4\nkey = sha256\nsecret = get_secret(name)\nif token == 'a1b2c3': pass",
        "headers = {Authorization: `Bearer ${process.env.TOKEN_1}`}",
        "password: at least 8 characters; token: 12 of 4096; api_key: string",
        "mysql -u root -p books; mysql -P 3306 -p$PASS; cp -pr a b; mysql --protocol=tcp",
        "The password is required, the passcode is 8-characters long; a password is 2fa-protected.",
    ],
)
def test_marks_and_line_ends_around_words_hide_no_word(text: str) -> None:
    assert mask_text(text) == text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("use Authorization: Bearer a1b2c3d4 to log in", "use Authorization: Bearer {} to log in"),
        ("Set `Authorization: Bearer hunter`.", "Set `Authorization: Bearer {}`."),
        ("send X-Api-Key: abc123def with it", "send X-Api-Key: {} with it"),
        ("Your password: hunter2, use it once.", "Your password: {}, use it once."),
        ("Sure, my password is hunter2. Anything else?", "Sure, my password is {}. Anything else?"),
        ("Password is now “Blue#42!”, ana", "Password is now “{}”, ana"),
        ("the passphrase is `desk-7-lamp`", "the passphrase is `{}`"),
        ("**Password:** hunter2", "**Password:** {}"),
        ("**Password**: `hunter2`", "**Password**: `{}`"),
        ("password: `hunter2`", "password: `{}`"),
        ("* API Key: `abc123def456`", "* API Key: `{}`"),
        ("aws_secret_access_key = wJalr/UtnFE4MI", "aws_secret_access_key = {}"),
        ('password = "hunter2"', 'password = "{}"'),
        ("PGPASSWORD=hunter2 psql", "PGPASSWORD={} psql"),
        ("https://x.org/cb#access_token=abcd&b=1", "https://x.org/cb#access_token={}&b=1"),
        ("https://x.org/?a=1&pwd=hunter2", "https://x.org/?a=1&pwd={}"),
        ("https://x.org/?key=a1b2c3d4e5f6g7h8i9j0", "https://x.org/?key={}"),
        ('curl -sS -u "ana:hunter2" https://x.org', 'curl -sS -u "ana:{}" https://x.org'),
        ("mysql -h db -u root -phunter2 books", "mysql -h db -u root -p{} books"),
        ("kubectl exec db -- mysqldump -p'hunter2' b", "kubectl exec db -- mysqldump -p'{}' b"),
        ("sshpass -p hunter2 ssh ana@x.org", "sshpass -p {} ssh ana@x.org"),
        ("machine x.org login ana password hunter2", "machine x.org login ana password {}"),
        ('{"password": 1234, "n": 1234}', '{"password": {}, "n": 1234}'),
        ('{"passwords": ["hunter2", "b"]}', '{"passwords": ["{}", "b"]}'),
        (
            '{"credentials": {"user": "ana", "pass": "hunter"}}',
            '{"credentials": {"user": "ana", "pass": "{}"}}',
        ),
        ('{"name": "DB_PASSWORD", "value": "ab"}', '{"name": "DB_PASSWORD", "value": "{}"}'),
        (
            r"{\"name\": \"DB_PASSWORD\", \"value\": \"ab\"}",
            r"{\"name\": \"DB_PASSWORD\", \"value\": \"{}\"}",
        ),
        ("- name: DB_PASSWORD\n  value: hunter2\n", "- name: DB_PASSWORD\n  value: {}\n"),
        (
            "{&quot;password&quot;: &quot;hunter2&quot;}",
            "{&quot;password&quot;: &quot;{}&quot;}",
        ),
    ],
)
def test_a_value_beside_its_name_is_masked_wherever_it_stands(text: str, masked: str) -> None:
    expected = masked.replace("{}", REDACTED)
    assert mask_text(text) == expected
    assert mask_text(expected) == expected
    assert mask_text(f"{'.' * 3_000}\n{text}") == f"{'.' * 3_000}\n{expected}"


def test_names_with_escaped_underscores_stay_as_they_are() -> None:
    text = r"call `find\_book` and snake\_case, never C:\_temp"
    assert mask_text(text) == text
