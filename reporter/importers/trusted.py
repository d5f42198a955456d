"""Makes records of values that were checked already, without checking them again."""

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import repeat
from operator import itemgetter
from typing import Any, Final, get_args

from pydantic import BaseModel

from reporter.models.records import Record

# What pydantic's own constructors do last, without what they do first: a third of the time
# that a message takes otherwise, which would be as long as parsing its JSON. A test compares
# the outcome with the validated one.
_SLOTS: Final = BaseModel.__dict__
_set_values: Final = _SLOTS["__dict__"].__set__
_set_fields_set: Final = _SLOTS["__pydantic_fields_set__"].__set__
_set_extra: Final = _SLOTS["__pydantic_extra__"].__set__
_set_private: Final = _SLOTS["__pydantic_private__"].__set__
_new: Final = object.__new__


def records_of(values: Sequence[dict[str, Any]]) -> list[Record]:
    """Make records without validating their values.

    Args:
        values: Of each record all fields by their Python names and in the model's order,
            each of the type that the model declares; the record keeps the mapping.
    """
    # Step by step for all, not record by record: then no step is a round of a Python loop.
    kinds = list(map(_MODELS.__getitem__, map(_type_of, values)))
    records = list(map(_new, kinds))
    _do(map(_set_values, records, values))
    _do(map(_set_fields_set, records, map(_FIELDS.__getitem__, kinds)))
    _do(map(_set_extra, records, map(dict.copy, repeat({}, len(records)))))
    _do(map(_set_private, records, repeat(None)))
    return records


_do: Final = deque[object](maxlen=0).extend
_type_of: Final = itemgetter("type")
_MODELS: Final[Mapping[str, type[Record]]] = {
    model.model_fields["type"].default: model for model in get_args(get_args(Record)[0])
}
_FIELDS: Final = {model: set(model.model_fields) for model in _MODELS.values()}
