"""Words a model wrote, kept apart from words that code wrote or somebody recorded."""

from dataclasses import dataclass
from typing import NoReturn

from reporter.view.text import one_line


@dataclass(frozen=True, slots=True)
class ModelWords:
    """Words a model wrote. They do not print themselves: a macro marks them and prints `text`."""

    text: str

    def __bool__(self) -> bool:
        """Tell whether there are any."""
        return bool(self.text)

    def __str__(self) -> NoReturn:
        """Refuse: a template that printed them would not say whose they are.

        Raises:
            TypeError: Always.

        Rule: report.md section 2.
        """
        raise TypeError("words a model wrote are set by the macro `model`, which marks them")


def model_words(text: str | None, limit: int = 400) -> ModelWords:
    """Clean a model's words and set them on one line; of None there are none."""
    return ModelWords(one_line(text or "", limit))
