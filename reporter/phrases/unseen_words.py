"""Words on parts of a tool that no turn shows: its description, its schema, its documentation."""

import re
from typing import Final

from reporter.phrases.plain_text import straight
from reporter.phrases.said import said, without_quotes
from reporter.phrases.spoken import Recorded

_OWNER: Final = r"(?:tools?|parameters?|params?|arguments?|args?|inputs?|fields?|server)"
_NAME: Final = r"(?:\w+_\w+|[a-z]+[A-Z]\w*)"
_PARTS: Final = (
    (
        "descri",
        re.compile(
            rf"\b{_OWNER}(?:'s|s')? descriptions?\b|\b{_NAME}(?:'s)? descriptions?\b"
            rf"|(?<!error )(?<!failure )\bdescriptions? (?:of|for) (?:the |its |a )?"
            rf"(?:\w+ )?(?:{_OWNER}\b|{_NAME})|\b(?:{_NAME}|{_OWNER}) (?:is|are|was) "
            r"(?:not |poorly |badly |wrongly |vaguely )?described\b"
        ),
    ),
    ("schema", re.compile(r"\b(?:[Ss]chemas?|[Ss]ignatures?)\b")),
    (
        "document",
        re.compile(
            r"\b[Dd]ocumentation\b|\bdocs\b|\b[Dd]ocstrings?\b|\b[Uu]ndocumented\b"
            r"|\b(?:is|are|was|were|not|never|nowhere|poorly|n't) documented\b"
            r"|\b(?:does not|doesn't|do not|don't|did not|fails to) document\b"
        ),
    ),
    (
        "tool list",
        re.compile(r"\b(?:tool (?:list|catalogu?e)|list of tools|catalogu?e of tools)\b"),
    ),
)
"""What the recorded texts must hold a word of, and how a phrase speaks of it."""


def unseen_part(text: str, recorded: Recorded) -> str | None:
    """Return the words with which a text says what a tool's description or schema holds, or None.

    Turns show calls and results. What is said of the rest was guessed, unless a cited turn speaks
    of it, as an error that names a schema does.
    """
    own = without_quotes(straight(text))
    for word, spoken in _PARTS:
        found = spoken.search(own)
        if found is not None and not recorded.mentions(word):
            return said(found[0])
    return None
