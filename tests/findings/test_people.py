import pytest

from reporter.findings.people import for_persona, for_personas, is_recorded
from reporter.models.manifest import PERSONA_UNRECORDED
from reporter.models.plan import PersonaKey

ANA, BEN = (None, "Ana"), ("p2", "Ben")
NOBODY = (None, PERSONA_UNRECORDED)
WITH_NOBODY = (
    ", for A (2 personas), B, C, D, 2 other personas and sessions without a recorded persona"
)


def test_a_persona_that_nobody_recorded_is_left_out() -> None:
    assert not is_recorded(NOBODY)
    assert not is_recorded((None, ""))
    # Somebody with an id of their own is somebody, whatever the name.
    assert is_recorded(("p1", PERSONA_UNRECORDED))
    assert for_persona(NOBODY) == ""
    assert for_persona(ANA) == " for Ana"


@pytest.mark.parametrize(
    ("personas", "words"),
    [
        ([], ""),
        ([NOBODY], ""),
        ([ANA], ", for Ana"),
        ([BEN, ANA, ANA], ", for Ana and Ben"),
        ([("p1", "Ana"), ANA, BEN], ", for Ana (2 personas) and Ben"),
        ([NOBODY, BEN], ", for Ben and sessions without a recorded persona"),
        ([(None, name) for name in "EDCBA"], ", for A, B, C, D and E"),
        ([(None, name) for name in "FEDCBA"], ", for A, B, C, D and 2 other personas"),
        (
            [*((None, name) for name in "FEDCBA"), ("x", "A"), NOBODY],
            WITH_NOBODY,
        ),
    ],
)
def test_personas_are_named_once_and_counted_where_names_do_not_tell(
    personas: list[PersonaKey], words: str
) -> None:
    assert for_personas(personas) == words
