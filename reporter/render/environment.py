"""The template environment: always escaping, failing on what a view does not say."""

import difflib
import functools
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath
from typing import Final

from jinja2 import (
    Environment,
    FunctionLoader,
    StrictUndefined,
    TemplateNotFound,
    TemplateSyntaxError,
    Undefined,
)
from markupsafe import Markup, escape

from reporter.errors import RenderError, ReporterError
from reporter.render.compiling import LeanEnvironment, LeanGenerator
from reporter.view.scopes import ScopeView
from reporter.view.text import CleanText, Spelled, clean

_TOO_SHORT: Final = 8
"""Characters below which a text holds no secret."""
_SHORT: Final = 120
"""Characters of a text for which such an object costs more than escaping."""
_WORD: Final = 40
"""Characters of the longest text of which many pages print the same."""
_NEAREST: Final = 3
_ASSET_ENDS: Final = ("</style", "</script", "<!--", "\0")


def template_root() -> Traversable:
    """Find the templates: inside an installed package, beside a checkout."""
    package = files("reporter")
    installed = package / "templates"
    return installed if installed.is_dir() else package.joinpath("..", "templates")


def environment(overrides: Sequence[Traversable] = ()) -> Environment:
    """Return an environment over the templates.

    Args:
        overrides: Folders that are asked for a template or an asset before our own, the
            first that has it wins. Autoescape and strictness hold for theirs too.
    """
    return _made(tuple(overrides))


# Compiling every template takes longer than rendering a small report.
@functools.lru_cache(maxsize=4)
def _made(overrides: tuple[Traversable, ...]) -> Environment:
    read, read_theirs = reader(overrides), _reading(overrides)

    def load(name: str) -> tuple[str, str, Callable[[], bool]] | None:
        source = read_theirs(name)
        if source is None:
            source = read(name)
            made.own_templates.add(name)
        return None if source is None else (source, name, lambda: True)

    made = LeanEnvironment(
        loader=FunctionLoader(load),
        autoescape=True,
        undefined=_Missing,
        finalize=_printed,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
    )

    made.code_generator_class = LeanGenerator

    def asset(name: str) -> Markup:
        if read(name) is None:
            raise TemplateNotFound(name)
        return Markup(asset_text(name, read))  # noqa: S704  our own file, checked for its end

    def set_finding(finding: ScopeView, line: object = None) -> Markup:
        # A template of its own, rendered alone: it sees this finding and nothing of the report,
        # so that it cannot say what another view could tell it.
        template = made.get_template(f"parts/findings/{finding.template}")
        return Markup(template.render(finding=finding, line=line))  # noqa: S704  our template

    made.globals["asset"] = asset
    made.globals["set_finding"] = set_finding
    return made


def reader(overrides: Sequence[Traversable] = ()) -> Callable[[str], str | None]:
    """Return a function that reads a template or an asset by its name, or gives None."""
    return _reading((*overrides, template_root()))


def _reading(roots: Sequence[Traversable]) -> Callable[[str], str | None]:
    def read(name: str) -> str | None:
        parts = PurePosixPath(name).parts
        if not parts or name.startswith("/") or ".." in parts:
            return None
        for root in roots:
            file = root.joinpath(*parts)
            if file.is_file():
                try:
                    return file.read_text(encoding="utf-8-sig")
                except UnicodeDecodeError as error:
                    line = error.object.count(b"\n", 0, error.start) + 1
                    what = "the file is not UTF-8 text. Save it as UTF-8."
                    raise RenderError(f"{name}, line {line}: {what}") from error
        return None

    return read


def asset_text(name: str, read: Callable[[str], str | None]) -> str:
    """Return a style or a script as it is embedded.

    Raises:
        RenderError: There is none of that name, or it would end its own element.
    """
    text = read(name)
    if text is None:
        raise RenderError(f"{name}: there is no such asset among the templates.")
    for end in _ASSET_ENDS:
        if end in text.lower():
            raise RenderError(f"{name}: an embedded asset must not hold {end!r}.")
    return text


@contextmanager
def naming_template() -> Iterator[None]:
    """Turn an error inside a template into one that names the template and its line."""
    try:
        yield
    except ReporterError:
        # What is wrong is no template: it only was being rendered.
        raise
    except TemplateSyntaxError as error:
        place = f"{error.name or error.filename or 'a template'}, line {error.lineno}"
        raise RenderError(f"{place}: {error.message}") from error
    except TemplateNotFound as error:
        place = _template_place(error) or "templates"
        what = f"there is no template and no asset {error.name!r}. What is new goes below own/."
        raise RenderError(f"{place}: {what}") from error
    except Exception as error:
        found = _template_place(error)
        if found is None:
            raise
        raise RenderError(f"{found}: {_said(error)}") from error


def _template_place(error: Exception) -> str | None:
    """Return the innermost template and line that an error passed through, or None."""
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        if frame.filename.endswith(".html") and frame.lineno is not None:
            return f"{frame.filename}, line {frame.lineno}"
    return None


def _said(error: Exception) -> str:
    """Return what is wrong, and what to do about what most often is."""
    if isinstance(error, RecursionError):
        return "this includes, extends or calls itself without end."
    if isinstance(error, MemoryError):
        return "this takes more memory than there is."
    if isinstance(error, AttributeError) and error.name is not None:
        return _lacks(type(error.obj), error.name)
    return f"{error}"


def _lacks(kind: type, name: str) -> str:
    known = [one for one in dir(kind) if not one.startswith("_")]
    near = ", ".join(difflib.get_close_matches(name, known, _NEAREST))
    nearest = f" The nearest names are {near}." if near else ""
    return f"{kind.__name__} has no {name!r}.{nearest} docs/templates.md lists what each view has."


class _Missing(StrictUndefined):
    """What somebody else's template asked for and is not there; using it is an error."""

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        kind, name = type(self._undefined_obj), self._undefined_name
        if self._undefined_hint or kind.__module__.partition(".")[0] != "reporter":
            return super()._undefined_message
        return _lacks(kind, str(name))


def _printed(value: object) -> str:
    """Mask, disarm and escape a value on its way out; views did the first two, this is the net."""
    kind = type(value)
    if kind is Markup or kind is Spelled:
        return value  # type: ignore[return-value]  # a text, see above
    if kind is CleanText:
        return _clean_word(value) if len(value) <= _WORD else _escaped(value)  # type: ignore[arg-type]  # the same
    if kind is int:
        return str(value)
    if kind is not str:
        # An undefined value says which name it was; asked for markup, it would raise twice.
        return str(value) if isinstance(value, Undefined) else escape(value)
    return _word(value) if len(value) <= _WORD else _escaped(clean(value))  # type: ignore[arg-type]  # the same


def _escaped(text: str) -> str:
    if len(text) > _SHORT:
        return escape(text)
    # The same, but for an object around every piece, which are joined right after.
    return (
        text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("'", "&#39;")
        .replace('"', "&#34;")
    )


# The same few words stand on every page. The two must not share a memory: equal texts of the
# two kinds are printed alike only where cleaning finds nothing.
_clean_word: Final = functools.lru_cache(maxsize=4_096)(_escaped)


@functools.lru_cache(maxsize=4_096)
def _word(text: str) -> str:
    if len(text) < _TOO_SHORT and text.isprintable():
        return _escaped(text)
    return _escaped(clean(text))
