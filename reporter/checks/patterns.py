"""Users' regular expressions on an engine that cannot hang: time grows with the text alone."""

import re
from functools import lru_cache
from typing import Any, Final

import re2  # type: ignore[import-untyped]  # it ships no types

LONGEST_TEXT: Final = 100_000
"""Code units of a text that is searched."""

_NESTED: Final = re.compile(r"[+*}]\??\)[+*{]")
_UNICODE_ESCAPE: Final = re.compile(r"\\u([0-9A-Fa-f]{4})")
_GROUP_NAME: Final = re.compile(r"\(\?<([A-Za-z_]\w*)>", re.ASCII)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_GROUP: Final = re.compile(r"\(\?(?!:|<[A-Za-z_$]|[ims]*(?:-[ims]+)?:)")
_LINE_ENDS: Final = r"\n\r\x{2028}\x{2029}"
_SPACES: Final = (
    r"\t\n\x0b\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}"
    r"\x{feff}"
)
_KNOWN_ESCAPES: Final = frozenset("dDwWbBtnrfvx0123456789\\^$.|?*+()[]{}/-")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class PatternError(ValueError):
    """A pattern does not compile on the engine that is used; the message says why."""


@lru_cache(maxsize=256)
def compile_re2(pattern: str, flags: str = "") -> Any:  # noqa: ANN401  the binding has no types
    """Compile a pattern of RE2 syntax; a few ECMAScript spellings are translated first.

    Raises:
        PatternError: It does not compile.

    Rule: checks.md section 6.7.
    """
    text = _ESCAPE.sub(_respelled, pattern)
    return _compiled(f"(?{flags}){text}" if flags else text)


@lru_cache(maxsize=256)
def compile_ecmascript(pattern: str) -> Any:  # noqa: ANN401  the binding has no types
    """Compile a pattern of ECMAScript syntax without flags.

    Lookaround and backreferences have no bound on their time and do not compile here.

    Raises:
        PatternError: It does not compile.

    Rule: checks.md sections 6.4 (`responseMatches`) and 15.
    """
    return _compiled(_translated(pattern))


def _respelled(found: re.Match[str]) -> str:
    """Spell one escape as RE2 does; an escaped backslash begins no other escape."""
    if found[1] is not None:
        return rf"\x{{{found[1]}}}"
    return "/" if found[2] == "/" else found[0]


def has_nested_quantifier(pattern: str) -> bool:
    """Tell whether a group that repeats repeats again, as the contract looks for it.

    Rule: checks.md section 6.4, `responseMatches`.
    """
    return _NESTED.search(pattern) is not None


def finds(compiled: Any, text: str) -> bool:  # noqa: ANN401  the binding has no types
    """Tell whether a compiled pattern is found anywhere in a text."""
    return compiled.search(_SURROGATE.sub("\ufffd", text)) is not None


def _compiled(text: str) -> Any:  # noqa: ANN401  the binding has no types
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(text, options)
    except (re2.error, UnicodeEncodeError) as error:
        said = error.args[0] if error.args else str(error)
        words = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise PatternError(words) from None


def _translated(pattern: str) -> str:
    """Spell an ECMAScript pattern as RE2 does."""
    out: list[str] = []
    at, in_class = 0, False
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            piece, at = _escape(pattern, at, in_class=in_class)
        elif in_class:
            in_class = char != "]"
            piece, at = (r"\[" if char == "[" else char), at + 1
        else:
            piece, at = _outside(pattern, at)
            in_class = piece == "["
        out.append(piece)
    return "".join(out)


def _outside(pattern: str, at: int) -> tuple[str, int]:
    """Translate what stands outside of a class, and say where it ends."""
    for whole, piece in _WHOLE.items():
        if pattern.startswith(whole, at):
            return piece, at + len(whole)
    if _GROUP.match(pattern, at):
        raise PatternError("a group of this kind is not searched for here")
    named = _GROUP_NAME.match(pattern, at)
    if named:
        return f"(?P<{named[1]}>", named.end()
    return pattern[at], at + 1


def _escape(pattern: str, at: int, *, in_class: bool) -> tuple[str, int]:
    """Translate one escape; an unknown one stands for its character."""
    following = pattern[at + 1 : at + 2]
    if not following:
        return "\\", at + 1
    if following == "k" and _GROUP_NAME.search(pattern):
        raise PatternError("a reference to a group is not searched for here")
    unicode_escape = _UNICODE_ESCAPE.match(pattern, at)
    if unicode_escape:
        return rf"\x{{{unicode_escape[1]}}}", unicode_escape.end()
    escapes = _IN_CLASS if in_class else _OUTSIDE
    if following in escapes:
        return escapes[following], at + 2
    known = following in _KNOWN_ESCAPES
    return (pattern[at : at + 2] if known else re.escape(following)), at + 2


_WHOLE: Final = {
    r"[\s\S]": "(?s:.)",
    r"[\S\s]": "(?s:.)",
    "[^]": "(?s:.)",
    # An empty class matches nothing; RE2 would read the bracket as its first member.
    "[]": r"[^\x00-\x{10FFFF}]",
    ".": f"[^{_LINE_ENDS}]",
}
_COMMON: Final = {"v": r"\x0b", "/": "/"}
_IN_CLASS: Final = {**_COMMON, "s": _SPACES, "b": r"\x08", "S": r"\S"}
_OUTSIDE: Final = {**_COMMON, "s": f"[{_SPACES}]", "S": f"[^{_SPACES}]"}
