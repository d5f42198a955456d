"""How every model of this package spells itself in JSON."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class WireModel(BaseModel):
    """A frozen value with snake case here and camel case in JSON; unknown keys are kept."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="allow",
        frozen=True,
        populate_by_name=True,
        strict=True,
        serialize_by_alias=True,
    )


class StrictWireModel(BaseModel):
    """A frozen value that refuses unknown keys and has no default that a writer could forget."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="forbid",
        frozen=True,
        populate_by_name=True,
        strict=True,
        serialize_by_alias=True,
    )
