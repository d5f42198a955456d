"""How templates become Python: as Jinja2 does it, with less work for each printed value."""

from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, optimizeconst


class LeanGenerator(CodeGenerator):
    """Prints through `finalize` alone, which escapes, and calls macros without a detour.

    A transcript is a few hundred values and macros. Jinja2 makes markup of each value in a
    call of its own behind `finalize`, and looks at each call for functions that want its
    context, of which there are none here.
    """

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
