"""How the command exits: a contract with pipelines."""

from typing import Final

WRITTEN: Final = 0
"""Everything was written, whatever it says."""
CONDITION_HOLDS: Final = 1
"""A condition holds that the caller asked to fail on."""
UNREADABLE: Final = 2
"""The source, or what was given beside it, cannot be used."""
RENDERING_FAILED: Final = 3
"""A format could not be rendered; the others are there."""
INPUT_LOST: Final = 4
"""Everything was written, and some of the input was lost."""
DEFECT: Final = 70
"""A defect of this program."""
INTERRUPTED: Final = 130
SIGNALLED: Final = 128
"""The same for another signal, whose number is added: 143 where a pipeline ends the command."""
