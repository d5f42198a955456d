"""Words that count sessions or people, and words that speak beyond the cited turns."""

import re
from typing import Final

from reporter.findings.text import fold_space
from reporter.phrases.lexicon import OCCASIONS, PEOPLE, SESSIONS
from reporter.phrases.plain_text import straight
from reporter.phrases.said import any_of, own_words, piece

_NUMBER: Final = (
    r"\d[\d,.]*%?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?: \w+)?"
    r"|(?:a |one )?(?:hundreds?|thousands?|dozens?)"
)
_VAGUE: Final = (
    r"(?:a )?(?:couple|pair|handful)|half|(?:a |one )?(?:third|quarter|fifth|tenth)"
    r"|(?:two|three|four) (?:thirds|quarters|fifths)|both|neither|zero|several|many|some"
    r"|multiple|numerous|various|certain|most|(?:a )?few(?:er)?|plenty|lots|a lot|tens"
    r"|(?:the |a )?(?:vast |large |small |great )?"
    r"(?:majority|minority|fraction|share|proportion|percentage|number)"
    r"|(?:a |one )?single|percent"
)
_THE: Final = r"(?:the |these |those |its |our |cited )?"
_PART: Final = (
    r"(?! (?:ids?|identifiers?|tokens?|cookies?|keys?|names?|data|states?|accounts?|emails?"
    r"|profiles?"
    r"|records?|roles?|groups?|fields?|objects?|lists?|numbers?|details?|agents?|interfaces?)\b)"
)
"""What belongs to a user or a session and is counted in its own right."""

_WHO: Final = rf"(?:{PEOPLE}|{SESSIONS}){_PART}"
_FEW: Final = r"(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty)"
_COUNTS: Final = any_of(
    rf"(?:{_NUMBER}|{_VAGUE}) (?:of )?(?:all )?{_THE}(?:\w+ )?{_WHO}",
    rf"{_FEW} (?:out )?of (?:all )?{_THE}{_FEW}",
    rf"{_FEW} in (?:every )?{_FEW}",
    rf"(?<![\w.\-/]){_FEW} ?/ ?{_FEW}(?![.\-/]\w)",
    rf"{_WHO} ?[:=(] ?\d+",
)
_COUNTS_SESSIONS: Final = any_of(
    rf"(?:{_NUMBER}|{_VAGUE}) (?:of )?(?:all )?{_THE}(?:\w+ )?(?:{SESSIONS}){_PART}",
    rf"(?:{_NUMBER}|{_VAGUE}) (?:of )?(?:all )?(?:the )?other {_WHO}",
)
_NO_COUNTS: Final = re.compile(
    r"\b(?:dry|test|ci|build|pipeline|job|container|login|shell|browser|previous) "
    r"(?:runs?|sessions?)\b"
)
"""Runs and sessions that are no session of a wave."""

_OF: Final = r"(?:of )?(?:the |these |those |its |our )?"
_UP_TO_TWO: Final = r"(?:(?!other\b|way\b|such\b)\w+ ){0,2}?"
_WIDE_PEOPLE: Final = (
    rf"(?:all|every|any|each|no|most|none of|all of) {_OF}{_UP_TO_TWO}{_WHO}",
    r"every ?(?:one|body)",
    r"any ?(?:one|body)",
    r"nobody|no ?one",
)
_NOT_FOUND: Final = any_of(
    r"(?:finds?|found|returns?|returned|match(?:es|ed)?|lists?|listed|ha[sd]|have|holds?|shows?"
    r"|contains?|knows?|knew|with|as) no (?:\w+ )?(?:user|customer|client|person|caller|session)s?",
    r"no (?:\w+ )?(?:user|customer|client|person|session)s? (?:with|by|for|under|matching|exists?"
    r"|matched|(?:was|were|is|are|could be) (?:found|returned|matched|listed|known))",
)
"""An answer in which somebody was looked for and not found speaks of nobody else."""

_BREAKS: Final = (
    r"(?:fail|break|broke|reject|refus|den[yi]|block|los[et]|crash|drop|ignor|error|misread"
    r"|mishandl)\w*"
)
_ADVERBS: Final = (
    "always|never|ever|consistently|invariably|universally|constantly|whenever|mostly"
    "|usually|often|typically|generally|commonly|frequently|regularly|routinely|normally"
    "|systematically|rarely|seldom|sometimes|occasionally|intermittently|everywhere|anywhere"
    "|inevitably|predictably|habitually"
)
_WIDE: Final = any_of(
    *_WIDE_PEOPLE,
    rf"(?:all|every|any|each|whichever|whatever|most) {_OF}(?:single )?(?:\w+ )?"
    rf"(?:{OCCASIONS}|time)",
    _ADVERBS,
    r"(?:in|under) (?:all|every|each|any|most|many|no|some) (?:\w+ )?"
    r"(?:case|circumstance|situation|instance)s?",
    r"(?:works?|worked|valid|usable|accepted) for (?:no|all|any|every|each)",
    r"at all times|across the board|without exceptions?|in general|as a rule|by and large",
    r"no matter (?:what|which|who|how|when|where)|hardly ever|as a matter of course"
    r"|most of the time|as usual",
    r"regardless of (?:who|whom|which|what|when)",
    r"regardless of the (?:user|session|person|customer|request|call)s?",
    r"all of (?:them|these|those)|they all|all (?:fail|failed|break|broke|end|ended)",
    "(?:other|future|real|further) (?:users|customers|people|sessions|conversations|runs|clients)",
    rf"{_BREAKS}(?: out)?(?: for| on| with| in)? (?:all|every|any|each)",
    rf"(?:all|every|any|each) (?:\w+ ){{1,6}}?(?:is|are|was|were|gets?|will be) "
    rf"(?:not \w+|{_BREAKS})",
    rf"will (?:\w+ly |also |then |still |not |be )?{_BREAKS}",
)
_PLACES: Final = any_of(
    r"(?:for|by|across|in|on|from) (?:all|every) (?!(?:\w+ )?(?:results?|fields?|parameters?"
    r"|items?|rows?|entr\w+|columns?|propert\w+|values?|options?|lines?)\b)\w+",
    "(?:for|by|from) any (?:other )?(?:member|guest|passenger|patron|reader|account|order"
    "|reservation|booking|flight|namespace|table|repository|project|file|tool)",
)
"""Where something is said to hold, beyond the place that was seen."""

_KINDS_OF_PEOPLE: Final = re.compile(
    r"(?:^|[,;.:] |\b(?:and|so|that|but|because|where|when|while) )(?:\w+ )?"
    r"(?:users|customers|people|persons|shoppers|callers|visitors|buyers|subscribers|clients|patrons"
    r"|travell?ers|passengers|members|readers|borrowers|guests|patients|students|admins|developers)"
    r" (?:cannot|can|can't|are|aren't|do|don't|have|must|need|will|won't|get|see|lose|fail|with|who"
    r"|without|that|whose)\b"
)
"""A kind of people as the subject of what goes on, rather than the person of a session."""

_NO_OCCASION: Final = re.compile(
    rf"(?:^|[,;.:] |\b(?:and|so|that|but) )no (?:(?:\w+ )?(?:{OCCASIONS})\b"
    r"|(?:guest|passenger|member|patron|reader|borrower|student|patient|account|team|employee)"
    r" (?:can|could|may|will|gets?|ever)\b)"
)


_EACH_SUBJECT: Final = re.compile(
    r"(?:^|[.;:] |\b(?:that|because|so|while) )(?:all|every|each|any) (?!of\b)"
    r"(?!(?:\w+ )?(?:result|field|parameter|item|row|entr|record|message|argument|page|line|column"
    r"|propert|value|option|match|hit))\w+"
)
"""All of something as what a sentence is about; parts of one answer are let through."""


def session_count(text: str) -> str | None:
    """Return the words that count sessions or people, or None.

    Rule: findings.md section 9.2, `mechanismPhrase`.
    """
    return piece(_COUNTS, _NO_COUNTS.sub("…", fold_space(straight(text)).casefold()))


def session_count_in_account(text: str) -> str | None:
    """Return the words with which an account of one session counts sessions, or None.

    People may be counted there: they may be what the recording is about.
    """
    return piece(_COUNTS_SESSIONS, _NO_COUNTS.sub("…", fold_space(straight(text)).casefold()))


def wide_claim(text: str) -> str | None:
    """Return the words with which a text speaks beyond what is cited, or None."""
    words = _NOT_FOUND.sub("…", own_words(text))
    patterns = (_WIDE, _NO_OCCASION, _EACH_SUBJECT, _PLACES, _KINDS_OF_PEOPLE)
    return next(filter(None, (piece(pattern, words) for pattern in patterns)), None)


def wide_people(text: str) -> str | None:
    """Return the words with which an instruction speaks of all people or sessions, or None."""
    return piece(_PEOPLE, _NOT_FOUND.sub("…", own_words(text)))


_PEOPLE: Final = any_of(*_WIDE_PEOPLE)
