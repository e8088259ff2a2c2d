"""`breaklint config`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from breaklint.commands.options import config_options, environment_options, refuse_missing, settings_for
from breaklint.commands.showing import as_toml
from breaklint.commands.terminal import click


@click.command()
@click.argument("path", type=click.Path(path_type=Path), default=".")
@config_options
@environment_options
@click.option("--schema", is_flag=True, help="Print the JSON schema of a configuration, for editors.")
def config(path: Path, schema: bool, **options: Any) -> None:
    """Print the settings for PATH (default: the current folder) in the format of breaklint.toml, and their source."""
    if schema:
        import json

        from breaklint.lint import config_schema

        click.echo(json.dumps(config_schema.schema(), indent=2))
        return
    refuse_missing(path)
    click.echo(as_toml(settings_for(path, options), options), nl=False)
