"""`breaklint agents`."""

from __future__ import annotations

from breaklint.commands.terminal import click
from breaklint.source.resources import agents_page


@click.command()
def agents() -> None:
    """Print instructions for coding agents: the loop check, fix, verify, test (for an AGENTS.md)."""
    click.echo(agents_page().read_text("utf-8"), nl=False)
