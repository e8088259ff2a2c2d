"""`breaklint report`: operations on saved reports of verify."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from breaklint.commands.options import PLACE, Outputs, config_options, output_option, settings_for, write_output
from breaklint.commands.terminal import click
from breaklint.commands.verify import FORMATS
from breaklint.output.wording import printable


@click.group()
def report() -> None:
    """Merge reports of `breaklint verify`; show the profile of `breaklint observe`."""


@report.command()
@click.argument("files", nargs=-1, required=True, type=PLACE, metavar="REPORT...")
@output_option(FORMATS, "text")
def merge(files: tuple[str, ...], formats: Outputs) -> int:
    """Merge reports, for example of shards, into one; the exit code is that of a single run.

    If several reports have the same target, the last one is used.
    """
    from breaklint.verify.judge.verdict import exit_code
    from breaklint.verify.options import VerifyOptions
    from breaklint.verify.report import WRITERS
    from breaklint.verify.report.json import merged, read

    together = merged(map(read, files))
    for name, file in formats or (("text", ""),):
        write_output(WRITERS[name](together), file)
    return exit_code(together, VerifyOptions(min_speedup=together.options.get("min_speedup")))


@report.command()
@click.argument("file", type=PLACE, metavar="[PROFILE]", default=".breaklint/observed.json")
@config_options
def observed(file: str, **options: Any) -> int:
    """Show the profile: traced and broken lines by file, entry points, and input signatures."""
    from breaklint.lint.run import cache_folder, run
    from breaklint.observe.coverage import reached, text_of_coverage
    from breaklint.observe.place import root_of
    from breaklint.observe.profile import read

    profile, start = read(Path(file)), root_of(Path(file), "")
    settings = settings_for(start, options)
    root = root_of(Path(file), settings.root)
    entries = run([str(root)], settings, cache=cache_folder(settings, None)).entries
    for line in text_of_coverage(profile, reached(profile, root, entries)).splitlines():
        click.echo(printable(line))
    return 0
