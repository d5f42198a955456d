"""Makes records of values that were checked already, without checking them again."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from reporter.models.records import BaseRecord

R = TypeVar("R", bound=BaseRecord)

# What pydantic's own constructors do last, without what they do first: a third of the time
# that a message takes otherwise, which would be as long as parsing its JSON. A test compares
# the outcome with the validated one.
_SLOTS: Final = BaseModel.__dict__
_set_values: Final = _SLOTS["__dict__"].__set__
_set_fields_set: Final = _SLOTS["__pydantic_fields_set__"].__set__
_set_extra: Final = _SLOTS["__pydantic_extra__"].__set__
_set_private: Final = _SLOTS["__pydantic_private__"].__set__
_new: Final = object.__new__


def maker(model: type[R]) -> Callable[[dict[str, Any]], R]:
    """Return a function that makes records of a model without validating their values.

    It takes all fields by their Python names and in the model's order, each of the type
    that the model declares; the record keeps the mapping it is given.
    """
    fields = set(model.model_fields)

    def make(values: dict[str, Any]) -> R:
        record = _new(model)
        _set_values(record, values)
        _set_fields_set(record, fields)
        _set_extra(record, {})
        _set_private(record, None)
        return record

    return make


def template(model: type[BaseRecord], **preset: object) -> dict[str, Any]:
    """Return all fields of a model in its order, as preset or by default, for `maker`.

    To be copied for every record: that takes half as long as naming all fields anew. A
    field without preset and default is None and has to be set.
    """
    values: dict[str, Any] = {
        name: None if field.default is PydanticUndefined else field.default
        for name, field in model.model_fields.items()
    }
    return values | preset
