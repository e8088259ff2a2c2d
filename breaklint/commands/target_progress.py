"""How far a run of verify is: a line for each target, and on a terminal one more that shows the step."""

from __future__ import annotations

import re
import shutil
import sys
import threading
import time

from breaklint.commands import progress
from breaklint.commands.terminal import click
from breaklint.output.wording import printable_lines

_DONE = re.compile(r"\[(\d+)/(\d+)\] ")  # begins the line of a finished target
NOTE = "note: "
"""Begins a line that stays."""


class TargetProgress:
    """Progress of verify on standard error: a line for each finished target.

    On a terminal notes stay as well, and below them one line shows the step, how many targets are done, the seconds
    taken and an estimate of those that remain, once a run has taken a second. It is used from many threads.
    """

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._lock, self._ended = threading.Lock(), threading.Event()
        self._step, self._count, self._total = "", 0, 0
        self._ticking: threading.Thread | None = None
        if sys.stderr.isatty():
            self._ticking = threading.Thread(target=self._tick, daemon=True)
            self._ticking.start()

    def __call__(self, line: str) -> None:
        """A step begins, or a target is done."""
        line = printable_lines(line)
        with self._lock:
            if match := _DONE.match(line):
                self._count, self._total = int(match[1]), int(match[2])
            if self._ticking is None:
                if match:
                    click.echo(line, err=True)
            elif match or line.startswith(NOTE):
                click.echo(f"{progress.CLEAR}{line}", err=True, color=True)
            else:
                self._step = line.partition("\n")[0]

    def clear(self) -> None:
        """Remove the line."""
        self._ended.set()
        if self._ticking is not None:
            self._ticking.join()
            click.echo(progress.CLEAR, nl=False, err=True, color=True)

    def _tick(self) -> None:
        self._ended.wait(progress.PATIENCE)
        while not self._ended.wait(progress.PAUSE):
            with self._lock:
                if self._total and self._count == self._total:
                    continue  # the report is next
                width = shutil.get_terminal_size().columns - 1
                click.echo(f"{progress.CLEAR}{self._line()[:width]}", nl=False, err=True, color=True)

    def _line(self) -> str:
        seconds = time.monotonic() - self._began
        estimate = f", about {seconds / self._count * (self._total - self._count):.0f} s left" if self._count else ""
        count = f"{self._count} of {self._total} targets done, " if self._total else ""
        return f"{count}{seconds:.0f} s{estimate}: {self._step}"
