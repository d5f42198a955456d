"""The native recording format: reading, writing, checking."""
