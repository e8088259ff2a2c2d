"""End a call that does not end with inputs that verify has made, such as a loop that halves infinity, or asks for all
memory.

Runs inside an arm's process, in its main thread.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LEAST_S, FACTOR = 1.0, 20.0
"""Seconds of processor time for a call in any case, and how many times as long as the given one it may take."""

MEMORY_BYTES = 2**30


class OutOfTime(BaseException):
    """No `Exception`, which the code might handle."""


@contextmanager
def time_limit(given_s: float) -> Iterator[None]:
    """Inside, the code may use so much processor time; the given call took `given_s` seconds of it.

    Raises:
        OutOfTime: it has used more.
    """
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return
    usual = signal.signal(signal.SIGVTALRM, _end)
    signal.setitimer(signal.ITIMER_VIRTUAL, max(LEAST_S, FACTOR * given_s))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, usual)


@contextmanager
def memory_limit() -> Iterator[bool]:
    """Inside, an allocation fails that needs so much more memory; False where that cannot be had."""
    if not sys.platform.startswith("linux"):
        yield False
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    usual = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY_BYTES, usual[1]))
    try:
        yield True
    finally:
        resource.setrlimit(resource.RLIMIT_AS, usual)


def _end(*_: object) -> None:
    raise OutOfTime
