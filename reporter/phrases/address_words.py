"""Words that speak to a reader or a model, and words that make a person the one who failed."""

import re
from typing import Final

from reporter.findings.text import fold_space
from reporter.phrases.plain_text import straight
from reporter.phrases.said import (
    any_of,
    own_words,
    piece,
    said,
    without_code,
    without_quotes,
)

_SAID_SO: Final = (
    r"pass(?:ed|ing)?|success\w*|fine|ok(?:ay)?|working|works|worked|healthy|resolved|met|approved"
    r"|correct|safe|perfect\w*"
)
_COMMANDS: Final = any_of(
    r"(?:ignore|disregard|forget|override|bypass|discard)(?: \w+){0,4}? (?:previous|prior|above"
    r"|earlier|preceding|foregoing|your|these|all|any|my|system) (?:\w+ )?(?:instruction|prompt"
    r"|rule"
    r"|message|direction|guideline|command|text|context|training|polic(?:y|ie))s?",
    "(?:previous|prior|above|earlier|new|these|following|hidden) instructions?",
    "as an? (?:ai|llm|language model|large language model|chatbot)|i am an? ai",
    r"system prompts?|developer (?:mode|message)|jailbreak\w*|prompt injection",
    r"(?:report|say|state|conclude|write|answer|reply|respond|output|print|mark|grade|rate|score"
    r"|record|note|claim|confirm) (?:\w+ )?(?:that|this|it|the (?:session|test|run|server|goal"
    r"|case)s?)"
    rf" (?:\w+ ){{0,3}}?(?:as )?(?:(?:is|was|are|were) )?(?:\w+ )?(?:{_SAID_SO})",
    "im start|im end|endoftext|you are now|act as|pretend to be",
    "(?:do not|don't|never) (?:tell|mention|report|reveal|disclose|inform|flag)",
)
"""What must not be handed on, also as a quotation."""

_ADDRESSES: Final = any_of(
    "you|your|yours|yourself|please|kindly|pretend|as an assistant",
    "click (?:here|on|the|this)|visit (?:the|our|my|this)",
    "(?:assistant|model|ai|llm|agent|reader|reviewer|grader|judge|evaluator)s?"
    " (?:should|must|shall|has to|needs to|ought to|is to|are to)",
    "(?:this|the) (?:report|reviewer|reader|ledger|grader|judge) (?:should|must|will)",
    "(?:dear|hello|hi|attention|note to|message to) (?:the )?(?:reader|reviewer|model|assistant|ai"
    "|user|admin|maintainer|judge|grader)s?",
    "to the (?:reader|reviewer|maintainer|judge|grader)s?",
    "(?:contact|call|email|write to|message|tell|let|for|give|to) us|contact support",
    "(?:remember|make sure) to (?:tell|say|report|mention)",
    "follow (?:the|these|my) (?:link|instruction|step)s?",
)
_ROLE: Final = re.compile(
    r"^(?:system|assistant|user|human|developer|tool|reviewer|reader|grader|judge|admin)s?\s?:|\[/?inst\]|\b(?:tip|important|note"
    r"|warning"
    r"|urgent) ?[:!]"
)
_SHELL: Final = re.compile(
    r"\b(?:rm -\w+|(?:curl|wget) (?:-|[a-z]+://|www\.|\S+\.\w+/)|sudo \w+|chmod [-+\d]\S*)"
)
_OWN: Final = re.compile(
    r"(?<![\w\-/])(?:i|i'm|i've|i'll|my|me|we|we're|our|ours|let me|let's)(?![\w\-/])"
)

_NOUN: Final = (
    r"(?:user|customer|persona|person|people|shopper|human|patron|travell?er|passenger|member|buyer"
    r"|visitor|guest|reader|borrower|subscriber|patient|student|tenant|applicant|employee|operator"
    r"|developer|tester|cardholder)s?"
)
_BETWEEN: Final = (
    r"(?:(?:has|have|had|simply|just|also|repeatedly|then|clearly|apparently|was|were|is|are|kept"
    r"|only|still|actually) ){0,3}"
)
_FAULTS: Final = (
    r"fail(?:s|ed|ing)?|forg[eo]t(?:s|ting|ten)?|misunder(?:stood|stands?|standing)",
    r"neglect(?:s|ed|ing)?|misread(?:s|ing)?|mistyp(?:ed|es|ing)|mistak(?:es?|enly|en)",
    r"mistook|misspell(?:ed|s|ing)?|misspelt|misus(?:ed|es|ing)|overlook(?:s|ed|ing)?",
    r"confus(?:ed|es) (?:\w+ ){1,4}(?:with|for)|ignor(?:ed|es|ing)|lied|lies|lying",
    r"err(?:s|ed|ing)?|screwed|bungled|botched|careless(?:ly)?|negligent|impatient|rude|lazy",
    r"dishonest|incompetent|unclear|vague|unreasonable|uncooperative|wrong(?:ly)?",
    r"incorrect(?:ly)?|at fault|to blame|responsible|should(?:n't)? have|ought to|should know",
    r"made (?:a|an|the) (?:\w+ )?(?:mistake|error|typo)|didn't bother",
    (
        r"(?:did not|didn't|does not|doesn't|never) (?:understand|read|bother|realis|realiz|pay"
        r"|think|follow|listen|cooperate)\w*"
    ),
)
_WRONG_INPUT: Final = (
    r"(?:gave|gives|giving|entered|enters|provided|provides|supplied|supplies|typed|types|used|uses"
    r"|sent|sends|asked for|chose|picked|wrote) (?:a |an |the |his |her |their )?(?:\w+ )?(?:wrong"
    r"|incorrect|invalid|bad|malformed|mistaken|false|bogus|incomplete|nonsensical|misspelled)"
)
_BLAME: Final = any_of(
    *(rf"{_NOUN} {_BETWEEN}(?:{fault})" for fault in _FAULTS),
    rf"{_NOUN}(?:'s|')? (?:own )?(?:error|mistake|fault|typo|failure|carelessness|confusion"
    "|misunderstanding|negligence|impatience|ignorance|incompetence|blame|misuse|oversight)s?",
    "(?:fault|mistake|error|failure|negligence|carelessness|oversight) (?:of|by|from|on the part of"
    rf"|made by) (?:the |a |its )?{_NOUN}",
    rf"{_NOUN}(?:'s|') (?:\w+ )?(?:request|question|message|input|wording|instruction|prompt|answer"
    r"|description|query)s? (?:is|was|were|are|being|remained|stayed) (?:\w+ )?(?:vague|unclear"
    "|wrong|ambiguous|confusing|bad|unreasonable|incorrect|invalid|incomplete|at fault|to blame)",
    rf"{_NOUN} (?:took|waited|answered|replied|responded|acted|was|were|is) (?:far |much )?too",
    "(?:careless|negligent|lazy|incompetent|rude|ignorant|clumsy|sloppy|inattentive|impatient)"
    rf" {_NOUN}",
    rf"blam(?:e|es|ed|ing) (?:the |a )?{_NOUN}",
    "(?:he|she) (?:failed|forgot|misunderstood)",
)
_GAVE_WRONG: Final = any_of(rf"{_NOUN} {_BETWEEN}{_WRONG_INPUT}")
_NEGATED: Final = re.compile(r"\b(?:no|not a|not an|not the|never a)$")


def instruction(text: str) -> str | None:
    """Return the words with which a text speaks to its reader or to a model, or None.

    A command counts also where it is quoted: a reader need not see that it is a quotation.
    What a server says to its caller may be quoted.
    """
    words = own_words(text)
    own = fold_space(without_code(without_quotes(text))).casefold()
    return (
        piece(_COMMANDS, said(text))
        or piece(_SHELL, fold_space(straight(text)).casefold())
        or piece(_ADDRESSES, words)
        or piece(_ROLE, words)
        or piece(_OWN, own)
    )


def blame(text: str) -> str | None:
    """Return the words with which a text makes a person the one who failed, or None."""
    words = own_words(text)
    for found in _BLAME.finditer(words):
        if not _NEGATED.search(words[: found.start()].rstrip()):
            return found[0]
    return None


def wrong_input(text: str) -> str | None:
    """Return the words that say that a person gave something wrong, or None.

    As the cause of a failure it is blame; as part of what happened it may be told.
    """
    return piece(_GAVE_WRONG, own_words(text))
