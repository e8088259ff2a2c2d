"""Signals of the user's process wait while the recorder works: what a handler raises belongs to the user's code."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_NAMES = ("SIGALRM", "SIGVTALRM", "SIGPROF", "SIGUSR1", "SIGUSR2", "SIGHUP", "SIGTERM", "SIGINT")
_NUMBERS = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))


@contextmanager
def deferred() -> Iterator[None]:
    """Call the handlers of signals that come meanwhile at the end."""
    if threading.current_thread() is not threading.main_thread():  # which alone runs handlers
        yield
        return
    handlers: dict[int, Callable[[int, FrameType | None], Any]] = {}
    pending: list[tuple[int, FrameType | None]] = []
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
        for number, frame in pending:
            handlers[number](number, frame)
