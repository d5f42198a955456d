"""How templates become Python: as Jinja2 does it, with less work for each printed value."""

import keyword
from collections.abc import Callable, Mapping, MutableMapping
from types import MappingProxyType
from typing import Any, Final

from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator, Frame, optimizeconst
from jinja2.environment import TemplateModule
from jinja2.runtime import Context

_MAY_LACK: Final = frozenset({"defined", "undefined", "default", "d"})
"""Tests and filters that ask whether something is there at all."""


class LeanTemplate(Template):
    """A template whose macros are made once: all globals are the environment's own."""

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:  # noqa: ARG002  as its base has it
        return super()._get_default_module()


class LeanEnvironment(Environment):
    """An environment that knows which templates are ours, and finds each of them once."""

    template_class = LeanTemplate
    own_templates: set[str]

    def __init__(self, **options: Any) -> None:  # noqa: ANN401  as its base has them
        super().__init__(**options)
        self.own_templates = set()
        self._found: dict[str, Template] = {}

    def get_template(
        self,
        name: str | Template,
        parent: str | None = None,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002  the same
    ) -> Template:
        """Return a template; one that is extended, included or imported on every page, at once."""
        found = self._found.get(name) if isinstance(name, str) and globals is None else None
        if found is None:
            found = super().get_template(name, parent, globals)
            if isinstance(name, str):
                self._found[name] = found
        return found


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
    _macros: Mapping[str, int] = MappingProxyType({})
    """The template's own macros, each with the number of its arguments."""
    _prints_macro: nodes.Expr | None = None
    """The call of one of them whose text goes straight to the page."""

    def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:  # noqa: N802  as its base has it
        """Write a template, with its macros known before they are called."""
        if self._is_ours:
            self._macros = {
                one.name: len(one.args)
                for one in node.body
                if isinstance(one, nodes.Macro) and not _takes_more(one)
            }
        super().visit_Template(node, frame)

    @property
    def _is_ours(self) -> bool:
        made = self.environment
        return isinstance(made, LeanEnvironment) and self.name in made.own_templates

    @optimizeconst
    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802  as its base has it
        """Write the way to a field of a view."""
        if not self._is_ours or self._asks_whether or keyword.iskeyword(node.attr):
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

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:  # noqa: ANN401  as its base has it
        # Whatever a template says about escaping: nothing leaves unescaped. What a macro of the
        # same template gives is escaped.
        self._prints_macro = node if self._is_own_macro(node, frame) else None
        if self._prints_macro is None:
            self.write(finalize.src)

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:  # noqa: ANN401, ARG002  as its base has it
        if not self._is_own_macro(node, frame):
            self.write(")")

    def _is_own_macro(self, node: nodes.Expr, frame: Frame) -> bool:
        if not isinstance(node, nodes.Call) or (name := _plain_name(node)) is None:
            return False
        # What a macro or a loop calls by the same name is something else.
        is_outer = (frame.symbols.find_ref(name) or "").startswith("l_0_")
        return is_outer and self._macros.get(name) == len(node.args)

    @optimizeconst
    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:  # noqa: N802  as its base has it
        """Write a call; of a name with plain arguments, as Python calls it."""
        if forward_caller or _plain_name(node) is None:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        # A macro as Jinja2 calls it sorts its arguments first and makes markup of its text.
        self.write("._func(" if node is self._prints_macro else "(")
        for argument in node.args:
            self.visit(argument, frame)
            self.write(", ")
        self.write(")")


def _plain_name(node: nodes.Call) -> str | None:
    """Return what a call calls where that is a name and its arguments stand by place alone."""
    if not isinstance(node.node, nodes.Name) or node.kwargs or node.dyn_args or node.dyn_kwargs:
        return None
    return node.node.name


def _takes_more(macro: nodes.Macro) -> bool:
    """Tell whether a macro takes more than the arguments that it names."""
    return bool({"caller", "kwargs", "varargs"} & {one.name for one in macro.find_all(nodes.Name)})
