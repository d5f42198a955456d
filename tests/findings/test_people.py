import pytest

from reporter.findings.people import for_persona, for_personas, is_recorded, persona_names
from reporter.models.manifest import PERSONA_UNRECORDED
from reporter.models.plan import PersonaKey

ANA, BEN = (None, "Ana"), ("p2", "Ben")
NOBODY = (None, PERSONA_UNRECORDED)


def test_a_persona_that_nobody_recorded_is_left_out() -> None:
    assert not is_recorded(NOBODY)
    assert not is_recorded((None, ""))
    # Somebody with an id of their own is somebody, whatever the name.
    assert is_recorded(("p1", PERSONA_UNRECORDED))
    assert for_persona(NOBODY, {}) == ""
    assert for_persona(ANA, {}) == " for Ana"


def test_personas_of_one_name_are_told_apart_by_their_ids() -> None:
    names = persona_names([ANA, ("p1", "Ana"), BEN, BEN])
    assert names == {ANA: "Ana (no id)", ("p1", "Ana"): "Ana (p1)", BEN: "Ben"}
    assert for_persona(("p1", "Ana"), names) == " for Ana (p1)"
    assert for_personas([BEN, ("p1", "Ana"), ANA], names) == ", for Ana (no id), Ana (p1) and Ben"


@pytest.mark.parametrize(
    ("personas", "words"),
    [
        ([], ""),
        ([NOBODY], ""),
        ([ANA], ", for Ana"),
        ([BEN, ANA, ANA], ", for Ana and Ben"),
        ([NOBODY, BEN], ", for Ben and sessions without a recorded persona"),
        ([(None, name) for name in "EDCBA"], ", for A, B, C, D and E"),
        ([(None, name) for name in "FEDCBA"], ", for A, B, C, D and 2 other personas"),
    ],
)
def test_many_personas_are_counted_and_those_unrecorded_are_not(
    personas: list[PersonaKey], words: str
) -> None:
    assert for_personas(personas, {}) == words
