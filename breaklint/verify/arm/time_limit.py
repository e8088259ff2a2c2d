"""End a call that does not end with inputs that verify has made, such as a loop that halves infinity.

Runs inside an arm's process, in its main thread.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

LEAST_S, FACTOR = 1.0, 20.0
"""Seconds of processor time for a call in any case, and how many times as long as the given one it may take."""


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


def _end(*_: object) -> None:
    raise OutOfTime
