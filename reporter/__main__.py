"""`python -m reporter` is the command."""

from reporter.cli import main

main(prog_name="swarm-reporter")
