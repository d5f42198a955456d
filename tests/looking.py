"""What a test asks of a page in a browser."""

from pathlib import Path
from typing import Any

import axe_playwright_python  # type: ignore[import-untyped]  # it has no stubs

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    page.evaluate(AXE)
    found = page.evaluate(
        "tags => axe.run(document, {runOnly: tags}).then(r => r.violations.map("
        "v => v.id + ': ' + v.nodes.length + ', ' + v.nodes[0].target.join(' ')))",
        TAGS,
    )
    return [str(one) for one in found]


def shown(page: Any) -> int:
    return int(page.locator("#list tr[data-k]:not([hidden])").count())


def fits(page: Any) -> bool:
    """Tell whether a page needs no sideways scrolling."""
    return bool(
        page.evaluate(
            "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    )
