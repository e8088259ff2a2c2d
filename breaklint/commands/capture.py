"""`breaklint capture`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breaklint.commands.options import PLACE, config_options, nearer_settings, settings_for
from breaklint.commands.terminal import click
from breaklint.errors import UsageError
from breaklint.output.wording import number_of

if TYPE_CHECKING:
    from breaklint.calls.capture import Capture

NOTHING_RECORDED = 1


@click.command(
    context_settings={"allow_interspersed_args": False},
    epilog="Exit code: that of the script if it is not 0; 1: nothing was recorded; 2: usage or configuration error.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), default="captures", show_default=True, help="The folder to create."
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=512,
    show_default=True,
    metavar="MB",
    help="Limit for the tensors stored per target.",
)
@click.option("--calls", type=click.IntRange(min=1), default=1, show_default=True, help="Calls to record per module.")
@click.option("--module", "names", multiple=True, metavar="NAME", help="Also record this class: Net or package.Net.")
@click.option("--parents", is_flag=True, help="Also record the outermost module around one with findings.")
@config_options
@click.argument("command", nargs=-1, required=True, type=PLACE, metavar="-- COMMAND...")
def capture(command: tuple[str, ...], **options: Any) -> int:
    """Run a script and record the first call of every module class that has findings.

    Classes below the current folder in which check has findings are recorded. Each recording is a folder that
    `breaklint verify` runs as a target. The script runs with torch.compile switched off; Ctrl-C ends it, and the
    recordings so far remain.

    \b
    breaklint capture -- python train.py --epochs 1
    breaklint capture --parents --module Encoder --out calls -- torchrun --nproc-per-node 2 train.py
    breaklint verify captures/Encoder
    """
    from breaklint.calls.capture import CaptureOptions, flagged_classes
    from breaklint.calls.capture import capture as record

    settings, nearer = settings_for(Path.cwd(), options)._replace(show_callers=True), nearer_settings(options)
    nested = (lambda path: nearer(path)._replace(show_callers=True)) if nearer else None
    flagged = flagged_classes(Path(os.curdir), settings, nested)
    if not flagged and not options["names"]:
        raise UsageError("no class below the current folder has findings; name one with --module")
    names = ("out", "calls", "names", "parents")
    limits = CaptureOptions(**{name: options[name] for name in names}, budget=options["budget"] * 1_000_000)
    captured = record(command, flagged, limits)
    _tell(captured)
    return captured.status or (0 if captured.targets else NOTHING_RECORDED)


def _tell(captured: Capture) -> None:
    for note in captured.notes:
        click.echo(f"breaklint: {note}", err=True)
    click.echo(f"breaklint: {number_of(len(captured.targets), 'module')} recorded", err=True)
    for folder in captured.targets:
        click.echo(f"breaklint verify {folder}")
