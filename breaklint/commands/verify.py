"""`breaklint verify`."""

from __future__ import annotations

import re
import shutil
import signal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breaklint.commands.options import (
    PLACE,
    config_options,
    fix_options,
    output_option,
    refuse_unwritable,
    selection_options,
    settings_for,
    write_output,
)
from breaklint.commands.target_progress import TargetProgress
from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.output.wording import printable_lines

if TYPE_CHECKING:
    from breaklint.model import Settings
    from breaklint.verify.command import Executor, VerifyReport
    from breaklint.verify.judge.results import TargetReport
    from breaklint.verify.options import VerifyOptions

FORMATS = ("text", "json", "markdown")
MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")


def _listed(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    """The devices of a comma-separated list."""
    names = tuple(name.strip() for name in (value or "").split(",") if name.strip())
    for name in names:
        if not re.fullmatch(r"cpu|cuda(:\d+)?", name):
            raise click.BadParameter(f"{name} is not a device; write cpu, or cuda:0,cuda:1")
    return names


@click.command(
    epilog="Exit code: 0 every gate passed, 1 a gate failed, 2 a target could not be run, 3 inconclusive "
    "(no CUDA for --devices cuda, noise, timeout)."
)
@click.argument("targets", nargs=-1, type=PLACE, metavar="[TARGET...]")
@click.option(
    "--devices",
    callback=_listed,
    metavar="LIST",
    help="Run on these devices: cpu, cuda or cuda:0,cuda:1. [default: cuda if available]",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Variants to compile in parallel. [default: CPUs minus devices]",
)
@click.option("--mode", type=click.Choice(MODES), help="The mode of torch.compile.")
@click.option("--backend", default="inductor", show_default=True, metavar="NAME", help="The backend of torch.compile.")
@click.option("--dynamic/--static", default=None, help="Compile for dynamic or static shapes. [default: automatic]")
@click.option("--train", is_flag=True, help="Run and compare the backward pass as well.")
@click.option("--quick", is_flag=True, help="Check only breaks and results, with the backend eager, without timing.")
@click.option("--write", is_flag=True, help="Write the confirmed fixes, and no others, into the sources.")
@click.option(
    "--min-speedup", type=float, metavar="SHARE", help="Fail if the speedup is below this share: 0.05 means 5 %."
)
@click.option("--allow-break", multiple=True, metavar="WHICH", help="Accept this break: GB0170, FILE or FILE:ROW.")
@click.option(
    "--own-paths", multiple=True, type=PLACE, metavar="FOLDER", help="Count only breaks in code below this folder."
)
@click.option("--before", type=PLACE, metavar="FILE|REV", help="Compare with this file or this git revision.")
@click.option(
    "--timeout",
    "timeout_s",
    type=float,
    default=300.0,
    metavar="SECONDS",
    help="Limit for each step of an arm (loading, compiling, …). [default: 300]",
)
@click.option(
    "--rounds",
    type=click.IntRange(3, 1000),
    default=20,
    show_default=True,
    help="Timing samples per arm; half of them if a gain is far beyond the noise.",
)
@click.option(
    "--results",
    default="",
    type=PLACE,
    metavar="FILE",
    help="Append each target's result to this file as JSON Lines, and skip the targets that are in it.",
)
@click.option("--shard", "part", default="", metavar="I/N", help="Run only part I of N of the targets.")
@click.option(
    "--executor",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Run on this machine, or on the workers of a Dask cluster.",
)
@click.option("--scheduler", metavar="ADDRESS", help="The scheduler of a Dask cluster: tcp://host:8786.")
@click.option(
    "--python",
    type=PLACE,
    metavar="PROGRAM",
    help="The Python interpreter that has torch. [default: that of .venv or the active environment, else this one]",
)
@selection_options
@fix_options
@config_options
@output_option(FORMATS, "text")
def verify(targets: tuple[str, ...], **options: Any) -> int:
    """Run models before and after their fixes, and compare breaks, results and speed.

    TARGET is the name of a [[tool.breaklint.verify]] entry, a fixture folder, FILE.py::Class, FILE.py:factory,
    or package.module:factory (default: all entries). The code of a target is imported and run. An arm is one version of
    a target, run in its own process.

    \b
    breaklint verify model.py::Net
    breaklint verify fixtures/print-shape --devices cpu
    breaklint verify model.py::Net --before HEAD~1 --output-format json:verify.json
    """
    from breaklint.verify.command import exit_code
    from breaklint.verify.command import verify as run_verify
    from breaklint.verify.host.saving import Results
    from breaklint.verify.report import WRITERS
    from breaklint.verify.report.text import section, summary

    _refuse_what_cannot_be(options)
    formats = options.pop("formats")
    if all(file for _, file in formats):
        formats = (("text", ""), *formats)
    verify_options = _verify_options(options)
    place = _executor(options)
    if not targets and not verify_options.entries:
        raise UsageError("nothing to verify: name a TARGET, or describe some as [[tool.breaklint.verify]]")
    results = Results(options["results"], verify_options)
    progress, names_written = TargetProgress(), set[str]()

    def show(target: TargetReport) -> None:
        if ("text", "") in formats:
            write_output("\n" * bool(names_written) + section(target), "")
            names_written.add(target.target)

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: end the arms, report what is finished
    try:
        report = run_verify(targets, verify_options, progress, place, results, options["part"], show)
    finally:
        progress.clear()
    for name, file in formats:
        if (name, file) != ("text", ""):
            write_output(WRITERS[name](report), file)
            continue
        sections = [section(target) for target in report.targets if target.target not in names_written]
        text = "\n".join(filter(None, [*sections, summary(report)]))
        write_output(f"\n{text}" if text and names_written else text, "")
    if options["write"]:
        _write_confirmed(report)
    return exit_code(report, verify_options)


def _refuse_what_cannot_be(options: dict[str, Any]) -> None:
    """UsageError for options that would fail only after the run, or in every arm."""
    for _, file in options["formats"]:
        refuse_unwritable(file)
    if options["min_speedup"] is not None and options["quick"]:
        raise UsageError("--min-speedup needs timings; leave --quick out")
    if options["write"] and options["quick"]:
        raise UsageError("--write needs timings to confirm a fix; leave --quick out")
    if options["write"] and options["before"]:
        raise UsageError("--write goes with fixes; with --before nothing is fixed")
    if options["executor"] == "local" and options["python"] and shutil.which(options["python"]) is None:
        raise UsageError(f"--python {options['python']}: the program does not exist")


def _verify_options(options: dict[str, Any]) -> VerifyOptions:
    from breaklint.lint.environments import program
    from breaklint.project.environment import site_packages
    from breaklint.verify.options import VerifyOptions
    from breaklint.verify.targets.entries import load_entries

    names = {name for name in VerifyOptions.__dataclass_fields__ if name not in ("settings", "nearest", "entries")}
    if options["quick"]:
        options = {**options, "backend": "eager"}
    own = options["python"] and not site_packages(options["python"])  # as on the workers of a cluster
    nearest = partial(_newest_settings, {**options, "python": None} if own else options)
    settings = nearest(Path.cwd())
    options = {**options, "python": options["python"] or program(settings)}
    entries = load_entries(Path.cwd(), options["config"], options["isolated"])
    return VerifyOptions(**{name: options[name] for name in names}, settings=settings, nearest=nearest, entries=entries)


def _newest_settings(options: dict[str, Any], folder: Path) -> Settings:
    """The settings of a folder, for the newest torch that they name."""
    from breaklint.lint.several_torches import for_torch, torches

    settings = settings_for(folder, options)
    return for_torch(settings, torches([settings])[-1])


def _write_confirmed(report: VerifyReport) -> None:
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


def _executor(options: dict[str, Any]) -> Executor:
    """The executor of the targets: this machine, or a cluster."""
    from breaklint.verify.host.run import run_here

    if options["executor"] == "local":
        return run_here
    if not options["scheduler"]:
        raise UsageError("--executor dask needs --scheduler ADDRESS, such as tcp://host:8786")
    from breaklint.verify.host.cluster import on_cluster

    return on_cluster(options["scheduler"])
