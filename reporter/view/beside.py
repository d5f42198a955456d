"""Where a reader of the PDF finds what is not printed: in a page that was written with it, or not.

A PDF is handed on alone, and was perhaps made alone: what it says of a page has to be true
of the page that its reader may have.
"""

from dataclasses import dataclass
from typing import Final

from reporter.view.count import Count
from reporter.view.embed import EmbedPlan
from reporter.view.text import capital


@dataclass(frozen=True, slots=True)
class Beside:
    """The HTML report as the PDF speaks of it."""

    place: str
    """Such as `the HTML report`, to stand after a preposition."""
    transcripts: str
    """Where transcripts are that are not printed, as a sentence."""
    missing: str = ""
    """That no page was written, and how to get one; empty where there is one."""

    @property
    def subject(self) -> str:
        """The place where it begins a sentence."""
        return capital(self.place)


def page_beside(embed: EmbedPlan) -> Beside:
    """Speak of a page that was written with the PDF.

    Args:
        embed: Which transcripts that page carries.
    """
    said = "Transcripts, with arguments and results, are in the HTML report"
    if embed.left_out:
        left = Count(embed.left_out, embed.available, "transcript").text
        said += f", but for {left} that it has no room for and the recording has"
    return Beside("the HTML report", f"{said}.")


_PLACE: Final = "an HTML report of the same recording"
NO_PAGE: Final = Beside(
    _PLACE,
    f"Transcripts, with arguments and results, are in {_PLACE}.",
    "No HTML report was written with this file; --format html writes one.",
)
"""The PDF was written without a page."""
