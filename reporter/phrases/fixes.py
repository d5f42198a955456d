"""Whether a fix tells the author of a server to do something about the server."""

import re
from typing import Final

from reporter.phrases.lexicon import CONTROLLED, FIX_VERBS, FUNCTION_WORDS, GENERIC_STEMS, PEOPLE
from reporter.phrases.said import own_words, piece, said
from reporter.phrases.spoken import Recorded, stems, words_only

_LEAD: Final = re.compile(
    r"^(?:(?:in|on|for|from|when|where|if|after|before|once|instead of|rather than|at|within|as"
    r"|with"
    r"|to|along with|until|while|beside|besides)\b[^,:]{1,120}[,:] )"
)
_ADVERB: Final = re.compile(
    r"^(?:clearly|explicitly|also|either|at least|always|never|consistently|simply|then|first"
    r"|automatically|only|gracefully|briefly|do not|don't|please) "
)
_FIRST: Final = re.compile(r"^[^\W\d_]+(?:'t)?(?: out| up)?")
_CONTROLLED: Final = re.compile(rf"\b(?:{CONTROLLED})\b")
_OTHERS: Final = r"(?:users?|customers?|people|personas?|shoppers?|operators?|staff|humans?)"
_MODELS: Final = r"(?:models?|llms?|assistants?|agents?|ai|chatbots?|clients?)"
_NOT_OURS: Final = re.compile(
    rf"^(?:train|retrain|teach|educate|remind|coach|ask|tell|instruct|warn|urge|require|request"
    rf"|fine"
    rf"|fine tune|prompt|upgrade|replace|switch|change|use|choose|pick|improve|adjust|update|let"
    rf"|make"
    rf"|have|get|give) (?:the |a |an |all |its |every |any )?(?:\w+ )?(?:{_OTHERS}|{_MODELS})\b"
)
_ABOUT_SERVER: Final = re.compile(
    r"\b(?:tool|description|schema|error|result|response|message|parameter|enum|default|endpoint"
    r"|server|catalogu?e|field|hint|cursor|input)s?\b"
)
_NEVER_OURS: Final = re.compile(
    rf"^(?:train|retrain|teach|educate|remind|coach|fine tune|urge|ask) (?:the |a |all )?(?:\w+ )?"
    rf"(?:{_OTHERS}|{_MODELS})\b"
    rf"|^(?:use|choose|pick|upgrade|switch|replace|change) (?:to )?(?:the |a |an )?(?:\w+ )?"
    rf"(?:{_MODELS})\b|\b(?:system prompt|temperature|context window|smarter|larger model|better "
    rf"model)\b"
    rf"|\b(?:hire|apologi[sz]e)\b"
)
_ADVICE: Final = re.compile(
    r"\?|\b(?:should|must|shall|ought to|needs? to|has to|have to|recommend(?:ed|s)?|suggest(?:ed)?"
    r"|consider|better to)\b"
)
_ASKED: Final = re.compile(r"^(\w+) (?:the|an?|all|each|every|more|its|their|this|that|better)\b")
_SERVERS_WORK: Final = re.compile(
    r"\b(?:return|expose|document|validate|paginate|reject|describe|truncate|deprecate|rename"
    r"|distinguish|normali[sz]e|itemi[sz]e|tell the (?:caller|client))\b"
)
"""What only the author of a server can do, whatever it is done to."""

_OBJECT: Final = re.compile(
    r"^ (?:out |up |down |back |off )?(?:the|an?|all|each|every|any|its|their|which|that|whether"
    r"|how|when|what|both) \w"
)
_NO_VERB: Final = re.compile(
    r"(?:s|ed|ing|ion|ly|ment|ity|ness|able|ible|ful|ive|ous)$"
    rf"|^(?:maybe|perhaps|quite|rather|half|instead|why|{PEOPLE})$"
)
_WHOLE: Final = 3
_RUN: Final = 6
"""Words in a row that are lifted from a transcript rather than chosen."""


def is_imperative(fix: str) -> bool:
    """Tell whether a fix begins with what is to be done; a clause may stand before it."""
    text = own_words(fix)
    for _ in range(2):
        text = _LEAD.sub("", text)
        text = _ADVERB.sub("", text)
    first = _FIRST.match(text)
    if first is None:
        return False
    word = first[0].split(" ")[0]
    if word in FIX_VERBS or _is_told(word, text):
        return True
    return f"{word} {text[len(word) :].strip().split(' ')[0]}" in {
        "rate limit",
        "re check",
        "cross check",
        "auto correct",
    }


def _is_told(word: str, text: str) -> bool:
    """Tell whether a word that no list holds is used as a verb: it has an object, and no ending."""
    if word in FUNCTION_WORDS or _NO_VERB.search(word) or _CONTROLLED.fullmatch(word):
        return False
    return _OBJECT.match(text[len(word) :]) is not None


def advises(outcome: str) -> str | None:
    """Return what makes an outcome a question or advice, or None.

    Rule: findings.md section 9.2, `outcomePhrase`.
    """
    return asks(outcome) or piece(_ADVICE, own_words(outcome))


def asks(text: str) -> str | None:
    """Return the words with which a text begins as an instruction does, or None."""
    asked = _ASKED.match(own_words(text))
    return asked[0] if asked is not None and asked[1] in FIX_VERBS else None


def is_controllable(fix: str, mechanism: str, tools: frozenset[str]) -> bool:
    """Tell whether a fix speaks of something that the author of a server changes.

    Args:
        fix: The phrase.
        mechanism: What it is to mend: a fix that speaks of the same thing is one for the server.
        tools: The tools' names, folded: naming one is enough.
    """
    text = said(fix)
    if _NEVER_OURS.search(text):
        return False
    if _NOT_OURS.search(text) and not _ABOUT_SERVER.search(text):
        return False
    if _SERVERS_WORK.search(text):
        return True
    spoken = set(re.findall(r"[\w\-.]+", fix.casefold()))
    if _CONTROLLED.search(text) is not None or spoken & tools or "_" in fix:
        return True
    return bool(set(stems(fix)) & set(stems(mechanism)) - GENERIC_STEMS)


def lifted(fix: str, recorded: Recorded) -> str | None:
    """Return words of a fix that a recorded text holds in a row, or None.

    Six words in a row, or the whole of a shorter fix.
    """
    words = words_only(fix).split(" ")
    if _WHOLE <= len(words) < _RUN and recorded.repeats(" ".join(words)):
        return " ".join(words)
    for at in range(len(words) - _RUN + 1):
        run = " ".join(words[at : at + _RUN])
        if recorded.repeats(run):
            return run
    return None
