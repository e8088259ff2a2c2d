"""`breaklint report`: operations on saved reports of verify."""

from __future__ import annotations

from breaklint.commands.options import PLACE, Outputs, output_option, write_output
from breaklint.commands.terminal import click
from breaklint.commands.verify import FORMATS


@click.group()
def report() -> None:
    """Merge reports of `breaklint verify`."""


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
