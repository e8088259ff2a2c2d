"""The note of commands that run code, before their first run."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from breaklint.commands.terminal import click
from breaklint.errors import SourceError
from breaklint.source.decoding import read_bytes

if TYPE_CHECKING:
    from breaklint.model import Settings

_WHAT = {
    "verify": "verify imports and runs the code of its targets",
    "capture": "capture runs the command",
    "observe": "observe runs the command",
}


def say_once(command: str, settings: Settings) -> None:
    """Say on standard error that a command runs code; once a project, for its cache remembers it.

    If no file can be written, the note appears every time.
    """
    from breaklint.lint.cache_files import create, make_folder
    from breaklint.lint.run import cache_folder

    folder = cache_folder(settings)
    marker = folder / f"{command}-runs-code"
    try:
        make_folder(folder)
        if read_bytes(str(marker)) == _mark(folder).encode():
            return
    except (OSError, SourceError):
        pass  # it was not said, or cannot be remembered
    click.echo(
        f"breaklint: note: {_WHAT[command]} with your rights; check and fix do not run code (shown once)", err=True
    )
    with contextlib.suppress(OSError):
        marker.unlink(missing_ok=True)
        create(marker, _mark(folder))


def _mark(folder: Path) -> str:
    """A mark that a folder from another machine does not have: it depends on the place of the folder."""
    status = os.stat(folder)
    return f"{status.st_dev} {status.st_ino}\n"
