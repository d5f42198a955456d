"""How much of a session's calls is looked at.

Rule: friction.md section 1.
"""

from typing import Final

CALLS: Final = 200
"""Calls of a session; a session of more is not measured."""
SIGNALS: Final = 24
"""Signals that a document keeps."""
KEY_PATHS: Final = 8
"""Paths that one signal names."""
REPEATS: Final = 8
"""Repeats that one signal names."""
CANDIDATES: Final = 200
"""Identifiers looked for in one result, before equal ones are counted once."""
PAGINATION_KEYS: Final = 4
"""Keys that one signal names."""
DEPTH: Final = 6
"""Levels of nesting that are opened."""
ITEMS: Final = 50
"""Items of one array that are visited."""
SHORTEST: Final = 3
"""UTF-16 code units of the shortest identifier."""
