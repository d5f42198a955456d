"""What sending a question once came to."""

from dataclasses import dataclass
from enum import Enum, auto

from reporter.phrases.budget import Usage
from reporter.vocabulary import ReplyState


class Cause(Enum):
    """What a failure says about the questions that are still to be sent."""

    NONE = auto()
    """Nothing: it was this question's own, or there was none."""
    FORM = auto()
    """The server does not take requests of this form; another form may do."""
    SERVER = auto()
    """The server does not serve."""
    ACCESS = auto()
    """Key, credit or model are not accepted: no other question will be."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of one sending."""

    state: ReplyState
    text: str = ""
    detail: str = ""
    """In code's words: no address, no key, nothing of what the server wrote."""
    model: str = ""
    usage: Usage | None = None
    """None where the provider did not say."""
    perhaps_paid: bool = False
    """True: there is no usage, and the provider may still have done the work."""
    cause: Cause = Cause.NONE
    perhaps_form: bool = False
    """True: the server broke, and some break on a form that they do not know."""
    again: bool = False
    """True: the same request may fare better in a while."""
    wait_s: float | None = None
    """Seconds that the server asked to wait before, or None."""
