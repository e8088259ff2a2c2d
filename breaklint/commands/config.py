"""`breaklint config`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from breaklint.commands.options import config_options, refuse_missing, settings_for
from breaklint.commands.showing import DEFAULTS, as_toml
from breaklint.commands.terminal import click
from breaklint.output.wording import printable


@click.command()
@click.argument("path", type=click.Path(path_type=Path), default=".")
@config_options
def config(path: Path, **options: Any) -> None:
    """Show the settings that hold for PATH (default: the current folder), and where they come from.

    What is printed is TOML, as breaklint.toml takes it.
    """
    from breaklint.config import find_config

    refuse_missing(path)
    settings = settings_for(path, options)
    misspelt: set[str] = set()
    source = None if options["isolated"] else options["config"] or find_config(path, misspelt)
    for line in sorted(misspelt):
        click.echo(f"breaklint: note: {printable(line)}", err=True)
    click.echo(as_toml(settings, str(source or DEFAULTS)), nl=False)
