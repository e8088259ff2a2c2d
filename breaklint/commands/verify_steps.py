"""Steps of `breaklint verify` around a run: select the executor, write fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.output.wording import printable_lines

if TYPE_CHECKING:
    from breaklint.verify.command import Executor, VerifyReport


def write_confirmed(report: VerifyReport) -> None:
    """Write the confirmed fixes into their files, in addition to those of other targets."""
    from breaklint.dynamo.breaks import is_own
    from breaklint.source.decoding import read_source
    from breaklint.source.shown_paths import shown
    from breaklint.source.writing import write_source

    texts: dict[str, str] = {}
    for target in report.targets:
        for path, text in target.proven.items():
            if not is_own(path):
                reason = "not written: it is an installed package's; put a copy of that first on PYTHONPATH"
                click.echo(printable_lines(f"{shown(path)}: {reason}"), err=True)
                continue
            if texts.setdefault(path, text) != text:
                reason = "another target has written other fixes into it: verify once more"
                click.echo(printable_lines(f"{shown(path)}: not written for {target.target}, {reason}"), err=True)
    for path, text in texts.items():
        source = read_source(path)
        if source.text != text:
            write_source(source, text)
            click.echo(printable_lines(f"{shown(path)}: written, with the fixes that are confirmed"), err=True)


def executor(options: dict[str, Any]) -> Executor:
    """The executor of the targets: this machine, or a cluster."""
    from breaklint.verify.host.run import run_here

    if options["executor"] == "local":
        return run_here
    if not options["scheduler"]:
        raise UsageError("--executor dask needs --scheduler ADDRESS, such as tcp://host:8786")
    from breaklint.verify.host.cluster import on_cluster

    return on_cluster(options["scheduler"])
