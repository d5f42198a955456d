"""How templates become Python: as Jinja2 does it, with less work for each printed value."""

import keyword
from collections.abc import Callable
from typing import Any, Final

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame, optimizeconst

_MAY_LACK: Final = frozenset({"defined", "undefined", "default", "d"})
"""Tests and filters that ask whether something is there at all."""


class LeanEnvironment(Environment):
    """An environment that knows which templates are ours."""

    own_templates: set[str]


class LeanGenerator(CodeGenerator):
    """Prints through `finalize` alone, which escapes, and calls macros without a detour.

    A transcript is a few hundred values and macros. Jinja2 makes markup of each value in a
    call of its own behind `finalize`, and looks at each call for functions that want its
    context, of which there are none here.

    Our own templates take fields of views alone, so they ask for these as Python does; a
    template of somebody else's may as well ask for an entry of a mapping. What is not there
    is an error in both.
    """

    _asks_whether: bool = False

    @optimizeconst
    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802  as its base has it
        """Write the way to a field of a view."""
        made = self.environment
        is_ours = isinstance(made, LeanEnvironment) and self.name in made.own_templates
        if not is_ours or self._asks_whether or keyword.iskeyword(node.attr):
            super().visit_Getattr(node, frame)
            return
        self.write("(")
        self.visit(node.node, frame)
        self.write(f").{node.attr}")

    def visit_Test(self, node: nodes.Test, frame: Frame) -> None:  # noqa: N802  the same
        """Write a test; one that asks whether something is there looks for it as Jinja2 does."""
        self._asking(node, super().visit_Test, frame)

    def visit_Filter(self, node: nodes.Filter, frame: Frame) -> None:  # noqa: N802  the same
        """Write a filter, likewise."""
        self._asking(node, super().visit_Filter, frame)

    def _asking(
        self, node: nodes.Test | nodes.Filter, visit: Callable[[Any, Frame], None], frame: Frame
    ) -> None:
        before = self._asks_whether
        self._asks_whether = before or node.name in _MAY_LACK
        try:
            visit(node, frame)
        finally:
            self._asks_whether = before

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:  # noqa: ANN401, ARG002  as its base has it
        # Whatever a template says about escaping: nothing leaves unescaped.
        self.write(finalize.src)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:  # noqa: ANN401, ARG002  as its base has it
        self.write(")")

    @optimizeconst
    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802  as its base has it
        """Write a call; of a name with plain arguments, as Python calls it."""
        is_plain = isinstance(node.node, nodes.Name) and not (
            forward_caller or node.kwargs or node.dyn_args or node.dyn_kwargs
        )
        if not is_plain:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for argument in node.args:
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")
