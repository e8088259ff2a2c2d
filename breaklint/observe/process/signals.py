"""Signals of the user's process wait while the recorder works: what a handler raises belongs to the user's code."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from breaklint.observe.raw import SYSTEM

_NAMES = ("SIGALRM", "SIGVTALRM", "SIGPROF", "SIGUSR1", "SIGUSR2", "SIGHUP", "SIGTERM", "SIGINT", "SIGCHLD")
_NUMBERS = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
_CHILD = getattr(signal, "SIGCHLD", None)


@contextmanager
def deferred() -> Iterator[None]:
    """Call the handlers of signals that come meanwhile at the end; not for the recorder's own children."""
    if threading.current_thread() is not threading.main_thread():  # which alone runs handlers
        yield
        return
    handlers: dict[int, Callable[[int, FrameType | None], Any]] = {}
    pending: list[tuple[int, FrameType | None]] = []
    ended = _ended_child()
    for number in _NUMBERS:
        handler = signal.getsignal(number)
        if callable(handler) and handler is not signal.default_int_handler:
            handlers[number] = handler
            signal.signal(number, lambda *told: pending.append(told))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        children = [told for told in pending if told[0] == _CHILD][: _ended_child() != ended]  # one stands for many
        for number, frame in [*(told for told in pending if told[0] != _CHILD), *children]:
            handlers[number](number, frame)


def _ended_child() -> int:
    """A child that has ended and was not waited for, 0 for none. The recorder waits for its own."""
    try:
        found = SYSTEM.waitid(SYSTEM.P_ALL, 0, SYSTEM.WEXITED | SYSTEM.WNOHANG | SYSTEM.WNOWAIT)
    except (ChildProcessError, AttributeError):
        return 0
    return found.si_pid if found is not None else 0
