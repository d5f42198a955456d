"""Values that a type checker holds frozen, without what that costs where they are made."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as value
else:
    from dataclasses import dataclass

    def value(*, frozen, slots):  # noqa: ANN001, ANN201  the checker sees the real decorator
        """Make a dataclass whose fields are only set when it is made.

        A frozen dataclass sets each field of a new instance by a call that takes the way
        around its own guard, five times the cost of setting it. Deriving a session makes
        some three hundred fields: a sixth of the whole derivation. So the guard stands in
        the type checker alone, and the instance is compared and hashed as a frozen one is.
        """
        return dataclass(slots=slots, unsafe_hash=frozen)


__all__ = ["value"]
