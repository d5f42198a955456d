"""Masks secrets in recorded values, before they are written, shown or sent."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

REDACTED: Final = "[redacted]"
"""What stands in the place of a secret."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SECRET_WORD: Final = re.compile(
    "authorization|bearer|cookies?|credentials?|passphrase|passwd|passwords?|secrets?"
    "|(?:access|auth|client|refresh)(?:token|secret)|apikey"
)
_SECRET_PAIRS: Final = frozenset({("api", "key"), ("access", "key"), ("private", "key")})
_TOKENS_FOR: Final = frozenset({"access", "api", "auth", "bearer", "refresh", "session"})
# A page token is a place in a list: masked, a page turned would look like a repeated call.
_PAGE_WORD: Final = re.compile(
    "continuation|cursor|delta|next|page|pagination|prev|previous|resume|start|sync"
)
_HARMLESS_END: Final = re.compile(
    "at|budget|counts?|details|enabled|endpoint|estimate|expir(?:ation|es|y)|in|index|info|kind"
    "|length|limits?|max|name|policy|ref|required|size|status|supported|type|uri|url|usage"
)

# One pattern a shape, each begun by its own letters: searched for only where those stand
# in the text, which costs a tenth of one pattern with all of them.
_SHAPES: Final = tuple(
    (hint, re.compile(pattern, re.DOTALL))
    for hint, pattern in (
        (
            "-----BEGIN",
            r"-----BEGIN[ A-Z]*PRIVATE KEY-----.*?(?:-----END[ A-Z]*PRIVATE KEY-----|\Z)",
        ),
        ("AKIA", r"\bAKIA[0-9A-Z]{16}\b"),
        ("ASIA", r"\bASIA[0-9A-Z]{16}\b"),
        ("gh", r"\bgh[pousr]_[A-Za-z0-9]{36,}\b"),
        ("github_pat_", r"\bgithub_pat_[A-Za-z0-9_]{40,}\b"),
        ("glpat-", r"\bglpat-[A-Za-z0-9_-]{20,}"),
        ("xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
        ("sk-", r"(?<![A-Za-z0-9_-])sk-(?P<sk>[A-Za-z0-9_-]{20,})"),
        ("k_live_", r"\b[rs]k_live_[A-Za-z0-9]{16,}"),
        ("k_test_", r"\b[rs]k_test_[A-Za-z0-9]{16,}"),
        ("AIza", r"\bAIza[0-9A-Za-z_-]{35}"),
        ("ya29.", r"\bya29\.[0-9A-Za-z_-]{20,}"),
        ("hf_", r"\bhf_[A-Za-z0-9]{30,}\b"),
        ("npm_", r"\bnpm_[A-Za-z0-9]{36}\b"),
        ("pypi-AgE", r"\bpypi-AgE[A-Za-z0-9_-]{40,}"),
        ("SG.", r"(?<![A-Za-z0-9_-])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
        ("eyJ", r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
        ("earer ", r"(?P<kept>earer )(?P<bearer>[A-Za-z0-9._~+/=-]{16,})"),
        ("tion: Basic ", r"(?P<kept>tion: Basic )[A-Za-z0-9+/=]{4,}"),
        ("://", r"""(?P<kept>://)[^/\s:@"'<>]*:[^/\s@"'<>]+(?=@)"""),
    )
)
_RUN: Final = re.compile("[A-Za-z0-9]{16}")
_DIGIT: Final = re.compile("[0-9]")
# A name and its value inside text: JSON (also escaped once more), an environment
# line, a part of a query, a header line.
_ASSIGNED: Final = re.compile(
    r"""
      (?P<quote>\\{0,7}")(?P<json>[A-Za-z][A-Za-z0-9_.\ -]{1,60})(?P=quote)\s*:\s*
      (?P=quote)(?P<json_value>(?:(?!(?P=quote)).)+)(?P=quote)
    | \b(?P<env>[A-Z][A-Z0-9_]{2,60})=(?P<env_value>[^\s"'$<>{}(),;]{4,})
    | [?&;](?P<query>[A-Za-z][A-Za-z0-9_-]{1,60})=(?P<query_value>[^\s"'&;<>{}]{4,})
    | (?m:^)(?P<header>(?:[Ss]et-)?[Cc]ookie):\ *(?P<header_value>[^\s=;]+=[^\r\n]+)
    """,
    re.VERBOSE,
)
_SCHEMA_TYPES: Final = frozenset(
    {"array", "boolean", "integer", "null", "number", "object", "string"}
)
_SCHEMA_KEYS: Final = ("$ref", "allOf", "anyOf", "const", "enum", "oneOf", "properties")
_SHORTEST: Final = 8
_NAME_HINTS: Final = ("token", "secret", "passw", "passphrase", "cookie", "key", "uthori", "creden")
_KEPT: Final = re.compile(r"\[redacted\]|\[secret:[^\]\s]*\]|\**")


@lru_cache(maxsize=4096)
def is_secret_key(name: str) -> bool:
    """Tell whether a key names a secret.

    Args:
        name: A key in any spelling: `apiKey`, `API_KEY`, `x-api-key`.

    Returns:
        True where the name says that its value opens something; false for what is only
        counted or described (`inputTokens`, `token_type`) or turns a page (`pageToken`).

    Rule: recording.md section 7.
    """
    words = [word.lower() for word in _WORD.findall(name)]
    if not words or _HARMLESS_END.fullmatch(words[-1]):
        return False
    if any(_SECRET_WORD.fullmatch(word) for word in words):
        return True
    before = ["", *words]
    return any(
        (previous, word) in _SECRET_PAIRS
        or (word == "token" and not _PAGE_WORD.fullmatch(previous))
        or (word == "tokens" and previous in _TOKENS_FOR)
        for previous, word in zip(before, words, strict=False)
    )


def mask_text(text: str) -> str:
    """Return the text with what is shaped like a credential replaced by `[redacted]`.

    A name that says secret is enough where the text spells out its value beside it, as
    JSON, environment lines, addresses and cookie headers do; prose is left alone.
    """
    if len(text) < _SHORTEST:
        return text
    for hint, shape in _SHAPES:
        if hint in text:
            text = shape.sub(_mask_shape, text)
    lowered = text.lower()
    for hint in _NAME_HINTS:
        if hint in lowered:
            return _ASSIGNED.sub(_mask_assigned, text)
    return text


def mask_value(value: Any) -> Any:  # noqa: ANN401  any JSON value
    """Return a JSON value with secrets masked, by key name and by shape.

    A value that needs no masking is returned as it is, so that the common case copies
    nothing.

    Rule: recording.md section 7.
    """
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, Mapping):
        masked = {key: _mask_entry(key, item) for key, item in value.items()}
        named = value.get("name", value.get("key"))
        if isinstance(named, str) and " " not in named and is_secret_key(named):
            masked.update({"value": _mask_whole(value["value"], named)} if "value" in value else {})
        return masked if any(masked[key] is not value[key] for key in masked) else value
    if isinstance(value, list | tuple):
        items = [mask_value(item) for item in value]
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    return value


def _mask_entry(key: object, item: object) -> object:
    if isinstance(item, bool) or item is None:
        return item
    if isinstance(key, str) and is_secret_key(key):
        return _mask_whole(item, key)
    return mask_value(item)


def _mask_whole(item: object, name: str) -> object:
    """Mask what stands under a secret name, deep inside too; a JSON Schema only describes it."""
    if isinstance(item, str):
        return item if _KEPT.fullmatch(item) else REDACTED
    if isinstance(item, int | float) and not isinstance(item, bool):
        # A number under "secrets" counts them.
        return item if name.endswith(("s", "S")) else REDACTED
    if isinstance(item, list | tuple):
        items = [_mask_whole(part, name) for part in item]
        return items if any(a is not b for a, b in zip(items, item, strict=True)) else item
    if isinstance(item, Mapping) and not _is_json_schema(item):
        parts = {key: _mask_inside(key, part, name) for key, part in item.items()}
        return parts if any(parts[key] is not item[key] for key in parts) else item
    return mask_value(item)


def _mask_inside(key: object, item: object, name: str) -> object:
    """Mask a part of a secret object; numbers in it mostly count or date something."""
    if isinstance(item, int | float) and not (isinstance(key, str) and is_secret_key(key)):
        return item
    return _mask_whole(item, name)


def _is_json_schema(value: Mapping[Any, Any]) -> bool:
    kinds = value.get("type")
    words = kinds if isinstance(kinds, list) else [kinds]
    return any(key in value for key in _SCHEMA_KEYS) or any(
        isinstance(word, str) and word in _SCHEMA_TYPES for word in words
    )


def _mask_shape(found: re.Match[str]) -> str:
    """Let words with hyphens pass that only begin like a key (`sk-` is a class prefix too)."""
    parts = found.groupdict()
    key, bearer = parts.get("sk"), parts.get("bearer")
    if key is not None and not (_RUN.search(key) and _DIGIT.search(key)):
        return found[0]
    if bearer is not None and not _DIGIT.search(bearer):
        return found[0]
    return parts.get("kept", "") + REDACTED


def _mask_assigned(found: re.Match[str]) -> str:
    for kind in ("json", "env", "query", "header"):
        name = found[kind]
        if name is None:
            continue
        value = found[f"{kind}_value"]
        if not is_secret_key(name) or _KEPT.fullmatch(value):
            return found[0]
        start = found.start(f"{kind}_value") - found.start()
        return found[0][:start] + REDACTED + found[0][start + len(value) :]
    return found[0]
