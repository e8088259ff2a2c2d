"""`breaklint config`."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import rich_click as click

from breaklint.commands.options import config_options, settings_for


@click.command()
@click.argument("path", type=click.Path(path_type=Path), default=".")
@config_options
def config(path: Path, **options: Any) -> None:
    """Show the settings that hold for PATH (default: the current folder), and where they come from.

    What is printed is TOML, as breaklint.toml takes it.
    """
    from breaklint.config import find_config

    settings = settings_for(path, options)
    source = None if options["isolated"] else options["config"] or find_config(path)
    click.echo(f"# {source or 'defaults: no breaklint.toml and no [tool.breaklint] in a pyproject.toml from here up'}")
    tables = []
    for field in dataclasses.fields(settings):
        key, value = field.name.replace("_", "-"), getattr(settings, field.name)
        if key == "per-file-ignores":
            tables.append((key, value))
        elif key != "root":
            click.echo(f"{key} = {_toml(value)}")
    for key, pairs in tables:
        if pairs:
            click.echo(f"\n[{key}]")
        for pattern, codes in pairs:
            click.echo(f"{_toml(pattern)} = {_toml(codes)}")


def _toml(value: object) -> str:
    # JSON's strings and lists are TOML's.
    return json.dumps(value, ensure_ascii=False)
