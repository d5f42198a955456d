"""A value of another kind anywhere in a source: sessions, or a refusal that names the place."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from imported import SAMPLES, take
from saved_export import export, save

from reporter.derive.session import derive_session
from reporter.errors import Problem, RecordingError
from reporter.recording.plan import resolve_plan

modest = settings(max_examples=120, deadline=None)
ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    10**30,
    1.5,
    "",
    " ",
    "x" * 300,
    "a/b\n\x00\u2028",
    [],
    [None],
    [[]],
    {},
    {"": None},
    [{"id": 1}],
]
Place = tuple[Any, ...]


def places(value: Any, here: Place = ()) -> Iterator[Place]:
    yield here
    if isinstance(value, dict | list):
        keys = value if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield from places(value[key], (*here, key))


def changed(value: Any, place: Place, odd: Any) -> Any:
    if not place:
        return odd
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = changed(value[place[0]], place[1:], odd)
    return copy


def check(path: Path) -> None:
    refused: tuple[Problem, ...] = ()
    try:
        taken = take(path)
    except RecordingError as error:
        refused = error.problems
    if refused:
        assert all(problem.what for problem in refused)
        return
    resolve_plan(taken.manifest, file="wave.json", catalogs={})
    assert taken.manifest.model_dump_json()
    for own, recording in taken.recordings.items():
        for record in recording.records:
            assert record.model_dump_json()
        derive_session(taken.contexts[own], recording)


FILES = export()
ANSWERS = sorted(FILES)
SPOTS = {name: sorted(places(FILES[name]), key=repr) for name in ANSWERS}
RUN = json.loads((SAMPLES / "eval_run.json").read_bytes())
RUN_SPOTS = sorted(places(RUN), key=repr)


@modest
@given(st.sampled_from(ANSWERS), st.data())
def test_an_answer_with_a_value_of_another_kind(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    place, odd = data.draw(st.sampled_from(SPOTS[name])), data.draw(st.sampled_from(ODD))
    folder = save(tmp_path_factory.mktemp("odd"))
    (folder / name).write_text(json.dumps(changed(FILES[name], place, odd)))
    check(folder)


@modest
@given(st.sampled_from(RUN_SPOTS), st.sampled_from(ODD))
def test_an_eval_run_with_a_value_of_another_kind(
    tmp_path_factory: pytest.TempPathFactory, place: Place, odd: Any
) -> None:
    path = tmp_path_factory.mktemp("odd") / "run.json"
    path.write_text(json.dumps(changed(RUN, place, odd)))
    check(path)
