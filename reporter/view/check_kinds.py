"""The kinds of checks that a file may hold, in lines for a terminal and as a page of Markdown.

Rule: checks.md sections 2, 6, 7.3 and 12.
"""

from collections.abc import Iterator
from typing import Final

from reporter.checks.authoring import OBSERVATIONS, TURN_SCOPABLE, fields_wanted
from reporter.checks.evaluate import EVALUATORS
from reporter.checks.standard import STANDARD, why_no_check
from reporter.derive.chain.predicates import filed_at
from reporter.vocabulary import Stage

_WIDTH: Final = 31
_HEAD: Final = """# Checks

<!-- Made by `swarm-reporter kinds --markdown`; edit the kinds, not this page. -->

What a file of checks may hold, for `swarm-reporter grade` and `coverage`. The file is YAML or JSON.

## The file

| key | holds |
| --- | --- |
| `checks` | a list of checks, for every goal |
| `expect` | a list of calls that must be made: `toolName`, `arguments`, `turn` |
| `match` | how they are looked for: `toolCallOrder` (`ignore`, `strict`, `superset`), `maxExtraToolCalls` (a number, or `null` for no limit), `argumentMatching` (`partial`, `exact`, `ignore`) |
| `standard` | ids of standard checks, or `recommended`; each only reports |
| `suppress` | ids of standard checks whose kinds are dropped from the file's own `checks` |
| `goals` | the same keys for one goal, by its id or title, with `mode` (`inherit`, `replace`, `extend`) and `negative` (no tool may be called) |

Every check has a `type`, and may have an `id`, a `label`, a `turn` (counted from 1, as in the report), a `role` and a `severity`. Without a role, and with `required` or `gating`, it decides; `role: advisory` only reports, and with `severity: warn` it warns.

A check comes to passed, failed or *not measured*: the evidence that it reads was not recorded. Not measured is neither of the others.

In `partial` matching, a text at the top of the arguments that is `any`, `string`, `number`, `boolean`, `object`, `array` or `null` asks for a value of that type; any other value must be equal, and more arguments may be there.

## Kinds

*Observes*: it is right about what it saw and may be wrong about what it means, so it must be advisory. *Turn*: it can be held to one turn.
"""  # noqa: E501  a line of Markdown is a paragraph
_COLUMNS: Final = "| type | passes where | fields | |\n| --- | --- | --- | --- |\n"
_STANDARD: Final = """
## Standard checks

| id | adds |
| --- | --- |
"""


def kind_lines() -> list[str]:
    """List every kind with what holds where it passes, link by link."""
    lines: list[str] = []
    for stage, kinds in _by_stage():
        lines += [f"{stage.label}:", *(f"  {kind:<{_WIDTH}}{meaning(kind)}" for kind in kinds)]
    return [*lines, "Fields of a kind: swarm-reporter kinds KIND"]


def kind_described(kind: str) -> list[str]:
    """Say what one kind asks for, its fields, and how it may be used."""
    lines = [f"{kind}: {meaning(kind)}", f"  files at {_stage(kind).label.lower()}"]
    for name, (wanted, is_required) in fields_wanted(kind).items():
        lines.append(f"  {name}: {wanted}{'' if is_required else ' (optional)'}")
    lines += [f"  {said}" for said in _uses(kind)]
    return lines


def kinds_page() -> str:
    """Return everything that a file of checks may hold as a page of Markdown."""
    page = _HEAD
    for stage, kinds in _by_stage():
        page += f"\n### {stage.label}\n\n{_COLUMNS}"
        for kind in kinds:
            fields = "; ".join(
                f"`{name}`{'' if is_required else ' (optional)'}: {wanted}"
                for name, (wanted, is_required) in fields_wanted(kind).items()
            )
            page += f"| `{kind}` | {meaning(kind)} | {fields} | {', '.join(_marks(kind))} |\n"
    page += _STANDARD
    for name, preset in STANDARD.items():
        if preset is None:
            page += f"| `{name}` | nothing: {why_no_check(name)[0]} |\n"
        else:
            more = ", ".join(f"`{key}: {item}`" for key, item in preset.items() if key != "type")
            page += f"| `{name}` | `{preset['type']}`{f' with {more}' if more else ''} |\n"
    return page


def meaning(kind: str) -> str:
    """Return what is so where a check of a kind passes, as a sentence."""
    return (EVALUATORS[kind].__doc__ or "").split("\n")[0]


def _by_stage() -> Iterator[tuple[Stage, list[str]]]:
    for stage in Stage:
        kinds = [kind for kind in EVALUATORS if _stage(kind) is stage]
        if kinds:
            yield stage, kinds


def _stage(kind: str) -> Stage:
    return filed_at(kind) or Stage.USER_VALUE


def _marks(kind: str) -> list[str]:
    marks = ["observes"] if kind in OBSERVATIONS else []
    return [*marks, "turn"] if kind in TURN_SCOPABLE else marks


def _uses(kind: str) -> list[str]:
    said = ["it observes, so its role must be advisory"] if kind in OBSERVATIONS else []
    if kind in TURN_SCOPABLE:
        said.append("turn: it can be held to one turn, counted from 1")
    return said
