"""Names that say secret, alone and inside text, and where the value beside one stands."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from reporter.credentials import SecretKind

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SECRET_WORD: Final = re.compile(
    "authorization|bearer|cookies?|credentials?|passphrase|passwd|[a-z]*passwords?|secrets?"
    "|(?:access|auth|bot|client|csrf|id|refresh|session)(?:token|secret)|[a-z]*(?:api|secret)key"
)
_SECRET_PAIRS: Final = frozenset({("api", "key"), ("access", "key"), ("private", "key")})
_TOKENS_FOR: Final = frozenset({"access", "api", "auth", "bearer", "refresh", "session"})
# A page token is a place in a list: masked, a page turned would look like a repeated call.
_PAGE_WORD: Final = re.compile(
    "continuation|cursor|delta|next|page|pagination|prev|previous|resume|start|sync"
)
_HARMLESS_END: Final = re.compile(
    "at|budget|counts?|details|dir|enabled|endpoint|estimate|expir(?:ation|es|y)|file|in|index"
    "|info|kind|length|limits?|max|name|path|policy|ref|required|size|status|supported|ttl|type|uri"
    "|url|usage|validity"
)
_PASSWORDS: Final = frozenset({"passphrase", "passwd", "password", "passwords"})

_STEMS: Final = ("uthorization", "bearer", "cookie", "credential", "passphrase", "passw", "secret",
                 "token", "key")  # fmt: skip
"""One of these stands in every name that says secret, in lower case."""

_NAME_CHARS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.- "
_REACH: Final = 60
"""Characters of a name that are looked at on each side of the word that says secret."""

_SEPARATOR: Final = re.compile(r"\s{0,12}:\s{0,12}")
_LAST_WORD: Final = re.compile(r"[A-Za-z0-9_-]+\Z")
_FLAG: Final = re.compile(r"--([A-Za-z][A-Za-z0-9-]*) +(\S+)")
_UPPER: Final = re.compile(r"[A-Z][A-Z0-9_]{2,}")
_ASSIGNED: Final = re.compile(r"""[^\s"'&;<>{}(),\\]{4,}""")
_QUOTED: Final = re.compile(r""" ?(["'])(?=[^"'])""")
_ONE_WORD: Final = re.compile(r"""[^\s"'`{}\[\]<>|>&*,\\][^\s"'`{}<>,\\]*""")
_MIXED: Final = re.compile(r"(?=[^\s]*[0-9])(?=[^\s]*[A-Za-z])[^\s]{6,}")
"""What has digits and letters, as no word of a sentence has."""
_DOTTED: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
"""A name of a program, in its module."""
_TRAILING: Final = ".,;:!?)"
_SPACED: Final = re.compile(r"[A-Za-z0-9+/=~!@$%^&*_-]{6,}(?=[ \t]*(?:[\r\n#;]|\\[nr]|\Z))")
_PASSWORD_WORD: Final = re.compile("(?i)passw")
_PARTS_NAME: Final = re.compile("[a-z]+(?:_[a-z0-9]+)+|[a-z]+_?[0-9]{1,2}|[a-z]{1,4}[0-9]+")
"""What programs call things by."""
_TWO_WORDS: Final = re.compile("(?i)(?:api|access|secret|private) key|client secret|access token")
_PAIR: Final = re.compile(
    r"""(?P<quote>\\*["']?),?(?:\s|\\+[nr]){0,80}(?P=quote)value(?P=quote)\s{0,4}:\s{0,4}"""
    r"""(?P<own>\\*["'])?"""
)
_OF_PAIR: Final = re.compile(r"""(?:name|key)\\*["']?\s{0,4}:\s{0,4}\\*["']?\Z""")
_PLAIN_VALUE: Final = re.compile(r"""[^\s"'\\{}\[\],|>&*$]+(?=[ \t]*(?:[\r\n]|\\[nr]|\Z))""")
_BULLET: Final = re.compile(r"(?:^|[\r\n])[ \t]{0,8}[*+]\Z")
_NUMBER_VALUE: Final = re.compile(r"[0-9]{4,}(?![0-9.eE])")
_NEXT_PART: Final = re.compile(r"""[][{}"'`\\]""")
_MOST_PARTS: Final = 1_000
"""Characters of a list or an object under a name of a secret that are looked through."""
_PARTS: Final = frozenset({"pass", "passcode", "pin", "pwd"})
"""Keys that name a secret only where they stand under one that does."""
_SCHEME: Final = re.compile(r"(?i:basic|bearer|token|digest|negotiate|apikey) +")
_COOKIES: Final = re.compile(r"""[^\s=;"'\\]+=[^\r\n"'\\]+""")
_EXPRESSION: Final = re.compile(r"[A-Za-z_][A-Za-z_.]*|[$%<{(\[].*|\d{1,4}")
_NUMBER: Final = re.compile(r"[A-Za-z0-9_#-]{1,12}|[A-Z]{1,8}[-_#]?[0-9]{1,12}")
_LINE_END: Final = re.compile(r"[ \t]{0,80}(?:[\r\n#]|\\[nr]|\Z)")
# What is only called a secret may be the name of one, such as that of a resource.
_SECRETS_NAME: Final = re.compile(r"[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*")
_TOKENS_NAME: Final = re.compile(r"[a-z]+(?:-[a-z0-9]+)*")
_PATH: Final = re.compile(r"(?:~|\.{1,2})?/.*|[$%].*")
# A mask, or what stands for a value in an example.
_KEPT: Final = re.compile(r"\[redacted\]|\[secret:[^\]\s]*\]|\*+|[xX]{3,}|<.*>|.*(?:\.\.\.|…)")

Named = tuple[int, int, SecretKind]
"""Where a secret value begins and ends in a text, and its kind."""


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


def kind_of_name(name: str) -> SecretKind:
    """Return what kind of secret a name that says secret stands for."""
    words = [word.lower() for word in _WORD.findall(name)]
    joined = " ".join(words)
    for stem, kind in (
        ("pass", SecretKind.PASSWORD),
        ("cookie", SecretKind.COOKIE),
        ("private key", SecretKind.KEY_MATERIAL),
        ("key", SecretKind.API_KEY),
        ("token", SecretKind.TOKEN),
        ("authorization", SecretKind.TOKEN),
        ("bearer", SecretKind.TOKEN),
    ):
        if stem in joined:
            return kind
    return SecretKind.SECRET


def is_number_of(name: str, value: str) -> bool:
    """Tell whether a value is only the number of what a name calls it, and opens nothing.

    An insurer's authorization has a number, such as `AUTH000059`; a header's is a credential.
    """
    return "authori" in name.lower() and _NUMBER.fullmatch(value) is not None


def named_values(text: str) -> Iterator[Named]:
    """Yield the values in a text that stand beside a name that says secret, in order.

    Looked for are JSON members, also escaped; assignments and parts of a query; lines and
    headers of a name, a colon and one word; elements of XML; flags of a command.
    """
    end = 0
    for place in _places(text):
        if place < end:
            continue
        for value in _values_at(text, place, end):
            if value[0] >= end and value[1] > value[0] and not _KEPT.fullmatch(text, *value[:2]):
                yield value
                end = value[1]


def _places(text: str) -> list[int]:
    """Return where the words stand that a secret's name holds."""
    lowered = text.lower()
    if len(lowered) != len(text):
        # A few characters grow when they are made small, which would shift every place.
        lowered = "".join(char.lower() if char.isascii() else char for char in text)
    places: set[int] = set()
    for stem in _STEMS:
        at = lowered.find(stem)
        while at >= 0:
            places.add(at)
            at = lowered.find(stem, at + 1)
    return sorted(places)


def _values_at(text: str, place: int, floor: int) -> Iterable[Named]:
    """Return the values of the name that a word of it stands in, mostly one or none."""
    before = text[max(floor, place - _REACH) : place]
    after = text[place : place + _REACH]
    start = place - (len(before) - len(before.rstrip(_NAME_CHARS)))
    stop = place + (len(after) - len(after.lstrip(_NAME_CHARS)))
    # Inside JSON a line feed is a backslash and an n, which would begin the name.
    if start < place and text[start] in "nrt" and text[start - 1 : start] == "\\":
        start += 1
    name, follows = text[start:stop], text[stop : stop + 1]
    flag = _FLAG.search(text, start, stop + 200) if "--" in name else None
    if flag is not None and flag.start(1) <= place < flag.end(1):
        return _or_none(_flag_value(flag))
    quote = _quote_before(text, start)
    if (paired := _paired(text, start, stop, name)) is not None:
        return [paired]
    if quote and text.startswith(quote, stop):
        return _member(text, name, stop + len(quote), quote)
    if follows == ":":
        return _or_none(
            _line_value(text, start, stop, quote) or _said_value(text, name, stop, quote)
        )
    return _or_none(_unspaced(text, name, start, stop))


def _or_none(value: Named | None) -> list[Named]:
    return [] if value is None else [value]


def _paired(text: str, start: int, stop: int, name: str) -> Named | None:
    """Return the value that stands under `value`, behind a secret's name under `name`."""
    found = _PAIR.match(text, stop)
    if found is None or not _OF_PAIR.search(text, max(0, start - 24), start):
        return None
    if not is_secret_key(name.strip()):
        return None
    own, kind = found["own"], kind_of_name(name)
    if own:
        return found.end(), _closing(text, found.end(), own), kind
    value = _PLAIN_VALUE.match(text, found.end())
    return None if value is None else (*value.span(), kind)


def _said_value(text: str, name: str, stop: int, quote: str) -> Named | None:
    """Return the value behind a name and a colon within a sentence: no word of one looks so."""
    found = _LAST_WORD.search(name)
    separator = _SEPARATOR.match(text, stop)
    if found is None or not is_secret_key(found[0]) or separator is None or "\n" in separator[0]:
        return None
    scheme = _SCHEME.match(text, separator.end())
    value = _ONE_WORD.match(text, scheme.end() if scheme else separator.end())
    if value is None or (scheme is None and "authori" in found[0].lower()):
        return None
    said, kind = value[0].rstrip(_TRAILING), kind_of_name(found[0])
    is_quoted = bool(quote and scheme and text.startswith(quote, value.end()))
    is_word = not _MIXED.fullmatch(said) or _DOTTED.fullmatch(said) or _is_called(kind, said)
    return None if is_word and not is_quoted else (value.start(), value.start() + len(said), kind)


def _is_called(kind: SecretKind, value: str) -> bool:
    """Tell whether a value is where a secret stands, or what it is called, and not the secret."""
    named = {SecretKind.SECRET: _SECRETS_NAME, SecretKind.TOKEN: _TOKENS_NAME}.get(kind, _PATH)
    return any(known.fullmatch(value) for known in (named, _PATH))


def _unspaced(text: str, name: str, start: int, stop: int) -> Named | None:
    """Return the value that an equals sign, a bracket or a quote parts from its name."""
    before, follows = text[max(0, start - 1) : start], text[stop : stop + 1]
    if follows == "=":
        return _assignment(text, name, stop + 1, before)
    if follows == ">" and before == "<" and is_secret_key(name):
        closing = text.find("<", stop + 1)
        return (stop + 1, closing, kind_of_name(name)) if closing > 0 else None
    if follows == "'" and (word := _LAST_WORD.search(name.rstrip())):
        return _spoken(text, word[0], stop + 1)
    return None


def _quote_before(text: str, start: int) -> str:
    """Return the quote that stands before a place, with the backslashes that escape it."""
    if start == 0 or text[start - 1] not in "\"'`":
        return ""
    first = start - 1
    while first > max(0, start - 9) and text[first - 1] == "\\":
        first -= 1
    return text[first:start]


def _member(text: str, name: str, at: int, quote: str) -> Iterable[Named]:
    """Return the values of a member of a JSON object or of one that looks like it."""
    separator = _SEPARATOR.match(text, at)
    if separator is None or not is_secret_key(name):
        return []
    start, kind = separator.end(), kind_of_name(name)
    if text.startswith(quote, start):
        start += len(quote)
        end = _closing(text, start, quote)
        return [] if is_number_of(name, text[start:end]) else [(start, end, kind)]
    if text[start : start + 1] in ("[", "{"):
        return _parts(text, start, quote, kind)
    number = _NUMBER_VALUE.match(text, start)
    # A number under "secrets" counts them.
    return [] if number is None or name[-1] in "sS" else [(*number.span(), kind)]


def _parts(text: str, start: int, quote: str, kind: SecretKind) -> Iterator[Named]:
    """Yield what in a list or an object can only be secret; most of it describes something."""
    depth, at, key = 0, start, ""
    stop = min(len(text), start + _MOST_PARTS)
    while at < stop:
        if text.startswith(quote, at):
            begin = at + len(quote)
            at = _closing(text, begin, quote)
            said, at = text[begin:at], at + len(quote)
            if (separator := _SEPARATOR.match(text, at)) is not None:
                key, at = said, separator.end()
            elif _is_part(key, said, kind):
                yield begin, begin + len(said), kind
            continue
        depth += (text[at] in "[{") - (text[at] in "]}")
        found = _NEXT_PART.search(text, at + 1, stop)
        if depth == 0 or found is None:
            return
        at = found.start()


def _is_part(key: str, value: str, kind: SecretKind) -> bool:
    if key:
        return key in _PARTS and bool(value)
    is_named = _is_called(kind, value) or _SECRETS_NAME.fullmatch(value)
    return _MIXED.fullmatch(value) is not None and not (is_named and "-" in value)


def _closing(text: str, start: int, quote: str) -> int:
    """Return where a quoted value ends; one that was cut off ends with its line."""
    at = text.find(quote, start)
    # A quote inside the value has one backslash more than the one that ends it.
    while at > start and text[at - 1] == "\\":
        at = text.find(quote, at + len(quote))
    if at >= 0:
        return at
    line = text.find("\n", start)
    return len(text) if line < 0 else line


def _assignment(text: str, name: str, at: int, before: str) -> Named | None:
    """Return the value of `NAME=value`, `?name=value` or `name = "value"`."""
    word = _LAST_WORD.search(name.rstrip(" "))
    if word is None or not is_secret_key(word[0]):
        return None
    own = word[0].lstrip("-")
    if name.endswith(" "):
        return _spaced_assignment(text, own, at)
    is_plain = _UPPER.fullmatch(own) or (before and before in "?&;#" and own == name)
    if (quoted := _QUOTED.match(text, at)) is not None:
        start, end = quoted.end(), _closing(text, quoted.end(), quoted[1])
    elif (found := _ASSIGNED.match(text, at)) is not None:
        start, end = found.span()
    else:
        return None
    value = text[start:end]
    if _PATH.fullmatch(value) or value[0] in "<[" or not (is_plain or _is_opaque(value)):
        return None
    return start, end, kind_of_name(own)


def _spaced_assignment(text: str, name: str, at: int) -> Named | None:
    """Return the value of `name = value`, as files of settings have it, and programs too."""
    if (quoted := _QUOTED.match(text, at)) is not None:
        start, end = quoted.end(), _closing(text, quoted.end(), quoted[1])
        value = text[start:end]
        is_said = _is_opaque(value) and not _PATH.fullmatch(value) and " " not in value
        return (start, end, kind_of_name(name)) if is_said else None
    start = at + (text[at : at + 1] == " ")
    found = _SPACED.match(text, start)
    if found is None or not _MIXED.fullmatch(found[0]):
        return None
    if _PARTS_NAME.fullmatch(found[0]) and not _PASSWORD_WORD.search(name):
        return None
    return None if found[0][0] in "=$" else (*found.span(), kind_of_name(name))


def _is_opaque(value: str) -> bool:
    """Tell whether a value is nothing that a program or a sentence would spell out."""
    return not _EXPRESSION.fullmatch(value)


def _line_value(text: str, start: int, stop: int, quote: str) -> Named | None:
    """Return the value of a line `name: value`, as headers and YAML have it."""
    head = text[max(0, start - 2) : start]
    is_line = not head or head[-1] in "\n\r" or head in ("\\n", "\\r") or bool(quote)
    is_line = is_line or _BULLET.search(text, max(0, start - 12), start) is not None
    name = text[start:stop].strip().removeprefix("- ").strip()
    if not is_line or not is_secret_key(name):
        return None
    if " " in name and not _TWO_WORDS.fullmatch(name):
        return None
    separator = _SEPARATOR.match(text, stop)
    if separator is None or "\n" in separator[0]:
        return None
    span = _value_of_line(text, separator.end(), name, quote)
    return None if span is None else (*span, kind_of_name(name))


def _value_of_line(text: str, at: int, name: str, quote: str) -> tuple[int, int] | None:
    kind = kind_of_name(name)
    if kind is SecretKind.COOKIE:
        found = _COOKIES.match(text, at)
        return found.span() if found else None
    if (scheme := _SCHEME.match(text, at)) is not None:
        at = scheme.end()
    own_quote = text[at : at + 1]
    if own_quote in ('"', "'", "`") and own_quote != quote:
        end = _closing(text, at + 1, own_quote)
        # What a program puts together is no secret yet.
        return None if "${" in text[at:end] else (at + 1, end)
    found = _ONE_WORD.match(text, at)
    if found is None or not _ends_line(text, found.end(), quote):
        return None
    if _is_called(kind, found[0]) or (" " in name and not _MIXED.fullmatch(found[0])):
        return None
    if scheme is None and is_number_of(name, found[0]):
        return None
    return found.span()


def _ends_line(text: str, at: int, quote: str) -> bool:
    return bool(quote and text.startswith(quote, at)) or _LINE_END.match(text, at) is not None


def _flag_value(flag: re.Match[str]) -> Named | None:
    """Return the value of `--name value` on a command line."""
    name, value = flag[1], flag[2]
    if not is_secret_key(name) or value.startswith("-") or not _is_opaque(value):
        return None
    return (*flag.span(2), kind_of_name(name))


def _spoken(text: str, word: str, at: int) -> Named | None:
    """Return what stands in single quotes behind the word password, as SQL has it."""
    if word.lower() not in _PASSWORDS:
        return None
    end = text.find("'", at, at + 200)
    return (at, end, SecretKind.PASSWORD) if end > at and "\n" not in text[at:end] else None
