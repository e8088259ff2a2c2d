"""What the targets of a run share: devices, slots for steps that compute, and for arms that start."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class StoppedError(Exception):
    """The run was interrupted."""


class Machine:
    """Distributes targets among devices.

    Args:
        devices: their names.
        beside: how many targets of one device run at the same time.
        slots: how many steps that compute run at the same time.
        starts: how many arms start at the same time.
    """

    def __init__(self, devices: Sequence[str], beside: int, slots: int, starts: int) -> None:
        self._devices, self._beside = devices, beside
        self._change, self._running = threading.Condition(), Counter[str]()
        self._slots, self.starts = threading.Semaphore(slots), threading.Semaphore(starts)
        self._is_stopped = False

    @contextmanager
    def turn(self) -> Iterator[str]:
        """Wait for a device, and run a target on it beside others."""
        with self._change:
            self._change.wait_for(lambda: self._is_stopped or self._running[self._least_used()] < self._beside)
            self.check()
            device = self._least_used()
            self._running[device] += 1
        try:
            yield device
        finally:
            with self._change:
                self._running[device] -= 1
                self._change.notify_all()

    @contextmanager
    def computing(self) -> Iterator[None]:
        """Wait for a slot, and hold it."""
        self.check()
        with self._slots:
            self.check()
            yield

    def stop(self) -> None:
        """Let no target and no step begin any more."""
        with self._change:
            self._is_stopped = True
            self._change.notify_all()

    def check(self) -> None:
        """Raise StoppedError after `stop`."""
        if self._is_stopped:
            raise StoppedError

    def _least_used(self) -> str:
        return min(self._devices, key=lambda name: self._running[name])
