"""A question's schema as words, for a model that takes no schema beside the text."""

import json

from reporter.phrases.exchange import Question


def schema_text(question: Question) -> str:
    """Return the schema as it is sent: JSON without line breaks."""
    return json.dumps(dict(question.schema), ensure_ascii=False, separators=(",", ":"))


def prompt_with_schema(question: Question) -> str:
    """Return the prompt, and behind it which shape the answer is to have."""
    return (
        f"{question.prompt}\n\n"
        "Answer with one JSON value and nothing else: no fence, no words around it. "
        f"It fits this JSON Schema:\n{schema_text(question)}"
    )
