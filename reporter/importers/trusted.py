"""Makes records of values that were checked already, without checking them again."""

from typing import Any, Final, TypeVar

from pydantic import BaseModel

from reporter.models.records import BaseRecord, Message, ToolCall, ToolResult

R = TypeVar("R", bound=BaseRecord)

# What pydantic's own constructors do last, without what they do first: 0.9 instead of 3.4
# microseconds a message, where parsing the JSON of one takes 5. Only for values whose types
# the caller has made sure of; a test compares the outcome with the validated one.
_SLOTS: Final = BaseModel.__dict__
_set_values: Final = _SLOTS["__dict__"].__set__
_set_fields_set: Final = _SLOTS["__pydantic_fields_set__"].__set__
_set_extra: Final = _SLOTS["__pydantic_extra__"].__set__
_set_private: Final = _SLOTS["__pydantic_private__"].__set__
_new: Final = object.__new__

# Every field in its order, which is the order of the keys in JSON; those without a fixed
# default are there to be overwritten.
_DEFAULTS: Final[dict[type[BaseRecord], dict[str, Any]]] = {
    model: {
        name: None if field.is_required() or field.default_factory else field.default
        for name, field in model.model_fields.items()
    }
    for model in (Message, ToolCall, ToolResult)
}
_FIELDS: Final = {model: set(defaults) for model, defaults in _DEFAULTS.items()}


def trusted(model: type[R], values: dict[str, Any]) -> R:
    """Return a record of a message, a call or a result.

    Args:
        model: Which of the three.
        values: Its fields by their Python names; every one without a fixed default must be
            there, and each must be of the type that the model declares.
    """
    record = _new(model)
    _set_values(record, {**_DEFAULTS[model], **values})
    _set_fields_set(record, _FIELDS[model])
    _set_extra(record, {})
    _set_private(record, None)
    return record
