"""What the scorers of a log said: which of their words pass or fail a session, and which not."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reporter.importers.conversation import Element
from reporter.importers.naming import first_words
from reporter.importers.outcome import number_of
from reporter.importers.sound import sound_text
from reporter.models.manifest import Criterion
from reporter.models.records import Criteria, CriterionResult, SessionNotice

_WORDS: Final[Mapping[str, tuple[bool, str | None]]] = {
    "C": (True, None),
    "I": (False, None),
    "P": (False, "score P: partly correct is not correct"),
    "N": (False, "score N: no answer is not correct"),
}
_ANSWERS: Final[Mapping[str, bool]] = {"yes": True, "true": True, "no": False, "false": False}
_ACCURACY: Final = "accuracy"
_BY_ACCURACY: Final = "a score that the accuracy metric reads as 1 or 0"
_NUMBERED: Final = re.compile(r"(.*?)\d+", re.DOTALL)
# What a log of version 1 has instead of a scorer's name, as Inspect calls it.
UNNAMED: Final = "score"
_LONGEST: Final = 400
_MOST_CRITERIA: Final = 100


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one value of a scorer says."""

    passed: bool | None
    """None: it neither passes nor fails, such as 0.7 without a threshold."""
    rule: str | None = None
    """How that follows, where the scorer used another word than correct or incorrect."""
    unscored: bool = False
    """The scorer said that it could not score."""


@dataclass(frozen=True, slots=True)
class Word:
    """One value of a session's scores."""

    key: str
    """The scorer; with several values the scorer and the value's own name."""
    scorer: str
    value: Any
    score: Element
    """All that the scorer said."""
    nested: bool


@dataclass
class Scale:
    """What a log's scorers measure, and which of them decides.

    Inspect leaves open which of several scorers is the outcome. Here the headline metric
    decides that a task declares, else the first scorer that says correct or incorrect; the
    others are advisory.
    """

    criteria: tuple[Criterion, ...] = ()
    _accurate: Mapping[str, bool] = field(default_factory=dict)

    def judged(self, word: Word) -> Verdict:
        """Tell what a value says."""
        return verdict_of(word, _accuracy(self._accurate, word))

    def results(
        self, scores: Element, *, annulled: str | None
    ) -> tuple[Criteria | None, list[SessionNotice]]:
        """Return the results of a session's checks, and what was said that is none.

        Args:
            scores: The sample's scores.
            annulled: Why none of them counts any more, or None.
        """
        known = {criterion.id for criterion in self.criteria}
        results: list[CriterionResult] = []
        rules: dict[str, str] = {}
        notices: list[SessionNotice] = []
        for word in words_of(scores):
            verdict = self.judged(word)
            if word.key not in known or (verdict.passed is None and not verdict.unscored):
                notices.append(_notice(word))
                continue
            is_error = verdict.unscored or annulled is not None
            reason = said_of(word)
            results.append(
                CriterionResult(
                    criterion_id=word.key,
                    passed=verdict.passed is True and not is_error,
                    status="error" if is_error else None,
                    reason=f"{annulled}; before that: {reason}" if annulled else reason,
                )
            )
            if verdict.rule is not None:
                rules[f"results[{len(results) - 1}].passed"] = verdict.rule
        if not results:
            return None, notices
        record = Criteria(seq=0, inferred=rules or None, status="completed", results=results)
        return record, notices


def scores_of(sample: Element) -> Element:
    """Return a sample's scores by scorer; a log of version 1 has one without a name."""
    scores = sample.get("scores")
    if isinstance(scores, dict):
        return scores
    only = sample.get("score")
    return {UNNAMED: only} if isinstance(only, dict) else {}


def words_of(scores: Element) -> Iterator[Word]:
    """Yield every single value of a session's scores; a mapping holds several."""
    for scorer, score in scores.items():
        if not isinstance(score, dict):
            continue
        name, value = sound_text(scorer), score.get("value")
        if isinstance(value, dict):
            for key, own in value.items():
                if own is not None:
                    yield Word(f"{name}/{sound_text(key)}", name, own, score, nested=True)
        else:
            yield Word(name, name, value, score, nested=False)


def scale_of(header: Element, examples: Iterable[Element]) -> Scale:
    """Return the scale of a log.

    Args:
        header: Its header: which scorers there were, in which order, with which metrics.
        examples: Scores of samples that show what kind of values there are.
    """
    accurate = _accuracies(header)
    firm: dict[str, None] = {}
    soft: dict[str, None] = {}
    for scores in examples:
        for word in words_of(scores):
            accuracy = _accuracy(accurate, word)
            verdict = verdict_of(word, accuracy)
            if verdict.passed is not None:
                firm[word.key] = None
            elif verdict.unscored and accuracy:
                soft[word.key] = None
    ordered = [key for key in accurate if key in firm or key in soft]
    keys = [*ordered, *(key for key in (firm | soft) if key not in ordered)][:_MOST_CRITERIA]
    if not keys:
        # Nobody was scored: what the scorers were to say is all that is known.
        keys = [key for key, is_accurate in accurate.items() if is_accurate][:_MOST_CRITERIA]
    deciding = _deciding(header, keys)
    criteria = tuple(
        Criterion(
            id=key,
            label=f"Scorer {first_words(key)} says correct",
            role="required" if key == deciding else "advisory",
        )
        for key in keys
    )
    return Scale(criteria, accurate)


def verdict_of(word: Word, accuracy: bool | None) -> Verdict:
    """Tell what one value says.

    Args:
        word: The value and who said it.
        accuracy: Whether the scorer's metrics count how many are correct; None where the
            log names no metrics.
    """
    value = word.value
    if value is None:
        # Not a number is how a scorer says that it could not score; older ones wrote null.
        return Verdict(None, unscored=True)
    if isinstance(value, bool):
        trusted = accuracy if word.nested else accuracy is not False
        return Verdict(value, "score true or false") if trusted else Verdict(None)
    if isinstance(value, str):
        if value in _WORDS:
            passed, rule = _WORDS[value]
            return Verdict(passed, rule)
        answer = _ANSWERS.get(value.lower()) if accuracy else None
        return Verdict(answer, _BY_ACCURACY if answer is not None else None)
    number = number_of(value)
    if accuracy and number in (0.0, 1.0):
        return Verdict(number == 1.0, _BY_ACCURACY)
    return Verdict(None)


def said_of(word: Word) -> str:
    """Return in words what a scorer said of a session."""
    value = "not scored" if word.value is None else _shown(word.value)
    parts = [f"score {value}"]
    reason = word.score.get("reason")
    if isinstance(reason, str) and reason:
        parts.append(first_words(sound_text(reason)))
    for name in ("answer", "explanation"):
        text = word.score.get(name)
        if isinstance(text, str) and text.strip():
            parts.append(f"{name}: {first_words(sound_text(text), _LONGEST)}")
    return "; ".join(parts)


def _shown(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_shown(item) for item in value[:10])}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return first_words(sound_text(str(value)))


def _notice(word: Word) -> SessionNotice:
    name = first_words(word.key)
    return SessionNotice(seq=0, kind="score", message=f"scorer {name}: {said_of(word)}")


def _accuracies(header: Element) -> dict[str, bool]:
    """Return, in the order of the log, of each score whether its metrics count the correct ones.

    The keys are those of `Word.key`; a scorer of several values is there by its own name too
    where the log gives metrics for all of them together.
    """
    found: dict[str, bool] = {}
    results = header.get("results")
    for score in _list(results, "scores"):
        name, scorer = score.get("name"), score.get("scorer")
        metrics = score.get("metrics")
        if isinstance(name, str) and isinstance(metrics, dict):
            key = name if scorer in (name, None) or not isinstance(scorer, str) else None
            is_accurate = any(_is_accuracy(metric) for metric in metrics)
            found.setdefault(key or f"{scorer}/{name}", is_accurate)
    only = results.get("scorer") if isinstance(results, dict) else None
    metrics = results.get("metrics") if isinstance(results, dict) else None
    if isinstance(only, dict) and isinstance(metrics, dict):
        found[UNNAMED] = any(_is_accuracy(metric) for metric in metrics)
    for scorer in _list(header.get("eval"), "scorers"):
        name = scorer.get("name")
        if isinstance(name, str) and scorer.get("metrics") is not None:
            found.setdefault(name, any(map(_is_accuracy, _names_in(scorer["metrics"]))))
    return found


def _deciding(header: Element, keys: Sequence[str]) -> str | None:
    """Return the score that decides, or None where the declared one neither passes nor fails."""
    evaluation = header.get("eval")
    declared = evaluation.get("headline_metric") if isinstance(evaluation, dict) else None
    if isinstance(declared, dict) and (declared.get("scorer") or declared.get("score")):
        scorer, score = declared.get("scorer"), declared.get("score")
        for key in keys:
            own, _, nested = key.partition("/")
            if scorer in (None, own, key) and score in (None, nested or own, key):
                return key
        return None
    return keys[0] if keys else None


def _accuracy(accurate: Mapping[str, bool], word: Word) -> bool | None:
    """Return whether a score's metrics count the correct ones, or None where none are known."""
    for name in (word.key, word.scorer):
        if name in accurate:
            return accurate[name]
    # Of several scorers of one name, Inspect numbers all but the first.
    numbered = _NUMBERED.fullmatch(word.scorer)
    return accurate.get(numbered[1]) if numbered else None


def _is_accuracy(name: object) -> bool:
    return isinstance(name, str) and name.rsplit("/", 1)[-1] == _ACCURACY


def _names_in(metrics: object) -> Iterator[object]:
    """Yield the names of metrics, which may be grouped by value."""
    if isinstance(metrics, dict):
        if "name" in metrics:
            yield metrics["name"]
        for group in metrics.values():
            if isinstance(group, list):
                yield from _names_in(group)
    elif isinstance(metrics, list):
        for metric in metrics:
            yield from _names_in(metric) if isinstance(metric, dict | list) else [metric]


def _list(holder: object, key: str) -> Iterator[Element]:
    found = holder.get(key) if isinstance(holder, dict) else None
    for item in found if isinstance(found, list) else ():
        if isinstance(item, dict):
            yield item
