"""Imports Inspect AI evaluation logs, `.eval` and `.json`, of every version so far.

Inspect's own reader, `inspect_ai.log`, is not used: it brings some eighty packages for the
dozen fields needed here, builds all samples of a `.json` log at once, has no bounds on what
a ZIP may unpack to, and refuses a whole log over one event of a type that it does not know.
What it does to old logs (one `score`, `transcript`, `tool_error`, `tc://` references) is
done here as well, and the tests read logs that it wrote.
"""
