"""What MCPJam derived itself of a wave: kept as published, never used instead of ours."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reporter.canonical import canonical_json
from reporter.errors import Problem
from reporter.importers.losses import Losses
from reporter.importers.mcpjam_documents import Export, spelled
from reporter.importers.mcpjam_plan import WavePlan
from reporter.importers.mcpjam_values import kept, mapping, moment, text

Json = Mapping[str, Any]


def published_of(
    export: Export, plan: WavePlan, losses: Losses, problems: list[Problem]
) -> dict[str, Any] | None:
    """Return what the service published of the wave, or None where that is nothing.

    Rule: import-mcpjam.md sections 4.7 and 4.8; recording.md section 5a.
    """
    wave = plan.manifest.swarm_run_group_id
    envelopes = list(_envelopes(export, wave, losses, problems))
    found: dict[str, Any] = {
        "findings": _findings(envelopes, export, losses),
        "findingsJob": _job(envelopes),
        "decision": [_decision(run_id, body) for run_id, body in plan.runs.items()],
        "report": [body["report"] for body in plan.runs.values() if mapping(body.get("report"))],
        "sessions": {
            own: {"verdict": row["verdict"]}
            for own, row in plan.rows.items()
            if mapping(row.get("verdict"))
        },
        "insights": _insights(envelopes),
        "waveInsights": [
            one.body
            for one in export.of("waveInsights")
            if spelled(one.body, "waveId", "swarmRunId") == wave
        ],
        # The list is the project's; only these rows are of this wave.
        "trackedFindings": [
            one for _, one in export.rows("trackedFindings") if one.get("lastSeenWaveId") == wave
        ],
    }
    if not found["findings"]:
        problems.append(_no_findings(found["findingsJob"], has_insights=bool(envelopes)))
    if not any(one["verdict"] for one in found["decision"]):
        del found["decision"]
    said = {key: kept(one) for key, one in found.items() if one}
    return said or None


def _envelopes(
    export: Export, wave: str, losses: Losses, problems: list[Problem]
) -> Iterator[Json]:
    for envelope in export.envelopes():
        scope = mapping(envelope.get("scope"))
        kind, own = scope.get("kind"), scope.get("id")
        if kind != "swarm_wave":
            losses.add("unknownType", "insights.scope.kind", "insights that are of no swarm wave")
            problems.append(
                Problem(
                    file="insights",
                    place="scope.kind",
                    what=f"The insights are not of a swarm wave but of {text(kind) or 'nothing'}.",
                    remedy="Save those of the wave.",
                    rule="insights-of-another-kind",
                    severity="note",
                )
            )
        elif own != wave and not wave.startswith("solo:"):
            losses.add("disagreement", "insights.scope.id", "insights of another wave")
        else:
            yield envelope


def _findings(envelopes: Sequence[Json], export: Export, losses: Losses) -> Json | None:
    """Return the newest findings document; the envelope repeats it in every run."""
    documents = [
        document for envelope in envelopes if (document := mapping(envelope.get("journeyFindings")))
    ]
    documents += [one.body for one in export.of("findings")]
    if len({canonical_json(kept(one)) for one in documents}) > 1:
        losses.add(
            "disagreement",
            "insights.journeyFindings",
            "findings documents that differ from run to run; the newest counts",
        )
    return max(documents, key=lambda one: moment(one.get("generatedAt")) or 0, default=None)


def _job(envelopes: Sequence[Json]) -> Json | None:
    jobs = [job for one in envelopes if (job := mapping(one.get("journeyFindingsJob")))]
    return max(jobs, key=lambda one: moment(one.get("updatedAt")) or 0, default=None)


def _no_findings(job: Json | None, *, has_insights: bool) -> Problem:
    """Say that no document was published, which is not the same as no findings."""
    state = text(mapping(job).get("status"))
    if state is not None:
        what = f"The service's findings job is {state}, and no document of it was saved"
    elif has_insights:
        what = "The insights that were saved hold no findings document"
    else:
        what = "No insights were saved"
    return Problem(
        file="export",
        place="insights.journeyFindings",
        what=f"{what}; that does not mean that the service found nothing.",
        rule="published-findings-missing",
        severity="note",
    )


def _decision(run_id: str, body: Json) -> dict[str, Any]:
    """Return a run's decision in the form of all decisions, with the run that it is of."""
    summary = mapping(body.get("verdictSummary"))
    decision = mapping(summary.get("decision")) or mapping(
        mapping(body.get("report")).get("decision")
    )
    return {
        **decision,
        "runId": run_id,
        "verdict": decision.get("verdict"),
        "status": text(summary.get("status")),
    }


def _insights(envelopes: Sequence[Json]) -> Json | None:
    """Return the newest envelope without its findings document."""
    newest = max(envelopes, key=lambda one: moment(one.get("updatedAt")) or 0, default=None)
    if newest is None:
        return None
    beside = ("journeyFindings", "journeyFindingsJob")
    return {key: said for key, said in newest.items() if key not in beside}
