"""Names of things, each a string that must not be taken for another."""

from typing import NewType

WaveId = NewType("WaveId", str)
"""One launched swarm (`swarmRunGroupId` on the wire)."""

RunId = NewType("RunId", str)
"""One goal tried by one persona in one wave."""

GoalId = NewType("GoalId", str)
"""The authored task (`journeyRefId` on the wire)."""

SessionId = NewType("SessionId", str)
"""One planned session; holds no slash, so that a citation can be split."""

TargetId = NewType("TargetId", str)
"""One environment or host plus a model; opaque, never parsed."""

CriterionId = NewType("CriterionId", str)
"""One check of a run's rubric; opaque."""

CatalogId = NewType("CatalogId", str)
"""One recorded tool catalogue."""

ToolCallId = NewType("ToolCallId", str)
"""One tool call, unique within its session."""

MechanismId = NewType("MechanismId", str)
"""One verified explanation, shared by the rows that publish it."""
