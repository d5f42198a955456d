"""Values of an object that are worked out when they are first asked for."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from functools import cached_property as once
else:

    class once:  # noqa: N801  a decorator
        """`functools.cached_property` without its lock, which Python 3.11 takes each time.

        Where two threads ask at once both work the value out, and it is the same one.
        """

        def __init__(self, work):  # noqa: ANN001, ANN204  the checker sees the library's
            self._work = work
            self.__doc__ = work.__doc__

        def __set_name__(self, owner, name):  # noqa: ANN001, ANN204  the same
            self._name = name

        def __get__(self, one, owner=None):  # noqa: ANN001, ANN204  the same
            if one is None:
                return self
            found = one.__dict__[self._name] = self._work(one)
            return found


__all__ = ["once"]
