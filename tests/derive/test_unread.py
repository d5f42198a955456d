"""What a model could not use keeps what code derived of it, and speaks for no reading."""

from dataclasses import replace
from pathlib import Path

import pytest
from shared import ROOT

from reporter.derive.options import DeriveOptions
from reporter.derive.session import derive_session, masked_chars
from reporter.derive.unread import as_unread
from reporter.pipeline.options import Options
from reporter.pipeline.source import NativeSource, open_source
from reporter.vocabulary import ReadState

EXAMPLE: Path = ROOT / "examples" / "lending-desk" / "wave"

OPTIONS = {
    ReadState.CONTEXT_TOO_LARGE: DeriveOptions(with_model=True, context_chars=0),
    ReadState.BUDGET_EXHAUSTED: DeriveOptions(with_model=True, budget_exhausted=True),
    ReadState.EXTRACTION_REJECTED: DeriveOptions(with_model=True, extraction_rejected=True),
}


@pytest.mark.parametrize("state", OPTIONS)
def test_a_session_is_marked_unread_as_it_is_derived_unread(state: ReadState) -> None:
    source = open_source(EXAMPLE, Options())
    assert isinstance(source, NativeSource)
    compared = 0
    for context in source.wave.plan.contexts():
        recording = source.wave.read(context.slot.session_id)
        read = derive_session(context, recording)
        if not read.is_read or read.transcript_chars == 0:
            continue
        derived = derive_session(context, recording, OPTIONS[state])
        assert replace(derived, transcript_chars=read.transcript_chars) == as_unread(read, state)
        assert derived.transcript_chars == masked_chars(recording)
        assert derived.disposition is read.disposition
        assert derived.friction == read.friction
        assert derived.chain == read.chain
        compared += 1
    assert compared > 20
