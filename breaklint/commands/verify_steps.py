"""What `breaklint verify` does around a run: count compilations, find where to run, write fixes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breaklint.commands.options import settings_for, write_output
from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.output.wording import printable_lines

if TYPE_CHECKING:
    from breaklint.verify.command import Executor, VerifyReport


def sweep(targets: tuple[str, ...], vary: tuple[str, ...], options: dict[str, Any], formats: Any) -> int:
    """Call the targets with one set of values after the other; 1 where the limit is reached with the fixes."""
    import json

    from breaklint.recompiles.vary import read_variations
    from breaklint.verify.host.sweeps import sweeps
    from breaklint.verify.report.sweep_text import as_data, as_text

    if not targets:
        raise UsageError("nothing to verify: name a TARGET, as FILE.py::Class")
    variations = read_variations(vary)
    settings, backend = settings_for(Path.cwd(), options), "eager" if options["quick"] else options["backend"]
    on_cpu = options["devices"] == ("cpu",)
    found = [sweeps(target, variations, options["python"], backend, settings, on_cpu) for target in targets]
    for name, file in formats:
        if name not in ("text", "json"):
            raise UsageError(f"--vary is reported as text or json, not as {name}")
        told = [each for target in found for each in target]
        text = "\n\n".join(as_text(each, not file and sys.stdout.isatty()) for each in found)
        write_output(json.dumps(as_data(told), indent=2) + "\n" if name == "json" else f"{text}\n", file)
    return 1 if any(each[-1].reaches_limit for each in found) else 0


def write_confirmed(report: VerifyReport) -> None:
    """Write the confirmed fixes into the files that they are for; what another target has written stays."""
    from breaklint.dynamo.breaks import is_own
    from breaklint.source.decoding import read_source
    from breaklint.source.shown_paths import shown
    from breaklint.source.writing import write_source

    written: dict[str, str] = {}
    for target in report.targets:
        for path, text in target.proven.items():
            if not is_own(path):
                told = "not written: it is an installed package's; put a copy of that first on PYTHONPATH"
                click.echo(printable_lines(f"{shown(path)}: {told}"), err=True)
                continue
            if written.setdefault(path, text) != text:
                told = "another target has written other fixes into it: verify once more"
                click.echo(printable_lines(f"{shown(path)}: not written for {target.target}, {told}"), err=True)
    for path, text in written.items():
        source = read_source(path)
        if source.text != text:
            write_source(source, text)
            click.echo(printable_lines(f"{shown(path)}: written, with the fixes that are confirmed"), err=True)


def executor(options: dict[str, Any]) -> Executor:
    """What runs the targets: this machine, or a cluster."""
    from breaklint.verify.host.run import run_here

    if options["executor"] == "local":
        return run_here
    if not options["scheduler"]:
        raise UsageError("--executor dask needs --scheduler ADDRESS, such as tcp://host:8786")
    from breaklint.verify.host.cluster import on_cluster

    return on_cluster(options["scheduler"])
