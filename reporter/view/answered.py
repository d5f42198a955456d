"""Which models answered, where the target's own does not say it all."""

import re
from typing import Final

from reporter.models.facts import SessionFacts
from reporter.view.text import one_line

_NAME_LIMIT: Final = 120
_DATED: Final = re.compile(r"[-@:]\d{4}-?\d{2}-?\d{2}")
"""What a provider sets behind a model's name for one version of it."""


def other_models(fact: SessionFacts, model: str) -> tuple[str, ...]:
    """Name the models that a session records, where they are not just its target's.

    Args:
        fact: The session.
        model: The model of its target; empty where none was recorded.

    Returns:
        Names with their provider, as recorded; empty where the session names no model, and
        where all it names is the target's own, be it one dated version of it.
    """
    named = {one.model_id for one in fact.models if one.model_id}
    if not named or (len(named) == 1 and all(_is_same(one, model) for one in named)):
        return ()
    said = (
        "/".join(part for part in (one.provider, one.model_id) if part)
        for one in fact.models
        if one.model_id
    )
    return tuple(dict.fromkeys(one_line(name, _NAME_LIMIT) for name in said))


def _is_same(own: str, target: str) -> bool:
    own, named = own.rpartition("/")[2], target.rpartition("/")[2]
    if own == named:
        return True
    return bool(named) and own.startswith(named) and bool(_DATED.fullmatch(own[len(named) :]))
