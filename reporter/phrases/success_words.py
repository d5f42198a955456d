"""Words that say that an attempt came off."""

import re
from collections.abc import Iterator
from typing import Final

from reporter.phrases.lexicon import PEOPLE
from reporter.phrases.said import any_of, own_words

_SUCCESS: Final = any_of(
    "worked|works (?:fine|well|as|correctly|properly|perfectly|without)",
    "working(?! (?:director|tree|cop|set|day)(?:y|ies)?)",
    "succeed(?:s|ed|ing)?|success(?:es|ful|fully)?|completed|completes|(?:is|was|are"
    "|were) complete",
    "(?:booking|reservation|order|refund|return|payment|loan|exchange)s? confirmed",
    "(?:is|are|was|were|got|been) (?:delivered|booked|refunded|issued|fixed|helped|confirmed)",
    r"passed(?! (?:the|an?|it|its|in|on|to|as|through|along|by|only|no|both|one|this|that|them"
    r"|without|unchanged|where"
    "|instead|under|from|into|rather|twice|here|…)"
    r"(?!\w))",
    "passes (?:all|every|now|again)|all pass",
    "resolved(?! to)|solved|accomplished|achieved|fulfilled",
    r"(?:without|no|zero) (?:any )?(?:\w+ )?(?:problem|issue|error|trouble|hitch|friction|incident"
    "|complaint|difficulty)(?:e?s)?",
    "as (?:expected|intended|desired|planned|requested|asked)|(?:problem|error) free",
    "satisfied|happy|pleased|smooth(?:ly)?|flawless(?:ly)?|perfect(?:ly)?|properly",
    "(?:correctly|accurately|helpfully|fully|adequately) (?:answered|handled|processed|booked"
    "|fulfilled|completed|resolved|returned|done|served|helped)",
    r"(?:is|was|are|were|went|goes|go|ran|runs|did|does|worked|ended|looks?|looked|all|just|quite"
    r"|perfectly|turned out|turns out|(?:was|is|were|are) \w+ly) fine(?! (?:grained|tun))",
    "(?:goal|task|need|wish|aim)s? (?:(?:was|were|is|got|has been) )?(?:met|done|reached|granted)",
    "(?:went|goes) through|all (?:good|set|done|well|clear|right)",
    "got (?:what|the (?:refund|booking|answer|order|ticket|result|information|help|exchange))",
    rf"(?:{PEOPLE}|landlord|member|guest|passenger|patron|recipient) (?:received|got) (?:the|a|an"
    "|their|his|her) (?!error|refusal|rejection|wrong|empty|bare|generic|message|warning)"
    r"\w+",
    "received (?:the|a|their|full|his|her) (?:full )?(?:refund|answer|confirmation|order|booking)",
)
_WHOLE: Final = any_of(
    r"(?:everything|all|it all|user's (?:goal|request|task)|goal|task|attempt|session) "
    r"(?:(?:was|were|has been|had been|is|got|still) )?(?:\w+ly )?(?:met|worked|succeeded|completed"
    "|resolved|achieved|fulfilled|passed|fine|done|accomplished|satisfied|successful|a success)",
    rf"(?:{PEOPLE}) (?:(?:was|were|is|has|left) )?(?:\w+ly )?(?:succeeded|succeeds|satisfied|happy"
    "|pleased|got what)",
)
_IN_FULL: Final = any_of(r"(?:was|were|is|got|been) \w+ed in full", r"(?:was|were) paid in full")
_UNDONE: Final = any_of(
    r"not|no|never|\w+n't|cannot|without|nor|neither|nothing|none|unable|fail(?:s|ed|ing)?",
    "refus(?:es|ed|ing|al)|reject(?:s|ed|ing)?|den(?:ies|ied|y)|before|instead of|until|unless|if",
    "whether|hardly|barely|rather than|far from|un|in|half|partially|partly|lack(?:s|ed|ing)?",
    "prevent(?:s|ed|ing)?|block(?:s|ed|ing)?|want(?:s|ed)?|tried|tries|trying|asked|asks|hoped",
    "hopes|needs?|needed|requires?|required|expect(?:s|ed)?|should|must|only|yet to|to be",
    "(?:could|would) have|claim(?:s|ed|ing)?|false(?:ly)?|wrong(?:ly)?|pretend(?:s|ed|ing)?",
)
_CONTRAST: Final = any_of(
    "but|although|though|however|yet|while|whereas|despite|without|instead|still|nevertheless",
    "nonetheless|only|when|before|after|afterwards?|thereafter|first|later|then|until|and",
)
_BROKEN: Final = any_of(
    r"no|not|never|\w+n't|without|lost|loses|refus\w*|reject\w*|errors?|fail\w*|missing|wrong\w*",
    "empty|unable|cannot|denied|denies|stuck|block\\w*|ignor\\w*|unchanged|absent|invalid|nothing",
    r"omit\w*|lack\w*|stale|incomplete|unknown|unavailable|truncat\w*|cut off|timed? out|crash\w*",
    r"broke\w*|none|dropped|drops|rolled back|undone|gone|vanish\w*|stop\w*|contradict\w*",
    "different|old|another",
)
_TOLD: Final = any_of(
    "(?:told|assured|informed)(?: (?:the )?(?:user|customer|person|shopper|caller))?(?: that)?"
    r"(?: \w+){0,3} ?$"
)
"""What somebody was told is no claim of ours."""

_REPORTED: Final = any_of(
    r"(?:report|return|answer|say|claim|indicat|signal|show|give|gave|sent|send|said|state)\w* "
    r"(?:with |as |a |an |the ){0,2}(?:\w+ )?success\w*",
    "success(?:ful)? (?:message|status|flag|response|code|reply|result|text)",
)
"""A success that somebody reported: what did not come of it may follow in any words."""

_ASIDE: Final = re.compile(
    r"^ (?:\w+ ){0,4}(?:wrong|incorrect|another|different|other|only|instead|too (?:late|early|few"
    r"|many|much|little)|partly|partially|unpaid|without)\b"
)
"""What stands behind a success that is none: it came to something else."""

_BEFORE: Final = 60
"""Characters before a word in which what undoes it is looked for."""


_DONE: Final = any_of(
    "(?:was |were |got |is )?(?:paid|renewed|booked|reserved|refunded|exchanged|upgraded|downgraded"
    "|restored|rescheduled|cancelled|canceled|extended|sent|delivered|updated|fixed|installed"
    "|deployed|merged|filed|submitted|shipped|issued|placed|granted|approved|scaled|created)"
)
_BUT: Final = any_of(
    "part|partly|partial(?:ly)?|some|most|half|more|less|twice|separate(?:ly)?|new|own|extra|second"
    "|only|instead|too|late|elsewhere|later|but|except|before|where|while|although|when",
    r"(?:dupl|un|in)\w+|double|accident\w*|premature(?:ly)?|early|false|fake|guess\w*|made up"
    r"|placeholder|default|pending|expir\w*|clos\w*|charg\w*|report\w*|announc\w*|told"
    r"|said|still|halfway",
)


def achieved(outcome: str) -> str | None:
    """Return the words with which an outcome says that what was asked for was done, or None."""
    text = own_words(outcome)
    found = _DONE.search(text)
    undone = (pattern.search(text) for pattern in (_BUT, _BROKEN, _UNDONE))
    return None if found is None or any(undone) else found[0]


def whole_success(text: str) -> str | None:
    """Return the words with which a text says that all of it came off, or None.

    What an account tells of single steps is no such claim.
    """
    words = own_words(text)
    found = (each for each in (*_WHOLE.finditer(words), *_IN_FULL.finditer(words)))
    return next((each[0] for each in found if not _is_undone(words, each.start())), None)


def success(text: str) -> str | None:
    """Return the words with which a text says that the attempt came off, or None.

    A step that came off is let through where the same sentence says what then did not.
    """
    for sentence in re.split(r"(?<=[.!?]) ", own_words(text)):
        found = next(_successes(sentence), None)
        if found is not None:
            return found
    return None


def _successes(sentence: str) -> Iterator[str]:
    for found in _WHOLE.finditer(sentence):
        before = sentence[: found.start()]
        if not _is_undone(sentence, found.start()) and not _TOLD.search(before):
            yield found[0]
    for found in _SUCCESS.finditer(sentence):
        rest = f"{sentence[: found.start()]} … {sentence[found.end() :]}"
        contrasted = _BROKEN.search(rest) and (
            _CONTRAST.search(rest)
            or _REPORTED.search(sentence)
            or found[0].startswith(("no ", "without "))
        )
        aside = _ASIDE.match(sentence[found.end() :])
        if not contrasted and not aside and not _is_undone(sentence, found.start()):
            yield found[0]


def _is_undone(sentence: str, start: int) -> bool:
    return _UNDONE.search(sentence[max(0, start - _BEFORE) : start]) is not None
