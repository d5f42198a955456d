"""Values against JSON Schemas, by two published drafts and nothing fetched."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from reporter.canonical import canonical_json
from reporter.checks.patterns import PatternError, compile_re2, finds

Refusal = Literal["unsupported dialect", "unusable schema"]

_CLASSES: Final[Mapping[str, str]] = {
    "required": "missing-required",
    "type": "wrong-type",
    "enum": "bad-enum",
    "const": "bad-enum",
    "additionalProperties": "hallucinated-param",
    "unevaluatedProperties": "hallucinated-param",
}
_KEYWORDS_SEARCHED_TOGETHER: Final = frozenset({"patternProperties", "unevaluatedProperties"})
_MOST_REFERENCES: Final = 20_000
"""References followed in one validation; few lines of schema can hold billions."""
_followed: list[int] = [0]
_DRAFT_2020: Final = "json-schema.org/draft/2020-12/schema"
_DRAFT_7: Final = "json-schema.org/draft-07/schema"


@dataclass(frozen=True, slots=True)
class Violation:
    """One place of a value that its schema does not allow."""

    kind: str
    """`missing-required`, `wrong-type`, `bad-enum`, `hallucinated-param` or `other`."""
    location: str
    """Fragment pointer into the value; `#` is the value itself."""


def violations(value: Any, schema: Any) -> list[Violation] | Refusal:  # noqa: ANN401  JSON values
    """Return everything that a schema does not allow in a value.

    Args:
        value: Any JSON value.
        schema: The schema, an object or a boolean.

    Returns:
        An empty list for a valid value; or why the schema cannot be used.

    Rule: checks.md section 4.6.
    """
    if not isinstance(schema, Mapping | bool):
        return "unusable schema"
    dialect = schema.get("$schema") if isinstance(schema, Mapping) else None
    engine = _engine(dialect)
    if engine is None:
        return "unsupported dialect"
    try:
        validator = _validator(engine, canonical_json(schema))
        _followed[0] = 0
        return [found for error in validator.iter_errors(value) for found in _leaves(error)]
    except Exception:  # noqa: BLE001  whatever the engine raises, the schema cannot be used
        return "unusable schema"


def _engine(dialect: object) -> str | None:
    if dialect is None:
        return "2020-12"
    if not isinstance(dialect, str):
        return None
    bare = dialect.removesuffix("#")
    for prefix in ("https://", "http://"):
        if bare == f"{prefix}{_DRAFT_2020}":
            return "2020-12"
        if bare == f"{prefix}{_DRAFT_7}":
            return "draft-07"
    return None


@lru_cache(maxsize=256)
def _validator(engine: str, schema: str) -> Any:  # noqa: ANN401  made by the library at run time
    import json  # noqa: PLC0415

    from jsonschema import Draft7Validator, Draft202012Validator  # noqa: PLC0415
    from jsonschema.validators import extend  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415

    base = Draft202012Validator if engine == "2020-12" else Draft7Validator
    # The library would search with an engine that a pattern can hang.
    bounded = extend(  # type: ignore[no-untyped-call]  # so the stubs have it
        base,
        {
            "$ref": _counted(base.VALIDATORS["$ref"]),
            "pattern": _pattern,
            "patternProperties": _pattern_properties,
            "additionalProperties": _additional_properties,
        },
    )
    parsed = json.loads(schema)
    if _KEYWORDS_SEARCHED_TOGETHER.issubset(_keys(parsed)):
        raise ValueError("the library would search these with an engine that can hang")
    # Patterns are held to the engine that searches, not to another one's notion of them.
    bounded.check_schema(parsed, format_checker=None)
    # Without a registry of its own the library fetches what a schema points at.
    return bounded(parsed, registry=Registry())


def _keys(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from value
    if isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _keys(item)


def _leaves(error: Any) -> Iterator[Violation]:  # noqa: ANN401  the library's own error
    """Yield what one error comes down to: a wrapper says less than the rule inside it."""
    parts = "".join(f"/{_pointer(part)}" for part in error.absolute_path)
    yield Violation(_CLASSES.get(error.validator, "other"), f"#{parts}")


def _pointer(part: object) -> str:
    return str(part).replace("~", "~0").replace("/", "~1")


def _counted(follow: Any) -> Any:  # noqa: ANN401  the library's protocol
    """Return a `$ref` that gives up where one leads to ever more of them."""

    def bounded(validator: Any, ref: Any, instance: Any, schema: Any) -> Iterator[Any]:  # noqa: ANN401
        _followed[0] += 1
        if _followed[0] > _MOST_REFERENCES:
            raise ValueError("the schema refers to itself too often")
        yield from follow(validator, ref, instance, schema) or ()

    return bounded


def _pattern(validator: Any, pattern: Any, instance: Any, schema: Any) -> Iterator[Any]:  # noqa: ANN401, ARG001  the library's protocol
    from jsonschema import ValidationError  # noqa: PLC0415

    if isinstance(instance, str) and not _found(pattern, instance):
        yield ValidationError("the text does not match its pattern")


def _pattern_properties(
    validator: Any,  # noqa: ANN401
    patterns: Any,  # noqa: ANN401
    instance: Any,  # noqa: ANN401
    schema: Any,  # noqa: ANN401, ARG001
) -> Iterator[Any]:
    if not isinstance(instance, Mapping):
        return
    for pattern, inner in patterns.items():
        for key, item in instance.items():
            if _found(pattern, key):
                yield from validator.descend(item, inner, path=key, schema_path=pattern)


def _additional_properties(
    validator: Any,  # noqa: ANN401
    allowed: Any,  # noqa: ANN401
    instance: Any,  # noqa: ANN401
    schema: Any,  # noqa: ANN401
) -> Iterator[Any]:
    from jsonschema import ValidationError  # noqa: PLC0415

    if not isinstance(instance, Mapping):
        return
    named, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    extra = [
        key
        for key in instance
        if key not in named and not any(_found(pattern, key) for pattern in patterns)
    ]
    if isinstance(allowed, Mapping):
        for key in extra:
            yield from validator.descend(instance[key], allowed, path=key)
    elif allowed is False:
        for key in extra:
            yield ValidationError(f"{key} is not declared", path=[key])


def _found(pattern: str, text: str) -> bool:
    try:
        return finds(compile_re2(pattern), text)
    except PatternError:
        raise ValueError("the schema's pattern does not compile") from None
