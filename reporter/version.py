"""The version of this product, as it stands in reports."""

from typing import Final

VERSION: Final = "0.1.0"
"""The same as the built package's; a test compares them."""
