"""The style and the scripts of a page: inside it, or as files beside it."""

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import Final, Literal

from reporter.render.environment import asset_text, reader

Where = Literal["embed", "split"]

STYLES: Final = (
    "styles/tokens.css",
    "styles/page.css",
    "styles/summary.css",
    "styles/matrix.css",
    "styles/goals.css",
    "styles/sessions.css",
    "styles/transcript.css",
    "styles/narrow.css",
    "styles/sections.css",
    "styles/paper.css",
)
"""The page's style sheet, in order."""
THEME: Final = "scripts/theme.js"
"""Sets the chosen theme before anything is drawn."""
COMMON: Final = "scripts/common.js"
"""What scripts add to every page: themes, links that open what they lead to, copied links."""
MARKDOWN: Final = "scripts/markdown.js"
"""Takes a cause or a goal along as Markdown."""
LISTED: Final = "scripts/listed.js"
"""Says on a session's own page where it stands in the list that it was reached through."""
REPORT: Final = (
    "scripts/report/waiting.js",
    "scripts/report/list.js",
    "scripts/report/filters.js",
    "scripts/report/matching.js",
    "scripts/report/goals.js",
    "scripts/report/told.js",
    "scripts/report/own_list.js",
    "scripts/report/paper.js",
    "scripts/report/marks.js",
    "scripts/report/address.js",
    "scripts/report/steps.js",
    "scripts/report/accounts.js",
    "scripts/report/start.js",
)
"""What scripts add to the report's own page: filters, search, lists that grow. One function in
parts, which share what they name; the last begins with what all of them made ready."""

SESSION_STYLES: Final = (
    "styles/tokens.css",
    "styles/page.css",
    "styles/sessions.css",
    "styles/transcript.css",
    "styles/narrow.css",
    "styles/paper.css",
)
"""The style sheet of a session's own page, which has none of the report's sections."""

FOLDER: Final = "assets"
"""Folder of split assets, beside the report's page."""
STYLE_FILE: Final = "report.css"
THEME_FILE: Final = "theme.js"
SCRIPT_FILE: Final = "report.js"


@dataclass(frozen=True, slots=True)
class PageAssets:
    """What a page is drawn and run with, and the policy that allows nothing else."""

    style: str
    theme: str
    script: str
    where: Where = "embed"

    @property
    def policy(self) -> str:
        """The content security policy: nothing but this style and these scripts.

        Rule: report.md section 4.
        """
        return _policy(self)

    def files(self) -> Mapping[str, str]:
        """Return what goes into the folder beside the page, by name; empty when embedded."""
        if self.where == "embed":
            return {}
        return {STYLE_FILE: self.style, THEME_FILE: self.theme, SCRIPT_FILE: self.script}


# Thousands of pages share their style and scripts.
@lru_cache(maxsize=8)
def _policy(assets: PageAssets) -> str:
    if assets.where == "split":
        allowed = "style-src 'self'; script-src 'self'; "
    else:
        allowed = (
            f"style-src {_hash(assets.style)}; "
            f"script-src {_hash(assets.theme)} {_hash(assets.script)}; "
        )
    # Text becomes markup in the one place of our script that has a policy of this name.
    typed = "require-trusted-types-for 'script'; trusted-types swarm-report"
    return f"default-src 'none'; {allowed}base-uri 'none'; form-action 'none'; {typed}"


def page_assets(
    overrides: Sequence[Traversable] = (),
    where: Where = "embed",
    *,
    session: bool = False,
    theme: str = "",
) -> PageAssets:
    """Read the style and the scripts of a page.

    Args:
        overrides: Folders whose assets stand before our own.
        where: Inside the page, or beside it.
        session: True for the page of one session, which embeds only what it uses; beside
            the pages all of them share the same files.
        theme: Style that stands behind ours, as `read_look` checked it.

    Raises:
        RenderError: One is not there, or would end its own element.
    """
    read = reader(overrides)
    less = session and where == "embed"
    if less:
        script = _lean(COMMON, read) + _lean(LISTED, read)
    else:
        # Beside the pages there is one script for all of them.
        names = (COMMON, *((LISTED,) if where == "split" else ()), MARKDOWN)
        report = "".join(asset_text(name, read) for name in REPORT)
        script = "".join(asset_text(name, read) for name in names) + _in_one_function(report)
    return PageAssets(
        style="".join(asset_text(name, read) for name in (SESSION_STYLES if less else STYLES))
        + theme,
        theme=asset_text(THEME, read),
        script=script,
        where=where,
    )


def _in_one_function(script: str) -> str:
    return f'(function () {{\n"use strict";\n{script}}})();\n'


def _lean(name: str, read: Callable[[str], str | None]) -> str:
    """Leave out of a script of ours what only its readers need: thousands of pages carry it."""
    text = asset_text(name, read)
    if text != reader()(name):
        return text
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
