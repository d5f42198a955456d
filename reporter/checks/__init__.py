"""Checks: what a suite demands of a session, evaluated over what was recorded of it."""
