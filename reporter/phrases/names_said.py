"""Names, quotations and numbers of a phrase that the cited turns must hold."""

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from reporter.phrases.english import is_known_english
from reporter.phrases.lexicon import KNOWN_NAMES
from reporter.phrases.plain_text import Breach, straight
from reporter.phrases.quantities import other_digits, words_of_number
from reporter.phrases.said import quotes_in, without_quotes
from reporter.phrases.spoken import Recorded, SpokenNames, folded, stems
from reporter.phrases.tallies import counts_said
from reporter.vocabulary import PhraseRule

_EDGES: Final = ".,;:!?()[]{}\"'…"
_INNER: Final = re.compile(r"[/,:;=()+|&\[\]{}\"']+")
_SNAKE: Final = re.compile(r"\w_\w|^_\w|\w_$")
_CAMEL: Final = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_DOTTED: Final = re.compile(r"^[A-Za-z_][\w\-]*(?:\.[A-Za-z_][\w\-]*)+$")
_FLAG: Final = re.compile(r"^--?[A-Za-z]")
_CALLED: Final = re.compile(r"\w\(\)?$")
_UPPER: Final = re.compile(r"^[A-Z]{2,}s?$")
_NAME: Final = re.compile(r"^[A-Z][a-z]{2,}$")
_DIGITS: Final = re.compile(r"\d")
_WORDED: Final = re.compile(r"^(\d+(?:\.\d+)?)-[a-z]+(?:-[a-z]+)*$")
_PLAIN: Final = re.compile(
    r"^[-+~#$€£]?(\d+(?:,\d{3})*(?:\.\d+)?)"
    r"(?:%|ns|us|ms|s|sec|min|m|h|hr|hrs|d|kb|mb|gb|tb|k|x|st|nd|rd|th|°)?$",
    re.IGNORECASE,
)
_RANGE: Final = re.compile(r"^(\d+)(?:-|\.\.)(\d+)$")
_PHONE: Final = re.compile(r"^\d{3,}-\d{4,}$")
_SOUND: Final = frozenset(
    [
        "iphone",
        "ebay",
        "youtube",
        "github",
        "gitlab",
        "javascript",
        "typescript",
        "postgresql",
        "mysql",
        "graphql",
        "openapi",
        "openai",
        "oauth",
        "macos",
        "ios",
        "datetime",
        "ipv",
        "sqlite",
        "mongodb",
        "latex",
        "devops",
        "e.g",
        "i.e",
        "a.m",
        "p.m",
        "id's",
    ]
)
_STANDARD: Final = re.compile(
    r"\b(?:iso[- ]?(?:8601|4217|3166|639)(?:-\d)?|rfc[- ]?\d{3,4}|utf-?(?:8|16)|e\.164|ipv[46]"
    r"|sha-?(?:1|256|512)|base64|oauth ?2(?:\.\d)?|uuid ?v[1-7]|http/[123](?:\.\d)?|http 4\d\d"
    r"|http 5\d\d|json-?rpc(?: 2\.0)?|[ymdhs]{2,4}(?:[-/:.][ymdhs]{2,4})+)\b",
    re.IGNORECASE,
)
"""Standards that an instruction may name although nobody in the recording did."""

_WORDING: Final = re.compile(
    r"(\b(?:return|returns|say|says|saying|answer|reply|read|reads|write|such as|like|e\.g\."
    r"|example|instead of \S+ return)[,:]? )\"[^\"]{1,80}\"",
    re.IGNORECASE,
)
"""Words that an instruction proposes for an error or a result; nobody has said them yet."""

_COUNTABLE: Final = (
    r"(?:times|attempts|tries|calls|requests|retries|errors|answers|replies|turns|searches|lookups)"
)
_COUNTED: Final = re.compile(
    rf"\bboth (?:of )?(?:the |these |those )?{_COUNTABLE}\b|\b(?:half|quarter|thirds?) (?:of|the"
    rf"|an?)\b"
    r"|\bpercent\b|\b(?:a|the) (?:couple|pair|handful) of\b|\b(?:tens|scores) of\b"
    r"|\b(?:double|triple|twofold|threefold|doubled|tripled|halved) (?:the|as)\b|\ba dozen\b"
)
_ORDINARY: Final = re.compile(
    r"(?<!ty[- ])(?<!red )(?<!red and )(?<!sand )(?<!sand and )"
    r"\b(?:one|first|zero|zeroth)\b|\bsecond(?!-)\b|\bseconds\b|\bthird[- ]part(?:y|ies)\b"
    r"|\bhundred percent\b|\bthousands?[- ]separators?\b"
)
_SHORTEST_PLURAL: Final = 3
_NO_AMOUNT: Final = Decimal("NaN")
"""What a date or a time amounts to: it is held against the recording as it is spelled."""

_PAIR: Final = 2
_TOOL_NOUN: Final = r"(?:tool|function|endpoint|command|operation)"


_SECOND: Final = re.compile(
    r"\b(?:second|2nd) (?:time|attempt|try|call|request|retry|search|lookup|turn|error|answer)\b"
)
_TWO_TOOLS: Final = re.compile(r"\b(?:two|both) (?:of the )?tools\b")


def number_breaches(
    text: str, recorded: Recorded, names: SpokenNames, *, is_fix: bool
) -> Iterator[Breach]:
    """Yield the first number of a phrase that stands nowhere in the cited turns.

    `one`, `first` and `zero` speak of no amount that could be miscounted and pass. So does a
    count of calls that is right, and two tools where two are named; a wrong one does not pass
    where its number stands elsewhere.

    Args:
        text: The phrase.
        recorded: The cited turns.
        names: Every name of the wave.
        is_fix: The phrase is an instruction, which may name standards.
    """
    shown = straight(text)
    plain = _STANDARD.sub("standard", shown) if is_fix else shown
    counts = counts_said(without_quotes(plain), recorded.tallies)
    if counts.wrong is not None and not recorded.holds(counts.wrong):
        yield PhraseRule.NUMBER_NOT_RECORDED, counts.wrong
        return
    bare = counts.rest
    if _tools_named(bare, names) == _PAIR:
        bare = _TWO_TOOLS.sub("these tools", bare)
    for piece, value in _amounts(bare):
        if value not in recorded.quantities and not _is_spelled_out(piece, value, recorded):
            yield PhraseRule.NUMBER_NOT_RECORDED, piece
            return
    counted = _COUNTED.search(folded(bare)) or _SECOND.search(folded(bare))
    if counted is not None and not recorded.holds(counted[0]):
        yield PhraseRule.NUMBER_NOT_RECORDED, counted[0]


def _tools_named(bare: str, names: SpokenNames) -> int:
    return len({token.casefold() for token in _tokens(bare)} & names.folded_tools)


def _is_spelled_out(piece: str, value: Decimal, recorded: Recorded) -> bool:
    """Tell whether a date, or a number in words, stands there as it is spelled."""
    amounts_to_nothing = value.is_nan() or not _DIGITS.search(piece)
    return bool(amounts_to_nothing or _PHONE.match(piece)) and recorded.holds(piece)


def name_breaches(
    text: str, recorded: Recorded, names: SpokenNames, *, is_fix: bool
) -> Iterator[Breach]:
    """Yield what a phrase quotes or names and the cited turns do not hold, one a rule."""
    shown = straight(text)
    for quote in quotes_in(_WORDING.sub(r"\1…", shown) if is_fix else shown):
        core = quote.strip(_EDGES)
        if not recorded.quotes(quote) and not (core and recorded.quotes(core)):
            yield PhraseRule.NAME_NOT_CITED, quote
            break
    plain = _STANDARD.sub("standard", shown) if is_fix else shown
    tool = next(_absent_tools(plain, recorded, names), None)
    if tool is not None:
        yield PhraseRule.TOOL_NOT_CITED, tool
    bare = without_quotes(plain)
    code = next(_absent_code(bare, recorded), None)
    if code is not None and tool is None:
        yield PhraseRule.TOOL_NOT_CITED, code
    name = next(_absent_names(bare, recorded), None)
    if name is not None:
        yield PhraseRule.NAME_NOT_CITED, name
    for target in names.targets_in(text):
        if not recorded.holds(target):
            yield PhraseRule.TARGET_NAMED, target
            return


def grounds(text: str, recorded: Recorded, generic: frozenset[str]) -> bool:
    """Tell whether at least one telling word of a phrase stands in the cited turns."""
    told = set(stems(straight(text))) - generic
    if told & recorded.words:
        return True
    return any(_is_code(token) and recorded.holds(token) for token in _tokens(straight(text)))


def _amounts(bare: str) -> Iterator[tuple[str, Decimal]]:
    for token in _tokens(bare):
        range_ = _RANGE.match(token)
        worded, alone = _WORDED.match(token), _PLAIN.match(token)
        digits = range_.groups() if range_ else [one[1] for one in (worded, alone) if one]
        for number in digits:
            yield token, Decimal(number.replace(",", "")[:40]).normalize()
        if not digits and _DIGITS.search(token) and not any(map(str.isalpha, token)):
            yield token, _NO_AMOUNT
    for each in other_digits(bare):
        yield each.piece, each.value.normalize()
    for each in words_of_number(_ORDINARY.sub("…", bare.casefold())):
        yield each.piece, each.value


def _tokens(text: str) -> Iterator[str]:
    for token in text.split():
        core = token.strip(_EDGES).removesuffix("'s")
        if core:
            yield core


def _absent_tools(text: str, recorded: Recorded, names: SpokenNames) -> Iterator[str]:
    words = folded(text)
    tokens = {token.casefold() for token in _tokens(text)}
    for tool in sorted(names.folded_tools):
        if _names_tool(tool, words, tokens, text, names) and not recorded.holds(tool):
            yield tool


def _names_tool(tool: str, words: str, tokens: set[str], text: str, names: SpokenNames) -> bool:
    """Tell whether a phrase names a tool; one that is an English word needs more than the word."""
    if tool not in words:
        spoken = re.sub(r"[_\-.]+", " ", tool)
        return (
            spoken != tool
            and re.search(rf"\b{re.escape(spoken)} {_TOOL_NOUN}\b", words) is not None
        )
    if not tool.isalpha():
        return tool in tokens or (" " in tool and f" {tool} " in f" {words} ")
    if re.search(
        rf"\b{re.escape(tool)}['\"]? {_TOOL_NOUN}s?\b|\b{_TOOL_NOUN}s? (?:named |called )?['\"]?"
        rf"{re.escape(tool)}\b|\bcall(?:s|ed|ing)? (?:to )?(?:the )?['\"]?{re.escape(tool)}\b"
        rf"|['\"]{re.escape(tool)}['\"]",
        words,
    ):
        return True
    if tool in tokens and not is_known_english(tool):
        return True
    spelled = {name for name in names.tools if name.casefold() == tool and name[:1].isupper()}
    inner = re.findall(r"(?<=[a-z,] )[A-Z]\w+", text)
    return any(name in inner for name in spelled)


def _is_code(token: str) -> bool:
    return any(shape.search(token) for shape in (_SNAKE, _CAMEL, _DOTTED, _FLAG, _CALLED)) or bool(
        _DIGITS.search(token) and re.search(r"[a-z]", token) and not _is_number(token)
    )


def _is_number(token: str) -> bool:
    return any(shape.match(token) for shape in (_WORDED, _PLAIN, _RANGE))


def _absent_code(bare: str, recorded: Recorded) -> Iterator[str]:
    for token in _tokens(bare):
        if _stands(token, recorded):
            continue
        for part in _parts(token):
            if _is_code(part) and part.casefold() not in _SOUND and not _stands(part, recorded):
                yield part
        if token.startswith(("/", "./", "~/")):
            yield token


def _absent_names(bare: str, recorded: Recorded) -> Iterator[str]:
    starts = True
    for raw in bare.split():
        token = raw.strip(_EDGES).removesuffix("'s")
        for part in _parts(token):
            if _is_absent_name(part, recorded, starts=starts):
                yield part
        starts = raw.endswith((".", "!", "?", ":"))


def _is_absent_name(part: str, recorded: Recorded, *, starts: bool) -> bool:
    if _DIGITS.search(part) and re.search(r"[A-Z]", part) and not _is_code(part):
        return not _is_number(part) and not _stands(part, recorded)
    upper, name = _UPPER.match(part), _NAME.match(part)
    if not upper and (not name or starts):
        return False
    word = part.casefold()
    known = word in KNOWN_NAMES or word.removesuffix("s") in KNOWN_NAMES or is_known_english(word)
    return not known and not _stands(part, recorded)


def _parts(token: str) -> list[str]:
    return [part for part in _INNER.split(token) if part.strip("-.")]


def _stands(token: str, recorded: Recorded) -> bool:
    return recorded.holds(token) or (
        token.endswith("s") and len(token) > _SHORTEST_PLURAL and recorded.holds(token[:-1])
    )
