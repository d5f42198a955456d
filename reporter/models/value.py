"""Values that a type checker holds frozen, without what that costs where they are made."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as value
else:
    from dataclasses import dataclass, fields
    from operator import attrgetter

    def _by_place(cls):  # noqa: ANN001, ANN202  the checker sees the real decorator
        """Let another process be told the fields of an instance by their places alone.

        With their names, as a class with slots tells them, it takes twice the time and half as
        many bytes again, for each of the forty values that a session comes to.
        """
        own = fields(cls)
        if not own or not all(field.init and not field.kw_only for field in own):
            return cls
        read = attrgetter(*[field.name for field in own])
        if len(own) == 1:
            cls.__reduce__ = lambda self: (type(self), (read(self),))
        else:
            cls.__reduce__ = lambda self: (type(self), read(self))
        return cls

    def value(*, frozen, slots):  # noqa: ANN001, ANN201  the checker sees the real decorator
        """Make a dataclass whose fields are only set when it is made.

        A frozen dataclass sets each field of a new instance by a call that takes the way
        around its own guard, five times the cost of setting it. Deriving a session makes
        some three hundred fields: a sixth of the whole derivation. So the guard stands in
        the type checker alone, and the instance is compared and hashed as a frozen one is.
        """
        made = dataclass(slots=slots, unsafe_hash=frozen)
        return lambda cls: _by_place(made(cls))


__all__ = ["value"]
