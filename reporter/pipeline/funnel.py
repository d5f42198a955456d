"""The stage funnel of a wave as a document."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from reporter.errors import ReporterError
from reporter.models.analytics import RunIdentity
from reporter.models.wave import DerivedWave
from reporter.redaction import dump_masked
from reporter.vocabulary import MaterializationState
from reporter.wave.trials import READER, wave_funnel

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def funnel_document(wave: DerivedWave, *, generated_at: datetime) -> dict[str, Any]:
    """Return the funnel document of a wave, keys in contract order.

    The wave is the run; its swarm, where one is recorded, is the suite. Under which
    configuration it ran is not recorded, so two documents never pass as comparable by what
    stands here alone.

    Args:
        wave: A wave with its recording.
        generated_at: The caller's clock.

    Raises:
        ReporterError: It is a findings document that came without a recording.

    Rule: analytics.md sections 3 to 8.
    """
    plan = wave.plan
    if plan is None:
        raise ReporterError("A findings document holds no sessions to count; name the recording.")
    run = RunIdentity(
        run_id=plan.wave_id,
        suite_id=plan.swarm_id or plan.wave_id,
        materialization_state=MaterializationState.FINAL
        if plan.terminal
        else MaterializationState.PROVISIONAL,
        now=(generated_at - _EPOCH) // timedelta(milliseconds=1),
        reader_stage_analyzer_version=READER.stage_analyzer_version,
        run_completed_at=plan.finished_at_ms,
    )
    return wave_funnel(wave.facts, plan.target_by_id(), plan.wave_id).document(run)


def funnel_text(wave: DerivedWave, *, generated_at: datetime) -> str:
    """Return the document as it is written to a file, masked; see `funnel_document`."""
    return dump_masked(funnel_document(wave, generated_at=generated_at), _laid) + "\n"


def _laid(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2)
