import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reporter.credentials import (
    MAINTAINED,
    OWN,
    Plugin,
    SecretKind,
    Shape,
    json_may_hold_secret,
    may_hold_secret,
    may_hold_shape,
    patterns_of,
)
from reporter.redaction import Found, mask_text
from reporter.secret_names import kind_of_name

A40 = "aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xY4zA6b"
HEX = "0123456789abcdef0123456789abcdef"
SOME = settings(max_examples=8, suppress_health_check=list(HealthCheck), deadline=None)

SAMPLES = [
    (SecretKind.KEY_MATERIAL, "-----BEGIN PGP PRIVATE KEY BLOCK-----\nabc"),
    (SecretKind.KEY_MATERIAL, "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nabc"),
    (SecretKind.KEY_MATERIAL, "PuTTY-User-Key-File-3: ssh-rsa\nabc\nPrivate-MAC: 0a1b"),
    (SecretKind.KEY_MATERIAL, "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFb3dJQkFBS0NBUUVB"),
    (SecretKind.KEY_MATERIAL, f"AGE-SECRET-KEY-1{A40.upper()}"),
    (SecretKind.API_KEY, "ABIAIOSFODNN7EXAMPLE"),
    (SecretKind.API_KEY, f"gsk_{A40}{A40[:12]}"),
    (SecretKind.API_KEY, f"xai-{A40}"),
    (SecretKind.API_KEY, f"dapi{HEX}"),
    (SecretKind.TOKEN, f"dop_v1_{HEX}{HEX}"),
    (SecretKind.TOKEN, f"hvs.{A40}"),
    (SecretKind.TOKEN, f"shpat_{HEX}"),
    (SecretKind.TOKEN, "eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.abc.def.ghi.jkl"),
    (SecretKind.TOKEN, f"whsec_{A40}"),
    (SecretKind.TOKEN, f"dckr_pat_{A40[:27]}"),
    (SecretKind.TOKEN, f"glsa_{A40[:32]}_{HEX[:8]}"),
    (SecretKind.TOKEN, f"sntrys_{A40}{A40}"),
    (SecretKind.TOKEN, f"lsv2_pt_{HEX}_{HEX[:10]}"),
    (SecretKind.TOKEN, f"ntn_{A40}{A40[:6]}"),
    (SecretKind.TOKEN, f"sbp_{HEX}{HEX[:8]}"),
    (SecretKind.TOKEN, f"tvly-dev-{A40[:32]}"),
    (SecretKind.TOKEN, f"dp.pt.{A40}"),
    (SecretKind.TOKEN, f"PMAK-{HEX[:24]}-{HEX}{HEX[:2]}"),
    # Those below stand in detect-secrets alone.
    (SecretKind.TOKEN, f"glrt-{A40[:20]}"),
    (SecretKind.TOKEN, f"glcbt-1f_{A40[:20]}"),
    (SecretKind.TOKEN, "https://hooks.slack.com/services/T0AB/B0CD/aBcDeF"),
    (SecretKind.TOKEN, f"{'M' + A40[:23]}.{A40[:6]}.{A40[:27]}"),
    (SecretKind.TOKEN, f"123456789:AA{A40[:33]}"),
    (SecretKind.API_KEY, f"AKC{A40[:20]}"),
    (SecretKind.API_KEY, f"{HEX}-us12"),
    (SecretKind.API_KEY, f"sq0csp-{A40}{A40[:3]}"),
    (SecretKind.API_KEY, f"AC{HEX}"),
    (SecretKind.API_KEY, f"AccountKey={A40}{A40}{A40[:8]}"),
]


@pytest.mark.parametrize(("kind", "secret"), SAMPLES, ids=[text[:20] for _, text in SAMPLES])
def test_each_shape_is_found_masked_and_called_by_its_kind(kind: SecretKind, secret: str) -> None:
    found: Found = {}
    masked = mask_text(f"see {secret} here", found)
    assert masked.startswith("see [redacted]")
    assert set(found.values()) == {kind}
    for piece in re.findall("[A-Za-z0-9]{12,}", secret):
        assert piece not in masked
    assert mask_text(masked) == masked


@pytest.mark.parametrize("shape", OWN, ids=lambda shape: shape.literals[0])
@SOME
@given(data=st.data())
def test_the_quick_look_passes_over_no_shape_of_ours(shape: Shape, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(shape.pattern))
    assert shape.may_stand_in(text)
    assert may_hold_shape(text)
    assert may_hold_secret(text)
    assert may_hold_secret(text + " " * 3_000)
    assert may_hold_shape(text + " " * 3_000)


_ASCII = st.characters(codec="ascii")


@pytest.mark.parametrize("plugin", MAINTAINED, ids=lambda plugin: plugin.name)
@SOME
@given(data=st.data())
def test_the_quick_look_passes_over_no_pattern_of_the_rule_set(
    plugin: Plugin, data: st.DataObject
) -> None:
    pattern = data.draw(st.sampled_from(patterns_of(plugin)))
    # Letters of other alphabets that equal an ASCII letter of another case make no token.
    text = data.draw(st.from_regex(pattern, alphabet=_ASCII))
    if "telegram" in plugin.name:
        # Of those only the ones are looked for that the service gives out.
        text = re.sub(r"([0-9]:)..", r"\1AA", text)
    assert plugin.may_stand_in(text, text.lower())
    assert may_hold_shape(text)
    assert may_hold_secret(text + " " * 3_000)


def test_half_a_character_hides_nothing() -> None:
    assert mask_text(f"\ud800 ghp_{A40}") == "\ud800 [redacted]"
    assert mask_text("\ud800 nothing here") == "\ud800 nothing here"


@pytest.mark.parametrize(
    "text",
    [
        "pod/api-server-7d9f8c6b5-x2x4q in namespace kube-system",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "order W5061109, ticket 550e8400-e29b-41d4-a716-446655440000, call_abcDEF0123456789ABC",
        "toolu_01A09q90qw90lq917835lq9 and chatcmpl-9x8Y7w6V5u4T3s2R1q0P",
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSURCakNDQWU2Z0F3SUJBZ0lCQVRBTg==",
        "secretName: web-tls\nsecret: web-tls\nserviceAccountToken: kube-api-access",
        "Prior authorization: required. Authorization: AUTH000059",
        "- Authorization: AUTH001234B\n- authorization: PENDING",
        "- --tls-private-key-file=/etc/kubernetes/pki/apiserver.key",
        "Subscription: Basic Mobile plan",
        "export OPENAI_API_KEY=sk-...",
        "def login(password=None, token=token, api_key=config.api_key): ...",
        "eyJtZXNzYWdlIjoiaGVsbG8ifQ.just.text",
        "the secret: nobody knows\ncookie: chocolate",
        "max_tokens=4096 total_tokens: 12",
    ],
)
def test_what_opens_nothing_survives(text: str) -> None:
    found: Found = {}
    assert mask_text(text, found) == text
    assert not found


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("#cloud-config\n  password: fedora\n", "#cloud-config\n  password: [redacted]\n"),
        ("a: 1\\npassword: hunter2\\nb: 2", "a: 1\\npassword: [redacted]\\nb: 2"),
        ("- token: abcdef.0123456789abcdef", "- token: [redacted]"),
        ("apiKey: 'a b c'", "apiKey: '[redacted]'"),
        ("Authorization: 0a1b2c3d4e5f6g", "Authorization: [redacted]"),
        ("X-Api-Key: 0a1b2c3d4e", "X-Api-Key: [redacted]"),
        (
            'curl -H "Authorization: token abc123def" x',
            'curl -H "Authorization: token [redacted]" x',
        ),
        ("host=db user=a password=hunter2 port=1", "host=db user=a password=[redacted] port=1"),
        ("Server=a;User=b;Password=hunter2;", "Server=a;User=b;Password=[redacted];"),
        ('password = "a"\nAPI_KEY="b c"', 'password = "a"\nAPI_KEY="[redacted]"'),
        ("{'password': 'hunter2'}", "{'password': '[redacted]'}"),
        ('{"password": "a\\"b", "n": 1}', '{"password": "[redacted]", "n": 1}'),
        ('{"password": "cut off he', '{"password": "[redacted]'),
        ("<password>hunter2</password>", "<password>[redacted]</password>"),
        ("mysql --password hunter2 -u a", "mysql --password [redacted] -u a"),
        ("ALTER USER a WITH PASSWORD 'b'", "ALTER USER a WITH PASSWORD '[redacted]'"),
        ("kubectl --from-literal=password=hunter2", "kubectl --from-literal=password=[redacted]"),
        (
            "https://a.b/c?X-Amz-Signature=0123456789abcdef&d=1",
            "https://a.b/c?X-Amz-Signature=[redacted]&d=1",
        ),
        ("Set-Cookie: sid=abc; Path=/", "Set-Cookie: [redacted]"),
    ],
)
def test_values_beside_a_name_are_masked(text: str, masked: str) -> None:
    assert mask_text(text) == masked
    assert mask_text(masked) == masked


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("db_password", SecretKind.PASSWORD),
        ("Set-Cookie", SecretKind.COOKIE),
        ("privateKey", SecretKind.KEY_MATERIAL),
        ("x-api-key", SecretKind.API_KEY),
        ("refreshToken", SecretKind.TOKEN),
        ("Authorization", SecretKind.TOKEN),
        ("client_secret", SecretKind.SECRET),
    ],
)
def test_a_name_tells_the_kind(name: str, kind: SecretKind) -> None:
    assert kind_of_name(name) is kind


def test_a_name_beside_its_value_in_json_is_a_clue() -> None:
    assert json_may_hold_secret('{"name": "DB_PASSWORD", "value": "abc"}')
    assert not json_may_hold_secret('{"name": "PORT", "value": "80"}')
