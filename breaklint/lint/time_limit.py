"""A limit on the processor time that one file may take."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from breaklint.errors import UsageError

SECONDS = 60.0
VARIABLE = "BREAKLINT_FILE_SECONDS"
_AGAIN = 1.0  # second; an exception that is raised in a callback of the interpreter's own is lost


class TimeLimitExceeded(BaseException):
    """The limit was reached. Not an Exception, so that the guard of a single rule does not catch it."""


def seconds_per_file() -> float:
    """The limit from the environment, else the default; raises UsageError unless it is a positive number."""
    text = os.environ.get(VARIABLE, "")
    try:
        seconds = float(text or SECONDS)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise UsageError(f"{VARIABLE} must be a positive number of seconds, not {text!r}")
    return seconds


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeLimitExceeded in the body when it has used so much processor time.

    Does nothing outside the main thread and on systems without such a timer (Windows).
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    try:
        before = signal.signal(signal.SIGVTALRM, _raise)
    except ValueError:  # not the main thread
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before or signal.SIG_DFL)


def _raise(_number: int, _frame: object) -> NoReturn:
    raise TimeLimitExceeded
