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
        self._began = self._last_update = time.monotonic()
        self._on = sys.stderr.isatty()
        self._is_visible = False

    def __call__(self, count: int, total: int, doing: str) -> None:
        """Show that `count` of `total` files are checked, an estimate of the seconds that remain, and the current
        step."""
        now = time.monotonic()
        if not self._on or now - self._began < PATIENCE or now - self._last_update < PAUSE:
            return
        import shutil  # slow to import, and most runs are short

        self._last_update, self._is_visible = now, True
        estimate = f", about {(now - self._began) / count * (total - count):.0f} s left" if 0 < count < total else ""
        line = f"{count} of {total} files checked{estimate}: {printable_lines(doing)}"
        width = shutil.get_terminal_size().columns - 1
        click.echo(f"{CLEAR}{line[:width]}", nl=False, err=True, color=True)

    def clear(self) -> None:
        """Remove the line."""
        if self._is_visible:
            click.echo(CLEAR, nl=False, err=True, color=True)
