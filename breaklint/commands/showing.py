"""The files and the settings of a run."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breaklint.commands.terminal import click
from breaklint.output.wording import printable

if TYPE_CHECKING:
    from breaklint.model import Settings

TABLES = ("per_file_ignores", "severity")
EFFECTIVE = {"select": ("ALL",), "fixable": ("ALL",)}  # what no value means
DEFAULTS = "defaults: no breaklint.toml and no [tool.breaklint] in a pyproject.toml from here up"


def show_plan(
    paths: Sequence[str], settings: Settings, nested: Callable[[Path], Settings] | None, options: dict[str, Any]
) -> int:
    """Print the files of `paths`, their settings, or both; returns the exit code."""
    from breaklint.lint.plan import plan

    result = plan(paths, settings, nested, options["force_exclude"])
    if options["show_files"]:
        click.echo("".join(f"{printable(file)}\n" for file in result.files()), nl=False)
    if options["show_settings"]:
        configurations = [item for item, files in result.groups if files or len(result.groups) == 1]
        click.echo("\n".join(as_toml(item, options) for item in configurations), nl=False)
    for kind, lines in (("note", result.notices), ("error", result.errors)):
        for line in lines:
            click.echo(f"breaklint: {kind}: {printable(line)}", err=True)
    return 2 if result.errors else 0


def as_toml(settings: Settings, options: dict[str, Any]) -> str:
    """The settings in the format of breaklint.toml, below a comment with their source."""
    from breaklint.lint.config_files import find_config

    source = options["config"] or (settings.root and find_config(Path(settings.root))) or DEFAULTS
    values = settings._asdict()
    del values["root"]
    environment = values.pop("environment")
    del values["assumes_torch"]
    run, waiting = values.pop("python_rules"), values.pop("untrusted_rules")
    lines = [f"# {source}"]
    lines += [
        *([f"# imports are followed into {environment}"] if environment else []),
        *(f"# rules in Python: {place}" for place in run),
        *(f"# not trusted, not run: {place}" for place in waiting),
    ]
    effective = {name: value or EFFECTIVE.get(name, value) for name, value in values.items() if name not in TABLES}
    lines += [f"{_key(name)} = {_toml(value)}" for name, value in effective.items() if value not in ("", ())]
    if none := [_key(name) for name, value in values.items() if not value and effective.get(name, ()) == ()]:
        lines.append(f"# none: {', '.join(none)}")
    for name in TABLES:
        if values[name]:
            lines += ["", f"[{_key(name)}]", *(f"{_toml(key)} = {_toml(value)}" for key, value in values[name])]
    return "".join(f"{line}\n" for line in lines)


def _key(name: str) -> str:
    return name.replace("_", "-")


def _toml(value: object) -> str:
    # JSON's strings and lists are TOML's.
    return json.dumps(value, ensure_ascii=False)
