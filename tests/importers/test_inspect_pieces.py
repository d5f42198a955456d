"""A large `.eval` log in pieces: the same as the log in one go, and each session alone."""

from pathlib import Path
from typing import Any

import inspect_logs as logs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imported import SAMPLES
from inspect_logs import Json, call, failed, members, packed, sample, says, tool, user

from reporter.importers import wave as wave_module
from reporter.importers.inspect_ai import log as log_module
from reporter.importers.inspect_ai.importer import InspectAi
from reporter.importers.jsonarray import Piece
from reporter.importers.source import LocalFile
from reporter.models.manifest import Manifest
from reporter.pipeline.options import Options
from reporter.pipeline.source import ForeignSource, Gathered, open_source

modest = settings(max_examples=25, deadline=None)


def gathered(path: Path, piece: int, jobs: int = 1) -> tuple[Gathered, ForeignSource, Manifest]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wave_module, "PIECE_BYTES", piece)
        source = open_source(path, Options(jobs=jobs))
        assert isinstance(source, ForeignSource)
        return source.gather(), source, source.manifest()


def the_same(path: Path, piece: int, jobs: int = 1, batch: int = 1) -> int:
    """Compare both ways of reading; how many pieces there were."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_module, "BATCH_BYTES", batch)
        whole, at_once, manifest = gathered(path, 10**9)
        parts, in_pieces, joined = gathered(path, piece, jobs)
        assert parts == whole
        assert joined == manifest
        for facts in whole.facts:
            own = in_pieces.transcript(facts.session_id)
            assert own == at_once.transcript(facts.session_id)
            assert own is not None
            assert own.session_id == facts.session_id
        return len(InspectAi().pieces(LocalFile(path, path.name, path.name), piece))


def erring(own_id: Any, epoch: int) -> Json:
    messages = [user(), says("", call()), tool(**failed("unknown"))]
    return sample(own_id, epoch, messages=messages, events=[{"event": "telepathy"}])


samples = st.one_of(
    st.builds(sample, st.integers(0, 3), st.integers(1, 2)),
    st.builds(erring, st.sampled_from(["a", "b"]), st.integers(1, 2)),
    st.builds(
        lambda own_id: sample(own_id, scores=logs.score(0.5), uuid="U", target="x"),
        st.integers(0, 3),
    ),
    st.builds(lambda own_id: sample(own_id, messages=7), st.integers(4, 5)),
)


@modest
@given(
    st.lists(samples, min_size=1, max_size=8, unique_by=lambda one: (one["id"], one["epoch"])),
    st.tuples(st.integers(1, 2000), st.integers(1, 2000)),
    st.sampled_from(["success", "error", "started"]),
    st.sampled_from(["", "lost", "broken"]),
)
def test_pieces_of_any_size_give_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    ones: list[Json],
    sizes: tuple[int, int],
    status: str,
    harm: str,
) -> None:
    found = members(*ones, status=status, results=None, eval=logs.evaluation([0, "a", 9], 2))
    first = f"samples/{ones[0]['id']}_epoch_{ones[0]['epoch']}.json"
    if harm == "lost":
        del found[first]
    elif harm == "broken":
        found[first] = b"{"
    path = tmp_path_factory.mktemp("pieces") / "a.eval"
    path.write_bytes(packed(found))
    the_same(path, sizes[0], batch=sizes[1])


def test_a_log_that_inspect_wrote_in_pieces_and_in_two_processes() -> None:
    assert the_same(SAMPLES / "library_desk.eval", 1500) > 1
    the_same(SAMPLES / "library_desk.eval", 1500, jobs=2)


def test_a_log_without_summaries_is_not_cut(tmp_path: Path) -> None:
    found = members(*[sample(n) for n in range(5)])
    del found["summaries.json"]
    path = tmp_path / "a.eval"
    path.write_bytes(packed(found))
    assert the_same(path, 100) == 1


@pytest.mark.parametrize("data", [b"PK\x03\x04 cut off", b"{}"])
def test_what_is_no_zip_is_one_piece(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes(data)
    assert InspectAi().pieces(LocalFile(path, "a", "a"), 10) == [Piece(0, None)]


def test_samples_of_one_id_and_epoch_in_two_pieces_are_read_in_one_go(tmp_path: Path) -> None:
    found = members(sample(1), sample(2))
    # The names of the members differ, and what stands in them does not.
    found["samples/3_epoch_1.json"] = sample(1, scores=logs.score("I"))
    path = tmp_path / "a.eval"
    path.write_bytes(packed(found))
    the_same(path, 1)
