"""Words that say that one thing brought about another."""

from typing import Final

from reporter.phrases.said import any_of, own_words, piece

_THOSE: Final = (
    r"(?:them|him|her|it|(?:the )?(?:users?|customers?|persons?|assistants?|agents?|models?))"
)
_CAUSES: Final = any_of(
    "caus(?:ed|es|ing|al|ally|ation)",
    "(?:the|root|main|real|actual|underlying) causes? (?:is|was|of|for|being|lies|lay)",
    "root causes?",
    "caus(?:e|es) (?:the|a|an|this|that|it)",
    r"because|due to(?! (?:be|expire|return|end|start)\b)|owing to|thanks to|on account of"
    r"|therefore|thus|hence|thereby|accordingly",
    "as a (?:direct )?(?:result|consequence)|consequent(?:ly)?|in consequence",
    r"(?:led|leads|lead|leading) (?:\w+ly |straight |the \w+ |him |her |them )?to",
    "result(?:ed|ing) (?:in|from)|results in (?:an?|no|wrong|failure|errors?)",
    "which results (?:in|from)",
    "so(?: that)? (?:the|it|they|he|she|this|that|no|an?|its|users?|customers?|assistants?)",
    "which (?:made|makes|meant|means|forced|forces|left|leaves|led|kept|caused|prevented|stopped)",
    rf"(?:made|makes|making) {_THOSE}|forced|forces|forcing",
    r"(?:makes?|made|making) (?:[\w…]+ ){1,4}(?:wrong|fail|useless|invalid|retry|give up|stop"
    r"|\w+ble)",
    "(?:is|was) why|explains? why|for (?:this|that) reason",
    r"why (?:the|it|this|that|they|users?) (?:\w+ )?(?:session|goal|booking|attempt|task|request"
    "|failed|fails|broke)",
    "the reasons? (?:is|was)|(?:is|was|being) (?:the|one|a) reason|(?:is|was) what (?:made"
    "|caused|broke|stopped"
    "|led|left|kept|cost|brought|ended)",
    r"accounts? for|accounted for|attribut(?:ed|able) to|contribut\w+ to|gave rise|driven by"
    r"|on the grounds",
    r"for (?:lack|want) of|with the result|brought (?:\w+ ){1,4}down|(?:un)?able thanks",
    r"the reasons? (?:for|why|behind) (?:\w+ ){1,6}(?:is|was|lies) "
    "(?!un|not|never|missing|hidden)",
    "responsib(?:le|ility)|to blame|blam(?:e|ed|es)|culprit|at fault",
    "trigger(?:s|ed|ing)?|prevent(?:s|ed|ing)?|induc(?:ed|es|ing)|provok(?:ed|es|ing)",
    r"(?:stem(?:s|med|ming)?|aris(?:es|ing)|follows?) from|brought about",
    r"(?:kept|keeps|keeping|stopped|stops|stopping) (?:\w+ ){1,3}from",
    rf"(?:leaves|leaving|left) {_THOSE}",
    rf"cost(?:s|ing)? {_THOSE}|(?:misled|misleads|misleading|tricked|drove|drives) {_THOSE}",
    r"trip(?:s|ped)? (?:\w+ )?up|(?:lost|failed|missed|broken) (?:through|by) (?:the|an?)",
    r"rob(?:s|bed|bing)? (?:\w+ ){1,3}of",
    r"(?:derail|ruin|doom|thwart|hinder|hamper|imped|obstruct|sabotag|undermin)\w*",
    "since (?:the|it|its)|meaning (?:that|the)",
)
_SO: Final = any_of(r"\w+, so")
# An error that does not say what went wrong is no claim of a cause.
_UNSAID: Final = any_of(
    r"(?:not|no|never|\w+n't|without|nor|neither|cannot)\b[^.;]{0,40}?\b(?:what caused|the "
    r"causes? of"
    r"|the reasons? (?:for|that|why|behind)|why (?:the|it|this|that|they) (?:\w+ )?\w+)"
)
_FIX: Final = any_of(
    "caused|root causes?|led to|resulted in|which (?:made|caused|led|meant)|responsible for",
    "to blame|because|is why|was why|culprit|the cause of|as a result",
)


def cause(text: str) -> str | None:
    """Return the words with which a text says that one thing brought about another, or None."""
    words = _UNSAID.sub("…", own_words(text))
    return piece(_CAUSES, words) or piece(_SO, words)


def cause_in_fix(text: str) -> str | None:
    """Return the words with which an instruction says what caused what, or None.

    Purposes and reasons are part of instructions; only what is told of the past counts.
    """
    return piece(_FIX, _UNSAID.sub("…", own_words(text)))
