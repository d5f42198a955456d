"""The command: paths in, paths out, exit codes.

Nothing heavy is imported before a command needs it: `--help` answers at once, and `findings`,
`facts` and `check` never load a renderer.
"""

import click

from reporter.cli.data import check, facts, findings, funnel, schema
from reporter.cli.grading import coverage, grade, kinds
from reporter.cli.importing import formats, import_
from reporter.cli.phrasing import phrases
from reporter.cli.reporting import report
from reporter.version import VERSION


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, prog_name="swarm-reporter")
def main() -> None:
    """Read the recorded sessions of a swarm and report what they show, and no more.

    SOURCE is a recorded wave (a folder with wave.json, or one .jsonl file), recordings in
    a format that is imported (`swarm-reporter formats` lists them), or a findings
    document that came without its recording. Recordings may be files, folders,
    archives (.zip, .tar, .tar.gz, .tar.zst), packed files (.gz, .zst) and quoted patterns
    such as 'runs/**/*.json', as many as there are.
    """


for command in (
    report,
    findings,
    funnel,
    phrases,
    facts,
    check,
    schema,
    formats,
    kinds,
    import_,
    grade,
    coverage,
):
    main.add_command(command)
