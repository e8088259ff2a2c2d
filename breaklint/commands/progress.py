"""How far a long run is, on a terminal."""

from __future__ import annotations

import sys
import time

from breaklint.commands.terminal import click
from breaklint.output.wording import printable_lines

PATIENCE = 1.0  # seconds without a word
PAUSE = 0.1  # seconds between two lines
CLEAR = "\r\x1b[K"  # the line


class FileProgress:
    """A line on a terminal that counts files and names the current one, once a run has taken a second."""

    def __init__(self) -> None:
        self._began = self._said = time.monotonic()
        self._on = sys.stderr.isatty()
        self._shown = False

    def __call__(self, done: int, total: int, doing: str) -> None:
        """Show that `done` of `total` files are checked, an estimate of the seconds that remain, and the current
        step."""
        now = time.monotonic()
        if not self._on or now - self._began < PATIENCE or now - self._said < PAUSE:
            return
        import shutil  # slow to import, and most runs are short

        self._said, self._shown = now, True
        left = f", about {(now - self._began) / done * (total - done):.0f} s left" if 0 < done < total else ""
        line = f"{done} of {total} files checked{left}: {printable_lines(doing)}"
        width = shutil.get_terminal_size().columns - 1
        click.echo(f"{CLEAR}{line[:width]}", nl=False, err=True, color=True)

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            click.echo(CLEAR, nl=False, err=True, color=True)
