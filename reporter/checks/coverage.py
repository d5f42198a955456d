"""What a suite measures of each link, told from its configuration alone.

Rule: checks.md section 10.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from reporter.checks.authoring import OBSERVATIONS, effective_role
from reporter.derive.chain.predicates import MATCHERS, filed_at, grader_stage
from reporter.vocabulary import Stage

Coverage = Literal["runner", "decides", "advisoryOnly", "observationsOnly", "none"]
"""How far a link is measured; observations and advisory checks never make it measured."""

RUNNER_STAGES: Final = frozenset({Stage.CONNECTION, Stage.DISCOVERY})
"""Links that only the runner's own record decides: from inside a check, a server that is down
and a network of ours that is broken look the same."""

BUDGET_KINDS: Final = frozenset({"tokenBudgetUnder", "turnCountUnder"})
"""Kinds that are listed apart, though they file at user value and decide as others do."""


@dataclass(frozen=True, slots=True)
class Graders:
    """What grades beside the checks."""

    expects_calls: bool = False
    """The cases name expected calls, which the matcher grades."""
    ignores_arguments: bool = False
    judge: Literal["required", "advisory"] | None = None
    """The goal judge, where one is asked for."""


@dataclass(frozen=True, slots=True)
class KindCount:
    """One kind of check at a link."""

    kind: str
    gating: int = 0
    advisory: int = 0
    observation: int = 0


@dataclass(frozen=True, slots=True)
class LinkCoverage:
    """What is authored for one link."""

    stage: Stage
    coverage: Coverage
    kinds: tuple[KindCount, ...] = ()
    """Kinds filed there, in the order in which they were first authored."""
    graders: tuple[str, ...] = ()
    unnamed: int = 0
    """Checks of unknown kind, which are filed nowhere in particular and decide user value."""

    @property
    def decided_by(self) -> Literal["runner", "checks"]:
        """Who decides the link at all."""
        return "runner" if self.stage in RUNNER_STAGES else "checks"

    def to_wire(self) -> dict[str, Any]:
        """Return the row in wire form, keys in contract order."""
        return {
            "stage": self.stage.value,
            "decidedBy": self.decided_by,
            "kinds": [
                {
                    "kind": one.kind,
                    "gating": one.gating,
                    "advisory": one.advisory,
                    "observation": one.observation,
                }
                for one in self.kinds
            ],
            "graders": list(self.graders),
            "coverage": self.coverage,
        }


@dataclass(slots=True)
class _Link:
    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    graders: list[str] = field(default_factory=list)
    deciding_graders: int = 0
    unnamed: int = 0
    unnamed_gating: int = 0


def coverage_of(
    checks: Iterable[Mapping[str, Any] | None], graders: Graders | None = None
) -> tuple[LinkCoverage, ...]:
    """Say for every link what measures it.

    Args:
        checks: The effective checks; None for one whose kind the source does not name, as a
            benchmark's reward.
        graders: What grades beside them.

    Returns:
        One row a link, in the order of the chain.

    Rule: checks.md section 10.
    """
    links = {stage: _Link() for stage in Stage}
    for check in checks:
        _file(links, check)
    for name, decides in _graders(graders or Graders()):
        link = links[grader_stage(name) or Stage.USER_VALUE]
        if name not in link.graders:
            link.graders.append(name)
        link.deciding_graders += decides
    return tuple(_row(stage, link) for stage, link in links.items())


def _file(links: Mapping[Stage, _Link], check: Mapping[str, Any] | None) -> None:
    kind = (check or {}).get("type")
    if kind in MATCHERS:
        _file_matcher(links, str(kind), check or {})
        return
    stage = filed_at(kind) if isinstance(kind, str) else None
    role = effective_role(check or {})
    if stage is None or not isinstance(kind, str):
        link = links[Stage.USER_VALUE]
        link.unnamed += 1
        link.unnamed_gating += role == "required"
        return
    word = "observation" if kind in OBSERVATIONS else "gating" if role == "required" else "advisory"
    links[stage].kinds.setdefault(kind, Counter())[word] += 1


def _file_matcher(links: Mapping[Stage, _Link], name: str, check: Mapping[str, Any]) -> None:
    """File what grades expected calls: it is no check, and stands there once."""
    link = links[grader_stage(name) or Stage.USER_VALUE]
    if name not in link.graders:
        link.graders.append(name)
    link.deciding_graders += effective_role(check) == "required"


def _graders(graders: Graders) -> Sequence[tuple[str, bool]]:
    found: list[tuple[str, bool]] = []
    if graders.expects_calls:
        found.append(("toolCalls:match", True))
        if not graders.ignores_arguments:
            found.append(("toolCalls:arguments", True))
    if graders.judge is not None:
        found.append(("judge:goalCompletion", graders.judge == "required"))
    return found


def _row(stage: Stage, link: _Link) -> LinkCoverage:
    kinds = tuple(
        KindCount(kind, words["gating"], words["advisory"], words["observation"])
        for kind, words in link.kinds.items()
    )
    return LinkCoverage(
        stage, _coverage(stage, link, kinds), kinds, tuple(link.graders), link.unnamed
    )


def _coverage(stage: Stage, link: _Link, kinds: Sequence[KindCount]) -> Coverage:
    if stage in RUNNER_STAGES:
        return "runner"
    if link.deciding_graders or link.unnamed_gating or any(one.gating for one in kinds):
        return "decides"
    if link.graders or link.unnamed or any(one.advisory for one in kinds):
        return "advisoryOnly"
    return "observationsOnly" if kinds else "none"
