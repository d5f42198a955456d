"""A recording and a file of checks in, a graded recording out."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from reporter.checks.authoring import identity
from reporter.checks.grading import GradedSession, Grader, GradingTally, grade_session
from reporter.checks.lists import lists_of_wave
from reporter.checks.reading import VACUOUS, read_suite
from reporter.checks.suite import AuthoredCheck, Suite
from reporter.derive.matched import turn_of_scope
from reporter.errors import Problem, RecordingError, ReporterError
from reporter.identifiers import SessionId
from reporter.models.manifest import Criterion, Manifest, Run, Slot
from reporter.models.plan import Plan, SessionContext
from reporter.models.session import SessionRecording
from reporter.pipeline.derive import LOSSES
from reporter.pipeline.grade_work import GradedLines, GradeWork, graded_lines
from reporter.pipeline.options import Options, Progress, quietly
from reporter.pipeline.source import WORTH_SPREADING, ForeignSource, NativeSource, open_source
from reporter.pipeline.spread import core_count
from reporter.recording.catalogs import load_catalogs
from reporter.recording.copying import copy_wave
from reporter.recording.plan import resolve_plan
from reporter.recording.recorder import write_lines
from reporter.version import VERSION

GRADER_NAME: Final = "swarm-reporter"


@dataclass(frozen=True, slots=True)
class Graded:
    """What came of grading a recording."""

    tally: GradingTally
    labels: Mapping[str, str] = field(default_factory=dict)
    """What a reader calls a check, by criterion id."""
    notes: tuple[Problem, ...] = ()
    """What the author of the checks should know."""
    losses: tuple[Problem, ...] = ()
    """Problems that mean that something recorded could not be graded or written."""


@dataclass(frozen=True, slots=True)
class GradeChoices:
    """What a caller decides about grading."""

    checks: Path
    """The file of checks."""
    regrade: bool = False
    """Evaluate again what is graded on record, and list where it differs."""
    ended: bool = False
    """Take sessions of which no end is on record as over, and write down that it was stated."""


def read_checks(path: Path) -> Suite:
    """Read a file of checks.

    Raises:
        RecordingError: It cannot be used; every bad place is named.
        OSError: It cannot be read.
    """
    return read_suite(path.read_bytes(), path.name)


def grade_source(
    given: Path | Sequence[Path],
    folder: Path,
    choices: GradeChoices,
    options: Options,
    progress: Progress = quietly,
) -> Graded:
    """Grade every session of a recording by a file of checks, and write the graded wave.

    The recording stays as it is. What was on record for a session is in the new one as well,
    and the results stand behind it, with who graded by what. A session that cannot be read
    is written as it is and stops no other.

    Args:
        given: A recording in any form that can be reported.
        folder: Folder of the new wave; must not exist, or be empty.
        choices: By which checks, and what is graded again.
        options: How the recording is read.
        progress: Told how many of how many sessions are done.

    Raises:
        ReporterError: Checks or recording cannot be used, or the folder is not empty; nothing
            is left behind then.

    Rule: checks.md sections 2, 5 and 13; recording.md sections 4 and 5a.
    """
    suite = read_checks(choices.checks)
    source = open_source(given, options)
    grader = Grader(GRADER_NAME, VERSION, suite.name, suite.sha256)
    grading = _Grading(suite, grader, choices, options, progress)
    if isinstance(source, NativeSource):
        return grading.native(source, folder)
    if isinstance(source, ForeignSource):
        return grading.foreign(source, folder)
    raise ReporterError(
        f"{source.name}: a findings document holds no sessions to grade; name the recording."
    )


class _Grading:
    """Grades one recording."""

    def __init__(
        self, suite: Suite, grader: Grader, choices: GradeChoices, options: Options, say: Progress
    ) -> None:
        self._suite = suite
        self._grader = grader
        self._choices = choices
        self._options = options
        self._say = say
        self._tally = GradingTally()
        self._notes: list[Problem] = list(suite.notes)
        self._losses: list[Problem] = []
        self._waiting: dict[SessionId, SessionContext] = {}
        self._within: frozenset[SessionId] = frozenset()
        self._planned = 0
        self._kinds: set[str] = set()
        self._labels: dict[str, str] = {}

    def native(self, source: NativeSource, folder: Path) -> Graded:
        """Grade a native recording: its files are copied as they are."""
        wave = source.wave
        self._lose(wave.problems)
        manifest = wave.whole_manifest() or manifest_of(wave.plan)
        manifest = self._planned_anew(manifest, wave.plan, wave.form.manifest_file)
        slots = {filed: own for own, filed in wave.recorded.items()}
        files = wave.form.session_ids()
        ids = [slots.get(file_id, SessionId(file_id)) for file_id in files]
        self._say(0, self._planned)
        jobs = self._options.jobs or (core_count() if len(ids) >= WORTH_SPREADING else 1)
        with closing(graded_lines(self._work(wave.read, whole=False), ids, jobs=jobs)) as found:
            copy_wave(folder, wave, manifest, lambda _: self._take(next(found), 0, self._planned))
        return self._done()

    def foreign(self, source: ForeignSource, folder: Path) -> Graded:
        """Grade a foreign recording, read twice: for the plan, and for the records."""
        size = sum(unit.size for unit in source.wave.work())
        # Reading for the plan is the first half of the way.
        listed = source.listed(lambda done, _: self._say(done, 2 * size))
        read = source.manifest()
        catalogs, _, broken = load_catalogs(
            read.catalogs or (), manifest_file=source.name, root=None, files={}
        )
        plan, unresolved = resolve_plan(read, file=source.name, catalogs=catalogs)
        manifest = self._planned_anew(read, plan, source.name)
        work = self._work(source.transcript, whole=True)
        with closing(graded_lines(work, listed, jobs=source.jobs)) as found:
            write_lines(folder, manifest, self._lines(found))
        self._lose((*source.problems(), *broken, *unresolved))
        return self._done()

    def _work(self, read: Callable[[str], SessionRecording | None], *, whole: bool) -> GradeWork:
        return GradeWork(
            read=read,
            contexts=dict(self._waiting),
            within=self._within,
            grader=self._grader,
            regrade=self._choices.regrade,
            ended=self._choices.ended,
            writes_whole=whole,
        )

    def _lines(self, found: Iterable[GradedLines]) -> Iterator[tuple[str, list[bytes]]]:
        for one in found:
            lines = self._take(one, self._planned, 2 * self._planned)
            if lines:
                yield one.session_id, [lines]

    def _take(self, one: GradedLines, before: int, total: int) -> bytes:
        """Count a session in, and return its lines."""
        self._lose(one.losses)
        if one.graded is not None:
            del self._waiting[one.session_id]
            self._tally.take(one.graded)
            self._say(before + self._tally.sessions, total)
        return one.lines

    def _planned_anew(self, manifest: Manifest, plan: Plan, file: str) -> Manifest:
        """Return a manifest whose runs hold the checks of their goals, and wait for sessions."""
        asked = self._suite.of_goals(plan.goals)
        problems: list[Problem] = []
        runs = [
            self._run(run, asked.get(run.journey_ref_id, ()), problems) for run in manifest.runs
        ]
        if problems:
            raise RecordingError(list(dict.fromkeys(problems)))
        before = (manifest.model_extra or {}).get("gradedBy", [])
        graded_by = [
            *(before if isinstance(before, list) else [before]),
            {**self._grader.to_wire(), "regrade": self._choices.regrade, **self._stated()},
        ]
        graded = manifest.model_copy(update={"runs": runs, "gradedBy": graded_by})
        anew, _ = resolve_plan(graded, file=file, catalogs=plan.catalogs)
        contexts = anew.contexts()
        self._drop_vacuous(anew)
        self._waiting = {one.slot.session_id: one for one in contexts}
        ids = [one.slot.session_id for one in contexts]
        self._within = frozenset(ids[: self._options.scan_cap])
        self._planned = len(ids)
        return graded

    def _stated(self) -> dict[str, Any]:
        return {"ended": True} if self._choices.ended else {}

    def _drop_vacuous(self, plan: Plan) -> None:
        """Say of no list that nothing can fail it, where the recording's own graders decide."""
        listed = lists_of_wave(plan, ())
        if all(one.lint.word != "vacuous" for one in listed):
            self._notes = [one for one in self._notes if one.rule != VACUOUS]

    def _run(self, run: Run, asked: Sequence[AuthoredCheck], problems: list[Problem]) -> Run:
        """Return a run with the checks that its rubric does not hold yet."""
        held = {key: one for one in reversed(run.rubric) if (key := _key(one)) is not None}
        taken = {one.id for one in run.rubric}
        added: list[Criterion] = []
        for check in asked:
            self._kinds.add(str(check.check["type"]))
            same = held.get(check.key)
            if same is not None:
                self._compare_roles(check, same)
            elif check.id in taken:
                what = f"The recording has another criterion of the id {check.id!r}."
                remedy = "Give the check another id."
                problems.append(Problem(self._suite.name, "", what, remedy, "check-id-taken"))
            else:
                taken.add(check.id)
                added.append(check.criterion())
        rubric = [*run.rubric, *added]
        self._labels |= {one.id: one.label or one.id for one in rubric}
        return run.model_copy(update={"rubric": rubric})

    def _compare_roles(self, check: AuthoredCheck, same: Criterion) -> None:
        if same.role in (None, check.role):
            return
        what = (
            f"{check.check['type']} is {check.role} here and {same.role} in the recording's "
            f"rubric ({same.id}); the rubric's role counts."
        )
        self._notes.append(Problem(self._suite.name, "", what, "", "role-differs", severity="note"))

    def _note_widgets(self) -> None:
        """Say of checks of widgets that they fail for a reason no author of a server can mend.

        Rule: checks.md section 2.2, runs that have no browser.
        """
        kinds = sorted({kind for kind in self._kinds if kind.startswith("widget")})
        if kinds and self._tally.graded and not self._tally.widgets_seen:
            what = f"{', '.join(kinds)}: no try to show a widget is on record, so each fails."
            remedy = "Leave them out for recordings that were made without a browser."
            self._notes.append(
                Problem(self._suite.name, "", what, remedy, "widgets-unseen", severity="note")
            )

    def _lose(self, problems: Sequence[Problem]) -> None:
        self._losses += [one for one in problems if one.rule in LOSSES]

    def _done(self) -> Graded:
        for session_id, context in self._waiting.items():
            # Nothing is on record for it; it counts among those that were not graded.
            graded = GradedSession(ungraded="beyondCap")
            if session_id in self._within:
                absent = SessionRecording(session_id, present=False)
                graded = grade_session(context, absent, self._grader)
            self._tally.take(graded)
        self._note_widgets()
        return Graded(
            self._tally,
            self._labels,
            notes=tuple(dict.fromkeys(self._notes)),
            losses=tuple(dict.fromkeys(self._losses)),
        )


def manifest_of(plan: Plan) -> Manifest:
    """Return a manifest that says what is known of a wave whose recorder wrote none.

    Rule: recording.md section 7.
    """
    runs = [
        run.model_copy(update={"inferred": {**(run.inferred or {}), "status": _INTERRUPTED}})
        for run in plan.runs
    ]
    return Manifest(
        swarm_run_group_id=plan.wave_id,
        swarm_name=plan.name,
        terminal=False,
        personas=list(plan.personas),
        goals=list(plan.goals),
        targets=list(plan.targets),
        runs=runs,
        slots=[
            Slot(
                session_id=slot.session_id,
                run_id=slot.run_id,
                target_id=slot.target_id,
                session_index=slot.session_index,
                attempt=slot.attempt,
                recorded=slot.recorded,
            )
            for slot in plan.slots
        ],
    )


_INTERRUPTED: Final = "the recording has no manifest, as of a wave that was interrupted"


def _key(criterion: Criterion) -> tuple[str, int | None] | None:
    if criterion.predicate is None:
        return None
    try:
        return identity(criterion.predicate), turn_of_scope(criterion.scope)
    except ValueError:
        return None
