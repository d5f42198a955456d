"""What a test asks of a page in a browser."""

from pathlib import Path
from typing import Any

import axe_playwright_python  # type: ignore[import-untyped]  # it has no stubs

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    """Return the rules of axe-core that the whole document breaks, each with one place.

    Looked at from the top: where the contents stick, they cover half of some link or other,
    which axe calls a small target, and any step of scrolling uncovers it.
    """
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
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


SPACED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: .12em !important; " +
    "word-spacing: .16em !important } p { margin-bottom: 2em !important }");
  document.adoptedStyleSheets = [sheet];
}"""
"""Sets what a reader may set without losing anything (WCAG 1.4.12)."""

# Names that have to break somewhere are longer; a hyphen or a slash is a place to break.
LOST = r"""() => {
  const lost = new Set(), range = document.createRange();
  const edge = document.documentElement.clientWidth;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const unseen = new Map();
  const isUnseen = one => {
    if (!one || one === document.body) return false;
    if (!unseen.has(one)) {
      const isCut = getComputedStyle(one).clipPath.startsWith("inset");
      unseen.set(one, isCut || isUnseen(one.parentElement));
    }
    return unseen.get(one);
  };
  for (let node; (node = walk.nextNode());) {
    const one = node.parentElement;
    if (!node.data.trim() || one.closest("svg, script, noscript, pre, .say, code")) continue;
    if (!one.checkVisibility() || isUnseen(one)) continue;
    for (const word of node.data.matchAll(/(?<![\w\/-])[A-Za-z][\w.,:;]{2,17}(?![\w\/-])/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const pieces = [...range.getClientRects()].filter(piece => piece.width > 0);
      if (pieces.length && pieces[pieces.length - 1].top - pieces[0].top > 6)
        lost.add("broken: " + word[0]);
      if (pieces.some(piece => piece.right > edge + 1) && !one.closest("summary"))
        lost.add("outside: " + word[0]);
    }
  }
  return [...lost];
}"""


def lost(page: Any) -> list[str]:
    """List the words of a page that are broken inside, or stand outside of it."""
    return [str(one) for one in page.evaluate(LOST)]
