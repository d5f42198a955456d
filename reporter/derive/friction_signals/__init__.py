"""Patterns of tool calls within one session: observed, never judged."""
