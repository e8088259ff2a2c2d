"""How far a long run is, on a terminal."""

from __future__ import annotations

import sys
import time

from breaklint.commands.terminal import click

PATIENCE = 1.0  # seconds without a word
PAUSE = 0.1  # seconds between two lines
CLEAR = "\r\x1b[K"  # the line


class FileProgress:
    """A line on standard error that counts files, once a run has taken a second; nothing where that is no terminal."""

    def __init__(self) -> None:
        self._began = self._said = time.monotonic()
        self._on = sys.stderr.isatty()
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        """Say that `done` of `total` files are checked, with an estimate of the seconds that remain."""
        now = time.monotonic()
        if not self._on or now - self._began < PATIENCE or now - self._said < PAUSE:
            return
        self._said, self._shown = now, True
        left = (now - self._began) / done * (total - done)
        click.echo(f"{CLEAR}{done} of {total} files checked, about {left:.0f} s left", nl=False, err=True, color=True)

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            click.echo(CLEAR, nl=False, err=True, color=True)
