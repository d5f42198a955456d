import os

import pytest
from hypothesis import HealthCheck, settings

# A run must not depend on chance or on how busy the machine is: the usual profile draws the
# same examples every time. `HYPOTHESIS_PROFILE=long` looks for new ones.
settings.register_profile(
    "short",
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "long", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="Rewrite the golden files with what is made now.",
    )
