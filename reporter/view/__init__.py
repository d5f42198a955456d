"""Findings in, everything a reader meets out, as text and numbers ready to print."""
