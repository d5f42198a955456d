"""Writes docs/templates.md: every template with what it takes, every view with its fields."""

import ast
import dataclasses
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args, get_type_hints

from shared import ROOT

from reporter.render.environment import reader
from reporter.render.look import template_names
from reporter.view.evidence import FindingLine
from reporter.view.paper import PaperView
from reporter.view.report import ReportView
from reporter.view.scopes import GoalScope, PersonaScope, SessionScope, TargetScope, WaveScope
from reporter.view.session import SessionView
from reporter.view.steps import SessionSteps

FILE = ROOT / "docs" / "templates.md"

GIVEN: tuple[type, ...] = (
    *(ReportView, SessionView, SessionSteps, PaperView),
    *(SessionScope, GoalScope, PersonaScope, TargetScope, WaveScope, FindingLine),
)
"""What templates are given; every other view is a part of one of these."""
FUNCTIONS = {
    "asset(name)": "the text of a style or a script, ours or an override",
    "set_finding(finding, line)": (
        "a finding through the template of its scope, which sees that finding and nothing else"
    ),
}
HEAD = """\
# Templates and views

Written from the code; a test keeps it so. [look.md](look.md) says how overrides work.

A template is given views and prints them. A view is a value with the fields named here and no
others: asking for another stops the report with the template's name and line. Views change with
the program, and the change log says so.
"""

_COMMENT = re.compile(r"\A\s*\{#(.*?)#\}", re.DOTALL)


def templates_page() -> str:
    """The page, in Markdown."""
    return "\n".join([HEAD, *_templates(), *_functions(), *_views()])


def _templates() -> Iterator[str]:
    read = reader()
    yield "## Templates\n\n| name | what it is |\n| --- | --- |"
    names = template_names()
    for name in names:
        comment = _COMMENT.match(read(name) or "")
        on_page = name.removeprefix("print/")
        if comment:
            said = " ".join(comment[1].split())
        elif on_page != name and on_page in names:
            said = f"What `{on_page}` is on the page, on paper."
        else:
            said = _KINDS.get(name.rpartition(".")[2], "")
        yield f"| `{name}` | {_cell(said)} |"
    yield ""


_KINDS = {"css": "Style.", "js": "Script."}


def _functions() -> Iterator[str]:
    yield "## Functions\n\n| call | gives |\n| --- | --- |"
    for call, gives in FUNCTIONS.items():
        yield f"| `{call}` | {gives} |"
    yield ""


def _views() -> Iterator[str]:
    yield "## Views\n"
    yield f"Templates are given {', '.join(f'`{one.__name__}`' for one in GIVEN)}.\n"
    for kind in sorted(_reached(), key=lambda one: one.__name__):
        yield f"### {kind.__name__}\n\n{_cell(_first(kind.__doc__))}\n"
        yield "| field | type | what it is |\n| --- | --- | --- |"
        for name, written, said in _fields(kind):
            yield f"| `{name}` | {_cell(f'`{written}`')} | {_cell(said)} |"
        yield ""


def _reached() -> set[type]:
    found: set[type] = set()
    waiting: list[Any] = list(GIVEN)
    while waiting:
        one = waiting.pop()
        if isinstance(one, type) and dataclasses.is_dataclass(one):
            if one in found or not one.__module__.startswith("reporter.view."):
                continue
            found.add(one)
            waiting += get_type_hints(one, localns=vars(sys.modules[one.__module__])).values()
        else:
            waiting += get_args(one)
    return found


def _fields(kind: type) -> Iterator[tuple[str, str, str]]:
    """Each field and property, from the class and from those it builds on."""
    for owner in reversed(kind.__mro__):
        if not owner.__module__.startswith("reporter."):
            continue
        body = _source(owner).body
        for node, after in zip(body, [*body[1:], None], strict=True):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                if "ClassVar" not in ast.unparse(node.annotation):
                    yield node.target.id, ast.unparse(node.annotation), _docstring(after)
            elif isinstance(node, ast.FunctionDef) and _is_property(node):
                returns = ast.unparse(node.returns) if node.returns else ""
                yield node.name, returns, _first(ast.get_docstring(node))


@cache
def _source(owner: type) -> ast.ClassDef:
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    assert isinstance(node, ast.ClassDef)
    return node


def _is_property(node: ast.FunctionDef) -> bool:
    return any(ast.unparse(one) == "property" for one in node.decorator_list)


def _docstring(node: ast.stmt | None) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return " ".join(str(node.value.value).split())
    return ""


def _first(text: str | None) -> str:
    return " ".join((text or "").split("\n\n")[0].split())


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


__all__ = ["FILE", "templates_page"]
