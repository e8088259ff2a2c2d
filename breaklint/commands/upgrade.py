"""`breaklint upgrade`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from breaklint.commands.options import (
    PLACE,
    config_options,
    environment_options,
    nearer_settings,
    output_option,
    selection_options,
    settings_for,
    write_output,
)
from breaklint.commands.progress import FileProgress
from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.output import FORMATS, render
from breaklint.output.wording import printable


@click.command(epilog="Exit code: 0 nothing changes, 1 something does, 2 an error.")
@click.argument("paths", nargs=-1, type=PLACE, metavar="[PATHS]...")
@click.option("--from", "older", required=True, metavar="VERSION", help="The torch version in use, e.g. 2.13.")
@click.option("--to", "newer", metavar="VERSION", help="The target version of torch. [default: the newest measured]")
@selection_options
@config_options
@environment_options
@output_option(FORMATS, "full")
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes. [default: one per core]")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even if something changes.")
def upgrade(paths: tuple[str, ...], older: str, newer: str | None, **options: Any) -> int:
    """Report lines that start or stop breaking the graph with another torch version, and removed names.

    PATHS are files and folders (default: the current folder). No code is imported or run, and nothing is written.
    A line that breaks in both versions is not reported.

    \b
    breaklint upgrade --from 2.13 --to 2.15 src
    """
    from breaklint.lint.config_values import torch_version
    from breaklint.lint.plan import plan
    from breaklint.lint.run import run
    from breaklint.lint.upgrade import differences
    from breaklint.model import NEWEST_TORCH
    from breaklint.torchops.tables import release

    if options["target_torch"]:
        raise UsageError("--from and --to take the place of --target-torch")
    versions = torch_version(older, "--from"), torch_version(newer or NEWEST_TORCH, "--to")
    if "," in "".join(versions) or release(versions[0]) >= release(versions[1]):
        raise UsageError(f"--from {older} --to {newer or NEWEST_TORCH}: give two versions, the older one first")
    options["target_torch"] = ",".join(versions)
    paths = paths or (os.curdir,)
    settings = settings_for(Path(os.path.commonpath([Path(path).absolute() for path in paths])), options)
    nested = nearer_settings(options)
    progress = FileProgress()
    try:
        result = run(paths, settings, jobs=options["jobs"], nested=nested, progress=progress)
    finally:
        progress.clear()
    result = differences(result, *versions, plan(paths, settings, nested).files())
    for name, file in options["formats"] or (("full", ""),):
        write_output(render(name, result), file)
    for kind, lines in (("note", result.notices), ("error", result.errors)):
        for line in lines:
            click.echo(f"breaklint: {kind}: {printable(line)}", err=True)
    if result.errors:
        return 2
    return 1 if result.findings and not options["exit_zero"] else 0
