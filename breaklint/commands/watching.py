"""`breaklint check --watch`: check again whenever a file changes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from breaklint.commands.options import refuse_missing
from breaklint.commands.terminal import click
from breaklint.errors import BreaklintError, UsageError
from breaklint.output.wording import printable
from breaklint.source.discovery import SUFFIXES

CONFIGURATIONS = ("breaklint.toml", "pyproject.toml")
_PAUSE = 200  # ms between two looks at what has changed


def watch(paths: Sequence[str], check: Callable[[], object]) -> int:
    """Call `check` now, and whenever a source or a configuration at `paths` changes, until Ctrl-C; returns 0.

    Reports configuration errors and continues to watch. Raises UsageError if watchfiles is not installed.
    """
    if find_spec("watchfiles") is None:
        raise UsageError("--watch needs watchfiles: pip install watchfiles")
    from watchfiles import watch as changes_of

    has_checked = False
    try:
        # The watch is on before the first check, so that no change is missed while it runs.
        places = _places(paths)
        for changes in changes_of(*places, watch_filter=_matters, rust_timeout=_PAUSE, yield_on_timeout=True):
            if changes or not has_checked:
                has_checked = True
                _check(check)
    except KeyboardInterrupt:
        click.echo(err=True)
    return 0


def _check(check: Callable[[], object]) -> None:
    if sys.stdout.isatty():
        click.clear()
    try:
        check()
    except BreaklintError as error:
        click.echo(f"breaklint: error: {printable(str(error))}", err=True)
    click.echo("Watching for changes; Ctrl-C ends.", err=True)


def _places(paths: Sequence[str]) -> list[str]:
    """The folders to watch, for a file the one it is in: editors put a new file in the place of the old one."""
    from breaklint.lint.config_files import find_config

    for path in paths:
        refuse_missing(path)
    folders = [path if os.path.isdir(path) else os.path.dirname(os.path.abspath(path)) for path in paths]
    configurations = [str(file) for folder in folders if (file := find_config(Path(folder)))]
    return list(dict.fromkeys([*folders, *configurations]))


def _matters(_change: object, path: str) -> bool:
    return path.endswith(SUFFIXES) or os.path.basename(path) in CONFIGURATIONS
